// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Members of Hart that exist for a CLIC: entry of handlers, vectoring through the table, xnxti, jalxnxti, scratch
 * swaps. If user mode handles interrupts, too, `privilege` is the mode whose registers are used.
 *
 * Source: RISC-V Fast Interrupts v0.10. jalxnxti (CSR 0x7ED) is not part of that. `csrrw r, 0x7ED, r` claims an
 * interrupt by the rules of an xnxti that writes. If an interrupt qualifies: it is claimed, MIE is set, r becomes the
 * address of this instruction, and the program goes on at the address in the interrupt's table entry. Else nothing
 * happens.
 */
#ifndef TRAPEZE_SIM_MODEL_ISA_HART_CLIC_H
#define TRAPEZE_SIM_MODEL_ISA_HART_CLIC_H

#include <cstring>
#include <utility>

#include "model/isa/hart.h"

namespace trapeze::model {

template <Kind K, class Time>
void Hart<K, Time>::enter(const ClicOffer& offer, bool in_table) {
  // The table entry cannot be fetched, and this interrupt comes before the exception for that. The return from its
  // handler fetches the entry again.
  in_table |= no_entry_;
  if (in_table && vectored_) pc_ = *vectored_;
  no_entry_ = false;
  vectored_.reset();
  const unsigned mode = mode_;
  if (K.user_interrupts && offer.privilege == kUser) {
    show_interrupt(offer.id, mode);
    interrupt_user(posts_.claim(offer));
  } else {
    interrupt(offer.id);
  }
  ClicCsrs& clic = csr_.of(offer.privilege).clic;
  clic.level = static_cast<std::uint8_t>(offer.level);
  clic.in_vector = in_table;
  if constexpr (K.fast) {
    frames_.begin();
    if (csr_.fast(offer.privilege).enabled()) save_frame(offer, mode);
  }
  if (!offer.vectored) return;
  clic_->claim(offer.id);
  vector(clic.entry(offer.id));
}

template <Kind K, class Time>
void Hart<K, Time>::vector(Word entry) {
  vectored_ = entry;
  std::uint32_t target = 0;
  const std::uint8_t* host = door_.readable(AccessKind::kTable, entry, sizeof target);
  if (host == nullptr) {
    no_entry_ = true;
    pc_ = entry;
    return;
  }
  std::memcpy(&target, host, sizeof target);
  pc_ = target & ~Word{csr_.params().zero_bits()};
}

template <Kind K, class Time>
Executed Hart<K, Time>::no_instruction() {
  entered_ = false;
  if (no_entry_ && !frames_.refused() && !frame_fault_chosen()) {
    no_entry_ = false;
    trap(kFetchFault, pc_, pc_);
    csr_.clic().in_vector = true;
  } else if constexpr (K.fast) {
    trap(kFrameStoreFault, frames_.refused() ? frames_.take_refused() : take_frame_fault(), pc_);
    csr_.clic().in_vector = std::exchange(no_entry_, false);
  }
  ++steps_;
  return {1, Leave::kTrap, 1};
}

template <Kind K, class Time>
bool Hart<K, Time>::takes(const ClicOffer& offer) const {
  if (!offer.valid || offer.privilege < mode_) return false;
  if (offer.privilege > mode_) return offer.level != 0;
  if (!csr_.clic(mode_).exceeds(offer.level)) return false;
  if constexpr (K.user_interrupts) {
    if (mode_ == kUser) return csr_.user().on;
  }
  return csr_.interrupts_on(mode_);
}

template <Kind K, class Time>
bool Hart<K, Time>::rouses(const ClicOffer& offer) const {
  if (!offer.valid) return false;
  return offer.privilege != mode_ || csr_.clic(mode_).exceeds(offer.level);
}

template <Kind K, class Time>
ClicOffer Hart<K, Time>::next_offer(unsigned privilege, unsigned above) const {
  ClicOffer offer;
  if (choices_ == nullptr) {
    offer = clic_->best();
  } else if (choices_->interrupt) {
    offer = clic_->offer(*choices_->interrupt);
  }
  const bool above_all = offer.level > above && offer.level > csr_.clic(privilege).threshold;
  return offer.valid && offer.privilege == privilege && above_all ? offer : ClicOffer{};
}

template <Kind K, class Time>
void Hart<K, Time>::serve(const ClicOffer& offer) {
  const auto registers = csr_.of(offer.privilege);
  registers.clic.level = static_cast<std::uint8_t>(offer.level);
  registers.cause = CsrFile<K>::kInterruptBit | posts_.claim(offer);
  clic_->claim(offer.id);
}

template <Kind K, class Time>
auto Hart<K, Time>::access_clic(const Op& op, unsigned number, Word pc) -> CsrEffect {
  const bool immediate = (op.rs2 & 4U) != 0;
  const unsigned kind = op.rs2 & 3U;  // 1 write, 2 set, 3 clear
  const bool user = K.user_interrupts && (number == kUnxti || number == kUscratchcswl);
  const unsigned privilege = user ? kUser : kMachine;
  const ClicCsrs& clic = csr_.clic(privilege);
  const bool registers = kind == 1 && !immediate && op.rs1 != 0 && op.rd != kDummy;
  switch (number) {
    case kMscratchcsw:
      return registers ? swap_scratch(op, kMachine, csr_.previous_mode() != mode_) : CsrEffect::kIllegal;
    case kMscratchcswl:
    case kUscratchcswl:
      return registers ? swap_scratch(op, privilege, (clic.previous_level == 0) != (clic.level == 0))
                       : CsrEffect::kIllegal;
    case kJalmnxti:
      return registers && op.rd == op.rs1 ? jump_to_next_interrupt(op, pc) : CsrEffect::kIllegal;
    default:
      break;
  }
  const unsigned reserved = user ? 0x1e : 0x15;  // bits that an immediate may not set
  const bool legal = kind == 2 ? !immediate || (op.rs1 & reserved) == 0 : kind == 3 && immediate;
  return legal ? next_interrupt_csr(op, privilege) : CsrEffect::kIllegal;
}

template <Kind K, class Time>
auto Hart<K, Time>::swap_scratch(const Op& op, unsigned privilege, bool is_swap) -> CsrEffect {
  const Word operand = x_[op.rs1];
  x_[op.rd] = is_swap ? std::exchange(csr_.of(privilege).scratch, operand) : operand;
  return CsrEffect::kNone;
}

template <Kind K, class Time>
auto Hart<K, Time>::next_interrupt_csr(const Op& op, unsigned privilege) -> CsrEffect {
  constexpr Word kWritten = 0x1f;
  const bool immediate = (op.rs2 & 4U) != 0;
  const bool clears = (op.rs2 & 3U) == 3;
  const unsigned enable = privilege == kUser ? isa::ustatus::kUie : mstatus_bit::kInterruptEnable;
  const ClicCsrs& clic = csr_.clic(privilege);
  const Word operand = immediate ? Word{op.rs1} : x_[op.rs1];
  const bool by_register = !immediate && op.rs1 != 0;
  const unsigned above = by_register ? (operand >> 16) & 0xffU : clic.previous_level;

  ClicOffer offer = next_offer(privilege, above);
  if (offer.vectored) offer = {};  // the handler of a vectored interrupt is entered by the hardware only
  if ((operand & kWritten) != 0) {
    if (((operand >> enable) & 1U) != 0) csr_.set_interrupts_on(privilege, !clears);
    if (offer.valid) serve(offer);
  }
  x_[op.rd] = offer.valid ? clic.entry(offer.id) : 0;
  return CsrEffect::kSync;
}

template <Kind K, class Time>
auto Hart<K, Time>::jump_to_next_interrupt(const Op& op, Word pc) -> CsrEffect {
  const ClicCsrs& clic = csr_.clic();
  const ClicOffer offer = next_offer(kMachine, clic.previous_level);
  if (!offer.valid || offer.vectored) return CsrEffect::kNone;
  csr_.set_interrupts_on(true);
  serve(offer);
  x_[op.rd] = pc;
  vector(clic.entry(offer.id));
  return CsrEffect::kJump;
}

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_ISA_HART_CLIC_H
