// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Harts whose properties are known only when the program runs: each has what its properties say, in one program that
// has them all.
#include <gtest/gtest.h>
#include <trapeze/map.h>

#include <cstring>
#include <initializer_list>
#include <stdexcept>
#include <string>

#include "elf_builder.h"
#include "kernel/debug.h"
#include "kernel/engine.h"
#include "model/isa/csr.h"
#include "model/isa/decode.h"
#include "model/memory/memory.h"
#include "model/platform/core.h"
#include "model/platform/kinds.h"

namespace trapeze::model {
namespace {

constexpr std::uint32_t kBase = 0x80000000, kEntry = kBase + 0x800;

Params params_of(std::string_view isa, bool supervisor = false) {
  return parse_params(isa).with_supervisor(supervisor);
}

/** A hart with a memory. */
struct Single {
  explicit Single(const Params& params) {
    plan.lines = plan.line_id_base = 16;
    plan.reset_vector = kBase;
    plan.sources = params.clic ? 64 : 0;
    plan.params = params;
    core.reset(static_cast<Core*>(make_hart(0, plan, bus).release()));
    bus.attach(memory);
    core->reset();
    core->write_csr(kMtvec, kEntry, 0);
  }
  /** The record of one instruction at kBase. */
  tz_retire execute(std::uint32_t word) {
    std::memcpy(bus.memory(kBase, 4), &word, 4);
    core->flush();
    core->write_register(TZ_DEBUG_PC, kBase);
    tz_choices choices{};
    choices.interrupt = TZ_NO_INTERRUPT;
    tz_effects effects{};
    core->step(choices, effects);
    return effects.record;
  }
  std::uint64_t csr(unsigned number) { return core->read_csr(number, 0).value(); }

