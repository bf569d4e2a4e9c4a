// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// The model's hart with fastirq: emret returns, or goes on to the next interrupt.
#include <gtest/gtest.h>

#include "fast_hart.h"

namespace trapeze::model {
namespace {

using test::addi;

class ModelFastEmret : public ::testing::Test, public FastHart<kFast> {
 protected:
  /** In a handler of level 100 that interrupted level 50, at an emret; its frame is at sp. */
  void prepare(std::uint32_t cause = kInterrupt | kFromMachine | kWasOn | (50U << 16) | 40U) {
    hart().set_x(2, kStack);
    put_frame(kBase + 0x100, cause);
    set_level(100);
    write(kMepc, 0);
    write(kMcause, kFromMachine | 7U);
    write(kMstatus, 0x1800);
    poke(kBase + 0x100, kNop);
  }
  void expect_restored() {
    for (const unsigned n : kLayout.registers) EXPECT_EQ(x(n), value_of(n)) << n;
    EXPECT_EQ(x(2), kStack + 80);
  }
};

TEST_F(ModelFastEmret, Returns) {
  prepare();
  run({kEmret}, 1);
  expect_restored();
  EXPECT_EQ(hart().pc(), kBase + 0x100);
  EXPECT_EQ(hart().mode(), kMachine);
  EXPECT_EQ(read(kMintstatus), 50U << 24);
  EXPECT_EQ(read(kMstatus), 0x88U) << "MIE = mpie, mpie = 1, mpp = U";
  EXPECT_EQ(read(kMepc), kBase + 0x100);
  EXPECT_EQ(read(kMcause), kInterrupt | kWasOn | (50U << 16) | 40U);
  EXPECT_EQ(last.flags, 0U);
  EXPECT_EQ(last.rd, 0U);
  EXPECT_EQ(last.pc_next, kBase + 0x100);
  EXPECT_EQ(last.mem_rmask, 0U);
  EXPECT_TRUE(claims.empty());
}

TEST_F(ModelFastEmret, InterruptsStayOffIfTheyWere) {
  prepare(kInterrupt | kFromMachine | 40U);
  write(kMstatus, 0x1808);
  run({kEmret}, 1);
  EXPECT_EQ(read(kMstatus) & 8U, 0U);
}

TEST_F(ModelFastEmret, TheFrameIsWhereSpIs) {
  prepare();
  hart().set_x(2, kStack + 3);
  run({kEmret}, 1);
  EXPECT_EQ(x(5), value_of(5));
  EXPECT_EQ(x(2), kStack + 83);
}

TEST_F(ModelFastEmret, WhatAHandlerChangesInTheFrameCounts) {
  interrupts_on();
  raise(40, 100);
  run({kNop}, 1);
  poke(x(2) + 4, 0x1111);
  poke(x(2) + 64, kBase + 0x200);
  go(2);
  EXPECT_EQ(x(5), 0x1111U);
  EXPECT_EQ(hart().pc(), kBase + 0x200);
}

TEST_F(ModelFastEmret, ReturnsToUserMode) {
  prepare(kInterrupt | kWasOn | 40U);
  write(kMscratch, 0x1234);
  write(kMintthresh, 200);
  write(kMstatus, 0x21800);
  run({kEmret}, 1);
  EXPECT_EQ(hart().mode(), kUser);
  EXPECT_EQ(x(2), 0x1234U);
  EXPECT_EQ(read(kMscratch), kStack + 80);
  EXPECT_EQ(read(kMintthresh), 0U) << "as after mret";
  EXPECT_EQ(read(kMstatus), 0x88U) << "MPRV too";
}

TEST_F(ModelFastEmret, ReturnsThroughTheTable) {
  prepare(kInterrupt | kInTable | kFromMachine | 40U);
  poke(kStack + 64, kTable + 164);
  run({kEmret}, 1);
  expect_restored();
  EXPECT_EQ(hart().pc(), handler(41));
  EXPECT_EQ(last.pc_next, kTable + 164);
}

TEST_F(ModelFastEmret, GoesOnToAVectoredInterrupt) {
  for (const std::uint32_t nest : {0U, kNest}) {
    write(kMfastirq, kLink | kEnable | nest);
    prepare();
    hart().set_x(1, 1);
    hart().set_x(5, 0x5555);
    raise(41, 60);
    claims.clear();
    run({kEmret}, 1);
    EXPECT_EQ(hart().pc(), handler(41));
    EXPECT_EQ(hart().mode(), kMachine);
    EXPECT_EQ(x(2), kStack);
    EXPECT_EQ(x(1), kLink);
    EXPECT_EQ(x(5), 0x5555U);
    EXPECT_EQ(frame(1), value_of(5));
    EXPECT_EQ(read(kMintstatus), 60U << 24);
    EXPECT_EQ(read(kMcause), kInterrupt | kFromMachine | kWasOn | (50U << 16) | 41U);
    EXPECT_EQ(read(kMepc), kBase + 0x100);
    EXPECT_EQ((read(kMstatus) & 8U) != 0, nest != 0);
    EXPECT_FALSE(pending(41));
    ASSERT_EQ(claims.size(), 1U);
    EXPECT_EQ(claims[0].id, 41);
    EXPECT_EQ(claims[0].level, 60);
    EXPECT_EQ(claims[0].epc, kBase + 0x100);
    EXPECT_EQ(claims[0].cycle, machine.now() - 1);
    EXPECT_EQ(last.flags, TZ_RETIRE_IRQ);
    EXPECT_EQ(last.irq_id, 41);
    EXPECT_EQ(last.irq_level, 60);
    EXPECT_EQ(last.pc_next, kTable + 164);
    go(1);
    EXPECT_EQ(last.flags, TZ_RETIRE_IRQ | TZ_RETIRE_INTR);
    EXPECT_EQ(last.irq_id, 41);
    EXPECT_EQ(last.irq_level, 60);
    EXPECT_EQ(last.cause, kInterrupt | 41U);
    go(1);
    expect_restored();
    EXPECT_EQ(read(kMintstatus), 50U << 24);
  }
}

TEST_F(ModelFastEmret, GoesOnToAnInterruptWithoutVectoring) {
  prepare(kInterrupt | kInTable | kFromMachine | kWasOn | (50U << 16) | 40U);
  poke(kStack + 64, kTable + 160);
  raise(41, 60, false);
  write(kMstatus, 0x1808);
  run({kEmret}, 1);
  EXPECT_EQ(hart().pc(), kEntry);
  EXPECT_EQ(read(kMstatus) & 8U, 0U);
  EXPECT_TRUE(pending(41)) << "xnxti clears it";
  EXPECT_EQ(read(kMcause), kInterrupt | kFromMachine | kWasOn | (50U << 16) | 41U) << "minhv is in the frame";
  EXPECT_EQ(last.pc_next, kEntry);
  ASSERT_EQ(claims.size(), 1U);
  EXPECT_EQ(claims[0].epc, kTable + 160);
  machine.bus().write(address(41), 1, 0, 0);
  poke(kEntry, kEmret);
  go(1);
  EXPECT_EQ(hart().pc(), handler(40));
}

TEST_F(ModelFastEmret, WithoutRecordsItIsTheSame) {
  prepare();
  raise(41, 60);
  poke(kBase, kEmret);
  hart().set_pc(kBase);
  tz_claim claim{};
  tz_run_args args{};
  args.claims = &claim;
  args.claims_capacity = 1;
  args.until_cycle = machine.now() + 3;
  machine.run(args, result);
  EXPECT_EQ(result.stop, TZ_STOP_CLAIM);
  EXPECT_EQ(claim.id, 41);
  EXPECT_EQ(claim.epc, kBase + 0x100);
  EXPECT_EQ(hart().pc(), handler(41));
  machine.run(args, result);
  EXPECT_EQ(result.stop, TZ_STOP_CYCLES);
  EXPECT_EQ(hart().pc(), kBase + 0x100);
}

TEST_F(ModelFastEmret, WhatQualifies) {
  struct Case {
    unsigned level, interrupted, threshold;
    bool chained;
  };
  for (const Case& c : {Case{51, 50, 0, true}, Case{50, 50, 0, false}, Case{60, 50, 60, false}, Case{61, 50, 60, true},
                        Case{200, 50, 0, true}, Case{255, 255, 0, false}}) {
    for (const std::uint32_t on : {0U, 8U}) {
      prepare(kInterrupt | kFromMachine | (c.interrupted << 16) | 40U);
      write(kMintthresh, c.threshold);
      set_level(255);
      write(kMstatus, 0x1800 | on);
      raise(41, c.level);
      run({kEmret}, 1);
      EXPECT_EQ(hart().pc() == handler(41), c.chained) << c.level << " " << c.interrupted << " " << c.threshold;
      EXPECT_EQ(pending(41), !c.chained);
    }
  }
}

TEST_F(ModelFastEmret, AnInterruptOfAHigherLevelPreemptsItIfTheyAreOn) {
  prepare();
  write(kMstatus, 0x1808);
  raise(41, 101);
  run({kEmret}, 1);
  EXPECT_EQ(hart().pc(), handler(41));
  EXPECT_EQ(x(2), kStack - 80);
  EXPECT_EQ(frame(16), kBase);
}

TEST_F(ModelFastEmret, FromAUserModeFrameItGoesOnToo) {
  prepare(kInterrupt | kWasOn | 40U);
  write(kMscratch, 0x1234);
  raise(41, 1);
  run({kEmret}, 1);
  EXPECT_EQ(hart().pc(), handler(41));
  EXPECT_EQ(hart().mode(), kMachine);
  EXPECT_EQ(x(2), kStack);
  EXPECT_EQ(read(kMscratch), 0x1234U);
  EXPECT_EQ(read(kMcause) & kFromMachine, 0U);
  go(2);
  EXPECT_EQ(hart().mode(), kUser);
  EXPECT_EQ(x(2), 0x1234U);
}

TEST_F(ModelFastEmret, AnEntryThatCannotBeFetched) {
  prepare();
  write(kMtvt, TRAPEZE_CLIC_BASE);
  raise(41, 60);
  run({kEmret}, 2);
  EXPECT_EQ(hart().pc(), kEntry);
  EXPECT_EQ(read(kMcause) & 0x40000fffU, kInTable | kFetchFault);
  EXPECT_EQ(read(kMepc), TRAPEZE_CLIC_BASE + 164U);
}

TEST_F(ModelFastEmret, Illegal) {
  prepare();
  write(kMfastirq, kLink | kNest);
  run({kEmret}, 1);
  EXPECT_EQ(read(kMcause) & 0xfffU, unsigned{kIllegal}) << "off";
  EXPECT_EQ(read(kMtval), kEmret);
  EXPECT_EQ(x(2), kStack);
  write(kMfastirq, kLink | kEnable);
  hart().set_mode(kUser);
  run({kEmret}, 1);
  EXPECT_EQ(read(kMcause) & 0x30000fffU, unsigned{kIllegal}) << "in user mode";
  constexpr Params kPlain = parse_params("rv32imc").with_clic(true);
  Machine<kPlain> plain(Platform{kFastRegions, kBase, 0, 1, 48, 16, kSourceCount});
  std::memcpy(plain.bus().memory(kBase, 4), &kEmret, 4);
  tz_run_args args{};
  args.until_cycle = 1;
  plain.run(args, result);
  EXPECT_EQ(plain.hart(0).csr().mcause(), unsigned{kIllegal}) << "without fastirq";
}

TEST_F(ModelFastEmret, AFrameThatCannotBeLoadedIsAnException) {
  constexpr std::uint32_t kEnd = TRAPEZE_DMEM_BASE + TRAPEZE_DMEM_SIZE;
  struct Case {
    std::uint32_t frame, word;
  };
  // mcause is asked for first, then mepc, then the registers.
  for (const Case& c :
       {Case{0x1000, 0x1000 + 68}, Case{kEnd - 64, kEnd + 4}, Case{TRAPEZE_CLIC_BASE + 0x1000, 0},
        Case{TRAPEZE_DMEM_BASE - 68, TRAPEZE_DMEM_BASE - 4}, Case{TRAPEZE_DMEM_BASE - 64, TRAPEZE_DMEM_BASE - 64}}) {
    prepare();
    poke(TRAPEZE_DMEM_BASE, kFromMachine);
    poke(TRAPEZE_DMEM_BASE + 4, kFromMachine);
    hart().set_x(2, c.frame);
    write(kMstatus, 0x1808);
    run({kEmret}, 1);
    EXPECT_EQ(hart().pc(), kEntry);
    EXPECT_EQ(read(kMcause), 25U | kFromMachine | kWasOn | (100U << 16));
    EXPECT_EQ(read(kMepc), kBase);
    EXPECT_EQ(read(kMtval), c.word != 0 ? c.word : c.frame + 68) << std::hex << c.frame;
    EXPECT_EQ(read(kMintstatus), 100U << 24);
    EXPECT_EQ(x(2), c.frame);
    EXPECT_EQ(x(5), 0U);
    EXPECT_NE(last.flags & TZ_RETIRE_TRAP, 0);
    EXPECT_EQ(last.cause, 25U);
  }
}

TEST_F(ModelFastEmret, GoingOnNeedsTheEndOfTheFrameOnly) {
  prepare();
  poke(TRAPEZE_DMEM_BASE, kBase + 0x100);
  poke(TRAPEZE_DMEM_BASE + 4, kFromMachine | (50U << 16));
  hart().set_x(2, TRAPEZE_DMEM_BASE - 64);
  raise(41, 60, false);
  run({kEmret}, 1);
  EXPECT_EQ(hart().pc(), kEntry);
  EXPECT_EQ(read(kMcause) & 0x80000fffU, kInterrupt | 41U);
}

}  // namespace
}  // namespace trapeze::model
