// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// The model's CLIC with user-level interrupts: the mode of a source, the winner, and user mode's view.
#include <trapeze/clic_user.h>

#include <utility>

#include "clic_sources.h"
#include "model/platform/clic.h"

namespace trapeze::model {
namespace {

using namespace trapeze::test;

constexpr std::uint32_t kMode = 3U << 22, kModeByMode = 1U << 4;

class ModelClicUser : public ::testing::Test {
 protected:
  ModelClicUser() { configure(8, 1, 8); }

  void configure(unsigned level_bits, unsigned mode_bits, unsigned user_level_bits) {
    clic.write(TRAPEZE_CLIC_MCLICCFG_OFFSET, kWord, level_bits | (mode_bits << 4) | (user_level_bits << 24), 0);
  }
  std::uint32_t configuration() { return clic.read(TRAPEZE_CLIC_MCLICCFG_OFFSET, kWord, 0).value; }
  std::uint32_t word(unsigned id) { return clic.read(at(id), kWord, 0).value; }
  std::uint32_t seen(unsigned id) { return user.read(at(id), kWord, 0).value; }
  /** Makes a source enabled and pending. */
  void source(unsigned privilege, unsigned id, unsigned ctl) {
    clic.write(at(id), kWord, 0x101U | (kRising << 17) | (privilege << 22) | (ctl << 24), 0);
  }

