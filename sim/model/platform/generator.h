// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Random data generator: answers an interrupt with a block of pseudo-random words. Sources: the register description in
 * regs/ and hw/probe/README.md.
 */
#ifndef TRAPEZE_SIM_MODEL_PLATFORM_GENERATOR_H
#define TRAPEZE_SIM_MODEL_PLATFORM_GENERATOR_H

#include <deque>

#include "model/platform/block.h"

namespace trapeze::model {

class RandomGenerator {
 public:
  /** A block of `words` words is ready `cycles` cycles after its start. */
  RandomGenerator(unsigned words, unsigned cycles) : words_(words), cycles_(cycles) {}

  void reset() { *this = RandomGenerator(words_, cycles_); }
  std::uint32_t read(std::uint32_t offset) const;
  /** Simulates one cycle. `interrupt`: level of the start input; `write`: a register write in this cycle, or null;
   * `takes`: whether a word of the block is read in this cycle. */
  void step(bool interrupt, const BlockWrite* write, bool takes);
  /** For how many cycles from now on nothing happens but that a block under way gets ready. */
  std::uint64_t quiet() const;
  /** Lets so many of those cycles pass. */
  void skip(std::uint64_t cycles) { passed_ += busy_ ? cycles : 0; }

  /** Interrupt output. */
  bool ready() const { return ready_; }
  bool enabled() const { return enabled_; }
  bool busy() const { return busy_; }
  /** Cycles until the block under way is ready. */
  std::uint64_t left() const { return cycles_ - passed_; }
  /** Whether one word of the block is left. */
  bool has_last() const { return ready_ && block_.size() == 1; }

 private:
  unsigned words_;
  unsigned cycles_;
  bool enabled_ = false;
  bool ready_ = false;
  bool overrun_ = false;
  bool busy_ = false;         ///< a block is under way
  bool interrupted_ = false;  ///< level of the start input in the last cycle
  std::uint64_t passed_ = 0;  ///< cycles since the start of the block under way
  std::uint32_t state_ = 1;
  std::deque<std::uint32_t> block_;
};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_PLATFORM_GENERATOR_H
