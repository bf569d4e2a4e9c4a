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

  /** The registers that are open, as bits. */
  std::uint32_t bits() const { return bits_; }
  void set(std::uint32_t bits) { bits_ = bits; }

  /** Of those, the ones that show nothing but zero or what the reference has: in a handler of user mode what machine
   * mode left behind must not be seen (docs/user-level-interrupts.md). */
  std::uint32_t guarded() const { return guarded_; }
  void guard(std::uint32_t bits) { guarded_ = bits; }

  /** Before the leader's instruction: what it reads and is open, the reference takes from it. What could not be fetched
   * reads nothing. */
  void adopt(const tz_retire& leader) {
    const bool fetched = (leader.flags & TZ_RETIRE_TRAP) == 0 || leader.cause != isa::exception::kFetchFault;
    if (bits_ == 0 || !fetched) return;
    take(leader.rs1, leader.rs1_value);
    take(leader.rs2, leader.rs2_value);
  }

  /** Behind the reference's instruction. */
  void finish(const tz_retire& own) {
    if ((own.flags & TZ_RETIRE_TRAP) == 0 && own.rd != 0) bits_ &= ~bit(own.rd);
  }

 private:
  /** x1 to x31. */
  static constexpr std::uint32_t kAll = ~std::uint32_t{1};
  /** Those that RV32E has: the record of an illegal instruction may name another one. */
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
