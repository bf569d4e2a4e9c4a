// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Latency probe: time from the rise of one signal to the rise of another. Sources: the register description in regs/
 * and the rules of hw/probe/README.md. Without histogram and sums.
 */
#ifndef TRAPEZE_SIM_MODEL_PLATFORM_PROBE_H
#define TRAPEZE_SIM_MODEL_PLATFORM_PROBE_H

#include <optional>
#include <vector>

#include "model/memory/device.h"

namespace trapeze::model {

class LatencyProbe {
 public:
  /** `width`: bits of a latency; `depth`: samples that are kept, a power of two. */
  LatencyProbe(unsigned width, unsigned depth);

  void reset();
  DeviceRead read(std::uint32_t offset) const;
  void write(std::uint32_t offset, std::uint32_t value);
  /** Word of the sample memory. */
  std::uint32_t sample(std::uint32_t offset) const { return samples_[offset / 4 % samples_.size()]; }

  /** The signals rise. Calls are in the order of time; of those at the same time the acknowledge comes first. */
  void interrupt(std::uint64_t now);
  void acknowledge(std::uint64_t now);

 private:
  void record(std::uint64_t latency);
  std::uint32_t control() const;

  std::uint32_t largest_;
  std::vector<std::uint32_t> samples_;
  bool on_ = false;
  std::optional<std::uint64_t> begun_;
  std::uint64_t busy_until_ = 0;  ///< recording of the last latency
  std::optional<std::uint32_t> alarm_latency_;
  bool alarm_ = false;
  bool overflow_ = false;
  std::uint32_t missed_ = 0;
  std::uint32_t num_ = 0;
  std::uint32_t last_ = 0;
  std::uint32_t max_ = 0;
  std::uint32_t min_ = 0;
};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_PLATFORM_PROBE_H
