// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "kernel/arrivals.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "kernel/error.h"
#include "kernel/interrupt_table.h"
#include "kernel/stimulus.h"

namespace trapeze {
namespace {

std::shared_ptr<const ArrivalSpec> spec(const std::string& text) {
  return std::make_shared<const ArrivalSpec>(parse_arrivals(text));
}

std::vector<std::uint64_t> first(const std::string& text, std::size_t count) {
  Arrivals arrivals(spec(text));
  std::vector<std::uint64_t> cycles;
  for (; cycles.size() < count && arrivals.next() != Arrivals::kNever; arrivals.pop())
    cycles.push_back(arrivals.next());
  return cycles;
}

using Cycles = std::vector<std::uint64_t>;

TEST(Arrivals, Periods) {
  EXPECT_EQ(first("3:every=100", 3), (Cycles{100, 200, 300}));
  EXPECT_EQ(first("3:every=100,from=7,n=2", 9), (Cycles{7, 107}));
  EXPECT_EQ(first("3:every=100,burst=3x10,from=0,n=5", 9), (Cycles{0, 10, 20, 100, 110}));
}

TEST(Arrivals, UniformGapsStayInTheirRange) {
  const Cycles cycles = first("3:uniform=5..9,from=1000,n=2000", 3000);
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
  const Cycles cycles = first("3:exp=200,n=20000", 30000);
  ASSERT_EQ(cycles.size(), 20000U);
  EXPECT_NEAR(static_cast<double>(cycles.back()) / 20000, 200, 6);
  std::size_t longer = 0;
  for (std::size_t i = 1; i < cycles.size(); ++i) longer += cycles[i] - cycles[i - 1] > 400 ? 1 : 0;
  EXPECT_NEAR(static_cast<double>(longer) / 20000, 0.135, 0.01) << "e^-2 of them are longer than two means";
}

TEST(Arrivals, TheSeedSaysWhichOnes) {
  EXPECT_EQ(first("3:exp=200", 100), first("3:exp=200,seed=1", 100));
  EXPECT_NE(first("3:exp=200", 100), first("3:exp=200,seed=2", 100));
}

TEST(Arrivals, FromAFile) {
  const std::string path = testing::TempDir() + "edges.txt";
  const auto write = [&](const std::string& text) {
    std::FILE* file = std::fopen(path.c_str(), "w");
    std::fputs(text.c_str(), file);
    std::fclose(file);
  };
  write("# cycles\n10\n 0x20 # hexadecimal\n\n40");
  EXPECT_EQ(first("3:file=" + path, 9), (Cycles{10, 32, 40}));
  EXPECT_EQ(first("3:n=2,file=" + path, 9), (Cycles{10, 32}));
  for (const char* text : {"", "# nothing\n", "10\n10\n", "20\n10\n", "ten\n", "1 2\n", "-1\n"}) {
    write(text);
    EXPECT_THROW(parse_arrivals("3:file=" + path), Error) << text;
  }
  EXPECT_THROW(parse_arrivals("3:file=/nonexistent/edges.txt"), Error);
}

TEST(Arrivals, RefusesWhatItDoesNotKnow) {
  for (const char* text : {"",
                           "3",
                           "3:",
                           "x:every=1",
                           "3:every",
                           "3:every=0",
                           "3:every=x",
                           "3:n=5",
                           "3:every=5,exp=9",
                           "3:every=5,every=6",
                           "3:uniform=5",
                           "3:uniform=9..5",
                           "3:uniform=0..5",
                           "3:exp=-1",
                           "3:every=9,burst=3",
                           "3:every=9,burst=0x5",
                           "3:every=9,burst=3x5",
                           "3:every=9,n=0",
                           "3:every=9,pulse=0",
                           "3:every=9,what=1",
                           "3:every=9,",
                           "4096:every=9",
                           "1:2:3:every=9",
                           "3:every=99999999999999999999",
                           "3:file=",
                           "3:exp=5,burst=99999999999999999x99999999999"}) {
    EXPECT_THROW(parse_arrivals(text), Error) << text;
  }
  EXPECT_EQ(parse_arrivals("2:3:every=9").hart, 2U);
  EXPECT_EQ(parse_arrivals("2:3:every=9").line, 3U);
}

TEST(Arrivals, LeftSaysHowManyAreToCome) {
  Arrivals some(spec("3:every=5,n=3"));
  some.pop();
  EXPECT_EQ(some.left(), 2U);
  EXPECT_FALSE(Arrivals(spec("3:every=5")).left());
}

/** Plays a stimulus. Each edge is claimed `wait` cycles after it. */
struct Player {
  explicit Player(const std::string& text) { stimulus.add(spec(text)); }

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
  Player player("3:every=10");
  player.run(100, 3);
  EXPECT_EQ(player.edges, (Cycles{10, 20, 30, 40, 50, 60, 70, 80, 90}));
  EXPECT_EQ(player.claimed, 9U);
  EXPECT_EQ(player.stimulus.streams()[0].merged, 0U);
}

TEST(Arrivals, AnEdgeOfAHighLineIsMerged) {
  Player player("3:every=10,burst=2x4");
  player.run(40, 4);  // the claim comes in the cycle of the second edge: the line was high until then
  EXPECT_EQ(player.edges, (Cycles{10, 20, 30}));
  EXPECT_EQ(player.stimulus.streams()[0].merged, 3U);
  Player pulses("3:every=10,burst=2x4,pulse=1");
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
