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
#include "model/isa/hart_door.h"

namespace trapeze::model {

template <Params P>
auto Hart<P>::find_target(Word index) const -> std::optional<Target> {
  if constexpr (P.user_posts) {
    const std::optional<std::uint32_t> entry = csr_.post().entry(index);
    if (!entry) return std::nullopt;
    Target target;
    for (unsigned i = 0; i < 4; ++i) {
      const std::uint8_t* const host = readable(AccessKind::kTarget, *entry + 4 * i, 4);
      if (host == nullptr) return std::nullopt;
      std::memcpy(&target.word[i], host, 4);
    }
    if (target.usable()) return target;
  }
  return std::nullopt;
}

template <Params P>
auto Hart<P>::descriptor_word(Word descriptor, Word offset) -> std::uint8_t* {
  return modifiable(AccessKind::kPost, descriptor + offset, 4);
}

/** senduipi; false: the exception, and nothing has changed. Nothing comes between its accesses, which is one of the
 * orders that the contract allows. */
template <Params P>
bool Hart<P>::post(Word index) {
  const std::optional<Target> target = find_target(index);
  if (!target) return false;
  const unsigned vector = target->vector();
  const Word descriptor = target->descriptor();
  // All of them are found before the first one is written: what modifiable() gives is written now, or nothing of it.
  for (const Word offset : {Descriptor::kControl, Descriptor::kDestination, Descriptor::kPosted + vector / 32 * 4}) {
    if (readable(AccessKind::kPost, descriptor + offset, 4) == nullptr) return false;
  }
  std::uint8_t* const posted = descriptor_word(descriptor, Descriptor::kPosted + vector / 32 * 4);
  std::uint32_t vectors = 0;
  std::memcpy(&vectors, posted, 4);
  vectors |= 1U << (vector % 32);
  std::memcpy(posted, &vectors, 4);
  std::uint8_t* const control = descriptor_word(descriptor, Descriptor::kControl);
  std::uint32_t word = 0;
  std::memcpy(&word, control, 4);
  if ((word & (Descriptor::kOutstanding | Descriptor::kSuppressed)) != 0) return true;
  word |= Descriptor::kOutstanding;
  std::memcpy(control, &word, 4);
  std::uint32_t destination = 0;
  std::memcpy(&destination, readable(AccessKind::kPost, descriptor + Descriptor::kDestination, 4), 4);
  if (notifier_ != nullptr) notifier_->notify(destination, Descriptor::notification(word));
  return true;
}

template <Params P>
void Hart<P>::notified(unsigned vector) {
  if constexpr (P.user_posts) {
    if (const std::optional<std::uint32_t> descriptor = csr_.post().descriptor(vector)) {
      std::uint8_t* const control = descriptor_word(*descriptor, Descriptor::kControl);
      std::uint8_t* const low = descriptor_word(*descriptor, Descriptor::kPosted);
      std::uint8_t* const high = descriptor_word(*descriptor, Descriptor::kPosted + 4);
      if (control != nullptr && low != nullptr && high != nullptr) {
        std::uint32_t word = 0;
        std::memcpy(&word, control, 4);
        word &= ~Descriptor::kOutstanding;
        std::memcpy(control, &word, 4);
        std::uint32_t parts[2] = {};
        std::memcpy(&parts[0], low, 4);
        std::memcpy(&parts[1], high, 4);
        std::memset(low, 0, 4);
        std::memset(high, 0, 4);
        csr_.post().request(parts[0] | (std::uint64_t{parts[1]} << 32));
        show_requests();
        return;
      }
    }
    clic_->pulse(vector);
  }
}

template <Params P>
void Hart<P>::show_requests() {
  if constexpr (P.user_posts) clic_->drive(kPostSource, csr_.post().pending());
}

/** The code of xcause for an interrupt that is claimed now; of posted ones it is the highest vector. */
template <Params P>
auto Hart<P>::claimed_code(const ClicOffer& offer) -> Word {
  if constexpr (P.user_posts) {
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
