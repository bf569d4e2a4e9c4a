// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "kernel/arrivals.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "kernel/error.h"
#include "kernel/interrupt_table.h"
#include "kernel/stimulus.h"

namespace trapeze {
namespace {

std::shared_ptr<const ArrivalSpec> shared(ArrivalSpec spec) {
  spec.line = 3;
  return std::make_shared<const ArrivalSpec>(std::move(spec));
}

ArrivalSpec every(std::uint64_t gap, std::uint64_t from) {
  return {.gaps = Gaps::kEvery, .least = gap, .most = gap, .from = from};
}

ArrivalSpec exponential(std::uint64_t mean) {
  return {.gaps = Gaps::kExponential, .least = mean, .most = mean};
}

ArrivalSpec with_n(ArrivalSpec spec, std::uint64_t n) {
  spec.n = n;
  return spec;
}

ArrivalSpec with_burst(ArrivalSpec spec, std::uint64_t count, std::uint64_t gap) {
  spec.burst = count;
  spec.burst_gap = gap;
  return spec;
}

std::vector<std::uint64_t> first(const ArrivalSpec& spec, std::size_t count) {
  Arrivals arrivals(shared(spec));
  std::vector<std::uint64_t> cycles;
  for (; cycles.size() < count && arrivals.next() != Arrivals::kNever; arrivals.pop())
    cycles.push_back(arrivals.next());
  return cycles;
}

using Cycles = std::vector<std::uint64_t>;

TEST(Arrivals, Periods) {
  EXPECT_EQ(first(every(100, 100), 3), (Cycles{100, 200, 300}));
  EXPECT_EQ(first(with_n(every(100, 7), 2), 9), (Cycles{7, 107}));
  EXPECT_EQ(first(with_n(with_burst(every(100, 0), 3, 10), 5), 9), (Cycles{0, 10, 20, 100, 110}));
}

TEST(Arrivals, UniformGapsStayInTheirRange) {
  const Cycles cycles = first({.gaps = Gaps::kUniform, .least = 5, .most = 9, .from = 1000, .n = 2000}, 3000);
  ASSERT_EQ(cycles.size(), 2000U);
  std::uint64_t before = 1000;
  std::vector<unsigned> seen(10);
  for (const std::uint64_t cycle : cycles) {
    ASSERT_GE(cycle - before, 5U);
    ASSERT_LE(cycle - before, 9U);
    ++seen[cycle - before];
    before = cycle;
  }
  for (std::size_t gap = 5; gap <= 9; ++gap) EXPECT_NEAR(seen[gap], 400, 100) << gap;
}

TEST(Arrivals, ExponentialGapsHaveTheirMean) {
  const Cycles cycles = first(with_n(exponential(200), 20000), 30000);
  ASSERT_EQ(cycles.size(), 20000U);
  EXPECT_NEAR(static_cast<double>(cycles.back()) / 20000, 200, 6);
  std::size_t longer = 0;
  for (std::size_t i = 1; i < cycles.size(); ++i) longer += cycles[i] - cycles[i - 1] > 400 ? 1 : 0;
  EXPECT_NEAR(static_cast<double>(longer) / 20000, 0.135, 0.01) << "e^-2 of them are longer than two means";
}

TEST(Arrivals, TheSeedSaysWhichOnes) {
  ArrivalSpec seeded = exponential(200);
  seeded.seed = 1;
  EXPECT_EQ(first(exponential(200), 100), first(seeded, 100));
  seeded.seed = 2;
  EXPECT_NE(first(exponential(200), 100), first(seeded, 100));
}

TEST(Arrivals, FromAFile) {
  const std::string path = testing::TempDir() + "edges.txt";
  const auto write = [&](const std::string& text) {
    std::FILE* file = std::fopen(path.c_str(), "w");
    std::fputs(text.c_str(), file);
    std::fclose(file);
  };
  write("# cycles\n10\n 0x20 # hexadecimal\n\n40");
  EXPECT_EQ(first({.gaps = Gaps::kFile, .cycles = read_cycles(path)}, 9), (Cycles{10, 32, 40}));
  EXPECT_EQ(first({.gaps = Gaps::kFile, .n = 2, .cycles = read_cycles(path)}, 9), (Cycles{10, 32}));
  for (const char* text : {"", "# nothing\n", "10\n10\n", "20\n10\n", "ten\n", "1 2\n", "-1\n"}) {
    write(text);
    EXPECT_THROW(read_cycles(path), Error) << text;
  }
  EXPECT_THROW(read_cycles("/nonexistent/edges.txt"), Error);
}

TEST(Arrivals, LeftSaysHowManyAreToCome) {
  Arrivals some(shared(with_n(every(5, 5), 3)));
  some.pop();
  EXPECT_EQ(some.left(), 2U);
  EXPECT_FALSE(Arrivals(shared(every(5, 5))).left());
}

/** Plays a stimulus. Each edge is claimed `wait` cycles after it. */
struct Player {
  explicit Player(const ArrivalSpec& spec) { stimulus.add(shared(spec)); }

