// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * The port of a memory that modelled harts share with a tile: who waits for how long.
 */
#include <gtest/gtest.h>

#include "model/platform/shared_memory.h"

namespace trapeze::model {
namespace {

constexpr unsigned kBeats = 8;

/** Cycles that an access waits which asks in cycle `now` for the first time. */
std::uint64_t wait(SharedMemory& memory, std::uint64_t now) {
  std::uint64_t cycles = 0;
  while (!memory.word(now + cycles)) ++cycles;
  return cycles;
}

TEST(SharedMemory, AnAccessWaitsForTurnBeatsOfALine) {
  for (const unsigned turn : {0U, 1U, 2U, 4U, 16U}) {
    SharedMemory memory({kBeats, turn});
    EXPECT_EQ(memory.transfer(100, 1, 0), 0U);
    EXPECT_EQ(wait(memory, 101), turn == 0 || turn > kBeats ? kBeats : turn) << turn;
  }
}

TEST(SharedMemory, ALineAsksBehindTheCycleOfItsInstruction) {
  SharedMemory memory({kBeats, 1});
  EXPECT_TRUE(memory.word(100));
  memory.transfer(100, 1, 0);
  EXPECT_FALSE(memory.word(101));
  EXPECT_TRUE(memory.word(102));
}

TEST(SharedMemory, TheNextTransferWaitsForTheOneBeforeAndForTheTile) {
  SharedMemory memory({kBeats, 1});
  memory.transfer(100, 1, 0);
  EXPECT_EQ(memory.transfer(103, 1, 1), kBeats - 3);  // beats in cycles 101 to 103
  for (std::uint64_t now = 104; now < 110; ++now) memory.word(now);
  // Every other cycle was the tile's. Three beats more are over, and 11 of the 14 are left.
  EXPECT_EQ(memory.transfer(109, 1, 0), 3 + 11U);
  EXPECT_EQ(memory.transfer(1000, 1, 0), 0U);
}

}  // namespace
}  // namespace trapeze::model
