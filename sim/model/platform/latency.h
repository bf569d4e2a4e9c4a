// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * The latency measurement as a device: two probes, the random data generator, the triple timer and the registers of the
 * stress generator. Sources: the memory map and register descriptions in regs/, hw/soc/README.md for how the blocks are
 * connected.
 *
 * Time is the model's, so latencies are those of a machine that executes an instruction in a cycle: the blocks work,
 * and what they measure is no statement about the hardware. There is no bus to put stress on: the stress generator
 * makes no access.
 */
#ifndef TRAPEZE_SIM_MODEL_PLATFORM_LATENCY_H
#define TRAPEZE_SIM_MODEL_PLATFORM_LATENCY_H

#include <array>

#include "model/platform/generator.h"
#include "model/platform/probe.h"
#include "model/platform/timer.h"

namespace trapeze::model {

/** Parameters of the blocks. */
struct LatencyParameters {
  unsigned width = 16;   ///< bits of a latency
  unsigned depth = 512;  ///< samples of a probe
  unsigned words = 16;   ///< of a block of data
  unsigned cycles = 32;  ///< from the timer to data ready
};

class Latency final : public Device {
 public:
  explicit Latency(const LatencyParameters& parameters);

  void reset() override;

  /** Level of the interrupt output: data are ready. */
  bool interrupt(std::uint64_t now) {
    if (active_) advance(now);
    return generator_.ready();
  }
  /** First time after `now` at which interrupt() may rise by itself. */
  std::uint64_t next_event(std::uint64_t now) const;
  /** The generator was started or may be by the timer, and not stopped and acknowledged since: interrupt() may be true
   * at some time. */
  bool active() const { return active_; }

 private:
  DeviceRead on_read(std::uint32_t offset, unsigned enables, std::uint64_t now, const Origin& from) override;
  bool on_write(std::uint32_t offset, unsigned enables, std::uint32_t value, std::uint64_t now,
                const Origin& from) override;

  static constexpr std::size_t kTimers = 3;

  /** Everything that happens up to `now`. */
  void advance(std::uint64_t now);
  void timer_rises(std::uint64_t now);
  DeviceRead read_timer(std::uint32_t offset, std::uint64_t now) const;
  void write_timer(std::uint32_t offset, std::uint32_t value, std::uint64_t now);
  DeviceRead read_stress(std::uint32_t offset) const;
  void write_stress(std::uint32_t offset, std::uint32_t value);

  std::array<LatencyProbe, 2> probes_;
  RandomGenerator generator_;
  std::array<Timer, kTimers> timers_;
  bool active_ = false;
  std::uint32_t stress_rate_ = 0;
  std::uint32_t stress_seed_ = 0;
  std::uint32_t stress_banks_ = 0;
};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_PLATFORM_LATENCY_H
