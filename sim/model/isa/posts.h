// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * What a hart does for user interrupts from hart to hart: senduipi, notifications, vectors that are delivered. Their
 * registers are csr_post.h. On a hart without them nothing happens.
 *
 * Source: docs/user-interrupts.md.
 */
#ifndef TRAPEZE_SIM_MODEL_ISA_POSTS_H
#define TRAPEZE_SIM_MODEL_ISA_POSTS_H

#include <cstdint>
#include <cstring>
#include <optional>

#include "model/isa/clic_port.h"
#include "model/isa/csr.h"
#include "model/isa/door.h"
#include "model/isa/notifier.h"
#include "model/isa/post_trail.h"
#include "model/memory/bus.h"

namespace trapeze::model {

template <Kind K, class Time>
class Posts {
 public:
  using Word = Register<K.xlen>;

  /** `clic`: null if the hart has none. */
  Posts(Bus& bus, CsrFile<K>& csr, const Door<K, Time>& door, ClicPort* clic)
      : bus_(bus), csr_(csr), door_(door), clic_(clic) {}

  /** Sets where the hart's notifications go. Without it they are lost. */
  void connect(Notifier* notifier) { notifier_ = notifier; }

  /** Executes senduipi. False: it raises its exception, and nothing has changed. Without `trail` it makes all its
   * accesses at once, which is one of the orders that docs/user-interrupts.md allows. */
  bool send(Word index, PostTrail* trail);
  /** A notification has come. */
  void notified(unsigned vector);
  /** Address of the descriptor that a notification would be for now. Nothing: it would become an edge of the CLIC. */
  std::optional<Word> receiver(unsigned vector) const;
  /** Vectors from `first` on, 0 or 32, join UIRR. */
  void join(unsigned first, std::uint32_t vectors);
  /** Shows the CLIC whether UIRR is zero: it has changed. */
  void show();
  /** The code for xcause of an interrupt that is claimed now; for a posted interrupt the highest vector of UIRR. */
  Word claim(const ClicOffer& offer);
  /** Makes an access for a post or a notification, without memory protection. Returns the old value of the word.
   * Nothing: no memory is at the address. */
  std::optional<std::uint32_t> access(tz_word_op op, Word address, std::uint32_t operand);

 private:
  std::optional<Target> find_target(Word index, const PostTrail* trail) const;
  /** Whether a word of a descriptor is in memory and machine mode may access it. */
  bool has_word(Word descriptor, Word offset) const {
    return door_.readable(AccessKind::kPost, descriptor + offset, 4) != nullptr;
  }

  Bus& bus_;
  CsrFile<K>& csr_;
  const Door<K, Time>& door_;
  ClicPort* clic_;
  Notifier* notifier_ = nullptr;
};

template <Kind K, class Time>
std::optional<Target> Posts<K, Time>::find_target(Word index, const PostTrail* trail) const {
  if constexpr (K.user_interrupts) {
    const std::optional<std::uint32_t> entry = csr_.post().entry(index);
    if (!entry) return std::nullopt;
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

template <Kind K, class Time>
std::optional<std::uint32_t> Posts<K, Time>::access(tz_word_op op, Word address, std::uint32_t operand) {
  std::uint8_t* const word = op == TZ_WORD_LOAD ? bus_.memory(address, 4) : bus_.modify(address, 4);
  if (word == nullptr) return std::nullopt;
  return operate(op, word, operand);
}

template <Kind K, class Time>
bool Posts<K, Time>::send(Word index, PostTrail* trail) {
  const std::optional<Target> target = find_target(index, trail);
  if (!target) return false;
  const unsigned vector = target->vector();
  const Word descriptor = target->descriptor();
  const Word posted = Descriptor::kPosted + vector / 32 * 4;
  for (const Word offset : {Word{Descriptor::kControl}, Word{Descriptor::kDestination}, posted}) {
    if (!has_word(descriptor, offset)) return false;
  }
  const std::uint32_t bit = 1U << (vector % 32);
  if (trail != nullptr) {
    trail->next(TZ_WORD_OR, descriptor + posted, bit);
    trail->set(descriptor);
    return true;
  }
  access(TZ_WORD_OR, descriptor + posted, bit);
  const std::uint32_t control = access(TZ_WORD_MARK, descriptor + Descriptor::kControl, 0).value_or(0);
  if ((control & (Descriptor::kOutstanding | Descriptor::kSuppressed)) != 0) return true;
  const std::uint32_t hart = access(TZ_WORD_LOAD, descriptor + Descriptor::kDestination, 0).value_or(0);
  if (notifier_ != nullptr) notifier_->notify(hart, Descriptor::notification(control));
  return true;
}

template <Kind K, class Time>
auto Posts<K, Time>::receiver(unsigned vector) const -> std::optional<Word> {
  if constexpr (K.user_interrupts) {
    const std::optional<std::uint32_t> descriptor = csr_.post().descriptor(vector);
    if (!descriptor) return std::nullopt;
    for (const Word offset : {Descriptor::kControl, Descriptor::kPosted, Descriptor::kPosted + 4}) {
      if (!has_word(*descriptor, offset)) return std::nullopt;
    }
    return *descriptor;
  }
  return std::nullopt;
}

template <Kind K, class Time>
void Posts<K, Time>::join(unsigned first, std::uint32_t vectors) {
  if constexpr (K.user_interrupts) {
    if (!csr_.post().present()) return;
    csr_.post().request(std::uint64_t{vectors} << first);
    show();
  }
}

template <Kind K, class Time>
void Posts<K, Time>::notified(unsigned vector) {
  if constexpr (K.user_interrupts) {
    if (!csr_.post().present()) return;
    const std::optional<Word> descriptor = receiver(vector);
    if (!descriptor) {
      clic_->pulse(vector);
      return;
    }
    access(TZ_WORD_AND, *descriptor + Descriptor::kControl, ~Descriptor::kOutstanding);
    for (const unsigned first : {0U, 32U}) {
      const Word posted = *descriptor + Descriptor::kPosted + first / 8;
      join(first, access(TZ_WORD_SWAP, posted, 0).value_or(0));
    }
  }
}

template <Kind K, class Time>
void Posts<K, Time>::show() {
  if constexpr (K.user_interrupts) {
    if (csr_.post().present()) clic_->drive(kPostSource, csr_.post().pending());
  }
}

template <Kind K, class Time>
auto Posts<K, Time>::claim(const ClicOffer& offer) -> Word {
  if constexpr (K.user_interrupts) {
    if (offer.privilege == kUser && offer.id == kPostSource && csr_.post().pending()) {
      const unsigned vector = csr_.post().take();
      show();
      return (Word{1} << isa::ucause::kPosted) | vector;
    }
  }
  return offer.id;
}

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_ISA_POSTS_H
