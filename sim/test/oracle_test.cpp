// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// The model as a reference (kernel/oracle.h): nothing happens unless it is asked for, and a choice has an effect only
// where the specifications leave one.
#include <gtest/gtest.h>
#include <trapeze/clint.h>
#include <trapeze/map.h>

#include <array>
#include <cstring>
#include <trapeze/isa.hpp>
#include <vector>

#include "elf_builder.h"
#include "kernel/dynamic_engine.h"

namespace trapeze::test {
namespace {

constexpr std::uint32_t kReadCycle5 = 0xb00022f3;    // csrr t0, mcycle
constexpr std::uint32_t kInterruptsOn = 0x30046073;  // csrsi mstatus, MIE

class Oracle : public ::testing::Test {
 protected:
  void put(const std::vector<std::uint32_t>& words) {
    engine.write_memory(0, engine.hart(0).reset_vector, words.data(), 4 * words.size());
  }
  tz_effects step(tz_choices choices = {}) {
    choices.now = ++now;
    if (choices.now2 == 0) choices.now2 = now;
    if (choices.interrupt == 0) choices.interrupt = TZ_NO_INTERRUPT;
    tz_effects effects{};
    EXPECT_EQ(api.step(engine.handle(), 0, &choices, &effects), TZ_OK) << engine.last_error();
    return effects;
  }
  std::uint64_t reg(std::uint32_t number) {
    std::uint64_t value = 0;
    EXPECT_EQ(api.read_register(engine.handle(), 0, number, &value), TZ_OK);
    return value;
  }

