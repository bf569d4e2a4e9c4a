// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * One of the three timers. Sources: the register description in regs/ and hw/probe/README.md.
 */
#ifndef TRAPEZE_SIM_MODEL_PLATFORM_TIMER_H
#define TRAPEZE_SIM_MODEL_PLATFORM_TIMER_H

#include "model/platform/block.h"

namespace trapeze::model {

class Timer {
 public:
  std::uint32_t read(std::uint32_t offset) const;
  /** Simulates one cycle. `write`: a write to a register, with the offset in the timer; null: no write. */
  void step(const BlockWrite* write);
  /** Simulates so many cycles without a write. */
  void skip(std::uint64_t cycles);
  /** Number of cycles for which the output certainly stays as it is. */
  std::uint64_t quiet() const;
  bool output() const { return pulse_ ? expired_now_ : expired_; }

 private:
  std::uint64_t period() const { return period_ == 0 ? std::uint64_t{1} << 32 : period_; }
  /** Number of cycles before the one in which the timer expires. */
  std::uint64_t left() const { return count_ >= period() - 1 ? 0 : period() - 1 - count_; }

  bool enabled_ = false;
  bool one_shot_ = false;
  bool pulse_ = false;
  bool expired_ = false;
  bool expired_now_ = false;  ///< the timer has expired in the last cycle
  std::uint32_t period_ = 0;
  std::uint32_t count_ = 0;
};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_PLATFORM_TIMER_H
