// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Boundaries of the RTL engine with fastirq. Registers must be those of the current bank, and the program counter must
// follow emret. Memory of frames is not compared, because frames are stored in the background.
#include <gtest/gtest.h>
#include <trapeze/clic.h>
#include <trapeze/map.h>

#include "boundary.h"
#include "kernel/session.h"

namespace trapeze::test {
namespace {

constexpr unsigned kMtvt = 0x307, kFast = 0x7c0, kFrame = 0x7c1;
constexpr std::uint32_t kEmret = 0xbc200073, kEcall = 0x00000073;
constexpr std::uint32_t kTable = kData + 0x1000, kStack = kData + 0x4000;
constexpr unsigned kExceptionWord = 64, kLinkWord = 80, kHandlerWord = 96, kAheadWord = 112;
constexpr unsigned kHandlers[] = {kHandlerWord, kHandlerWord + 8, kAheadWord};

/** A program that works `count` times, with vectored interrupts of one level: they do not nest, and emret chains
 * them. */
std::vector<std::uint32_t> program(std::uint32_t base, int count) {
  std::vector<std::uint32_t> words;
  const auto value = [&words](unsigned rd, std::uint32_t number) {
    words.push_back(lui(rd, number + 0x800U));
    words.push_back(addi(rd, rd, static_cast<int>(number << 20) >> 20));
  };
  value(6, TRAPEZE_CLIC_BASE);
  value(7, 8);
  words.push_back(store(2, 7, 6));
  value(6, TRAPEZE_CLIC_BASE + TRAPEZE_CLIC_IRQ_IP_OFFSET + 4 * 16);
  value(7, 0x64010100);
  value(8, 48);
  words.insert(words.end(), {store(2, 7, 6), addi(6, 6, 4), addi(8, 8, -1), branch_nonzero(8, -12)});
  const std::pair<unsigned, std::uint32_t> csrs[] = {
      {kMtvec, base + 4 * kExceptionWord}, {kMtvt, kTable}, {kFast, base + 4 * kLinkWord + 3}};
  for (const auto& [number, content] : csrs) {
    value(7, content);
    words.push_back(csrrw(0, number, 7));
  }
  value(2, kStack);
  value(6, kData);
  value(7, static_cast<std::uint32_t>(count));
  words.push_back(csrsi(kMstatus, 8));
  const std::vector<std::uint32_t> loop = {
      store_at(7, 6, 0), load(2, 8, 6, 0),  add(9, 9, 8),    divide(10, 9, 7),   add(1, 1, 10),  kEcall,
      store_at(9, 6, 6), load(2, 11, 6, 6), addi(2, 2, -16), store_at(11, 2, 4), addi(2, 2, 16), addi(7, 7, -1)};
  words.insert(words.end(), loop.begin(), loop.end());
  words.push_back(branch_nonzero(7, -4 * static_cast<int>(loop.size())));
  // No interrupts any more: a handler that changes the frame would change the exit code, and the program would not end.
  words.push_back(csrrw(0, kMstatus, 0));
  value(6, 0x5555);
  value(8, TRAPEZE_HOST_BASE);
  words.insert(words.end(), {store(2, 6, 8), jump(0)});
  words.resize(kExceptionWord, addi(0, 0, 0));
  words.insert(words.end(), {csrr(14, kMepc), addi(14, 14, 4), csrrw(0, kMepc, 14), kMret});
  words.resize(kLinkWord, addi(0, 0, 0));
  words.push_back(kEmret);
  words.resize(kHandlerWord, addi(0, 0, 0));
  // Two of three handlers change the frame, so the hardware has to load it.
  constexpr std::uint32_t kReturn = 0x00008067;
  for (const std::uint32_t word : {addi(5, 0, 7), lui(6, kData), load(2, 7, 6, 8), addi(7, 7, 1), store_at(7, 6, 8),
                                   addi(10, 0, 3), kReturn, addi(0, 0, 0)}) {
    words.push_back(word);
  }
  for (const std::uint32_t word : {addi(5, 0, 9), store_at(5, 2, 4), load(2, 11, 2, 8), addi(10, 11, 3), kEmret}) {
    words.push_back(word);
  }
  words.resize(kAheadWord, addi(0, 0, 0));
  // They also announce it: a bank is filled while the handler still uses registers of another bank.
  words.insert(words.end(), {addi(5, 0, 11), store_at(5, 2, 8)});
  for (const unsigned rd : {6U, 7U, 10U, 11U, 12U, 13U, 14U, 15U}) words.push_back(addi(rd, 0, 0x100 + rd));
  words.push_back(csrrw(0, kFrame, 2));
  for (int i = 0; i < 30; ++i) words.push_back(addi(5, 5, 1));
  words.push_back(kEmret);
  return words;
}

class BoundaryFast : public ::testing::TestWithParam<unsigned> {};

TEST_P(BoundaryFast, StateIsThatOfTheModel) {
  Machine rtl(TEST_WAVE_ENGINE);
  Machine model(TEST_MODEL, TEST_PLATFORM);
  const bool embedded = std::string(rtl.engine.hart(0).isa).compare(0, 5, "rv32e") == 0;
  const std::uint32_t fresh = embedded ? 0xfce0U : 0xf003fce0U;
  for (Machine* machine : {&rtl, &model}) {
    const auto base = static_cast<std::uint32_t>(machine->engine.hart(0).reset_vector);
    Session(machine->engine).load(file_of(machine->engine, program(base, 200)));
    for (std::uint32_t id = 0; id < 64; ++id) {
      const std::uint32_t handler = base + 4 * kHandlers[id % 3];
      machine->engine.write_memory(0, kTable + 4 * id, &handler, sizeof handler);
    }
  }
  const unsigned wait = GetParam();
  rtl.engine.set_wait_states(wait, wait, 1 + wait);
  RandomLine line(rtl.engine, 1 + wait);
  std::uint32_t below = 0;
  unsigned boundaries = 0, entries = 0, chains = 0;
  while (true) {
    line.maybe_raise(12);
    if (!rtl.advance()) break;
    const unsigned taken = rtl.claim.id - rtl.engine.hart(0).line_id_base;
    const bool chained = rtl.retired && rtl.record.insn == kEmret && (rtl.record.flags & TZ_RETIRE_IRQ) != 0;
    if (rtl.entered) line.drop();
    if (rtl.entered && chained) model.engine.set_line(0, taken, true);
    if (rtl.retired) {
      ASSERT_TRUE(model.advance());
      if (rtl.record.rd != 0) rtl.unspecified &= ~(1U << rtl.record.rd);
      if (rtl.record.insn == kEmret && !chained) rtl.unspecified = below;
    }
    if (rtl.entered && !chained) {
      model.engine.set_line(0, taken, true);
      ASSERT_TRUE(model.advance());
      below = rtl.unspecified;
      rtl.unspecified = fresh;
      ++entries;
    }
    if (rtl.entered) {
      ASSERT_TRUE(model.entered);
      model.engine.set_line(0, taken, false);
      chains += chained ? 1 : 0;
    }
    model.unspecified = rtl.unspecified;
    ++boundaries;
    ASSERT_EQ(rtl.state(), model.state()) << "boundary " << boundaries << ", cycle " << rtl.cycle;
  }
  EXPECT_TRUE(rtl.exited);
  EXPECT_GT(boundaries, 4000U);
  EXPECT_GT(entries, 100U);
  EXPECT_GT(chains, 10U);
}

INSTANTIATE_TEST_SUITE_P(WaitStates, BoundaryFast, ::testing::Values(0U, 60U, 200U));

}  // namespace
}  // namespace trapeze::test
