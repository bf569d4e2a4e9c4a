// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Following a leader: members of FollowedHart that execute one instruction and judge what the leader did about time,
 * with a CLINT.
 */
#ifndef TRAPEZE_SIM_LOCKSTEP_FOLLOWING_FOLLOWED_HART_CLINT_H
#define TRAPEZE_SIM_LOCKSTEP_FOLLOWING_FOLLOWED_HART_CLINT_H

#include <trapeze/clint.h>

#include <cstdlib>

#include "kernel/error.h"
#include "lockstep/following/followed_hart.h"
#include "lockstep/following/followed_hart_clic.h"

namespace trapeze::model {

template <Params P>
auto FollowedHart<P>::judge(std::uint64_t lines, std::uint64_t time) const -> Pending {
  Pending result;
  result.sure = result.maybe = static_cast<Word>(lines << platform_.line_id_base);
  // What another hart has written is on its way for a while.
  const bool arrived = !software_written_ || time >= *software_written_ + kTimeSlack;
  if (clint_.software(number_) || !arrived) result.maybe |= 1U << kSoftwareInterrupt;
  if (clint_.software(number_) && arrived) result.sure |= 1U << kSoftwareInterrupt;
  const std::uint64_t mtime = clint_.mtime(time);
  const std::uint64_t compare = clint_.mtimecmp(number_);
  // A write to mtimecmp or mtime turns the interrupt off until the comparison has been made again.
  const bool settled = time - timer_written_ >= kTimeSlack;
  if (settled && mtime >= compare && mtime - compare >= kTimeSlack) result.sure |= 1U << kTimerInterrupt;
  if (mtime >= compare || compare - mtime <= kTimeSlack) result.maybe |= 1U << kTimerInterrupt;
  if (uart_.interrupts_enabled()) result.maybe |= 1U << kExternalInterrupt;
  if (latency_doubted_ || time <= latency_settles_) result.maybe |= Word{1} << (platform_.line_id_base + latency_line_);
  return result;
}

template <Params P>
std::string FollowedHart<P>::enter_like_leader(const tz_follow_claim& claim) {
  Hart<P>& hart = hart_;
  const unsigned id = claim.id;
  const std::string name = "interrupt " + std::to_string(id);
  if (id >= P.xlen) return name + " does not exist";
  const Word bit = Word{1} << id;
  Pending pending = judge(claim.lines, claim.cycle);
  // What the last instructions did to a device may or may not have been seen.
  const Word devices = ~(~Word{0} << platform_.line_id_base);
  pending.maybe |= last_pending_.maybe & devices;
  pending.sure &= last_pending_.sure | ~devices;
  const Word enabled = hart.csr().mie();
  const unsigned mode = hart.mode();
  const std::uint64_t pc = hart.pc();
  hart.interrupt(id);
  if (mode == kMachine && (hart.csr().read(kMstatus, {}).value_or(0) >> mstatus_bit::kPrevious & 1U) == 0) {
    return name + " was taken with mstatus.MIE clear";
  }
  if ((enabled & bit) == 0) return name + " was taken though its bit of mie is clear";
  if ((pending.maybe & bit) == 0) return name + " was taken though it is not pending";
  const int best = Hart<P>::winner((pending.sure & enabled) | bit);
  if (best != static_cast<int>(id)) return name + " was taken before interrupt " + std::to_string(best);
  if (claim.epc != pc) return name + " interrupted " + hex(claim.epc) + " instead of " + hex(pc);
  return {};
}

template <Params P>
std::string FollowedHart<P>::check_patience(Word sure) {
  const Hart<P>& hart = hart_;
  const Word due = hart.csr().interrupts_on(hart.mode()) ? sure & hart.csr().mie() : 0;
  for (unsigned id = 0; id < P.xlen; ++id) {
    missed_[id] = ((due >> id) & 1U) != 0 ? missed_[id] + 1 : 0;
    if (missed_[id] > kPatience) {
      return "interrupt " + std::to_string(id) + " is pending and enabled and was not taken for " +
             std::to_string(missed_[id]) + " instructions";
    }
  }
  return {};
}

template <Params P>
std::string FollowedHart<P>::check_timed_read(const tz_retire& leader, const Pending& pending) {
  constexpr unsigned kSystem = 0x73;
  if (!P.clic && (leader.insn & 0x7fU) == kSystem && leader.rd != 0 && (leader.flags & TZ_RETIRE_TRAP) == 0 &&
      leader.insn >> 20 == kMip) {
    const auto value = static_cast<Word>(leader.rd_value);
    // Lines may have changed since they were certain; standard interrupts are known better.
    const Word lines = ~Word{0} << platform_.line_id_base;
    if ((value & ~(pending.maybe | lines)) != 0 || (pending.sure & ~value) != 0) {
      return "mip reads " + hex(leader.rd_value) + "; certain are " + hex(pending.sure) + ", possible " +
             hex(pending.maybe | lines);
    }
  }
  if (leader.mem_rmask == 0xf && leader.mem_addr == TRAPEZE_CLINT_BASE + TRAPEZE_CLINT_MTIME_LO_OFFSET) {
    // The clock of the leader, from here on.
    const std::uint64_t time = clint_.mtime(leader.cycle_ex);
    const auto behind =
        static_cast<std::int32_t>(static_cast<std::uint32_t>(leader.mem_rdata) - static_cast<std::uint32_t>(time));
    clint_.set_mtime(time + static_cast<std::uint64_t>(std::int64_t{behind}), leader.cycle_ex);
    if (clock_.known && std::abs(behind) > static_cast<std::int32_t>(kTimeSlack)) {
      return "mtime reads " + hex(leader.mem_rdata) + ", " + std::to_string(behind) + " cycles from where it must be";
    }
    clock_.known = true;
  }
  return {};
}

template <Params P>
void FollowedHart<P>::doubt_latency(const tz_retire& leader) {
  // Its devices run by the leader's clock, which is not known here: as long as data may become ready they may be.
  if (latency_.unknown() == latency_doubted_) return;
  latency_doubted_ = !latency_doubted_;
  if (!latency_doubted_) latency_settles_ = leader.cycle_retire + kTimeSlack;
  if constexpr (P.clic) {
    const unsigned id = platform_.line_id_base + latency_line_;
    if (!latency_doubted_) {
      clic_.doubt(id, leader.cycle_ex, to_tri(latency_host_), latency_settles_);
    } else if (!latency_host_) {
      clic_.doubt(id, leader.cycle_ex, Tri::kUnknown, 0);
    }
  }
}

template <Params P>
void FollowedHart<P>::notice_store(const tz_retire& leader) {
  if (leader.mem_wmask != 0 && leader.hart != number_) doubt_latency(leader);
  const std::uint64_t offset = leader.mem_addr - TRAPEZE_CLINT_BASE;
  if (leader.mem_wmask == 0 || offset >= TRAPEZE_CLINT_SIZE) return;
  if (offset >= TRAPEZE_CLINT_MTIMECMP_LO_OFFSET) timer_written_ = leader.cycle_ex;
  if (leader.hart == number_) return;
  software_written_ = leader.cycle_ex;
  if constexpr (P.clic) drive_sources(leader.cycle_ex);
}

template <Params P>
std::string FollowedHart<P>::follow(const tz_follow_args& args, tz_follow_result& result) {
  const tz_retire& leader = *args.leader;
  std::string complaint;
  const auto note = [&complaint](std::string text) {
    if (complaint.empty()) complaint = std::move(text);
  };
  Pending steady;
  if constexpr (P.clic) {
    note(prepare_clic(args));
  } else {
    for (std::size_t i = 0; i < args.num_claims; ++i) note(enter_like_leader(args.claims[i]));
    const Pending current = judge(args.lines_sure, leader.cycle_ex);
    steady = {current.sure & last_pending_.sure, current.maybe | last_pending_.maybe};
    last_pending_ = current;
    hart_.csr().set_mip(steady.sure);
    note(check_patience(steady.sure));
  }
  note(check_timed_read(leader, steady));
  const std::uint64_t clint = leader.mem_addr - TRAPEZE_CLINT_BASE;
  if (leader.mem_wmask != 0 && clint >= TRAPEZE_CLINT_MTIME_LO_OFFSET && clint < TRAPEZE_CLINT_SIZE) {
    clock_.known = false;
  }
  notice_store(leader);
  uart_.lead(static_cast<std::uint8_t>(leader.mem_rdata));
  hart_.follow(leader.cycle_ex, leader, result.own);
  if (leader.mem_wmask != 0) doubt_latency(leader);
  if constexpr (P.clic) note(finish_clic(leader));
  return complaint;
}

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_LOCKSTEP_FOLLOWING_FOLLOWED_HART_CLINT_H
