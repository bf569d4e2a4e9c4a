// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * What a debugger has changed of a hart in debug mode, gathered from the records of that mode, for the reference. Its
 * instructions are the debug module's, not the program's: they are not compared.
 */
#ifndef TRAPEZE_SIM_LOCKSTEP_FOLLOWING_DEBUGGER_WRITES_H
#define TRAPEZE_SIM_LOCKSTEP_FOLLOWING_DEBUGGER_WRITES_H

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/following/reference.h"

namespace trapeze::following {

/** The number of the first trigger that asks for debug mode in TZ_REGISTER_TRIGGERS. */
std::string first_trigger(unsigned asked);

class DebuggerWrites {
 public:
  /** A record of debug mode. Returns a complaint, if the reference cannot follow the instruction; else empty. */
  std::string see(const tz_retire& record, Reference& reference);
  /** Makes the changes of the halts that began before a cycle, of those that were not made yet. Returns a complaint
   * about the leader's triggers, or nothing. */
  std::string apply(Reference& reference, std::uint64_t before = ~std::uint64_t{0}) {
    std::string complaint;
    for (; !halts_.empty() && halts_.front().since < before; halts_.pop_front()) {
      std::string text = apply(reference, halts_.front());
      if (complaint.empty()) complaint = std::move(text);
    }
    return complaint;
  }

  /** Whether the hart executes single steps without interrupts: dcsr.step, and not stepie. */
  bool masks_interrupts() const { return (dcsr_ & kStep) != 0 && (dcsr_ & kStepInterrupts) == 0; }

 private:
  static constexpr std::uint64_t kStep = 1U << 2, kStopCount = 1U << 10, kStepInterrupts = 1U << 11;  ///< of dcsr

  /** An access to a register of triggers. What it does depends on those before it. */
  struct TriggerAccess {
    unsigned number;
    bool writes;
    std::uint64_t value;  ///< as it was written, or read
  };
  /** From the begin of debug mode to a dret. */
  struct Halt {
    std::uint64_t since = 0;  ///< cycle of its first instruction
    bool over = false;
    bool steps = false;                             ///< dcsr.step was set when it began
    std::map<unsigned, std::uint64_t> registers{};  ///< values of registers that were written
    std::map<unsigned, std::uint64_t> csrs{};
    std::optional<std::uint64_t> saved{};  ///< what the debug module's program has saved of its register
    std::uint64_t counted = 0;             ///< instructions that minstret counts
    std::vector<TriggerAccess> triggers{};
    std::optional<unsigned> cause{};  ///< of debug mode, if the debugger has read it
    bool stores = false;              ///< the debugger has stored to memory
  };
  static std::string apply(Reference& reference, const Halt& halt);
  static std::string begin(Reference& reference, const Halt& halt, bool& certain);
  static std::string access(Reference& reference, const TriggerAccess& access, bool certain);

  std::deque<Halt> halts_;
  std::uint64_t dcsr_ = 0;  ///< as it was written last
};

}  // namespace trapeze::following

#endif  // TRAPEZE_SIM_LOCKSTEP_FOLLOWING_DEBUGGER_WRITES_H
