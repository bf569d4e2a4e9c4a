// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Triggers of the model's hart: what their registers keep of a write, which instructions match, what is counted, and
// that a breakpoint exception comes in the place of the instruction, whether the hart executes blocks or single
// instructions.
#include <gtest/gtest.h>

#include "fast_hart.h"
#include "kernel/oracle.h"
#include "model/isa/triggers.h"

namespace trapeze::model {
namespace {

using namespace tdata1;
using test::addi;
using test::jump;
using test::load;
using test::store;

constexpr std::uint32_t kType3 = 3U << 28, kType4 = 4U << 28, kType5 = 5U << 28, kType7 = 7U << 28;
constexpr std::uint32_t kToDebug = 1U << 12;  ///< action 1 of mcontrol6
constexpr std::uint32_t kCode = kOff | kM | kExecute, kReads = kOff | kM | kLoad, kWrites = kOff | kM | kStore;

constexpr std::uint32_t match(Match kind) {
  return std::uint32_t{kind} << kMatchShift;
}
constexpr std::uint32_t size(unsigned field) {
  return field << kSizeShift;
}
constexpr std::uint32_t count(unsigned n) {
  return n << kCountShift;
}

/** Triggers that a debugger sets. */
struct Set : Triggers {
  explicit Set(unsigned number = 4, bool debug = true) : Triggers(number, debug) {}
  void set(unsigned n, std::uint32_t data1, std::uint32_t data2, bool debugger = true) {
    write(kTselect, n, debugger);
    write(kTdata2, data2, debugger);
    write(kTdata1, data1, debugger);
  }
  std::uint32_t data1(unsigned n) {
    write(kTselect, n, true);
    return read(kTdata1).value();
  }
  /** What tdata1 of trigger 0 becomes. */
  std::uint32_t kept(std::uint32_t value, bool debugger = true) {
    write(kTselect, 0, true);
    write(kTdata1, 0, true);
    write(kTdata1, value, debugger);
    return read(kTdata1).value();
  }
};

TEST(ModelTriggers, ExistInNumber) {
  EXPECT_FALSE(Triggers().has_csr(kTselect));
  EXPECT_FALSE(Triggers().write(kTdata1, 0, true));
  for (const bool debug : {false, true}) {
    Set own(3, debug);
    EXPECT_EQ(own.read(kTinfo), 0x01000040U | (debug ? 0xb8U : 0U));
    EXPECT_TRUE(own.write(kTinfo, 0, false)) << "legal, without effect";
    for (const std::uint32_t number : {2U, 3U, 8U, 0x100U, 0x80000000U}) {
      own.write(kTselect, number, false);
      EXPECT_EQ(own.read(kTselect), 2U) << number;
    }
    for (unsigned n = 0; n < 3; ++n) EXPECT_EQ(own.data1(n), 0x60000000U);
    EXPECT_FALSE(own.read(isa::csr::kTdata3).has_value());
  }
}

TEST(ModelTriggers, KeepWhatIsLegal) {
  struct Row {
    std::uint32_t written, debugger, program;
  };
  constexpr std::uint32_t kAll = kOff | kHit0 | kChain | kM | kU | kExecute | kStore | kLoad;
  const Row rows[] = {
      {0, kOff, kOff},
      {0xffffffff, kOff | kDmode, kOff},  // type 15
      {kOff | 0x07ffffff, kAll, kAll},
      {kOff | kDmode | kToDebug, kOff | kDmode | kToDebug, kOff},
      {kOff | kToDebug, kOff, kOff},
      {kOff | kDmode | 2U << 12, kOff | kDmode, kOff},
      {kOff | size(3) | match(kBelow), kOff | size(3) | match(kBelow), kOff | size(3) | match(kBelow)},
      {kOff | size(4), kOff, kOff},
      {kOff | 4U << 7, kOff, kOff},
      {kOff | 8U << 7, kOff, kOff},
      {kType3 | kDmode | 0x07ffffc1, kType3 | kDmode | 0x01ffff41, kOff},
      {kType3 | kDmode | 0x3c0, kOff | kDmode, kOff},
      {kType3 | 0x3c1, kOff, kOff},
      {kType4 | kDmode | 0x07ffffc1, kType4 | kDmode | 0x04000241, kOff},
      {kType5 | kDmode | 0x07ffffc1, kType5 | kDmode | 0x04000241, kOff},
      {kType7 | kDmode | 0x07ffffc1, kType7 | kDmode | 0x04000041, kOff},
      {kType7 | kDmode | 0x42, kOff | kDmode, kOff},
      {2U << 28 | kDmode | 0x1044, kOff | kDmode, kOff},
  };
  for (const Row& row : rows) {
    Set own;
    EXPECT_EQ(own.kept(row.written), row.debugger) << std::hex << row.written;
    EXPECT_EQ(own.kept(row.written, false), row.program) << std::hex << row.written;
    const std::uint32_t without = Set(4, false).kept(row.written);
    EXPECT_EQ(without & kDmode, 0U);
    EXPECT_EQ(without >> kTypeShift, unsigned{kMcontrol6});
  }
}

TEST(ModelTriggers, OfADebuggerAreLocked) {
  Set own;
  own.set(1, kCode | kDmode | kToDebug, 0x1234);
  own.set(1, 0, 0x5678, false);
  EXPECT_EQ(own.data1(1), kCode | kDmode | kToDebug);
  EXPECT_EQ(own.read(kTdata2), 0x1234U);
  // A program cannot chain to it, nor a debugger behind a chain of the program.
  own.set(0, kCode | kChain, 0, false);
  EXPECT_EQ(own.data1(0), kCode);
  own.set(0, kCode | kChain, 0, true);
  EXPECT_EQ(own.data1(0), kCode);
  own.set(0, kCode | kChain | kDmode, 0, true);
  EXPECT_EQ(own.data1(0), kCode | kChain | kDmode);
  own.set(2, kCode | kChain, 0, false);
  own.set(3, kType3 | kDmode | 0x201, 7, true);
  EXPECT_EQ(own.data1(3), kOff) << "ignored as a whole";
  own.set(3, kCode | kChain, 0, false);
  EXPECT_EQ(own.data1(3), kCode) << "there is no next one";
}

TEST(ModelTriggers, MatchAtTheBorders) {
  struct Row {
    std::uint32_t data1, data2, at;
    unsigned bytes;
    bool fires;
  };
  const std::uint32_t napot = kReads | match(kNapot), ge = kReads | match(kNotBelow), lt = kReads | match(kBelow);
  const Row rows[] = {
      {kReads, 0x1000, 0xffd, 4, true},    // its last byte
      {kReads, 0x1000, 0xffc, 4, false},   //
      {kReads, 0x1003, 0x1000, 4, true},   //
      {kReads, 0x1004, 0x1000, 4, false},  //
      {kReads | size(3), 0x1000, 0x1000, 2, false},
      {kReads | size(2), 0x1000, 0x1000, 2, true},
      {kReads | size(1), 0x1000, 0x1000, 1, true},
      {kReads | size(1), 0x1000, 0x1000, 4, false},
      {napot, 0x1007, 0x100f, 1, true},   // 16 bytes from 0x1000
      {napot, 0x1007, 0x1010, 1, false},  //
      {napot, 0x1007, 0xfff, 1, false},   //
      {napot, 0x1007, 0xffe, 4, true},    //
      {napot, 0x1000, 0x1001, 1, true},   // 2 bytes
      {napot, 0x1000, 0x1002, 1, false},  //
      {napot, 0x7fffffff, 0x80000000, 4, true},
      {napot, 0xffffffff, 0x80000000, 1, true},
      {ge, 0x1000, 0xffc, 4, false},          //
      {ge, 0x1000, 0xffd, 4, true},           //
      {ge, 0, 0, 1, true},                    //
      {ge, 2, 0, 4, true},                    //
      {ge, 0xffffffff, 0xfffffffe, 4, true},  // it does not wrap
      {lt, 0x1000, 0xffd, 4, true},           //
      {lt, 0x1000, 0x1000, 1, false},         //
      {lt, 0, 0, 4, false},                   //
      {lt, 0x1000, 0xfffffffe, 4, false},     //
  };
  for (const Row& row : rows) {
    Set own;
    own.set(0, row.data1, row.data2);
    TriggerPoint point{.pc = 0x1000, .bytes = 4, .loads = true, .access = row.bytes, .at = row.at, .mode = kMachine};
    EXPECT_EQ(own.before(point).breakpoint != 0, row.fires)
        << std::hex << row.data1 << ' ' << row.data2 << ' ' << row.at;
    std::swap(point.loads, point.stores);
    EXPECT_EQ(own.before(point).breakpoint, 0U) << "a store";
    own.set(0, row.data1 ^ kLoad ^ kStore, row.data2);
    EXPECT_EQ(own.before(point).breakpoint != 0, row.fires) << "a store";
    point.mode = kUser;
    EXPECT_EQ(own.before(point).breakpoint, 0U);
    own.set(0, row.data1 ^ kLoad ^ kStore ^ kM ^ kU, row.data2);
    EXPECT_EQ(own.before(point).breakpoint != 0, row.fires);
  }
}

TEST(ModelTriggers, MatchInstructionsByTheirSizes) {
  for (const unsigned bytes : {0U, 2U, 4U}) {
    for (const unsigned field : {0U, 1U, 2U, 3U}) {
      Set own;
      own.set(0, kCode | size(field), 0x1000);
      const TriggerPoint point{.pc = 0x1000, .bytes = bytes, .mode = kMachine};
      const bool fires = field == 0 || (field == 2 && bytes == 2) || (field == 3 && bytes == 4);
      EXPECT_EQ(own.before(point).breakpoint != 0, fires) << bytes << ' ' << field;
      EXPECT_EQ(own.before({.pc = 0xffe, .bytes = bytes, .mode = kMachine}).breakpoint, 0U) << "its first byte alone";
    }
  }
}

TEST(ModelTriggers, OfAChainFireTogether) {
  const TriggerPoint both{.pc = 0x1000, .bytes = 4, .loads = true, .access = 4, .at = 0x2000, .mode = kMachine};
  const TriggerPoint one{.pc = 0x1004, .bytes = 4, .loads = true, .access = 4, .at = 0x2000, .mode = kMachine};
  Set own;
  own.set(0, kCode | kChain, 0x1000);
  own.set(1, kReads, 0x2000);
  own.set(2, kReads | kDmode | kToDebug, 0x2002);
  EXPECT_EQ(own.before(both).breakpoint, 3U);
  EXPECT_EQ(own.before(both).debug, 4U);
  EXPECT_EQ(own.before(one).breakpoint, 0U);
  EXPECT_EQ(own.before(one).debug, 4U);
  own.hit(own.before(both).breakpoint);
  EXPECT_EQ(own.data1(0), kCode | kChain | kHit0);
  EXPECT_EQ(own.data1(1), kReads | kHit0);
  EXPECT_EQ(own.data1(2), kReads | kDmode | kToDebug);
  // The middle of three; and the action is that of the last one.
  own = Set();
  own.set(0, kCode | kDmode | kChain, 0x1000);
  own.set(1, kReads | kDmode | kChain, 0x3000);
  own.set(2, kReads | kDmode | kToDebug, 0x2002);
  EXPECT_EQ(own.before(both).debug, 0U);
  own.set(1, kReads | kDmode | kChain, 0x2000);
  EXPECT_EQ(own.before(both).debug, 7U);
  EXPECT_EQ(own.before(both).breakpoint, 0U);
  // Another type ends the chain, which never fires.
  own.set(2, kType7 | kDmode | kInput0 | 1, 0);
  EXPECT_EQ(own.before(both).debug | own.before(both).breakpoint, 0U);
}

TEST(ModelTriggers, OfMachineModeWaitForItsInterrupts) {
  Set own;
  own.set(0, kCode, 0x1000);
  own.set(1, kCode | kDmode | kToDebug, 0x1000);
  const Firing off = own.before({.pc = 0x1000, .bytes = 4, .mode = kMachine, .handles = false});
  EXPECT_EQ(off.breakpoint, 0U);
  EXPECT_EQ(off.debug, 2U) << "debug mode does not";
  EXPECT_EQ(own.before({.pc = 0x1000, .bytes = 4, .mode = kMachine}).breakpoint, 1U);
}

TEST(ModelTriggers, CountInstructions) {
  Set own;
  own.set(2, kType3 | kDmode | count(2) | kEventU | 1, 0);
  EXPECT_TRUE(own.armed());
  own.counts(kMachine);
  EXPECT_EQ(own.data1(2), kType3 | kDmode | count(2) | kEventU | 1);
  own.counts(kUser);
  EXPECT_EQ(own.data1(2), kType3 | kDmode | count(1) | kEventU | 1);
  EXPECT_EQ(own.due(kUser), 0U);
  own.counts(kUser);
  EXPECT_EQ(own.data1(2), kType3 | kDmode | kPending | kEventU | 1);
  EXPECT_EQ(own.due(kMachine), 0U) << "it waits for user mode";
  EXPECT_EQ(own.due(kUser), 4U);
  own.counts(kUser);
  own.halted(kMachine);
  EXPECT_EQ(own.due(kUser), 4U);
  own.halted(kUser);
  EXPECT_EQ(own.data1(2), kType3 | kDmode | kCountHit | kEventU | 1);
  own.counts(kUser);
  EXPECT_EQ(own.due(kUser), 0U) << "0 stays 0";
  EXPECT_FALSE(own.armed());
}

TEST(ModelTriggers, SeeTraps) {
  Set own;
  own.set(0, kType4 | kDmode | kEventM | 1, 1U << 7 | 1U << 31);
  own.set(1, kType5 | kDmode | kEventU | 1, 1U << 3);
  own.interrupted(3, kMachine);
  own.interrupted(7, kUser);
  own.interrupted(7 + 32, kMachine);
  own.excepted(7, kMachine);
  own.excepted(3, kMachine);
  EXPECT_EQ(own.due(kMachine), 0U);
  own.interrupted(31, kMachine);
  own.excepted(3, kUser);
  EXPECT_EQ(own.due(kMachine), 3U);
  EXPECT_EQ(own.data1(0), kType4 | kDmode | kEventHit | kEventM | 1);
  own.halted(kMachine);
  EXPECT_EQ(own.due(kMachine), 0U);
  EXPECT_EQ(own.data1(1), kType5 | kDmode | kEventHit | kEventU | 1);
  EXPECT_FALSE(own.awaits_input());
  own.set(2, kType7 | kDmode | kInput0 | 1, 0);
  EXPECT_TRUE(own.awaits_input());
}

// --- the hart

constexpr Params kWatched = parse_params("rv32imac_zba_zbb_zbs").with_clic(true).with_fast(true).with_triggers(4, true);
constexpr std::uint32_t kData = TRAPEZE_DMEM_BASE + 0x1000;
constexpr std::uint32_t kWriteData1 = 0x73U | 1U << 12 | 7U << 15 | 0x7a1U << 20;  // csrw tdata1, x7

/** x5 is kData. Interrupts are on, so that breakpoints of machine mode fire. Exceptions end in a loop. */
struct Watched : FastHart<kWatched> {
  explicit Watched(bool one_by_one) : recorded(one_by_one) {
    write(kMfastirq, 0);
    poke(kEntry, jump(0));
    hart().set_x(5, kData);
    interrupts_on();
  }
  void set(unsigned n, std::uint32_t data1, std::uint32_t data2) {
    write(kTselect, n);
    write(kTdata2, data2);
    write(kTdata1, data1);
  }
  void debugger(unsigned n, std::uint32_t data1, std::uint32_t data2) {
    Triggers& all = hart().csr().triggers();
    all.write(kTselect, n, true);
    all.write(kTdata2, data2, true);
    all.write(kTdata1, data1, true);
  }
  void execute(const std::vector<std::uint32_t>& words, std::uint64_t steps) {
    for (std::size_t i = 0; i < words.size(); ++i) poke(kBase + static_cast<std::uint32_t>(4 * i), words[i]);
    hart().set_pc(kBase);
    if (recorded) return go(steps);
    tz_run_args args{};
    args.until_cycle = machine.now() + steps;
    do {
      machine.run(args, result);
    } while (machine.now() < args.until_cycle);
  }
  void expect_breakpoint(std::uint32_t epc) {
    EXPECT_EQ(hart().pc(), kEntry);
    EXPECT_EQ(read(kMcause) & 0xfffU, unsigned{kBreakpoint});
    EXPECT_EQ(read(kMepc), epc);
    EXPECT_EQ(read(kMtval), 0U);
  }

