// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Lockstep judges triggers that begin debug mode: one that must fire, one that may not, and what a debugger reads of
// their registers. The records are made by hand.
#include <gtest/gtest.h>

#include <fstream>
#include <optional>
#include <trapeze/isa.hpp>
#include <vector>

#include "elf_builder.h"
#include "kernel/dynamic_engine.h"
#include "lockstep/following/follower.h"
#include "model/isa/triggers.h"

namespace trapeze::following {
namespace {

using namespace model::tdata1;

constexpr std::uint32_t kBase = 0x1000;
constexpr char kPlatform[] = R"({"schema": "trapeze.platform/1", "name": "mine", "map": "mcu",
  "harts": [{"isa": "rv32im", "interrupts": "clint", "hart_id": 0, "reset_vector": 4096, "lines": 16,
             "line_id_base": 16, "line_delay": 0, "sources": 0, "ctl_bits": 8, "staged": false, "user": false,
             "uintr": false, "pmp": {"rows": 0, "grain": 0, "smepmp": false}, "triggers": 4, "debug": true}],
  "regions": [{"name": "imem", "kind": "memory", "base": 4096, "size": 4096, "harts": [0], "own": true}],
  "wires": []})";

constexpr std::uint32_t csr(unsigned kind, unsigned rd, unsigned number, unsigned rs1) {
  return 0x73U | (rd << 7) | (kind << 12) | (rs1 << 15) | (number << 20);
}
constexpr std::uint32_t kBreaks = kOff | kDmode | kM | kExecute | 1U << kActionShift;
constexpr std::uint32_t kCounts = 3U << kTypeShift | kDmode | kEventM | 1;

/** A leader that executes nops at kBase, an illegal instruction at kBase + 16, and what a debugger does. */
class FollowingTriggers : public ::testing::Test {
 protected:
  FollowingTriggers() {
    std::ofstream(folder / "p.json") << kPlatform;
    engine.emplace(TEST_MODEL, 0U, (folder / "p.json").c_str());
    const std::vector<std::uint32_t> words = {test::addi(0, 0, 0), test::addi(0, 0, 0), test::addi(0, 0, 0),
                                              test::addi(0, 0, 0), 0xffffffff};
    engine->write_memory(0, kBase, words.data(), 4 * words.size());
    follower.emplace(*engine);
  }
  /** The complaint about the next instruction of the program. */
  std::string next() {
    tz_retire record{};
    record.cycle_ex = ++cycle;
    return follower->follow({record, 0, {}, {}}).complaint;
  }
  void debug(tz_retire record) {
    record.mode = TZ_MODE_DEBUG;
    record.cycle_ex = ++cycle;
    EXPECT_EQ(follower->debugged(record), "");
  }
  void write(unsigned number, std::uint32_t value) {
    tz_retire record{};
    record.insn = csr(1, 0, number, 8);
    record.flags = TZ_RETIRE_CSR_WE;
    record.csr_addr = static_cast<std::uint16_t>(number);
    record.csr_value = value;
    debug(record);
  }
  void read(unsigned number, std::uint32_t value) {
    tz_retire record{};
    record.insn = csr(2, 8, number, 0);
    record.rd = 8;
    record.rd_value = value;
    debug(record);
  }
  void cause(unsigned code) { read(isa::csr::kDcsr, code << 6 | 3); }
  void resume() {
    tz_retire record{};
    record.insn = 0x7b200073;
    debug(record);
  }
  /** A halt on request in which the debugger sets triggers. */
  void set(const std::vector<std::array<std::uint32_t, 3>>& triggers) {
    cause(3);
    for (const auto& [n, data1, data2] : triggers) {
      write(isa::csr::kTselect, n);
      write(isa::csr::kTdata1, 0);
      write(isa::csr::kTdata2, data2);
      write(isa::csr::kTdata1, data1);
      read(isa::csr::kTdata1, data1);
    }
    resume();
  }

  test::TempDir folder;
  std::optional<Engine> engine;
  std::optional<Follower> follower;
  std::uint64_t cycle = 100;
};

TEST_F(FollowingTriggers, MustFire) {
  set({{0, kBreaks, 0x3000}, {1, kBreaks, kBase + 4}});
  EXPECT_EQ(next(), "");
  EXPECT_EQ(next(), "a trigger did not fire: trigger 1 matches this instruction");
}

TEST_F(FollowingTriggers, FireAndAreTakenAway) {
  set({{1, kBreaks, kBase + 4}});
  EXPECT_EQ(next(), "");
  cause(2);
  read(isa::csr::kTdata1, kBreaks | kHit0);
  write(isa::csr::kTdata1, 0);
  read(isa::csr::kTdata1, kOff);
  resume();
  EXPECT_EQ(next(), "");
  EXPECT_EQ(next(), "");
}

TEST_F(FollowingTriggers, HaveHit) {
  set({{1, kBreaks, kBase + 4}});
  EXPECT_EQ(next(), "");
  cause(2);
  read(isa::csr::kTdata1, kBreaks);
  write(isa::csr::kTdata1, 0);
  resume();
  EXPECT_EQ(next(), "in debug mode tdata1 read 0x68001044 instead of 0x68401044, with tselect 1");
}

TEST_F(FollowingTriggers, MayNotFireWithoutReason) {
  set({{1, kBreaks, kBase + 8}});
  EXPECT_EQ(next(), "");
  cause(2);
  resume();
  EXPECT_EQ(next(), "a trigger began debug mode (dcsr.cause 2) before 0x00001004, where none fires");
}

TEST_F(FollowingTriggers, MayFireForTheInput) {
  constexpr std::uint32_t kAlarm = 7U << kTypeShift | kDmode | kInput0 | 1;
  set({{2, kAlarm, 0}});
  EXPECT_EQ(next(), "");
  cause(2);
  read(isa::csr::kTdata1, kAlarm | kEventHit);
  resume();
  EXPECT_EQ(next(), "");
  cause(3);
  read(isa::csr::kTdata1, kAlarm | kEventHit);
  resume();
  EXPECT_EQ(next(), "");
}

TEST_F(FollowingTriggers, CountInstructions) {
  set({{0, kCounts | 2U << kCountShift, 0}});
  EXPECT_EQ(next(), "");
  EXPECT_EQ(next(), "");
  EXPECT_EQ(next(), "a trigger did not fire: trigger 0 had to begin debug mode before this instruction");
}

TEST_F(FollowingTriggers, HaveCounted) {
  set({{0, kCounts | 2U << kCountShift, 0}});
  EXPECT_EQ(next(), "");
  EXPECT_EQ(next(), "");
  cause(2);
  read(isa::csr::kTdata1, kCounts | kCountHit);
  resume();
  EXPECT_EQ(next(), "");
}

TEST_F(FollowingTriggers, SeeExceptions) {
  set({{3, 5U << kTypeShift | kDmode | kEventM | 1, 1U << isa::exception::kIllegalInstruction}});
  for (int i = 0; i < 5; ++i) EXPECT_EQ(next(), "") << i;
  EXPECT_EQ(next(), "a trigger did not fire: trigger 3 had to begin debug mode before this instruction");
}

TEST_F(FollowingTriggers, GoBeforeEbreak) {
  set({{1, kBreaks, kBase + 4}});
  EXPECT_EQ(next(), "");
  cause(1);
  resume();
  EXPECT_EQ(next(), "a trigger did not fire: ebreak began debug mode at 0x00001004, before which trigger 1 fires");
}

}  // namespace
}  // namespace trapeze::following
