// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// A follower with user-level interrupts judges the interrupts that its leader takes, chains and refuses. The leader's
// records are made by hand; the follower's registers are set directly.
#include <gtest/gtest.h>
#include <trapeze/clic.h>
#include <trapeze/map.h>

#include <trapeze/isa.hpp>

#include "elf_builder.h"
#include "kernel/handlers.h"
#include "lockstep/lockstep.h"

namespace trapeze::test {
namespace {

namespace number = isa::csr;

constexpr unsigned kUser = 0, kMachine = 3;
constexpr std::uint32_t kStack = TRAPEZE_DMEM_BASE + 0x2000, kFrame = kStack - 80;
constexpr std::uint32_t kMachineTable = TRAPEZE_DMEM_BASE, kUserTable = TRAPEZE_DMEM_BASE + 0x400;
constexpr std::uint32_t kNop = addi(0, 0, 0);
constexpr std::uint32_t kUserOn = 1;
constexpr std::uint32_t kReturn = 0x420, kUserReturn = 0x520;  ///< addresses behind the handlers

/** Sources 40 to 43 are edge-triggered, of level 100 to 103: 40 and 41 user mode's, the others machine mode's. */
class LockstepUser : public ::testing::Test {
 protected:
  LockstepUser() {
    following.emplace(follower);
    cycle = 100;
    store(TRAPEZE_CLIC_BASE, 8U | (1U << 4) | (8U << 24));
    for (unsigned n = 0; n < 4; ++n) {
      const std::uint32_t mode = n < 2 ? kUser : kMachine;
      store(source(40 + n), ((100 + n) << 24) | (mode << 22) | 0x00030100U);
      put(kMachineTable + 4 * (40 + n), {base + 0x400});
      put(kUserTable + 4 * (40 + n), {base + 0x500});
    }
    put(base, std::vector<std::uint32_t>(64, kNop));
    put(base + 0x300, {kNop, kMret});
    put(base + 0x400, std::vector<std::uint32_t>(8, kNop));
    put(base + 0x500, std::vector<std::uint32_t>(8, kNop));
    put(base + kReturn, {kEmret});
    put(base + kUserReturn, {kEuret});
    for (const auto& [csr, value] : {std::pair{number::kMtvec, base + 0x300},
                                     {number::kMtvt, kMachineTable},
                                     {number::kUtvt, kUserTable},
                                     {number::kMstatus, kUserOn},
                                     {number::kMfastirq, 1U},
                                     {number::kUfastirq, 1U},
                                     {number::kMscratch, kStack + 0x1000},
                                     {number::kPmpaddr0 + 7, 0xffffffffU},
                                     {number::kPmpcfg0 + 1, 0x1fU << 24}}) {
      set_csr(csr, value);
    }
    set(2, kStack);
    in(kUser);
  }

  static std::uint32_t source(unsigned id) { return TRAPEZE_CLIC_BASE + TRAPEZE_CLIC_IRQ_IP_OFFSET + 4 * id; }
  void set(unsigned n, std::uint32_t value) { follower.write_register(0, n, value); }
  void set_csr(unsigned n, std::uint32_t value) { set(TZ_DEBUG_CSR + n, value); }
  std::uint32_t get(unsigned n) { return static_cast<std::uint32_t>(follower.read_register(0, n)); }
  std::uint32_t csr(unsigned n) { return get(TZ_DEBUG_CSR + n); }
  void put(std::uint32_t address, const std::vector<std::uint32_t>& words) {
    follower.write_memory(0, address, words.data(), words.size() * 4);
  }
  void in(unsigned mode, std::uint32_t pc = 0) {
    set(TZ_DEBUG_MODE, mode);
    set(TZ_DEBUG_PC, pc != 0 ? pc : base);
  }
  /** Closes a word to user mode by row 0. */
  void deny(std::uint32_t address) {
    set_csr(number::kPmpaddr0, address / 4);
    set_csr(number::kPmpcfg0, 0x10);
  }

