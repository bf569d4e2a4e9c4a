// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "kernel/stimulus.h"

#include <gtest/gtest.h>

namespace trapeze {
namespace {

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
