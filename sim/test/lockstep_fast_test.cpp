// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// A follower with fastirq: frames, emret and their exceptions as its leader has them. The leader's records are made by
// hand.
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
constexpr unsigned kMtvec = 0x305, kMtvt = 0x307, kThreshold = 0x347, kFast = 0x7c0, kMepc = 0x341, kMcause = 0x342;
constexpr std::uint32_t kEmret = 0xbc200073, kEcall = 0x73, kNop = addi(0, 0, 0);
constexpr std::uint32_t kTable = TRAPEZE_DMEM_BASE, kStack = TRAPEZE_DMEM_BASE + 0x1000;
constexpr std::uint32_t kInTable = 1U << 30;

/** A program sets up edge-triggered, vectored sources 40 to 43 and then does nothing, one instruction in a cycle. Level
 * of source 40 + n is 100 + n. Handlers are at base + 0x400 + 0x40 n. */
class LockstepFast : public ::testing::Test {
 protected:
  struct Setup {
    std::uint32_t stack = kStack;
    std::uint32_t status = 8;
    std::uint32_t threshold = 0;
    std::uint32_t fast = 3;
    std::vector<std::uint32_t> handler = {kNop, kEmret};
    std::vector<std::uint32_t> end = {kNop, jump(-4)};
  };

  void prepare(const Setup& setup) {
    follower.reset();
    following.emplace(follower);
    changes.clear();
    cycle = 100;
    std::vector<std::uint32_t> words;
    const auto value = [&words](unsigned rd, std::uint32_t number) {
      words.push_back(lui(rd, number + 0x800U));
      words.push_back(addi(rd, rd, static_cast<int>(number << 20) >> 20));
    };
    value(5, TRAPEZE_CLIC_BASE);
    value(6, 8);
    words.push_back(store(2, 6, 5));
    value(5, TRAPEZE_CLIC_BASE + TRAPEZE_CLIC_IRQ_IP_OFFSET + 4 * 40);
    for (unsigned n = 0; n < 4; ++n) {
      value(6, 0x64030100U + (n << 24));
      words.push_back(store(2, 6, 5) | ((4 * n) << 7));
    }
    const std::pair<unsigned, std::uint32_t> csrs[] = {
        {kMtvt, kTable}, {kMtvec, base + 0x300}, {kThreshold, setup.threshold}, {kFast, base + 0x200 + setup.fast}};
    for (const auto& [number, content] : csrs) {
      value(6, content);
      words.push_back(csr(1, 0, number, 6));
    }
    value(2, setup.stack);
    words.push_back(addi(1, 0, 0));  // a register that was not written holds any value
    words.push_back(csr(6, 0, 0x300, setup.status));
    const std::size_t steps = words.size();
    end_pc = base + 4 * static_cast<std::uint32_t>(steps);
    words.insert(words.end(), setup.end.begin(), setup.end.end());
    put(base, words);
    put(base + 0x300, {kNop, kMret});
    put(base + 0x200, {kEmret});
    for (unsigned n = 0; n < 4; ++n) {
      put(kTable + 4 * (40 + n), {handler(40 + n)});
      put(handler(40 + n), setup.handler);
    }
    for (std::size_t i = 0; i < steps; ++i) ASSERT_EQ(follow({}), "");
  }

  void put(std::uint32_t address, const std::vector<std::uint32_t>& words) {
    follower.write_memory(0, address, words.data(), words.size() * 4);
  }
  std::uint32_t peek(std::uint32_t address) {
    std::uint32_t word = 0;
    follower.read_memory(0, address, &word, sizeof word);
    return word;
  }
  std::uint32_t handler(unsigned id) const { return base + 0x400 + 0x40 * (id - 40); }
  static std::uint32_t entry(unsigned id) { return kTable + 4 * id; }
  unsigned frame_bytes() const { return embedded ? 48 : 80; }
  unsigned word_of_epc() const { return embedded ? 10 : 16; }

  std::uint32_t reg(std::uint32_t number) {
    std::uint64_t value = 0;
    EXPECT_EQ(follower.oracle()->read_register(follower.handle(), 0, number, &value), TZ_OK);
    return static_cast<std::uint32_t>(value);
  }
  std::uint32_t read_csr(std::uint32_t number) {
    std::uint64_t value = 0;
    EXPECT_EQ(follower.oracle()->read_csr(follower.handle(), 0, number, &value), TZ_OK);
    return static_cast<std::uint32_t>(value);
  }

