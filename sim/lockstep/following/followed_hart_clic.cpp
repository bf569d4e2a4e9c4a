// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Following a leader with a CLIC: the wires cycle by cycle, and which interrupts the leader was free to take, to claim
// by xnxti, and to chain.
//
// Source of the timing: hw/irq/clic/README.md. What is sampled, written or claimed in a cycle is in the controller's
// registers from the next cycle on, and the offer depends on these. The level of each wire is known in every cycle.
#include <trapeze/map.h>

#include <algorithm>
#include <bit>

#include "kernel/error.h"
#include "kernel/handlers.h"
#include "lockstep/following/followed_hart.h"
#include "model/isa/params.h"
#include "model/memory/device.h"

namespace trapeze::following {
namespace {

using model::kMachine;
using model::kUser;

/** An emret must chain an interrupt that has been offered for so many cycles. */
constexpr std::uint64_t kChainSettles = 2;
/** The part of an access in one bus word. */
struct WordAccess {
  std::uint32_t offset;  ///< offset of the word in the region
  unsigned enables;      ///< bytes of the word that are accessed, as bits
  unsigned lane;         ///< number of the first of these bytes
  unsigned done;         ///< bytes of the access in words before this one
  std::uint64_t cycle;
  unsigned region;  ///< privilege whose view of the controller is accessed