  Engine engine{TEST_MODEL, 0, TEST_PLATFORM};
  const tz_oracle_api& api = *engine.oracle();
  std::uint64_t now = 100;
};

TEST_F(Oracle, CountersReadTheCycleOfTheInstruction) {
  put({kReadCycle5, kReadCycle5});
  EXPECT_EQ(step().record.rd_value, 101U);
  now = 5000;
  tz_choices choices{};
  choices.given = TZ_CHOICE_CSR;
  choices.csr = 1234;
  EXPECT_EQ(step(choices).record.rd_value, 5001U) << "nothing is open there";
}

TEST_F(Oracle, DevicesReadAsInTheCyclesOfTheGrants) {
  constexpr std::uint32_t kMtime = TRAPEZE_CLINT_BASE + TRAPEZE_CLINT_MTIME_LO_OFFSET;
  put({lui(5, kMtime + 0x800), load(2, 6, 5, 0xff8), addi(7, 0, -1), store(2, 7, 5) | (0x18U << 7) | (0x7fU << 25),
       load(2, 6, 5, 0xffa)});
  step();
  const tz_effects mtime = step();
  ASSERT_EQ(mtime.record.mem_addr, kMtime);
  EXPECT_EQ(mtime.record.rd_value, now);
  step();
  step();  // the lower half is all ones in the next cycle
  now += 1;
  tz_choices choices{};
  choices.now2 = now + 5;
  const tz_effects both = step(choices);
  ASSERT_EQ(both.record.mem_addr, kMtime + 2);
  EXPECT_EQ(both.record.rd_value, 0x10000U) << "0000 of the lower half, 0001 of the upper one";
}

TEST_F(Oracle, LoadsReadWhatIsChosenWhereSomethingIsOpen) {
  put({lui(5, TRAPEZE_PROBE_SAMPLES0_BASE), load(2, 6, 5, 0), lui(5, TRAPEZE_DMEM_BASE), load(2, 6, 5, 0)});
  tz_choices choices{};
  choices.given = TZ_CHOICE_LOAD;
  choices.load = 4321;
  step();
  EXPECT_EQ(step(choices).record.rd_value, 4321U) << "a sample that was never recorded";
  step();
  EXPECT_EQ(step(choices).record.rd_value, 0U) << "memory";
}

TEST_F(Oracle, InterruptOutputsAreReportedOnce) {
  put({lui(5, TRAPEZE_CLINT_BASE), addi(6, 0, 1), store(2, 6, 5), addi(0, 0, 0)});
  std::array<tz_wire_change, 4> changes{};
  const auto seen = [&](std::uint64_t until) {
    std::size_t count = 0;
    EXPECT_EQ(api.wires(engine.handle(), until, changes.data(), changes.size(), &count), TZ_OK);
    return count;
  };
  EXPECT_EQ(seen(now), 0U);
  for (int i = 0; i < 3; ++i) step();
  EXPECT_EQ(seen(now), 0U) << "msip is stored in this cycle";
  ASSERT_EQ(seen(now + 1), 1U);
  EXPECT_EQ(changes[0].cycle, now + 1);
  EXPECT_EQ(changes[0].wire, unsigned{TZ_WIRE_SOFTWARE});
  EXPECT_EQ(changes[0].level, 1U);
  EXPECT_EQ(seen(now + 2), 0U);
}

TEST_F(Oracle, AnInterruptIsTakenOnDemandAlone) {
  put({lui(5, TRAPEZE_CLINT_BASE), addi(6, 0, 1), kInterruptsOn, store(2, 6, 5), addi(0, 0, 0), addi(0, 0, 0)});
  for (int i = 0; i < 5; ++i) EXPECT_EQ(step().record.flags & TZ_RETIRE_INTR, 0) << i;
  const std::uint64_t pc = reg(TZ_REGISTER_PC);
  tz_entry entry{};
  ASSERT_EQ(api.enter(engine.handle(), 0, isa::interrupt::kSoftware, 0, &entry), TZ_OK);
  EXPECT_NE(reg(TZ_REGISTER_PC), pc);
  std::uint64_t mepc = 0;
  ASSERT_EQ(api.read_csr(engine.handle(), 0, isa::csr::kMepc, &mepc), TZ_OK);
  EXPECT_EQ(mepc, pc);
}

TEST_F(Oracle, WhatIsOpenCanBeSettled) {
  const std::uint32_t old = 0x11223344;
  engine.write_memory(0, TRAPEZE_DMEM_BASE, &old, sizeof old);
  const tz_word word{TRAPEZE_DMEM_BASE, 0xaabbccdd, 5};
  ASSERT_EQ(api.settle(engine.handle(), 0, &word), TZ_OK);
  std::uint32_t value = 0;
  engine.read_memory(0, TRAPEZE_DMEM_BASE, &value, sizeof value);
  EXPECT_EQ(value, 0x11bb33ddU) << "the lanes that count";
  ASSERT_EQ(api.write_register(engine.handle(), 0, 5, 99), TZ_OK);
  EXPECT_EQ(reg(5), 99U);
}

TEST_F(Oracle, RefusesWhatIsNotThere) {
  std::uint64_t value = 0;
  tz_effects effects{};
  tz_entry entry{};
  tz_oracle_clic clic{};
  const tz_choices choices{};
  const tz_word nowhere{0x1000, 0, 1};
  EXPECT_EQ(api.step(engine.handle(), 9, &choices, &effects), TZ_ERR_ARGUMENT);
  EXPECT_EQ(api.enter(engine.handle(), 9, 3, 0, &entry), TZ_ERR_ARGUMENT);
  EXPECT_EQ(api.read_register(engine.handle(), 0, 99, &value), TZ_ERR_ARGUMENT);
  EXPECT_EQ(api.read_register(engine.handle(), 9, 0, &value), TZ_ERR_ARGUMENT);
  EXPECT_EQ(api.write_register(engine.handle(), 0, TZ_REGISTER_PC, 0), TZ_ERR_ARGUMENT) << "its value is not open";
  EXPECT_EQ(api.read_csr(engine.handle(), 0, 0x123, &value), TZ_ERR_ARGUMENT);
  EXPECT_EQ(api.settle(engine.handle(), 0, &nowhere), TZ_ERR_ADDRESS);
  const bool has_clic = engine.hart(0).num_sources != 0;
  EXPECT_EQ(api.clic(engine.handle(), 0, &clic), has_clic ? TZ_OK : TZ_ERR_ARGUMENT);
}

}  // namespace
}  // namespace trapeze::test