  /** One instruction of the leader, after these claims. */
  std::string follow(tz_retire record, const std::vector<following::Claim>& claims = {}) {
    record.cycle_ex = ++cycle;
    result = following->follow({record, 0, claims, changes});
    changes.clear();
    return result.complaint;
  }
  /** An interrupt was claimed so many cycles before the next instruction. */
  following::Claim claim(unsigned id, std::uint64_t epc, unsigned before = 1) const {
    return {cycle + 1 - before, 0, epc, static_cast<std::uint16_t>(id), static_cast<std::uint8_t>(60 + id), false};
  }
  /** The next instruction is an emret that goes on to this interrupt. */
  following::Claim chained(unsigned id, std::uint64_t epc) const {
    following::Claim one = claim(id, epc, 0);
    one.chained = true;
    return one;
  }
  void rise(unsigned id, unsigned before) { changes.push_back({cycle + 1 - before, id - 16, 1}); }
  /** An edge of a line, which the controller has seen two instructions later. */
  void pulse(unsigned id) {
    changes.push_back({cycle + 1, id - 16, 1});
    EXPECT_EQ(follow({}), "");
    changes.push_back({cycle + 1, id - 16, 0});
    EXPECT_EQ(follow({}), "");
  }
  /** The same, between two instructions. */
  void pulse_unseen(unsigned id) {
    cycle += 4;
    rise(id, 4);
  }
  /** The interrupt is taken before the next instruction. */
  std::string take(unsigned id) { return follow({}, {claim(id, reg(TZ_REGISTER_PC))}); }
  /** An emret of the leader. */
  static tz_retire emret() {
    tz_retire record{};
    record.insn = kEmret;
    return record;
  }
  static tz_retire trap(unsigned cause) {
    tz_retire record{};
    record.flags = TZ_RETIRE_TRAP;
    record.cause = cause;
    return record;
  }

  Engine follower{TEST_MODEL, 0, TEST_PLATFORM};
  std::optional<following::Follower> following;
  std::vector<following::LineChange> changes;
  following::Outcome result;
  std::uint64_t cycle = 0;
  const std::uint32_t base = static_cast<std::uint32_t>(follower.hart(0).reset_vector);
  std::uint32_t end_pc = 0;
  const bool embedded = std::string(follower.hart(0).isa).compare(0, 5, "rv32e") == 0;
};

TEST_F(LockstepFast, EntryAndReturn) {
  prepare({});
  pulse(40);
  const std::uint32_t pc = reg(TZ_REGISTER_PC);
  EXPECT_EQ(take(40), "");
  EXPECT_EQ(result.own.flags, TZ_RETIRE_INTR | TZ_RETIRE_IRQ);
  EXPECT_EQ(result.own.pc, handler(40));
  EXPECT_EQ(reg(2), kStack - frame_bytes());
  EXPECT_EQ(reg(1), base + 0x200);
  EXPECT_EQ(follow(emret()), "");
  EXPECT_EQ(result.own.flags, 0);
  EXPECT_EQ(result.own.pc_next, pc);
  EXPECT_EQ(reg(2), kStack);
}

/** Interrupt 41 comes when 40 has been taken, before an instruction of its handler. */
class LockstepFastNested : public LockstepFast {
 protected:
  std::string both(std::uint64_t epc, unsigned rises = 6, std::uint32_t fast = 3) {
    prepare({.fast = fast});
    pulse(40);
    interrupted = reg(TZ_REGISTER_PC);
    cycle += 8;
    rise(41, rises);
    return follow({}, {claim(40, interrupted, 8), claim(41, epc, 3)});
  }
  std::uint32_t interrupted = 0;
};

TEST_F(LockstepFastNested, BehindTheTableFetch) {
  EXPECT_EQ(both(handler(40)), "");
  EXPECT_EQ(result.own.irq_id, 41);
  EXPECT_EQ(result.own.irq_level, 101);
  EXPECT_EQ(result.own.pc, handler(41));
  EXPECT_EQ(reg(2), kStack - 2 * frame_bytes());
  EXPECT_EQ(read_csr(kMepc), handler(40));
  EXPECT_EQ(peek(reg(2) + 4 * word_of_epc()), handler(40));
  EXPECT_EQ(follow(emret()), "");
  EXPECT_EQ(follow({}), "");
  EXPECT_EQ(result.own.pc, handler(40));
  EXPECT_EQ(result.own.flags, 0) << "the first handler begins later";
  EXPECT_EQ(follow(emret()), "");
  EXPECT_EQ(reg(TZ_REGISTER_PC), interrupted);
}

