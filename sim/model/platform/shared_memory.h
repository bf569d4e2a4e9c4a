// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * When the memory that harts share is busy: line transfers of modelled harts, one beat a cycle, and the single accesses
 * of a tile between them. sim/timing/README.md, "Memory that a tile shares", has the rules.
 */
#ifndef TRAPEZE_SIM_MODEL_PLATFORM_SHARED_MEMORY_H
#define TRAPEZE_SIM_MODEL_PLATFORM_SHARED_MEMORY_H

#include <cstdint>
#include <deque>
#include <utility>

#include "model/memory/port_turns.h"
#include "model/platform/plan.h"

namespace trapeze::model {

class SharedMemory {
 public:
  explicit SharedMemory(const SharedMemoryPlan& plan) : line_(plan.beats), turns_(plan.turn), fresh_(turns_) {}

  void reset() {
    turns_ = fresh_;
    transfers_.clear();
    next_ = waited_ = 0;
  }

  /** An instruction that begins in cycle `now` transfers lines, and single words that no cache holds: they ask from the
   * next cycle on, behind what is there. Returns how long it waits for that, and for what the tile has had of earlier
   * transfers. */
  std::uint64_t transfer(std::uint64_t now, unsigned lines, unsigned words) {
    advance(now + 1);
    std::uint64_t wait = std::exchange(waited_, 0);
    for (const unsigned beats : transfers_) wait += beats;
    transfers_.insert(transfers_.end(), lines, line_);
    transfers_.insert(transfers_.end(), words, 1);
    return wait;
  }
  /** Whether the access of the tile that asks in cycle `now` is granted there. Once a cycle. */
  bool word(std::uint64_t now) {
    advance(now);
    return cycle(true);
  }

 private:
  /** Cycles before `now` in which the tile did not ask. */
  void advance(std::uint64_t now) {
    while (next_ < now && !transfers_.empty()) cycle(false);
    next_ = next_ < now ? now : next_;
  }
  bool cycle(bool word) {
    ++next_;
    const bool line = !transfers_.empty();
    const PortTurns::Granted granted = turns_.cycle(line, line && transfers_.front() == 1, word);
    if (granted == PortTurns::Granted::kLine && --transfers_.front() == 0) transfers_.pop_front();
    if (granted != PortTurns::Granted::kWord) return false;
    waited_ += line ? 1 : 0;
    return true;
  }

  unsigned line_;  ///< beats of a line
  PortTurns turns_, fresh_;
  std::deque<unsigned> transfers_;  ///< beats left of each, from cycle next_ on
  std::uint64_t next_ = 0;          ///< all cycles before this one are over
  std::uint64_t waited_ = 0;        ///< cycles that the tile has had and transfers waited for, and no hart knows of
};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_MODEL_PLATFORM_SHARED_MEMORY_H
