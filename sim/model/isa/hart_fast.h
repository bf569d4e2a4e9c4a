// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Members of Hart that exist for fastirq: frames, emret and euret.
 *
 * Sources: docs/fastirq.md; docs/user-level-interrupts.md for frames of user mode.
 */
#ifndef TRAPEZE_SIM_MODEL_ISA_HART_FAST_H
#define TRAPEZE_SIM_MODEL_ISA_HART_FAST_H

#include <algorithm>
#include <cstring>

#include "model/isa/hart.h"

namespace trapeze::model {

// --- entry

template <Kind K, class Time>
void Hart<K, Time>::save_frame(const ClicOffer& offer, unsigned mode) {
  const unsigned privilege = offer.privilege;
  csr_.set_interrupts_on(privilege, offer.vectored && csr_.fast(privilege).nests());
  if (privilege == kMachine) {
    csr_.set_sole_context(!offer.vectored);
    if (mode != kMachine) {
      const Word stack = csr_.mscratch();
      csr_.set_mscratch(x_[kSp]);
      x_[kSp] = stack;
    }
  }
  const FrameLayout layout = frames_.layout();
  x_[kSp] -= layout.bytes;
  typename Frames<K, Time>::Words words{};
  for (unsigned i = 0; i < layout.registers.size(); ++i) words[i] = x_[layout.registers[i]];
  words[layout.epc] = csr_.of(privilege).epc;
  words[layout.cause] = csr_.whole_cause(privilege);
  frames_.store(privilege, frames_.base(x_[kSp]), words);
  x_[1] = csr_.fast(privilege).link();
}

// --- emret

template <Kind K, class Time>
bool Hart<K, Time>::is_emret(Word pc) const {
  std::uint32_t word = 0;
  const std::uint8_t* const low = door_.fetchable(pc);
  const std::uint8_t* const high = door_.fetchable(pc + 2);
  if (low == nullptr || high == nullptr) return false;
  std::memcpy(&word, low, sizeof word / 2);
  std::memcpy(reinterpret_cast<std::uint8_t*>(&word) + sizeof word / 2, high, sizeof word / 2);
  return word == kEmret;
}

/** An emret waits for exceptions for frames, even if these would otherwise wait for the sake of mepc: an emret reads
 * mepc from its frame. */
template <Kind K, class Time>
bool Hart<K, Time>::frame_faults_held() const {
  return csr_.holds_frame_faults() && !(emret_allowed() && is_emret(pc_));
}

template <Kind K, class Time>
auto Hart<K, Time>::leave_frame(unsigned privilege) -> std::optional<Word> {
  // The order is that of the hardware with spare banks, so that the same word is the first one that fails.
  const FrameLayout layout = frames_.layout();
  const Word base = frames_.base(x_[kSp]);
  const auto load = [&](unsigned index) { return frames_.load(privilege, frames_.word(base, index), choices_); };
  const std::optional<Word> cause = load(layout.cause);
  if (!cause) return frames_.word(base, layout.cause);
  const std::optional<Word> epc = load(layout.epc);
  if (!epc) return frames_.word(base, layout.epc);
  bus_.forget_reservation();
  static_assert(ClicCsrs::kMpil == isa::ucause::kUpil);
  const ClicOffer next = next_offer(privilege, (*cause >> ClicCsrs::kMpil) & 0xffU);
  if (next.valid) {
    csr_.load_context(privilege, *epc, *cause);
    chain(next);
    return std::nullopt;
  }
  typename Frames<K, Time>::Words values{};
  for (unsigned i = 0; i < layout.registers.size(); ++i) {
    const std::optional<Word> value = load(i);
    if (!value) return frames_.word(base, i);
    values[i] = *value;
  }
  for (unsigned i = 0; i < layout.registers.size(); ++i) x_[layout.registers[i]] = values[i];
  x_[kSp] += layout.bytes;
  csr_.load_context(privilege, *epc, *cause);
  if constexpr (K.user_interrupts) {
    if (privilege == kUser) {
      return_from_user();
      return std::nullopt;
    }
  }
  if (csr_.previous_mode() != kMachine) {
    const Word stack = x_[kSp];
    x_[kSp] = csr_.mscratch();
    csr_.set_mscratch(stack);
  }
  pc_ = csr_.leave(mode_);
  if (csr_.clic().in_vector) vector(pc_ & ~Word{3});
  return std::nullopt;
}

template <Kind K, class Time>
void Hart<K, Time>::chain(const ClicOffer& offer) {
  const auto registers = csr_.of(offer.privilege);
  chained_ = Chained{offer, registers.epc};
  // It is taken from the mode to which the emret would have returned; the emret itself counts as an instruction.
  const unsigned from = offer.privilege == kMachine ? csr_.previous_mode() : kUser;
  csr_.triggers().interrupted(offer.id, from);
  registers.clic.level = static_cast<std::uint8_t>(offer.level);
  registers.clic.in_vector = false;
  registers.cause = CsrFile<K>::kInterruptBit | posts_.claim(offer);
  csr_.set_interrupts_on(offer.privilege, offer.vectored && registers.fast.nests());
  if (offer.privilege == kMachine) csr_.set_sole_context(!offer.vectored);
  x_[1] = registers.fast.link();
  entered_ = entered_by_interrupt_ = true;
  pc_ = registers.handler;
  if (!offer.vectored) return;
  clic_->claim(offer.id);
  vector(registers.clic.entry(offer.id));
}

/** Takes the exception for a frame that could not be stored; returns its mtval. */
template <Kind K, class Time>
auto Hart<K, Time>::take_frame_fault() -> Word {
  if (frame_fault_chosen()) return static_cast<Word>(*choices_->frame_fault);
  return frames_.take_fault();
}

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_ISA_HART_FAST_H
