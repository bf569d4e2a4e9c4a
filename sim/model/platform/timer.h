// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * One of the three timers of the triple timer. Sources: the register description in regs/ and hw/probe/README.md.
 */
#ifndef TRAPEZE_SIM_MODEL_PLATFORM_TIMER_H
#define TRAPEZE_SIM_MODEL_PLATFORM_TIMER_H

#include "model/memory/device.h"

namespace trapeze::model {

class Timer {
 public:
  /** Registers by their offset inside the timer; expiries up to `now` must have been made. */
  DeviceRead read(std::uint32_t offset, std::uint64_t now) const;
  /** True if the output rises at once: from pulse to level with an expiry that was not cleared. */
  bool write(std::uint32_t offset, std::uint32_t value, std::uint64_t now);

  /** When it expires next; kNever if it is off. */
  std::uint64_t expires_at() const { return enabled_ ? next_ : kNever; }
  /** It expires, at expires_at(). True if the output rises. */
  bool expire();
  /** The output will rise at the next expiry. */
  bool will_rise() const { return pulse_ ? pulse_end_ != next_ : !expired_; }
  /** All expiries up to `now` at once, for one whose output nobody looks at. */
  void skip(std::uint64_t now);

 private:
  std::uint64_t period() const { return period_ == 0 ? std::uint64_t{1} << 32 : period_; }

  bool enabled_ = false;
  bool one_shot_ = false;
  bool pulse_ = false;
  bool expired_ = false;
  std::uint32_t period_ = 0;
  std::uint32_t stopped_count_ = 0;  ///< while it is off
  std::uint64_t zero_ = 0;           ///< when the count was 0
  std::uint64_t next_ = 0;
  std::uint64_t pulse_end_ = kNever;
};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_PLATFORM_TIMER_H