  std::string follow(tz_retire record, const std::vector<following::Claim>& claims = {}) {
    record.cycle_ex = ++cycle;
    result = following->follow({record, 0, claims, changes});
    changes.clear();
    return result.complaint;
  }
  /** The program stores a word in machine mode. */
  void store(std::uint32_t address, std::uint32_t value) {
    put(base, {test::store(2, 6, 5)});
    set(5, address);
    set(6, value);
    in(kMachine);
    tz_retire record{};
    record.mem_addr = address;
    ASSERT_EQ(follow(record), "");
  }
  /** An edge of a line, which the controller has seen two instructions later. */
  void pulse(unsigned id) {
    changes.push_back({cycle + 1, id - 16, 1});
    EXPECT_EQ(follow({}), "");
    changes.push_back({cycle + 1, id - 16, 0});
    EXPECT_EQ(follow({}), "");
  }
  following::Claim claim(unsigned id, std::uint64_t epc, unsigned before = 1) const {
    return {cycle + 1 - before, 0, epc, static_cast<std::uint16_t>(id), static_cast<std::uint8_t>(60 + id), false};
  }
  std::string take(unsigned id) { return follow({}, {claim(id, get(TZ_DEBUG_PC))}); }
  tz_retire record(std::uint32_t insn, std::uint64_t pc_next = 0) const {
    tz_retire one{};
    one.insn = insn;
    one.pc_next = pc_next;
    return one;
  }
  tz_retire trap(unsigned cause) {
    tz_retire one{};
    one.flags = TZ_RETIRE_TRAP;
    one.cause = cause;
    one.pc = get(TZ_DEBUG_PC);
    return one;
  }

