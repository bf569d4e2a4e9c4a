// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "model/platform/plic.h"

#include <optional>

namespace trapeze::model {
namespace {

/** The element of an array of registers that an offset is, and the offset in it. */
struct Element {
  unsigned number;
  std::uint32_t offset;
};

constexpr std::optional<Element> element(std::uint32_t offset, std::uint32_t base, std::uint32_t stride,
                                         std::uint32_t count) {
  if (offset < base || offset - base >= stride * count) return std::nullopt;
  return Element{(offset - base) / stride, (offset - base) % stride};
}

constexpr auto priority_at(std::uint32_t offset) {
  return element(offset, TRAPEZE_PLIC_PRIORITY_OFFSET, TRAPEZE_PLIC_PRIORITY_STRIDE, TRAPEZE_PLIC_PRIORITY_COUNT);
}

constexpr auto enable_at(std::uint32_t offset) {
  return element(offset, TRAPEZE_PLIC_ENABLE_LOW_OFFSET, TRAPEZE_PLIC_ENABLE_LOW_STRIDE, TRAPEZE_PLIC_ENABLE_LOW_COUNT);
}

constexpr auto context_at(std::uint32_t offset) {
  return element(offset, TRAPEZE_PLIC_CONTEXT_THRESHOLD_OFFSET, TRAPEZE_PLIC_CONTEXT_THRESHOLD_STRIDE,
                 TRAPEZE_PLIC_CONTEXT_THRESHOLD_COUNT);
}

constexpr std::uint32_t kThreshold = 0;
constexpr std::uint32_t kClaim = TRAPEZE_PLIC_CONTEXT_CLAIM_OFFSET - TRAPEZE_PLIC_CONTEXT_THRESHOLD_OFFSET;

}  // namespace

void Plic::drive(unsigned source, bool level) {
  levels_[source] = level;
  if (level && !claimed_[source]) pending_[source] = true;
}

unsigned Plic::best(const Context& context) const {
  const Sources ready = pending_ & context.enabled;
  unsigned best = 0;
  if (ready.none()) return best;
  for (unsigned source = 1; source < kSources; ++source) {
    if (ready[source] && priority_[source] > (best == 0 ? 0 : priority_[best])) best = source;
  }
  return best;
}

bool Plic::interrupt(unsigned context) const {
  const unsigned source = best(contexts_[context]);
  return source != 0 && priority_[source] > contexts_[context].threshold;
}

std::uint32_t Plic::claim(const Context& context) {
  const unsigned source = best(context);
  if (source == 0) return 0;
  pending_[source] = false;
  claimed_[source] = true;
  return source;
}

void Plic::complete(const Context& context, std::uint32_t source) {
  if (source >= kSources || !context.enabled[source]) return;
  claimed_[source] = false;
  drive(source, levels_[source]);
}

std::uint32_t Plic::word_of(const Sources& sources, unsigned word) {
  std::uint32_t value = 0;
  for (unsigned bit = 0; bit < kWordBits; ++bit) value |= std::uint32_t{sources[word * kWordBits + bit]} << bit;
  return value;
}

DeviceRead Plic::on_read(std::uint32_t offset, unsigned /*enables*/, std::uint64_t /*now*/, const Origin& /*from*/) {
  if (const auto found = priority_at(offset)) return {priority_[found->number]};
  const auto pending =
      element(offset, TRAPEZE_PLIC_PENDING_OFFSET, TRAPEZE_PLIC_PENDING_STRIDE, TRAPEZE_PLIC_PENDING_COUNT);
  if (pending) return {word_of(pending_, pending->number)};
  if (const auto found = enable_at(offset); found && found->offset / 4 < kWords) {
    return {word_of(contexts_[found->number].enabled, found->offset / 4)};
  }
  if (const auto found = context_at(offset)) {
    Context& context = contexts_[found->number];
    if (found->offset == kThreshold) return {context.threshold};
    if (found->offset == kClaim) return {claim(context)};
  }
  return {};
}

bool Plic::on_write(std::uint32_t offset, unsigned enables, std::uint32_t value, std::uint64_t /*now*/,
                    const Origin& /*from*/) {
  if (const auto found = priority_at(offset)) {
    std::uint32_t& priority = priority_[found->number];
    if (found->number != 0) priority = merge_lanes(priority, value, enables) & TRAPEZE_PLIC_PRIORITY_VALUE_MASK;
    return true;
  }
  if (const auto found = enable_at(offset); found && found->offset / 4 < kWords) {
    Sources& enabled = contexts_[found->number].enabled;
    const unsigned word = found->offset / 4;
    const std::uint32_t bits = merge_lanes(word_of(enabled, word), value, enables);
    for (unsigned bit = 0; bit < kWordBits; ++bit) enabled[word * kWordBits + bit] = ((bits >> bit) & 1U) != 0;
    enabled[0] = false;
    return true;
  }
  if (const auto found = context_at(offset)) {
    Context& context = contexts_[found->number];
    if (found->offset == kThreshold) {
      context.threshold = merge_lanes(context.threshold, value, enables) & TRAPEZE_PLIC_CONTEXT_THRESHOLD_VALUE_MASK;
    } else if (found->offset == kClaim) {
      complete(context, value & lane_mask(enables));
    }
  }
  return true;
}

}  // namespace trapeze::model
