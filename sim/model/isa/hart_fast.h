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
  const FrameLayout layout = this->layout();
  x_[kSp] -= layout.bytes;
  std::array<Word, FrameLayout::kMostWords> words{};
  for (unsigned i = 0; i < layout.registers.size(); ++i) words[i] = x_[layout.registers[i]];
  words[layout.epc] = csr_.of(privilege).epc;
  words[layout.cause] = csr_.whole_cause(privilege);
  frames_.saved = frame();
  frames_.lost.clear();
  for (unsigned i = 0; i < layout.words; ++i) {
    const Word address = frame_word(frame(), i);
    if (!store_frame_word(privilege, address, words[i])) frames_.lost.push_back({address, words[i]});
  }
  if (!frames_.lost.empty()) frames_.faults.push_back(frames_.lost.front().address);
  x_[1] = csr_.fast(privilege).link();
}

template <Kind K, class Time>
bool Hart<K, Time>::store_frame_word(unsigned privilege, Word address, std::uint32_t value) {
  const AccessKind kind = privilege == kUser ? AccessKind::kUserFrameStore : AccessKind::kFrameStore;
  std::uint8_t* const host = door_.modifiable(kind, address, sizeof value);
  if (host != nullptr) std::memcpy(host, &value, sizeof value);
  return host != nullptr;
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
auto Hart<K, Time>::load_frame_word(unsigned privilege, Word address) const -> std::optional<Word> {
  if (choices_ != nullptr) {
    // The emret finds the word in a bank. So rows do not judge it, and memory may have another value.
    const auto found = choices_->kept.find(address);
    if (found != choices_->kept.end()) return found->second;
  }
  std::uint32_t value = 0;
  const AccessKind kind = privilege == kUser ? AccessKind::kUserFrameLoad : AccessKind::kFrameLoad;
  const std::uint8_t* host = door_.readable(kind, address, sizeof value);
  if (host == nullptr) return std::nullopt;
  std::memcpy(&value, host, sizeof value);
  return value;
}

template <Kind K, class Time>
auto Hart<K, Time>::leave_frame(unsigned privilege) -> std::optional<Word> {
  // The order is that of the hardware with spare banks, so that the same word is the first one that fails.
  const FrameLayout layout = this->layout();
  const Word base = frame();
  const std::optional<Word> cause = load_frame_word(privilege, frame_word(base, layout.cause));
  if (!cause) return frame_word(base, layout.cause);
  const std::optional<Word> epc = load_frame_word(privilege, frame_word(base, layout.epc));
  if (!epc) return frame_word(base, layout.epc);
  bus_.forget_reservation();
  static_assert(ClicCsrs::kMpil == isa::ucause::kUpil);
  const ClicOffer next = next_offer(privilege, (*cause >> ClicCsrs::kMpil) & 0xffU);
  if (next.valid) {
    csr_.load_context(privilege, *epc, *cause);
    chain(next);
    return std::nullopt;
  }
  std::array<Word, FrameLayout::kMostWords> values{};
  for (unsigned i = 0; i < layout.registers.size(); ++i) {
    const std::optional<Word> value = load_frame_word(privilege, frame_word(base, i));
    if (!value) return frame_word(base, i);
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

/** Takes the exception for the oldest frame that could not be stored out of the list; returns its mtval. */
template <Kind K, class Time>
auto Hart<K, Time>::take_frame_fault() -> Word {
  if (frame_fault_chosen()) return static_cast<Word>(*choices_->frame_fault);
  const Word address = frames_.faults.front();
  frames_.faults.erase(frames_.faults.begin());
  return address;
}

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_ISA_HART_FAST_H