TEST_F(LockstepFastNested, DuringTheTableFetch) {
  EXPECT_EQ(both(entry(40)), "");
  EXPECT_EQ(read_csr(kMepc), entry(40));
  EXPECT_NE(read_csr(kMcause) & kInTable, 0U);
  EXPECT_EQ(peek(reg(2) + 4 * word_of_epc()), entry(40));
  EXPECT_EQ(peek(reg(2) + 4 * word_of_epc() + 4), read_csr(kMcause));
  EXPECT_EQ(follow(emret()), "");
  EXPECT_EQ(result.own.pc_next, entry(40)) << "the record names the entry";
  EXPECT_EQ(reg(TZ_REGISTER_PC), handler(40));
}

TEST_F(LockstepFastNested, NotWithoutNest) {
  EXPECT_EQ(both(handler(40), 6, 1), "interrupt 41 was taken with mstatus.MIE clear");
}

TEST_F(LockstepFastNested, EachClaimIsJudgedInItsCycle) {
  EXPECT_EQ(both(handler(40), 9), "interrupt 40 was taken where only interrupt 41 could be");
  EXPECT_EQ(both(handler(40), 3), "interrupt 41 was taken though it is not pending and enabled");
  EXPECT_EQ(both(handler(41)), "interrupt 41 interrupted " + hex(handler(41)) + " instead of " + hex(handler(40)));
}

TEST_F(LockstepFast, EmretGoesOnToWhatTheLeaderTakes) {
  prepare({});
  pulse(41);
  const std::uint32_t pc = reg(TZ_REGISTER_PC);
  EXPECT_EQ(take(41), "");
  pulse_unseen(40);
  EXPECT_EQ(follow(emret(), {chained(40, pc)}), "");
  EXPECT_EQ(result.own.flags, TZ_RETIRE_IRQ);
  EXPECT_EQ(result.own.irq_id, 40);
  EXPECT_EQ(result.own.irq_level, 100);
  EXPECT_EQ(result.own.pc_next, entry(40));
  EXPECT_EQ(follow({}), "");
  EXPECT_EQ(result.own.flags, TZ_RETIRE_INTR | TZ_RETIRE_IRQ);
  EXPECT_EQ(result.own.irq_id, 40);
  EXPECT_EQ(result.own.cause, 0x80000000U | 40U);
  EXPECT_EQ(follow(emret()), "");
  EXPECT_EQ(reg(TZ_REGISTER_PC), pc);
  EXPECT_EQ(reg(2), kStack);
}

TEST_F(LockstepFast, EmretIsJudged) {
  const auto chain = [&](const Setup& setup, unsigned first, unsigned next, unsigned claimed, std::uint32_t epc) {
    prepare(setup);
    pulse(first);
    const std::uint32_t pc = reg(TZ_REGISTER_PC);
    EXPECT_EQ(take(first), "");
    if (next != 0) pulse_unseen(next);
    if (claimed == 0) return follow(emret());
    return follow(emret(), {chained(claimed, epc != 0 ? epc : pc)});
  };
  EXPECT_EQ(chain({}, 41, 0, 40, 0), "emret went on to interrupt 40 though it is not pending and enabled");
  EXPECT_EQ(chain({}, 41, 40, 42, 0), "emret went on to interrupt 42 where only interrupt 40 could be");
  EXPECT_EQ(chain({}, 41, 40, 70, 0), "interrupt 70 does not exist");
  EXPECT_EQ(chain({}, 41, 40, 40, kTable), "interrupt 40 interrupted " + hex(kTable) + " instead of " + hex(end_pc));
  EXPECT_EQ(chain({}, 41, 40, 0, 0), "emret returned though interrupt 40 of level 100 is due");
  EXPECT_EQ(chain({.threshold = 100}, 41, 40, 0, 0), "");
  EXPECT_EQ(chain({.threshold = 100}, 41, 40, 40, 0),
            "emret went on to interrupt 40 of level 100 though it returns to level 0, with threshold 100");
}

