// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "lockstep/lockstep.h"

#include <cstdio>
#include <trapeze/isa.hpp>
#include <utility>

#include "kernel/disasm.h"
#include "kernel/error.h"
#include "kernel/handlers.h"
#include "kernel/isa.h"

namespace trapeze {
namespace {

/** Instructions shown in a report. */
constexpr std::size_t kRecent = 32;
/** Cycles after which a line that is high has certainly reached the core. */
constexpr std::uint64_t kSettle = 8;

/** Cycles in which the last store of a run retires, whatever the wait states. */
constexpr std::uint64_t kDrain = 4096;

using isa::csr::kMfastirq;

/** CSRs shown in a report. */
constexpr unsigned kShownCsrs[] = {
    isa::csr::kMstatus,    isa::csr::kMie,           isa::csr::kMip,        isa::csr::kMtvec,
    isa::csr::kMepc,       isa::csr::kMcause,        isa::csr::kMtval,      isa::csr::kMscratch,
    isa::csr::kMcounteren, isa::csr::kMcountinhibit, isa::csr::kMcycle,     isa::csr::kMinstret,
    isa::csr::kMtvt,       isa::csr::kMintthresh,    isa::csr::kMintstatus, isa::csr::kMfastirq};

const tz_follower_api& interface_of(const Engine& engine) {
  const tz_follower_api* api = engine.follower();
  if (api == nullptr) {
    throw Error(std::string("--follow: engine '") + engine.info().engine +
                "' cannot follow; give the library of the model");
  }
  return *api;
}

/** One instruction in objdump's shape, with its effects. */
std::string line_of(const tz_retire& r, const SymbolTable& symbols, bool has_c) {
  char head[64];
  std::snprintf(head, sizeof head,
                instruction_size(r.insn, has_c) == 2 ? "%10llu %c %8llx:\t%04x    \t" : "%10llu %c %8llx:\t%08x\t",
                static_cast<unsigned long long>(r.cycle_retire), "US?M"[r.mode & 3U],
                static_cast<unsigned long long>(r.pc), r.insn);
  std::string text = head + disassemble(
                                r.insn, static_cast<std::uint32_t>(r.pc),
                                [&symbols](std::uint64_t address) { return symbols.describe(address); }, has_c);
  std::string effects;
  const auto add = [&effects](const std::string& effect) { effects += (effects.empty() ? "\t; " : ", ") + effect; };
  if ((r.flags & (TZ_RETIRE_INTR | TZ_RETIRE_IRQ)) == TZ_RETIRE_IRQ) add("goes on");
  if ((r.flags & TZ_RETIRE_IRQ) != 0) add("interrupt " + std::to_string(r.irq_id));
  if (r.rd != 0) add(std::string(register_name(r.rd)) + "=" + hex(r.rd_value));
  if ((r.flags & TZ_RETIRE_CSR_WE) != 0) add(csr_name(r.csr_addr) + "<-" + hex(r.csr_value));
  if (r.mem_rmask != 0) add("[" + hex(r.mem_addr) + "]->" + hex(r.mem_rdata));
  if (r.mem_wmask != 0) add("[" + hex(r.mem_addr) + "]<-" + hex(r.mem_wdata));
  if ((r.flags & TZ_RETIRE_TRAP) != 0) add("exception " + std::to_string(r.cause));
  return text + effects;
}

/** How a record contradicts the claim of the interrupt it names. */
std::string conflict(const tz_retire& record, const tz_follow_claim& claim) {
  const std::string claimed = "interrupt " + std::to_string(claim.id) + " was claimed";
  if (claim.id != record.irq_id) return claimed + ", the handler of " + std::to_string(record.irq_id) + " runs";
  if (claim.level == record.irq_level) return {};
  return claimed + " at level " + std::to_string(claim.level) + ", its handler runs at " +
         std::to_string(record.irq_level);
}

}  // namespace

Lockstep::Lockstep(Engine& follower, const tz_engine_info& leader, const ElfFile& elf, std::string reproduce)
    : follower_(follower),
      api_(interface_of(follower)),
      leader_(leader),
      symbols_(elf.symbols),
      reproduce_(std::move(reproduce)) {
  const std::string config = follower.info().config;
  if (config != leader.config) {
    throw Error("--follow: engine '" + std::string(follower.info().engine) + "' is built for configuration '" + config +
                "', not '" + leader.config + "'; give the engine of that configuration");
  }
  std::uint64_t value = 0;
  has_frames_ = api_.read_csr(follower.handle(), 0, kMfastirq, &value) == TZ_OK;
}

void Lockstep::on_line(std::uint64_t cycle, unsigned hart, unsigned line, bool level) {
  // The follower's lines are those of the controller, behind the pins.
  cycle += leader_.harts[hart].line_delay;
  lines_.change(cycle, line, level);
  changes_.push_back({cycle, line, level ? 1U : 0U});
}

void Lockstep::on_claim(const tz_claim& claim) {
  // The controller samples a line in one cycle and shows it to the core in the next.
  const std::uint64_t lines = claim.cycle == 0 ? 0 : lines_.at(claim.cycle - 1);
  claims_.push_back({claim.cycle, lines, claim.epc, claim.id, claim.level, 0});
}

void Lockstep::take_claims(const tz_retire& record) {
  // A claim displaces what is in EX: what leaves EX later comes behind it. An emret that goes on to another interrupt
  // claims that one while it leaves EX itself.
  taken_.clear();
  const auto take = [this](bool chained) {
    taken_.push_back(claims_.front());
    taken_.back().chained = chained ? 1 : 0;
    last_claim_ = claims_.front();
    claims_.pop_front();
  };
  const bool begins = (record.flags & TZ_RETIRE_INTR) != 0;
  const bool named = (record.flags & TZ_RETIRE_IRQ) != 0;
  while (begins && !claims_.empty() && claims_.front().cycle < record.cycle_ex) take(false);
  const std::optional<tz_follow_claim> entered = begins ? std::exchange(last_claim_, std::nullopt) : std::nullopt;
  const bool chains = named && !begins;
  if (chains && claims_.empty()) {
    fail({"the handler of interrupt " + std::to_string(record.irq_id) + " follows, which has not been claimed"},
         &record, nullptr);
  }
  const bool also_chains = record.insn == kEmret && !claims_.empty() && claims_.front().cycle == record.cycle_ex;
  if (chains || also_chains) take(true);
  // The first instruction of a handler may be an emret: it names either interrupt.
  const bool second = also_chains && conflict(record, *last_claim_).empty();
  if (named && !second) {
    const std::optional<tz_follow_claim>& expected = chains ? last_claim_ : entered;
    if (!expected) fail({"an interrupt handler begins that no interrupt has entered"}, &record, nullptr);
    if (const std::string text = conflict(record, *expected); !text.empty()) fail({text}, &record, nullptr);
  }
  if (!claims_.empty() && claims_.front().cycle < record.cycle_ex) {
    fail({"interrupt " + std::to_string(claims_.front().id) + " was claimed, and no handler begins"}, &record, nullptr);
  }
}

void Lockstep::on_retire(const tz_retire& record) {
  recent_.push_back(record);
  if (recent_.size() > kRecent) recent_.pop_front();
  if (exited_)
    fail({"the follower has ended, with exit code " + std::to_string(exit_code_) + "; the leader goes on"}, &record,
         nullptr);

  tz_follow_args args{};
  args.leader = &record;
  const std::uint64_t since = record.cycle_ex < kSettle ? 0 : record.cycle_ex - kSettle;
  args.lines_sure = lines_.all(since, record.cycle_ex);
  take_claims(record);
  args.claims = taken_.data();
  args.num_claims = taken_.size();
  args.changes = changes_.data();
  args.num_changes = changes_.size();
  tz_follow_result result{};
  if (api_.follow(follower_.handle(), &args, &result) != TZ_OK)
    throw Error("the follower failed: " + follower_.last_error());
  changes_.clear();
  std::vector<std::string> differences = compare_records(record, result.own);
  if (result.complaint != nullptr) differences.insert(differences.begin(), result.complaint);
  if (!differences.empty()) fail(differences, &record, &result.own);
  if (record.rd != 0) shadow_[record.rd % shadow_.size()] = record.rd_value;
  // With fastirq an interrupt and an emret change registers that no record names.
  const bool switched = has_frames_ && (!taken_.empty() || record.insn == kEmret);
  for (unsigned n = 1; switched && n < shadow_.size(); ++n) shadow_[n] = value_of(n);
  ++compared_;
  if (result.exited != 0) {
    exited_ = true;
    exit_code_ = result.exit_code;
  }
}

void Lockstep::finish(Engine& leader, const RunState& state) {
  // A leader with a pipeline ends before the store that ended it has retired.
  std::array<tz_retire, 4> records{};
  tz_run_args args{};
  args.select = TZ_SELECT_ALL;
  args.records = records.data();
  args.records_capacity = records.size();
  args.until_cycle = state.cycle;
  while (state.exited && !exited_ && args.until_cycle < state.cycle + kDrain) {
    ++args.until_cycle;
    const tz_run_result result = leader.run(args);
    for (std::size_t i = 0; i < result.num_records && !exited_; ++i) on_retire(records[i]);
  }
  if (state.exited && !exited_) {
    fail({"the leader has ended, with exit code " + std::to_string(state.exit_code) + "; the follower has not"},
         nullptr, nullptr);
  }
  if (state.exited && state.exit_code != exit_code_) {
    fail({"exit code: " + std::to_string(state.exit_code) + ", follower " + std::to_string(exit_code_)}, nullptr,
         nullptr);
  }
}

std::uint64_t Lockstep::value_of(std::uint32_t number) const {
  std::uint64_t value = 0;
  return api_.read_register(follower_.handle(), 0, number, &value) == TZ_OK ? value : 0;
}

std::string Lockstep::state() const {
  std::string text = "registers (leader as written, follower; * differ):\n";
  char line[96];
  for (unsigned n = 1; n < shadow_.size(); ++n) {
    std::uint64_t own = 0;
    if (api_.read_register(follower_.handle(), 0, n, &own) != TZ_OK) break;
    std::snprintf(line, sizeof line, "  %-4s %08llx %08llx%s", register_name(n),
                  static_cast<unsigned long long>(shadow_[n]), static_cast<unsigned long long>(own),
                  own != shadow_[n] ? "*" : " ");
    text += line;
    if (n % 4 == 0) text += '\n';
  }
  std::snprintf(line, sizeof line, "\nfollower: next pc %08llx, mode %llu\n",
                static_cast<unsigned long long>(value_of(TZ_REGISTER_PC)),
                static_cast<unsigned long long>(value_of(TZ_REGISTER_MODE)));
  text += line;
  unsigned shown = 0;
  for (const unsigned number : kShownCsrs) {
    std::uint64_t value = 0;
    if (api_.read_csr(follower_.handle(), 0, number, &value) != TZ_OK) continue;
    std::snprintf(line, sizeof line, "  %-13s %08llx%s", csr_name(number).c_str(),
                  static_cast<unsigned long long>(value), ++shown % 4 == 0 ? "\n" : "");
    text += line;
  }
  return text + "\n";
}

void Lockstep::fail(const std::vector<std::string>& differences, const tz_retire* leader, const tz_retire* follower) {
  const bool has_c = parse_isa(leader_.harts[0].isa).has("c");
  std::string text = std::string("lockstep: ") + leader_.engine + " and " + follower_.info().engine +
                     " disagree after " + std::to_string(compared_) + " instructions\n";
  for (const std::string& difference : differences) text += "  " + difference + "\n";
  if (leader != nullptr) text += "leader:   " + line_of(*leader, symbols_, has_c) + "\n";
  if (follower != nullptr) {
    tz_retire shown = *follower;
    if (leader != nullptr) shown.cycle_retire = leader->cycle_retire;
    text += "follower: " + line_of(shown, symbols_, has_c) + "\n";
  }
  text += state();
  text += "last instructions of the leader:\n";
  for (const tz_retire& record : recent_) text += line_of(record, symbols_, has_c) + "\n";
  text += "reproduce: " + reproduce_;
  throw Mismatch(text);
}

}  // namespace trapeze
