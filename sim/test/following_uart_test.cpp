// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// What lockstep knows of its leader's UART: what the leader reads is taken where a byte is on its way, and nowhere
// else.
#include <gtest/gtest.h>
#include <trapeze/uart.h>

#include "lockstep/following/uart_view.h"

namespace trapeze::following {
namespace {

/** A UART with byte accesses. */
class LeaderUart : public testing::Test {
 protected:
  LeaderUart() { uart.reset(); }
  void put(std::uint32_t offset, unsigned value) {
    EXPECT_TRUE(uart.write(offset & ~3U, 1U << (offset & 3U), value << (8 * (offset & 3U)), now));
  }
  /** What this UART says if the leader reads `value`. */
  unsigned led(std::uint32_t offset, unsigned value) {
    uart.lead(static_cast<std::uint8_t>(value));
    const model::DeviceRead read = uart.read(offset & ~3U, 1U << (offset & 3U), now);
    EXPECT_FALSE(read.error);
    return (read.value >> (8 * (offset & 3U))) & 0xffU;
  }
  void send_in(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      const auto byte = static_cast<std::uint8_t>('a' + i);
      uart.receive(&byte, 1);
    }
  }
  static constexpr unsigned kDr = TRAPEZE_UART_LSR_DR_MASK;
  static constexpr unsigned kOe = TRAPEZE_UART_LSR_OE_MASK;
  static constexpr unsigned kEmpty = TRAPEZE_UART_LSR_RESET;
  static constexpr std::uint64_t kSettle = 50;

  UartView uart;
  std::uint64_t now = 1000;
};

TEST_F(LeaderUart, BytesAreJudged) {
  send_in(2);
  led(TRAPEZE_UART_SCR_OFFSET, 0);  // now the receiver takes them
  now += kSettle;
  EXPECT_EQ(led(TRAPEZE_UART_LSR_OFFSET, kEmpty), kEmpty | kDr);
  EXPECT_EQ(led(TRAPEZE_UART_RBR_OFFSET, 'x'), unsigned{'a'});
  EXPECT_EQ(led(TRAPEZE_UART_RBR_OFFSET, 0), 0U) << "the next one may not have come";
  EXPECT_EQ(led(TRAPEZE_UART_RBR_OFFSET, 'x'), unsigned{'b'}) << "but it can only be this one";
  now += kSettle;
  EXPECT_EQ(led(TRAPEZE_UART_LSR_OFFSET, kEmpty | kDr), kEmpty);
}

TEST_F(LeaderUart, LineStatusIsJudgedOnceSettled) {
  put(TRAPEZE_UART_MCR_OFFSET, TRAPEZE_UART_MCR_LOOPBACK_MASK);
  put(TRAPEZE_UART_THR_OFFSET, 'x');
  EXPECT_EQ(led(TRAPEZE_UART_LSR_OFFSET, 0), 0U) << "on its way";
  EXPECT_EQ(led(TRAPEZE_UART_LSR_OFFSET, kOe), 0U) << "nothing can be lost";
  now += kSettle;
  EXPECT_EQ(led(TRAPEZE_UART_LSR_OFFSET, 0), kEmpty | kDr);
}

TEST_F(LeaderUart, OverrunIsJudgedOnceSettled) {
  put(TRAPEZE_UART_MCR_OFFSET, TRAPEZE_UART_MCR_LOOPBACK_MASK);
  put(TRAPEZE_UART_THR_OFFSET, 'x');
  put(TRAPEZE_UART_THR_OFFSET, 'y');
  now += kSettle;
  EXPECT_EQ(led(TRAPEZE_UART_LSR_OFFSET, kEmpty | kDr), kEmpty | kDr | kOe);
  EXPECT_EQ(led(TRAPEZE_UART_RBR_OFFSET, 'x'), unsigned{'y'}) << "the older one was destroyed";
}

TEST_F(LeaderUart, AReadBesideAnOverrunIsTheLeadersUntilTheReceiverIsEmpty) {
  put(TRAPEZE_UART_MCR_OFFSET, TRAPEZE_UART_MCR_LOOPBACK_MASK);
  put(TRAPEZE_UART_THR_OFFSET, 'x');
  now += kSettle;
  put(TRAPEZE_UART_THR_OFFSET, 'y');
  EXPECT_EQ(led(TRAPEZE_UART_RBR_OFFSET, 'x'), unsigned{'x'});
  now += kSettle;
  EXPECT_EQ(led(TRAPEZE_UART_LSR_OFFSET, kEmpty | kDr), kEmpty | kDr);
  EXPECT_EQ(led(TRAPEZE_UART_RBR_OFFSET, 'y'), unsigned{'y'});
  now += kSettle;
  EXPECT_EQ(led(TRAPEZE_UART_LSR_OFFSET, kEmpty), kEmpty);
  EXPECT_EQ(led(TRAPEZE_UART_LSR_OFFSET, kEmpty | kDr), kEmpty) << "known again";
}

TEST_F(LeaderUart, InterruptsAreJudgedOnceSettled) {
  put(TRAPEZE_UART_IER_OFFSET, TRAPEZE_UART_IER_ETBEI_MASK);
  EXPECT_EQ(led(TRAPEZE_UART_IIR_OFFSET, TRAPEZE_UART_IIR_ID_NONE), unsigned{TRAPEZE_UART_IIR_ID_THR_EMPTY});
  put(TRAPEZE_UART_THR_OFFSET, 'x');
  EXPECT_EQ(led(TRAPEZE_UART_IIR_OFFSET, TRAPEZE_UART_IIR_ID_NONE), unsigned{TRAPEZE_UART_IIR_ID_NONE});
  now += kSettle;
  EXPECT_EQ(led(TRAPEZE_UART_IIR_OFFSET, TRAPEZE_UART_IIR_ID_NONE), unsigned{TRAPEZE_UART_IIR_ID_THR_EMPTY});
}

}  // namespace
}  // namespace trapeze::following
