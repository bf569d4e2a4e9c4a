// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// The model's doorbells of programs against the register description.
#include "model/platform/bells.h"

#include <gtest/gtest.h>

namespace trapeze::model {
namespace {

constexpr unsigned kWord = 0xf;
constexpr std::uint32_t kBells = TRAPEZE_BELLS_BELLS_OFFSET;
constexpr std::uint32_t kEnable = TRAPEZE_BELLS_ENABLE_OFFSET;
constexpr std::uint32_t kInterval = TRAPEZE_BELLS_INTERVAL_OFFSET;
constexpr std::uint32_t kAll = TRAPEZE_BELLS_BELLS_BELLS_MASK;

constexpr std::uint32_t page_of(std::uint32_t bell) {
  return TRAPEZE_BELL_PAGES_RING_OFFSET + bell * TRAPEZE_BELL_PAGES_RING_STRIDE;
}

/** Accesses, of both sides. */
struct Rung {
  void ring(std::uint32_t bell, std::uint32_t value = 1) {
    EXPECT_TRUE(bells.pages().write(page_of(bell), kWord, value, 0));
  }
  std::uint32_t read(std::uint32_t offset) { return bells.registers().read(offset, kWord, 0).value; }
  void write(std::uint32_t offset, std::uint32_t value, std::uint64_t now = 0) {
    EXPECT_TRUE(bells.registers().write(offset, kWord, value, now));
  }
  bool level(std::uint64_t now) { return bells.level(0, now); }

  Bells bells;
};

TEST(ModelBells, ResetValues) {
  Rung rung;
  EXPECT_EQ(rung.read(kBells), 0U);
  EXPECT_EQ(rung.read(kEnable), 0U);
  EXPECT_EQ(rung.read(kInterval), TRAPEZE_BELLS_INTERVAL_RESET);
  EXPECT_FALSE(rung.level(0));
}

TEST(ModelBells, EachPageRingsItsOwnBellAndReadsAsZero) {
  for (std::uint32_t bell = 0; bell < TRAPEZE_BELL_PAGES_RING_COUNT; ++bell) {
    Rung rung;
    rung.ring(bell, ~1U);
    EXPECT_EQ(rung.read(kBells), 0U) << "only bit 0 rings";
    rung.ring(bell, ~0U);
    EXPECT_EQ(rung.read(kBells), 1U << bell);
    const DeviceRead read = rung.bells.pages().read(page_of(bell), kWord, 0);
    EXPECT_FALSE(read.error);
    EXPECT_EQ(read.value, 0U);
    rung.ring(bell, 0);
    EXPECT_EQ(rung.read(kBells), 1U << bell) << "zero changes nothing";
  }
}

TEST(ModelBells, OnlyWordsAndOnlyRegisters) {
  Rung rung;
  Device& pages = rung.bells.pages();
  Device& registers = rung.bells.registers();
  for (const unsigned enables : {1U, 3U, 0xcU}) {
    EXPECT_TRUE(pages.read(page_of(1), enables, 0).error);
    EXPECT_FALSE(pages.write(page_of(1), enables, 1, 0));
    EXPECT_TRUE(registers.read(kBells, enables, 0).error);
    EXPECT_FALSE(registers.write(kEnable, enables, 1, 0));
  }
  const std::uint32_t behind = page_of(TRAPEZE_BELL_PAGES_RING_COUNT);
  for (const std::uint32_t offset : {page_of(0) + 4, page_of(1) - 4, page_of(7) + 0xffc, behind}) {
    EXPECT_TRUE(pages.read(offset, kWord, 0).error) << offset;
    EXPECT_FALSE(pages.write(offset, kWord, 1, 0)) << offset;
  }
  EXPECT_TRUE(registers.read(kInterval + 4, kWord, 0).error);
  EXPECT_FALSE(registers.write(kInterval + 4, kWord, 1, 0));
  EXPECT_EQ(rung.read(kBells), 0U);
  EXPECT_EQ(rung.read(kEnable), 0U);
}

TEST(ModelBells, FieldsHaveTheirWidths) {
  Rung rung;
  rung.write(kEnable, ~0U);
  EXPECT_EQ(rung.read(kEnable), kAll);
  rung.write(kInterval, ~0U);
  EXPECT_EQ(rung.read(kInterval), TRAPEZE_BELLS_INTERVAL_CYCLES_MASK);
}

TEST(ModelBells, TheInterruptIsThatOfAnEnabledBell) {
  Rung rung;
  rung.ring(2);
  EXPECT_FALSE(rung.level(0)) << "nothing is enabled";
  rung.write(kEnable, ~4U);
  EXPECT_FALSE(rung.level(0)) << "another one is";
  rung.write(kEnable, 4);
  EXPECT_TRUE(rung.level(0));
  rung.write(kBells, ~4U);
  EXPECT_TRUE(rung.level(0)) << "no bell was cleared, so that no interval runs either";
  rung.write(kBells, 4);
  EXPECT_FALSE(rung.level(1'000'000));
}

TEST(ModelBells, AStormCostsOneInterruptInAnInterval) {
  constexpr std::uint64_t kReset = TRAPEZE_BELLS_INTERVAL_RESET;
  Rung rung;
  rung.write(kEnable, kAll);
  rung.ring(0);
  EXPECT_TRUE(rung.level(100)) << "the first comes at once";
  rung.write(kBells, 1, 100);
  EXPECT_EQ(rung.bells.next_event(100), kNever) << "nothing waits";
  rung.ring(5);
  EXPECT_EQ(rung.read(kBells), 0x20U) << "is there to be polled";
  EXPECT_FALSE(rung.level(100 + kReset - 1)) << "one interval for all bells";
  EXPECT_EQ(rung.bells.next_event(100), 100 + kReset);
  EXPECT_TRUE(rung.level(100 + kReset));
  EXPECT_EQ(rung.bells.next_event(100 + kReset), kNever);
}

TEST(ModelBells, AnIntervalTakesEffectAtOnce) {
  Rung rung;
  rung.write(kEnable, kAll);
  rung.ring(0);
  rung.write(kBells, 1, 100);
  rung.ring(0);
  rung.write(kInterval, 0, 110);
  EXPECT_TRUE(rung.level(110)) << "the time that ran is over";
  rung.write(kInterval, 500, 120);
  EXPECT_FALSE(rung.level(599)) << "and runs again, from the clearing on";
  EXPECT_EQ(rung.bells.next_event(120), 600U);
  EXPECT_TRUE(rung.level(600));
}

TEST(ModelBells, ComesBackFromASnapshot) {
  Rung rung;
  rung.write(kEnable, 3);
  rung.ring(0);
  rung.write(kBells, 1, 50);
  rung.ring(1);
  const Bells::State state = rung.bells.save();
  rung.bells.pages().reset();
  EXPECT_EQ(rung.read(kBells), 0U);
  EXPECT_EQ(rung.bells.next_event(50), kNever);
  rung.bells.restore(state);
  EXPECT_EQ(rung.read(kBells), 2U);
  EXPECT_EQ(rung.bells.next_event(50), 50 + TRAPEZE_BELLS_INTERVAL_RESET);
}

}  // namespace
}  // namespace trapeze::model
