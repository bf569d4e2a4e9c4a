// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Following a leader with a CLIC: wires cycle by cycle, and what the leader was free to take, claim and go on to.
//
// The cycles are those of hw/irq/clic/README.md: what is sampled, written or claimed in a cycle is in the controller's
// registers from the next one on, and the offer is what these say. Platform lines are known to the cycle. The wires of
// the standard interrupts are unknown for some cycles around a change.
#include <trapeze/clint.h>

#include <algorithm>

#include "kernel/error.h"
#include "kernel/handlers.h"
#include "lockstep/following/followed_hart.h"
#include "model/isa/params.h"

namespace trapeze::following {
namespace {

using model::kMachine;

/** Cycles after which a change inside of a device has certainly reached the CLIC. */
constexpr std::uint64_t kWireSettles = 4;
/** Cycles for which an interrupt has to be offered before emret must go on to it. */
constexpr std::uint64_t kChainSettles = 2;
/** The standard interrupts. */
constexpr unsigned kStandard[] = {model::kSoftwareInterrupt, model::kTimerInterrupt, model::kExternalInterrupt};
constexpr std::size_t kSoftwareWire = 0, kTimerWire = 1;  ///< of kStandard

/** mpil of an mcause. */
constexpr unsigned previous_level(std::uint64_t cause) {
  return static_cast<unsigned>(cause >> isa::mcause::kMpil) & 0xffU;
}

}  // namespace

unsigned FollowedHart::level() const {
  return static_cast<unsigned>(reference_.csr(isa::csr::kMintstatus) >> isa::mintstatus::kMil) & 0xffU;
}

unsigned FollowedHart::threshold() const {
  return static_cast<unsigned>(reference_.csr(isa::csr::kMintthresh));
}

bool FollowedHart::takes(const ClicOffer& offer) const {
  if (!offer.valid || !reference_.interrupts_on()) return false;
  return reference_.mode() != kMachine ? offer.level != 0 : offer.level > std::max(level(), threshold());
}

void FollowedHart::drive_sources(std::uint64_t now) {
  const model::Clint& clint = devices_.clint;
  const std::uint64_t mtime = clint.mtime(now);
  const std::uint64_t compare = clint.mtimecmp(number_);
  const std::uint64_t apart = mtime >= compare ? mtime - compare : compare - mtime;
  const Tri levels[] = {to_tri(clint.software(number_)), apart < kTimeSlack ? Tri::kUnknown : to_tri(mtime >= compare),
                        devices_.uart.interrupts_enabled() ? Tri::kUnknown : Tri::kOff};
  for (std::size_t n = 0; n < std::size(levels); ++n) drive_source(n, levels[n], now);
  driven_at_ = now;
}

void FollowedHart::drive_source(std::size_t wire, Tri level, std::uint64_t now) {
  if (level == driven_[wire]) return;
  clic_->doubt(kStandard[wire], now - 1, level, now + kWireSettles);
  driven_[wire] = level;
}

void FollowedHart::notice_clint_store(std::uint64_t offset, std::uint64_t now) {
  // Nothing else is driven: this hart has not come to `now` yet, and may have claimed a timer interrupt before.
  drive_source(kSoftwareWire, to_tri(devices_.clint.software(number_)), now);
  if (offset < TRAPEZE_CLINT_MTIMECMP_LO_OFFSET) return;
  clic_->doubt(kStandard[kTimerWire], driven_at_, Tri::kUnknown, 0);
  driven_[kTimerWire] = Tri::kUnknown;
}

std::string FollowedHart::enter_like_leader_clic(const Claim& claim) {
  const unsigned id = claim.id;
  const std::string name = "interrupt " + std::to_string(id);
  if (id >= clic_->sources()) return name + " does not exist";
  drive_sources(claim.cycle);
  clic_->advance(claim.cycle);
  const ClicOffer best = clic_->best();
  const ClicOffer offer = clic_->possible(id);
  const std::uint64_t pc = reference_.pc();
  const bool on = reference_.interrupts_on();
  const bool taken = takes(offer);
  const unsigned from_level = level();
  const unsigned from_threshold = threshold();
  // With fastirq, a handler may be interrupted before its address has been fetched.
  const bool in_table = reference_.is_fast() && claim.epc != pc && table_entry_ == claim.epc;
  clic_->shown(offer);
  const tz_entry entry = reference_.enter(id, in_table);
  table_entry_ = entry.vectored != 0 ? std::optional(entry.table_entry) : std::nullopt;
  const std::string refusal = frames_ ? frames_->entered(entry) : std::string{};
  if (offer.valid && offer.vectored) clic_->claim(id, claim.cycle);
  if (!offer.valid && best.valid) {
    return name + " was taken where only interrupt " + std::to_string(best.id) + " could be";
  }
  if (!offer.valid) return name + " was taken though it is not pending and enabled";
  if (!on) return name + " was taken with mstatus.MIE clear";
  if (!taken) {
    return name + " of level " + std::to_string(offer.level) + " was taken at level " + std::to_string(from_level) +
           " with threshold " + std::to_string(from_threshold);
  }
  if (offer.level != claim.level) {
    return name + " was taken at level " + std::to_string(claim.level) + " instead of " + std::to_string(offer.level);
  }
  if (!in_table && claim.epc != pc) return name + " interrupted " + hex(claim.epc) + " instead of " + hex(pc);
  return refusal;
}

std::string FollowedHart::prepare_clic(const Step& step, tz_choices& choices) {
  const tz_retire& leader = step.leader;
  claims_ = {};
  for (const LineChange& change : step.changes) {
    const unsigned id = line_id_base_ + change.line;
    Tri level = to_tri(change.level != 0);
    if (change.line == latency_line_) {
      latency_host_ = change.level != 0;
      if (latency_doubted_ && !latency_host_) level = Tri::kUnknown;
      if (!latency_doubted_ && change.cycle <= latency_settles_) {
        clic_->doubt(id, change.cycle, level, latency_settles_ + 1);
        continue;
      }
    }
    clic_->drive_later(id, level, change.cycle);
  }
  std::string complaint;
  for (const Claim& claim : step.claims) {
    if (complaint.empty() && !claim.chained) complaint = enter_like_leader_clic(claim);
  }
  if (frames_) {
    if (complaint.empty()) complaint = prepare_emret(step, choices);
    if (complaint.empty()) complaint = frames_->check_faults(leader);
  }
  return complaint.empty() ? check_due(leader.cycle_ex) : complaint;
}

std::string FollowedHart::check_due(std::uint64_t now) {
  drive_sources(now);
  clic_->advance(now);
  const ClicOffer due = clic_->best();
  if (!takes(due)) {
    overdue_ = 0;
  } else if (!clic_->blank(now) && ++overdue_ > kPatience) {
    return "interrupt " + std::to_string(due.id) + " of level " + std::to_string(due.level) +
           " is due and was not taken for " + std::to_string(overdue_) + " instructions";
  }
  return {};
}

// --- xnxti, jalxnxti

/** What xnxti claims, if it is above `above`. `entry` is what the leader got: the address of a table entry, 0 for
 * nothing, or not known. */
ClicOffer FollowedHart::next_offer(unsigned above, std::optional<std::uint64_t> entry, std::uint64_t now) {
  const unsigned least = std::max(above, threshold());
  const auto qualifies = [&](const ClicOffer& offer) { return offer.valid && !offer.vectored && offer.level > least; };
  // The leader is free where not enough is known; where it was not, the records will differ.
  clic_->advance(now);
  if (!entry) {
    const ClicOffer offered = clic_->seen();
    return qualifies(offered) ? offered : ClicOffer{};
  }
  if (*entry == 0) {
    const std::vector<ClicOffer> all = clic_->candidates();
    if (clic_->blank(now) || !std::all_of(all.begin(), all.end(), qualifies)) return {};
  } else {
    const std::uint64_t id = (*entry - reference_.csr(isa::csr::kMtvt)) / 4;
    const ClicOffer offer = id < clic_->sources() ? clic_->possible(static_cast<unsigned>(id)) : ClicOffer{};
    if (qualifies(offer)) {
      clic_->shown(offer);
      return offer;
    }
  }
  const ClicOffer own = clic_->best();
  return qualifies(own) ? own : ClicOffer{};
}

void FollowedHart::choose_next_interrupt(const tz_retire& leader, tz_choices& choices) {
  if (!is_next_interrupt(leader.insn) || (leader.flags & TZ_RETIRE_TRAP) != 0) return;
  constexpr std::uint64_t kWritten = 0x1f;
  const bool jumps = accessed_csr(leader.insn) == isa::csr::kJalmnxti;
  const bool immediate = ((leader.insn >> 14) & 1U) != 0;
  const unsigned field = (leader.insn >> 15) & 31U;
  const std::uint64_t operand = immediate ? field : reference_.x(field);
  unsigned above = previous_level(reference_.csr(isa::csr::kMcause));
  std::optional<std::uint64_t> entry;
  if (jumps) {
    entry = leader.pc_next == reference_.pc() + 4 ? 0 : leader.pc_next;
  } else {
    if (!immediate && field != 0) above = static_cast<unsigned>(operand >> 16) & 0xffU;
    if (leader.rd != 0) entry = leader.rd_value;
  }
  const ClicOffer offer = next_offer(above, entry, leader.cycle_ex);
  if (!offer.valid) return;
  choices.interrupt = offer.id;
  if (jumps || (operand & kWritten) != 0) claims_ = offer;
}

/** Behind the instruction: what it has claimed is no longer pending. */
void FollowedHart::finish_claim(const tz_retire& leader, tz_effects& effects) {
  tz_retire& own = effects.record;
  const bool chained = effects.chained != TZ_NO_INTERRUPT;
  if (own.insn == kEmret ? chained && claims_.vectored : (own.flags & TZ_RETIRE_TRAP) == 0 && claims_.valid) {
    clic_->claim(claims_.id, leader.cycle_ex);
  }
  if (!chained || leader.irq_id != effects.chained) return;
  // An emret that is the first instruction of a handler has one name for two interrupts: the leader may have either.
  own.irq_id = static_cast<std::uint16_t>(effects.chained);
  own.irq_level = static_cast<std::uint8_t>(effects.level);
}

std::string FollowedHart::finish_clic(const tz_retire& leader) {
  const std::uint64_t clint = leader.mem_addr - TRAPEZE_CLINT_BASE;
  if (leader.mem_wmask != 0 && clint >= TRAPEZE_CLINT_MTIMECMP_LO_OFFSET && clint < TRAPEZE_CLINT_SIZE) {
    // The timer's wire goes low for a cycle, whatever is written.
    clic_->doubt(kStandard[kTimerWire], leader.cycle_ex, Tri::kUnknown, 0);
    driven_[kTimerWire] = Tri::kUnknown;
  }
  drive_sources(leader.cycle_ex);
  const std::uint64_t offset = leader.mem_addr - TRAPEZE_CLIC_BASE;
  const unsigned lane = leader.mem_addr % 4;
  const unsigned enables = unsigned{leader.mem_rmask} << lane;
  if (leader.mem_rmask == 0 || enables > 0xf || offset >= TRAPEZE_CLIC_SIZE) return {};
  const auto value = static_cast<std::uint32_t>(leader.mem_rdata) << (8 * lane);
  return clic_->check_read(static_cast<std::uint32_t>(offset) & ~3U, enables, value);
}

// --- emret

std::string FollowedHart::chain_like_leader(const Claim& claim, unsigned above, tz_choices& choices) {
  const unsigned id = claim.id;
  const std::string name = "interrupt " + std::to_string(id);
  choices.interrupt = id;
  if (id >= clic_->sources()) return name + " does not exist";
  drive_sources(claim.cycle);
  clic_->advance(claim.cycle);
  const ClicOffer best = clic_->best();
  const ClicOffer offer = clic_->possible(id);
  if (!offer.valid && best.valid) {
    return "emret went on to " + name + " where only interrupt " + std::to_string(best.id) + " could be";
  }
  if (!offer.valid) return "emret went on to " + name + " though it is not pending and enabled";
  clic_->shown(offer);
  claims_ = offer;
  const unsigned least = threshold();
  if (offer.level <= std::max(above, least)) {
    return "emret went on to " + name + " of level " + std::to_string(offer.level) + " though it returns to level " +
           std::to_string(above) + ", with threshold " + std::to_string(least);
  }
  if (offer.level != claim.level) {
    return name + " was taken at level " + std::to_string(claim.level) + " instead of " + std::to_string(offer.level);
  }
  const std::uint64_t epc = reference_.code_address(frames_->epc().value_or(0));
  if (claim.epc != epc) return name + " interrupted " + hex(claim.epc) + " instead of " + hex(epc);
  return {};
}

std::string FollowedHart::prepare_emret(const Step& step, tz_choices& choices) {
  const tz_retire& leader = step.leader;
  if (leader.insn != kEmret || (leader.flags & TZ_RETIRE_TRAP) != 0) return {};
  const auto cause = frames_->cause();
  if (!cause) return {};
  if (std::string refusal = frames_->check_load(); !refusal.empty()) return refusal;
  const unsigned above = previous_level(*cause);
  if (!step.claims.empty() && step.claims.back().chained) return chain_like_leader(step.claims.back(), above, choices);

  // What has been offered for some cycles cannot have been overlooked.
  const unsigned least = std::max(above, threshold());
  const auto qualifies = [&](const ClicOffer& offer) { return offer.valid && offer.level > least; };
  drive_sources(leader.cycle_ex);
  clic_->advance(leader.cycle_ex - std::min(leader.cycle_ex, kChainSettles));
  const ClicOffer before = clic_->best();
  clic_->advance(leader.cycle_ex);
  const ClicOffer now = clic_->best();
  bool hidden = false;
  for (std::uint64_t back = 0; back <= kChainSettles; ++back) hidden |= clic_->blank(leader.cycle_ex - back);
  if (hidden || !qualifies(before) || !qualifies(now)) return {};
  return "emret returned though interrupt " + std::to_string(now.id) + " of level " + std::to_string(now.level) +
         " is due";
}

}  // namespace trapeze::following
