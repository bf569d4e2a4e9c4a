// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// The model's hart with user-level interrupts: CSRs, which interrupts are taken, entry.
#include <gtest/gtest.h>

#include <tuple>

#include "user_hart.h"

namespace trapeze::model {
namespace {

using test::addi;
using test::jump;
using test::kMret;

constexpr std::uint32_t kEcall = 0x00000073, kWfi = 0x10500073;

TEST_F(ModelUser, LegalValues) {
  EXPECT_EQ(after_writing(kUstatus, 0xffffffff), 0x11U);
  EXPECT_EQ(read(kMstatus) & 0x11U, 0x11U) << "the same bits";
  write(kMstatus, 0);
  EXPECT_EQ(read(kUstatus), 0U);
  write(kMstatus, kUserWasOn);
  EXPECT_EQ(read(kUstatus), kUserWasOn);
  EXPECT_EQ(after_writing(isa::csr::kUie, 0xffffffff), 0U);
  EXPECT_EQ(after_writing(isa::csr::kUip, 0xffffffff), 0U);
  EXPECT_EQ(after_writing(kUtvec, 0xffffffff), 0xffffffc3U);
  EXPECT_EQ(after_writing(kUtvt, 0xffffffff), 0xffffff00U) << "the table of 64 sources";
  EXPECT_EQ(after_writing(kUscratch, 0xffffffff), 0xffffffffU);
  EXPECT_EQ(after_writing(kUepc, 0xffffffff), 0xfffffffeU);
  EXPECT_EQ(after_writing(kUtval, 0xffffffff), 0xffffffffU);
  write(kUstatus, 0);
  EXPECT_EQ(after_writing(kUcause, 0xffffffff), 0xc8ff0fffU);
  EXPECT_EQ(read(kUstatus), kUserWasOn) << "upie is that of ustatus";
  EXPECT_EQ(after_writing(kUintthresh, 0xffffff12), 0x12U);
  EXPECT_EQ(after_writing(kUfastirq, 0xffffffff), 0xffffffffU);
  EXPECT_EQ(after_writing(kUframe, 0xffffffff), 0U);
  set_user_level(0x34);
  EXPECT_EQ(read(kUintstatus), 0x34U);
  set_level(0x56);
  EXPECT_EQ(read(kMintstatus), 0x56000034U);
  EXPECT_NE(read(kMisa) & (1U << 13), 0U);
}

TEST_F(ModelUser, AllIsZeroAfterReset) {
  for (const unsigned number : {unsigned{kUstatus}, unsigned{kUscratch}, unsigned{kUepc}, unsigned{kUcause},
                                unsigned{kUtval}, unsigned{kUintthresh}, unsigned{kUfastirq}}) {
    write(number, 0xffffffff);
  }
  set_user_level(9);
  machine.reset();
  for (const std::uint32_t value : user_registers()) EXPECT_TRUE(value == 0 || value == 3) << value;
  EXPECT_EQ(read(kUtvec), 3U);
}

TEST_F(ModelUser, BothModesReachTheRegisters) {
  for (const unsigned mode : {kUser, kMachine}) {
    for (const unsigned number : {0x000U, 0x004U, 0x005U, 0x007U, 0x040U, 0x041U, 0x042U, 0x043U, 0x044U, 0x045U,
                                  0x047U, 0xcb1U, 0x800U, 0x801U}) {
      write(kMcause, 0);
      in(mode, {csr_op(kCsrSet, 5, number, 0)}, 1);
      EXPECT_EQ(hart().pc(), kBase + 4) << std::hex << number;
    }
  }
}

TEST_F(ModelUser, NothingOfItIsThereWithout) {
  constexpr Params kWithout = parse_params("rv32imc").with_clic(true).with_fast(true);
  Machine<kWithout> plain(Platform{kFastRegions, kBase, 0, 1, 48, 16, kSourceCount});
  for (const unsigned number :
       {0x000U, 0x004U, 0x005U, 0x007U, 0x040U, 0x041U, 0x042U, 0x043U, 0x044U, 0x047U, 0xcb1U, 0x800U, 0x801U}) {
    EXPECT_FALSE(plain.hart(0).csr().read(number, {}).has_value()) << std::hex << number;
  }
  plain.hart(0).csr().write(kMstatus, 0xffffffff, {});
  EXPECT_EQ(*plain.hart(0).csr().read(kMstatus, {}) & 0x11U, 0U);
  EXPECT_EQ(*plain.hart(0).csr().read(kMisa, {}) & (1U << 13), 0U);
  EXPECT_TRUE(plain.bus().read(TRAPEZE_CLIC_USER_BASE, 0xf, 0).error);
  for (const std::uint32_t word : {kUret, kEuret}) {
    EXPECT_EQ(decode(word, kWithout).op, Operation::illegal);
    EXPECT_NE(decode(word, kUserFast).op, Operation::illegal);
  }
  EXPECT_EQ(decode(kEuret, kUserFast.with_fast(false)).op, Operation::illegal);
}

TEST_F(ModelUser, ReservedAccessesAreIllegal) {
  const std::vector<std::uint32_t> words = {
      csr_op(kCsrWrite, 5, kUnxti, 6),
      csr_op(kCsrWrite | kCsrImmediate, 5, kUnxti, 1),
      csr_op(kCsrClear, 5, kUnxti, 6),
      csr_op(kCsrSet | kCsrImmediate, 5, kUnxti, 2),
      csr_op(kCsrSet | kCsrImmediate, 5, kUnxti, 8),
      csr_op(kCsrSet | kCsrImmediate, 5, kUnxti, 17),
      csr_op(kCsrWrite, 0, kUscratchcswl, 6),
      csr_op(kCsrWrite, 5, kUscratchcswl, 0),
      csr_op(kCsrSet, 5, kUscratchcswl, 6),
      csr_op(kCsrWrite | kCsrImmediate, 5, kUscratchcswl, 6),
      csr_op(kCsrWrite, 5, kUintstatus, 6),
      csr_op(kCsrSet, 5, 0x048, 0),  // no uscratchcsw
      csr_op(kCsrSet, 5, 0x006, 0),
      csr_op(kCsrWrite, 5, 0x8ed, 5),  // no user form of jalxnxti
  };
  for (const unsigned mode : {kUser, kMachine}) {
    for (const std::uint32_t word : words) {
      hart().set_x(5, 77);
      in(mode, {word}, 1);
      EXPECT_EQ(cause(), unsigned{kIllegal}) << std::hex << word;
      EXPECT_EQ(x(5), 77U);
    }
  }
}

// --- what is taken

TEST_F(ModelUser, UserInterruptsAreTakenByLevelIfEnabled) {
  for (const auto& [on, level, threshold, offered, taken] : {std::tuple{true, 0U, 0U, 1U, true},
                                                             {false, 0U, 0U, 255U, false},
                                                             {true, 100U, 0U, 100U, false},
                                                             {true, 100U, 0U, 101U, true},
                                                             {true, 0U, 100U, 100U, false},
                                                             {true, 0U, 100U, 101U, true}}) {
    raise(kUser, 40, offered);
    set_user_level(level);
    write(kUintthresh, threshold);
    write(kMstatus, on ? kUserOn : 0);
    in(kUser, {kNop}, 1);
    EXPECT_EQ(hart().pc() == kUserEntry, taken) << on << level << " " << threshold << " " << offered;
    EXPECT_EQ(hart().mode(), kUser);
  }
}

TEST_F(ModelUser, MachineModeTakesNone) {
  raise(kUser, 40, 255);
  write(kMstatus, kUserOn | kMachineOn);
  in(kMachine, {kNop}, 1);
  EXPECT_EQ(hart().pc(), kBase + 4);
}

TEST_F(ModelUser, MachineInterruptsPreemptWhateverUserModeDoes) {
  for (const std::uint32_t status : {0U, kUserOn, kUserWasOn, kUserOn | kUserWasOn}) {
    raise(kMachine, 40, 1);
    raise(kUser, 50, 255);
    write(kMstatus, status);
    write(kMintthresh, 255);
    set_level(255);
    write(kUintthresh, 255);
    set_user_level(255, 13);
    const auto before = user_registers();
    in(kUser, {kNop}, 1);
    EXPECT_EQ(hart().pc(), kEntry);
    EXPECT_EQ(hart().mode(), kMachine);
    EXPECT_EQ(read(kMintstatus), 0x010000ffU);
    EXPECT_EQ(read(kMcause), kInterrupt | (255U << 16) | 40U) << "mpil is mil, of user mode";
    EXPECT_EQ(user_registers(), before) << "nothing of user mode changes";
    EXPECT_EQ(read(kMstatus) & (kUserOn | kUserWasOn), status);
    machine.bus().write(address(40), 0xf, 0, 0);
  }
}

TEST_F(ModelUser, TheUserThresholdIsNotMachineModes) {
  raise(kMachine, 40, 5);
  write(kUintthresh, 255);
  set_user_level(255);
  write(kMstatus, kMachineOn);
  in(kMachine, {kNop}, 1);
  EXPECT_EQ(hart().pc(), kEntry);
}

TEST_F(ModelUser, WithoutModesAllInterruptsAreMachineModes) {
  configure(8 | (8U << 24));
  raise(kUser, 40, 5);
  user_on();
  in(kUser, {kNop}, 1);
  EXPECT_EQ(hart().pc(), kEntry);
  EXPECT_EQ(hart().mode(), kMachine);
}

TEST_F(ModelUser, AMachineInterruptOfLevelZeroHidesUserInterrupts) {
  raise(kMachine, 40, 0);
  raise(kUser, 50, 255);
  user_on();
  in(kUser, {kNop}, 1);
  EXPECT_EQ(hart().pc(), kBase + 4);
}

TEST_F(ModelUser, WaitEnds) {
  struct Case {
    unsigned mode, privilege, level;
    bool wakes;
  };
  set_level(100);
  set_user_level(50);
  for (const Case& c :
       {Case{kUser, kMachine, 1, true}, Case{kMachine, kUser, 1, true}, Case{kUser, kUser, 50, false},
        Case{kUser, kUser, 51, true}, Case{kMachine, kMachine, 100, false}, Case{kMachine, kMachine, 101, true}}) {
    set_level(100);
    set_user_level(50);
    write(kMstatus, 0);
    hart().set_x(7, 0);
    in(c.mode, {kWfi, addi(7, 0, 1), jump(0)}, 3);
    EXPECT_EQ(x(7), 0U);
    raise(c.privilege, 40, c.level);
    go(1);
    const bool woke = hart().pc() != kBase + 4;
    EXPECT_EQ(woke, c.wakes) << c.mode << c.privilege << " " << c.level;
    machine.bus().write(address(40), 0xf, 0, 0);
    raise(kMachine, 41, 255);  // whoever still waits
    raise(kUser, 42, 255);
    go(1);
    machine.bus().write(address(41), 0xf, 0, 0);
    machine.bus().write(address(42), 0xf, 0, 0);
  }
}

// --- entry

TEST_F(ModelUser, EntryWithoutVectoring) {
  raise(kUser, 40, 100);
  set_user_level(20);
  set_level(33);
  write(kUtval, 5);
  write(kMepc, 0x1234);
  const std::uint32_t mcause = after_writing(kMcause, 0x48210007);
  write(kMtval, 6);
  write(kMstatus, kUserOn);
  in(kUser, {kNop}, 1);
  EXPECT_EQ(hart().pc(), kUserEntry);
  EXPECT_EQ(hart().mode(), kUser);
  EXPECT_EQ(read(kUepc), kBase);
  EXPECT_EQ(read(kUcause), kInterrupt | kWasOn | (20U << 16) | 40U);
  EXPECT_EQ(read(kUstatus), kUserWasOn);
  EXPECT_EQ(read(kUtval), 0U);
  EXPECT_EQ(read(kMintstatus), (33U << 24) | 100U);
  EXPECT_EQ(read(kMepc), 0x1234U);
  EXPECT_EQ(read(kMcause), mcause & ~kWasOn) << "but mpie, which mstatus has";
  EXPECT_EQ(read(kMtval), 6U);
  EXPECT_TRUE(pending(40)) << "unxti clears it, not the entry";
  ASSERT_EQ(claims.size(), 1U);
  EXPECT_EQ(claims[0].id, 40);
  EXPECT_EQ(claims[0].level, 100);
  EXPECT_EQ(claims[0].epc, kBase);
}

TEST_F(ModelUser, TheRecordOfAHandlerIsOfItsInterrupt) {
  raise(kUser, 40, 100);
  set_level(200);
  write(kMcause, 7);
  user_on();
  poke(kUserEntry, kNop);
  in(kUser, {kNop}, 2);
  EXPECT_EQ(last.flags, TZ_RETIRE_INTR | TZ_RETIRE_IRQ);
  EXPECT_EQ(last.pc, kUserEntry);
  EXPECT_EQ(last.irq_id, 40);
  EXPECT_EQ(last.irq_level, 100);
  EXPECT_EQ(last.cause, kInterrupt | 40U);
  EXPECT_EQ(last.mode, kUser);
}

TEST_F(ModelUser, EntryThroughTheTable) {
  raise(kUser, 40, 100, true);
  user_on();
  in(kUser, {kNop}, 1);
  EXPECT_EQ(hart().pc(), user_handler(40));
  EXPECT_EQ(read(kUcause) & kInTable, 0U);
  EXPECT_FALSE(pending(40));
}

TEST_F(ModelUser, TheTableIsFetchedAsUserMode) {
  const std::uint32_t entry = kUserTable + 160;
  deny(entry, kRowR | kRowW);
  raise(kUser, 40, 100, true);
  user_on();
  set_level(17);
  in(kUser, {kNop}, 2);
  EXPECT_EQ(hart().pc(), kEntry);
  EXPECT_EQ(hart().mode(), kMachine);
  EXPECT_EQ(read(kMcause), kInTable | (17U << 16) | unsigned{kFetchFault}) << "from user mode";
  EXPECT_EQ(read(kMepc), entry);
  EXPECT_EQ(read(kMtval), entry);
  EXPECT_EQ(read(kUcause), kInterrupt | kWasOn | 40U) << "uinhv is not machine mode's";
  EXPECT_EQ(level(), 100U);
  EXPECT_FALSE(pending(40));
  EXPECT_EQ(last.flags, TZ_RETIRE_INTR | TZ_RETIRE_IRQ | TZ_RETIRE_TRAP);
  // The return fetches it, as user mode.
  poke(kEntry, kMret);
  go(2);
  EXPECT_EQ(read(kMepc), entry);
  EXPECT_EQ(cause(), unsigned{kFetchFault});
  deny(entry, kRowX);
  go(1);
  EXPECT_EQ(hart().pc(), user_handler(40));
  EXPECT_EQ(hart().mode(), kUser);
  EXPECT_EQ(read(kMcause) & kInTable, kInTable) << "mret leaves it";
}

TEST_F(ModelUser, AMachineInterruptMayComeBeforeTheTableEntry) {
  const std::uint32_t entry = kUserTable + 160;
  raise(kUser, 40, 100, true);
  user_on();
  in(kUser, {kNop}, 1);
  raise(kMachine, 41, 3);
  hart().enter({true, 41, 3, false, kMachine}, true);
  EXPECT_EQ(hart().pc(), kEntry);
  EXPECT_EQ(read(kMepc), entry);
  EXPECT_EQ(read(kMcause), kInterrupt | kInTable | 41U);
  machine.bus().write(address(41), 0xf, 0, 0);
  poke(kEntry, kMret);
  go(1);
  EXPECT_EQ(hart().pc(), user_handler(40));
  EXPECT_EQ(hart().mode(), kUser);
}

TEST_F(ModelUser, ExceptionsAreMachineModes) {
  set_user_level(60);
  set_level(9);
  write(kUstatus, kUserOn);
  const auto before = user_registers();
  in(kUser, {kEcall}, 1);
  EXPECT_EQ(hart().pc(), kEntry);
  EXPECT_EQ(read(kMcause), unsigned{kCallFromUser} | (9U << 16));
  EXPECT_EQ(read(kMintstatus), 60U) << "mil is 0";
  EXPECT_EQ(user_registers(), before);
  poke(kEntry, kMret);
  go(1);
  EXPECT_EQ(hart().mode(), kUser);
  EXPECT_EQ(read(kMintstatus), (9U << 24) | 60U);
}

TEST_F(ModelUser, EntryForgetsTheReservation) {
  constexpr std::uint32_t kLr = 0x1000202f | 6U << 15 | 7U << 7;             // lr.w x7, (x6)
  constexpr std::uint32_t kSc = 0x1800202f | 7U << 20 | 6U << 15 | 8U << 7;  // sc.w x8, x7, (x6)
  for (const bool returns : {false, true}) {
    hart().set_x(6, kStack);
    hart().set_x(8, 77);
    write(kUepc, kBase + 8);
    write(kUcause, 0);
    in(kUser, {kLr, returns ? kUret : kNop, kSc}, 3);
    EXPECT_EQ(x(8), returns ? 1U : 0U) << "uret forgets it";
  }
  in(kUser, {kLr, kSc}, 1);
  raise(kUser, 40, 100);
  user_on();
  poke(kUserEntry, kSc);
  hart().set_x(8, 77);
  go(2);
  EXPECT_EQ(x(8), 1U);
}

}  // namespace
}  // namespace trapeze::model
