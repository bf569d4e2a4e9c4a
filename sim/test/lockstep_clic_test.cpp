// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// A follower with a CLIC judges what its leader takes, claims and reads. The leader's records are made by hand.
#include <gtest/gtest.h>
#include <trapeze/clic.h>
#include <trapeze/map.h>

#include "elf_builder.h"
#include "kernel/error.h"
#include "lockstep/lockstep.h"

namespace trapeze::test {
namespace {

constexpr std::uint32_t csr(unsigned kind, unsigned rd, unsigned number, unsigned rs1) {
  return 0x73U | (rd << 7) | (kind << 12) | (rs1 << 15) | (number << 20);
}
constexpr unsigned kMtvec = 0x305, kMtvt = 0x307, kMnxti = 0x345, kThreshold = 0x347, kJump = 0x7ed;

/** Platform line of a source. */
constexpr unsigned line(unsigned id) {
  return id - 16;
}

/** Sources 40 and 41 are set up by a program, which then does nothing, one instruction in a cycle. */
class LockstepClic : public ::testing::Test {
 protected:
  struct Setup {
    std::uint32_t first = 0x64020100;   ///< word of source 40: rising edge, level 100
    std::uint32_t second = 0x65020100;  ///< word of source 41: level 101
    std::uint32_t status = 8;
    std::uint32_t threshold = 0;
    std::vector<std::uint32_t> end = {addi(0, 0, 0), jump(-4)};
  };

  void prepare(const Setup& setup) {
    follower.reset();
    following.emplace(follower);
    changes.clear();
    cycle = 100;
    base = follower.hart(0).reset_vector;
    std::vector<std::uint32_t> words = {lui(5, TRAPEZE_CLIC_BASE), addi(6, 0, 8), store(2, 6, 5)};
    const auto value = [&words](unsigned rd, std::uint32_t number) {
      words.push_back(lui(rd, number + 0x800U));
      words.push_back(addi(rd, rd, static_cast<int>(number << 20) >> 20));
    };
    value(5, TRAPEZE_CLIC_BASE + TRAPEZE_CLIC_IRQ_IP_OFFSET + 4 * 40);
    value(6, setup.first);
    words.push_back(store(2, 6, 5));
    value(6, setup.second);
    words.push_back(store(2, 6, 5) | (4U << 7));
    value(6, TRAPEZE_DMEM_BASE);
    for (const unsigned number : {kMtvt, kMtvec}) words.push_back(csr(1, 0, number, 6));
    value(6, setup.threshold);
    words.push_back(csr(1, 0, kThreshold, 6));
    words.push_back(csr(6, 0, 0x300, setup.status));
    steps = words.size();
    end_pc = base + 4 * words.size();
    words.insert(words.end(), setup.end.begin(), setup.end.end());
    follower.write_memory(0, base, words.data(), words.size() * 4);
    for (std::size_t i = 0; i < steps; ++i) {
      tz_retire record{};
      if (i == 2) record.mem_addr = TRAPEZE_CLIC_BASE;
      ASSERT_EQ(follow(record), "");
    }
  }

  /** The first instruction of a handler; the interrupt is claimed in the same cycle. */
  std::string follow(tz_retire record, std::uint64_t epc = 0) {
    record.cycle_ex = ++cycle;
    const following::Claim claim{cycle, 0, epc, record.irq_id, record.irq_level, false};
    result = following->follow({record, 0, {&claim, record.flags != 0 ? 1U : 0U}, changes});
    changes.clear();
    return result.complaint;
  }
  /** Drives a line in the cycle of the next instruction. */
  void move(unsigned id, bool level) { changes.push_back({cycle + 1, line(id), level ? 1U : 0U}); }
  void pulse(unsigned id) {
    move(id, true);
    EXPECT_EQ(follow({}), "");
    move(id, false);
  }
  std::string take(unsigned id, unsigned level) {
    tz_retire record{};
    record.flags = TZ_RETIRE_INTR | TZ_RETIRE_IRQ;
    record.irq_id = static_cast<std::uint16_t>(id);
    record.irq_level = static_cast<std::uint8_t>(level);
    std::uint64_t pc = 0;
    EXPECT_EQ(follower.oracle()->read_register(follower.handle(), 0, TZ_REGISTER_PC, &pc), TZ_OK);
    return follow(record, pc);
  }