  Clic clic{kSources, 8, true};
  ClicUser user{clic};
};

TEST_F(ModelClicUser, RegistersAfterReset) {
  clic.write(at(5), kWord, 0, 0);
  clic.reset();
  EXPECT_EQ(configuration(), 0U);
  configure(0, 1, 0);
  for (unsigned id = 0; id < kSources; ++id) EXPECT_EQ(word(id), kMode) << "machine mode's";
}

TEST_F(ModelClicUser, FieldsOfTheConfiguration) {
  for (const auto& [written, read] : {std::pair{0U, 0U}, {0x10U, 0x10U}, {0x20U, 0U}, {0x30U, 0x10U}}) {
    clic.write(TRAPEZE_CLIC_MCLICCFG_OFFSET, kWord, written, 0);
    EXPECT_EQ(configuration(), read) << "the upper bit of nmbits reads zero";
  }
  for (const auto& [written, read] : {std::pair{15U, 8U}, {9U, 8U}, {8U, 8U}, {3U, 3U}}) {
    configure(written, 1, written);
    EXPECT_EQ(configuration(), read | 0x10U | (read << 24));
  }
  clic.write(TRAPEZE_CLIC_MCLICCFG_OFFSET, kWord, 0xffffffff, 0);
  EXPECT_EQ(configuration(), 0x08000018U);
  clic.write(TRAPEZE_CLIC_MCLICCFG_OFFSET, 7, 0, 0);
  EXPECT_EQ(configuration(), 0x08000000U) << "byte by byte";
  clic.write(TRAPEZE_CLIC_MCLICCFG_OFFSET, 8, 0, 0);
  EXPECT_EQ(configuration(), 0U);
}

TEST_F(ModelClicUser, ModeBitsReadAlike) {
  for (const auto& [written, read] : {std::pair{0U, 0U}, {1U, 0U}, {2U, 3U}, {3U, 3U}}) {
    clic.write(at(5), 4, written << 22, 0);
    EXPECT_EQ(word(5), read << 22) << written;
  }
}

TEST_F(ModelClicUser, ModeBitsStayWhileTheyDoNotCount) {
  clic.write(at(5), 4, 0, 0);
  configure(8, 0, 8);
  EXPECT_EQ(word(5), kMode);
  EXPECT_EQ(seen(5), 0U) << "machine mode's";
  clic.write(at(6), 4, 0, 0);
  configure(8, 1, 8);
  EXPECT_EQ(word(5), 0U);
  EXPECT_EQ(word(6), 0U) << "written meanwhile";
}

TEST_F(ModelClicUser, MachineModeWins) {
  source(kUser, 50, 255);
  EXPECT_EQ(clic.best().privilege, unsigned{kUser});
  source(kMachine, 10, 1);
  EXPECT_EQ(clic.best().id, 10U);
  EXPECT_EQ(clic.best().privilege, unsigned{kMachine});
  source(kMachine, 9, 1);
  EXPECT_EQ(clic.best().id, 10U) << "the highest id wins ties";
  configure(8, 0, 8);
  EXPECT_EQ(clic.best().id, 50U) << "no modes";
  EXPECT_EQ(clic.best().privilege, unsigned{kMachine});
}

TEST_F(ModelClicUser, UserSourcesAreOrderedByControlThenId) {
  source(kUser, 10, 7);
  source(kUser, 11, 9);
  source(kUser, 12, 9);
  EXPECT_EQ(clic.best().id, 12U);
  clic.claim(12);
  EXPECT_EQ(clic.best().id, 11U);
}

TEST_F(ModelClicUser, LevelBitsAreThoseOfTheMode) {
  source(kUser, 10, 0x92);
  configure(8, 1, 3);
  EXPECT_EQ(clic.best().level, 0x9fU);
  source(kMachine, 11, 0x92);
  EXPECT_EQ(clic.best().level, 0x92U);
  configure(3, 0, 8);
  EXPECT_EQ(clic.best().level, 0x9fU);
  clic.claim(11);
  EXPECT_EQ(clic.best().id, 10U);
  EXPECT_EQ(clic.best().level, 0x9fU) << "without modes user mode's bits count for none";
}

TEST_F(ModelClicUser, LevelZeroHides) {
  source(kUser, 10, 200);
  source(kMachine, 11, 0);
  EXPECT_FALSE(clic.best().valid) << "it wins, and is not offered";
  clic.write(at(11), 2, 0, 0);
  EXPECT_EQ(clic.best().id, 10U);
  source(kMachine, 11, 0);
  configure(7, 1, 8);
  EXPECT_EQ(clic.best().level, 1U);
}

TEST_F(ModelClicUser, TheViewHidesMachineSources) {
  source(kMachine, 10, 200);
  EXPECT_EQ(seen(10), 0U);
  const std::uint32_t before = word(10);
  for (const unsigned lanes : {1U, 2U, 4U, 8U, 15U}) {
    for (const std::uint32_t value : {0U, 0xffffffffU}) user.write(at(10), lanes, value, 0);
  }
  EXPECT_EQ(word(10), before);
  EXPECT_FALSE(user.read(at(10), kWord, 0).open) << "it is zero for certain";
}

TEST_F(ModelClicUser, TheViewIsThatOfItsOwnSources) {
  source(kUser, 10, 200);
  EXPECT_EQ(seen(10), 0xc8020101U);
  user.write(at(10), kWord, 0x12c50001, 0);
  EXPECT_EQ(word(10), 0x12050001U) << "mode bits cannot be written";
  user.write(at(10), 4, 0x00800000, 0);
  EXPECT_EQ(word(10), 0x12000000U) << "nor the upper one alone; level-triggered it is not pending";
  clic.drive(10, true);
  EXPECT_EQ(seen(10), 0x12000001U);
  user.write(at(10), 2, 0x100, 0);
  EXPECT_EQ(clic.best().id, 10U);
  EXPECT_EQ(seen(kSources), 0U) << "a source that is not there";
  user.write(at(kSources), kWord, 0xffffffff, 0);
}

TEST_F(ModelClicUser, TheViewHasOneFieldOfTheConfiguration) {
  user.write(TRAPEZE_CLIC_USER_UCLICCFG_OFFSET, kWord, 0xffffffff, 0);
  EXPECT_EQ(configuration(), 0x08000018U);
  user.write(TRAPEZE_CLIC_USER_UCLICCFG_OFFSET, kWord, 0x03000000, 0);
  EXPECT_EQ(configuration(), 0x03000018U) << "machine mode's fields stay";
  EXPECT_EQ(user.read(TRAPEZE_CLIC_USER_UCLICCFG_OFFSET, kWord, 0).value, 0x03000000U);
  user.write(TRAPEZE_CLIC_USER_UCLICCFG_OFFSET, 7, 0, 0);
  EXPECT_EQ(configuration(), 0x03000018U);
}

TEST(ModelClicWithoutUser, FieldsReadZero) {
  Clic clic(kSources);
  clic.write(TRAPEZE_CLIC_MCLICCFG_OFFSET, kWord, 0xffffffff, 0);
  EXPECT_EQ(clic.read(TRAPEZE_CLIC_MCLICCFG_OFFSET, kWord, 0).value, 8U);
  clic.write(at(5), kWord, 0x05000101, 0);
  EXPECT_EQ(clic.read(at(5), kWord, 0).value & kMode, kMode);
  clic.drive(5, true);
  EXPECT_EQ(clic.best().privilege, unsigned{kMachine});
  EXPECT_EQ(clic.read(TRAPEZE_CLIC_MCLICCFG_OFFSET, kWord, 0).value & kModeByMode, 0U);
}

}  // namespace
}  // namespace trapeze::model
