// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// The model's hart with fastirq in user mode: frames of user mode, euret, and frames that user mode may not store.
#include <gtest/gtest.h>

#include "user_hart.h"

namespace trapeze::model {
namespace {

using test::addi;
using test::kMret;

constexpr std::uint32_t kFrame = kStack - 80;

class ModelUserFrame : public ::testing::Test, public UserHart {
 protected:
  ModelUserFrame() {
    write(kMfastirq, 0);
    fast_on();
    user_on();
  }
  /** Nothing was claimed and nothing has changed, but for the exception. */
  void expect_refused(std::uint32_t epc, std::uint32_t frame, const std::vector<std::uint32_t>& before) {
    EXPECT_EQ(hart().pc(), kEntry);
    EXPECT_EQ(hart().mode(), kMachine);
    EXPECT_EQ(cause(), 24U);
    EXPECT_EQ(read(kMcause) & (kFromMachine | kInterrupt), 0U);
    EXPECT_EQ(read(kMepc), epc);
    EXPECT_EQ(read(kMtval), frame);
    EXPECT_EQ(user_registers(), before);
    EXPECT_TRUE(claims.empty());
    EXPECT_TRUE(pending(40));
  }
};

TEST_F(ModelUserFrame, SavesTheContextAndComesBack) {
  set_user_level(20);
  write(kMscratch, 7);
  write(kUscratch, 8);
  raise(kUser, 40, 100, true);
  run({kNop, kNop}, 1);
  EXPECT_EQ(x(2), kFrame);
  for (unsigned i = 0; i < kLayout.registers.size(); ++i) EXPECT_EQ(frame(i), value_of(kLayout.registers[i])) << i;
  EXPECT_EQ(frame(16), kBase);
  EXPECT_EQ(frame(17), kInterrupt | kWasOn | (20U << 16) | 40U) << "ucause";
  EXPECT_EQ(x(1), kUserLink);
  EXPECT_EQ(hart().pc(), user_handler(40));
  EXPECT_EQ(hart().mode(), kUser);
  EXPECT_EQ(read(kUstatus), kUserOn | kUserWasOn) << "nest";
  EXPECT_FALSE(pending(40));
  for (const unsigned n : kLayout.registers) hart().set_x(n, 0);
  go(2);
  EXPECT_EQ(hart().pc(), kBase);
  for (const unsigned n : kLayout.registers) EXPECT_EQ(x(n), value_of(n)) << n;
  EXPECT_EQ(x(2), kStack);
  EXPECT_EQ(level(), 20U);
  EXPECT_EQ(read(kUstatus), kUserOn | kUserWasOn);
  EXPECT_EQ(read(kMscratch), 7U) << "sp is not exchanged";
  EXPECT_EQ(read(kUscratch), 8U);
}

TEST_F(ModelUserFrame, InterruptsStayOnIfVectoredWithNest) {
  for (const bool vectored : {false, true}) {
    for (const std::uint32_t nest : {0U, kNest}) {
      fast_on(nest);
      set_user_level(0);
      user_on();
      hart().set_x(2, kStack);
      raise(kUser, 40, 100, vectored);
      run({kNop}, 1);
      EXPECT_EQ(hart().pc(), vectored ? user_handler(40) : kUserEntry);
      EXPECT_EQ((read(kUstatus) & kUserOn) != 0, vectored && nest != 0);
    }
  }
}

TEST_F(ModelUserFrame, NestsAndGoesOn) {
  raise(kUser, 40, 100, true);
  run({kNop}, 1);
  raise(kUser, 41, 99, true);
  raise(kUser, 42, 101, true);
  go(1);
  EXPECT_EQ(hart().pc(), user_handler(42));
  EXPECT_EQ(x(2), kFrame - 80);
  go(2);
  EXPECT_EQ(hart().pc(), user_handler(40));
  EXPECT_EQ(level(), 100U);
  go(2);
  EXPECT_EQ(hart().pc(), user_handler(41)) << "euret goes on";
  EXPECT_EQ(last.flags & TZ_RETIRE_IRQ, unsigned{TZ_RETIRE_IRQ});
  EXPECT_EQ(last.insn, kEuret);
  EXPECT_EQ(last.irq_id, 41);
  EXPECT_EQ(x(2), kFrame);
  EXPECT_EQ(x(1), kUserLink);
  EXPECT_EQ(level(), 99U);
  EXPECT_EQ(read(kUcause), kInterrupt | kWasOn | 41U);
  ASSERT_EQ(claims.size(), 3U);
  EXPECT_EQ(claims[2].epc, kBase) << "of the interrupted program";
  go(2);
  EXPECT_EQ(hart().pc(), kBase);
}

TEST_F(ModelUserFrame, ReturnDoesNotGoOnToWhatIsNotAbove) {
  raise(kUser, 40, 100, true);
  set_user_level(50);
  run({kNop}, 1);
  raise(kUser, 41, 50, true);
  go(2);
  EXPECT_EQ(hart().pc(), kBase) << "upil of the frame";
  set_user_level(0);
  raise(kUser, 40, 100, true);
  go(1);
  write(kUintthresh, 50);
  go(2);
  EXPECT_EQ(hart().pc(), kBase) << "uintthresh";
}

TEST_F(ModelUserFrame, ReturnIsIllegalElsewhere) {
  hart().set_x(2, kFrame);
  for (const unsigned mode : {kUser, kMachine}) {
    write(kUfastirq, mode == kUser ? 0 : kUserLink | kEnable);
    in(mode, {kEuret}, 1);
    EXPECT_EQ(cause(), unsigned{kIllegal});
    EXPECT_EQ(x(2), kFrame);
  }
  write(kMfastirq, kEnable);
  in(kUser, {kEmret}, 1);
  EXPECT_EQ(cause(), unsigned{kIllegal}) << "emret is machine mode's";
}

TEST_F(ModelUserFrame, FramesAreLoadedAsUserMode) {
  for (unsigned index = 0; index < kLayout.words; ++index) {
    hart().set_x(2, kFrame);
    put_frame(kBase + 0x40, kWasOn);
    deny(kFrame + 4 * index);
    for (const unsigned n : kLayout.registers) hart().set_x(n, 0);
    write(kMstatus, 0);
    in(kUser, {kEuret}, 1);
    EXPECT_EQ(cause(), 25U) << index;
    EXPECT_EQ(read(kMepc), kBase);
    EXPECT_EQ(read(kMtval), kFrame + 4 * index);
    EXPECT_EQ(x(2), kFrame);
  }
}

TEST_F(ModelUserFrame, AFrameOfMachineModeIsLoadedAsUserMode) {
  const std::uint32_t machine_stack = kStack + 0x1000;
  write(kMfastirq, kLink | kEnable);
  write(kMscratch, machine_stack);
  raise(kMachine, 41, 9, true);
  run({kNop}, 1);
  ASSERT_EQ(x(2), machine_stack - 80);
  row(0, kRowNapot, (machine_stack - 0x100) / 4 | 0x1f);  // 256 bytes that are machine mode's
  in(kUser, {kEuret}, 1);
  EXPECT_EQ(cause(), 25U);
  EXPECT_EQ(read(kMtval), machine_stack - 80 + 68) << "nothing of it was loaded";
  in(kMachine, {kEmret}, 1);
  EXPECT_EQ(hart().pc(), kBase) << "machine mode loads it";
}

TEST_F(ModelUserFrame, AMachineInterruptSavesAFrameOfItsOwn) {
  write(kMfastirq, kLink | kEnable | kNest);
  write(kMscratch, kStack + 0x1000);
  raise(kUser, 40, 100, true);
  run({kNop}, 1);
  raise(kMachine, 41, 9, true);
  const auto before = user_registers();
  go(1);
  EXPECT_EQ(hart().pc(), handler(41));
  EXPECT_EQ(x(2), kStack + 0x1000 - 80);
  EXPECT_EQ(x(1), kLink);
  EXPECT_EQ(read(kMscratch), kFrame);
  EXPECT_EQ(user_registers(), before);
  raise(kUser, 43, 200, true);
  go(2);
  EXPECT_EQ(hart().pc(), user_handler(40)) << "emret goes on to no user interrupt";
  EXPECT_EQ(hart().mode(), kUser);
  EXPECT_EQ(x(2), kFrame);
  go(1);
  EXPECT_EQ(hart().pc(), user_handler(43));
}

// --- frames that user mode may not store

TEST_F(ModelUserFrame, AFrameAcrossTheEdgeOfARowIsRefused) {
  for (const std::uint8_t rights : {std::uint8_t{0}, kRowR}) {
    for (const std::uint32_t word : {kFrame, kFrame + 4, kFrame + 68}) {
      for (const bool vectored : {false, true}) {
        deny(word, rights);
        write(kMstatus, kUserOn);
        set_user_level(20, 3);
        set_level(5);
        raise(kUser, 40, 100, vectored);
        hart().set_x(2, kStack + 2);
        for (unsigned i = 0; i < 20; ++i) poke(kFrame + 4 * i, 0x5a5a5a5a);
        const auto before = user_registers();
        in(kUser, {kNop}, 1);
        expect_refused(kBase, kFrame, before);
        EXPECT_EQ(read(kMcause), 24U | (5U << 16));
        EXPECT_EQ(x(2), kStack + 2);
        for (unsigned n = 5; n < 32; ++n) EXPECT_EQ(x(n), value_of(n));
        for (unsigned i = 0; i < 20; ++i) EXPECT_EQ(peek(kFrame + 4 * i), 0x5a5a5a5aU);
        EXPECT_NE(last.flags & TZ_RETIRE_TRAP, 0);
        EXPECT_EQ(last.pc, kBase);
        EXPECT_EQ(last.cause, 24U);
      }
    }
  }
}

TEST_F(ModelUserFrame, WordsBesideTheFrameDoNotMatter) {
  for (const std::uint32_t word : {kFrame - 4, kFrame + 72, kFrame + 76, kStack}) {
    deny(word);
    user_on();
    set_user_level(0);
    hart().set_x(2, kStack);
    raise(kUser, 40, 100, true);
    in(kUser, {kNop}, 1);
    EXPECT_EQ(hart().pc(), user_handler(40));
  }
}

TEST_F(ModelUserFrame, WhatIsNotTakenIsNotRefused) {
  deny(kFrame);
  raise(kUser, 40, 100, true);
  write(kMstatus, 0);
  run({kNop}, 1);
  EXPECT_EQ(hart().pc(), kBase + 4) << "UIE is clear";
  user_on();
  raise(kMachine, 41, 9);
  go(1);
  EXPECT_EQ(cause(), 41U) << "machine mode's interrupt comes first";
  machine.bus().write(address(41), 0xf, 0, 0);
  write(kMstatus, kMachineOn | kUserOn);
  in(kMachine, {kNop}, 1);
  EXPECT_EQ(hart().pc(), kBase + 4) << "not in machine mode";
  write(kUfastirq, 0);
  in(kUser, {kNop}, 1);
  EXPECT_EQ(hart().pc(), user_handler(40)) << "no frame";
}

TEST_F(ModelUserFrame, TheInterruptComesWhenItsFrameCanBeStored) {
  deny(kFrame);
  raise(kUser, 40, 100, true);
  poke(kEntry, kMret);
  run({kNop}, 4);
  EXPECT_EQ(cause(), 24U) << "again and again";
  EXPECT_TRUE(claims.empty());
  row(0, 0, 0);
  hart().set_pc(kEntry);
  hart().set_mode(kMachine);
  go(2);
  EXPECT_EQ(hart().pc(), user_handler(40));
  EXPECT_EQ(frame(16), kBase);
}

TEST_F(ModelUserFrame, ARefusedFrameBeforeTheTableEntryIsFetched) {
  const std::uint32_t entry = kUserTable + 160;
  raise(kUser, 40, 100, true);
  run({kNop}, 1);
  deny(kFrame - 80);
  ASSERT_TRUE(hart().refuses({true, 41, 101, true, kUser}));
  hart().refuse(true);
  const auto before = user_registers();
  go(1);
  EXPECT_EQ(read(kMcause), 24U | kInTable);
  EXPECT_EQ(read(kMepc), entry);
  EXPECT_EQ(read(kMtval), kFrame - 80);
  EXPECT_EQ(user_registers(), before);
  poke(kEntry, kMret);
  go(1);
  EXPECT_EQ(hart().pc(), user_handler(40)) << "the return fetches it";
}

TEST_F(ModelUserFrame, WhatTheBusRefusesIsAnExceptionBehindTheEntry) {
  raise(kUser, 40, 100, true);
  hart().set_x(2, 0x1000);
  run({kNop}, 1);
  EXPECT_EQ(hart().pc(), user_handler(40));
  go(1);
  EXPECT_EQ(hart().pc(), kEntry);
  EXPECT_EQ(read(kMcause), 24U);
  EXPECT_EQ(read(kMepc), user_handler(40));
  EXPECT_EQ(read(kMtval), 0x1000U - 80);
  EXPECT_FALSE(pending(40));
  poke(kEntry, kMret);
  go(3);
  EXPECT_EQ(cause(), 25U) << "once: then comes the euret, which cannot load it";
}

TEST_F(ModelUserFrame, FramesDoNotReachTheController) {
  raise(kMachine, 41, 9);
  write(kMstatus, kUserOn);
  machine.bus().write(address(41), 0xf, 0x09c20000, 0);  // not enabled
  raise(kUser, 40, 100, true);
  hart().set_x(2, address(41) + 80);
  in(kUser, {kNop}, 2);
  EXPECT_EQ(cause(), 24U);
  EXPECT_EQ(machine.bus().read(address(41), 0xf, 0).value, 0x09c20000U);
}

TEST_F(ModelUserFrame, SnapshotsHoldTheRefusal) {
  deny(kFrame);
  raise(kUser, 40, 100, true);
  hart().set_pc(kBase);
  hart().refuse();
  const auto snapshot = machine.save();
  go(1);
  hart().set_mode(kUser);
  machine.restore(*snapshot);
  EXPECT_EQ(hart().execute(1, machine.now()).steps, 1U);
  EXPECT_EQ(cause(), 24U);
}

}  // namespace
}  // namespace trapeze::model
