// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// The model's hart with fastirq: mfastirq, entry of interrupts, frames, and the exception for a frame that cannot be
// stored.
#include <gtest/gtest.h>

#include "fast_hart.h"

namespace trapeze::model {
namespace {

using test::addi;
using test::kMret;

constexpr std::uint32_t kEcall = 0x00000073;

constexpr std::uint32_t csr(unsigned kind, unsigned rd, unsigned number, unsigned rs1) {
  return 0x73U | (rd << 7) | (kind << 12) | (rs1 << 15) | (number << 20);
}

class ModelFastEntry : public ::testing::Test, public FastHart<kFast> {};
class ModelFastEntryEmbedded : public ::testing::Test, public FastHart<kFastEmbedded> {};

TEST_F(ModelFastEntry, ControlRegisterHoldsAllBits) {
  for (const std::uint32_t value : {0xffffffffU, 0x80000305U, 0U}) {
    write(kMfastirq, value);
    EXPECT_EQ(read(kMfastirq), value);
  }
  hart().set_x(6, 0x12345673);
  run({csr(1, 5, kMfastirq, 6), csr(2, 7, kMfastirq, 0)}, 2);
  EXPECT_EQ(x(7), 0x12345673U);
  hart().set_mode(kUser);
  run({csr(2, 7, kMfastirq, 0)}, 1);
  EXPECT_EQ(read(kMcause) & 0xfffU, unsigned{kIllegal});
  machine.reset();
  EXPECT_EQ(read(kMfastirq), 0U);
}

TEST_F(ModelFastEntry, HintsAboutFramesLeaveNoTrace) {
  hart().set_x(6, 0x12345673);
  run({csr(1, 5, kMframe, 6), csr(2, 7, kMframe, 6), csr(3, 8, kMframe, 6), csr(2, 9, kMframe, 0)}, 4);
  for (const unsigned number : {5U, 7U, 8U, 9U}) EXPECT_EQ(x(number), 0U);
  hart().set_mode(kUser);
  run({csr(1, 0, kMframe, 6)}, 1);
  EXPECT_EQ(read(kMcause) & 0xfffU, unsigned{kIllegal});
}

TEST_F(ModelFastEntry, ControlRegisterIsThereWithFastirqOnly) {
  constexpr Params kPlain = parse_params("rv32imc").with_clic(true);
  Machine<kPlain> plain(Platform{kFastRegions, kBase, 0, 1, 48, 16, kSourceCount});
  EXPECT_FALSE(plain.hart(0).csr().read(kMfastirq, {}).has_value());
  EXPECT_EQ(decode(kEmret, kPlain).op, Operation::illegal);
  EXPECT_EQ(decode(kEmret, kFast).op, Operation::emret);
}

TEST_F(ModelFastEntry, SavesTheContext) {
  interrupts_on();
  set_level(20);
  raise(40, 100);
  hart().set_x(2, kStack + 3);
  for (unsigned i = 18; i < 20; ++i) poke(kStack - 80 + 4 * i, 0x5a5a5a5a);
  run({kNop}, 1);
  EXPECT_EQ(x(2), kStack + 3 - 80);
  constexpr unsigned kOrder[] = {1, 5, 6, 7, 10, 11, 12, 13, 14, 15, 16, 17, 28, 29, 30, 31};
  for (unsigned i = 0; i < 16; ++i) EXPECT_EQ(peek(kStack - 80 + 4 * i), value_of(kOrder[i])) << i;
  EXPECT_EQ(peek(kStack - 80 + 64), kBase);
  EXPECT_EQ(peek(kStack - 80 + 68), kInterrupt | kFromMachine | kWasOn | (20U << 16) | 40U);
  EXPECT_EQ(peek(kStack - 80 + 72), 0x5a5a5a5aU) << "the rest of the frame is not written";
  EXPECT_EQ(peek(kStack - 80 + 76), 0x5a5a5a5aU);
  EXPECT_EQ(x(1), kLink);
  for (const unsigned n : {3U, 4U, 8U, 9U, 18U, 27U}) EXPECT_EQ(x(n), value_of(n)) << "saved by the callee";
  EXPECT_EQ(hart().pc(), handler(40));
  EXPECT_EQ(read(kMintstatus), 100U << 24);
  EXPECT_FALSE(pending(40));
}

TEST_F(ModelFastEntryEmbedded, SavesTheContext) {
  interrupts_on();
  raise(40, 100);
  run({kNop}, 1);
  EXPECT_EQ(x(2), kStack - 48);
  constexpr unsigned kOrder[] = {1, 5, 6, 7, 10, 11, 12, 13, 14, 15};
  for (unsigned i = 0; i < 10; ++i) EXPECT_EQ(peek(kStack - 48 + 4 * i), value_of(kOrder[i])) << i;
  EXPECT_EQ(peek(kStack - 48 + 40), kBase);
  EXPECT_EQ(peek(kStack - 48 + 44), kInterrupt | kFromMachine | kWasOn | 40U);
  EXPECT_EQ(x(1), kLink);
}

TEST_F(ModelFastEntryEmbedded, ComesBack) {
  interrupts_on();
  raise(40, 100);
  run({kNop, kNop}, 1);
  for (const unsigned n : kLayout.registers) hart().set_x(n, 0);
  go(2);
  for (const unsigned n : kLayout.registers) EXPECT_EQ(x(n), value_of(n)) << n;
  EXPECT_EQ(x(2), kStack);
  EXPECT_EQ(hart().pc(), kBase);
}

TEST_F(ModelFastEntry, FromUserModeTheStackIsSwapped) {
  raise(40, 100);
  write(kMscratch, kStack);
  hart().set_x(2, 0x1234);
  hart().set_mode(kUser);
  run({kNop}, 1);
  EXPECT_EQ(x(2), kStack - 80);
  EXPECT_EQ(read(kMscratch), 0x1234U);
  EXPECT_EQ(frame(17) & kFromMachine, 0U);
  EXPECT_EQ(frame(0), value_of(1));
  EXPECT_EQ(hart().mode(), kMachine);
}

TEST_F(ModelFastEntry, OffItIsAClic) {
  write(kMfastirq, kLink | kNest);
  interrupts_on();
  raise(40, 100);
  write(kMscratch, 7);
  hart().set_mode(kUser);
  run({kNop}, 1);
  EXPECT_EQ(hart().pc(), handler(40));
  EXPECT_EQ(x(2), kStack);
  EXPECT_EQ(x(1), value_of(1));
  EXPECT_EQ(read(kMscratch), 7U);
  EXPECT_EQ(read(kMstatus) & 8U, 0U);
  go(2);
  EXPECT_EQ(read(kMcause) & 0xfffU, unsigned{kIllegal}) << "emret";
}

TEST_F(ModelFastEntry, InterruptsStayOnIfVectoredWithNest) {
  for (const bool vectored : {false, true}) {
    for (const std::uint32_t nest : {0U, kNest}) {
      write(kMfastirq, kLink | kEnable | nest);
      set_level(0);
      interrupts_on();
      raise(40, 100, vectored);
      run({kNop}, 1);
      EXPECT_EQ(hart().pc(), vectored ? handler(40) : kEntry);
      EXPECT_EQ((read(kMstatus) & 8U) != 0, vectored && nest != 0);
      EXPECT_NE(frame(17) & kWasOn, 0U);
      EXPECT_EQ(pending(40), !vectored);
    }
  }
}

TEST_F(ModelFastEntry, NestsWithoutAnInstructionBetween) {
  interrupts_on();
  raise(40, 100);
  run({kNop, kNop}, 1);
  const std::uint32_t first = x(2);
  raise(41, 99);
  raise(42, 101);
  go(1);
  EXPECT_EQ(hart().pc(), handler(42));
  EXPECT_EQ(x(2), first - 80);
  EXPECT_EQ(frame(0), kLink);
  EXPECT_EQ(frame(16), handler(40));
  EXPECT_EQ(frame(17), kInterrupt | kFromMachine | kWasOn | (100U << 16) | 42U);
  ASSERT_EQ(claims.size(), 2U);
  EXPECT_EQ(claims[1].epc, handler(40));
  for (const unsigned n : kLayout.registers) hart().set_x(n, 0);
  go(2);  // back to the first handler: 41 is of a lower level
  EXPECT_EQ(hart().pc(), handler(40));
  EXPECT_EQ(x(2), first);
  EXPECT_EQ(x(1), kLink);
  EXPECT_EQ(read(kMintstatus), 100U << 24);
  go(2);  // which goes on to 41
  EXPECT_EQ(hart().pc(), handler(41));
  EXPECT_EQ(x(2), first);
  go(2);
  EXPECT_EQ(hart().pc(), kBase);
  for (const unsigned n : kLayout.registers) EXPECT_EQ(x(n), value_of(n)) << n;
  EXPECT_EQ(x(2), kStack);
  EXPECT_EQ(read(kMintstatus), 0U);
}

TEST_F(ModelFastEntry, ExceptionsSaveNothing) {
  interrupts_on();
  run({kEcall}, 1);
  EXPECT_EQ(hart().pc(), kEntry);
  EXPECT_EQ(x(2), kStack);
  EXPECT_EQ(x(1), value_of(1));
  EXPECT_EQ(read(kMstatus) & 8U, 0U);
}

TEST_F(ModelFastEntry, MachineReturnLeavesTheFrameAlone) {
  interrupts_on();
  raise(40, 100);
  poke(handler(40), addi(5, 0, 9));
  poke(handler(40) + 4, kMret);
  run({kNop}, 3);
  EXPECT_EQ(hart().pc(), kBase);
  EXPECT_EQ(x(2), kStack - 80);
  EXPECT_EQ(x(1), kLink);
  EXPECT_EQ(x(5), 9U);
}

TEST_F(ModelFastEntry, AnEntryThatCannotBeFetchedIsFetchedAgain) {
  // The exception for it comes before an interrupt only if none is pending.
  write(kMtvt, TRAPEZE_CLIC_BASE);
  interrupts_on();
  raise(40, 100);
  run({kNop}, 1);
  const std::uint32_t entry = TRAPEZE_CLIC_BASE + 160;
  EXPECT_EQ(hart().pc(), entry);
  raise(41, 101, false);
  go(1);
  EXPECT_EQ(hart().pc(), kEntry);
  EXPECT_EQ(frame(16), entry);
  EXPECT_EQ(frame(17), kInterrupt | kInTable | kFromMachine | kWasOn | (100U << 16) | 41U);
  machine.bus().write(address(41), 1, 0, 0);
  poke(kEntry, kEmret);
  go(2);
  EXPECT_EQ(read(kMepc), entry);
  EXPECT_EQ(read(kMcause) & 0x40000fffU, kInTable | kFetchFault);
}

// --- frames that cannot be stored

TEST_F(ModelFastEntry, AFrameThatCannotBeStoredIsAnException) {
  interrupts_on();
  set_level(20);
  raise(40, 100);
  hart().set_x(2, 0x1000);
  run({kNop}, 1);
  EXPECT_EQ(hart().pc(), handler(40)) << "the interrupt comes first";
  go(1);
  EXPECT_EQ(hart().pc(), kEntry);
  EXPECT_EQ(read(kMcause), 24U | kFromMachine | kWasOn | (100U << 16));
  EXPECT_EQ(read(kMepc), handler(40));
  EXPECT_EQ(read(kMtval), 0x1000U - 80);
  EXPECT_EQ(read(kMintstatus), 100U << 24);
  EXPECT_EQ(read(kMstatus) & 8U, 0U);
  EXPECT_EQ(x(2), 0x1000U - 80);
  EXPECT_EQ(x(1), kLink) << "no other bank";
  EXPECT_EQ(last.flags, TZ_RETIRE_TRAP | TZ_RETIRE_INTR | TZ_RETIRE_IRQ);
  EXPECT_EQ(last.cause, 24U);
  EXPECT_EQ(last.pc, handler(40));
  EXPECT_EQ(last.pc_next, kEntry);
  poke(kEntry, kMret);
  go(3);
  EXPECT_EQ(read(kMcause) & 0xfffU, 25U) << "once: then comes the emret, which cannot load it";
}

TEST_F(ModelFastEntry, TheFirstWordThatFailsCounts) {
  const std::uint32_t end = TRAPEZE_DMEM_BASE + TRAPEZE_DMEM_SIZE;
  interrupts_on();
  raise(40, 100);
  hart().set_x(2, end + 60);
  run({kNop}, 2);
  EXPECT_EQ(read(kMtval), end);
  EXPECT_EQ(peek(end - 20), value_of(1)) << "words that can be stored are";
  EXPECT_EQ(peek(end - 4), value_of(10));
}

TEST_F(ModelFastEntry, AFrameIsNotStoredIntoDevices) {
  interrupts_on();
  raise(40, 100);
  hart().set_x(2, address(41) + 80);
  run({kNop}, 2);
  EXPECT_EQ(read(kMcause) & 0xfffU, 24U);
  EXPECT_EQ(read(kMtval), address(41));
  EXPECT_EQ(machine.bus().read(address(41), 0xf, 0).value & 0xff00ff01U, 0U);
}

TEST_F(ModelFastEntry, TheExceptionComesBeforeTheNextInterrupt) {
  interrupts_on();
  raise(40, 100);
  hart().set_x(2, 0x1000);
  run({kNop}, 1);
  raise(41, 101);
  go(1);
  EXPECT_EQ(read(kMcause) & 0xfffU, 24U);
  EXPECT_EQ(x(2), 0x1000U - 80);
  EXPECT_EQ(claims.size(), 1U);
}

TEST_F(ModelFastEntry, TheExceptionWaitsForTheEndOfAHandlerAtMtvec) {
  interrupts_on();
  raise(40, 100, false);
  hart().set_x(2, 0x1000);
  for (unsigned i = 0; i < 3; ++i) poke(kEntry + 4 * i, kNop);
  poke(kEntry + 12, kEmret);
  run({kNop}, 4);
  EXPECT_EQ(read(kMcause) & 0xfffU, 40U);
  EXPECT_EQ(hart().pc(), kEntry + 12);
  go(1);
  EXPECT_EQ(read(kMcause) & 0xfffU, 24U) << "emret reads mepc from its frame";
  EXPECT_EQ(read(kMepc), kEntry + 12);
}

TEST_F(ModelFastEntry, TheExceptionDoesNotComeBetweenMepcAndMret) {
  for (const bool recorded : {true, false}) {
    write(kMfastirq, kLink | kEnable);
    interrupts_on();
    hart().set_x(2, 0x1000);
    hart().set_x(6, kBase + 0x40);
    poke(kBase + 0x40, kNop);
    poke(handler(40), csr(1, 0, kMepc, 6));
    poke(handler(40) + 4, kMret);
    hart().frames().forget_faults();
    // As if the frame's first word had had its answer behind the write to mepc.
    raise(40, 100);
    run({kNop}, 1);
    const FrameState due = hart().frames().state();
    ASSERT_EQ(due.faults.size(), 1U);
    hart().frames().forget_faults();
    hart().set_x(6, kBase + 0x40);
    go(1);
    hart().frames().restore(due);
    if (recorded) {
      go(1);
    } else {
      EXPECT_EQ(hart().execute(1, machine.now()).steps, 1U);
    }
    EXPECT_EQ(hart().pc(), kBase + 0x40);
    go(1);
    EXPECT_EQ(read(kMcause) & 0xfffU, 24U);
    EXPECT_EQ(read(kMepc), kBase + 0x40);
    machine.bus().write(address(40), 0xf, 0, 0);
    poke(handler(40), kNop);
    poke(handler(40) + 4, kEmret);
  }
}

TEST_F(ModelFastEntry, SnapshotsHoldTheException) {
  interrupts_on();
  raise(40, 100);
  hart().set_x(2, 0x1000);
  run({kNop}, 1);
  const auto snapshot = machine.save();
  go(1);
  write(kMfastirq, 0);
  machine.restore(*snapshot);
  EXPECT_EQ(read(kMfastirq), kLink | kEnable | kNest);
  EXPECT_EQ(hart().pc(), handler(40));
  go(1);
  EXPECT_EQ(read(kMcause) & 0xfffU, 24U);
}

}  // namespace
}  // namespace trapeze::model
