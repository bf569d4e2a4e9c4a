// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Following a leader with a CLINT: which interrupts it may see pending, and which it must.
#include <bit>
#include <utility>

#include "kernel/error.h"
#include "lockstep/following/followed_hart.h"
#include "model/isa/priority.h"

namespace trapeze::following {

std::string FollowedHart::enter_like_leader(const Claim& claim) {
  const unsigned id = claim.id;
  const std::string name = "interrupt " + std::to_string(id);
  if (id >= reference_.info().xlen) return name + " does not exist";
  const std::uint64_t bit = std::uint64_t{1} << id;
  const std::uint64_t all = pending(claim.lines, claim.cycle);
  const std::uint64_t enabled = reference_.csr(isa::csr::kMie);
  const bool on = reference_.interrupts_on();
  const std::uint64_t pc = reference_.pc();
  reference_.enter(id, false);
  if (!on) return name + " was taken with mstatus.MIE clear";
  if ((enabled & bit) == 0) return name + " was taken though its bit of mie is clear";
  if ((all & bit) == 0) return name + " was taken though it is not pending";
  const int best = model::most_important(all & enabled);
  if (best != static_cast<int>(id)) return name + " was taken before interrupt " + std::to_string(best);
  if (claim.epc != pc) return name + " interrupted " + hex(claim.epc) + " instead of " + hex(pc);
  return {};
}

/** The interrupts of `pending` that are to be taken before the reference's next instruction. */
std::uint64_t FollowedHart::due_clint(std::uint64_t pending) const {
  return pending != 0 && reference_.interrupts_on() ? pending & reference_.csr(isa::csr::kMie) : 0;
}

std::string FollowedHart::check_patience(std::uint64_t pending) {
  const std::uint64_t due = due_clint(pending);
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
    if (std::string text = debugger_.apply(reference_, claim.cycle); complaint.empty()) complaint = std::move(text);
    std::string text = enter_like_leader(claim);
    if (complaint.empty()) complaint = std::move(text);
  }
  if (std::string text = debugger_.apply(reference_); complaint.empty()) complaint = std::move(text);
  choices.mip = pending(step.lines, leader.cycle_ex);
  std::uint64_t steady = choices.mip & std::exchange(last_pending_, choices.mip);
  if (debugger_.masks_interrupts()) steady = 0;
  if (std::string text = check_patience(steady); complaint.empty()) complaint = std::move(text);
  return complaint;
}

}  // namespace trapeze::following
