// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Boundaries of the RTL engine are exact: whenever its interface for debuggers stops between two instructions,
// registers, CSRs and memory are those of the model at the same place. With exceptions, interrupts in random cycles and
// wait states.
#include <gtest/gtest.h>

#include "boundary.h"
#include "kernel/error.h"
#include "kernel/session.h"

namespace trapeze::test {
namespace {

constexpr unsigned kHandlerWords = 64;
constexpr std::uint32_t kWfi = 0x10500073, kEcall = 0x00000073;

/** A program that does work of every kind `count` times. It skips exceptions and counts interrupts. */
ElfFile program(const Engine& engine, int count) {
  const auto base = static_cast<std::uint32_t>(engine.hart(0).reset_vector);
  std::vector<std::uint32_t> words = {lui(5, base),        addi(5, 5, 4 * kHandlerWords),
                                      csrrw(0, kMtvec, 5), lui(5, 0xffff0000),
                                      csrrw(0, kMie, 5),   csrsi(kMstatus, 8),
                                      lui(6, kData),       addi(7, 0, count)};
  const std::vector<std::uint32_t> loop = {store_at(7, 6, 0),
                                           load(2, 8, 6, 0),
                                           add(9, 9, 8),
                                           divide(10, 9, 7),
                                           store_at(9, 6, 6),
                                           load(2, 11, 6, 6),
                                           csrrw(12, kMscratch, 9),
                                           kEcall,
                                           csrr(12, kMinstret),
                                           0 /* illegal */,
                                           load(2, 8, 0, 0),
                                           store_at(8, 0, 0),
                                           store_at(10, 6, 12),
                                           kWfi,
                                           csrrw(0, kMscratch, 11),
                                           addi(7, 7, -1)};
  words.insert(words.end(), loop.begin(), loop.end());
  words.push_back(branch_nonzero(7, -4 * static_cast<int>(loop.size())));
  for (const std::uint32_t word :
       {lui(6, 0x5000), addi(6, 6, 0x555), lui(5, TEST_HOST_BASE), store(2, 6, 5), jump(0)}) {
    words.push_back(word);
  }
  words.resize(kHandlerWords, addi(0, 0, 0));
  constexpr std::uint32_t kSkipInterrupt = 0x63U | (5U << 12) | (14U << 15) | 0x600U;  // bgez x14, 12 bytes on
  for (const std::uint32_t word : {csrr(14, kMcause), kSkipInterrupt, addi(13, 13, 1), kMret, csrr(14, kMepc),
                                   addi(14, 14, 4), csrrw(0, kMepc, 14), kMret}) {
    words.push_back(word);
  }
  return file_of(engine, words);
}

class Boundary : public ::testing::TestWithParam<unsigned> {};

TEST_P(Boundary, StateIsThatOfTheModel) {
  Machine rtl(TEST_WAVE_ENGINE);
  Machine model(TEST_MODEL, TEST_PLATFORM);
  for (Machine* machine : {&rtl, &model}) Session(machine->engine).load(program(machine->engine, 100));
  const unsigned wait = GetParam();
  rtl.engine.set_wait_states(wait, wait, 1 + wait);
  RandomLine line(rtl.engine, 1 + wait);
  unsigned boundaries = 0;
  unsigned interrupts = 0;
  while (true) {
    line.maybe_raise(20);
    if (!rtl.advance()) {
      if (rtl.exited) break;
      line.maybe_raise(1);  // the program sleeps
      continue;
    }
    if (rtl.retired) {
      ASSERT_TRUE(model.advance());
    }
    if (rtl.entered) {
      const unsigned taken = rtl.claim.id - rtl.engine.hart(0).line_id_base;
      line.drop();
      model.engine.set_line(0, taken, true);
      ASSERT_TRUE(model.advance());
      ASSERT_TRUE(model.entered);
      model.engine.set_line(0, taken, false);
      ++interrupts;
    }
    ++boundaries;
    ASSERT_EQ(rtl.state(), model.state()) << "boundary " << boundaries << ", cycle " << rtl.cycle;
  }
  EXPECT_GT(boundaries, 5000U);
  EXPECT_GT(interrupts, 200U);
}

INSTANTIATE_TEST_SUITE_P(WaitStates, Boundary, ::testing::Values(0U, 60U, 200U));

TEST(Debug, StepsAndRunsMayBeMixed) {
  // A run that is held in the middle of cycles takes as many cycles as one that is not.
  std::uint64_t cycles[2] = {0, 0};
  for (int mixed = 0; mixed < 2; ++mixed) {
    Engine engine(TEST_WAVE_ENGINE);
    Session session(engine);
    session.load(program(engine, 20));
    RunState state;
    for (std::uint64_t cycle = 100; cycle < 19'000; cycle += 97) {
      state.stimulus.add({static_cast<unsigned>(cycle / 97 % 16), cycle, 0});
    }
    while (!state.exited && state.cycle < 20'000) {
      if (mixed == 0) session.advance(state, state.cycle + 1000);
      if (mixed == 1) session.step(state, 20'000);
      if (mixed == 1 && state.cycle % 7 == 0) session.advance(state, state.cycle + 13);
    }
    EXPECT_TRUE(state.exited);
    cycles[mixed] = state.cycle;
  }
  EXPECT_EQ(cycles[0], cycles[1]);
}

TEST(Debug, RtlRefusesToWriteRegisters) {
  Engine engine(TEST_WAVE_ENGINE);
  EXPECT_THROW(engine.write_register(0, 5, 1), Error);
  EXPECT_THROW(engine.read_register(0, TZ_DEBUG_CSR + 0x123), Error);
  EXPECT_EQ(engine.read_register(0, TZ_DEBUG_PC), engine.hart(0).reset_vector);
}

}  // namespace
}  // namespace trapeze::test
