// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// A hart with two levels of cache, one that issues two instructions a cycle, which translations are kept, and how many
// bits of an ASID there are.
#include "timing/translations.h"
#include "timing_program.h"

namespace trapeze::timing {
namespace {

using Levels = Pipelined;
using Pairs = Pipelined;

/** The latencies of the paper's application core: a miss of 16 cycles, 58 if the second level misses, too. 4 KiB in 32
 * sets, which code does not share with the data of these programs. */
TimingPlan two_levels() {
  TimingPlan plan = numbers();
  plan.memory_latency = 42;
  plan.level2 = {{4096, 2, 64, true, 0, 0}, 3, 7};
  return plan;
}
constexpr std::uint64_t kHit = 16, kMiss = 58, kDirty = 31 - 13, kWriteBack = 7;
constexpr std::uint64_t kLoop = 2 + 16 * 4 + 2 * 3;

TEST_F(Levels, HitsAndMisses) {
  expect(kLoop + 16 * kHit, rounds({ld(kT0, kA1)}, 64), "lines that the second level holds", two_levels());
  expect(kLoop + 16 * kMiss, rounds({ld(kT0, kA1)}, 1024), "lines that neither holds", two_levels());
}

TEST_F(Levels, DirtyVictims) {
  expect(kLoop + 16 * (kHit + kDirty), rounds({sd(kT0, kA1, 0)}, 64), "of the first level", two_levels());
  expect(kLoop + 16 * (kMiss + kDirty + kWriteBack), rounds({sd(kT0, kA1, 0)}, 1024), "of both", two_levels());
}

TEST_F(Levels, WhatLeavesTheSecondLeavesTheFirst) {
  // Three lines of one set: the first level has four ways, the second has two.
  TimingPlan plan = two_levels();
  plan.data.size = 1024;
  plan.data.ways = 4;
  plan.level2->lines.size = 1024;
  const Code loads = {ld(kT0, kA0), ld(kT1, kA0, 512), ld(kT2, kA0, 1024)};
  expect(3 + 3 * kMiss, loads, "three lines in two ways", plan);
  expect(3 + 3 * kMiss + kWriteBack, {sd(0, kA0, 0), loads[1], loads[2]}, "one of them dirty in the first level alone",
         plan);
  plan.level2->lines.ways = 4;
  expect(3, loads, "three lines in four ways", plan);
}

TEST_F(Levels, OperationsOnLinesReachBoth) {
  const auto cbo = [](std::uint32_t op) { return 0x200fU | kA0 << 15 | op << 20; };
  // The loads replace the stored line in the first level; the flush makes the next round's store miss in both.
  expect(5 + kMiss + kHit + (kHit + kDirty) + kWriteBack,
         {sd(kT0, kA0, 0), ld(kT0, kA0, 256), ld(kT1, kA0, 512), cbo(1), cbo(2)}, "clean and flush", two_levels());
  expect(2 + kMiss + kDirty + kWriteBack, {sd(kT0, kA0, 0), cbo(2)}, "flush of what the first level has", two_levels());
  expect(2 + kMiss, {sd(kT0, kA0, 0), cbo(0)}, "invalidate", two_levels());
}

/** Two pipelines as those of configs/timing/saturn.yaml. */
TimingPlan pipelines() {
  TimingPlan plan = numbers();
  plan.fetch.packet = 8;
  plan.pipelines = {{true, true, false, true, true}, {true, false, true, false, false}};
  return plan;
}

TEST_F(Pairs, Issue) {
  const TimingPlan both = pipelines();
  const std::uint32_t one = addi(kT0, 0, 1);
  const std::uint32_t other = addi(kT1, 0, 1);
  expect(1, {one, other}, "two that need nothing", both);
  expect(1, {ld(kT0, kA0), other}, "an access first", both);
  expect(1, {one, ld(kT1, kA0)}, "an access second", both);
  expect(1, {mul(kT0, kT1, kT1), sd(0, kA0, 8)}, "multiplication and store", both);
  expect(1, {one, bnez(0, 8)}, "a branch second", both);
  expect(2, {0x00c0006f, kNop, kNop, one, other}, "in two packets, behind a jump over three words", both);
  expect(2, {one, other, kNop}, "three", both);
  expect(2, {ld(kT0, kA0), other, addi(kT2, 0, 1), ld(kA1, kA0)}, "two pairs", both);
}

TEST_F(Pairs, DoNotIssue) {
  const TimingPlan both = pipelines();
  constexpr std::uint32_t kFence = 0x0ff0000f;
  const std::uint32_t one = addi(kT0, 0, 1);
  const std::uint32_t other = addi(kT1, 0, 1);
  expect(2, {one, addi(kT1, kT0, 1)}, "one needs the other", both);
  expect(2, {one, addi(kT0, 0, 2)}, "both write a register", both);
  expect(2, {ld(kT0, kA0), ld(kT1, kA0)}, "two accesses", both);
  expect(2, {mul(kT0, kA0, kA0), bnez(0, 8)}, "two that one pipeline takes", both);
  expect(2, {bnez(0, 8), other}, "a branch first", both);
  expect(2, {one, kFence}, "a fence", both);
  expect(3, {ld(kT0, kA0), kNop, add(kT1, kT0, kT0), kNop}, "a result that is not ready", both);
  TimingPlan memories = both;
  memories.pipelines->first.memory = true;
  expect(2, {ld(kT0, kA0), ld(kT1, kA0)}, "two accesses, though both pipelines take them", memories);
  // Behind a write of mie all is fetched again: the second word of that packet is there before the next packet is.
  constexpr std::uint32_t kWriteMie = 0x30401073;
  expect(5 + 2, {kWriteMie, one, other}, "one that has yet to be fetched", both);
}

TEST_F(Pairs, MissesAddWhatTheyAddAlone) {
  const TimingPlan both = pipelines();
  expect(1 + 3 * 43 + 2, {kNop, ld(kT0, kA0), kNop, ld(kT1, kA0, 256), kNop, ld(kT2, kA0, 512)}, "second of a pair",
         both);
  expect(1 + 3 * 43 + 2, {ld(kT0, kA0), kNop, ld(kT1, kA0, 256), kNop, ld(kT2, kA0, 512), kNop}, "first of a pair",
         both);
}

TEST(Translations, ThoseUsedLastAreKept) {
  TimingPlan::Translation plan = numbers().translation;
  plan.entries = 2;
  Translations kept(plan);
  constexpr std::uint64_t kPage = 4096, kGroup = 4 * kPage, kLarge = 1U << 30;
  kept.keep(0, 0);
  kept.keep(kGroup, 0);
  EXPECT_TRUE(kept.use(0));
  kept.keep(2 * kGroup, 0);
  EXPECT_TRUE(kept.use(0));
  EXPECT_FALSE(kept.use(kPage)) << "of the same entry, and not read yet";
  EXPECT_FALSE(kept.use(kGroup)) << "the one that was not used";
  kept.keep(kLarge, 2);
  EXPECT_TRUE(kept.use(kLarge + 5 * kPage));
  EXPECT_FALSE(kept.use(2 * kLarge));
}

TEST(Asid, HasTheBitsThatThePlanSays) {
  for (const unsigned bits : {0U, 9U, 16U}) {
    TimingPlan timing = numbers();
    timing.translation.asid_bits = bits;
    model::PlatformPlan made;
    model::HartPlan& hart = made.harts.emplace_back();
    hart.params = model::parse_params("rv64ima").with_supervisor(true);
    hart.reset_vector = kBase;
    hart.timing = timing;
    model::add_devices(made);
    model::add_memories(made, {&kMemory, 1});
    model::System system(made, &make_hart);
    Core& core = system.core(0);
    constexpr std::uint64_t kSv39 = std::uint64_t{8} << 60;
    ASSERT_TRUE(core.write_csr(model::kSatp, kSv39 | std::uint64_t{0xffff} << 44 | 5, 0));
    EXPECT_EQ(core.read_csr(model::kSatp, 0), kSv39 | ((std::uint64_t{1} << bits) - 1) << 44 | 5) << bits;
  }
}

}  // namespace
}  // namespace trapeze::timing