  Engine follower{TEST_MODEL, 0, TEST_PLATFORM};
  std::optional<following::Follower> following;
  std::vector<following::LineChange> changes;
  following::Outcome result;
  std::uint64_t cycle = 0;
  const std::uint32_t base = static_cast<std::uint32_t>(follower.hart(0).reset_vector);
};

TEST_F(LockstepUser, EntryAndReturn) {
  pulse(40);
  const std::uint32_t pc = get(TZ_DEBUG_PC);
  EXPECT_EQ(take(40), "");
  EXPECT_EQ(result.own.flags, TZ_RETIRE_INTR | TZ_RETIRE_IRQ);
  EXPECT_EQ(result.own.pc, base + 0x500);
  EXPECT_EQ(result.own.mode, kUser);
  EXPECT_EQ(get(2), kFrame);
  set(TZ_DEBUG_PC, base + kUserReturn);
  EXPECT_EQ(follow(record(kEuret, pc)), "");
  EXPECT_EQ(result.own.pc_next, pc);
  EXPECT_EQ(get(2), kStack);
}

TEST_F(LockstepUser, NoneIsTakenInMachineModeOrWithUieClear) {
  pulse(40);
  in(kMachine);
  EXPECT_NE(take(40).find("of user mode was taken in machine mode"), std::string::npos);
}

TEST_F(LockstepUser, NoneIsTakenWithUieClear) {
  set_csr(number::kUstatus, 0);
  pulse(40);
  EXPECT_NE(take(40).find("ustatus.UIE clear"), std::string::npos);
}

TEST_F(LockstepUser, NoneIsTakenBelowTheThreshold) {
  set_csr(number::kUintthresh, 100);
  pulse(40);
  EXPECT_NE(take(40).find("with threshold 100"), std::string::npos);
}

TEST_F(LockstepUser, MachineModeComesFirst) {
  pulse(40);
  pulse(42);
  EXPECT_NE(take(40).find("only interrupt 42 could be"), std::string::npos);
}

TEST_F(LockstepUser, WhatIsDueMustBeTaken) {
  pulse(40);
  std::string complaint;
  for (unsigned i = 0; i < 8 && complaint.empty(); ++i) complaint = follow({});
  EXPECT_NE(complaint.find("interrupt 40 of level 100 is due"), std::string::npos);
}

TEST_F(LockstepUser, WhatIsNotDueNeedNotBeTaken) {
  set_csr(number::kUstatus, 0);
  pulse(40);
  for (unsigned i = 0; i < 8; ++i) EXPECT_EQ(follow({}), "");
  in(kMachine);
  set_csr(number::kUstatus, 1);
  for (unsigned i = 0; i < 8; ++i) EXPECT_EQ(follow({}), "");
}

TEST_F(LockstepUser, MachineModePreemptsAUserHandlerBeforeItsTableEntry) {
  pulse(40);
  const std::uint32_t pc = get(TZ_DEBUG_PC);
  changes.push_back({cycle + 2, 42 - 16, 1});
  cycle += 4;
  ASSERT_EQ(follow({}, {claim(40, pc, 3), claim(42, kUserTable + 160, 1)}), "");
  EXPECT_EQ(result.own.mode, kMachine);
  EXPECT_EQ(csr(number::kMepc), kUserTable + 160);
  EXPECT_EQ(csr(number::kMcause) >> 30, 3U);
  set(TZ_DEBUG_PC, base + kReturn);
  EXPECT_EQ(follow(record(kEmret, kUserTable + 160)), "");
  EXPECT_EQ(get(TZ_DEBUG_PC), base + 0x500);
  EXPECT_EQ(get(TZ_DEBUG_MODE), kUser);
}

TEST_F(LockstepUser, EuretGoesOnToAUserInterruptAlone) {
  pulse(40);
  const std::uint32_t pc = get(TZ_DEBUG_PC);
  EXPECT_EQ(take(40), "");
  pulse(41);
  set(TZ_DEBUG_PC, base + kUserReturn);
  following::Claim next = claim(41, pc, 0);
  next.chained = true;
  EXPECT_EQ(follow(record(kEuret), {next}), "");
  EXPECT_EQ(result.own.irq_id, 41);
  EXPECT_EQ(get(2), kFrame);
  EXPECT_EQ(csr(number::kUintstatus), 101U);
}

TEST_F(LockstepUser, EuretMustGoOn) {
  pulse(40);
  const std::uint32_t pc = get(TZ_DEBUG_PC);
  EXPECT_EQ(take(40), "");
  pulse(41);
  EXPECT_EQ(follow({}), "");
  set(TZ_DEBUG_PC, base + kUserReturn);
  EXPECT_NE(follow(record(kEuret, pc)).find("euret returned though interrupt 41"), std::string::npos);
}

/** An euret reads the words of a frame that was left: memory may have those or the ones from before. */
class LockstepUserLeft : public LockstepUser {
 protected:
  void SetUp() override {
    pulse(40);
    pc = get(TZ_DEBUG_PC);
    for (unsigned i = 0; i < 2; ++i) {
      if (i == 0) {
        ASSERT_EQ(take(40), "");
      }
      set(2, kFrame);
      in(kUser, base + kUserReturn);
      ASSERT_EQ(follow(record(kEuret, pc)), "");
    }
  }
  /** Reads a CSR, of which the leader has this value. */
  std::string read(unsigned csr, std::uint32_t value) {
    const std::uint32_t insn = 0x73U | (7U << 7) | (2U << 12) | (csr << 20);
    put(get(TZ_DEBUG_PC), {insn});
    tz_retire one = record(insn);
    one.rd = 7;
    one.rd_value = value;
    const std::string complaint = follow(one);
    return complaint.empty() && result.own.rd_value != value ? "another value" : complaint;
  }
  std::uint32_t pc = 0;
};

TEST_F(LockstepUserLeft, RegistersMayBeThoseOfEither) {
  EXPECT_EQ(read(number::kUstatus, 0x10), "");
  EXPECT_EQ(read(number::kUcause, 0x08370013), "");
  EXPECT_EQ(read(number::kUintstatus, 0x37), "");
  EXPECT_EQ(read(number::kUcause, 0x08380013), "another value") << "it is known by now";
  EXPECT_EQ(read(number::kUstatus, 0), "another value") << "a return sets UPIE";
}

TEST_F(LockstepUserLeft, NoneNeedBeTaken) {
  pulse(41);
  for (unsigned i = 0; i < 8; ++i) EXPECT_EQ(follow({}), "");
}

TEST_F(LockstepUserLeft, OneMayBeTakenWithUieClear) {
  set_csr(number::kUstatus, 0);
  pulse(41);
  EXPECT_EQ(take(41), "");
}

TEST_F(LockstepUserLeft, MachineModeIsTakenAtOnce) {
  pulse(42);
  std::string complaint;
  for (unsigned i = 0; i < 8 && complaint.empty(); ++i) complaint = follow({});
  EXPECT_NE(complaint.find("interrupt 42 of level 102 is due"), std::string::npos);
}

TEST_F(LockstepUserLeft, GoingOnMayFollowFromEither) {
  store(source(41), (3U << 24) | (kUser << 22) | 0x00030100U);
  put(kFrame + 68, {0x08400000});
  in(kUser, pc);
  set(2, kFrame);
  pulse(41);
  set(TZ_DEBUG_PC, base + kUserReturn);
  following::Claim next = claim(41, pc, 0);
  next.level = 3;
  next.chained = true;
  EXPECT_EQ(follow(record(kEuret), {next}), "");
  EXPECT_EQ(result.own.irq_id, 41);
}

TEST_F(LockstepUser, NextInterruptIsThatOfTheMode) {
  store(source(40), (100U << 24) | 0x00020100U);  // not vectored
  set_csr(number::kUstatus, 0);
  put(base, std::vector<std::uint32_t>(64, kNop));
  in(kUser);
  pulse(40);
  constexpr std::uint32_t kClaim = 0x73U | (7U << 7) | (6U << 12) | (1U << 15) | (number::kUnxti << 20);
  put(get(TZ_DEBUG_PC), {kClaim});
  tz_retire one = record(kClaim);
  one.rd = 7;
  one.rd_value = kUserTable + 160;
  EXPECT_EQ(follow(one), "");
  EXPECT_EQ(result.own.rd_value, kUserTable + 160);
  EXPECT_EQ(csr(number::kUintstatus), 100U);
  for (unsigned i = 0; i < 8; ++i) EXPECT_EQ(follow({}), "") << "it is no longer pending";
}

TEST_F(LockstepUser, TheViewIsRead) {
  for (const auto& [id, value] : {std::pair{40U, 0x64030100U}, {42U, 0U}}) {
    const std::uint32_t address = TRAPEZE_CLIC_USER_BASE + TRAPEZE_CLIC_IRQ_IP_OFFSET + 4 * id;
    put(base, {load(2, 7, 5, 0)});
    set(5, address);
    in(kUser);
    tz_retire one{};
    one.mem_addr = address;
    one.mem_rmask = 15;
    one.mem_rdata = 0x12345678;
    EXPECT_EQ(follow(one), "");
    EXPECT_EQ(result.own.mem_rdata, value);
  }
}

// --- frames that user mode may not store

TEST_F(LockstepUser, ARefusedFrameIsFollowed) {
  deny(kFrame + 8);
  pulse(40);
  const std::uint32_t pc = get(TZ_DEBUG_PC);
  EXPECT_EQ(follow(trap(24)), "");
  EXPECT_EQ(result.own.flags, TZ_RETIRE_TRAP);
  EXPECT_EQ(result.own.cause, 24U);
  EXPECT_EQ(result.own.pc, pc);
  EXPECT_EQ(csr(number::kMepc), pc);
  EXPECT_EQ(csr(number::kMtval), kFrame);
  EXPECT_EQ(get(2), kStack);
  EXPECT_EQ(get(TZ_DEBUG_MODE), kMachine);
}

TEST_F(LockstepUser, ARefusedFrameIsNotSaved) {
  deny(kFrame + 8);
  pulse(40);
  EXPECT_NE(take(40).find("user mode may not store its frame"), std::string::npos);
}

TEST_F(LockstepUser, ARefusalMustCome) {
  deny(kFrame + 8);
  pulse(40);
  std::string complaint;
  for (unsigned i = 0; i < 8 && complaint.empty(); ++i) complaint = follow({});
  EXPECT_NE(complaint.find("interrupt 40 of level 100 is due"), std::string::npos);
}

TEST_F(LockstepUser, NothingIsRefusedWithoutAReason) {
  pulse(40);
  EXPECT_NE(follow(trap(24)).find("every frame can be stored"), std::string::npos);
}

TEST_F(LockstepUser, NothingIsRefusedWithoutAnInterrupt) {
  deny(kFrame + 8);
  EXPECT_NE(follow(trap(24)).find("every frame can be stored"), std::string::npos);
}

/** A frame whose memory has changed since its entry: a bank would hold another word. */
class LockstepUserKept : public LockstepUser {
 protected:
  void save(unsigned id) {
    pulse(id);
    pc = get(TZ_DEBUG_PC);
    set(2, 0x1000);  // no memory: the words are in a bank alone
    set_csr(number::kMscratch, 0x1000);
    ASSERT_EQ(take(id), "");
    ASSERT_EQ(get(2), 0x1000U - 80);
  }
  /** Lets the leader return. Returns whether the follower could do the same. */
  bool returns(std::uint32_t insn, unsigned mode, std::uint32_t at) {
    in(mode, at);
    EXPECT_EQ(follow(record(insn, pc)), "");
    return (result.own.flags & TZ_RETIRE_TRAP) == 0;
  }
  std::uint32_t pc = 0;
};

TEST_F(LockstepUserKept, TheBankHoldsAFrameForItsMode) {
  save(40);
  EXPECT_TRUE(returns(kEuret, kUser, base + kUserReturn));
}

TEST_F(LockstepUserKept, MachineModeMustLoadAFrameOfUserMode) {
  save(40);
  EXPECT_FALSE(returns(kEmret, kMachine, base + kReturn));
}

TEST_F(LockstepUserKept, UserModeMustLoadAFrameOfMachineMode) {
  save(42);
  EXPECT_FALSE(returns(kEuret, kUser, base + kUserReturn));
}

TEST_F(LockstepUserKept, AWriteOfARowForgetsAFrameOfUserMode) {
  constexpr std::uint32_t kWriteRow = 0x73U | (1U << 12) | (number::kPmpaddr0 << 20);
  for (const unsigned id : {42U, 40U}) {
    save(id);
    put(base + 0x100, {kWriteRow});
    in(kMachine, base + 0x100);
    ASSERT_EQ(follow(record(kWriteRow)), "");
    const bool user = id == 40;
    EXPECT_EQ(returns(user ? kEuret : kEmret, user ? kUser : kMachine, base + (user ? kUserReturn : kReturn)), !user);
    in(kUser);
  }
}

}  // namespace
}  // namespace trapeze::test
