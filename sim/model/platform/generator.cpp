// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "model/platform/generator.h"

#include <trapeze/random.h>

#include "model/time/instant.h"

namespace trapeze::model {

std::uint32_t RandomGenerator::read(std::uint32_t offset) const {
  switch (offset) {
    case TRAPEZE_RANDOM_DATA_OFFSET:
      return ready_ ? block_.front() : 0;
    case TRAPEZE_RANDOM_STATUS_OFFSET:
      return (ready_ ? TRAPEZE_RANDOM_STATUS_READY_MASK |
                           (static_cast<std::uint32_t>(block_.size()) << TRAPEZE_RANDOM_STATUS_WORDS_SHIFT)
                     : 0U) |
             (busy_ ? TRAPEZE_RANDOM_STATUS_BUSY_MASK : 0U) | (overrun_ ? TRAPEZE_RANDOM_STATUS_OVERRUN_MASK : 0U);
    case TRAPEZE_RANDOM_CONTROL_OFFSET:
      return enabled_ ? TRAPEZE_RANDOM_CONTROL_ENABLE_MASK : 0U;
    case TRAPEZE_RANDOM_SEED_OFFSET:
      return state_;
    default:
      return 0;
  }
}

void RandomGenerator::step(bool interrupt, const BlockWrite* write, bool takes) {
  const bool control = write != nullptr && write->offset == TRAPEZE_RANDOM_CONTROL_OFFSET;
  const bool acknowledged = control && (write->value & TRAPEZE_RANDOM_CONTROL_ACK_MASK) != 0;
  const bool starts =
      (interrupt && !interrupted_ && enabled_) || (control && (write->value & TRAPEZE_RANDOM_CONTROL_START_MASK) != 0);
  const bool occupied = busy_ || ready_;
  interrupted_ = interrupt;

  // Beginning with the first cycle after the start, one word is made in each cycle.
  const bool makes = busy_ && passed_ <= words_;
  const std::uint32_t word = next_random(state_);
  if (makes) state_ = word;
  if (makes) block_.push_back(word);
  if (busy_ && passed_++ == cycles_ - 1) {
    busy_ = false;
    ready_ = true;
  } else if (takes && ready_) {
    block_.pop_front();
    ready_ = !block_.empty();
  }
  if (starts && occupied) overrun_ = true;
  if (starts && !occupied) {
    busy_ = true;
    passed_ = 1;
  }
  if (acknowledged) {
    // A start in the same cycle is lost.
    busy_ = ready_ = overrun_ = false;
    block_.clear();
  }
  if (control) enabled_ = (write->value & TRAPEZE_RANDOM_CONTROL_ENABLE_MASK) != 0;
  if (write != nullptr && write->offset == TRAPEZE_RANDOM_SEED_OFFSET) state_ = write->value == 0 ? 1 : write->value;
}

std::uint64_t RandomGenerator::quiet() const {
  if (!busy_) return kNever;
  return passed_ <= words_ ? 0 : cycles_ - 1 - passed_;
}

}  // namespace trapeze::model
