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
  r.cycle_ex = fetch + 2;
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

/** An instruction that goes on at `next`. */
tz_retire executed(std::uint32_t insn, std::uint64_t execute, std::uint64_t next) {
  tz_retire r{};
  r.insn = insn;
  r.pc = 0x80000100;
  r.pc_next = next;
  r.cycle_fetch = execute - 2;
  r.cycle_ex = execute;
  r.cycle_retire = execute + 1;
  return r;
}

/** Address that claim_at() interrupts. */
constexpr std::uint64_t kInterrupted = 0x80000010;

tz_retire mret_at(std::uint64_t execute, std::uint64_t to = kInterrupted) {
  return executed(kMret, execute, to);
}

constexpr std::uint64_t kTable = 0x80000200;

/** Record of a write to mtvt, the address of the table. */
tz_retire table_at(std::uint64_t execute) {
  tz_retire r = executed(0x30751073, execute, 0x80000104);  // csrw mtvt, a0
  r.flags = TZ_RETIRE_CSR_WE;
  r.csr_addr = isa::csr::kMtvt;
  r.csr_value = kTable;
  return r;
}

/** `csrrsi a0, mnxti, 8` that hands out an interrupt; 0: none. */
tz_retire xnxti_at(std::uint64_t execute, unsigned id) {
  tz_retire r = executed(0x34546573, execute, 0x80000104);
  r.rd = 10;
  r.rd_value = id == 0 ? 0 : kTable + 4 * id;
  return r;
}

/** `csrrw ra, jalmnxti, ra` that goes to the handler of an interrupt; 0: none. */
tz_retire jalxnxti_at(std::uint64_t execute, unsigned id) {
  return executed(0x7ed090f3, execute, id == 0 ? 0x80000104 : kTable + 4 * id);
}

/** Injections that hand-outs serve, by platform line. */
HandlerStack::HandOut hands_out(std::size_t index) {
  return [index](unsigned, unsigned id, std::uint64_t) { return HandlerStack::Source{index, id - 16}; };
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
  for (const std::uint64_t less : {0, 1, 99, 102, 103}) {
    const StampTracker::Deadline never = tracker.deadline(~std::uint64_t{0} - less);
    EXPECT_GE(never.cycle, ~std::uint64_t{0} - 2) << "the last cycle that there is, not one in the past: " << less;
  }
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
  tracker.on_claim(claim_at(15, 18), 1, 2);
  tracker.on_retire(handler_start(18, 16));
  tracker.on_retire(marker_at(1, 20));
  tracker.on_retire(marker_at(1, 21));
  EXPECT_FALSE(tracker.interrupts().at(0).tx) << "another marker of the same handler";
  tracker.on_retire(mret_at(25));
  tracker.on_retire(marker_at(1, 30));
  EXPECT_EQ(tracker.interrupts().at(1).tx, 20U);
  EXPECT_EQ(tracker.interrupts().at(0).tx, 30U);
  EXPECT_EQ(tracker.interrupts().at(0).fate, Fate::kMarked);
}

TEST(Stamps, OtherInterruptsDoNotStealMarkers) {
  StampTracker tracker;
  tracker.on_injection(0, {1, 10, 0});
  tracker.on_claim(claim_at(11, 17), 0, 1);
  tracker.on_retire(handler_start(17, 12));
  tracker.on_claim(claim_at(15, 7), Stimulus::kNone, std::nullopt);  // the timer
  tracker.on_retire(handler_start(7, 16));
  tracker.on_retire(marker_at(1, 20));
  EXPECT_FALSE(tracker.interrupts().at(0).tx);
  tracker.on_retire(mret_at(25));
  tracker.on_retire(marker_at(1, 30));
  EXPECT_EQ(tracker.interrupts().at(0).tx, 30U);
  EXPECT_EQ(tracker.claim_count(), 2U);
}