  bool recorded;
};

class ModelTriggersHart : public ::testing::TestWithParam<bool>, public Watched {
 protected:
  ModelTriggersHart() : Watched(GetParam()) {}
};
INSTANTIATE_TEST_SUITE_P(Paths, ModelTriggersHart, ::testing::Bool(),
                         [](const auto& path) { return path.param ? "Records" : "Blocks"; });

const std::vector<std::uint32_t> kProgram = {addi(6, 0, 1),    store(2, 6, 5), addi(6, 6, 1),
                                             load(1, 8, 5, 2), kNop,           kNop};

TEST_P(ModelTriggersHart, StopsBeforeAnInstruction) {
  set(0, kCode, kBase + 8);
  execute(kProgram, 5);
  expect_breakpoint(kBase + 8);
  EXPECT_EQ(x(6), 1U);
  EXPECT_EQ(peek(kData), 1U);
  EXPECT_EQ(read(kTdata1), kCode | kHit0);
}

TEST_P(ModelTriggersHart, StopsBeforeAStore) {
  set(1, kWrites, kData + 3);
  execute(kProgram, 5);
  expect_breakpoint(kBase + 4);
  EXPECT_EQ(peek(kData), 0U);
}

TEST_P(ModelTriggersHart, StopsBeforeALoad) {
  set(1, kReads | size(2), kData + 2);
  execute(kProgram, 6);
  expect_breakpoint(kBase + 12);
  EXPECT_EQ(x(8), value_of(8));
}

TEST_P(ModelTriggersHart, StopsBeforeAFetchThatFails) {
  set(0, kCode, 0x10);
  execute({jump(0)}, 1);
  hart().set_pc(0x10);
  recorded ? go(2) : execute({0x00000067U | 16U << 20}, 3);  // jalr x0, 16(x0)
  expect_breakpoint(0x10);
}

TEST_P(ModelTriggersHart, NeedsInterruptsInMachineModeAlone) {
  write(kMstatus, 0);
  set(0, kOff | kM | kU | kExecute, kBase + 8);
  execute(kProgram, 5);
  EXPECT_EQ(hart().pc(), kBase + 20);
  hart().set_mode(kUser);
  execute(kProgram, 5);
  expect_breakpoint(kBase + 8);
}

TEST_P(ModelTriggersHart, ArmsTheVeryNextInstruction) {
  hart().set_x(7, kCode);
  write(kTdata2, kBase + 8);
  // The block behind the write fits into what is left of the time: it must not be entered.
  execute({addi(6, 0, 1), kWriteData1, addi(6, 0, 2), jump(0)}, 20);
  expect_breakpoint(kBase + 8);
  EXPECT_EQ(x(6), 1U);
}

TEST_P(ModelTriggersHart, IsIllegalToUserMode) {
  hart().set_mode(kUser);
  execute({kWriteData1, kNop, kNop}, 2);
  EXPECT_EQ(read(kMcause) & 0xfffU, unsigned{kIllegal});
}

TEST_P(ModelTriggersHart, GoesOnWhereDebugModeWouldBegin) {
  debugger(0, kCode | kDmode | kToDebug, kBase + 4);
  execute(kProgram, 1);
  EXPECT_EQ(hart().triggers_due(), 1U);
  hart().halted(false);
  EXPECT_EQ(read(kTdata1), kCode | kDmode | kToDebug);
  hart().halted(true);
  EXPECT_EQ(read(kTdata1), kCode | kDmode | kToDebug | kHit0);
  recorded ? go(1) : static_cast<void>(hart().step(machine.now(), nullptr));
  EXPECT_EQ(peek(kData), 1U);
  EXPECT_EQ(hart().triggers_due(), 0U);
}

TEST_P(ModelTriggersHart, CountsRetiredAndTrapped) {
  debugger(0, kType3 | kDmode | count(10) | kEventM | 1, 0);
  execute({kNop, 0 /* illegal */}, 3);  // and one of the handler
  EXPECT_EQ(read(kTdata1), kType3 | kDmode | count(7) | kEventM | 1);
}

TEST_P(ModelTriggersHart, CountsAndSeesAnInterrupt) {
  debugger(0, kType3 | kDmode | count(10) | kEventM | 1, 0);
  debugger(1, kType4 | kDmode | kEventM | 1, 1U << 20);
  raise(20, 200);
  hart().set_pc(kBase);
  hart().enter(machine.core(0).clic.best());
  EXPECT_EQ(hart().triggers_due(), 2U << TZ_TRIGGERS_EVENT_SHIFT);
  write(kTselect, 0);
  EXPECT_EQ(read(kTdata1), kType3 | kDmode | count(9) | kEventM | 1);
}

TEST_P(ModelTriggersHart, SeesTheExceptionOfATrigger) {
  debugger(0, kType5 | kDmode | kEventM | 1, 1U << kBreakpoint);
  debugger(1, kCode, kBase);
  execute(kProgram, 1);
  expect_breakpoint(kBase);
  EXPECT_EQ(hart().triggers_due(), 1U << TZ_TRIGGERS_EVENT_SHIFT);
}

TEST_P(ModelTriggersHart, IsResetAndRestored) {
  set(0, kCode, kBase + 8);
  const auto saved = hart().save();
  hart().reset(kBase);
  EXPECT_EQ(read(kTdata1), kOff);
  EXPECT_FALSE(hart().csr().triggers().armed());
  hart().restore(saved);
  EXPECT_EQ(read(kTdata1), kCode);
  EXPECT_TRUE(hart().csr().triggers().armed());
}

}  // namespace
}  // namespace trapeze::model
