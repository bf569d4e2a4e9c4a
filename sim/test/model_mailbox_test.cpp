// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// The model's mailbox against the register description.
#include <gtest/gtest.h>

#include "model/platform/mailbox.h"

namespace trapeze::model {
namespace {

constexpr unsigned kWord = 0xf;
constexpr std::uint32_t kPlace = TRAPEZE_MAILBOX_SIDE_IRQ_PENDING_PLACE_MASK;
constexpr std::uint32_t kWaits = TRAPEZE_MAILBOX_SIDE_IRQ_PENDING_WORD_MASK;
constexpr std::uint32_t kBell = TRAPEZE_MAILBOX_SIDE_IRQ_PENDING_BELL_MASK;

/** Accesses, by side. */
struct Sides {
  std::uint32_t read(unsigned side, std::uint32_t offset) { return mailbox.port(side).read(offset, kWord, 0).value; }
  void write(unsigned side, std::uint32_t offset, std::uint32_t value) {
    EXPECT_TRUE(mailbox.port(side).write(offset, kWord, value, 0));
  }
  void send(unsigned side, std::uint32_t word) { write(side, TRAPEZE_MAILBOX_SIDE_SEND_OFFSET, word); }
  std::uint32_t receive(unsigned side) { return read(side, TRAPEZE_MAILBOX_SIDE_RECEIVE_OFFSET); }
  std::uint32_t status(unsigned side) { return read(side, TRAPEZE_MAILBOX_SIDE_STATUS_OFFSET); }
  std::uint32_t pending(unsigned side) { return read(side, TRAPEZE_MAILBOX_SIDE_IRQ_PENDING_OFFSET); }
  static std::uint32_t status_of(std::uint32_t waiting, std::uint32_t places, bool overflow = false) {
    return waiting | (places << TRAPEZE_MAILBOX_SIDE_STATUS_PLACES_SHIFT) |
           (overflow ? TRAPEZE_MAILBOX_SIDE_STATUS_OVERFLOW_MASK : 0U);
  }

