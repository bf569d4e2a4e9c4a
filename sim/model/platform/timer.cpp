// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "model/platform/timer.h"

#include <trapeze/timers.h>

#include "model/time/instant.h"

namespace trapeze::model {

std::uint32_t Timer::read(std::uint32_t offset) const {
  switch (offset) {
    case TRAPEZE_TIMERS_CHANNEL_CONTROL_OFFSET:
      return (enabled_ ? TRAPEZE_TIMERS_CHANNEL_CONTROL_ENABLE_MASK : 0U) |
             (one_shot_ ? TRAPEZE_TIMERS_CHANNEL_CONTROL_ONE_SHOT_MASK : 0U) |
             (pulse_ ? TRAPEZE_TIMERS_CHANNEL_CONTROL_PULSE_MASK : 0U);
    case TRAPEZE_TIMERS_CHANNEL_PERIOD_OFFSET:
      return period_;
    case TRAPEZE_TIMERS_CHANNEL_COUNT_OFFSET:
      return count_;
    case TRAPEZE_TIMERS_CHANNEL_STATUS_OFFSET:
      return expired_ ? TRAPEZE_TIMERS_CHANNEL_STATUS_EXPIRED_MASK : 0U;
    default:
      return 0;
  }
}

void Timer::step(const BlockWrite* write) {
  // If the timer expires in the cycle in which `expired` is cleared, `expired` stays set.
  const bool clears = write != nullptr && write->offset == TRAPEZE_TIMERS_CHANNEL_STATUS_OFFSET &&
                      (write->value & TRAPEZE_TIMERS_CHANNEL_STATUS_EXPIRED_MASK) != 0;
  if (clears) expired_ = false;
  skip(1);
  if (write == nullptr) return;
  if (write->offset == TRAPEZE_TIMERS_CHANNEL_PERIOD_OFFSET) period_ = write->value;
  if (write->offset != TRAPEZE_TIMERS_CHANNEL_CONTROL_OFFSET) return;
  enabled_ = (write->value & TRAPEZE_TIMERS_CHANNEL_CONTROL_ENABLE_MASK) != 0;
  one_shot_ = (write->value & TRAPEZE_TIMERS_CHANNEL_CONTROL_ONE_SHOT_MASK) != 0;
  pulse_ = (write->value & TRAPEZE_TIMERS_CHANNEL_CONTROL_PULSE_MASK) != 0;
  if (enabled_) count_ = 0;
}

void Timer::skip(std::uint64_t cycles) {
  if (cycles == 0) return;
  if (!enabled_ || cycles <= left()) {
    if (enabled_) count_ += static_cast<std::uint32_t>(cycles);
    expired_now_ = false;
    return;
  }
  // After an expiry the count is 0.
  std::uint64_t behind = cycles - left() - 1;
  expired_ = true;
  if (one_shot_) {
    enabled_ = false;
    count_ = 0;
    expired_now_ = behind == 0;
    return;
  }
  behind %= period();
  count_ = static_cast<std::uint32_t>(behind);
  expired_now_ = behind == 0;
}

std::uint64_t Timer::quiet() const {
  if (pulse_ ? expired_now_ : expired_) return pulse_ ? 0 : kNever;  // a level stays until it is cleared
  return enabled_ ? left() : kNever;
}

}  // namespace trapeze::model
