// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "model/platform/mailbox.h"

#include <algorithm>

namespace trapeze::model {
namespace {

constexpr unsigned kWholeWord = 0xf;
constexpr std::uint32_t kSources =
    TRAPEZE_MAILBOX_SIDE_IRQ_ENABLE_WORD_MASK | TRAPEZE_MAILBOX_SIDE_IRQ_ENABLE_PLACE_MASK;

}  // namespace

std::uint32_t Mailbox::status(unsigned side) const {
  const auto waiting = static_cast<std::uint32_t>(sides_[side].queue.size());
  const auto places = static_cast<std::uint32_t>(kDepth - sides_[side ^ 1].queue.size());
  return (waiting << TRAPEZE_MAILBOX_SIDE_STATUS_WAITING_SHIFT) | (places << TRAPEZE_MAILBOX_SIDE_STATUS_PLACES_SHIFT) |
         (sides_[side].overflow ? TRAPEZE_MAILBOX_SIDE_STATUS_OVERFLOW_MASK : 0U);
}

std::uint32_t Mailbox::pending(unsigned side) const {
  const Side& own = sides_[side];
  return (own.queue.empty() ? 0U : TRAPEZE_MAILBOX_SIDE_IRQ_PENDING_WORD_MASK) |
         (sides_[side ^ 1].queue.size() < kDepth ? TRAPEZE_MAILBOX_SIDE_IRQ_PENDING_PLACE_MASK : 0U) |
         ((own.bells & own.bells_enable) != 0 ? TRAPEZE_MAILBOX_SIDE_IRQ_PENDING_BELL_MASK : 0U);
}

bool Mailbox::wants(unsigned side) const {
  return (pending(side) & (sides_[side].irq_enable | TRAPEZE_MAILBOX_SIDE_IRQ_PENDING_BELL_MASK)) != 0;
}

std::uint64_t Mailbox::next_event(std::uint64_t now) const {
  std::uint64_t next = kNever;
  for (unsigned side = 0; side < kSides; ++side) {
    if (wants(side) && sides_[side].quiet_until > now) next = std::min(next, sides_[side].quiet_until);
  }
  return next;
}

void Mailbox::send(unsigned side, std::uint32_t word) {
  std::deque<std::uint32_t>& queue = sides_[side ^ 1].queue;
  if (queue.size() < kDepth) {
    queue.push_back(word);
  } else {
    sides_[side].overflow = true;
  }
}

DeviceRead Mailbox::read(unsigned side, std::uint32_t offset, std::uint64_t now) {
  Side& own = sides_[side];
  switch (offset) {
    case TRAPEZE_MAILBOX_SIDE_STATUS_OFFSET:
      return {status(side)};
    case TRAPEZE_MAILBOX_SIDE_SEND_OFFSET:
    case TRAPEZE_MAILBOX_SIDE_RING_OFFSET:
      return {};
    case TRAPEZE_MAILBOX_SIDE_RECEIVE_OFFSET: {
      if (own.queue.empty()) return {};
      const std::uint32_t word = own.queue.front();
      own.queue.pop_front();
      own.quiet_until = now + kInterval;
      return {word};
    }
    case TRAPEZE_MAILBOX_SIDE_BELLS_OFFSET:
      return {own.bells};
    case TRAPEZE_MAILBOX_SIDE_BELLS_ENABLE_OFFSET:
      return {own.bells_enable};
    case TRAPEZE_MAILBOX_SIDE_IRQ_ENABLE_OFFSET:
      return {own.irq_enable};
    case TRAPEZE_MAILBOX_SIDE_IRQ_PENDING_OFFSET:
      return {pending(side)};
    default:
      return {.value = 0, .error = true, .open = false};
  }
}

bool Mailbox::write(unsigned side, std::uint32_t offset, std::uint32_t value, std::uint64_t now) {
  Side& own = sides_[side];
  switch (offset) {
    case TRAPEZE_MAILBOX_SIDE_STATUS_OFFSET:
      if ((value & TRAPEZE_MAILBOX_SIDE_STATUS_OVERFLOW_MASK) != 0) own.overflow = false;
      return true;
    case TRAPEZE_MAILBOX_SIDE_SEND_OFFSET:
      send(side, value);
      return true;
    case TRAPEZE_MAILBOX_SIDE_RING_OFFSET:
      sides_[side ^ 1].bells |= value;
      return true;
    case TRAPEZE_MAILBOX_SIDE_BELLS_OFFSET:
      if ((own.bells & value) != 0) own.quiet_until = now + kInterval;
      own.bells &= ~value;
      return true;
    case TRAPEZE_MAILBOX_SIDE_BELLS_ENABLE_OFFSET:
      own.bells_enable = value;
      return true;
    case TRAPEZE_MAILBOX_SIDE_IRQ_ENABLE_OFFSET:
      own.irq_enable = value & kSources;
      return true;
    case TRAPEZE_MAILBOX_SIDE_RECEIVE_OFFSET:
    case TRAPEZE_MAILBOX_SIDE_IRQ_PENDING_OFFSET:
      return true;
    default:
      return false;
  }
}

DeviceRead Mailbox::Port::on_read(std::uint32_t offset, unsigned enables, std::uint64_t now, const Origin& /*from*/) {
  if (enables != kWholeWord) return {.value = 0, .error = true, .open = false};
  return mailbox_.read(side_, offset, now);
}

bool Mailbox::Port::on_write(std::uint32_t offset, unsigned enables, std::uint32_t value, std::uint64_t now,
                             const Origin& /*from*/) {
  return enables == kWholeWord && mailbox_.write(side_, offset, value, now);
}

}  // namespace trapeze::model