TEST(Stamps, AHandlerThatReturnedWithoutAMarkerGetsNoOther) {
  StampTracker tracker;
  tracker.on_injection(0, {1, 10, 0});
  tracker.on_injection(1, {2, 14, 0});
  tracker.on_claim(claim_at(11, 17), 0, 1);
  tracker.on_retire(handler_start(17, 12));
  tracker.on_claim(claim_at(15, 18), 1, 2);
  tracker.on_retire(handler_start(18, 16));
  EXPECT_EQ(tracker.interrupts().at(1).fate, Fate::kRunning);
  tracker.on_retire(mret_at(20));
  EXPECT_EQ(tracker.interrupts().at(1).fate, Fate::kReturned);
  tracker.on_retire(marker_at(1, 24));
  tracker.on_retire(mret_at(30));
  tracker.on_retire(marker_at(1, 40));  // in the program
  EXPECT_EQ(tracker.interrupts().at(0).tx, 24U) << "of the handler that was preempted";
  EXPECT_FALSE(tracker.interrupts().at(1).tx);
  EXPECT_EQ(tracker.handler_marker_count(), 2U);
}

TEST(Stamps, ExceptionsNest) {
  StampTracker tracker;
  tracker.on_injection(0, {1, 10, 0});
  tracker.on_claim(claim_at(11, 17), 0, 1);
  tracker.on_retire(handler_start(17, 12));
  tz_retire fault = executed(0x73, 16, 0x80000200);
  fault.flags = TZ_RETIRE_TRAP;
  tracker.on_retire(fault);
  tz_retire first = executed(0x13, 20, 0x80000204);
  first.flags = TZ_RETIRE_INTR;
  tracker.on_retire(first);
  tracker.on_retire(marker_at(1, 22));
  EXPECT_FALSE(tracker.interrupts().at(0).tx) << "of the exception's handler";
  tracker.on_retire(mret_at(25, fault.pc + 4));
  tracker.on_retire(marker_at(1, 30));
  EXPECT_EQ(tracker.interrupts().at(0).tx, 30U);
  // An exception without a causing instruction, in a handler that has reached its marker.
  first.cycle_ex = 40;
  tracker.on_retire(first);
  tracker.on_retire(mret_at(45, 0x80000300));
  tracker.on_retire(mret_at(50));
  tracker.on_injection(1, {1, 60, 0});
  tracker.on_claim(claim_at(61, 17), 1, 1);
  tracker.on_retire(handler_start(17, 62));
  tracker.on_retire(marker_at(1, 66));
  EXPECT_EQ(tracker.interrupts().at(1).tx, 66U);
}

TEST(Stamps, AnInterruptThatIsOvertakenBeginsBehindTheReturn) {
  StampTracker tracker;
  for (unsigned line = 0; line < 3; ++line) tracker.on_injection(line, {line, 10, 0});
  tracker.on_claim(claim_at(11, 16), 0, 0);
  tracker.on_retire(handler_start(16, 12));
  tracker.on_claim(claim_at(15, 17), 1, 1);
  tz_claim third = claim_at(16, 18);
  third.epc = 0x80000100;  // address in the second handler, or of its entry in the table
  tracker.on_claim(third, 2, 2);
  tracker.on_retire(handler_start(18, 17));
  EXPECT_EQ(tracker.interrupts().at(1).fate, Fate::kTaken);
  tracker.on_retire(marker_at(1, 20));
  tracker.on_retire(mret_at(24, third.epc));
  tracker.on_retire(executed(0x13, 29, 0x80000104));
  tracker.on_retire(marker_at(1, 30));
  tracker.on_retire(mret_at(35));
  tracker.on_retire(marker_at(1, 40));
  EXPECT_EQ(tracker.interrupts().at(2).tf, 17U);
  EXPECT_EQ(tracker.interrupts().at(2).tx, 20U);
  EXPECT_EQ(tracker.interrupts().at(1).taken, 15U);
  EXPECT_EQ(tracker.interrupts().at(1).tf, 27U);
  EXPECT_EQ(tracker.interrupts().at(1).tx, 30U);
  EXPECT_EQ(tracker.interrupts().at(0).tx, 40U);
}

