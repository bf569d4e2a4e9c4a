// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * CLINT: software interrupts, timer. Registers of hart n follow those of hart 0, as in SiFive's CLINT.
 *
 * The unit of time is the caller's: clock cycles, or instructions. With clock cycles every value and every interrupt is
 * exact to the cycle (hw/irq/clint/README.md, table of cycles). Source: the register description in regs/.
 *
 * An access or a question names its time, and advances the CLINT to it. A time before the one that has been reached is
 * treated as the one that has been reached: time never goes back.
 */
#ifndef TRAPEZE_SIM_MODEL_PLATFORM_CLINT_H
#define TRAPEZE_SIM_MODEL_PLATFORM_CLINT_H

#include <vector>

#include "model/memory/device.h"
#include "model/platform/interrupt_source.h"
#include "model/platform/level_changes.h"
#include "model/time/time_source.h"

namespace trapeze::model {

/** Its interrupt outputs: 2 n is the software interrupt of hart n, 2 n + 1 its timer interrupt. */
class Clint final : public Device, public InterruptSource, public TimeSource {
 public:
  explicit Clint(unsigned harts) : harts_(harts) {}

  void reset() override;
  /** Resets the registers of one hart at time `now`; mtime, which all harts share, goes on. */
  void reset_hart(unsigned hart, std::uint64_t now);

  /** Everything that happens before `now`. */
  void advance(std::uint64_t now);
  // Its two outputs to a hart.
  bool software(unsigned hart) const { return harts_[hart].software.level(); }
  bool timer(unsigned hart, std::uint64_t now) {
    advance(now);
    return harts_[hart].timer.level();
  }
  LevelChanges& software_output(unsigned hart) { return harts_[hart].software; }
  LevelChanges& timer_output(unsigned hart) { return harts_[hart].timer; }

  std::uint64_t mtime(std::uint64_t now) const override { return now + offset_; }
  std::uint64_t mtimecmp(unsigned hart) const { return harts_[hart].mtimecmp; }
  bool level(unsigned output, std::uint64_t now) override {
    return output % 2 == 0 ? software(output / 2) : timer(output / 2, now);
  }
  /** First time after `now` at which timer() becomes true by itself, of a hart and of any. */
  std::uint64_t next_event(unsigned hart, std::uint64_t now) const;
  std::uint64_t next_event(std::uint64_t now) const override;

 private:
  struct Hart {
    std::uint64_t mtimecmp = kNever;
    std::uint64_t compared = 1;  ///< time from which on the timer interrupt follows the present registers
    LevelChanges software;
    LevelChanges timer;
  };

  DeviceRead on_read(std::uint32_t offset, unsigned enables, std::uint64_t now, const Origin& from) override;
  bool on_write(std::uint32_t offset, unsigned enables, std::uint32_t value, std::uint64_t now,
                const Origin& from) override;
  /** The next time at which the timer of a hart may change by itself, not before `from`; kNever: none. */
  std::uint64_t next_change(const Hart& hart, std::uint64_t from) const;
  /** A write in `now` turns the timer off until it has been compared anew. */
  static void compare_anew(Hart& hart, std::uint64_t now);

  std::vector<Hart> harts_;
  std::uint64_t time_ = 0;    ///< time that has been reached
  std::uint64_t offset_ = 0;  ///< mtime - now
};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_PLATFORM_CLINT_H
