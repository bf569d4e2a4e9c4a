// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "kernel/stamps.h"

#include <gtest/gtest.h>

#include "elf_builder.h"

namespace trapeze {
namespace {

tz_retire handler_start(unsigned id, std::uint64_t fetch) {
  tz_retire r{};
  r.insn = 0x13;
  r.flags = TZ_RETIRE_INTR | TZ_RETIRE_IRQ;
  r.irq_id = static_cast<std::uint16_t>(id);
  r.cycle_fetch = fetch;
  return r;
}

tz_retire marker_at(unsigned n, std::uint64_t execute) {
  tz_retire r{};
  r.insn = test::marker(n);
  r.cycle_fetch = execute - 2;
  r.cycle_ex = execute;
  r.cycle_retire = execute + 1;
  return r;
}

tz_claim claim_at(std::uint64_t cycle, unsigned id) {
  tz_claim claim{};
  claim.cycle = cycle;
  claim.id = static_cast<std::uint16_t>(id);
  claim.epc = 0x80000010;
  return claim;
}

TEST(Stamps, MarkerNumbers) {
  EXPECT_EQ(marker_number(0x00102013), 1U);
  EXPECT_EQ(marker_number(0x7ff02013), 2047U);
  EXPECT_EQ(marker_number(0x00002013), 0U) << "N is 1 or more";
  EXPECT_EQ(marker_number(0xfff02013), 0U) << "N is not negative";
  EXPECT_EQ(marker_number(0x00102093), 0U) << "rd is x0";
  EXPECT_EQ(marker_number(0x0010a013), 0U) << "rs1 is x0";
  EXPECT_EQ(marker_number(0x00103013), 0U) << "slti, not sltiu";
}

TEST(Stamps, Deadline) {
  StampTracker tracker;
  EXPECT_EQ(tracker.deadline(12).index, Stimulus::kNone) << "nothing was raised";
  tracker.on_injection(2, {3, 100, 0});
  tracker.on_injection(1, {4, 90, 0});
  EXPECT_EQ(tracker.deadline(12).index, 1U);
  EXPECT_EQ(tracker.deadline(12).cycle, 104U) << "executed in 102, it is known behind 103";
  tracker.on_claim(claim_at(91, 20), 1, 4);
  tracker.on_retire(handler_start(20, 92));
  tracker.on_retire(marker_at(1, 200));
  EXPECT_EQ(tracker.deadline(12).index, 2U) << "the other one has its marker";
  EXPECT_EQ(tracker.deadline(12).cycle, 114U);
}

TEST(Stamps, OneInterrupt) {
  StampTracker tracker;
  tracker.on_injection(0, {3, 100, 0});
  tracker.on_claim(claim_at(102, 19), 0, 3);
  tracker.on_retire(handler_start(19, 103));
  tracker.on_retire(marker_at(1, 110));
  tracker.on_retire(marker_at(1, 120));
  const InterruptStamp& stamp = tracker.interrupts().at(0);
  EXPECT_EQ(stamp.t0, 100U);
  EXPECT_EQ(stamp.taken, 102U);
  EXPECT_EQ(stamp.taken_count, 1U);
  EXPECT_EQ(stamp.id, 19U);
  EXPECT_EQ(stamp.epc, 0x80000010U);
  EXPECT_EQ(stamp.tf, 103U);
  EXPECT_EQ(stamp.tx, 110U) << "the first marker counts";
  EXPECT_EQ(stamp.tr, 111U);
  EXPECT_EQ(tracker.marker_count(), 2U);
}

TEST(Stamps, NestedInterruptsBelongToTheInnermostHandler) {
  StampTracker tracker;
  tracker.on_injection(0, {1, 10, 0});
  tracker.on_injection(1, {2, 12, 0});
  tracker.on_claim(claim_at(11, 17), 0, 1);
  tracker.on_retire(handler_start(17, 12));
  tracker.on_claim(claim_at(14, 18), 1, 2);
  tracker.on_retire(handler_start(18, 15));
  tracker.on_retire(marker_at(1, 20));
  tracker.on_retire(marker_at(1, 30));
  EXPECT_EQ(tracker.interrupts().at(1).tx, 20U);
  EXPECT_EQ(tracker.interrupts().at(0).tx, 30U);
}

TEST(Stamps, OtherInterruptsDoNotStealMarkers) {
  StampTracker tracker;
  tracker.on_injection(0, {1, 10, 0});
  tracker.on_claim(claim_at(11, 17), 0, 1);
  tracker.on_retire(handler_start(17, 12));
  tracker.on_claim(claim_at(14, 7), Stimulus::kNone, std::nullopt);  // the timer
  tracker.on_retire(handler_start(7, 15));
  tracker.on_retire(marker_at(1, 20));
  EXPECT_FALSE(tracker.interrupts().at(0).tx);
  tracker.on_retire(marker_at(1, 30));
  EXPECT_EQ(tracker.interrupts().at(0).tx, 30U);
  EXPECT_EQ(tracker.claim_count(), 2U);
}

TEST(Stamps, AnInterruptThatIsOvertakenHasNoStampsOfItsHandler) {
  StampTracker tracker;
  for (unsigned line = 0; line < 3; ++line) tracker.on_injection(line, {line, 10, 0});
  tracker.on_claim(claim_at(11, 16), 0, 0);
  tracker.on_retire(handler_start(16, 12));
  tracker.on_claim(claim_at(14, 17), 1, 1);
  tracker.on_claim(claim_at(15, 18), 2, 2);
  tracker.on_retire(handler_start(18, 16));
  tracker.on_retire(marker_at(1, 20));  // of the third, then of the second, which began unseen, then of the first
  tracker.on_retire(marker_at(1, 30));
  tracker.on_retire(marker_at(1, 40));
  EXPECT_EQ(tracker.interrupts().at(2).tf, 16U);
  EXPECT_EQ(tracker.interrupts().at(2).tx, 20U);
  EXPECT_EQ(tracker.interrupts().at(1).taken, 14U);
  EXPECT_FALSE(tracker.interrupts().at(1).tf);
  EXPECT_FALSE(tracker.interrupts().at(1).tx);
  EXPECT_FALSE(tracker.interrupts().at(1).tr);
  EXPECT_EQ(tracker.interrupts().at(0).tx, 40U);
}

TEST(Stamps, AnInterruptThatAnEmretGoesOnTo) {
  StampTracker tracker;
  tracker.on_injection(0, {0, 10, 0});
  tracker.on_injection(1, {1, 12, 0});
  tracker.on_claim(claim_at(11, 16), 0, 0);
  tracker.on_retire(handler_start(16, 12));
  tracker.on_retire(marker_at(1, 14));
  tracker.on_claim(claim_at(16, 17), 1, 1);
  tz_retire emret{};
  emret.insn = 0xbc200073;
  emret.flags = TZ_RETIRE_IRQ;
  emret.irq_id = 17;
  tracker.on_retire(emret);
  EXPECT_FALSE(tracker.interrupts().at(1).tf) << "its handler has not begun";
  tracker.on_retire(handler_start(17, 18));
  tracker.on_retire(marker_at(1, 20));
  EXPECT_EQ(tracker.interrupts().at(1).taken, 16U);
  EXPECT_EQ(tracker.interrupts().at(1).tf, 18U);
  EXPECT_EQ(tracker.interrupts().at(1).tx, 20U);
  EXPECT_EQ(tracker.interrupts().at(0).tx, 14U);
}

TEST(Stamps, TakenTwiceIsSeen) {
  StampTracker tracker;
  tracker.on_injection(0, {1, 10, 0});
  tracker.on_claim(claim_at(11, 17), 0, 1);
  tracker.on_claim(claim_at(40, 17), Stimulus::kNone, 1);
  EXPECT_EQ(tracker.interrupts().at(0).taken_count, 2U);
  EXPECT_EQ(tracker.interrupts().at(0).taken, 11U);
}

TEST(Stamps, MarkersAreCapped) {
  StampTracker tracker;
  for (std::size_t i = 0; i < StampTracker::kMaxMarkers + 5; ++i) tracker.on_retire(marker_at(2, i + 2));
  EXPECT_EQ(tracker.markers().size(), StampTracker::kMaxMarkers);
  EXPECT_EQ(tracker.marker_count(), StampTracker::kMaxMarkers + 5);
}

TEST(Stamps, TrappedMarkerDoesNotCount) {
  StampTracker tracker;
  tz_retire record = marker_at(1, 5);
  record.flags = TZ_RETIRE_TRAP;
  tracker.on_retire(record);
  EXPECT_EQ(tracker.marker_count(), 0U);
}

}  // namespace
}  // namespace trapeze