TEST(Stamps, AFirstInstructionThatRetiresBehindTheNextClaim) {
  StampTracker tracker;
  tracker.on_injection(0, {0, 10, 0});
  tracker.on_injection(1, {1, 10, 0});
  tracker.on_claim(claim_at(11, 16), 0, 0);
  tracker.on_claim(claim_at(17, 17), 1, 1);  // comes while the store of the first handler waits for the memory
  tracker.on_retire(handler_start(16, 12));  // executed in 14
  tracker.on_retire(handler_start(17, 18));
  tracker.on_retire(marker_at(1, 24));
  tracker.on_retire(mret_at(25));
  tracker.on_retire(marker_at(1, 30));
  EXPECT_EQ(tracker.interrupts().at(0).tf, 12U);
  EXPECT_EQ(tracker.interrupts().at(0).tx, 30U);
  EXPECT_EQ(tracker.interrupts().at(1).tx, 24U);
}

TEST(Stamps, AReturnToAnotherTask) {
  StampTracker tracker;
  tracker.on_injection(0, {0, 10, 0});
  tracker.on_claim(claim_at(11, 16), 0, 0);
  tracker.on_retire(handler_start(16, 12));
  tracker.on_retire(marker_at(1, 20));
  tracker.on_retire(mret_at(25, 0x80000800));
  tracker.on_injection(1, {1, 30, 0});
  tracker.on_claim(claim_at(31, 17), 1, 1);
  tracker.on_retire(handler_start(17, 32));
  tracker.on_retire(marker_at(1, 40));
  EXPECT_EQ(tracker.interrupts().at(0).tx, 20U);
  EXPECT_EQ(tracker.interrupts().at(1).tx, 40U) << "in a new handler, whatever task it interrupted";
}

TEST(Stamps, AReturnToAnotherTaskInsideOfAHandlerIsNotFollowed) {
  StampTracker tracker;
  tracker.on_injection(0, {0, 10, 0});
  tracker.on_injection(1, {1, 14, 0});
  tracker.on_claim(claim_at(11, 16), 0, 0);
  tracker.on_retire(handler_start(16, 12));
  tracker.on_claim(claim_at(15, 17), 1, 1);
  tracker.on_retire(handler_start(17, 16));
  tracker.on_retire(marker_at(1, 20));
  tracker.on_retire(mret_at(25, 0x80000800));
  EXPECT_EQ(tracker.interrupts().at(1).tx, 20U);
  EXPECT_EQ(tracker.interrupts().at(0).fate, Fate::kNotAttributed);
  tracker.on_retire(marker_at(1, 30));
  EXPECT_FALSE(tracker.interrupts().at(0).tx) << "whose it is nobody knows";
}

/** An exception in user mode, which takes the hart to a monitor. */
tz_retire asks_at(std::uint64_t execute) {
  tz_retire r = executed(0x10200073, execute, 0x80004000);
  r.flags = TZ_RETIRE_TRAP;
  return r;
}

constexpr std::uint64_t kUserHandler = 0x80002000;

TEST(Stamps, AMonitorHandsAnInterruptOn) {
  for (const Monitor monitor : {Monitor::kNone, Monitor::kSerial, Monitor::kNesting}) {
    StampTracker t;
    t.handlers(0).set_monitor(monitor);
    t.on_injection(0, {3, 10, 0, 0});
    t.on_claim(claim_at(12, 19), 0, 3);
    t.on_retire(handler_start(19, 13));
    t.on_retire(mret_at(30, kUserHandler));
    EXPECT_TRUE(t.handlers(0).empty());
    t.on_retire(marker_at(1, 40));
    t.on_retire(asks_at(50));
    t.on_retire(mret_at(60, kInterrupted));
    t.on_retire(marker_at(1, 70));
    EXPECT_EQ(t.handlers(0).served(), Stimulus::kNone);
    if (monitor == Monitor::kNone) {
      EXPECT_EQ(t.interrupts()[0].fate, Fate::kReturned);
    } else {
      EXPECT_EQ(t.interrupts()[0].fate, Fate::kMarked);
      EXPECT_EQ(t.interrupts()[0].tx, 40U);
    }
  }
}

