// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * The stress generator: its registers, its count of accesses, and which access it makes. Harts of the model do not
 * notice it: their memories have no contention. Sources: the register description in regs/ and hw/soc/README.md.
 */
#ifndef TRAPEZE_SIM_MODEL_PLATFORM_STRESS_H
#define TRAPEZE_SIM_MODEL_PLATFORM_STRESS_H

#include <trapeze/stress.h>

#include <bit>
#include <optional>

#include "model/platform/block.h"

namespace trapeze::model {

/** A read of a bank by the stress generator. */
struct StressAccess {
  unsigned bank;       ///< number of its bit in the register `banks`
  std::uint32_t word;  ///< any number; its lowest bits are the number of the word in the bank
};

/** Who makes such accesses. */
class StressSource {
 public:
  /** The access in cycle `now`, if there is one. */
  virtual std::optional<StressAccess> stress(std::uint64_t now) = 0;

 protected:
  StressSource() = default;
  StressSource(const StressSource&) = default;
  StressSource& operator=(const StressSource&) = default;
  ~StressSource() = default;
};

class StressGenerator {
 public:
  /** Whether accesses are made, or may begin. */
  bool active() const { return rate_ != 0 || begun_; }
  /** The access of this cycle, if there is one. */
  std::optional<StressAccess> access() const { return begun_ ? std::optional<StressAccess>(access_) : std::nullopt; }

  std::uint32_t read(std::uint32_t offset) const {
    switch (offset) {
      case TRAPEZE_STRESS_RATE_OFFSET:
        return rate_;
      case TRAPEZE_STRESS_SEED_OFFSET:
        return state_;
      case TRAPEZE_STRESS_BANKS_OFFSET:
        return banks_;
      case TRAPEZE_STRESS_ACCESSES_OFFSET:
        return accesses_;
      default:
        return 0;
    }
  }

  /** Simulates one cycle, with a write to a register; null: no write. */
  void step(const BlockWrite* write) {
    constexpr std::uint32_t kBanks =
        TRAPEZE_STRESS_BANKS_IMEM_MASK | TRAPEZE_STRESS_BANKS_DMEM_MASK | TRAPEZE_STRESS_BANKS_SMEM_MASK;
    skip(1);
    if (write == nullptr) return;
    if (write->offset == TRAPEZE_STRESS_RATE_OFFSET) {
      rate_ = write->value & TRAPEZE_STRESS_RATE_CHANCE_MASK;
      accesses_ = 0;
    }
    if (write->offset == TRAPEZE_STRESS_SEED_OFFSET) state_ = write->value == 0 ? 1 : write->value;
    if (write->offset == TRAPEZE_STRESS_BANKS_OFFSET) banks_ = write->value & kBanks;
  }

  /** Simulates so many cycles without a write. */
  void skip(std::uint64_t cycles) {
    for (; cycles != 0 && (rate_ != 0 || begun_); --cycles) {
      accesses_ += begun_ ? 1 : 0;
      begun_ = (state_ & kChance) < rate_ && banks_ != 0;
      if (begun_) access_ = {bank(), state_ >> 8};
      if (rate_ != 0) state_ = next_random(state_);
    }
  }

 private:
  /** The enabled bank that eight random bits choose. */
  unsigned bank() const {
    std::uint32_t left = banks_;
    for (std::uint32_t n = static_cast<std::uint32_t>(std::popcount(left)) * (state_ >> 8 & kChance) >> 8; n != 0;
         --n) {
      left &= left - 1;
    }
    return static_cast<unsigned>(std::countr_zero(left));
  }

  static constexpr std::uint32_t kChance = 0xff;  ///< bits of the state that decide whether an access begins

  std::uint32_t rate_ = TRAPEZE_STRESS_RATE_RESET;
  std::uint32_t state_ = TRAPEZE_STRESS_SEED_RESET;
  std::uint32_t banks_ = TRAPEZE_STRESS_BANKS_RESET;
  std::uint32_t accesses_ = 0;
  bool begun_ = false;  ///< an access has begun in the last cycle
  StressAccess access_{};
};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_PLATFORM_STRESS_H
