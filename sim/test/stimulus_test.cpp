// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "kernel/stimulus.h"

#include <gtest/gtest.h>

#include "kernel/error.h"

namespace trapeze {
namespace {

TEST(Stimulus, ParsesInjections) {
  const Injection level = parse_injection("3@1000");
  EXPECT_EQ(level.line, 3U);
  EXPECT_EQ(level.cycle, 1000U);
  EXPECT_EQ(level.pulse_cycles, 0U);
  EXPECT_EQ(parse_injection("0@0x10:level").cycle, 16U);
  EXPECT_EQ(parse_injection("15@5:pulse").pulse_cycles, 1U);
  EXPECT_EQ(parse_injection("15@5:pulse=9").pulse_cycles, 9U);
}

TEST(Stimulus, HartsStandInFront) {
  EXPECT_EQ(parse_injection("3@10").hart, 0U);
  const Injection other = parse_injection("2:3@10:pulse=4");
  EXPECT_EQ(other.hart, 2U);
  EXPECT_EQ(other.line, 3U);
  EXPECT_EQ(other.cycle, 10U);
  EXPECT_EQ(other.pulse_cycles, 4U);
  EXPECT_EQ(parse_sweep("1:7@10..20").hart, 1U);
  for (const char* text : {":3@10", "x:3@10", "1:@10", "1:2:3@10", "-1:3@10"}) {
    EXPECT_THROW(parse_injection(text), Error) << text;
  }
}

TEST(Stimulus, LinesOfHartsAreApart) {
  Stimulus stimulus({{2, 10, 0, 1}, {2, 10, 0, 0}});
  const auto rise = stimulus.begin(10);
  ASSERT_EQ(rise.size(), 2U);
  EXPECT_EQ(rise[0].hart, 0U);
  EXPECT_EQ(rise[1].hart, 1U);
  EXPECT_EQ(stimulus.claim(1, 2, 11), 0U);
  const auto fall = stimulus.begin(12);
  ASSERT_EQ(fall.size(), 1U);
  EXPECT_EQ(fall[0].hart, 1U);
  EXPECT_FALSE(fall[0].level);
  EXPECT_EQ(stimulus.claim(1, 2, 13), Stimulus::kNone);
  EXPECT_EQ(stimulus.claim(0, 2, 13), 1U);
}

TEST(Stimulus, RefusesBadInjections) {
  for (const char* text : {"", "3", "@5", "x@5", "3@", "3@-1", "-3@1", "3@1e3", "3@5:", "3@5:pulse=", "3@5:pulse=0",
                           "3@5:high", "3@5 ", "5000@1", "3@99999999999999999999"}) {
    EXPECT_THROW(parse_injection(text), Error) << text;
  }
}

TEST(Stimulus, ParsesSweeps) {
  const SweepRange range = parse_sweep("7@10..20:pulse=2");
  EXPECT_EQ(range.line, 7U);
  EXPECT_EQ(range.from, 10U);
  EXPECT_EQ(range.to, 20U);
  EXPECT_EQ(range.pulse_cycles, 2U);
  for (const char* text : {"", "7", "7@10", "7@10..", "7@..10", "7@20..10", "7@-5..10", "7@10...20", "7@1..2:x"}) {
    EXPECT_THROW(parse_sweep(text), Error) << text;
  }
}

TEST(Stimulus, APulseWithoutEnd) {
  Stimulus stimulus({{2, 10, ~std::uint64_t{0}}});
  EXPECT_EQ(stimulus.begin(10).size(), 1U);
  EXPECT_TRUE(stimulus.begin(11).empty()) << "its last cycle is beyond the last one that there is";
}

TEST(Stimulus, LevelHoldsUntilClaim) {
  Stimulus stimulus({{2, 10, 0}});
  EXPECT_TRUE(stimulus.begin(0).empty());
  EXPECT_EQ(stimulus.next_change(), 10U);
  const auto rise = stimulus.begin(10);
  ASSERT_EQ(rise.size(), 1U);
  EXPECT_EQ(rise[0].line, 2U);
  EXPECT_TRUE(rise[0].level);
  EXPECT_EQ(stimulus.next_change(), ~std::uint64_t{0});
  EXPECT_EQ(stimulus.claim(0, 5, 12), Stimulus::kNone);
  EXPECT_EQ(stimulus.claim(0, 2, 12), 0U);
  const auto fall = stimulus.begin(13);
  ASSERT_EQ(fall.size(), 1U);
  EXPECT_FALSE(fall[0].level);
  EXPECT_EQ(stimulus.claim(0, 2, 14), Stimulus::kNone);
}

TEST(Stimulus, PulseEndsByItself) {
  Stimulus stimulus({{1, 5, 3}});
  EXPECT_EQ(stimulus.begin(5).size(), 1U);
  EXPECT_EQ(stimulus.next_change(), 8U);
  EXPECT_EQ(stimulus.claim(0, 1, 6), 0U);
  EXPECT_TRUE(stimulus.begin(7).empty());
  ASSERT_EQ(stimulus.begin(8).size(), 1U);
}

TEST(Stimulus, OverlapsOnOneLine) {
  Stimulus stimulus({{0, 5, 0}, {0, 6, 0}});
  EXPECT_EQ(stimulus.begin(5).size(), 1U);
  EXPECT_TRUE(stimulus.begin(6).empty());
  EXPECT_EQ(stimulus.claim(0, 0, 7), 0U);
  EXPECT_TRUE(stimulus.begin(8).empty()) << "the second one still holds the line";
  EXPECT_EQ(stimulus.claim(0, 0, 9), 1U);
  EXPECT_EQ(stimulus.begin(10).size(), 1U);
}

TEST(Stimulus, LostPulseDoesNotTakeALaterClaim) {
  Stimulus stimulus({{0, 5, 1}, {0, 50, 0}});
  stimulus.begin(5);
  stimulus.begin(6);
  stimulus.begin(50);
  EXPECT_EQ(stimulus.claim(0, 0, 52), 1U);
}

}  // namespace
}  // namespace trapeze