TEST(Stamps, AHandlerUnderAMonitorWithoutAMarkerHasNone) {
  for (const std::uint64_t next : {kInterrupted, std::uint64_t{0x80003000}}) {
    StampTracker t;
    t.handlers(0).set_monitor(Monitor::kSerial);
    t.on_injection(0, {3, 10, 0, 0});
    t.on_claim(claim_at(12, 19), 0, 3);
    t.on_retire(handler_start(19, 13));
    t.on_retire(mret_at(30, kUserHandler));
    t.on_retire(asks_at(50));
    t.on_retire(mret_at(60, next));
    t.on_retire(marker_at(1, 70));  // marker of the program, or of another task
    EXPECT_EQ(t.interrupts()[0].fate, next == kInterrupted ? Fate::kReturned : Fate::kNotAttributed);
  }
}

TEST(Stamps, AMonitorHoldsAnInterruptBack) {
  StampTracker t;
  t.handlers(0).set_monitor(Monitor::kSerial);
  t.on_injection(0, {3, 10, 0, 0});
  t.on_claim(claim_at(12, 19), 0, 3);
  t.on_retire(handler_start(19, 13));
  t.on_retire(mret_at(30));
  EXPECT_EQ(t.interrupts()[0].fate, Fate::kTaken);
  t.on_retire(marker_at(1, 40));  // marker of the program, which has interrupts disabled
  t.on_claim(claim_at(92, 19), Stimulus::kNone, 3);
  t.on_retire(handler_start(19, 93));
  t.on_retire(mret_at(100, kUserHandler));
  t.on_retire(marker_at(1, 110));
  EXPECT_EQ(t.interrupts()[0].taken, 12U);
  EXPECT_EQ(t.interrupts()[0].tx, 110U);
  EXPECT_TRUE(t.other_claims().empty());
}

TEST(Stamps, AnEdgeBehindOneThatIsHeldBackIsItsOwn) {
  StampTracker t;
  t.handlers(0).set_monitor(Monitor::kSerial);
  for (std::size_t index = 0; index < 2; ++index) {
    const std::uint64_t cycle = 10 + 100 * index;
    t.on_injection(index, {3, cycle, 0, 0});
    t.on_claim(claim_at(cycle + 2, 19), index, 3);
    t.on_retire(handler_start(19, cycle + 3));
    t.on_retire(mret_at(cycle + 20, index == 0 ? kInterrupted : kUserHandler));
  }
  t.on_retire(marker_at(1, 140));
  EXPECT_EQ(t.interrupts()[0].fate, Fate::kTaken);
  EXPECT_EQ(t.interrupts()[1].tx, 140U);
}

TEST(Stamps, HandlersUnderAnEmulatedMachineModeNest) {
  StampTracker t;
  t.handlers(0).set_monitor(Monitor::kNesting);
  t.on_injection(0, {3, 10, 0, 0});
  t.on_injection(1, {4, 45, 0, 0});
  t.on_claim(claim_at(12, 19), 0, 3);
  t.on_retire(handler_start(19, 13));
  t.on_retire(mret_at(30, kUserHandler));
  t.on_retire(asks_at(40));  // the handler accesses a CSR
  t.on_retire(mret_at(44, 0x80000104));
  tz_claim inner = claim_at(50, 20);
  inner.epc = kUserHandler + 8;
  t.on_claim(inner, 1, 4);
  t.on_retire(handler_start(20, 51));
  t.on_retire(mret_at(60, kUserHandler + 64));
  t.on_retire(marker_at(1, 64));
  t.on_retire(asks_at(66));
  t.on_retire(mret_at(70, kUserHandler + 8));
  t.on_retire(marker_at(1, 74));
  EXPECT_EQ(t.interrupts()[1].tx, 64U);
  EXPECT_EQ(t.interrupts()[0].tx, 74U);
}

