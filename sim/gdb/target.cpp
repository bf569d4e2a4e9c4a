// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "gdb/target.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <trapeze/isa.hpp>
#include <utility>

#include "kernel/debug.h"
#include "kernel/disasm.h"
#include "kernel/error.h"
#include "kernel/handlers.h"
#include "kernel/sv39.h"

namespace trapeze::gdb {
namespace {

constexpr unsigned kRegisters = 32;
constexpr std::uint64_t kMachineMode = 3;  ///< as TZ_DEBUG_MODE has it
constexpr unsigned kCsrs = 4096;
constexpr unsigned kRa = 1, kSp = 2, kGp = 3, kTp = 4, kFp = 8;
constexpr unsigned kMscratch = isa::csr::kMscratch, kMcause = isa::csr::kMcause, kMfastirq = isa::csr::kMfastirq,
                   kUfastirq = isa::csr::kUfastirq;
/** Cycles and boundaries between two looks at GDB. */
constexpr std::uint64_t kPollCycles = 50'000;
constexpr unsigned kPollBoundaries = 5'000;
constexpr int kSleepMilliseconds = 100;
/** Bytes of devices that are read at once: each word costs a copy of the machine. */
constexpr std::size_t kMostOfDevices = 64;
constexpr unsigned kBusBytes = 4;
constexpr std::uint64_t kNoChange = ~std::uint64_t{0};  ///< Stimulus::next_change(): never

/** CSRs that hold nothing of their own: an access does something to other ones. */
constexpr std::array<unsigned, 6> kActions = {isa::csr::kUnxti,       isa::csr::kUscratchcswl, isa::csr::kMnxti,
                                              isa::csr::kMscratchcsw, isa::csr::kMscratchcswl, isa::csr::kJalmnxti};

/** Name of a CSR to show; empty: none. Those of the CLIC and of user mode, too, for which listings have no names. */
std::string shown_csr(unsigned number) {
  if (std::find(kActions.begin(), kActions.end(), number) != kActions.end()) return {};
  for (const isa::CsrName& run : isa::kCsrNames) {
    if (number < run.first || number >= run.first + run.count) continue;
    std::string name(run.name);
    if (run.count > 1) name += std::to_string(run.index + number - run.first) + std::string(run.suffix);
    // Not event counters, of which there are 87 and none counts.
    return name.find("hpm") != std::string::npos ? std::string() : name;
  }
  return {};
}

const char* register_type(unsigned number) {
  if (number == kRa) return "code_ptr";
  return number == kSp || number == kGp || number == kTp || number == kFp ? "data_ptr" : "int";
}

}  // namespace

Target::Target(Engine& engine, Session& session, RunState& state, std::uint64_t max_cycles, std::function<void()> start)
    : engine_(engine),
      session_(session),
      state_(state),
      max_cycles_(max_cycles),
      start_(std::move(start)),
      now_(engine.harts()),
      claimed_epc_(engine.harts()),
      lines_(engine, [this](unsigned hart, unsigned line) { state_.stimulus.lower(hart, line); }) {
  if (engine_.can(TZ_CAP_TURNS) && !engine_.can(TZ_CAP_REGISTERS)) {
    throw Error(std::string("--gdb: engine '") + engine_.info().engine +
                "' shows no registers, because a hart of it is the RTL; use the model, or the rtl engine");
  }
  if (engine_.debug() == nullptr) {
    throw Error(std::string("--gdb: this engine shows no registers; use the library rtl-") + engine_.info().config +
                "-wave.so or model-" + engine_.info().config + ".so");
  }
  const auto exists = [&](unsigned number) {
    for (unsigned hart = 0; hart < harts(); ++hart) {
      if (has(hart, number)) return true;
    }
    return false;
  };
  const unsigned bits = engine_.hart(0).xlen;
  for (unsigned hart = 1; hart < harts(); ++hart) {
    if (engine_.hart(hart).xlen == bits) continue;
    throw Error(std::string("--gdb: GDB needs harts of one width, and configuration '") + engine_.info().config +
                "' has others; debug a configuration of one kind");
  }
  for (unsigned n = 0; n < kRegisters; ++n) {
    if (exists(n)) core_.push_back({n, register_name(n), bits, register_type(n)});
  }
  core_.push_back({TZ_DEBUG_PC, "pc", bits, "code_ptr"});
  for (unsigned n = 0; n < kCsrs; ++n) {
    const std::string name = shown_csr(n);
    if (!name.empty() && exists(TZ_DEBUG_CSR + n)) csrs_.push_back({TZ_DEBUG_CSR + n, name, bits, "int"});
  }
}

const RegisterInfo* Target::find(unsigned number) const {
  static const RegisterInfo kMode{TZ_DEBUG_MODE, "priv", 8, "int"};
  if (number == TZ_DEBUG_MODE) return &kMode;
  const auto& all = number >= TZ_DEBUG_CSR ? csrs_ : core_;
  const auto found = std::find_if(all.begin(), all.end(), [&](const RegisterInfo& r) { return r.number == number; });
  return found == all.end() ? nullptr : &*found;
}

bool Target::has(unsigned hart, unsigned number) const {
  std::uint64_t value = 0;
  return engine_.debug()->read_register(engine_.handle(), hart, number, &value) == TZ_OK;
}

std::optional<std::uint64_t> Target::physical(unsigned hart, std::uint64_t address) {
  constexpr unsigned kSatp = TZ_DEBUG_CSR + isa::csr::kSatp;
  if (!has(hart, kSatp) || read(hart, TZ_DEBUG_MODE) == kMachineMode) return address;
  const std::uint64_t satp = read(hart, kSatp);
  if (satp >> isa::satp::kMode != isa::satp::kModeSv39) return address;
  std::array<std::uint8_t, sv39::kEntryBytes> entry{};  // a copy: looking marks no page as accessed
  const auto reach = [&](std::uint64_t place, bool write) {
    const bool there = write || engine_.find_memory(hart, place, entry.data(), entry.size());
    return there ? entry.data() : nullptr;
  };
  const sv39::Walk found = sv39::walk(satp, address, sv39::Any(), reach);
  return found.outcome == sv39::Outcome::kFound ? std::optional(found.address) : std::nullopt;
}

std::optional<std::vector<Target::Piece>> Target::pieces(unsigned hart, std::uint64_t address, std::size_t size) {
  constexpr std::size_t kPage = std::size_t{1} << sv39::kOffsetBits;
  std::vector<Piece> found;
  for (std::size_t done = 0; done < size; done += found.back().size) {
    const auto place = physical(hart, address + done);
    if (!place) return std::nullopt;
    found.push_back({*place, std::min(size - done, kPage - *place % kPage)});
  }
  return found;
}

/** Bytes of memories at these places. Nothing: there is something else. */
std::optional<std::string> Target::read_pieces(unsigned hart, const std::vector<Piece>& places) const {
  std::string bytes;
  for (const Piece& piece : places) {
    std::string part(piece.size, '\0');
    if (!engine_.find_memory(hart, piece.address, part.data(), piece.size)) return std::nullopt;
    bytes += part;
  }
  return bytes;
}

std::optional<std::string> Target::read_memory(unsigned hart, std::uint64_t address, std::size_t size) {
  const auto places = pieces(hart, address, size);
  if (!places) return std::nullopt;
  if (auto bytes = read_pieces(hart, *places)) return bytes;
  std::string bytes;
  for (const Piece& piece : *places) {
    if (bytes.size() >= kMostOfDevices) break;
    const auto part = read_bus(hart, piece.address, std::min(piece.size, kMostOfDevices - bytes.size()));
    if (!part) return std::nullopt;
    bytes += *part;
  }
  return bytes;
}

std::optional<std::string> Target::read_bus(unsigned hart, std::uint64_t address, std::size_t size) {
  std::string bytes;
  while (bytes.size() < size) {
    const std::uint64_t at = address + bytes.size();
    const auto lane = static_cast<unsigned>(at % kBusBytes);
    const auto count = static_cast<unsigned>(std::min<std::size_t>(size - bytes.size(), kBusBytes - lane));
    const auto word = engine_.read_bus(hart, at - lane, ((1U << count) - 1) << lane);
    if (!word) return std::nullopt;
    for (unsigned i = 0; i < count; ++i) bytes += static_cast<char>(*word >> (8 * (lane + i)) & 0xff);
  }
  return bytes;
}

std::uint64_t Target::look_at(unsigned hart, unsigned number) {
  const bool at_wfi = number == TZ_DEBUG_PC && (at_wfi_ >> hart & 1U) != 0;
  return at_wfi ? state_.harts[hart].now.pc : read(hart, number);
}

void Target::write(unsigned hart, unsigned number, std::uint64_t value) {
  engine_.write_register(hart, number, value);
  if (number == TZ_DEBUG_PC) at_wfi_ &= ~(std::uint64_t{1} << hart);
}

bool Target::write_memory(unsigned hart, std::uint64_t address, std::string_view bytes) {
  // All of it or nothing.
  const auto places = pieces(hart, address, bytes.size());
  if (!places || !read_pieces(hart, *places)) return false;
  for (const Piece& piece : *places) {
    engine_.write_memory(hart, piece.address, bytes.data(), piece.size);
    bytes.remove_prefix(piece.size);
  }
  return true;
}

void Target::insert(PointKind kind, std::uint64_t address, std::uint64_t size, Harts harts) {
  remove(kind, address, size, harts);  // asked for twice is asked for once
  auto& points = kind <= PointKind::kHardware ? breakpoints_[address] : watchpoints_;
  points.push_back({kind, address, size, harts});
}

void Target::remove(PointKind kind, std::uint64_t address, std::uint64_t size, Harts harts) {
  if (kind > PointKind::kHardware) {
    std::erase(watchpoints_, Point{kind, address, size, harts});
    return;
  }
  const auto found = breakpoints_.find(address);
  if (found == breakpoints_.end()) return;
  std::erase_if(found->second, [&](const Point& point) { return point.kind == kind && point.harts == harts; });
  if (found->second.empty()) breakpoints_.erase(found);
}

auto Target::breakpoint(unsigned hart, std::uint64_t address) const -> const Point* {
  const auto at = breakpoints_.find(address);
  if (at == breakpoints_.end()) return nullptr;
  const auto is_its = [&](const Point& point) { return (point.harts >> hart & 1U) != 0; };
  const auto found = std::find_if(at->second.begin(), at->second.end(), is_its);
  return found == at->second.end() ? nullptr : &*found;
}

bool Target::watches(PointKind kind, std::uint64_t address) const {
  return std::any_of(watchpoints_.begin(), watchpoints_.end(), [&](const Point& point) {
    return point.kind == kind && address - point.address < point.size;  // below the range it wraps around
  });
}

/** The watchpoints that the access of an instruction meets. An AMO reads and writes. */
void Target::look(const tz_retire& record) {
  const bool reads = record.mem_rmask != 0, writes = record.mem_wmask != 0;
  if (watchpoints_.empty() || (!reads && !writes) || (record.flags & TZ_RETIRE_TRAP) != 0) return;
  const unsigned mask = record.mem_rmask | record.mem_wmask;
  const auto size = static_cast<std::uint64_t>(std::popcount(mask));
  for (const Point& point : watchpoints_) {
    if ((point.harts >> record.hart & 1U) == 0) continue;
    const bool fits = point.kind == PointKind::kAccess || (point.kind == PointKind::kWrite ? writes : reads);
    if (!fits || record.mem_addr >= point.address + point.size || point.address >= record.mem_addr + size) continue;
    hits_.push_back({point, std::max(record.mem_addr, point.address), record.hart});
  }
}

/** The stop for a watched access. GDB looks at every watchpoint that holds the address named, so one stop is enough for
 * all of these. While GDB steps it may have taken watchpoints out for the step; else those that are gone are given up.
 */
std::optional<Stop> Target::next_hit(const Resume& how, bool stepping) {
  const auto inserted = [this](const Hit& hit) {
    return std::find(watchpoints_.begin(), watchpoints_.end(), hit.point) != watchpoints_.end();
  };
  if (!stepping) std::erase_if(hits_, [&](const Hit& hit) { return !inserted(hit); });
  const auto told = [&](const Hit& hit) { return inserted(hit) && (!how.alone || hit.hart == how.hart); };
  const auto found = std::find_if(hits_.begin(), hits_.end(), told);
  if (found == hits_.end()) return std::nullopt;
  const Hit first = *found;
  std::erase_if(hits_, [&](const Hit& hit) {
    return hit.hart == first.hart && first.address - hit.point.address < hit.point.size;
  });
  return Stop{Stop::Reason::kWatchpoint, first.point.kind, first.address, first.hart};
}

bool Target::anything_moved() const {
  return std::any_of(now_.begin(), now_.end(), [](const Advance& one) { return one.moved(); });
}

/** Until a hart has moved and is at a boundary. */
void Target::advance() {
  for (Advance& one : now_) one = {};
  const std::uint64_t until = std::min(max_cycles_, state_.cycle + kPollCycles);
  do {
    const tz_step_result step = session_.step(state_, until);
    asleep_ = step.run.asleep != 0;
    for (const tz_claim& claim : session_.claims()) {
      claimed_epc_[claim.hart] = claim.epc;
      lines_.on_claim(claim);
    }
    for (const tz_retire& record : session_.records()) {
      Advance& one = now_[record.hart];
      one.retired = true;
      one.insn = record.insn;
      look(record);
      lines_.on_retire(record);
    }
    for (unsigned hart = 0; hart < now_.size(); ++hart) {
      Advance& one = now_[hart];
      if ((step.entered >> hart & 1U) != 0) {
        one.entered = true;
        one.epc = claimed_epc_[hart];
        lines_.on_entry(hart);
      }
      one.boundary = (step.boundary >> hart & 1U) != 0;
    }
  } while (!state_.exited && state_.cycle < until && !anything_moved());
}

/** In front of a handler: sp of the interrupted program. With fastirq its context is in a frame already. */
std::uint64_t Target::interrupted_sp(unsigned hart) {
  const std::uint64_t sp = read(hart, kSp);
  const bool user = read(hart, TZ_DEBUG_MODE) == 0;  // a handler of user mode, which has interrupted user mode
  const unsigned control = TZ_DEBUG_CSR + (user ? kUfastirq : kMfastirq);
  const bool frames = has(hart, control) && (read(hart, control) & 1U) != 0;
  if (!frames) return sp;
  const bool same_mode = user || ((read(hart, TZ_DEBUG_CSR + kMcause) >> 28) & 3U) == 3U;
  const bool embedded = !has(hart, kRegisters - 1);
  return same_mode ? (sp + (embedded ? 48U : 80U)) & 0xffffffffU : read(hart, TZ_DEBUG_CSR + kMscratch);
}

bool Target::step_done(Step& step, const Advance& now, const Resume& how, std::uint64_t pc) {
  if (step.in_handler) {
    const bool returned = now.retired && is_trap_return(now.insn);
    const bool back = returned && pc == step.epc && read(how.hart, kSp) == step.sp;
    if (!back) return false;
    step.in_handler = false;
  } else {
    step.retired = step.retired || now.retired;
    if (now.entered) {
      step.in_handler = true;
      step.epc = now.epc;
      step.sp = interrupted_sp(how.hart);
      return false;
    }
  }
  return step.retired && (pc < how.from || pc >= how.to);
}

/** GDB steps by a breakpoint behind the instruction and does not know where returns from traps go. */
bool Target::steps_over_return(unsigned hart) {
  const std::uint64_t pc = read(hart, TZ_DEBUG_PC);
  std::uint32_t insn = 0;
  const auto bytes = read_memory(hart, pc, sizeof insn);
  if (bytes) std::memcpy(&insn, bytes->data(), sizeof insn);
  return is_trap_return(insn) && breakpoint(hart, pc + sizeof insn) != nullptr;
}

/** Why a hart that has moved is to stop, if it is; that is found out once. */
std::optional<Stop> Target::stop_of(unsigned hart, bool stepping, Step& step, const Resume& how) {
  using Reason = Stop::Reason;
  const Advance now = std::exchange(now_[hart], {});
  if (!now.moved()) return std::nullopt;
  if (now.entered && catching_) return Stop{Reason::kHandler, {}, 0, hart};
  const bool steps = stepping && hart == how.hart;
  if (!steps && breakpoints_.empty()) return std::nullopt;
  const std::uint64_t pc = read(hart, TZ_DEBUG_PC);
  if (const Point* const point = breakpoint(hart, pc)) return Stop{Reason::kBreakpoint, point->kind, pc, hart};
  if (steps && step_done(step, now, how, pc)) return Stop{Reason::kStep, {}, 0, hart};
  return std::nullopt;
}

/** Seen at the end of kPollCycles without a movement. Time stands still then: an engine for which sleep costs nothing
 * would be at the cycle limit before anybody could interrupt it. */
bool Target::sleeps_for_ever() const {
  return asleep_ && !anything_moved() && state_.stimulus.next_change() == kNoChange;
}

Stop Target::resume(const Resume& how, const std::function<bool(int milliseconds)>& asked) {
  const Stop stop = run(how, asked);
  at_wfi_ = 0;
  for (unsigned hart = 0; hart < state_.harts.size(); ++hart) {
    const bool stepped = stop.reason == Stop::Reason::kStep && stop.hart == hart;
    if (state_.harts[hart].now.asleep != 0 && !stepped) at_wfi_ |= std::uint64_t{1} << hart;
  }
  return stop;
}

Stop Target::run(const Resume& how, const std::function<bool(int milliseconds)>& asked) {
  using Reason = Stop::Reason;
  const bool stepping = how.step || steps_over_return(how.hart);
  Step step;
  unsigned boundaries = 0;
  bool stopping = false;
  if (const auto stop = next_hit(how, how.step)) return *stop;
  // Harts that came to a breakpoint in the same cycle as the one that was reported.
  for (unsigned hart = 0; !how.step && hart < harts(); ++hart) {
    if (how.alone && hart != how.hart) continue;
    if (const auto stop = stop_of(hart, false, step, how)) return *stop;
  }
  while (true) {
    advance();
    if (state_.exited) return {Reason::kExited, {}, 0, state_.exit_hart};
    if (const auto stop = next_hit(how, stepping)) return *stop;
    if (state_.cycle >= max_cycles_) return {Reason::kLimit, {}, 0, how.hart};
    const bool moved = anything_moved();
    const bool boundary = now_[how.hart].boundary;
    for (unsigned hart = 0; hart < harts(); ++hart) {
      if (how.alone && hart != how.hart) continue;
      if (const auto stop = stop_of(hart, stepping, step, how)) return *stop;
    }
    if (!moved || ++boundaries % kPollBoundaries == 0) stopping = stopping || asked(0);
    while (!moved && !stopping && sleeps_for_ever()) {
      if (session_.receive(state_)) break;
      stopping = asked(kSleepMilliseconds);
    }
    if (stopping && boundary) return {Reason::kInterrupted, {}, 0, how.hart};
  }
}

bool Target::raise(unsigned hart, unsigned line) {
  if (hart >= harts() || line >= engine_.hart(hart).num_lines) return false;
  if (!lines_.hold(hart, line)) return true;
  state_.stimulus.add({line, state_.cycle, kHeld, hart});
  return true;
}

bool Target::lower(unsigned hart, unsigned line) {
  lines_.forget(hart, line);
  return state_.stimulus.lower(hart, line);
}

void Target::reset() {
  start_();
  at_wfi_ = 0;
  for (Advance& one : now_) one = {};
  hits_.clear();
  lines_.clear();
}

}  // namespace trapeze::gdb