  Mailbox mailbox;
};

TEST(ModelMailbox, ResetValues) {
  Sides sides;
  static_assert(Mailbox::kDepth == 8);
  for (unsigned side = 0; side < Mailbox::kSides; ++side) {
    EXPECT_EQ(sides.status(side), TRAPEZE_MAILBOX_SIDE_STATUS_RESET);
    EXPECT_EQ(sides.pending(side), TRAPEZE_MAILBOX_SIDE_IRQ_PENDING_RESET);
    EXPECT_EQ(sides.receive(side), 0U) << "empty";
    for (const std::uint32_t offset :
         {TRAPEZE_MAILBOX_SIDE_SEND_OFFSET, TRAPEZE_MAILBOX_SIDE_RING_OFFSET, TRAPEZE_MAILBOX_SIDE_BELLS_OFFSET,
          TRAPEZE_MAILBOX_SIDE_BELLS_ENABLE_OFFSET, TRAPEZE_MAILBOX_SIDE_IRQ_ENABLE_OFFSET}) {
      EXPECT_EQ(sides.read(side, offset), 0U) << offset;
    }
    EXPECT_FALSE(sides.mailbox.interrupt(side, 0));
  }
}

TEST(ModelMailbox, WordsComeInOrderAndOneTooManyIsLost) {
  for (unsigned from = 0; from < Mailbox::kSides; ++from) {
    Sides sides;
    const unsigned to = from ^ 1;
    for (std::uint32_t n = 0; n < Mailbox::kDepth; ++n) {
      EXPECT_EQ(sides.status(from), Sides::status_of(0, 8 - n));
      EXPECT_EQ(sides.status(to), Sides::status_of(n, 8));
      sides.send(from, 100 + n);
    }
    EXPECT_EQ(sides.pending(from), 0U) << "no place";
    sides.send(from, 999);
    EXPECT_EQ(sides.status(from), Sides::status_of(0, 0, true));
    EXPECT_EQ(sides.status(to), Sides::status_of(8, 8)) << "it is the sender's overflow";
    for (std::uint32_t n = 0; n < Mailbox::kDepth; ++n) EXPECT_EQ(sides.receive(to), 100 + n);
    EXPECT_EQ(sides.receive(to), 0U) << "empty: the word too many is lost";
    EXPECT_EQ(sides.status(from), Sides::status_of(0, 8, true)) << "stays";
    sides.write(from, TRAPEZE_MAILBOX_SIDE_STATUS_OFFSET, ~TRAPEZE_MAILBOX_SIDE_STATUS_OVERFLOW_MASK);
    EXPECT_EQ(sides.status(from), Sides::status_of(0, 8, true)) << "zero does not clear it";
    sides.write(from, TRAPEZE_MAILBOX_SIDE_STATUS_OFFSET, TRAPEZE_MAILBOX_SIDE_STATUS_OVERFLOW_MASK);
    EXPECT_EQ(sides.status(from), Sides::status_of(0, 8));
  }
}

TEST(ModelMailbox, InterruptOfWordsAndPlaces) {
  Sides sides;
  sides.send(0, 1);
  EXPECT_EQ(sides.pending(1), kWaits | kPlace);
  EXPECT_FALSE(sides.mailbox.interrupt(1, 0)) << "nothing is enabled";
  sides.write(1, TRAPEZE_MAILBOX_SIDE_IRQ_ENABLE_OFFSET, ~kPlace);
  EXPECT_EQ(sides.read(1, TRAPEZE_MAILBOX_SIDE_IRQ_ENABLE_OFFSET), kWaits) << "two bits";
  EXPECT_TRUE(sides.mailbox.interrupt(1, 0));
  EXPECT_FALSE(sides.mailbox.interrupt(0, 0)) << "each side has its own";
  EXPECT_EQ(sides.receive(1), 1U);
  EXPECT_FALSE(sides.mailbox.interrupt(1, 0));
  sides.write(0, TRAPEZE_MAILBOX_SIDE_IRQ_ENABLE_OFFSET, kPlace);
  EXPECT_TRUE(sides.mailbox.interrupt(0, 0));
  for (std::uint32_t n = 0; n < Mailbox::kDepth; ++n) sides.send(0, n);
  EXPECT_FALSE(sides.mailbox.interrupt(0, 0)) << "full";
  sides.receive(1);
  EXPECT_TRUE(sides.mailbox.interrupt(0, 0));
}

TEST(ModelMailbox, Doorbells) {
  Sides sides;
  sides.write(0, TRAPEZE_MAILBOX_SIDE_RING_OFFSET, 0x5);
  sides.write(0, TRAPEZE_MAILBOX_SIDE_RING_OFFSET, 0x80000000);
  EXPECT_EQ(sides.read(1, TRAPEZE_MAILBOX_SIDE_BELLS_OFFSET), 0x80000005U) << "they add up";
  EXPECT_EQ(sides.read(0, TRAPEZE_MAILBOX_SIDE_BELLS_OFFSET), 0U);
  EXPECT_FALSE(sides.mailbox.interrupt(1, 0));
  sides.write(1, TRAPEZE_MAILBOX_SIDE_BELLS_ENABLE_OFFSET, 0x4);
  EXPECT_TRUE(sides.mailbox.interrupt(1, 0)) << "needs no bit of irq_enable";
  EXPECT_EQ(sides.pending(1), kBell | kPlace);
  sides.write(1, TRAPEZE_MAILBOX_SIDE_BELLS_OFFSET, 0x4);
  EXPECT_FALSE(sides.mailbox.interrupt(1, 0));
  EXPECT_EQ(sides.read(1, TRAPEZE_MAILBOX_SIDE_BELLS_OFFSET), 0x80000001U);
}

TEST(ModelMailbox, AStormCostsOneInterruptInAnInterval) {
  constexpr std::uint64_t kInterval = Mailbox::kInterval;
  Sides sides;
  sides.write(1, TRAPEZE_MAILBOX_SIDE_BELLS_ENABLE_OFFSET, 1);
  sides.write(1, TRAPEZE_MAILBOX_SIDE_IRQ_ENABLE_OFFSET, kWaits);
  sides.write(0, TRAPEZE_MAILBOX_SIDE_RING_OFFSET, 1);
  EXPECT_TRUE(sides.mailbox.interrupt(1, 100)) << "the first comes at once";
  Device& port = sides.mailbox.port(1);
  EXPECT_TRUE(port.write(TRAPEZE_MAILBOX_SIDE_BELLS_OFFSET, kWord, 1, 100));
  EXPECT_EQ(sides.mailbox.next_event(100), kNever) << "nothing waits";
  sides.write(0, TRAPEZE_MAILBOX_SIDE_RING_OFFSET, 1);
  sides.send(0, 1);
  sides.send(0, 2);
  EXPECT_EQ(sides.pending(1), kWaits | kPlace | kBell) << "is there to be polled";
  EXPECT_FALSE(sides.mailbox.interrupt(1, 100 + kInterval - 1));
  EXPECT_EQ(sides.mailbox.next_event(100), 100 + kInterval);
  EXPECT_TRUE(sides.mailbox.interrupt(1, 100 + kInterval));
  EXPECT_TRUE(port.write(TRAPEZE_MAILBOX_SIDE_BELLS_OFFSET, kWord, 2, 100 + kInterval));
  EXPECT_TRUE(sides.mailbox.interrupt(1, 100 + kInterval)) << "no bell was cleared";
  EXPECT_EQ(port.read(TRAPEZE_MAILBOX_SIDE_RECEIVE_OFFSET, kWord, 100 + kInterval).value, 1U);
  EXPECT_FALSE(sides.mailbox.interrupt(1, 100 + kInterval)) << "of two words";
}

TEST(ModelMailbox, OnlyWordsAndOnlyRegisters) {
  Sides sides;
  Device& port = sides.mailbox.port(0);
  sides.send(1, 7);
  for (const unsigned enables : {1U, 3U, 0xcU}) {
    EXPECT_TRUE(port.read(TRAPEZE_MAILBOX_SIDE_RECEIVE_OFFSET, enables, 0).error);
    EXPECT_FALSE(port.write(TRAPEZE_MAILBOX_SIDE_SEND_OFFSET, enables, 1, 0));
  }
  EXPECT_EQ(sides.status(0), Sides::status_of(1, 8)) << "nothing was taken or sent";
  EXPECT_TRUE(port.read(TRAPEZE_MAILBOX_SIDE_IRQ_PENDING_OFFSET + 4, kWord, 0).error);
  EXPECT_FALSE(port.write(TRAPEZE_MAILBOX_SIDE_IRQ_PENDING_OFFSET + 4, kWord, 0, 0));
  sides.write(0, TRAPEZE_MAILBOX_SIDE_RECEIVE_OFFSET, 1);
  sides.write(0, TRAPEZE_MAILBOX_SIDE_IRQ_PENDING_OFFSET, ~0U);
  EXPECT_EQ(sides.receive(0), 7U) << "read-only registers ignore writes";
}

TEST(ModelMailbox, ComesBackFromASnapshot) {
  Sides sides;
  sides.send(0, 1);
  sides.write(1, TRAPEZE_MAILBOX_SIDE_RING_OFFSET, 2);
  const Mailbox::State state = sides.mailbox.save();
  sides.receive(1);
  sides.send(1, 3);
  sides.mailbox.restore(state);
  EXPECT_EQ(sides.status(0), Sides::status_of(0, 7));
  EXPECT_EQ(sides.read(0, TRAPEZE_MAILBOX_SIDE_BELLS_OFFSET), 2U);
  EXPECT_EQ(sides.receive(1), 1U);
  sides.mailbox.reset();
  EXPECT_EQ(sides.read(0, TRAPEZE_MAILBOX_SIDE_BELLS_OFFSET), 0U);
}

}  // namespace
}  // namespace trapeze::model
