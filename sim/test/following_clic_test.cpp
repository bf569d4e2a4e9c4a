// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Lockstep's view of the leader's CLIC: interrupts that it may offer in each cycle, and values that a read may show.
#include <cstdint>
#include <vector>

#include "clic_sources.h"
#include "lockstep/following/clic_view.h"

namespace trapeze::following {
namespace {

using namespace trapeze::test;

using LeaderClic = ClicTest<ClicView>;

TEST_F(LeaderClic, LevelZeroIsNotPossible) {
  source(10, kRising, 0, true);
  EXPECT_FALSE(clic.best().valid);
  EXPECT_FALSE(clic.possible(10).valid);
}

TEST_F(LeaderClic, RegistersReadAsTheyWereWritten) {
  EXPECT_EQ(clic.read(TRAPEZE_CLIC_MCLICCFG_OFFSET, kWord, 0), 8U);
  EXPECT_EQ(clic.read(at(5), kWord, 0), 0x00c00000U);
  clic.write(at(5), kWord, 0xffffffff, 0);
  EXPECT_EQ(clic.read(at(5), kWord, 1), 0xffc70101U);
  EXPECT_EQ(clic.read(at(kSources), kWord, 1), 0U) << "a source that is not there";
}

TEST_F(LeaderClic, SamplesAreSeenFromTheNextCycleOn) {
  source(5, kRising, 7);
  clic.drive_later(5, true, 100);
  clic.drive_later(5, false, 101);
  clic.advance(100);
  EXPECT_FALSE(clic.best().valid);
  clic.advance(101);
  EXPECT_EQ(clic.best().id, 5U);
}

TEST_F(LeaderClic, AnEdgeInTheCycleOfAClaimOrAWriteIsKept) {
  source(5, kRising, 7, true);
  clic.drive_later(5, true, 100);
  clic.advance(100);
  clic.claim(5, 100);
  EXPECT_FALSE(clic.best().valid);
  clic.advance(101);
  EXPECT_TRUE(clic.best().valid);
  clic.drive_later(5, false, 110);
  clic.drive_later(5, true, 120);
  clic.write(at(5), 1, 0, 120);
  EXPECT_FALSE(clic.best().valid);
  clic.advance(121);
  EXPECT_TRUE(clic.best().valid);
}

TEST_F(LeaderClic, APulseIsAnEdgeWhateverTheWireDoes) {
  source(5, kFalling, 7);
  source(6, kHigh, 8);
  clic.pulse_later(5, 100);
  clic.pulse_later(6, 100);
  clic.pulse_later(kSources, 100);
  clic.advance(100);
  EXPECT_FALSE(clic.best().valid);
  clic.advance(101);
  EXPECT_EQ(clic.best().id, 5U) << "a source that is level-triggered has no edges";
  clic.claim(5, 101);
  clic.advance(200);
  EXPECT_FALSE(clic.best().valid);
}

TEST_F(LeaderClic, WhatIsSaidLastOfACycleIsSampled) {
  source(5, kRising, 7);
  clic.drive_later(5, true, 100);
  clic.drive_later(5, false, 100);
  clic.advance(200);
  EXPECT_FALSE(clic.best().valid);
}

TEST_F(LeaderClic, EdgesOfANewTriggerCountFromTheNextCycleOn) {
  clic.write(at(5), kWord, (kRising << 17) | (1U << 8) | (7U << 24), 100);
  clic.drive_later(5, true, 100);
  clic.advance(101);
  EXPECT_FALSE(clic.possible(5).valid);
  clic.drive_later(5, false, 101);
  clic.drive_later(5, true, 102);
  clic.advance(103);
  EXPECT_TRUE(clic.best().valid);
}

TEST_F(LeaderClic, AClaimOrAWriteThatEndsTheWinnerLeavesNoOfferForACycle) {
  source(5, kRising, 7, true);
  source(6, kHigh, 6);
  clic.drive(6, true);
  const auto offered = [&](std::uint64_t cycle) {
    clic.advance(cycle);
    return clic.seen().valid ? static_cast<int>(clic.seen().id) : -1;
  };
  clic.write(at(20), kWord, 0, 50);
  EXPECT_EQ(offered(51), 5) << "it was not offered";
  clic.write(TRAPEZE_CLIC_MCLICCFG_OFFSET, kWord, 7, 52);
  EXPECT_EQ(offered(53), 5) << "of another level, but there";
  clic.claim(5, 60);
  EXPECT_EQ(offered(60), 5);
  EXPECT_EQ(offered(61), -1);
  EXPECT_EQ(offered(62), 6);
  clic.claim(6, 70);
  EXPECT_EQ(offered(71), -1) << "level-triggered: there again when it has been looked for";
  EXPECT_EQ(offered(72), 6);
  clic.drive_later(5, false, 78);
  clic.drive_later(5, true, 80);
  clic.advance(80);
  clic.claim(6, 80);
  EXPECT_EQ(offered(81), 5) << "more important, and sampled in the cycle of the claim";
}

/** A controller whose search for the winner has a register stage: its offers by cycle. */
class LeaderClicStaged : public LeaderClic {
 protected:
  LeaderClicStaged() {
    clic = ClicView(kSources, 8, true);
    level_bits(8);
    source(5, kRising, 7, true);
    source(6, kHigh, 6);
    clic.drive(6, true);
  }
  /** Offers in the cycles from `first` on; -1: no offer. */
  std::vector<int> offered(std::uint64_t first, unsigned number) {
    std::vector<int> ids;
    for (std::uint64_t cycle = first; cycle < first + number; ++cycle) {
      clic.advance(cycle);
      ids.push_back(clic.seen().valid ? static_cast<int>(clic.seen().id) : -1);
    }
    return ids;
  }
  using Ids = std::vector<int>;
};

TEST_F(LeaderClicStaged, ASampleIsOfferedTwoCyclesLater) {
  clic.drive_later(9, true, 50);
  source(9, kRising, 8);
  EXPECT_EQ(offered(50, 4), (Ids{5, 5, 9, 9}));
  clic.drive_later(6, false, 60);
  clic.write(at(5), 2, 0, 55);
  clic.write(at(9), 2, 0, 57);
  EXPECT_EQ(offered(60, 3), (Ids{6, -1, -1})) << "gone at once";
}

TEST_F(LeaderClicStaged, AClaimIsForgottenACycleLater) {
  offered(50, 1);
  clic.claim(5, 50);
  EXPECT_EQ(offered(50, 4), (Ids{5, -1, -1, 6}));
}

TEST_F(LeaderClicStaged, AWriteToAnotherSourceLeavesTheOfferForTwoCycles) {
  clic.write(at(20), kWord, (9U << 24) | (kRising << 17) | 0x101, 50);
  EXPECT_EQ(offered(50, 4), (Ids{5, 5, 5, 20}));
  EXPECT_TRUE(clic.possible(20).valid);
  EXPECT_FALSE(clic.possible(5).valid);
  clic.write(at(20), 2, 0, 60);
  EXPECT_EQ(offered(60, 4), (Ids{20, -1, -1, 5}));
}

TEST_F(LeaderClicStaged, AWriteToTheWinnerIsSeenAtOnce) {
  clic.write(at(5), 8, 5U << 24, 50);
  EXPECT_EQ(offered(51, 3), (Ids{5, 5, 6}));
  clic.advance(51);
  EXPECT_EQ(clic.seen().level, 5U);
}

TEST_F(LeaderClic, AWriteToAnotherSourceLeavesTheOffer) {
  source(5, kRising, 7);
  source(6, kHigh, 6);
  clic.drive(6, true);
  clic.write(at(5), 1, 1, 50);
  clic.advance(51);
  EXPECT_EQ(clic.best().id, 5U) << "by the registers";
  EXPECT_EQ(clic.seen().id, 6U) << "seen one cycle later";
  EXPECT_TRUE(clic.possible(6).valid);
  EXPECT_FALSE(clic.possible(5).valid);
  clic.advance(52);
  EXPECT_EQ(clic.seen().id, 5U);
  EXPECT_TRUE(clic.possible(5).valid);
  EXPECT_FALSE(clic.possible(6).valid);
}

TEST_F(LeaderClic, AWriteToTheWinnerIsSeenAtOnce) {
  source(5, kRising, 7, true);
  source(6, kHigh, 6);
  clic.drive(6, true);
  clic.write(at(5), 8, 8U << 24, 50);
  clic.advance(51);
  EXPECT_EQ(clic.seen().level, 8U);
  EXPECT_TRUE(clic.possible(5).valid);
  EXPECT_FALSE(clic.possible(6).valid);
  clic.write(at(5), 8, 5U << 24, 52);
  clic.advance(53);
  EXPECT_EQ(clic.seen().level, 5U) << "whom the controller prefers comes a cycle later";
  EXPECT_FALSE(clic.possible(6).valid);
  clic.advance(54);
  EXPECT_EQ(clic.seen().id, 6U);
  clic.write(at(5), 8, 7U << 24, 56);
  clic.advance(58);
  clic.write(at(5), 2, 0, 60);
  clic.advance(61);
  EXPECT_FALSE(clic.seen().valid);
  EXPECT_FALSE(clic.possible(5).valid);
  EXPECT_FALSE(clic.possible(6).valid) << "it was not the winner";
  clic.advance(62);
  EXPECT_EQ(clic.seen().id, 6U);
  clic.write(TRAPEZE_CLIC_MCLICCFG_OFFSET, kWord, 7, 63);
  clic.advance(64);
  EXPECT_EQ(clic.seen().level, 7U);
}

TEST_F(LeaderClic, LevelZeroIsPreferredToNothing) {
  source(5, kRising, 0, true);
  clic.advance(10);
  EXPECT_FALSE(clic.seen().valid);
  clic.write(at(5), 8, 3U << 24, 10);
  clic.advance(11);
  EXPECT_EQ(clic.seen().level, 3U);
  EXPECT_TRUE(clic.possible(5).valid);
  clic.write(at(5), 8, 0, 20);
  clic.advance(21);
  EXPECT_FALSE(clic.seen().valid);
  EXPECT_FALSE(clic.possible(5).valid);
}

TEST_F(LeaderClic, WhatAWriteLeavesPending) {
  constexpr unsigned kAttributes = 4, kPending = 1;
  constexpr auto trigger = [](unsigned kind) { return kind << 17; };
  const auto kept = [&](unsigned before, unsigned lanes, std::uint32_t value) {
    clic = ClicView(kSources);
    source(5, before, 7, true);
    clic.drive(5, before == kHigh || before == kRising);
    clic.write(at(5), lanes, value | (1U << 8), 50);
    clic.advance(51);
    return clic.seen().valid;
  };
  EXPECT_TRUE(kept(kRising, kPending, 1));
  EXPECT_FALSE(kept(kRising, kPending, 0));
  EXPECT_TRUE(kept(kRising, kAttributes, trigger(kFalling)));
  EXPECT_FALSE(kept(kRising, kAttributes, trigger(kHigh))) << "it is not known yet what the wire is";
  EXPECT_TRUE(kept(kHigh, kPending, 0)) << "read-only";
  EXPECT_FALSE(kept(kHigh, kAttributes, trigger(kLow)));
  EXPECT_FALSE(kept(kHigh, kAttributes, trigger(kRising)));
  EXPECT_TRUE(kept(kHigh, kAttributes | kPending, trigger(kRising) | 1));
}

TEST_F(LeaderClic, AnEdgeInTheCycleOfItsWriteIsTheWinner) {
  source(5, kRising, 7);
  source(6, kHigh, 6);
  clic.drive(6, true);
  clic.drive_later(5, true, 50);
  clic.write(at(5), 8, 7U << 24, 50);
  clic.advance(51);
  EXPECT_EQ(clic.seen().id, 5U);
  EXPECT_FALSE(clic.possible(6).valid);
  clic.drive_later(5, false, 51);
  clic.drive_later(5, true, 60);
  clic.write(at(5), 1, 0, 60);
  clic.advance(61);
  EXPECT_FALSE(clic.seen().valid) << "the edge is kept, and seen a cycle later";
  EXPECT_FALSE(clic.possible(6).valid);
  clic.advance(62);
  EXPECT_EQ(clic.seen().id, 5U);
}

/** An edge of the old kind comes in the cycle in which the source changes to the other kind. */
class LeaderClicRetriggered : public LeaderClic {
 protected:
  LeaderClicRetriggered() {
    source(5, kRising, 7);
    source(6, kHigh, 6);
    clic.drive(6, true);
    clic.drive_later(5, true, 100);
    clic.write(at(5), 4, 0x00c60000, 100);
    clic.advance(102);
  }
};

TEST_F(LeaderClicRetriggered, TheEdgeMakesACandidate) {
  EXPECT_EQ(clic.best().id, 6U);
  EXPECT_TRUE(clic.possible(5).valid);
  EXPECT_TRUE(clic.possible(6).valid);
  EXPECT_FALSE(clic.possible(7).valid);
  ASSERT_EQ(clic.candidates().size(), 2U);
  EXPECT_EQ(clic.candidates()[1].id, 5U);
  EXPECT_FALSE(clic.read(at(5), kWord, 102));
  clic.shown(clic.best());
  EXPECT_FALSE(clic.possible(5).valid) << "6 would not have been the winner";
}

TEST_F(LeaderClicRetriggered, AReadShowsTheEdge) {
  EXPECT_EQ(clic.check_read(at(5), kWord, 0x07c60101), "");
  EXPECT_EQ(clic.best().id, 5U);
  EXPECT_TRUE(clic.read(at(5), kWord, 200));
}

TEST_F(LeaderClicRetriggered, AllButThePendingBitIsKnown) {
  EXPECT_NE(clic.check_read(at(5), kWord, 0x06c60101), "");
}

/** A controller in which some sources belong to user mode. */
class LeaderClicUser : public ::testing::Test {
 protected:
  static constexpr unsigned kUser = model::kUser, kMachine = model::kMachine;

