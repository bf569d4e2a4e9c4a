// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * The model's hart with user-level interrupts, for tests that set its registers directly.
 */
#ifndef TRAPEZE_SIM_TEST_USER_HART_H
#define TRAPEZE_SIM_TEST_USER_HART_H

#include <gtest/gtest.h>
#include <trapeze/clic.h>
#include <trapeze/clic_user.h>

#include <initializer_list>
#include <vector>

#include "fast_hart.h"

namespace trapeze::model {

constexpr Params kUserFast = parse_params("rv32imac_zba_zbb_zbs")
                                 .with_clic(true)
                                 .with_fast(true)
                                 .with_user_interrupts(true)
                                 .with_pmp(8, 0, true);

constexpr std::uint32_t kUserEntry = kBase + 0x500;    ///< utvec
constexpr std::uint32_t kUserHandler = kBase + 0xc00;  ///< address of user mode's handlers: that of source n is at + 8
                                                       ///< n
constexpr std::uint32_t kUserLink = kBase + 0x380;     ///< address of an euret
constexpr std::uint32_t kUserTable = TRAPEZE_DMEM_BASE + 0x400;
constexpr std::uint32_t kUserOn = 1, kUserWasOn = 1U << 4, kMachineOn = 1U << 3;  ///< bits of mstatus
constexpr std::uint32_t kByMode = 8 | (1U << TRAPEZE_CLIC_MCLICCFG_NMBITS_SHIFT) |
                                  (8U << TRAPEZE_CLIC_MCLICCFG_UNLBITS_SHIFT);  ///< value of mcliccfg: 8 level bits for
                                                                                ///< each mode
constexpr std::uint8_t kRowR = isa::pmpcfg::kR, kRowW = isa::pmpcfg::kW, kRowX = isa::pmpcfg::kX,
                       kRowNa4 = isa::pmpcfg::kANa4, kRowNapot = isa::pmpcfg::kANapot, kRowLocked = isa::pmpcfg::kL;

constexpr std::uint32_t csr_op(unsigned kind, unsigned rd, unsigned number, unsigned rs1) {
  return 0x73U | (rd << 7) | (kind << 12) | (rs1 << 15) | (number << 20);
}
constexpr unsigned kCsrWrite = 1, kCsrSet = 2, kCsrClear = 3, kCsrImmediate = 4;

/** In user mode, which may access all; modes of sources count; fastirq of user mode is off. */
struct UserHart : FastHart<kUserFast> {
  UserHart() {
    for (unsigned id = 0; id < kSourceCount; ++id) {
      poke(kUserTable + 4 * id, user_handler(id));
      poke(user_handler(id), kNop);
      poke(user_handler(id) + 4, kEuret);
    }
    poke(kUserLink, kEuret);
    configure(kByMode);
    write(kUtvec, kUserEntry);
    write(kUtvt, kUserTable);
    row(7, kRowR | kRowW | kRowX | kRowNapot, 0xffffffff);
    hart().set_mode(kUser);
  }

  static std::uint32_t user_handler(unsigned id) { return kUserHandler + 8 * id; }
  void configure(std::uint32_t value) { machine.bus().write(TRAPEZE_CLIC_BASE, 0xf, value, 0); }
  void row(unsigned n, std::uint8_t config, std::uint32_t address) {
    write(kPmpaddr0 + n, address);
    const std::uint32_t others = read(kPmpcfg0 + n / 4) & ~(0xffU << (8 * (n % 4)));
    write(kPmpcfg0 + n / 4, others | (std::uint32_t{config} << (8 * (n % 4))));
  }
  /** Closes the word at `address` to user mode by row 0, except for `rights`. */
  void deny(std::uint32_t address, std::uint8_t rights = 0) { row(0, rights | kRowNa4, address / 4); }
  void fast_on(std::uint32_t nest = kNest) { write(kUfastirq, kUserLink | kEnable | nest); }
  void user_on() { write(kMstatus, read(kMstatus) | kUserOn); }
  /** Makes an edge-triggered source of `privilege` enabled and pending. */
  void raise(unsigned privilege, unsigned id, unsigned level, bool vectored = false) {
    const std::uint32_t attributes = (privilege << 22) | 0x00020000U | (vectored ? 0x10000U : 0U);
    machine.bus().write(address(id), 0xf, 0x101U | attributes | (level << 24), 0);
  }
  void set_user_level(unsigned level, unsigned interrupted = 0) {
    hart().csr().user().clic.level = static_cast<std::uint8_t>(level);
    hart().csr().user().clic.previous_level = static_cast<std::uint8_t>(interrupted);
  }
  std::uint32_t level() { return read(kUintstatus); }
  unsigned cause() { return read(kMcause) & 0xfffU; }
  /** Executes `words` in a mode. */
  void in(unsigned mode, const std::vector<std::uint32_t>& words, std::uint64_t steps) {
    hart().set_mode(mode);
    run(words, steps);
  }
  /** Copy of all registers of user mode, to see that nothing has changed. */
  std::vector<std::uint32_t> user_registers() {
    std::vector<std::uint32_t> all;
    for (const unsigned number :
         {unsigned{kUstatus}, unsigned{kUtvec}, unsigned{kUtvt}, unsigned{kUscratch}, unsigned{kUepc},
          unsigned{kUcause}, unsigned{kUtval}, unsigned{kUintthresh}, unsigned{kUintstatus}, unsigned{kUfastirq}}) {
      all.push_back(read(number));
    }
    return all;
  }
};

/** Base of the tests of such a hart. */
class ModelUser : public ::testing::Test, public UserHart {
 protected:
  std::uint32_t after_writing(unsigned number, std::uint32_t value) {
    write(number, value);
    return read(number);
  }
  /** One CSR instruction in `mode` with x5 as rd and `rs1` with a value. */
  std::uint32_t ask(unsigned mode, unsigned kind, unsigned number, unsigned rs1, std::uint32_t value = 0) {
    hart().set_x(rs1, value);
    hart().set_x(5, 0xdead);
    in(mode, {csr_op(kind, 5, number, rs1)}, 1);
    return x(5);
  }
};

}  // namespace trapeze::model

#endif  // TRAPEZE_SIM_TEST_USER_HART_H
