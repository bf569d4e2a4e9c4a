// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Latency probe: time from the rise of one signal to the rise of another. Sources: the register description in regs/
 * and the rules and cycles of hw/probe/README.md. Without histogram and sums.
 */
#ifndef TRAPEZE_SIM_MODEL_PLATFORM_PROBE_H
#define TRAPEZE_SIM_MODEL_PLATFORM_PROBE_H

#include <optional>
#include <vector>

#include "model/platform/block.h"

namespace trapeze::model {

class LatencyProbe {
 public:
  /** `width`: bits of a latency; `depth`: samples that are kept, a power of two. */
  LatencyProbe(unsigned width, unsigned depth);

  void reset();
  std::uint32_t read(std::uint32_t offset) const;
  /** Word of the sample memory; nothing: it says nothing, because no latency was stored there yet or is in this cycle.
   */
  std::optional<std::uint32_t> sample(std::uint32_t offset) const;
  /** One cycle with the signals and a write to a register, or null. */
  void step(bool interrupt, bool acknowledge, const BlockWrite* write);
  /** Cycles in which it does nothing but count if its signals stay, and these. */
  std::uint64_t quiet() const;
  void skip(std::uint64_t cycles) { latency_ += measuring_ && latency_ != largest_ ? cycles : 0; }

 private:
  /** What it does in the cycles behind an acknowledge. */
  void record();
  void write(std::uint32_t offset, std::uint32_t value);
  std::uint32_t control() const;
  /** A latency has been recorded since the last clear. */
  std::uint32_t recorded(std::uint32_t value) const { return none_ ? 0 : value; }

  std::uint64_t largest_;
  std::vector<std::optional<std::uint32_t>> samples_;
  bool interrupt_ = false;  ///< the signals in the cycle before
  bool acknowledge_ = false;
  bool on_ = false;
  bool measuring_ = false;
  unsigned recording_ = 0;     ///< cycles since the acknowledge of the latency that is recorded; 0: none is
  std::uint64_t latency_ = 0;  ///< under way, or recorded
  std::optional<std::uint32_t> alarm_latency_;
  bool alarm_ = false;
  bool overflow_ = false;
  bool none_ = true;  ///< no latency yet
  std::uint32_t missed_ = 0;
  std::uint32_t num_ = 0;
  std::uint32_t last_ = 0;
  std::uint32_t max_ = 0;
  std::uint32_t min_ = 0;
};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_PLATFORM_PROBE_H