  LeaderClicUser() { configure(1, 0); }

  void configure(unsigned mode_bits, std::uint64_t cycle) {
    clic.write(TRAPEZE_CLIC_MCLICCFG_OFFSET, kWord, 8U | (mode_bits << 4) | (8U << 24), cycle);
  }
  void source(unsigned privilege, unsigned id, unsigned ctl, std::uint64_t cycle = 0) {
    clic.write(at(id), kWord, 0x101U | (kRising << 17) | (privilege << 22) | (ctl << 24), cycle);
  }
  /** The offer in a cycle; -1: no offer. */
  int offered(std::uint64_t cycle) {
    clic.advance(cycle);
    return clic.seen().valid ? static_cast<int>(clic.seen().id) : -1;
  }

  ClicView clic{kSources, 8, false, true};
};

TEST_F(LeaderClicUser, MachineModeWins) {
  source(kUser, 20, 255);
  source(kMachine, 10, 1);
  EXPECT_EQ(offered(50), 10);
  EXPECT_EQ(clic.seen().privilege, kMachine);
  EXPECT_FALSE(clic.possible(20).valid);
  clic.claim(10, 50);
  EXPECT_EQ(offered(51), -1);
  EXPECT_EQ(offered(52), 20);
  EXPECT_EQ(clic.best().privilege, kUser);
}

TEST_F(LeaderClicUser, LevelZeroHides) {
  source(kUser, 20, 255);
  source(kMachine, 10, 0);
  EXPECT_EQ(offered(50), -1);
  EXPECT_FALSE(clic.best().valid);
  EXPECT_FALSE(clic.possible(20).valid);
}

TEST_F(LeaderClicUser, ModesChangeTheWinnerAsControlDoes) {
  source(kUser, 20, 255);
  source(kMachine, 10, 1);
  configure(0, 50);
  EXPECT_EQ(offered(51), 10) << "as the search found it";
  EXPECT_EQ(offered(52), 20);
  EXPECT_EQ(clic.seen().privilege, kMachine);
  configure(1, 60);
  EXPECT_EQ(offered(61), 20);
  EXPECT_EQ(clic.seen().privilege, kUser) << "it is already what it is now";
  EXPECT_EQ(offered(62), 10);
  clic.write(at(20), 4, (kRising << 17) | (kMachine << 22), 70);
  EXPECT_EQ(offered(71), 10);
  EXPECT_EQ(offered(72), 20);
}

TEST_F(LeaderClicUser, TheUserViewHidesMachineSources) {
  source(kMachine, 10, 7);
  source(kUser, 20, 9);
  EXPECT_EQ(clic.read(at(10), kWord, 10, kUser), 0U);
  EXPECT_EQ(clic.read(at(20), kWord, 10, kUser), 0x09020101U);
  clic.write(at(10), kWord, 0, 11, kUser);
  EXPECT_EQ(offered(12), 10) << "ignored: it does not end the offer either";
  EXPECT_EQ(clic.read(at(10), kWord, 13), 0x07c20101U);
  clic.write(at(20), kWord, 0x05c20100, 14, kUser);
  EXPECT_EQ(clic.read(at(20), kWord, 15), 0x05020100U) << "mode bits stay";
  EXPECT_EQ(clic.check_read(at(10), kWord, 0xffffffff, kUser), "");
}

TEST_F(LeaderClicUser, TheUserViewHasOneFieldOfTheConfiguration) {
  clic.write(0, kWord, 0xffffffff, 10, kUser);
  EXPECT_EQ(clic.read(0, kWord, 11), 0x08000018U);
  clic.write(0, kWord, 0x02000000, 12, kUser);
  EXPECT_EQ(clic.read(0, kWord, 13, kUser), 0x02000000U);
  source(kUser, 20, 0x80, 20);
  clic.advance(30);
  EXPECT_EQ(clic.best().level, 0xbfU);
}

}  // namespace
}  // namespace trapeze::following