  void run(std::uint64_t cycles, std::uint64_t wait) {
    for (std::uint64_t cycle = 0; cycle < cycles; ++cycle) {
      stimulus.begin(cycle);
      for (const Stimulus::Risen& one : stimulus.risen()) {
        edges.push_back(one.injection.cycle);
        due = cycle + wait;
      }
      if (cycle == due) claimed += stimulus.claim(0, 3, cycle) == Stimulus::kNone ? 0 : 1;
    }
  }

  Stimulus stimulus;
  Cycles edges;
  std::uint64_t due = ~std::uint64_t{0};
  unsigned claimed = 0;
};

TEST(Arrivals, EachRaisesTheLine) {
  Player player(every(10, 10));
  player.run(100, 3);
  EXPECT_EQ(player.edges, (Cycles{10, 20, 30, 40, 50, 60, 70, 80, 90}));
  EXPECT_EQ(player.claimed, 9U);
  EXPECT_EQ(player.stimulus.streams()[0].merged, 0U);
}

TEST(Arrivals, AnEdgeOfAHighLineIsMerged) {
  const ArrivalSpec pairs = with_burst(every(10, 10), 2, 4);
  Player player(pairs);
  player.run(40, 4);  // the claim comes in the cycle of the second edge: the line was high until then
  EXPECT_EQ(player.edges, (Cycles{10, 20, 30}));
  EXPECT_EQ(player.stimulus.streams()[0].merged, 3U);
  ArrivalSpec pulsed = pairs;
  pulsed.pulse_cycles = 1;
  Player pulses(pulsed);
  pulses.run(39, 6);
  EXPECT_EQ(pulses.edges, (Cycles{10, 20, 30})) << "the line is low, but the first one still waits";
  EXPECT_EQ(pulses.stimulus.streams()[0].merged, 3U);
  EXPECT_EQ(pulses.claimed, 3U);
}

TEST(InterruptTable, ForgetsEdgesOfStimuliAndKeepsTheirFigures) {
  InterruptTable table;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    InterruptStamp& stamp = table.begin(InterruptTable::kFirstOfStimuli + i, 0);
    stamp.raised = true;
    stamp.t0 = 100 * i;
    stamp.tx = 100 * i + 4 + i % 7;
    stamp.fate = Fate::kMarked;
    table.settle();
    ASSERT_TRUE(table.passing().empty());
  }
  const ArrivalResult& result = table.arrivals().at(0);
  EXPECT_EQ(result.raised, 1000U);
  EXPECT_EQ(result.tx.counts().size(), 7U);
  EXPECT_EQ(result.worst->t0, 600U) << "the first of the worst";
  EXPECT_EQ(result.best->t0, 0U);
  EXPECT_FALSE(result.unmarked);
}

TEST(InterruptTable, HandlersThatNeverReturnAreGivenUp) {
  InterruptTable table;
  for (std::uint64_t i = 0; i < 10000; ++i) {
    InterruptStamp& stamp = table.begin(InterruptTable::kFirstOfStimuli + i, 0);
    stamp.t0 = i;
    stamp.fate = Fate::kRunning;
  }
  EXPECT_LT(table.passing().size(), 1000U);
  table.finish();
  EXPECT_EQ(table.arrivals().at(0).fates.at(static_cast<std::size_t>(Fate::kRunning)), 10000U);
  EXPECT_EQ(table.arrivals().at(0).unmarked->t0, 0U);
}

TEST(Distances, AreExactUpTo65536AndRoundedUpAbove) {
  for (const std::uint64_t cycles : {0, 1, 65535, 65536}) EXPECT_EQ(Distances::rounded(cycles), cycles);
  EXPECT_EQ(Distances::rounded(65537), 65538U);
  EXPECT_EQ(Distances::rounded(131071), 131072U);
  for (std::uint64_t cycles = 1; cycles < std::uint64_t{1} << 60; cycles = cycles * 5 / 3 + 1) {
    const std::uint64_t rounded = Distances::rounded(cycles);
    EXPECT_GE(rounded, cycles);
    EXPECT_LE(rounded - cycles, cycles / 32768);
  }
}

}  // namespace
}  // namespace trapeze
