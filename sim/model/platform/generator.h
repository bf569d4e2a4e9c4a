// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Random data generator: answers an interrupt with a block of pseudo-random words. Sources: the register description in
 * regs/ and hw/probe/README.md; xorshift32 (Marsaglia, Xorshift RNGs, 2003; shifts 13, 17, 5).
 */
#ifndef TRAPEZE_SIM_MODEL_PLATFORM_GENERATOR_H
#define TRAPEZE_SIM_MODEL_PLATFORM_GENERATOR_H

#include <deque>
#include <optional>

#include "model/memory/device.h"

namespace trapeze::model {

class RandomGenerator {
 public:
  /** A block has `words` words and is ready `cycles` after its start. */
  RandomGenerator(unsigned words, unsigned cycles) : words_(words), cycles_(cycles) {}

  void reset() { *this = RandomGenerator(words_, cycles_); }
  /** `done` is set if the read took the last word of a block. */
  DeviceRead read(std::uint32_t offset, std::uint64_t now, bool& done);
  void write(std::uint32_t offset, std::uint32_t value, std::uint64_t now);

  /** The start input rises. */
  void interrupt(std::uint64_t now) {
    if (enabled_) start(now);
  }
  /** When the block under way will be ready. */
  std::optional<std::uint64_t> ready_at() const;
  /** It is. */
  void finish();
  /** Interrupt output. */
  bool ready() const { return ready_; }
  bool enabled() const { return enabled_; }
  bool busy() const { return begun_.has_value(); }

 private:
  void start(std::uint64_t now);
  /** Words of the block under way that exist at `now`. */
  void make(std::uint64_t now);

  unsigned words_;
  unsigned cycles_;
  bool enabled_ = false;
  bool ready_ = false;
  bool overrun_ = false;
  std::optional<std::uint64_t> begun_;
  std::uint32_t state_ = 1;
  std::deque<std::uint32_t> block_;
};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_PLATFORM_GENERATOR_H
