// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Following a leader with fastirq: what its emret goes on to, and when the exceptions for frames come.
 *
 * The source is docs/fastirq.md. When frames leave, and which are still in a bank, depends on the leader alone and is
 * not judged; the exception for a frame that cannot be stored has to come before long.
 */
#ifndef TRAPEZE_SIM_LOCKSTEP_FOLLOWING_FOLLOWED_HART_FAST_H
#define TRAPEZE_SIM_LOCKSTEP_FOLLOWING_FOLLOWED_HART_FAST_H

#include <algorithm>

#include "kernel/error.h"
#include "lockstep/following/followed_hart.h"

namespace trapeze::model {

/** Cycles for which an interrupt has to be offered before emret must go on to it. */
constexpr std::uint64_t kChainSettles = 2;
/** Instructions until the exception for a frame that cannot be stored has to come, not counting those before which it
 * may not: words wait for a bus that others use, with wait states. */
constexpr unsigned kFramePatience = 400;
/** The same for a frame that was left, whose words do not leave any more. */
constexpr unsigned kGonePatience = 24;

template <Params P>
std::string FollowedHart<P>::chain_like_leader(const tz_follow_claim& claim, unsigned above) {
  Hart<P>& hart = hart_;
  const unsigned id = claim.id;
  const std::string name = "interrupt " + std::to_string(id);
  hart.lead_chain({true, id, claim.level, false});
  if (id >= clic_.sources()) return name + " does not exist";
  drive_sources(claim.cycle);
  clic_.advance(claim.cycle);
  const ClicOffer best = clic_.best();
  const ClicOffer offer = clic_.possible(id);
  if (!offer.valid && best.valid) {
    return "emret went on to " + name + " where only interrupt " + std::to_string(best.id) + " could be";
  }
  if (!offer.valid) return "emret went on to " + name + " though it is not pending and enabled";
  clic_.shown(offer);
  hart.lead_chain(offer);
  const unsigned threshold = hart.csr().clic().threshold;
  if (offer.level <= std::max(above, threshold)) {
    return "emret went on to " + name + " of level " + std::to_string(offer.level) + " though it returns to level " +
           std::to_string(above) + ", with threshold " + std::to_string(threshold);
  }
  if (offer.level != claim.level) {
    return name + " was taken at level " + std::to_string(claim.level) + " instead of " + std::to_string(offer.level);
  }
  const std::uint64_t epc = hart.frame_epc().value_or(0) & ~Word{P.c ? 1U : 3U};
  if (claim.epc != epc) return name + " interrupted " + hex(claim.epc) + " instead of " + hex(epc);
  return {};
}

template <Params P>
std::string FollowedHart<P>::prepare_emret(const tz_follow_args& args) {
  const tz_retire& leader = *args.leader;
  Hart<P>& hart = hart_;
  hart.lead_chain({});
  const bool chains = args.num_claims != 0 && args.claims[args.num_claims - 1].chained != 0;
  if (leader.insn != kEmret || (leader.flags & TZ_RETIRE_TRAP) != 0) return {};
  const auto cause = hart.frame_cause();
  if (!cause) return {};
  const unsigned above = (*cause >> ClicCsrs::kMpil) & 0xffU;
  if (chains) return chain_like_leader(args.claims[args.num_claims - 1], above);

  // What has been offered for some cycles cannot have been overlooked.
  const auto qualifies = [&](const ClicOffer& offer) {
    return offer.valid && offer.level > above && offer.level > hart.csr().clic().threshold;
  };
  drive_sources(leader.cycle_ex);
  clic_.advance(leader.cycle_ex - std::min(leader.cycle_ex, kChainSettles));
  const ClicOffer before = clic_.best();
  clic_.advance(leader.cycle_ex);
  const ClicOffer now = clic_.best();
  bool hidden = false;
  for (std::uint64_t back = 0; back <= kChainSettles; ++back) hidden |= clic_.blank(leader.cycle_ex - back);
  if (hidden || !qualifies(before) || !qualifies(now)) return {};
  return "emret returned though interrupt " + std::to_string(now.id) + " of level " + std::to_string(now.level) +
         " is due";
}

template <Params P>
std::string FollowedHart<P>::check_frame_faults(const tz_retire& leader) {
  Hart<P>& hart = hart_;
  std::vector<FrameFault>& faults = hart.frames().faults;
  const bool held = hart.frame_faults_held();
  if ((leader.flags & TZ_RETIRE_TRAP) != 0 && leader.cause == kFrameStoreFault) {
    if (faults.empty()) return "exception 24 was raised though every frame can be stored";
    if (held) return "exception 24 was raised where it has to wait for the end of a handler";
  }
  if (held) return {};
  for (FrameFault& fault : faults) {
    if (++fault.age > kFramePatience && fault.certain) {
      return "the word at " + hex(fault.address) +
             " of a frame cannot be stored, and exception 24 was not raised for " + std::to_string(kFramePatience) +
             " instructions";
    }
  }
  std::erase_if(faults,
                [](const FrameFault& fault) { return fault.age > (fault.certain ? kFramePatience : kGonePatience); });
  return {};
}

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_LOCKSTEP_FOLLOWING_FOLLOWED_HART_FAST_H
