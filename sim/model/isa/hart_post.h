// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Members of Hart that exist for user interrupts from hart to hart: senduipi, notifications, vectors that are
 * delivered.
 *
 * Source: docs/user-interrupts.md.
 */
#ifndef TRAPEZE_SIM_MODEL_ISA_HART_POST_H
#define TRAPEZE_SIM_MODEL_ISA_HART_POST_H

#include <cstring>

#include "model/isa/hart.h"

namespace trapeze::model {

template <Kind K, class Time>
auto Hart<K, Time>::find_target(Word index) const -> std::optional<Target> {
  if constexpr (K.user_interrupts) {
    const std::optional<std::uint32_t> entry = csr_.post().entry(index);
    if (!entry) return std::nullopt;
    const PostTrail* const trail = post_trail();
    Target target;
    for (unsigned i = 0; i < 4; ++i) {
      const Word address = *entry + 4 * i;
      const std::uint8_t* const host = door_.readable(AccessKind::kTarget, address, 4);
      if (host == nullptr) return std::nullopt;
      std::memcpy(&target.word[i], host, 4);
      if (trail != nullptr) target.word[i] = trail->loaded(address).value_or(target.word[i]);
    }
    if (target.usable()) return target;
  }
  return std::nullopt;
}

/** Whether a word of a descriptor is in memory and machine mode may access it. */
template <Kind K, class Time>
bool Hart<K, Time>::has_descriptor_word(Word descriptor, Word offset) const {
  return door_.readable(AccessKind::kPost, descriptor + offset, 4) != nullptr;
}

template <Kind K, class Time>
std::optional<std::uint32_t> Hart<K, Time>::access_word(tz_word_op op, Word address, std::uint32_t operand) {
  std::uint8_t* const word = op == TZ_WORD_LOAD ? bus_.memory(address, 4) : bus_.modify(address, 4);
  if (word == nullptr) return std::nullopt;
  return operate(op, word, operand);
}

/** Executes senduipi. False: it raises its exception, and nothing has changed. Without Choices::trail it makes all its
 * accesses at once, which is one of the orders that docs/user-interrupts.md allows. */
template <Kind K, class Time>
bool Hart<K, Time>::post(Word index) {
  const std::optional<Target> target = find_target(index);
  if (!target) return false;
  const unsigned vector = target->vector();
  const Word descriptor = target->descriptor();
  const Word posted = Descriptor::kPosted + vector / 32 * 4;
  for (const Word offset : {Word{Descriptor::kControl}, Word{Descriptor::kDestination}, posted}) {
    if (!has_descriptor_word(descriptor, offset)) return false;
  }
  const std::uint32_t bit = 1U << (vector % 32);
  if (PostTrail* const trail = post_trail()) {
    trail->next(TZ_WORD_OR, descriptor + posted, bit);
    trail->set(descriptor);
    return true;
  }
  access_word(TZ_WORD_OR, descriptor + posted, bit);
  const std::uint32_t control = access_word(TZ_WORD_MARK, descriptor + Descriptor::kControl, 0).value_or(0);
  if ((control & (Descriptor::kOutstanding | Descriptor::kSuppressed)) != 0) return true;
  const std::uint32_t hart = access_word(TZ_WORD_LOAD, descriptor + Descriptor::kDestination, 0).value_or(0);
  if (notifier_ != nullptr) notifier_->notify(hart, Descriptor::notification(control));
  return true;
}

template <Kind K, class Time>
auto Hart<K, Time>::receiver(unsigned vector) const -> std::optional<Word> {
  if constexpr (K.user_interrupts) {
    const std::optional<std::uint32_t> descriptor = csr_.post().descriptor(vector);
    if (!descriptor) return std::nullopt;
    for (const Word offset : {Descriptor::kControl, Descriptor::kPosted, Descriptor::kPosted + 4}) {
      if (!has_descriptor_word(*descriptor, offset)) return std::nullopt;
    }
    return *descriptor;
  }
  return std::nullopt;
}

template <Kind K, class Time>
void Hart<K, Time>::join_requests(unsigned first, std::uint32_t vectors) {
  if constexpr (K.user_interrupts) {
    if (!csr_.post().present()) return;
    csr_.post().request(std::uint64_t{vectors} << first);
    show_requests();
  }
}

template <Kind K, class Time>
void Hart<K, Time>::notified(unsigned vector) {
  if constexpr (K.user_interrupts) {
    if (!csr_.post().present()) return;
    const std::optional<Word> descriptor = receiver(vector);
    if (!descriptor) {
      clic_->pulse(vector);
      return;
    }
    access_word(TZ_WORD_AND, *descriptor + Descriptor::kControl, ~Descriptor::kOutstanding);
    for (const unsigned first : {0U, 32U}) {
      const Word posted = *descriptor + Descriptor::kPosted + first / 8;
      join_requests(first, access_word(TZ_WORD_SWAP, posted, 0).value_or(0));
    }
  }
}

template <Kind K, class Time>
void Hart<K, Time>::show_requests() {
  if constexpr (K.user_interrupts) {
    if (csr_.post().present()) clic_->drive(kPostSource, csr_.post().pending());
  }
}

/** The code for xcause of an interrupt that is claimed now; for a posted interrupt the highest vector of UIRR. */
template <Kind K, class Time>
auto Hart<K, Time>::claimed_code(const ClicOffer& offer) -> Word {
  if constexpr (K.user_interrupts) {
    if (offer.privilege == kUser && offer.id == kPostSource && csr_.post().pending()) {
      const unsigned vector = csr_.post().take();
      show_requests();
      return (Word{1} << isa::ucause::kPosted) | vector;
    }
  }
  return offer.id;
}

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_ISA_HART_POST_H
