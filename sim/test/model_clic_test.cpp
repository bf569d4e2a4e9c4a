// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// The model's CLIC by itself: registers, gateways, selection.
#include <utility>
#include <vector>

#include "clic_sources.h"
#include "model/platform/clic.h"

namespace trapeze::model {
namespace {

using namespace trapeze::test;

class ModelClic : public ClicTest<Clic> {
 protected:
  std::uint32_t word(unsigned id) { return clic.read(at(id), kWord, kNever).value; }
  bool pending(unsigned id) { return (word(id) & 1U) != 0; }
};

TEST_F(ModelClic, RegistersAfterReset) {
  clic.reset();
  EXPECT_EQ(clic.read(TRAPEZE_CLIC_MCLICCFG_OFFSET, kWord, 0).value, 0U);
  for (unsigned id = 0; id < kSources; ++id) EXPECT_EQ(word(id), 0x00c00000U);
  EXPECT_EQ(word(kSources), 0U) << "a source that is not there";
  EXPECT_EQ(word(4095), 0U);
  EXPECT_FALSE(clic.best().valid);
}

TEST_F(ModelClic, RegistersKeepWhatTheyHave) {
  clic.write(at(5), kWord, 0xffffffff, 0);
  EXPECT_EQ(word(5), 0xffc70101U) << "edge-triggered: ip is written too";
  clic.write(at(5), kWord, 0xfffb0001, 0);
  EXPECT_EQ(word(5), 0xffc30001U);
  clic.write(at(kSources), kWord, 0xffffffff, 0);
  EXPECT_EQ(word(kSources), 0U);
  for (const auto& [written, read] : {std::pair{15U, 8U}, {9U, 8U}, {8U, 8U}, {3U, 3U}, {0xfffffff4U, 4U}}) {
    level_bits(written);
    EXPECT_EQ(clic.read(TRAPEZE_CLIC_MCLICCFG_OFFSET, kWord, 0).value, read);
  }
  clic.write(TRAPEZE_CLIC_MCLICCFG_OFFSET, 0xe, 2, 0);
  EXPECT_EQ(clic.read(TRAPEZE_CLIC_MCLICCFG_OFFSET, kWord, 0).value, 4U) << "byte 0 was not written";
}

TEST_F(ModelClic, BytesAreWrittenByThemselves) {
  clic.write(at(5), kWord, 0x40020001, 0);
  clic.write(at(5), 2, 0xffffffff, 0);
  EXPECT_EQ(word(5), 0x40c20101U);
  clic.write(at(5), 8, 0x11000000, 0);
  EXPECT_EQ(word(5), 0x11c20101U);
  clic.write(at(5), 3, 0, 0);
  EXPECT_EQ(word(5), 0x11c20000U);
}

TEST_F(ModelClic, AbsentControlBitsReadAsOnes) {
  Clic few(kSources, 3);
  few.write(at(5), kWord, 0x40000100, 0);
  EXPECT_EQ(few.read(at(5), kWord, 0).value, 0x5fc00100U);
  few.write(TRAPEZE_CLIC_MCLICCFG_OFFSET, kWord, 8, 0);
  few.drive(5, true);
  EXPECT_EQ(few.best().level, 0x5fU);
}

TEST_F(ModelClic, LevelsFollowTheWire) {
  source(5, kHigh, 7);
  source(6, kLow, 7);
  EXPECT_FALSE(pending(5));
  EXPECT_TRUE(pending(6));
  clic.drive(5, true);
  clic.drive(6, true);
  EXPECT_TRUE(pending(5));
  EXPECT_FALSE(pending(6));
  clic.write(at(5), 1, 0, 0);
  clic.write(at(6), 1, 1, 0);
  clic.claim(5);
  EXPECT_TRUE(pending(5)) << "neither a write nor a claim changes it";
  EXPECT_FALSE(pending(6));
}

TEST_F(ModelClic, EdgesStayUntilClearedOrClaimed) {
  source(5, kRising, 7);
  source(6, kFalling, 7);
  clic.drive(5, true);
  clic.drive(6, true);
  clic.drive(5, false);
  EXPECT_TRUE(pending(5));
  EXPECT_FALSE(pending(6));
  clic.drive(6, false);
  EXPECT_TRUE(pending(6));
  clic.claim(5);
  clic.write(at(6), 1, 0, 0);
  EXPECT_FALSE(pending(5));
  EXPECT_FALSE(pending(6));
  clic.write(at(5), 1, 1, 0);
  EXPECT_TRUE(pending(5)) << "software raises it";
}

TEST_F(ModelClic, EdgesCountWhetherEnabledOrNot) {
  clic.write(at(5), kWord, 0x07020000, 0);
  clic.drive(5, true);
  EXPECT_TRUE(pending(5));
  EXPECT_FALSE(clic.best().valid);
  clic.write(at(5), 2, 0x100, 0);
  EXPECT_EQ(clic.best().id, 5U);
}

TEST_F(ModelClic, NoChangeOfTheTriggerIsAnEdge) {
  clic.drive(5, true);
  for (const unsigned first : {kHigh, kLow}) {
    for (const unsigned second : {kRising, kFalling}) {
      source(5, first, 7);
      clic.write(at(5), 4, second << 17, 0);
      EXPECT_FALSE(pending(5)) << first << " to " << second;
    }
  }
  source(5, kHigh, 7);
  clic.write(at(5), 5, (kRising << 17) | 1U, 0);
  EXPECT_TRUE(pending(5)) << "unless the same access sets it";
  clic.write(at(5), 4, kFalling << 17, 0);
  EXPECT_TRUE(pending(5)) << "it stays edge-triggered";
}

TEST_F(ModelClic, LargestControlWinsThenHighestId) {
  source(10, kRising, 7, true);
  source(11, kRising, 9, true);
  source(12, kRising, 9, true);
  source(13, kRising, 8, true);
  EXPECT_EQ(clic.best().id, 12U);
  clic.claim(12);
  EXPECT_EQ(clic.best().id, 11U);
  clic.claim(11);
  EXPECT_EQ(clic.best().id, 13U);
  clic.write(at(13), 2, 0, 0);
  EXPECT_EQ(clic.best().id, 10U) << "13 is disabled";
  level_bits(0);
  source(20, kRising, 6, true);
  EXPECT_EQ(clic.best().id, 10U) << "the whole of ctl counts, however many bits are the level";
}

TEST_F(ModelClic, LevelIsTheTopOfControlWithOnesBelow) {
  source(10, kRising, 0x92, true);
  const std::vector<unsigned> levels = {255, 255, 191, 159, 159, 151, 147, 147, 146};
  for (unsigned bits = 0; bits <= 8; ++bits) {
    level_bits(bits);
    EXPECT_EQ(clic.best().level, levels[bits]) << bits;
  }
}

TEST_F(ModelClic, LevelZeroIsNeverOffered) {
  source(10, kRising, 0, true);
  EXPECT_FALSE(clic.best().valid);
  level_bits(7);
  EXPECT_EQ(clic.best().level, 1U);
}

TEST_F(ModelClic, VectoringIsPartOfTheOffer) {
  source(10, kRising, 7, true);
  EXPECT_FALSE(clic.best().vectored);
  clic.write(at(10), 4, 0x00030000, 0);
  EXPECT_TRUE(clic.best().vectored);
}

}  // namespace
}  // namespace trapeze::model
