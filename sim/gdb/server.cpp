// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "gdb/server.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "gdb/description.h"
#include "gdb/monitor.h"
#include "kernel/debug.h"
#include "kernel/error.h"

namespace trapeze::gdb {
namespace {

constexpr char kOk[] = "OK";
constexpr char kBadArguments[] = "E16";  // EINVAL
constexpr char kBadAddress[] = "E0e";    // EFAULT
/** GDB's numbers of signals (include/gdb/signals.def). */
constexpr char kTrapped[] = "T05";
constexpr char kInterruptedBy[] = "T02";
constexpr char kTimeExceeded[] = "X18";
constexpr char kKilledBy[] = "X09";
constexpr char kAborted[] = "X06";
/** How long GDB may take to close the connection after the end. */
constexpr int kGoodbyeMilliseconds = 1000;

bool starts_with(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

/** The part before `separator`, which is cut off `text` together with it. */
std::string_view cut(std::string_view& text, char separator) {
  const std::size_t at = std::min(text.find(separator), text.size());
  const std::string_view head = text.substr(0, at);
  text.remove_prefix(std::min(at + 1, text.size()));
  return head;
}

/** `ADDRESS,LENGTH`, cut off `text` up to `end`. */
struct Range {
  std::uint64_t address = 0;
  std::uint64_t size = 0;
};
std::optional<Range> cut_range(std::string_view& text, char end) {
  std::string_view both = cut(text, end);
  const auto address = parse_hex(cut(both, ','));
  const auto size = parse_hex(both);
  if (!address || !size) return std::nullopt;
  return Range{*address, *size};
}

/** `OFFSET,LENGTH` of a text, as the replies of qXfer have it. */
std::string part(const std::string& text, std::string_view range_text) {
  const auto range = cut_range(range_text, ':');
  if (!range || range->address > text.size()) return kBadArguments;
  const std::size_t size = std::min<std::size_t>(range->size, kMaxPayload / 2);
  return (text.size() - range->address <= size ? "l" : "m") + text.substr(range->address, size);
}

}  // namespace

Server::Server(Connection& connection, Target& target, int (*exit_code)(unsigned), std::vector<KernelPlaces> kernels,
               std::vector<Device> devices, const std::vector<std::string>& programs)
    : connection_(connection),
      target_(target),
      exit_code_(exit_code),
      description_(target_description(target)),
      processes_(target.harts(), programs),
      threads_(target, processes_, std::move(kernels)),
      devices_(std::move(devices)) {}

std::optional<Input> Server::next_input(int milliseconds) {
  auto input = reader_.next();
  while (!input && connection_.open()) {
    const std::string bytes = connection_.receive(milliseconds);
    reader_.feed(bytes);
    input = reader_.next();
    if (milliseconds >= 0 && bytes.empty()) break;
  }
  return input;
}

void Server::send(std::string_view payload) {
  last_sent_ = frame(payload);
  connection_.send(last_sent_);
}

Ending Server::serve() {
  while (true) {
    const auto input = next_input(-1);
    if (!input) return Ending::kLost;
    // GDB complains of a reply that takes long even when nothing is acknowledged, and would take the same reply twice.
    if (input->kind == Input::Kind::kNak && acknowledge_) connection_.send(last_sent_);
    if (input->kind == Input::Kind::kDamaged && acknowledge_) connection_.send("-");
    if (input->kind != Input::Kind::kPacket) continue;
    if (acknowledge_) connection_.send("+");
    const auto reply = handle(input->payload);
    if (reply) send(reply->payload);
    if (input->payload == "QStartNoAckMode") acknowledge_ = false;
    if (input->payload == "k") return Ending::kKilled;
    if (reply && reply->ending) {
      // GDB closes; a connection that this side closes first could lose the reply.
      while (connection_.open() && next_input(kGoodbyeMilliseconds)) {
      }
      return *reply->ending;
    }
  }
}

auto Server::handle(std::string_view packet) -> std::optional<Reply> {
  if (packet.empty()) return Reply{};
  const std::string_view rest = packet.substr(1);
  switch (packet[0]) {
    case '?':
      return Reply{stop_reply(last_stop_), {}};
    case 'q':
    case 'Q':
      return handle_query(packet);
    case 'v':
      return handle_v(packet);
    case 'H':
      return Reply{select(rest), {}};
    case 'T':
      return Reply{hart_of(rest) ? kOk : kBadArguments, {}};
    case 'g':
      return Reply{read_all(), {}};
    case 'G':
      return Reply{write_all(rest), {}};
    case 'p':
      return Reply{read_one(rest), {}};
    case 'P':
      return Reply{write_one(rest), {}};
    case 'm':
      return Reply{read_memory(rest), {}};
    case 'M':
      return Reply{write_memory(rest, false), {}};
    case 'X':
      return Reply{write_memory(rest, true), {}};
    case 'Z':
      return Reply{set_point(rest, true), {}};
    case 'z':
      return Reply{set_point(rest, false), {}};
    case 'c':
      return resume_at(rest, false);
    case 's':
      return resume_at(rest, true);
    case 'C':
      return resume({false, 0, 0, hart_});
    case 'S':
      return resume({true, 0, 0, hart_});
    case 'D':
      return let_go(rest.substr(std::min<std::size_t>(rest.size(), 1)), Ending::kDetached);
    case 'k':
      return std::nullopt;
    default:
      return Reply{};
  }
}

Server::Reply Server::handle_query(std::string_view packet) {
  constexpr std::string_view kFeatures = "qXfer:features:read:";
  constexpr std::string_view kExecFile = "qXfer:exec-file:read:";
  constexpr std::string_view kCommand = "qRcmd,";
  if (starts_with(packet, "qSupported")) {
    stop_reasons_ = packet.find("swbreak+") != std::string_view::npos;
    processes_.set_known(packet.find("multiprocess+") != std::string_view::npos);
    return {"PacketSize=" + hex_number(kMaxPayload) +
                ";qXfer:features:read+;QStartNoAckMode+;vContSupported+;swbreak+;hwbreak+" +
                (processes_.several() ? ";multiprocess+;qXfer:exec-file:read+" : ""),
            {}};
  }
  if (packet == "QStartNoAckMode") return {kOk, {}};
  if (starts_with(packet, kFeatures)) return {features(packet.substr(kFeatures.size())), {}};
  if (starts_with(packet, kExecFile)) return {exec_file(packet.substr(kExecFile.size())), {}};
  if (starts_with(packet, kCommand) && over_) return {to_hex("the run has ended\n"), {}};
  if (starts_with(packet, kCommand)) {
    const auto command = from_hex(packet.substr(kCommand.size()));
    return {command ? to_hex(monitor(target_, devices_, *command)) : kBadArguments, {}};
  }
  if (const Reply reply = handle_threads(packet); !reply.payload.empty()) return reply;
  // The run was made for GDB: quitting ends it.
  if (starts_with(packet, "qAttached")) return {"0", {}};
  if (starts_with(packet, "qSymbol")) return {kOk, {}};
  return {};
}

Server::Reply Server::handle_threads(std::string_view packet) {
  constexpr std::string_view kExtra = "qThreadExtraInfo,";
  if (packet == "qfThreadInfo") {
    const std::string all = threads_.list();
    return {all.empty() ? "l" : "m" + all, {}};
  }
  if (packet == "qsThreadInfo") return {"l", {}};
  if (packet == "qC") return {"QC" + (task_ ? threads_.id(*task_) : threads_.id(hart_)), {}};
  if (!starts_with(packet, kExtra)) return {};
  const std::string_view thread = packet.substr(kExtra.size());
  const auto hart = hart_of(thread);
  return {hart ? to_hex(threads_.description(thread, *hart)) : kBadArguments, {}};
}

std::optional<unsigned> Server::hart_of(std::string_view thread) const {
  return threads_.hart_of(thread, hart_);
}

/** `gTHREAD`: whose registers and memory follow; `cTHREAD` is for packets that vCont has replaced. */
std::string Server::select(std::string_view arguments) {
  const auto hart = arguments.empty() ? std::nullopt : hart_of(arguments.substr(1));
  if (!hart) return kBadArguments;
  if (arguments[0] != 'g') return kOk;
  hart_ = *hart;
  const Task* const task = threads_.task_of(arguments.substr(1));
  task_ = task != nullptr ? std::optional(*task) : std::nullopt;
  return kOk;
}

Server::Reply Server::handle_v(std::string_view packet) {
  if (packet == "vCont?") return {"vCont;c;C;s;S;r", {}};
  if (starts_with(packet, "vCont;")) return resume_actions(packet.substr(6));
  if (starts_with(packet, "vKill;")) return let_go(packet.substr(6), Ending::kKilled);
  return {};
}

/** `ACTION[:THREAD][;...]`. All harts go on together, so what counts is the thread that steps, if one does; GDB names
 * it first. If it names no other, it steps over a breakpoint, and fails if another hart stops. */
Server::Reply Server::resume_actions(std::string_view actions) {
  std::string_view action = cut(actions, ';');
  const std::string_view what = cut(action, ':');
  const auto hart = action.empty() ? std::optional(hart_) : hart_of(action);
  const bool alone = actions.empty() && threads_.is_one(action);
  if (what.empty() || !hart) return {kBadArguments, {}};
  switch (what[0]) {
    case 'c':
    case 'C':
      return resume({false, 0, 0, *hart, alone});
    case 's':
    case 'S':
      return resume({true, 0, 0, *hart, alone});
    case 'r': {
      std::string_view arguments = what.substr(1);
      const auto from = parse_hex(cut(arguments, ','));
      const auto to = parse_hex(arguments);
      if (!from || !to) return {kBadArguments, {}};
      return resume({true, *from, *to, *hart, alone});
    }
    default:
      return {kBadArguments, {}};
  }
}

Server::Reply Server::resume_at(std::string_view address, bool step) {
  if (!address.empty()) {
    const std::string error =
        write_one(hex_number(TZ_DEBUG_PC) + "=" + to_hex_little(parse_hex(address).value_or(0), 4));
    if (error != kOk) return {error, {}};
  }
  return resume({step, 0, 0, hart_});
}

/**
 * Whether GDB steps over a watched access that is behind it already. To GDB, RISC-V stops in front of an access: it
 * takes its watchpoints out, steps over the instruction, and only then looks at what has changed. Here the instruction
 * has executed, and one more would be shown late and hide its own changes; so this step does nothing.
 */
bool Server::steps_over_access(const Resume& how) const {
  return stop_reasons_ && how.step && how.hart == last_stop_.hart && last_stop_.reason == Stop::Reason::kWatchpoint &&
         !target_.watches(last_stop_.kind, last_stop_.address);
}

/** A hart whose process GDB has let go of does not stop. */
Stop Server::go_on(const Resume& how) {
  using Reason = Stop::Reason;
  while (true) {
    const Stop stop = target_.resume(how, [this](int milliseconds) { return interrupted(milliseconds); });
    const bool of_hart =
        stop.reason == Reason::kBreakpoint || stop.reason == Reason::kWatchpoint || stop.reason == Reason::kHandler;
    if (!of_hart || processes_.present(stop.hart)) return stop;
  }
}

Server::Reply Server::resume(const Resume& how) {
  task_.reset();
  if (over_) return end_of_next();
  if (steps_over_access(how)) {
    last_stop_ = {Stop::Reason::kStep, {}, 0, how.hart};
    hart_ = how.hart;
    return {stop_reply(last_stop_), {}};
  }
  try {
    last_stop_ = go_on(how);
    hart_ = last_stop_.hart;
  } catch (const Error&) {
    send(kAborted + processes_.ended(hart_));
    throw;
  }
  if (last_stop_.reason == Stop::Reason::kExited) over_ = Ending::kExited;
  if (last_stop_.reason == Stop::Reason::kLimit) over_ = Ending::kLimit;
  return over_ ? end_of_next() : Reply{stop_reply(last_stop_), {}};
}

Server::Reply Server::end_of_next() {
  const unsigned hart = processes_.first().value_or(0);
  std::string reply = over_ == Ending::kLimit ? kTimeExceeded : kKilledBy;
  if (over_ == Ending::kExited) {
    const auto code = static_cast<char>(exit_code_(target_.state().exit_code));
    reply = "W" + to_hex({&code, 1});
  }
  processes_.leave(hart);
  return {reply + processes_.ended(hart), processes_.first() ? std::nullopt : over_};
}

/** Lets a process go: with the last one, or one that is killed, the run, since a machine cannot go on without a hart.
 */
Server::Reply Server::let_go(std::string_view process, Ending how) {
  const auto hart = processes_.hart_of(process);
  if (!hart) return {kBadArguments, {}};
  processes_.leave(*hart);
  if (!over_ && (how == Ending::kKilled || !processes_.first())) over_ = how;
  return {kOk, processes_.first() ? std::nullopt : over_};
}

/** While the target runs: did GDB send Ctrl-C, or go away? */
bool Server::interrupted(int milliseconds) {
  const auto input = next_input(milliseconds);
  return !connection_.open() || (input && input->kind == Input::Kind::kInterrupt);
}

std::string Server::stop_reply(const Stop& stop) {
  using Reason = Stop::Reason;
  std::string reply = stop.reason == Reason::kInterrupted ? kInterruptedBy : kTrapped;
  if (stop.reason == Reason::kBreakpoint && stop_reasons_) {
    reply += stop.kind == PointKind::kSoftware ? "swbreak:;" : "hwbreak:;";
  }
  if (stop.reason == Reason::kWatchpoint) {
    const char* const name = stop.kind == PointKind::kWrite  ? "watch:"
                             : stop.kind == PointKind::kRead ? "rwatch:"
                                                             : "awatch:";
    reply += name + hex_number(stop.address) + ";";
  }
  return reply + hex_number(TZ_DEBUG_PC) + ":" + read_one(hex_number(TZ_DEBUG_PC)) + ";thread:" + threads_.id(hart_) +
         ";";
}

std::string Server::features(std::string_view arguments) const {
  if (cut(arguments, ':') != "target.xml") return "E00";
  return part(description_, arguments);
}

std::string Server::exec_file(std::string_view arguments) const {
  const auto hart = processes_.hart_of(cut(arguments, ':'));
  return hart && processes_.several() ? part(processes_.file(*hart), arguments) : kBadArguments;
}

std::string Server::read_all() {
  std::string hex;
  for (const RegisterInfo& info : target_.core_registers()) hex += read_register(info);
  return hex;
}

/** In hexadecimal digits, which are x where there is none. A task has what it goes on with, and gp and tp of its hart.
 */
std::string Server::read_register(const RegisterInfo& info) {
  constexpr unsigned kGlobalPointer = 3, kThreadPointer = 4;
  const bool own = task_ && info.number != kGlobalPointer && info.number != kThreadPointer;
  std::optional<std::uint64_t> value;
  if (own) {
    value = saved_register(target_, *task_, info.number);
  } else if (target_.has(hart_, info.number)) {
    value = target_.look_at(hart_, info.number);
  }
  return value ? to_hex_little(*value, info.bits / 8) : std::string(info.bits / 4, 'x');
}

std::string Server::write_all(std::string_view hex) {
  for (const RegisterInfo& info : target_.core_registers()) {
    const std::size_t digits = info.bits / 4;
    if (hex.size() < digits) break;
    const std::string value(hex.substr(0, digits));
    hex.remove_prefix(digits);
    const std::string now = read_register(info);
    if (now.front() == 'x' || value == now) continue;
    const std::string error = write_one(hex_number(info.number) + "=" + value);
    if (error != kOk) return error;
  }
  return kOk;
}

std::string Server::read_one(std::string_view number) {
  const auto index = parse_hex(number);
  const RegisterInfo* info = index ? target_.find(static_cast<unsigned>(*index)) : nullptr;
  if (info == nullptr) return kBadArguments;
  return read_register(*info);
}

std::string Server::write_one(std::string_view arguments) {
  const auto index = parse_hex(cut(arguments, '='));
  const auto value = from_hex_little(arguments);
  const RegisterInfo* info = index ? target_.find(static_cast<unsigned>(*index)) : nullptr;
  if (info == nullptr || !value) return kBadArguments;
  if (task_) return "E.registers of a task that does not run cannot be written";
  try {
    target_.write(hart_, info->number, *value);
  } catch (const Error& error) {
    return std::string("E.") + error.what();
  }
  return kOk;
}

std::string Server::read_memory(std::string_view arguments) {
  const auto range = cut_range(arguments, ':');
  if (!range) return kBadArguments;
  const std::uint64_t size = std::min<std::uint64_t>(range->size, kMaxPayload / 2);
  try {
    const auto bytes = target_.read_memory(hart_, range->address, size);
    return bytes ? to_hex(*bytes) : kBadAddress;
  } catch (const Error& error) {
    // GDB has words of its own, without a reason, and reads at many addresses.
    if (!std::exchange(said_no_devices_, true)) {
      std::fprintf(stderr, "trapeze-sim: gdb: nothing read at 0x%s: %s\n", hex_number(range->address).c_str(),
                   error.what());
    }
    return kBadAddress;
  }
}

std::string Server::write_memory(std::string_view arguments, bool binary) {
  const auto range = cut_range(arguments, ':');
  const auto bytes = binary ? std::optional<std::string>(arguments) : from_hex(arguments);
  if (!range || !bytes || bytes->size() != range->size) return kBadArguments;
  if (range->size == 0) return kOk;  // GDB asks whether X is there
  if (target_.write_memory(hart_, range->address, *bytes)) return kOk;
  // GDB has words of its own for this error, without a reason.
  std::fprintf(
      stderr,
      "trapeze-sim: gdb: nothing written at 0x%s: it is not memory; registers of devices can be read, and what "
      "a write would do the program has to do\n",
      hex_number(range->address).c_str());
  return kBadAddress;
}

std::string Server::set_point(std::string_view arguments, bool insert) {
  const auto kind = parse_hex(cut(arguments, ','));
  const auto range = cut_range(arguments, ';');
  if (!kind || *kind > static_cast<unsigned>(PointKind::kAccess)) return {};
  if (!range) return kBadArguments;
  const auto point = static_cast<PointKind>(*kind);
  const Harts harts = processes_.sharing(hart_);
  if (insert) {
    target_.insert(point, range->address, range->size, harts);
  } else {
    target_.remove(point, range->address, range->size, harts);
  }
  return kOk;
}

}  // namespace trapeze::gdb
