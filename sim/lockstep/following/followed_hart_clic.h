// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Following a leader with a CLIC: wires cycle by cycle, and what the leader was free to take.
 *
 * The cycles are those of hw/irq/clic/README.md: what is sampled, written or claimed in a cycle is in the controller's
 * registers from the next one on, and the offer is what these say. Platform lines are known to the cycle. The wires of
 * the standard interrupts are unknown for some cycles around a change.
 */
#ifndef TRAPEZE_SIM_LOCKSTEP_FOLLOWING_FOLLOWED_HART_CLIC_H
#define TRAPEZE_SIM_LOCKSTEP_FOLLOWING_FOLLOWED_HART_CLIC_H

#include "kernel/error.h"
#include "lockstep/following/followed_hart.h"
#include "lockstep/following/followed_hart_fast.h"

namespace trapeze::model {

/** Cycles after which a change inside of a device has certainly reached the CLIC. */
constexpr std::uint64_t kWireSettles = 4;

template <Params P>
void FollowedHart<P>::drive_sources(std::uint64_t now) {
  const std::uint64_t mtime = clint_.mtime(now);
  const std::uint64_t compare = clint_.mtimecmp(number_);
  const std::uint64_t apart = mtime >= compare ? mtime - compare : compare - mtime;
  const Tri levels[] = {to_tri(clint_.software(number_)), apart < kTimeSlack ? Tri::kUnknown : to_tri(mtime >= compare),
                        uart_.interrupts_enabled() ? Tri::kUnknown : Tri::kOff};
  for (unsigned n = 0; n < std::size(levels); ++n) {
    if (levels[n] == driven_[n]) continue;
    clic_.doubt(kStandardInterrupts[n], now - 1, levels[n], now + kWireSettles);
    driven_[n] = levels[n];
  }
}

template <Params P>
std::string FollowedHart<P>::enter_like_leader_clic(const tz_follow_claim& claim) {
  Hart<P>& hart = hart_;
  const unsigned id = claim.id;
  const std::string name = "interrupt " + std::to_string(id);
  if (id >= clic_.sources()) return name + " does not exist";
  drive_sources(claim.cycle);
  clic_.advance(claim.cycle);
  const ClicOffer best = clic_.best();
  const ClicOffer offer = clic_.possible(id);
  const std::uint64_t pc = hart.pc();
  const bool on = hart.csr().interrupts_on(hart.mode());
  const bool taken = hart.takes(offer);
  const ClicCsrs csrs = hart.csr().clic();
  // With fastirq, a handler may be interrupted before its address has been fetched.
  const bool in_table = P.fast && claim.epc != pc && hart.table_entry() && *hart.table_entry() == claim.epc;
  clic_.shown(offer);
  hart.enter(offer.valid ? offer : ClicOffer{true, id, claim.level, false}, claim.cycle, in_table);
  if (!offer.valid && best.valid) {
    return name + " was taken where only interrupt " + std::to_string(best.id) + " could be";
  }
  if (!offer.valid) return name + " was taken though it is not pending and enabled";
  if (!on) return name + " was taken with mstatus.MIE clear";
  if (!taken) {
    return name + " of level " + std::to_string(offer.level) + " was taken at level " + std::to_string(csrs.level) +
           " with threshold " + std::to_string(csrs.threshold);
  }
  if (offer.level != claim.level) {
    return name + " was taken at level " + std::to_string(claim.level) + " instead of " + std::to_string(offer.level);
  }
  if (!in_table && claim.epc != pc) return name + " interrupted " + hex(claim.epc) + " instead of " + hex(pc);
  return {};
}

template <Params P>
std::string FollowedHart<P>::prepare_clic(const tz_follow_args& args) {
  const tz_retire& leader = *args.leader;
  Hart<P>& hart = hart_;
  hart.start_following();
  for (std::size_t i = 0; i < args.num_changes; ++i) {
    const tz_line_change& change = args.changes[i];
    const unsigned id = platform_.line_id_base + change.line;
    Tri level = to_tri(change.level != 0);
    if (change.line == latency_line_) {
      latency_host_ = change.level != 0;
      if (latency_doubted_ && !latency_host_) level = Tri::kUnknown;
      if (!latency_doubted_ && change.cycle <= latency_settles_) {
        clic_.doubt(id, change.cycle, level, latency_settles_ + 1);
        continue;
      }
    }
    clic_.drive_later(id, level, change.cycle);
  }
  std::string complaint;
  for (std::size_t i = 0; i < args.num_claims && complaint.empty(); ++i) {
    if (args.claims[i].chained == 0) complaint = enter_like_leader_clic(args.claims[i]);
  }
  if constexpr (P.fast) {
    if (complaint.empty()) complaint = prepare_emret(args);
    if (complaint.empty()) complaint = check_frame_faults(leader);
  }
  if (!complaint.empty()) return complaint;
  drive_sources(leader.cycle_ex);
  clic_.advance(leader.cycle_ex);
  const ClicOffer due = clic_.best();
  if (!hart.takes(due)) {
    overdue_ = 0;
  } else if (!clic_.blank(leader.cycle_ex) && ++overdue_ > kPatience) {
    return "interrupt " + std::to_string(due.id) + " of level " + std::to_string(due.level) +
           " is due and was not taken for " + std::to_string(overdue_) + " instructions";
  }
  return {};
}

template <Params P>
std::string FollowedHart<P>::finish_clic(const tz_retire& leader) {
  const std::uint64_t clint = leader.mem_addr - TRAPEZE_CLINT_BASE;
  if (leader.mem_wmask != 0 && clint >= TRAPEZE_CLINT_MTIMECMP_LO_OFFSET && clint < TRAPEZE_CLINT_SIZE) {
    // The timer's wire goes low for a cycle, whatever is written.
    clic_.doubt(kTimerInterrupt, leader.cycle_ex, Tri::kUnknown, 0);
    driven_[1] = Tri::kUnknown;
  }
  drive_sources(leader.cycle_ex);
  const std::uint64_t offset = leader.mem_addr - TRAPEZE_CLIC_BASE;
  const unsigned lane = leader.mem_addr % 4;
  const unsigned enables = unsigned{leader.mem_rmask} << lane;
  if (leader.mem_rmask == 0 || enables > 0xf || offset >= TRAPEZE_CLIC_SIZE) return {};
  const auto value = static_cast<std::uint32_t>(leader.mem_rdata) << (8 * lane);
  return clic_.check_read(static_cast<std::uint32_t>(offset) & ~3U, enables, value);
}

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_LOCKSTEP_FOLLOWING_FOLLOWED_HART_CLIC_H
