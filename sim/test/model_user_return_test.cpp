// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// The model's hart with user-level interrupts: uret, unxti, scratch swaps, the view, snapshots.
#include <gtest/gtest.h>

#include <tuple>

#include "user_hart.h"

namespace trapeze::model {
namespace {

using test::addi;
using test::jump;
using test::kMret;

constexpr std::uint32_t kEcall = 0x00000073, kWfi = 0x10500073;

// --- uret

TEST_F(ModelUser, ReturnInUserMode) {
  for (const std::uint32_t status : {0U, kUserWasOn}) {
    write(kUepc, kBase + 0x40);
    write(kUcause, kInterrupt | (30U << 16) | (status != 0 ? kWasOn : 0));
    write(kMstatus, status | kMachineOn);
    set_user_level(200, 30);
    set_level(8);
    write(kMintthresh, 7);
    in(kUser, {kUret}, 1);
    EXPECT_EQ(hart().pc(), kBase + 0x40);
    EXPECT_EQ(hart().mode(), kUser);
    EXPECT_EQ(read(kUstatus), status != 0 ? kUserOn | kUserWasOn : kUserWasOn);
    EXPECT_EQ(read(kMintstatus), (8U << 24) | 30U);
    EXPECT_EQ(read(kUcause), kInterrupt | kWasOn | (30U << 16)) << "upil stays, upie is set";
    EXPECT_EQ(read(kMintthresh), 7U);
    EXPECT_EQ(read(kMstatus) & kMachineOn, kMachineOn);
  }
}

TEST_F(ModelUser, ReturnInMachineModeGoesToALowerOne) {
  write(kUepc, kBase + 0x40);
  write(kUcause, 30U << 16);
  write(kMstatus, (1U << 17) | kFromMachine >> 17 | kUserOn);
  set_level(8);
  write(kMintthresh, 7);
  in(kMachine, {kUret}, 1);
  EXPECT_EQ(hart().mode(), kUser);
  EXPECT_EQ(read(kMstatus), (3U << 11) | kUserWasOn) << "MPRV is clear, MPP what it was";
  EXPECT_EQ(read(kMintthresh), 0U);
  EXPECT_EQ(read(kMintstatus), (8U << 24) | 30U);
}

TEST_F(ModelUser, ReturnFetchesATableEntry) {
  write(kUepc, kUserTable + 160 + 2);
  write(kUcause, kInTable);
  in(kUser, {kUret}, 1);
  EXPECT_EQ(hart().pc(), user_handler(40));
  EXPECT_EQ(read(kUcause) & kInTable, kInTable) << "it stays";
  deny(kUserTable + 160);
  for (const unsigned mode : {kUser, kMachine}) {
    in(mode, {kUret}, 2);
    EXPECT_EQ(hart().pc(), kEntry);
    EXPECT_EQ(read(kMcause) & ~(0xffU << 16), kInTable | unsigned{kFetchFault}) << "as user mode";
    EXPECT_EQ(read(kMepc), kUserTable + 160);
  }
}

// --- unxti, scratch

TEST_F(ModelUser, NextInterruptIsUserModesOnly) {
  for (const unsigned mode : {kUser, kMachine}) {
    EXPECT_EQ(ask(mode, kCsrSet, kUnxti, 0), 0U);
    raise(kUser, 40, 100);
    EXPECT_EQ(ask(mode, kCsrSet, kUnxti, 0), kUserTable + 160) << mode;
    EXPECT_EQ(ask(mode, kCsrSet, kUnxti, 6, 99U << 16), kUserTable + 160) << "a register brings its own level";
    EXPECT_EQ(ask(mode, kCsrSet, kUnxti, 6, 100U << 16), 0U);
    set_user_level(0, 100);
    EXPECT_EQ(ask(mode, kCsrSet, kUnxti, 0), 0U);
    set_user_level(200, 99);
    write(kUintthresh, 100);
    EXPECT_EQ(ask(mode, kCsrSet, kUnxti, 0), 0U);
    write(kUintthresh, 0);
    raise(kUser, 41, 101, true);
    EXPECT_EQ(ask(mode, kCsrSet, kUnxti, 0), 0U) << "a vectored one hides what is behind it";
    machine.bus().write(address(41), 0xf, 0, 0);
    EXPECT_EQ(ask(mode, kCsrSet, kUnxti, 0), kUserTable + 160);
    set_user_level(0);
    machine.bus().write(address(40), 0xf, 0, 0);
  }
  raise(kUser, 40, 100);
  raise(kMachine, 50, 1);
  EXPECT_EQ(ask(kMachine, kCsrSet, kUnxti, 0), 0U) << "the offer is machine mode's";
  EXPECT_EQ(ask(kMachine, kCsrSet, kMnxti, 0), kTable + 200);
  machine.bus().write(address(50), 0xf, 0, 0);
  EXPECT_EQ(ask(kMachine, kCsrSet, kMnxti, 0), 0U) << "the offer is user mode's";
  hart().set_x(1, 5);
  in(kMachine, {csr_op(kCsrWrite, 1, kJalmnxti, 1)}, 1);
  EXPECT_EQ(x(1), 5U);
  EXPECT_TRUE(pending(40));
}

TEST_F(ModelUser, NextInterruptIsClaimed) {
  struct Case {
    unsigned kind, rs1;
    std::uint32_t operand, before;
    bool on, claimed;
  };
  for (const Case& c :
       {Case{kCsrSet | kCsrImmediate, 1, 0, 0, true, true}, Case{kCsrSet | kCsrImmediate, 0, 0, 0, false, false},
        Case{kCsrClear | kCsrImmediate, 1, 0, kUserOn, false, true},
        Case{kCsrClear | kCsrImmediate, 30, 0, kUserOn, true, true}, Case{kCsrSet, 6, 1, 0, true, true},
        Case{kCsrSet, 6, 0x1e, 0, false, true}, Case{kCsrSet, 6, 0x20, 0, false, false}}) {
    raise(kUser, 40, 100);
    set_user_level(200, 0);  // so that it is not taken
    write(kMstatus, c.before);
    write(kUcause, 7);
    const std::uint32_t mcause = read(kMcause);
    EXPECT_EQ(ask(kUser, c.kind, kUnxti, c.rs1, c.operand), kUserTable + 160);
    EXPECT_EQ(read(kMstatus), c.on ? kUserOn : 0U) << c.kind << " " << c.rs1 << " " << c.operand;
    EXPECT_EQ(level(), c.claimed ? 100U : 200U);
    EXPECT_EQ(read(kUcause), c.claimed ? kInterrupt | 40U : 7U);
    EXPECT_EQ(pending(40), !c.claimed);
    EXPECT_EQ(read(kMcause), mcause);
  }
}

TEST_F(ModelUser, ScratchSwaps) {
  for (const auto& [own, interrupted, expected] :
       {std::tuple{0U, 0U, false}, {1U, 0U, true}, {0U, 1U, true}, {2U, 1U, false}}) {
    set_user_level(own, interrupted);
    write(kUscratch, 11);
    write(kMscratch, 33);
    EXPECT_EQ(ask(kUser, kCsrWrite, kUscratchcswl, 6, 22), expected ? 11U : 22U);
    EXPECT_EQ(read(kUscratch), expected ? 22U : 11U);
    EXPECT_EQ(read(kMscratch), 33U);
  }
}

// --- user mode and the controller

TEST_F(ModelUser, TheViewIsReachedByARow) {
  raise(kMachine, 41, 9);
  raise(kUser, 40, 100);
  hart().set_x(6, TRAPEZE_CLIC_USER_BASE + TRAPEZE_CLIC_IRQ_IP_OFFSET + 160);
  hart().set_x(9, 0);
  set_level(255);
  for (unsigned i = 0; i < 2; ++i) poke(kEntry + 4 * i, kNop);
  write(kMstatus, 0);
  in(kMachine, {test::load(2, 5, 6, 0), test::load(2, 7, 6, 4), test::store(2, 9, 6)}, 3);
  EXPECT_EQ(x(5), 0x64020101U) << "who accesses it makes no difference";
  EXPECT_EQ(x(7), 0U);
  EXPECT_FALSE(pending(40));
  EXPECT_TRUE(pending(41));
}

TEST_F(ModelUser, SnapshotsHoldTheRegisters) {
  write(kUepc, kBase + 0x40);
  set_user_level(7, 3);
  user_on();
  raise(kUser, 40, 5);
  const auto before = user_registers();
  const auto snapshot = machine.save();
  write(kUepc, 0);
  set_user_level(0);
  write(kMstatus, 0);
  configure(0);
  machine.restore(*snapshot);
  EXPECT_EQ(user_registers(), before);
  EXPECT_EQ(machine.bus().read(TRAPEZE_CLIC_BASE, 0xf, 0).value, kByMode);
}

}  // namespace
}  // namespace trapeze::model
