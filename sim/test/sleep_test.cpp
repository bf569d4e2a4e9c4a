// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// A core says that it sleeps in exactly the cycles in which a wfi waits. The cycle in which the wfi completes, one
// before it retires, is not among them.
#include <gtest/gtest.h>
#include <trapeze/isa.hpp>

#include <random>
#include <vector>

#include "elf_builder.h"
#include "kernel/dynamic_engine.h"
#include "kernel/session.h"
#include "program.h"

namespace trapeze::test {
namespace {

constexpr std::uint32_t kWfi = 0x10500073;
constexpr std::uint64_t kCycles = 6000;

constexpr std::uint32_t csrrw(unsigned rd, unsigned csr, unsigned rs1) {
  return 0x1073U | (rd << 7) | (rs1 << 15) | (csr << 20);
}

/** A program that sleeps again and again, with different numbers of instructions in between. Every line ends the
 * sleep; interrupts are not taken. */
std::vector<std::uint32_t> program() {
  std::vector<std::uint32_t> words = {lui(5, 0xffff0000), csrrw(0, isa::csr::kMie, 5)};
  const std::size_t loop = words.size();
  for (int apart : {0, 1, 2, 5, 9}) {
    words.push_back(kWfi);
    for (int i = 0; i < apart; ++i) words.push_back(addi(7, 7, 1));
  }
  words.push_back(jump(-4 * static_cast<int>(words.size() - loop)));
  return words;
}

TEST(Sleep, EndsWhereTheWfiCompletes) {
  Engine engine(TEST_ENGINE);
  Session(engine).load(file_of(engine, program()));
  std::mt19937 random(1);
  std::vector<bool> asleep = {false};    // by cycle: state at the beginning of the cycle
  std::vector<std::uint64_t> completed;  // cycles in which a wfi completes
  std::vector<std::uint64_t> before;     // ... and in which the instruction before it retires
  std::uint64_t last = 0;
  int line = -1;
  while (asleep.size() <= kCycles) {
    if (line >= 0 && random() % 4 == 0) {
      engine.set_line(0, static_cast<unsigned>(line), false);
      line = -1;
    } else if (line < 0 && random() % 9 == 0) {
      line = static_cast<int>(random() % engine.hart(0).num_lines);
      engine.set_line(0, static_cast<unsigned>(line), true);
    }
    tz_retire record{};
    tz_hart_state state{};
    tz_run_args args{};
    args.until_cycle = asleep.size();
    args.select = TZ_SELECT_ALL;
    args.records = &record;
    args.records_capacity = 1;
    args.harts = &state;
    const tz_run_result result = engine.run(args);
    ASSERT_EQ(result.cycle, asleep.size());
    asleep.push_back(state.asleep != 0);
    if (result.num_records == 0) continue;
    if (record.insn == kWfi) {
      completed.push_back(record.cycle_ex);
      before.push_back(last);
    }
    last = record.cycle_retire;
  }
  std::size_t slept = 0;
  for (std::size_t i = 0; i < completed.size(); ++i) {
    EXPECT_FALSE(asleep[completed[i]]) << "a wfi completes in cycle " << completed[i];
    for (std::uint64_t cycle = before[i] + 1; cycle < completed[i]; ++cycle) {
      EXPECT_TRUE(asleep[cycle]) << "a wfi waits in cycle " << cycle;
      ++slept;
    }
  }
  EXPECT_GT(completed.size(), 200U);
  EXPECT_GT(slept, 1000U);
}

}  // namespace
}  // namespace trapeze::test
