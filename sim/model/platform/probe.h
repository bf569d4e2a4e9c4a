// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Latency probe: measures the time from the rise of one signal to the rise of another. Without histogram and sums.
 * Sources: the register description in regs/; the rules and cycles of hw/probe/README.md.
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
  /** A word of the sample memory. Nothing: its value is not defined, because no latency was stored there yet, or one is
   * stored in this cycle. */
  std::optional<std::uint32_t> sample(std::uint32_t offset) const;
  /** Simulates one cycle, with the levels of the signals and a write to a register; null: no write. */
  void step(bool interrupt, bool acknowledge, const BlockWrite* write);
  /** Whether a latency is recorded in this cycle: the registers wait. */
  bool recording() const { return recording_ != 0; }
  /** For how many cycles from now on the probe only counts, if its signals stay; and lets so many cycles pass. */
  std::uint64_t quiet() const;
  void skip(std::uint64_t cycles) { latency_ += measuring_ && latency_ != largest_ ? cycles : 0; }

 private:
  /** Does the step of the recorder in one cycle after an acknowledge. */
  void record();
  void write(std::uint32_t offset, std::uint32_t value);
  std::uint32_t control() const;
  /** Value that a register of recorded latencies reads: zero until a latency has been recorded since the last clear. */
  std::uint32_t recorded(std::uint32_t value) const { return none_ ? 0 : value; }

  std::uint64_t largest_;
  std::vector<std::optional<std::uint32_t>> samples_;
  bool interrupt_ = false;  ///< levels of the signals in the last cycle
  bool acknowledge_ = false;
  bool on_ = false;
  bool measuring_ = false;
  unsigned recording_ = 0;     ///< cycles since the acknowledge, while a latency is recorded; else 0
  std::uint64_t latency_ = 0;  ///< the latency that is measured, or the last one
  std::optional<std::uint32_t> alarm_latency_;
  bool alarm_ = false;
  bool overflow_ = false;
  bool none_ = true;  ///< no latency has been recorded since the last clear
  std::uint32_t missed_ = 0;
  std::uint32_t num_ = 0;
  std::uint32_t last_ = 0;
  std::uint32_t max_ = 0;
  std::uint32_t min_ = 0;
};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_PLATFORM_PROBE_H