  /** The bytes of this word, in place, from the value of the whole access; and back. */
  std::uint32_t place(std::uint64_t value) const {
    return static_cast<std::uint32_t>(value >> (8 * done)) << (8 * lane);
  }
  std::uint64_t part(std::uint32_t word) const {
    return std::uint64_t{(word & model::lane_mask(enables)) >> (8 * lane)} << (8 * done);
  }
};

/** A view of the CLIC, and what is at an address in it. */
struct Place {
  std::uint32_t offset;
  unsigned region;
};

/** The view and the offset of an address in the CLIC; nothing: the address is not in it. */
std::optional<Place> place_in_clic(std::uint64_t address) {
  if (address - TRAPEZE_CLIC_BASE < TRAPEZE_CLIC_SIZE) {
    return Place{static_cast<std::uint32_t>(address - TRAPEZE_CLIC_BASE), kMachine};
  }
  if (address - TRAPEZE_CLIC_USER_BASE < TRAPEZE_CLIC_USER_SIZE) {
    return Place{static_cast<std::uint32_t>(address - TRAPEZE_CLIC_USER_BASE), kUser};
  }
  return std::nullopt;
}

/** Calls `body` for each word in a CLIC of the leader's access to the bytes `mask`, in the order of their grants. */
template <typename Body>
void for_each_clic_word(const tz_retire& leader, std::uint64_t address, unsigned mask, Body&& body) {
  for (unsigned done = 0; (mask >> done) != 0;) {
    const unsigned lane = (address + done) % 4;
    const unsigned bytes = std::min(4 - lane, static_cast<unsigned>(std::bit_width(mask >> done)));
    const std::uint64_t cycle =
        done != 0 && leader.cycle_mem2 != 0 ? leader.cycle_mem2 : FollowedHart::cycle_of(leader);
    if (const auto place = place_in_clic(address + done - lane)) {
      body(WordAccess{place->offset, ((1U << bytes) - 1) << lane, lane, done, cycle, place->region});
    }
    done += bytes;
  }
}

/** mpil of an mcause, which is where upil is in an ucause. */
constexpr unsigned previous_level(std::uint64_t cause) {
  static_assert(isa::mcause::kMpil == isa::ucause::kUpil);
  return static_cast<unsigned>(cause >> isa::mcause::kMpil) & 0xffU;
}

}  // namespace

unsigned FollowedHart::level(unsigned privilege) const {
  const unsigned field = privilege == kMachine ? isa::mintstatus::kMil : isa::mintstatus::kUil;
  return static_cast<unsigned>(reference_.csr(isa::csr::kMintstatus) >> field) & 0xffU;
}

unsigned FollowedHart::threshold(unsigned privilege) const {
  return static_cast<unsigned>(reference_.csr(privilege == kMachine ? isa::csr::kMintthresh : isa::csr::kUintthresh));
}

bool FollowedHart::takes(const ClicOffer& offer) const {
  const unsigned mode = reference_.mode();
  if (!offer.valid || offer.privilege < mode) return false;
  if (offer.privilege > mode) return offer.level != 0;
  return reference_.own_interrupts_on(mode) && offer.level > std::max(level(mode), threshold(mode));
}

/** Whether the leader may be at another level of user mode, or have another ustatus.UIE, than the reference. */
bool FollowedHart::context_is_open() const {
  return reference_.mode() == kUser && frames_ && frames_->user_context_is_open();
}

/** The interrupt that is certainly to be taken before the reference's next instruction. */
std::optional<unsigned> FollowedHart::due_clic() const {
  const ClicOffer due = clic_->best();
  const ClicOffer seen = clic_->seen();
  return takes(due) && takes(seen) && seen.id == due.id && !(due.privilege == kUser && context_is_open())
             ? std::optional<unsigned>(due.id)
             : std::nullopt;
}

/** Applies the changes up to `until` of the line that the latency measurement shares with the host. */
void FollowedHart::drive_latency_line(std::uint64_t until) {
  const auto comes = [until](const std::deque<LineChange>& changes) {
    return !changes.empty() && changes.front().cycle < until;
  };
  while (comes(line_host_) || comes(line_device_)) {
    const bool host =
        comes(line_host_) && (!comes(line_device_) || line_host_.front().cycle <= line_device_.front().cycle);
    std::deque<LineChange>& first = host ? line_host_ : line_device_;
    (host ? host_level_ : device_level_) = first.front().level != 0;
    clic_->drive_later(line_id_base_ + latency_line_, host_level_ || device_level_, first.front().cycle);
    first.pop_front();
  }
}

/** What the leader's load reads from the CLIC. If that is not known: the value that the leader read. */
std::uint64_t FollowedHart::load_clic(const tz_retire& leader) {
  std::uint64_t value = 0;
  std::uint64_t known = 0;
  for_each_clic_word(leader, leader.mem_addr, leader.mem_rmask, [&](const WordAccess& word) {
    const auto read = clic_->read(word.offset, word.enables, word.cycle, word.region);
    if (!read) return;
    value |= word.part(*read);
    known |= word.part(~0U);
  });
  return (leader.mem_rdata & ~known) | value;
}

void FollowedHart::store_clic(const tz_retire& leader, const tz_retire& own) {
  for_each_clic_word(leader, own.mem_addr, own.mem_wmask, [&](const WordAccess& word) {
    clic_->write(word.offset, word.enables, word.place(own.mem_wdata), word.cycle, word.region);
  });
}

std::string FollowedHart::enter_like_leader_clic(const Claim& claim) {
  const unsigned id = claim.id;
  const std::string name = "interrupt " + std::to_string(id);
  if (id >= clic_->sources()) return name + " does not exist";
  clic_->advance(claim.cycle);
  const ClicOffer best = clic_->best();
  const ClicOffer offer = clic_->possible(id);
  const std::uint64_t pc = reference_.pc();
  const unsigned mode = reference_.mode();
  const bool own = offer.privilege == mode;
  const bool open = own && context_is_open();
  const bool on = !own || open || reference_.own_interrupts_on(mode);
  const bool taken = open ? offer.level > threshold(mode) : takes(offer);
  const unsigned from_level = level(offer.privilege);
  const unsigned from_threshold = threshold(offer.privilege);
  // A handler may be interrupted before its address has been fetched: with fastirq, and if it is user mode's handler.
  const bool early = reference_.is_fast() || reference_.has_user_interrupts();
  const bool in_table = early && claim.epc != pc && table_entry_ == claim.epc;
  clic_->shown(offer);
  const tz_entry entry = reference_.enter(id, in_table);
  table_entry_ = entry.vectored != 0 ? std::optional(entry.table_entry) : std::nullopt;
  const std::string refusal = frames_ ? frames_->entered(entry, offer.privilege) : std::string{};
  if (offer.valid && offer.vectored) clic_->claim(id, claim.cycle);
  if (!offer.valid && best.valid) {
    return name + " was taken where only interrupt " + std::to_string(best.id) + " could be";
  }
  if (!offer.valid) return name + " was taken though it is not pending and enabled";
  if (offer.privilege < mode) return name + " of user mode was taken in machine mode";
  if (!on) return name + " was taken with " + (mode == kMachine ? "mstatus.MIE" : "ustatus.UIE") + " clear";
  if (!taken) {
    return name + " of level " + std::to_string(offer.level) + " was taken at level " + std::to_string(from_level) +
           " with threshold " + std::to_string(from_threshold);
  }
  if (offer.level != claim.level) {
    return name + " was taken at level " + std::to_string(claim.level) + " instead of " + std::to_string(offer.level);
  }
  if (entry.refused != 0) return name + " was taken though user mode may not store its frame";
  if (!in_table && claim.epc != pc) return name + " interrupted " + hex(claim.epc) + " instead of " + hex(pc);
  return refusal;
}

std::string FollowedHart::prepare_clic(const Step& step, tz_choices& choices) {
  const tz_retire& leader = step.leader;
  claims_ = {};
  for (const LineChange& change : step.changes) {
    if (change.line == latency_line_) {
      line_host_.push_back(change);
    } else {
      clic_->drive_later(line_id_base_ + change.line, change.level != 0, change.cycle);
    }
  }
  drive_latency_line(cycle_of(leader));
  std::string complaint;
  for (const Claim& claim : step.claims) {
    if (!complaint.empty() || claim.chained) continue;
    if (posts_) complaint = posts_->advance(claim.cycle);
    if (std::string text = debugger_.apply(reference_, claim.cycle); complaint.empty()) complaint = std::move(text);
    if (complaint.empty()) complaint = enter_like_leader_clic(claim);
    if (posts_) posts_->show_requests(claim.cycle);
  }
  if (std::string text = debugger_.apply(reference_); complaint.empty()) complaint = std::move(text);
  if (posts_ && complaint.empty()) complaint = posts_->advance(cycle_of(leader));
  if (frames_) {
    if (complaint.empty()) complaint = refuse_like_leader(leader);
    if (complaint.empty()) complaint = prepare_emret(step, choices);
    if (complaint.empty()) complaint = frames_->check_faults(leader);
  }
  if (debugger_.masks_interrupts()) overdue_ = 0;
  return complaint.empty() && !debugger_.masks_interrupts() ? check_due(cycle_of(leader)) : complaint;
}

std::string FollowedHart::check_due(std::uint64_t now) {
  clic_->advance(now);
  const ClicOffer due = clic_->best();
  if (!takes(due) || (due.privilege == kUser && context_is_open())) {
    overdue_ = 0;
  } else if (takes(clic_->seen()) && ++overdue_ > kPatience) {
    return "interrupt " + std::to_string(due.id) + " of level " + std::to_string(due.level) +
           " is due and was not taken for " + std::to_string(overdue_) + " instructions";
  }
  return {};
}

// --- xnxti, jalxnxti

/** The interrupt that xnxti of `privilege` claims, if its level is above `above`. `entry` is what the leader's xnxti
 * returned: the address of a table entry; 0: no interrupt; nothing: not known. */
ClicOffer FollowedHart::next_offer(unsigned privilege, unsigned above, std::optional<std::uint64_t> entry,
                                   std::uint64_t now) {
  const unsigned least = std::max(above, threshold(privilege));
  const auto qualifies = [&](const ClicOffer& offer) {
    return offer.valid && offer.privilege == privilege && !offer.vectored && offer.level > least;
  };
  // If it is not known what was offered, the leader is free. If the leader has claimed what it was not free to claim,
  // the records will differ.
  clic_->advance(now);
  if (!entry) {
    const ClicOffer offered = clic_->seen();
    return qualifies(offered) ? offered : ClicOffer{};
  }
  if (*entry == 0) {
    const std::vector<ClicOffer> all = clic_->candidates();
    if (!std::all_of(all.begin(), all.end(), qualifies)) return {};
  } else {
    const std::uint64_t table = reference_.csr(privilege == kMachine ? isa::csr::kMtvt : isa::csr::kUtvt);
    const std::uint64_t id = (*entry - table) / 4;
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
  const bool user = accessed_csr(leader.insn) == isa::csr::kUnxti;
  unsigned above = previous_level(reference_.csr(user ? isa::csr::kUcause : isa::csr::kMcause));
  std::optional<std::uint64_t> entry;
  if (jumps) {
    entry = leader.pc_next == reference_.pc() + 4 ? 0 : leader.pc_next;
  } else {
    if (!immediate && field != 0) above = static_cast<unsigned>(operand >> 16) & 0xffU;
    if (leader.rd != 0) entry = leader.rd_value;
  }
  const ClicOffer offer = next_offer(user ? kUser : kMachine, above, entry, leader.cycle_ex);
  if (!offer.valid) return;
  choices.interrupt = offer.id;
  if (jumps || (operand & kWritten) != 0) claims_ = offer;
}

/** After the instruction: the interrupt that it has claimed is no longer pending. */
void FollowedHart::finish_claim(const tz_retire& leader, tz_effects& effects) {
  tz_retire& own = effects.record;
  const bool chained = effects.chained != TZ_NO_INTERRUPT;
  if (leaves_frame(own.insn) ? chained && claims_.vectored : (own.flags & TZ_RETIRE_TRAP) == 0 && claims_.valid) {
    clic_->claim(claims_.id, leader.cycle_ex);
  }
  if (!chained || leader.irq_id != effects.chained) return;
  // If an emret that chains is the first instruction of a handler, its record has one field for two interrupts: the
  // leader may name either.
  own.irq_id = static_cast<std::uint16_t>(effects.chained);
  own.irq_level = static_cast<std::uint8_t>(effects.level);
}

std::string FollowedHart::finish_clic(const tz_retire& leader) {
  const unsigned lane = leader.mem_addr % 4;
  const unsigned enables = unsigned{leader.mem_rmask} << lane;
  const std::optional<Place> place = place_in_clic(leader.mem_addr);
  if (leader.mem_rmask == 0 || enables > 0xf || !place) return {};
  const auto value = static_cast<std::uint32_t>(leader.mem_rdata) << (8 * lane);
  return clic_->check_read(place->offset & ~3U, enables, value, place->region);
}

// --- frames that user mode may not store

/** Exception 24 in the place of a user interrupt whose frame is refused. The leader had no choice. */
std::string FollowedHart::refuse_like_leader(const tz_retire& leader) {
  if (!reference_.has_user_interrupts() || reference_.mode() != kUser || !frames_->may_refuse(leader)) return {};
  // It does not matter which interrupt is claimed, only that its frame was to be saved.
  ClicOffer offer;
  for (std::uint64_t back = 0; back <= kChainSettles && !offer.valid; ++back) {
    clic_->advance(leader.cycle_ex - std::min(leader.cycle_ex, back));
    for (const ClicOffer& one : clic_->candidates()) {
      if (one.valid && one.privilege == kUser && takes(one)) offer = one;
    }
  }
  clic_->advance(leader.cycle_ex);
  if (!offer.valid) return {};
  const bool in_table = leader.pc != reference_.pc() && table_entry_ == leader.pc;
  reference_.enter(offer.id, in_table);
  frames_->refuse();
  return {};
}

// --- emret

std::string FollowedHart::chain_like_leader(const Claim& claim, unsigned above, tz_choices& choices) {
  const unsigned id = claim.id;
  const std::string name = "interrupt " + std::to_string(id);
  const unsigned privilege = reference_.mode();
  const std::string went = privilege == kMachine ? "emret went on to " : "euret went on to ";
  choices.interrupt = id;
  if (id >= clic_->sources()) return name + " does not exist";
  clic_->advance(claim.cycle);
  const ClicOffer best = clic_->best();
  const ClicOffer offer = clic_->possible(id);
  if (!offer.valid && best.valid) {
    return went + name + " where only interrupt " + std::to_string(best.id) + " could be";
  }
  if (!offer.valid) return went + name + " though it is not pending and enabled";
  if (offer.privilege != privilege) return went + name + " of another mode";
  clic_->shown(offer);
  claims_ = offer;
  const unsigned least = threshold(privilege);
  if (offer.level <= std::max(above, least)) {
    return went + name + " of level " + std::to_string(offer.level) + " though it returns to level " +
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
  if (!leaves_frame(leader.insn) || (leader.flags & TZ_RETIRE_TRAP) != 0) return {};
  const unsigned privilege = reference_.mode();
  const bool goes_on = !step.claims.empty() && step.claims.back().chained;
  frames_->find_source(goes_on ? step.claims.back().epc : leader.pc_next);
  const auto cause = frames_->cause();
  if (!cause) return {};
  if (std::string refusal = frames_->check_load(); !refusal.empty()) return refusal;
  const bool open = frames_->cause_is_open();
  if (goes_on && open) frames_->lower_cause(step.claims.back().level);
  const unsigned above = previous_level(open ? frames_->cause().value_or(0) : *cause);
  if (goes_on) return chain_like_leader(step.claims.back(), above, choices);
  if (open || debugger_.masks_interrupts()) return {};

  // An interrupt that has been offered for some cycles: the emret must have seen it.
  const unsigned least = std::max(above, threshold(privilege));
  const auto qualifies = [&](const ClicOffer& offer) {
    return offer.valid && offer.privilege == privilege && offer.level > least;
  };
  clic_->advance(leader.cycle_ex);
  const ClicOffer now = clic_->best();
  bool offered = qualifies(now);
  for (std::uint64_t back = 0; back <= kChainSettles; ++back) {
    clic_->advance(leader.cycle_ex - std::min(leader.cycle_ex, back));
    offered = offered && qualifies(clic_->seen());
  }
  if (!offered) return {};
  return (privilege == kMachine ? "emret" : "euret") + std::string(" returned though interrupt ") +
         std::to_string(now.id) + " of level " + std::to_string(now.level) + " is due";
}

}  // namespace trapeze::following