TEST_F(LockstepFast, WhatJustCameMayBeOverlooked) {
  prepare({});
  pulse(41);
  EXPECT_EQ(take(41), "");
  rise(40, 1);
  EXPECT_EQ(follow(emret()), "");
}

TEST_F(LockstepFast, AnEmretMayBeginAHandler) {
  for (const unsigned named : {41U, 40U}) {
    prepare({.handler = {kEmret}});
    pulse(41);
    const std::uint32_t pc = reg(TZ_REGISTER_PC);
    cycle += 8;
    rise(40, 5);
    tz_retire record = emret();
    record.irq_id = static_cast<std::uint16_t>(named);
    EXPECT_EQ(follow(record, {claim(41, pc, 7), chained(40, pc)}), "");
    EXPECT_EQ(result.own.flags, TZ_RETIRE_INTR | TZ_RETIRE_IRQ);
    EXPECT_EQ(result.own.irq_id, named) << "one name for two";
    EXPECT_EQ(follow(emret()), "");
    EXPECT_EQ(result.own.irq_id, 40);
    EXPECT_EQ(reg(TZ_REGISTER_PC), pc);
  }
}

TEST_F(LockstepFast, RegistersThatMayHoldAnything) {
  prepare({.handler = {addi(6, 5, 1), addi(7, 5, 2), addi(8, 6, 0), kEmret}});
  pulse(40);
  tz_retire record{};
  record.rs1 = 5;
  record.rs1_value = 0x777;
  EXPECT_EQ(follow(record, {claim(40, reg(TZ_REGISTER_PC))}), "");
  EXPECT_EQ(result.own.rs1_value, 0x777U) << "the leader's";
  EXPECT_EQ(result.own.rd_value, 0x778U);
  record.rs1_value = 0x999;
  EXPECT_EQ(follow(record), "");
  EXPECT_EQ(result.own.rs1_value, 0x777U) << "but it is known from then on";
  record.rs1 = 6;
  EXPECT_EQ(follow(record), "");
  EXPECT_EQ(result.own.rs1_value, 0x778U) << "what has been written is known";
}

TEST_F(LockstepFast, RegistersHoldAnythingAfterReset) {
  prepare({.end = {addi(6, 8, 1), addi(6, 8, 1), addi(8, 8, 1), addi(6, 8, 0)}});
  tz_retire record{};
  record.rs1 = 8;
  record.rs1_value = 0x777;
  EXPECT_EQ(follow(record), "");
  EXPECT_EQ(result.own.rs1_value, 0x777U) << "the leader's";
  record.rs1_value = 0x999;
  EXPECT_EQ(follow(record), "");
  EXPECT_EQ(result.own.rs1_value, 0x777U) << "known from its first use on";
  EXPECT_EQ(follow(record), "");
  EXPECT_EQ(follow(record), "");
  EXPECT_EQ(result.own.rs1_value, 0x778U) << "and when it has been written";
}

TEST_F(LockstepFast, WhatCouldNotBeFetchedShowsNoRegister) {
  prepare({.end = {addi(6, 8, 1)}});
  tz_retire record{};
  record.rs1 = 8;
  record.rs1_value = 0x777;
  record.flags = TZ_RETIRE_TRAP;
  record.cause = 1;  // instruction access fault
  (void)follow(record);
  EXPECT_EQ(result.own.rs1_value, 0U);
}

