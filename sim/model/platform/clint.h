// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * CLINT: software interrupts, timer. Registers of hart n follow those of hart 0, as in SiFive's CLINT.
 *
 * Source: the register description in regs/ (offsets by its generated header).
 */
#ifndef TRAPEZE_SIM_MODEL_PLATFORM_CLINT_H
#define TRAPEZE_SIM_MODEL_PLATFORM_CLINT_H

#include <vector>

#include "model/memory/device.h"

namespace trapeze::model {

class Clint final : public Device {
 public:
  explicit Clint(unsigned harts) : harts_(harts) {}

  void reset() override;

  bool software(unsigned hart) const { return harts_[hart].msip; }
  bool timer(unsigned hart, std::uint64_t now) const { return mtime(now) >= harts_[hart].mtimecmp; }
  std::uint64_t mtime(std::uint64_t now) const { return now + offset_; }
  std::uint64_t mtimecmp(unsigned hart) const { return harts_[hart].mtimecmp; }
  /** First time after `now` at which timer() becomes true by itself. */
  std::uint64_t next_event(unsigned hart, std::uint64_t now) const;
  /** Makes mtime read `value` at `now`. */
  void set_mtime(std::uint64_t value, std::uint64_t now) { offset_ = value - now; }

 private:
  DeviceRead on_read(std::uint32_t offset, unsigned enables, std::uint64_t now, const Origin& from) override;
  bool on_write(std::uint32_t offset, unsigned enables, std::uint32_t value, std::uint64_t now,
                const Origin& from) override;

  struct Hart {
    bool msip = false;
    std::uint64_t mtimecmp = kNever;
  };
  std::vector<Hart> harts_;
  std::uint64_t offset_ = 0;  ///< mtime - now
};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_PLATFORM_CLINT_H
