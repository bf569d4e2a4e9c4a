// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Integer registers whose value the specifications leave open: all of them after a reset, and with fastirq those of a
 * fresh bank. The leader shows such a value with the first instruction that reads it; from then on it is known.
 */
#ifndef TRAPEZE_SIM_LOCKSTEP_FOLLOWING_OPEN_REGISTERS_H
#define TRAPEZE_SIM_LOCKSTEP_FOLLOWING_OPEN_REGISTERS_H

#include <cstdint>
#include <trapeze/isa.hpp>

#include "lockstep/following/reference.h"

namespace trapeze::following {

class OpenRegisters {
 public:
  explicit OpenRegisters(Reference& reference)
      : reference_(reference), bits_(reference.is_embedded() ? kLower : kAll) {}

  /** The open registers: bit n is register xn. */
  std::uint32_t bits() const { return bits_; }
  void set(std::uint32_t bits) { bits_ = bits; }

  /** The open registers that may read only zero or the reference's value: a handler of user mode must not see what
   * machine mode has left in a register (docs/user-level-interrupts.md). */
  std::uint32_t guarded() const { return guarded_; }
  void guard(std::uint32_t bits) { guarded_ = bits; }

  /** Before the leader's instruction: the reference takes the values of the open registers that the instruction reads
   * from the leader's record. An instruction that could not be fetched reads none. */
  void adopt(const tz_retire& leader) {
    const bool fetched = (leader.flags & TZ_RETIRE_TRAP) == 0 || leader.cause != isa::exception::kFetchFault;
    if (bits_ == 0 || !fetched) return;
    take(leader.rs1, leader.rs1_value);
    take(leader.rs2, leader.rs2_value);
  }

  /** After the reference's instruction: a register that it has written is no longer open. */
  void finish(const tz_retire& own) {
    if ((own.flags & TZ_RETIRE_TRAP) == 0 && own.rd != 0) bits_ &= ~bit(own.rd);
  }

 private:
  /** x1 to x31. */
  static constexpr std::uint32_t kAll = ~std::uint32_t{1};
  /** The registers of RV32E. The record of an illegal instruction may name others. */
  static constexpr std::uint32_t kLower = 0xfffe;

  static constexpr std::uint32_t bit(unsigned number) { return std::uint32_t{1} << (number & 31U); }

  void take(unsigned number, std::uint64_t value) {
    if ((bits_ & bit(number)) == 0) return;
    if ((guarded_ & bit(number)) == 0 || value == 0) reference_.set_x(number & 31U, value);
    bits_ &= ~bit(number);
  }

  Reference& reference_;
  std::uint32_t bits_;
  std::uint32_t guarded_ = 0;
};

}  // namespace trapeze::following

#endif  // TRAPEZE_SIM_LOCKSTEP_FOLLOWING_OPEN_REGISTERS_H