TEST_F(LockstepFast, MemoryBelowTheStackMayHoldAnything) {
  const std::uint32_t frame = kStack - frame_bytes();
  prepare({.handler = {load(2, 9, 2, 0), kEmret},
           .end = {kNop, kNop, addi(8, 2, -static_cast<int>(frame_bytes())), load(2, 9, 8, 0), load(2, 9, 8, 0),
                   store(2, 0, 8), load(2, 9, 8, 0), load(1, 9, 8, 4), load(2, 9, 8, 4)}});
  const auto loads = [&](std::uint32_t address, unsigned mask, std::uint32_t value) {
    tz_retire record{};
    record.mem_addr = address;
    record.mem_rmask = static_cast<std::uint8_t>(mask);
    record.mem_rdata = value;
    return record;
  };
  pulse(40);
  EXPECT_EQ(follow(loads(frame, 0xf, 0x12345678), {claim(40, reg(TZ_REGISTER_PC))}), "");
  EXPECT_EQ(result.own.mem_rdata, 0U) << "a handler reads the frame: ra of the program";
  EXPECT_EQ(follow(emret()), "");
  EXPECT_EQ(follow({}), "");
  EXPECT_EQ(follow(loads(frame, 0xf, 0x12345678)), "");
  EXPECT_EQ(result.own.mem_rdata, 0x12345678U) << "words that had not left";
  EXPECT_EQ(follow(loads(frame, 0xf, 0x99999999)), "");
  EXPECT_EQ(result.own.mem_rdata, 0x12345678U) << "known from now on";
  tz_retire stores{};
  stores.mem_addr = frame;
  stores.mem_wmask = 0xf;
  EXPECT_EQ(follow(stores), "");
  EXPECT_EQ(follow(loads(frame, 0xf, 0x12345678)), "");
  EXPECT_EQ(result.own.mem_rdata, 0U);
  EXPECT_EQ(follow(loads(frame + 4, 3, 0xbeef)), "");
  EXPECT_EQ(result.own.mem_rdata, 0xbeefU);
  EXPECT_EQ(follow(loads(frame + 4, 0xf, 0xcafe0000)), "");
  EXPECT_EQ(result.own.mem_rdata, 0xcafebeefU) << "byte by byte";
}

TEST_F(LockstepFast, RegistersOfTheInterruptedHandlerMayStillHoldAnything) {
  prepare({.handler = {kNop, addi(6, 5, 1), kEmret}});
  pulse(40);
  EXPECT_EQ(take(40), "");
  pulse_unseen(41);
  EXPECT_EQ(take(41), "");
  EXPECT_EQ(follow({}), "");
  EXPECT_EQ(follow(emret()), "");
  tz_retire record{};
  record.rs1 = 5;
  record.rs1_value = 0x777;
  EXPECT_EQ(follow(record), "");
  EXPECT_EQ(result.own.rs1_value, 0x777U);
  EXPECT_EQ(follow(emret()), "");
  EXPECT_EQ(reg(5), TRAPEZE_CLIC_BASE + TRAPEZE_CLIC_IRQ_IP_OFFSET + 160U) << "the program's are known";
}

TEST_F(LockstepFast, AFrameThatCannotBeStored) {
  prepare({.stack = 0x1000});
  pulse(40);
  EXPECT_EQ(take(40), "");
  EXPECT_EQ(follow(trap(24)), "");
  EXPECT_EQ(result.own.flags, TZ_RETIRE_TRAP);
  EXPECT_EQ(result.own.cause, 24U);
  EXPECT_EQ(result.own.pc, handler(40) + 4);
  EXPECT_EQ(result.own.pc_next, base + 0x300);
  EXPECT_EQ(read_csr(0x343), 0x1000U - frame_bytes());
  EXPECT_EQ(follow(trap(24)), "exception 24 was raised though every frame can be stored") << "once for a frame";
}

TEST_F(LockstepFast, TheExceptionMayNotBeForgotten) {
  prepare({.stack = 0x1000, .handler = {jump(0)}});
  pulse(40);
  EXPECT_EQ(take(40), "");
  std::string complaint;
  int instructions = 0;
  while (complaint.empty() && ++instructions < 1000) complaint = follow({});
  EXPECT_EQ(complaint, "the word at " + hex(0x1000U - frame_bytes()) +
                           " of a frame cannot be stored, and exception 24 was not raised for 400 instructions");
}

TEST_F(LockstepFast, AfterTheReturnItMayComeOrNot) {
  for (const bool comes : {false, true}) {
    prepare({.stack = 0x1000});
    pulse(40);
    EXPECT_EQ(take(40), "");
    EXPECT_EQ(follow(emret()), "") << "the bank still holds it";
    EXPECT_EQ(reg(2), 0x1000U);
    EXPECT_EQ(reg(5), TRAPEZE_CLIC_BASE + TRAPEZE_CLIC_IRQ_IP_OFFSET + 160U);
    if (comes) {
      EXPECT_EQ(follow(trap(24)), "");
      EXPECT_EQ(result.own.cause, 24U);
    }
    std::string complaint;
    for (int i = 0; i < 1000 && complaint.empty(); ++i) complaint = follow({});
    EXPECT_EQ(complaint, "");
  }
}