TEST(Stamps, Xnxti) {
  StampTracker tracker;
  for (unsigned line = 0; line < 3; ++line) tracker.on_injection(line, {line, 10, 0});
  tracker.on_retire(table_at(5));
  tracker.on_claim(claim_at(11, 16), 0, 0);
  tracker.on_retire(handler_start(16, 12));
  tracker.on_retire(xnxti_at(20, 17), hands_out(1));  // another interrupt first
  tracker.on_retire(marker_at(1, 22));
  tracker.on_retire(xnxti_at(30, 16), hands_out(Stimulus::kNone));  // the interrupt for which the handler was entered
  tracker.on_retire(marker_at(1, 32));
  tracker.on_retire(xnxti_at(40, 18), hands_out(2));  // without a marker
  EXPECT_EQ(tracker.interrupts().at(2).fate, Fate::kRunning);
  tracker.on_retire(xnxti_at(50, 0));
  tracker.on_retire(marker_at(1, 52));
  tracker.on_retire(mret_at(60));
  EXPECT_EQ(tracker.interrupts().at(0).tx, 32U);
  EXPECT_EQ(tracker.interrupts().at(0).taken_count, 1U);
  EXPECT_EQ(tracker.interrupts().at(1).taken, 20U);
  EXPECT_EQ(tracker.interrupts().at(1).taken_count, 1U);
  EXPECT_EQ(tracker.interrupts().at(1).id, 17U);
  EXPECT_FALSE(tracker.interrupts().at(1).epc) << "it interrupted nothing";
  EXPECT_EQ(tracker.interrupts().at(1).tx, 22U);
  EXPECT_EQ(tracker.interrupts().at(2).fate, Fate::kReturned);
  EXPECT_FALSE(tracker.interrupts().at(2).tx);
}

TEST(Stamps, XnxtiThatOnlyLooks) {
  StampTracker tracker;
  tracker.on_injection(0, {0, 10, 0});
  tracker.on_retire(table_at(5));
  tracker.on_claim(claim_at(11, 16), 0, 0);
  tracker.on_retire(handler_start(16, 12));
  tz_retire look = xnxti_at(20, 17);
  look.insn = 0x34502573;  // csrr a0, mnxti
  tracker.on_retire(look, hands_out(0));
  look.insn = 0x345ff073;  // csrci mnxti, 31: the claimed interrupt goes to no register
  look.rd = 0;
  look.rd_value = 0;
  tracker.on_retire(marker_at(1, 22));
  EXPECT_EQ(tracker.interrupts().at(0).tx, 22U);
  tracker.on_injection(1, {1, 24, 0});
  tracker.on_claim(claim_at(25, 17), 1, 1);
  tracker.on_retire(handler_start(17, 26));
  look.cycle_ex = 30;
  tracker.on_retire(look, hands_out(0));
  tracker.on_retire(marker_at(1, 32));
  EXPECT_FALSE(tracker.interrupts().at(1).tx) << "whose it is nobody knows";
}

TEST(Stamps, Jalxnxti) {
  StampTracker tracker;
  tracker.on_injection(0, {0, 10, 0});
  tracker.on_injection(1, {1, 10, 0});
  tracker.on_retire(table_at(5));
  tracker.on_claim(claim_at(11, 16), 0, 0);
  tracker.on_retire(handler_start(16, 12));
  tracker.on_retire(jalxnxti_at(20, 16), hands_out(Stimulus::kNone));
  tracker.on_retire(marker_at(1, 22));
  tracker.on_retire(jalxnxti_at(30, 17), hands_out(1));
  tracker.on_retire(marker_at(1, 32));
  tracker.on_retire(jalxnxti_at(40, 0));
  tracker.on_retire(mret_at(60));
  EXPECT_EQ(tracker.interrupts().at(0).tx, 22U);
  EXPECT_EQ(tracker.interrupts().at(1).tx, 32U);
}

TEST(Stamps, AnInterruptThatAnEmretGoesOnTo) {
  StampTracker tracker;
  tracker.on_injection(0, {0, 10, 0});
  tracker.on_injection(1, {1, 12, 0});
  tracker.on_claim(claim_at(11, 16), 0, 0);
  tracker.on_retire(handler_start(16, 12));
  tracker.on_retire(marker_at(1, 14));
  tracker.on_claim(claim_at(16, 17), 1, 1);
  tz_retire emret = executed(kEmret, 16, kTable + 4 * 17);
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
