// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "lockstep/lockstep.h"

#include <trapeze/isa.hpp>

#include <algorithm>
#include <utility>

#include "kernel/error.h"
#include "kernel/handlers.h"

namespace trapeze {
namespace {

/** Cycles within which the last store of a run retires, with the most wait states. */
constexpr std::uint64_t kDrain = 4096;

using isa::csr::kMfastirq;

const tz_oracle_api& interface_of(const Engine& engine) {
  const tz_oracle_api* api = engine.oracle();
  if (api == nullptr) {
    throw Error(std::string("lockstep: engine '") + engine.info().engine +
                "' cannot follow; give the library of the model");
  }
  return *api;
}

/** How a record contradicts the claim of the interrupt that the record names; empty if it does not. */
std::string conflict(const tz_retire& record, const following::Claim& claim) {
  const std::string claimed = "interrupt " + std::to_string(claim.id) + " was claimed";
  if (claim.id != record.irq_id) return claimed + ", the handler of " + std::to_string(record.irq_id) + " runs";
  if (claim.level == record.irq_level) return {};
  return claimed + " at level " + std::to_string(claim.level) + ", its handler runs at " +
         std::to_string(record.irq_level);
}

}  // namespace

Lockstep::Lockstep(Engine& follower, const tz_engine_info& leader, std::vector<SymbolTable> symbols,
                   std::string reproduce)
    : follower_(follower),
      api_(interface_of(follower)),
      following_(follower),
      leader_(leader),
      symbols_(std::move(symbols)),
      reproduce_(std::move(reproduce)),
      lanes_(leader.num_harts),
      order_(leader.num_harts) {
  const std::string config = follower.info().config;
  if (config != leader.config) {
    throw Error("lockstep: engine '" + std::string(follower.info().engine) + "' is built for configuration '" + config +
                "', not '" + leader.config + "'; give the engine of that configuration");
  }
  for (unsigned hart = 0; hart < lanes_.size(); ++hart) {
    std::uint64_t value = 0;
    lanes_[hart].has_frames = api_.read_csr(follower.handle(), hart, kMfastirq, &value) == TZ_OK;
  }
}

void Lockstep::on_line(std::uint64_t cycle, unsigned hart, unsigned line, bool level) {
  // The follower sees the lines as the controller has sampled them, not as the pins are.
  cycle += leader_.harts[hart].line_delay;
  lanes_[hart].lines.change(cycle, line, level);
  lanes_[hart].changes.push_back({cycle, line, level ? 1U : 0U});
}

void Lockstep::on_claim(const tz_claim& claim) {
  if (claim.hart >= lanes_.size()) {
    fail({"hart " + std::to_string(claim.hart) + ", which claims an interrupt, does not exist"}, 0, nullptr, nullptr);
  }
  // The controller samples a line in one cycle and shows it to the core in the next.
  Lane& lane = lanes_[claim.hart];
  const std::uint64_t lines = claim.cycle == 0 ? 0 : lane.lines.at(claim.cycle - 1);
  lane.claims.push_back({claim.cycle, lines, claim.epc, claim.id, claim.level, false});
}

void Lockstep::take_claims(Lane& lane, const tz_retire& record) {
  // A claim displaces the instruction in EX. So an instruction that leaves EX after the claim comes after it. An emret
  // that chains an interrupt claims it in the cycle in which it leaves EX itself.
  lane.taken.clear();
  const auto take = [&lane](bool chained) {
    lane.taken.push_back(lane.claims.front());
    lane.taken.back().chained = chained;
    lane.last_claim = lane.claims.front();
    lane.claims.pop_front();
  };
  const bool begins = (record.flags & TZ_RETIRE_INTR) != 0;
  const bool named = (record.flags & TZ_RETIRE_IRQ) != 0;
  while (begins && !lane.claims.empty() && lane.claims.front().cycle < record.cycle_ex) take(false);
  const std::optional<following::Claim> entered = begins ? std::exchange(lane.last_claim, std::nullopt) : std::nullopt;
  const bool chains = named && !begins;
  if (chains && lane.claims.empty()) {
    fail({"the handler of interrupt " + std::to_string(record.irq_id) + " follows, which has not been claimed"},
         record.hart, &record, nullptr);
  }
  const bool also_chains =
      leaves_frame(record.insn) && !lane.claims.empty() && lane.claims.front().cycle == record.cycle_ex;
  if (chains || also_chains) take(true);
  // If the first instruction of a handler is an emret that chains, its record names one of two interrupts.
  const bool second = also_chains && conflict(record, *lane.last_claim).empty();
  if (named && !second) {
    const std::optional<following::Claim>& expected = chains ? lane.last_claim : entered;
    if (!expected) fail({"an interrupt handler begins that no interrupt has entered"}, record.hart, &record, nullptr);
    if (const std::string text = conflict(record, *expected); !text.empty())
      fail({text}, record.hart, &record, nullptr);
  }
  if (!lane.claims.empty() && lane.claims.front().cycle < record.cycle_ex) {
    fail({"interrupt " + std::to_string(lane.claims.front().id) + " was claimed, and no handler begins"}, record.hart,
         &record, nullptr);
  }
}

bool Lockstep::is_shared(unsigned hart, std::uint64_t address) const {
  const tz_hart_info& info = leader_.harts[hart];
  for (unsigned i = 0; i < info.num_regions; ++i) {
    const tz_region& region = info.regions[i];
    if (region.shared != 0 && address >= region.base && address - region.base < region.size) return true;
  }
  return false;
}

void Lockstep::on_retire(const tz_retire& record) {
  if (record.hart >= lanes_.size()) {
    fail({"hart " + std::to_string(record.hart) + ", which retires an instruction, does not exist"}, 0, &record,
         nullptr);
  }
  if (lanes_.size() == 1) {
    compare(record);  // a hart's own records come in order
    return;
  }
  order_.add(record);
  compare_next(false);
}

void Lockstep::compare_next(bool all) {
  while (const std::optional<tz_retire> record = order_.next(all)) {
    if (!order_.in_order()) {
      fail({"this instruction's access was granted before one that has been compared more than " +
            std::to_string(GrantOrder::kSilence) + " cycles ago"},
           record->hart, &*record, nullptr);
    }
    compare(*record);
  }
}

void Lockstep::check_split(const tz_retire& access, const tz_retire& record) {
  if (lanes_.size() == 1 || !is_shared(access.hart, access.mem_addr) || !splits_.meets(access)) return;
  fail({"another hart's access came between the two words of an access to shared memory; lockstep cannot judge that"},
       access.hart, &record, nullptr);
}

void Lockstep::see_posts(std::uint64_t until, const tz_retire& record) {
  for (; !posts_.empty() && posts_.front().cycle <= until; posts_.pop_front()) {
    const tz_post& post = posts_.front();
    if (post.hart >= lanes_.size()) {
      fail({"hart " + std::to_string(post.hart) + ", which posts, does not exist"}, 0, &record, nullptr);
    }
    following_.see(post);
    if (post.kind != TZ_POST_ACCESS && post.kind != TZ_POST_TAKE) continue;
    tz_retire access{};
    access.hart = post.hart;
    access.mem_addr = post.address;
    access.cycle_mem = post.cycle;
    access.mem_rmask = 0xf;
    access.mem_wmask = post.op == TZ_WORD_LOAD ? 0 : 0xf;
    check_split(access, record);
  }
  if (const std::string late = following_.check_patience(until); !late.empty()) {
    fail({late}, record.hart, &record, nullptr);
  }
}

void Lockstep::compare(const tz_retire& leader) {
  recent_.add(leader);
  const unsigned hart = leader.hart;
  Lane& lane = lanes_[hart];
  if (leader.mode == TZ_MODE_DEBUG) {
    ++lane.debugged;
    if (leader.rd != 0) lane.shadow[leader.rd % lane.shadow.size()] = leader.rd_value;
    if (const std::string text = following_.debugged(leader); !text.empty()) fail({text}, hart, &leader, nullptr);
    return;
  }
  tz_retire record = leader;
  record.order -= lane.debugged;
  // With several harts, a hart may run on after its exit until the others have exited.
  if (lane.exit_code && lanes_.size() == 1) {
    fail({"the follower has ended, with exit code " + std::to_string(*lane.exit_code) + "; the leader goes on"}, hart,
         &record, nullptr);
  }
  see_posts(following::FollowedHart::cycle_of(record), record);
  if (record.cycle_mem != 0) check_split(record, record);

  // The controller samples a line in one cycle and shows it to the core in the next.
  const std::uint64_t sampled = record.cycle_ex - std::min<std::uint64_t>(record.cycle_ex, 1);
  take_claims(lane, record);
  const following::Outcome result = following_.follow({record, lane.lines.at(sampled), lane.taken, lane.changes});
  lane.changes.clear();
  std::vector<std::string> differences = compare_records(record, result.own);
  if (!result.complaint.empty()) differences.insert(differences.begin(), result.complaint);
  if (!differences.empty()) fail(differences, hart, &record, &result.own);
  // Values that an instruction has read are the values of those registers, even if nothing has written them since
  // reset.
  lane.shadow[record.rs1 % lane.shadow.size()] = record.rs1_value;
  lane.shadow[record.rs2 % lane.shadow.size()] = record.rs2_value;
  if (record.rd != 0) lane.shadow[record.rd % lane.shadow.size()] = record.rd_value;
  // With fastirq an interrupt and an emret change registers that no record names.
  const bool switched = lane.has_frames && (!lane.taken.empty() || leaves_frame(record.insn));
  for (unsigned n = 1; switched && n < lane.shadow.size(); ++n) lane.shadow[n] = value_of(hart, n);
  ++compared_;
  if (result.exit_code) lane.exit_code = result.exit_code;
}

void Lockstep::finish(Engine& leader, const RunState& state) {
  const auto has_exited = [&](std::size_t hart) { return hart < state.harts.size() && state.harts[hart].exited; };
  const auto outstanding = [&] {
    for (std::size_t hart = 0; hart < lanes_.size(); ++hart) {
      if (has_exited(hart) && !lanes_[hart].exit_code) return true;
    }
    return false;
  };
  // A leader with a pipeline ends its run before the store that ended it has retired. And a record of one hart may have
  // to wait for a record of another.
  const auto goes_on = [&] { return outstanding() || order_.waits_for(state.cycle); };
  std::array<tz_retire, 64> records{};
  std::vector<tz_claim> claims(lanes_.size());
  std::vector<tz_post> posts(std::size_t{TZ_POSTS_A_CYCLE} * lanes_.size());
  tz_run_args args{};
  args.select = TZ_SELECT_ALL;
  args.records = records.data();
  args.records_capacity = std::max<std::size_t>(4, lanes_.size());
  args.claims = claims.data();
  args.claims_capacity = claims.size();
  args.posts = watches_posts() ? posts.data() : nullptr;
  args.posts_capacity = posts.size();
  args.until_cycle = state.cycle;
  while (goes_on() && args.until_cycle < state.cycle + kDrain) {
    ++args.until_cycle;
    const tz_run_result result = leader.run(args);
    for (std::size_t i = 0; i < result.num_posts; ++i) on_post(posts[i]);
    for (std::size_t i = 0; i < result.num_records && goes_on(); ++i) on_retire(records[i]);
    for (std::size_t i = 0; i < result.num_claims; ++i) on_claim(claims[i]);
  }
  compare_next(true);
  for (unsigned hart = 0; hart < lanes_.size(); ++hart) {
    if (!has_exited(hart)) continue;
    const std::optional<std::uint32_t>& own = lanes_[hart].exit_code;
    const std::uint32_t exit_code = state.harts[hart].exit_code;
    if (!own) {
      fail({"the leader has ended, with exit code " + std::to_string(exit_code) + "; the follower has not"}, hart,
           nullptr, nullptr);
    }
    if (exit_code != *own) {
      fail({"exit code: " + std::to_string(exit_code) + ", follower " + std::to_string(*own)}, hart, nullptr, nullptr);
    }
  }
}

std::uint64_t Lockstep::value_of(unsigned hart, std::uint32_t number) const {
  std::uint64_t value = 0;
  return api_.read_register(follower_.handle(), hart, number, &value) == TZ_OK ? value : 0;
}

}  // namespace trapeze
