// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Boundaries of the RTL engine are exact: whenever its interface for debuggers stops between two instructions,
// registers, CSRs and memory are those of the model at the same place. With exceptions, interrupts in random cycles and
// wait states.
#include <gtest/gtest.h>

#include <random>

#include "elf_builder.h"
#include "kernel/debug.h"
#include "kernel/dynamic_engine.h"
#include "kernel/error.h"
#include "kernel/session.h"

namespace trapeze::test {
namespace {

constexpr unsigned kMstatus = 0x300, kMie = 0x304, kMtvec = 0x305, kMscratch = 0x340, kMepc = 0x341, kMcause = 0x342;
constexpr unsigned kMtval = 0x343, kMinstret = 0xb02;
constexpr unsigned kHandlerWords = 64;
constexpr std::uint32_t kData = 0x80100000;
constexpr std::uint32_t kWfi = 0x10500073, kEcall = 0x00000073;
constexpr std::size_t kWindow = 64;

constexpr std::uint32_t csrrw(unsigned rd, unsigned csr, unsigned rs1) {
  return 0x1073U | (rd << 7) | (rs1 << 15) | (csr << 20);
}
constexpr std::uint32_t csrr(unsigned rd, unsigned csr) {
  return 0x2073U | (rd << 7) | (csr << 20);
}
constexpr std::uint32_t csrsi(unsigned csr, unsigned bits) {
  return 0x6073U | (bits << 15) | (csr << 20);
}
constexpr std::uint32_t add(unsigned rd, unsigned rs1, unsigned rs2) {
  return 0x33U | (rd << 7) | (rs1 << 15) | (rs2 << 20);
}
constexpr std::uint32_t divide(unsigned rd, unsigned rs1, unsigned rs2) {
  return 0x02004033U | (rd << 7) | (rs1 << 15) | (rs2 << 20);
}
constexpr std::uint32_t store_at(unsigned rs2, unsigned rs1, unsigned offset) {
  return store(2, rs2, rs1) | ((offset & 31U) << 7);
}

/** Work of every kind, `count` times; exceptions are skipped, interrupts counted. */
ElfFile program(const Engine& engine, int count) {
  const auto base = static_cast<std::uint32_t>(engine.info().reset_vector);
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
  ElfFile file;
  file.entry = base;
  if (std::string(engine.info().isa).compare(0, 5, "rv32e") == 0) file.flags = 8;
  ElfSegment segment;
  segment.address = base;
  segment.memory_size = static_cast<std::uint32_t>(4 * words.size());
  for (const std::uint32_t word : words) {
    for (int i = 0; i < 4; ++i) segment.data.push_back(static_cast<std::uint8_t>(word >> (8 * i)));
  }
  file.segments.push_back(segment);
  return file;
}

/** An engine that goes from boundary to boundary. */
struct Machine {
  explicit Machine(const char* library) : engine(library) {}

  /** To the next boundary. False: the program has ended, or sleeps. */
  bool advance() {
    retired = entered = false;
    while (true) {
      tz_run_args args{};
      args.until_cycle = cycle + 1000;
      const tz_step_result step = engine.step(args);
      cycle = step.run.cycle;
      if (step.run.claimed != 0) claim = step.run.claim;
      retired = retired || step.retired != 0;
      entered = entered || step.entered != 0;
      exited = step.run.stop == TZ_STOP_EXIT;
      if (exited) return false;
      if (step.boundary != 0) return retired || entered;
    }
  }

  /** Everything that must be the same. */
  std::vector<std::uint64_t> state() {
    std::vector<std::uint64_t> values;
    const unsigned registers = std::string(engine.info().isa).compare(0, 5, "rv32e") == 0 ? 16 : 32;
    for (unsigned n = 1; n < registers; ++n) values.push_back(engine.read_register(n));
    values.push_back(engine.read_register(TZ_DEBUG_PC));
    values.push_back(engine.read_register(TZ_DEBUG_MODE));
    for (const unsigned csr : {kMstatus, kMie, kMtvec, kMscratch, kMepc, kMcause, kMtval, kMinstret}) {
      values.push_back(engine.read_register(TZ_DEBUG_CSR + csr));
    }
    std::uint8_t window[kWindow];
    engine.read_memory(kData, window, sizeof window);
    values.insert(values.end(), window, window + sizeof window);
    return values;
  }

  Engine engine;
  std::uint64_t cycle = 0;
  tz_claim claim{};
  bool retired = false;
  bool entered = false;
  bool exited = false;
};

/** A line, at random, until it is taken. */
class RandomLine {
 public:
  RandomLine(Engine& engine, unsigned seed) : engine_(engine), random_(seed) {}
  void maybe_raise(unsigned one_in) {
    if (line_ >= 0 || random_() % one_in != 0) return;
    line_ = static_cast<int>(random_() % engine_.info().num_lines);
    engine_.set_line(static_cast<unsigned>(line_), true);
  }
  void drop() {
    engine_.set_line(static_cast<unsigned>(line_), false);
    line_ = -1;
  }

 private:
  Engine& engine_;
  std::mt19937 random_;
  int line_ = -1;
};

class Boundary : public ::testing::TestWithParam<unsigned> {};

TEST_P(Boundary, StateIsThatOfTheModel) {
  Machine rtl(TEST_WAVE_ENGINE);
  Machine model(TEST_MODEL);
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
      line.maybe_raise(1);  // it sleeps
      continue;
    }
    if (rtl.retired) {
      ASSERT_TRUE(model.advance());
    }
    if (rtl.entered) {
      const unsigned taken = rtl.claim.id - rtl.engine.info().line_id_base;
      line.drop();
      model.engine.set_line(taken, true);
      ASSERT_TRUE(model.advance());
      ASSERT_TRUE(model.entered);
      model.engine.set_line(taken, false);
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
  // Held in the middle of a cycle or not, a run takes the same cycles.
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
  EXPECT_THROW(engine.write_register(5, 1), Error);
  EXPECT_THROW(engine.read_register(TZ_DEBUG_CSR + 0x123), Error);
  EXPECT_EQ(engine.read_register(TZ_DEBUG_PC), engine.info().reset_vector);
}

}  // namespace
}  // namespace trapeze::test