  Reservations reservations;
  Bus bus{0, reservations};
  Memory memory{kBase, 0x1000, false};
  HartPlan plan;
  std::unique_ptr<Core> core;
};

bool is_illegal(const tz_retire& record) {
  return (record.flags & TZ_RETIRE_TRAP) != 0 && record.cause == kIllegal;
}

TEST(ModelKinds, IllegalIsWhatTheDecoderSays) {
  constexpr std::uint32_t kWords[] = {
      0x00b50533,  // add a0, a0, a1
      0x010505b3,  // add a1, a0, a6
      0x02b50533,  // mul a0, a0, a1
      0x0000050d,  // c.addi a0, 3
      0x20b52533,  // sh1add a0, a0, a1
      0x40b57533,  // andn a0, a0, a1
      0x28b51533,  // bset a0, a0, a1
      0x00b5253b,  // no instruction
      0x00b5053b,  // addw a0, a0, a1
      0x0205200f,  // no operation of Zicbom
      0x0015200f,  // cbo.clean (a0)
      0x1005252f,  // lr.w a0, (a0)
      0x12000073,  // sfence.vma
      0x60051513,  // clz a0, a0
  };
  for (const char* const isa : {"rv32e", "rv32i", "rv32emc_zba", "rv32im_zbb", "rv32imac_zba_zbb_zbs", "rv32ic_zbs",
                                "rv64i", "rv64imac_zba_zbb_zbs", "rv64im_zicbom"}) {
    for (const bool supervisor : {false, true}) {
      const Params params = params_of(isa, supervisor && std::string_view(isa).starts_with("rv64"));
      Single hart(params);
      for (const std::uint32_t word : kWords) {
        hart.core->write_register(10, kBase + 0x100);
        const bool wanted = decode(word, params).op == Operation::illegal;
        EXPECT_EQ(is_illegal(hart.execute(word)), wanted) << isa << ' ' << std::hex << word;
      }
      EXPECT_EQ(hart.core->read_register(16).has_value(), !params.embedded) << isa;
    }
  }
}

TEST(ModelKinds, RegistersFollowFromTheProperties) {
  const auto misa = [](const Params& params) { return Single(params).csr(kMisa) & 0x3ffffff; };
  const auto letters = [](std::string_view names) {
    std::uint64_t value = 0;
    for (const char name : names) value |= 1U << (name - 'a');
    return value;
  };
  EXPECT_EQ(misa(params_of("rv32e")), letters("eu"));
  EXPECT_EQ(misa(params_of("rv32imac_zba_zbb_zbs")), letters("imacbu"));
  EXPECT_EQ(misa(params_of("rv32im_zba_zbb").with_clic(true).with_user_interrupts(true)), letters("imnu"));
  EXPECT_EQ(misa(params_of("rv64i", true)), letters("isu"));
  for (const unsigned rows : {0U, 4U, 16U}) {
    Single hart(params_of("rv32i").with_pmp(rows, 0, true));
    EXPECT_EQ(hart.core->read_csr(kPmpcfg0, 0).has_value(), rows != 0) << rows;
    EXPECT_EQ(hart.core->read_csr(kMseccfg, 0).has_value(), rows != 0) << rows;
    hart.core->write_csr(kPmpaddr0 + 4, 1, 0);
    EXPECT_EQ(hart.core->read_csr(kPmpaddr0 + 4, 0).value_or(0), rows > 4 ? 1U : 0U) << rows;
  }
  const Params user = params_of("rv32ima").with_clic(true).with_user_interrupts(true);
  EXPECT_FALSE(Single(user).core->read_csr(kMuitt, 0).has_value());
  EXPECT_TRUE(Single(user.with_uintr(true)).core->read_csr(kMuitt, 0).has_value());
  EXPECT_FALSE(Single(user).core->has_posts());
}

TEST(ModelKinds, JumpsToHalfWordsNeedC) {
  const std::uint32_t kJal = 0x006000ef, kJalr = 0x000580e7, kBranch = 0x00000363;  // to pc + 6; jalr to a1
  for (const bool compressed : {false, true}) {
    Single hart(params_of(compressed ? "rv32ic" : "rv32i"));
    for (const std::uint32_t word : {kJal, kJalr, kBranch, kJal, kJalr, kBranch}) {
      hart.core->write_register(1, 5);
      hart.core->write_register(11, kBase + 6);
      const tz_retire record = hart.execute(word);
      EXPECT_EQ((record.flags & TZ_RETIRE_TRAP) == 0, compressed) << std::hex << word;
      EXPECT_EQ(record.pc_next, compressed ? kBase + 6 : kEntry) << std::hex << word;
      const bool links = compressed && word != kBranch;
      EXPECT_EQ(hart.core->read_register(1), links ? kBase + 4 : 5U) << std::hex << word;
      if (compressed) continue;
      EXPECT_EQ(record.cause, unsigned{kFetchMisaligned});
      EXPECT_EQ(hart.csr(kMtval), kBase + 6);
    }
    EXPECT_EQ(hart.core->write_csr(kMepc, kBase + 6, 0), true);
    EXPECT_EQ(hart.csr(kMepc), compressed ? kBase + 6 : kBase + 4);
  }
}

TEST(ModelKinds, WhatNoHartHasIsRefused) {
  const auto refusal = [](const Params& params) -> std::string {
    try {
      Single hart(params);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "none";
  };
  const auto expect = [&](const Params& params, const char* reason) {
    EXPECT_NE(refusal(params).find(reason), std::string::npos) << refusal(params);
  };
  for (const bool fast : {false, true}) {
    const Params clic = params_of("rv32imac").with_clic(true).with_fast(fast);
    EXPECT_EQ(refusal(clic), "none");
    EXPECT_EQ(refusal(clic.with_user_interrupts(true).with_pmp(16)), "none");
    EXPECT_EQ(refusal(clic.with_user_interrupts(true).with_uintr(true)), "none");
    expect(clic.with_uintr(true), "user mode");
  }
  expect(params_of("rv32imx"), "ISA");
  expect(params_of("rv64i", true).with_clic(true), "CLIC is of RV32");
  expect(params_of("rv32i", true), "supervisor mode");
  expect(params_of("rv32i").with_fast(true), "fastirq");
  expect(params_of("rv32i").with_user_interrupts(true), "CLIC");
  expect(params_of("rv32im").with_clic(true).with_user_interrupts(true).with_uintr(true), "extension a");
  expect(params_of("rv32i").with_pmp(5), "rows");
  expect(params_of("rv32i").with_pmp(4, 30), "grain");
  EXPECT_EQ(refusal(params_of("rv32i").with_triggers(8, true)), "none");
  expect(params_of("rv32i").with_triggers(9), "8 triggers");
  expect(params_of("rv64i", true).with_triggers(1), "triggers are of RV32");
#ifdef TRAPEZE_SOFTFLOAT
  EXPECT_EQ(refusal(params_of("rv64imafd")), "none");
#else
  expect(params_of("rv64imafd"), "SoftFloat");
#endif
}

}  // namespace
}  // namespace trapeze::model
