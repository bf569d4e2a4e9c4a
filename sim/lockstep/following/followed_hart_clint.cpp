// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Following a leader with a CLINT: which interrupts it may see pending, and which it must.
#include <bit>
#include <utility>

#include "kernel/error.h"
#include "kernel/handlers.h"
#include "lockstep/following/followed_hart.h"
#include "model/isa/priority.h"

namespace trapeze::following {

using model::kMachine;
using model::kSoftwareInterrupt;
using model::kTimerInterrupt;

FollowedHart::Pending FollowedHart::judge(std::uint64_t lines, std::uint64_t time) const {
  const model::Clint& clint = devices_.clint;
  Pending result;
  result.sure = result.maybe = lines << line_id_base_;
  // What another hart has written is on its way for a while.
  const bool arrived = !software_written_ || time >= *software_written_ + kTimeSlack;
  if (clint.software(number_) || !arrived) result.maybe |= 1U << kSoftwareInterrupt;
  if (clint.software(number_) && arrived) result.sure |= 1U << kSoftwareInterrupt;
  const std::uint64_t mtime = clint.mtime(time);
  const std::uint64_t compare = clint.mtimecmp(number_);
  // A write to mtimecmp or mtime turns the interrupt off until the comparison has been made again.
  const bool settled = time - timer_written_ >= kTimeSlack;
  if (settled && mtime >= compare && mtime - compare >= kTimeSlack) result.sure |= 1U << kTimerInterrupt;
  if (mtime >= compare || compare - mtime <= kTimeSlack) result.maybe |= 1U << kTimerInterrupt;
  if (devices_.uart.interrupts_enabled()) result.maybe |= 1U << model::kExternalInterrupt;
  if (latency_doubted_ || time <= latency_settles_) result.maybe |= std::uint64_t{1} << (line_id_base_ + latency_line_);
  return result;
}

std::string FollowedHart::enter_like_leader(const Claim& claim) {
  const unsigned id = claim.id;
  const std::string name = "interrupt " + std::to_string(id);
  if (id >= reference_.info().xlen) return name + " does not exist";
  const std::uint64_t bit = std::uint64_t{1} << id;
  Pending pending = judge(claim.lines, claim.cycle);
  // What the last instructions did to a device may or may not have been seen.
  const std::uint64_t devices = ~(~std::uint64_t{0} << line_id_base_);
  pending.maybe |= last_pending_.maybe & devices;
  pending.sure &= last_pending_.sure | ~devices;
  const std::uint64_t enabled = reference_.csr(isa::csr::kMie);
  const bool on = reference_.interrupts_on();
  const std::uint64_t pc = reference_.pc();
  reference_.enter(id, false);
  if (!on) return name + " was taken with mstatus.MIE clear";
  if ((enabled & bit) == 0) return name + " was taken though its bit of mie is clear";
  if ((pending.maybe & bit) == 0) return name + " was taken though it is not pending";
  const int best = model::most_important((pending.sure & enabled) | bit);
  if (best != static_cast<int>(id)) return name + " was taken before interrupt " + std::to_string(best);
  if (claim.epc != pc) return name + " interrupted " + hex(claim.epc) + " instead of " + hex(pc);
  return {};
}

std::string FollowedHart::check_patience(std::uint64_t sure) {
  const std::uint64_t due = sure != 0 && reference_.interrupts_on() ? sure & reference_.csr(isa::csr::kMie) : 0;
  const std::uint64_t counted = std::exchange(due_, due);
  for (std::uint64_t left = due | counted; left != 0; left &= left - 1) {
    const auto id = static_cast<unsigned>(std::countr_zero(left));
    missed_[id] = ((due >> id) & 1U) != 0 ? missed_[id] + 1 : 0;
    if (missed_[id] > kPatience) {
      return "interrupt " + std::to_string(id) + " is pending and enabled and was not taken for " +
             std::to_string(missed_[id]) + " instructions";
    }
  }
  return {};
}

std::string FollowedHart::prepare_clint(const Step& step, tz_choices& choices) {
  const tz_retire& leader = step.leader;
  std::string complaint;
  for (const Claim& claim : step.claims) {
    std::string text = enter_like_leader(claim);
    if (complaint.empty()) complaint = std::move(text);
  }
  const Pending current = judge(step.lines_sure, leader.cycle_ex);
  const Pending steady = {current.sure & last_pending_.sure, current.maybe | last_pending_.maybe};
  last_pending_ = current;
  choices.mip = steady.sure;
  if (std::string text = check_patience(steady.sure); complaint.empty()) complaint = std::move(text);
  if (accessed_csr(leader.insn) != isa::csr::kMip || leader.rd == 0 || (leader.flags & TZ_RETIRE_TRAP) != 0) {
    return complaint;
  }
  choices.mip = leader.rd_value;
  if (std::string text = check_mip(leader, steady); complaint.empty()) complaint = std::move(text);
  return complaint;
}

std::string FollowedHart::check_mip(const tz_retire& leader, const Pending& pending) const {
  // Lines may have changed since they were certain; standard interrupts are known better.
  const std::uint64_t lines = ~std::uint64_t{0} << line_id_base_;
  if ((leader.rd_value & ~(pending.maybe | lines)) == 0 && (pending.sure & ~leader.rd_value) == 0) return {};
  return "mip reads " + hex(leader.rd_value) + "; certain are " + hex(pending.sure) + ", possible " +
         hex(pending.maybe | lines);
}

}  // namespace trapeze::following
