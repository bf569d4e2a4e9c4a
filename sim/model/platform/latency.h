// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * The latency measurement as a device: two probes, the random data generator, the triple timer and the registers of the
 * stress generator. Sources: the memory map and register descriptions in regs/, hw/soc/README.md for how the blocks are
 * connected and when an access gets to them.
 *
 * The unit of time is the caller's: clock cycles, or instructions. With clock cycles every value and every level of the
 * interrupt is exact to the cycle. Otherwise the blocks work, but what they measure says nothing about the hardware.
 *
 * An access or a question names its time, and advances the blocks to it. A time before the one that has been reached is
 * treated as the one that has been reached: time never goes back.
 */
#ifndef TRAPEZE_SIM_MODEL_PLATFORM_LATENCY_H
#define TRAPEZE_SIM_MODEL_PLATFORM_LATENCY_H

#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "model/memory/device.h"
#include "model/platform/generator.h"
#include "model/platform/interrupt_source.h"
#include "model/platform/level_changes.h"
#include "model/platform/probe.h"
#include "model/platform/stress.h"
#include "model/platform/timer.h"

namespace trapeze::model {

/** Parameters of the blocks. */
struct LatencyParameters {
  unsigned width = 16;   ///< bits of a latency
  unsigned depth = 512;  ///< samples of a probe
  unsigned words = 16;   ///< words of a block of data
  unsigned cycles = 32;  ///< from the timer to data ready
};

/** The signals between the blocks, in the order of their numbers. Source: the names of `signal_o`,
 * sim/rtl/rtl_engine.cpp.
 */
constexpr std::array<const char*, 3> kLatencySignals = {"timer_irq", "data_ready", "read_done"};
/** On a platform with a second block, that of the application harts, its signals come behind those. */
constexpr std::array<const char*, 6> kLatencySignalsOfTwo = {"timer_irq",     "data_ready",     "read_done",
                                                             "app_timer_irq", "app_data_ready", "app_read_done"};

class Latency final : public Device, public InterruptSource, public StressSource {
 public:
  explicit Latency(const LatencyParameters& parameters);

  void reset() override;
  unsigned delay() const override { return kDelay; }
  bool takes(std::uint32_t offset, std::uint64_t now) override;

  /** Everything that happens before `now`. */
  void advance(std::uint64_t now);
  std::optional<StressAccess> stress(std::uint64_t now) override {
    if (!stress_.active()) return std::nullopt;
    advance(now);
    return stress_.access();
  }
  /** Level of the interrupt output: data are ready. */
  bool interrupt(std::uint64_t now) {
    if (active_) advance(now);
    return output_.level();
  }
  /** First time after `now` at which interrupt() may rise by itself. */
  std::uint64_t next_event(std::uint64_t now) const override;
  bool level(unsigned /*output*/, std::uint64_t now) override { return interrupt(now); }
  LevelChanges& interrupt_output() { return output_; }

  /** A signal was low in the cycle before `time` and is high in `time`. */
  struct Rise {
    std::uint64_t time;
    unsigned signal;  ///< of kLatencySignals
  };
  /** Accesses are of modelled harts alone: each is in the block in the cycle in which its instruction begins, whatever
   * the block's wires were asked before for another hart that has reached that cycle. */
  void access_at_begin() { early_ = 0; }
  /** From now on rises are kept until they are taken, or not. */
  void keep_rises(bool keep) { keeps_rises_ = keep; }
  /** Those since the last call. */
  std::vector<Rise> take_rises() { return std::exchange(rises_, {}); }

 private:
  enum class Part : std::uint8_t { kSamples0, kRegs0, kSamples1, kRegs1, kRandom, kTimer, kStress, kNone };
  DeviceRead on_read(std::uint32_t offset, unsigned enables, std::uint64_t now, const Origin& from) override;
  bool on_write(std::uint32_t offset, unsigned enables, std::uint32_t value, std::uint64_t now,
                const Origin& from) override;

  static constexpr std::size_t kTimers = 3;
  static constexpr unsigned kDelay = 3;  ///< hw/soc/README.md: a read that asks in cycle t is granted in t + 3

  /** The part at `offset` of the region; changes `offset` to the offset in that part. */
  static Part find(std::uint32_t& offset);
  void step(Part part, std::uint32_t offset, const BlockWrite* write);
  /** For how many cycles from now on the blocks only count; and lets so many cycles pass. */
  std::uint64_t quiet() const;
  void skip(std::uint64_t cycles);
  void note_rises(unsigned levels);
  std::optional<std::uint32_t> value_of(Part part, std::uint32_t offset) const;

  std::array<LatencyProbe, 2> probes_;
  RandomGenerator generator_;
  std::array<Timer, kTimers> timers_;
  StressGenerator stress_;
  LevelChanges output_;     ///< changes of the interrupt output
  std::uint64_t time_ = 0;  ///< time that has been reached
  std::vector<Rise> rises_;
  bool keeps_rises_ = false;
  std::uint64_t early_ = 1;  ///< an access that the bus grants in cycle t reaches the block in cycle t - 1
  unsigned levels_ = 0;      ///< of the signals in the last cycle, a bit each
  bool read_done_ = false;   ///< the read of the last word of a block is answered
  bool settled_ = true;      ///< no signal between the blocks has changed
  bool active_ = false;      ///< the generator was started or may be by the timer, and not stopped since
};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_PLATFORM_LATENCY_H
