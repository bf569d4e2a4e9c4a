// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Members of Hart that exist for a CLIC: entry of handlers, vectoring through the table, xnxti, jalxnxti, scratch
 * swaps.
 *
 * Source: RISC-V Fast Interrupts v0.10. jalxnxti (CSR 0x7ED) is no part of it: `csrrw r, 0x7ED, r` asks as xnxti with a
 * write does; if an interrupt qualifies it is claimed, MIE is set, r is the address of this instruction, and the
 * program goes on at the address in the interrupt's table entry; else nothing happens.
 */
#ifndef TRAPEZE_SIM_MODEL_ISA_HART_CLIC_H
#define TRAPEZE_SIM_MODEL_ISA_HART_CLIC_H

#include <algorithm>
#include <cstring>

#include "model/isa/hart.h"

namespace trapeze::model {

template <Params P>
void Hart<P>::enter(const ClicOffer& offer, std::uint64_t now, bool in_table) {
  // What cannot be fetched has not been fetched either: the return tries again.
  in_table |= no_entry_;
  if (in_table && vectored_) pc_ = *vectored_;
  no_entry_ = false;
  vectored_.reset();
  const unsigned mode = mode_;
  interrupt(offer.id);
  csr_.clic().level = static_cast<std::uint8_t>(offer.level);
  csr_.clic().in_vector = in_table;
  if constexpr (P.fast) {
    if (csr_.fast().enabled()) save_frame(mode, offer.vectored);
  }
  if (!offer.vectored) return;
  clic_->claim(offer.id, now);
  vector(csr_.clic().entry(offer.id));
}

template <Params P>
void Hart<P>::vector(Word entry) {
  vectored_ = entry;
  std::uint32_t target = 0;
  const std::uint8_t* host = bus_.memory(entry, sizeof target);
  if (host == nullptr) {
    no_entry_ = true;
    pc_ = entry;
    return;
  }
  std::memcpy(&target, host, sizeof target);
  pc_ = target & ~Word{P.c ? 1U : 3U};
}

template <Params P>
Executed Hart<P>::no_instruction() {
  entered_ = false;
  if (no_entry_ && !led_to_frame_fault()) {
    no_entry_ = false;
    trap(kFetchFault, pc_, pc_);
    csr_.clic().in_vector = true;
  } else if constexpr (P.fast) {
    trap(kFrameStoreFault, take_frame_fault(), pc_);
    csr_.clic().in_vector = no_entry_;
    no_entry_ = false;
  }
  ++steps_;
  return {1, Leave::kTrap};
}

/** What xnxti claims, if it is above `above`. With a leader, `entry` is what the leader got: the address of a table
 * entry, 0 for nothing, or not known. */
template <Params P>
ClicOffer Hart<P>::next_offer(unsigned above, std::optional<Word> entry, std::uint64_t now) const {
  const auto qualifies = [&](const ClicOffer& offer) {
    return offer.valid && !offer.vectored && offer.level > above && offer.level > csr_.clic().threshold;
  };
  if (leader_ != nullptr) {
    // The leader is free where this model does not know enough; where it was not, the records will differ.
    clic_->advance(now);
    if (clic_->blank(now) && entry && *entry == 0) return {};
    if (entry && *entry != 0) {
      const ClicOffer offer = clic_->possible((*entry - csr_.clic().table) / 4);
      if (qualifies(offer)) {
        clic_->shown(offer);
        return offer;
      }
    } else if (entry) {
      const std::vector<ClicOffer> all = clic_->candidates();
      if (!std::all_of(all.begin(), all.end(), qualifies)) return {};
    } else {
      const ClicOffer offered = clic_->seen();
      return qualifies(offered) ? offered : ClicOffer{};
    }
  }
  const ClicOffer own = clic_->best();
  return qualifies(own) ? own : ClicOffer{};
}

template <Params P>
void Hart<P>::serve(const ClicOffer& offer, std::uint64_t now) {
  csr_.clic().level = static_cast<std::uint8_t>(offer.level);
  csr_.set_mcause(CsrFile<P>::kInterruptBit | static_cast<Word>(offer.id));
  clic_->claim(offer.id, now);
}

template <Params P>
auto Hart<P>::access_clic(const Op& op, unsigned number, std::uint64_t now, Word pc) -> CsrEffect {
  const bool immediate = (op.rs2 & 4U) != 0;
  const unsigned kind = op.rs2 & 3U;  // 1 write, 2 set, 3 clear
  const ClicCsrs& clic = csr_.clic();
  const bool registers = kind == 1 && !immediate && op.rs1 != 0 && op.rd != kDummy;
  switch (number) {
    case kMscratchcsw:
      return registers ? swap_scratch(op, csr_.previous_mode() != mode_) : CsrEffect::kIllegal;
    case kMscratchcswl:
      return registers ? swap_scratch(op, (clic.previous_level == 0) != (clic.level == 0)) : CsrEffect::kIllegal;
    case kJalmnxti:
      return registers && op.rd == op.rs1 ? jump_to_next_interrupt(op, now, pc) : CsrEffect::kIllegal;
    default:
      break;
  }
  constexpr unsigned kReservedBits = 0x15;
  const bool legal = kind == 2 ? !immediate || (op.rs1 & kReservedBits) == 0 : kind == 3 && immediate;
  return legal ? next_interrupt_csr(op, now) : CsrEffect::kIllegal;
}

template <Params P>
auto Hart<P>::swap_scratch(const Op& op, bool is_swap) -> CsrEffect {
  const Word operand = x_[op.rs1];
  x_[op.rd] = is_swap ? csr_.mscratch() : operand;
  if (is_swap) csr_.set_mscratch(operand);
  return CsrEffect::kNone;
}

template <Params P>
auto Hart<P>::next_interrupt_csr(const Op& op, std::uint64_t now) -> CsrEffect {
  constexpr Word kWritten = 0x1f;
  const bool immediate = (op.rs2 & 4U) != 0;
  const bool clears = (op.rs2 & 3U) == 3;
  ClicCsrs& clic = csr_.clic();
  const Word operand = immediate ? Word{op.rs1} : x_[op.rs1];
  const bool by_register = !immediate && op.rs1 != 0;
  const unsigned above = by_register ? (operand >> 16) & 0xffU : clic.previous_level;

  std::optional<Word> led;
  if (leader_ != nullptr && leader_->rd != 0) led = static_cast<Word>(leader_->rd_value);
  const ClicOffer offer = next_offer(above, led, now);
  if ((operand & kWritten) != 0) {
    if (((operand >> mstatus_bit::kInterruptEnable) & 1U) != 0) csr_.set_interrupts_on(!clears);
    if (offer.valid) serve(offer, now);
  }
  x_[op.rd] = offer.valid ? clic.entry(offer.id) : 0;
  return CsrEffect::kSync;
}

template <Params P>
auto Hart<P>::jump_to_next_interrupt(const Op& op, std::uint64_t now, Word pc) -> CsrEffect {
  const ClicCsrs& clic = csr_.clic();
  std::optional<Word> led;
  if (leader_ != nullptr) led = leader_->pc_next == Word{pc + 4} ? 0 : static_cast<Word>(leader_->pc_next);
  const ClicOffer offer = next_offer(clic.previous_level, led, now);
  if (!offer.valid) return CsrEffect::kNone;
  csr_.set_interrupts_on(true);
  serve(offer, now);
  x_[op.rd] = pc;
  vector(clic.entry(offer.id));
  return CsrEffect::kJump;
}

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_ISA_HART_CLIC_H
