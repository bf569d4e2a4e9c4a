// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "model/platform/timer.h"

#include <trapeze/timers.h>

#include <algorithm>

namespace trapeze::model {

DeviceRead Timer::read(std::uint32_t offset, std::uint64_t now) const {
  switch (offset) {
    case TRAPEZE_TIMERS_CHANNEL_CONTROL_OFFSET:
      return {(enabled_ ? TRAPEZE_TIMERS_CHANNEL_CONTROL_ENABLE_MASK : 0U) |
                  (one_shot_ ? TRAPEZE_TIMERS_CHANNEL_CONTROL_ONE_SHOT_MASK : 0U) |
                  (pulse_ ? TRAPEZE_TIMERS_CHANNEL_CONTROL_PULSE_MASK : 0U),
              false, one_shot_};
    case TRAPEZE_TIMERS_CHANNEL_PERIOD_OFFSET:
      return {period_, false, false};
    case TRAPEZE_TIMERS_CHANNEL_COUNT_OFFSET:
      return {enabled_ && now > zero_ ? static_cast<std::uint32_t>(now - zero_)
              : enabled_              ? 0U
                                      : stopped_count_,
              false, true};
    case TRAPEZE_TIMERS_CHANNEL_STATUS_OFFSET:
      return {expired_ ? TRAPEZE_TIMERS_CHANNEL_STATUS_EXPIRED_MASK : 0U, false, true};
    default:
      return {};
  }
}

bool Timer::write(std::uint32_t offset, std::uint32_t value, std::uint64_t now) {
  switch (offset) {
    case TRAPEZE_TIMERS_CHANNEL_CONTROL_OFFSET: {
      const bool enable = (value & TRAPEZE_TIMERS_CHANNEL_CONTROL_ENABLE_MASK) != 0;
      if (enabled_ && !enable) stopped_count_ = read(TRAPEZE_TIMERS_CHANNEL_COUNT_OFFSET, now + 1).value;
      const bool was_low = pulse_ ? now + 1 != pulse_end_ : !expired_;
      enabled_ = enable;
      one_shot_ = (value & TRAPEZE_TIMERS_CHANNEL_CONTROL_ONE_SHOT_MASK) != 0;
      pulse_ = (value & TRAPEZE_TIMERS_CHANNEL_CONTROL_PULSE_MASK) != 0;
      if (enable) {
        zero_ = now + 1;
        next_ = zero_ + period();
      }
      return was_low && !pulse_ && expired_;
    }
    case TRAPEZE_TIMERS_CHANNEL_PERIOD_OFFSET:
      period_ = value;
      next_ = std::max(zero_ + period(), now + 2);
      return false;
    case TRAPEZE_TIMERS_CHANNEL_STATUS_OFFSET:
      if ((value & TRAPEZE_TIMERS_CHANNEL_STATUS_EXPIRED_MASK) != 0) expired_ = false;
      return false;
    default:
      return false;
  }
}

bool Timer::expire() {
  const bool rises = will_rise();
  expired_ = true;
  pulse_end_ = next_ + 1;
  zero_ = next_;
  next_ = zero_ + period();
  if (one_shot_) {
    enabled_ = false;
    stopped_count_ = 0;
  }
  return rises;
}

void Timer::skip(std::uint64_t now) {
  if (expires_at() > now) return;
  expire();
  if (!enabled_ || next_ > now) return;
  zero_ = next_ + (now - next_) / period() * period();
  pulse_end_ = zero_ + 1;
  next_ = zero_ + period();
}

}  // namespace trapeze::model
