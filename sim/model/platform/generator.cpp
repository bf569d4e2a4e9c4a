// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "model/platform/generator.h"

#include <trapeze/random.h>

#include <algorithm>

namespace trapeze::model {

std::optional<std::uint64_t> RandomGenerator::ready_at() const {
  if (!begun_) return std::nullopt;
  return *begun_ + cycles_;
}

void RandomGenerator::start(std::uint64_t now) {
  if (begun_ || ready_) {
    overrun_ = true;
  } else {
    begun_ = now;
  }
}

void RandomGenerator::make(std::uint64_t now) {
  if (!begun_) return;
  // The first word is made in the cycle behind the start, and is there in the next.
  const std::uint64_t passed = now < *begun_ ? 0 : now - *begun_;
  const std::uint64_t made = std::min<std::uint64_t>(words_, passed == 0 ? 0 : passed - 1);
  while (block_.size() < made) {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 17;
    state_ ^= state_ << 5;
    block_.push_back(state_);
  }
}

void RandomGenerator::finish() {
  make(*begun_ + cycles_ + 1);
  begun_.reset();
  ready_ = true;
}

DeviceRead RandomGenerator::read(std::uint32_t offset, std::uint64_t now, bool& done) {
  make(now);
  DeviceRead result{0, false, true};
  switch (offset) {
    case TRAPEZE_RANDOM_DATA_OFFSET:
      if (!ready_) break;
      result.value = block_.front();
      block_.pop_front();
      done = block_.empty();
      ready_ = !done;
      break;
    case TRAPEZE_RANDOM_STATUS_OFFSET:
      if (ready_) {
        result.value = TRAPEZE_RANDOM_STATUS_READY_MASK |
                       (static_cast<std::uint32_t>(block_.size()) << TRAPEZE_RANDOM_STATUS_WORDS_SHIFT);
      }
      if (begun_) result.value |= TRAPEZE_RANDOM_STATUS_BUSY_MASK;
      if (overrun_) result.value |= TRAPEZE_RANDOM_STATUS_OVERRUN_MASK;
      break;
    case TRAPEZE_RANDOM_CONTROL_OFFSET:
      return {enabled_ ? TRAPEZE_RANDOM_CONTROL_ENABLE_MASK : 0U, false, false};
    case TRAPEZE_RANDOM_SEED_OFFSET:
      result.value = state_;
      break;
    default:
      return {};
  }
  return result;
}

void RandomGenerator::write(std::uint32_t offset, std::uint32_t value, std::uint64_t now) {
  make(now);
  if (offset == TRAPEZE_RANDOM_SEED_OFFSET) state_ = value == 0 ? 1 : value;
  if (offset != TRAPEZE_RANDOM_CONTROL_OFFSET) return;
  enabled_ = (value & TRAPEZE_RANDOM_CONTROL_ENABLE_MASK) != 0;
  if ((value & TRAPEZE_RANDOM_CONTROL_ACK_MASK) != 0) {
    // A start in the same write is lost.
    begun_.reset();
    block_.clear();
    ready_ = overrun_ = false;
  } else if ((value & TRAPEZE_RANDOM_CONTROL_START_MASK) != 0) {
    start(now);
  }
}

}  // namespace trapeze::model
