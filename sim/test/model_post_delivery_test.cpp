// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// User interrupts from hart to hart on the model: delivery of what waits in UIRR, and what keeps it waiting.
#include <gtest/gtest.h>

#include "post_harts.h"

namespace trapeze::model {
namespace {

using test::kMret;

constexpr std::uint32_t kWfi = 0x10500073;
constexpr std::uint32_t kFrame = kStack + 0x400 - 80;  ///< of hart 1

class ModelPostDelivery : public ::testing::Test, public PostHarts {
 protected:
  ModelPostDelivery() {
    for (unsigned id = 0; id < kSourceCount; ++id) poke(kUserTable + 4 * id, UserHart::user_handler(id));
    poke(UserHart::user_handler(0), kNop);
    poke(UserHart::user_handler(0) + 4, kEuret);
    poke(kUserLink, kEuret);
    poke(kUserEntry, kUret);
    poke(kEntry, kMret);
    user_on(1);
    idle(1);
  }
  void fast_on(std::uint32_t nest = kNest) {
    write(1, kUfastirq, kUserLink | kEnable | nest);
    source(1, kPostSource, 0xff010100);  // vectored
  }
  static std::uint32_t ucause(unsigned vector) { return kInterrupt | kWasOn | kPosted | vector; }
};

TEST_F(ModelPostDelivery, HighestFirst) {
  send(0, 2);
  send(0, 3);
  step(1);
  EXPECT_EQ(hart(1).pc(), kUserEntry);
  EXPECT_EQ(hart(1).mode(), kUser);
  EXPECT_EQ(read(1, kUcause), ucause(43));
  EXPECT_EQ(read(1, kUepc), program(1));
  EXPECT_EQ(read(1, kUintstatus), 255U);
  EXPECT_EQ(read(1, kUstatus), kUserWasOn) << "UIE is off";
  EXPECT_EQ(requests(1), 8U);
  EXPECT_EQ(claims.back().id, kPostSource);
  step(1);
  EXPECT_EQ(last.irq_id, kPostSource);
  EXPECT_EQ(last.insn, kUret);
  EXPECT_EQ(hart(1).pc(), program(1));
  step(1);
  EXPECT_EQ(read(1, kUcause), ucause(3));
  EXPECT_EQ(requests(1), 0U);
  EXPECT_EQ(source(1, kPostSource) & 1U, 0U);
  step(1, 2);
  EXPECT_EQ(hart(1).pc(), program(1) + 4) << "once";
}

TEST_F(ModelPostDelivery, WaitsForUserModeAndItsFlagAndItsLevel) {
  write(1, kMstatus, 0);
  send(0, 2);
  step(1);
  EXPECT_EQ(hart(1).pc(), program(1) + 4) << "UIE";
  user_on(1);
  write(1, kUintthresh, 255);
  step(1);
  EXPECT_EQ(hart(1).pc(), program(1) + 8) << "uintthresh";
  write(1, kUintthresh, 0);
  hart(1).set_mode(kMachine);
  step(1);
  EXPECT_EQ(hart(1).pc(), program(1) + 12) << "machine mode";
  EXPECT_EQ(requests(1), 8U);
  hart(1).set_mode(kUser);
  step(1);
  EXPECT_EQ(read(1, kUcause), ucause(3));
}

TEST_F(ModelPostDelivery, MachineModeComesBetween) {
  source(1, 30, 0x01c20101);  // an edge of machine mode, pending, at a low level
  send(0, 2);
  step(1);
  EXPECT_EQ(hart(1).pc(), kEntry);
  EXPECT_EQ(cause(1), kInterrupt | 30U);
  EXPECT_EQ(requests(1), 8U);
  source(1, 30, 0x00c20100);
  send(0, 3);
  step(1);
  EXPECT_EQ(hart(1).pc(), program(1)) << "mret";
  step(1);
  EXPECT_EQ(read(1, kUcause), ucause(43));
}

TEST_F(ModelPostDelivery, OthersOfItsLevelComeFirst) {
  source(1, 30, 0xff020101);
  send(0, 2);
  step(1);
  EXPECT_EQ(read(1, kUcause), kInterrupt | kWasOn | 30U);
  EXPECT_EQ(requests(1), 8U);
}

TEST_F(ModelPostDelivery, AsASourceOfMachineModeNothingIsTaken) {
  source(1, kPostSource, 0xffc00100);
  send(0, 2);
  step(1);
  EXPECT_EQ(hart(1).pc(), kEntry);
  EXPECT_EQ(cause(1), kInterrupt);
  EXPECT_EQ(requests(1), 8U);
  EXPECT_EQ(read(1, kUcause), 0U);
}

TEST_F(ModelPostDelivery, AWriteOfUirrIsInForceAtOnce) {
  hart(1).set_mode(kMachine);
  hart(1).set_x(6, 0x30);
  run(1, {csr_op(kCsrSet, 0, kMuirrh, 6), csr_op(kCsrWrite, 0, kMuirrh, 0)}, 1);
  EXPECT_EQ(source(1, kPostSource) & 1U, 1U);
  step(1);
  EXPECT_EQ(source(1, kPostSource) & 1U, 0U);
  write(1, kMuirrh, 0x30);
  hart(1).set_mode(kUser);
  step(1);
  EXPECT_EQ(read(1, kUcause), ucause(37));
}

TEST_F(ModelPostDelivery, ClaimedByUnxti) {
  write(1, kMstatus, 0);
  send(0, 2);
  send(0, 3);
  run(1, {csr_op(kCsrSet | kCsrImmediate, 7, kUnxti, 0), csr_op(kCsrSet | kCsrImmediate, 7, kUnxti, 1)}, 1);
  EXPECT_EQ(hart(1).x(7), kUserTable) << "entry 0";
  EXPECT_EQ(requests(1), 8U | (std::uint64_t{1} << 43)) << "not claimed";
  step(1);
  EXPECT_EQ(hart(1).x(7), kUserTable);
  EXPECT_EQ(read(1, kUcause) & (kPosted | 0xfffU), kPosted | 43U);
  EXPECT_EQ(requests(1), 8U);
}

TEST_F(ModelPostDelivery, ByFastirqAndOnToTheNextOne) {
  fast_on();
  send(0, 2);
  send(0, 3);
  step(1);
  EXPECT_EQ(hart(1).x(2), kFrame);
  EXPECT_EQ(hart(1).pc(), UserHart::user_handler(0));
  EXPECT_EQ(read(1, kUcause), ucause(43));
  EXPECT_EQ(peek(kFrame + 68), ucause(43)) << "the frame's ucause";
  step(1);
  EXPECT_EQ(hart(1).pc(), UserHart::user_handler(0) + 4) << "no nesting at one level";
  step(1);
  EXPECT_EQ(last.insn, kEuret);
  EXPECT_EQ(last.irq_id, kPostSource);
  EXPECT_EQ(hart(1).pc(), UserHart::user_handler(0));
  EXPECT_EQ(read(1, kUcause), ucause(3));
  EXPECT_EQ(requests(1), 0U);
  step(1, 2);
  EXPECT_EQ(hart(1).pc(), program(1));
  EXPECT_EQ(hart(1).x(2), kStack + 0x400);
  EXPECT_EQ(claims.size(), 2U);
}

TEST_F(ModelPostDelivery, ARefusedFrameTakesNothing) {
  fast_on();
  write(1, kPmpaddr0, (kFrame + 8) / 4);
  write(1, kPmpcfg0, kRowNa4 | kRowR);
  send(0, 2);
  step(1);
  EXPECT_EQ(hart(1).pc(), kEntry);
  EXPECT_EQ(cause(1), 24U);
  EXPECT_EQ(read(1, kMepc), program(1));
  EXPECT_EQ(read(1, kMtval), kFrame);
  EXPECT_EQ(requests(1), 8U);
  EXPECT_EQ(read(1, kUcause), 0U);
  write(1, kPmpcfg0, 0);
  step(1, 2);
  EXPECT_EQ(hart(1).pc(), UserHart::user_handler(0));
  EXPECT_EQ(read(1, kUcause), ucause(3));
  EXPECT_EQ(requests(1), 0U);
}

TEST_F(ModelPostDelivery, WakesWithInterruptsOff) {
  write(1, kMstatus, 0);
  run(1, {kWfi, kNop}, 1);
  EXPECT_TRUE(machine.core(1).waiting);
  step(1, 3);
  EXPECT_TRUE(machine.core(1).waiting);
  send(0, 2);
  step(1);
  EXPECT_FALSE(machine.core(1).waiting);
  EXPECT_EQ(hart(1).pc(), program(1) + 8);
  EXPECT_EQ(requests(1), 8U);
}

TEST_F(ModelPostDelivery, AnEdgeIsOneInterruptWithoutAVector) {
  source(1, kPostSource, 0xff020101);  // edge-triggered, by software
  step(1);
  EXPECT_EQ(read(1, kUcause), kInterrupt | kWasOn) << "code 0, not posted";
}

}  // namespace
}  // namespace trapeze::model