TEST_F(LockstepFast, EmretGoesOnFromAFrameThatIsInNoMemory) {
  prepare({.stack = 0x1000});
  pulse(41);
  const std::uint32_t pc = reg(TZ_REGISTER_PC);
  EXPECT_EQ(take(41), "");
  EXPECT_EQ(follow(trap(24)), "");
  EXPECT_EQ(follow({}), "");
  EXPECT_EQ(follow({}), "") << "mret";
  pulse_unseen(40);
  EXPECT_EQ(follow(emret(), {chained(40, pc)}), "") << "the bank still holds it";
  EXPECT_EQ(result.own.flags, TZ_RETIRE_IRQ);
  EXPECT_EQ(result.own.irq_id, 40);
  EXPECT_EQ(follow({}), "");
  EXPECT_EQ(follow(emret(), {chained(42, pc)}), "emret went on to interrupt 42 though it is not pending and enabled");
}

TEST_F(LockstepFast, TheExceptionWaitsWhereItWouldDestroyMepc) {
  const std::string early = "exception 24 was raised where it has to wait for the end of a handler";
  for (const bool comes_early : {true, false}) {
    prepare({.stack = 0x1000, .fast = 1, .handler = {kEcall, kNop, kEmret}});
    pulse(40);
    EXPECT_EQ(take(40), "");
    EXPECT_EQ(result.own.cause, 11U);
    EXPECT_EQ(follow(comes_early ? trap(24) : tz_retire{}), comes_early ? early : "");
    if (comes_early) continue;
    EXPECT_EQ(follow({}), "") << "mret";
    EXPECT_EQ(follow(trap(24)), "");
    EXPECT_EQ(read_csr(kMepc), handler(40));
  }
  prepare({.stack = 0x1000, .fast = 1, .handler = {csr(2, 0, kMepc, 2), kNop}});
  pulse(40);
  EXPECT_EQ(take(40), "");
  EXPECT_EQ(follow(trap(24)), early) << "a return follows";
  prepare({.stack = 0x1000, .fast = 1, .handler = {csr(2, 0, kMepc, 2), csr(6, 0, 0x300, 8), kNop}});
  pulse(40);
  EXPECT_EQ(take(40), "");
  EXPECT_EQ(follow({}), "");
  EXPECT_EQ(follow(trap(24)), "") << "interrupts are on";
}

TEST_F(LockstepFast, TheTimeInWhichItWaitsDoesNotCount) {
  prepare({.stack = 0x1000, .fast = 1, .handler = {csr(2, 0, kMepc, 2), jump(0)}});
  pulse(40);
  EXPECT_EQ(take(40), "");
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(follow({}), "");
}

TEST_F(LockstepFast, EachOfTwoFramesHasItsException) {
  prepare({.stack = 0x1000});
  pulse(40);
  EXPECT_EQ(take(40), "");
  pulse_unseen(41);
  EXPECT_EQ(take(41), "");
  EXPECT_EQ(follow(trap(24)), "");
  EXPECT_EQ(read_csr(0x343), 0x1000U - frame_bytes());
  EXPECT_EQ(follow({}), "");
  EXPECT_EQ(follow({}), "") << "mret";
  EXPECT_EQ(follow(trap(24)), "");
  EXPECT_EQ(read_csr(0x343), 0x1000U - 2 * frame_bytes());
  EXPECT_EQ(follow({}), "");
  EXPECT_EQ(follow({}), "");
  EXPECT_EQ(follow(trap(24)), "exception 24 was raised though every frame can be stored");
}

TEST_F(LockstepFast, AFrameThatCannotBeLoaded) {
  prepare({.stack = 0x1000});
  pulse(40);
  EXPECT_EQ(take(40), "");
  tz_retire record = emret();
  record.flags = TZ_RETIRE_TRAP;
  record.cause = 25;
  EXPECT_EQ(follow(record), "");
  EXPECT_EQ(result.own.cause, 25U);
  EXPECT_EQ(read_csr(0x343), 0x1000U - frame_bytes() + 4 * word_of_epc() + 4);
}

}  // namespace
}  // namespace trapeze::test