  Engine follower{TEST_MODEL, 0, TEST_PLATFORM};
  std::optional<following::Follower> following;
  std::vector<following::LineChange> changes;
  following::Outcome result;
  std::uint64_t cycle = 0;
  std::uint64_t base = 0;
  std::uint64_t end_pc = 0;
  std::size_t steps = 0;
};

TEST_F(LockstepClic, WhatIsDueIsTaken) {
  prepare({});
  pulse(40);
  EXPECT_EQ(take(40, 100), "");
  EXPECT_EQ(result.own.irq_level, 100);
  EXPECT_EQ(result.own.flags & TZ_RETIRE_IRQ, TZ_RETIRE_IRQ);
}

TEST_F(LockstepClic, ALineIsSeenInTheNextCycle) {
  prepare({});
  move(40, true);
  EXPECT_EQ(take(40, 100), "interrupt 40 was taken though it is not pending and enabled") << "not in the same one";
}

TEST_F(LockstepClic, WhatMayNotBeTaken) {
  prepare({});
  EXPECT_EQ(take(40, 100), "interrupt 40 was taken though it is not pending and enabled");
  prepare({});
  EXPECT_EQ(take(70, 100), "interrupt 70 does not exist");
  prepare({.first = 0x64020000});
  pulse(40);
  EXPECT_EQ(take(40, 100), "interrupt 40 was taken though it is not pending and enabled") << "it is disabled";
  prepare({.status = 0});
  pulse(40);
  EXPECT_EQ(take(40, 100), "interrupt 40 was taken with mstatus.MIE clear");
  prepare({.threshold = 100});
  pulse(40);
  EXPECT_EQ(take(40, 100), "interrupt 40 of level 100 was taken at level 0 with threshold 100");
  prepare({});
  pulse(40);
  pulse(41);
  EXPECT_EQ(take(40, 100), "interrupt 40 was taken where only interrupt 41 could be");
  prepare({});
  pulse(40);
  tz_retire record{};
  record.flags = TZ_RETIRE_INTR | TZ_RETIRE_IRQ;
  record.irq_id = 40;
  record.irq_level = 100;
  EXPECT_EQ(follow(record, base), "interrupt 40 interrupted " + hex(base) + " instead of " + hex(end_pc + 4));
}

TEST_F(LockstepClic, AnEdgeIsTakenOnce) {
  prepare({.first = 0x64030100});
  const std::uint32_t entry = static_cast<std::uint32_t>(base) + 0x200;
  follower.write_memory(0, TRAPEZE_DMEM_BASE + 160, &entry, sizeof entry);
  const std::vector<std::uint32_t> handler = {addi(0, 0, 0), kMret};
  follower.write_memory(0, entry, handler.data(), handler.size() * 4);
  pulse(40);
  EXPECT_EQ(take(40, 100), "");
  EXPECT_EQ(follow({}), "");
  EXPECT_EQ(take(40, 100), "interrupt 40 was taken though it is not pending and enabled");
}

TEST_F(LockstepClic, WhatIsDueIsNotForgotten) {
  prepare({});
  pulse(40);
  std::string complaint;
  int instructions = 0;
  while (complaint.empty() && ++instructions < 20) complaint = follow({});
  EXPECT_EQ(complaint, "interrupt 40 of level 100 is due and was not taken for 5 instructions");
}

TEST_F(LockstepClic, NextInterruptIsWhatTheLeaderGotOrNot) {
  const std::uint64_t table = TRAPEZE_DMEM_BASE;
  const auto own = [&](std::uint64_t got) {
    prepare({.status = 0, .end = {addi(0, 0, 0), addi(0, 0, 0), csr(6, 7, kMnxti, 8)}});
    pulse(40);
    EXPECT_EQ(follow({}), "");
    tz_retire record{};
    record.insn = csr(6, 7, kMnxti, 8);
    record.rd = 7;
    record.rd_value = got;
    follow(record);
    return result.own.rd_value;
  };
  EXPECT_EQ(own(table + 160), table + 160);
  EXPECT_EQ(own(0), table + 160) << "it must be there";
  EXPECT_EQ(own(table + 164), table + 160) << "41 is not pending";
}

TEST_F(LockstepClic, AJumpToTheNextInterruptIsFollowedOrNot) {
  const auto own = [&](bool jumps) {
    prepare({.status = 0, .end = {addi(0, 0, 0), addi(0, 0, 0), csr(1, 1, kJump, 1)}});
    pulse(40);
    EXPECT_EQ(follow({}), "");
    tz_retire record{};
    record.insn = csr(1, 1, kJump, 1);
    record.pc_next = jumps ? TRAPEZE_DMEM_BASE + 160 : end_pc + 12;
    follow(record);
    return result.own.pc_next;
  };
  EXPECT_EQ(own(true), TRAPEZE_DMEM_BASE + 160U);
  EXPECT_EQ(own(false), TRAPEZE_DMEM_BASE + 160U);
}

}  // namespace
}  // namespace trapeze::test
