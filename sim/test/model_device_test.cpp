// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// The model's devices against the register description: CLINT, UART, host port.
#include <gtest/gtest.h>
#include <trapeze/clint.h>
#include <trapeze/host.h>
#include <trapeze/uart.h>

#include <utility>
#include <vector>

#include "model/platform/clint.h"
#include "model/platform/host.h"
#include "model/platform/uart.h"

namespace trapeze::model {
namespace {

constexpr unsigned kWord = 0xf;

TEST(ModelClint, ResetValues) {
  Clint clint(1);
  clint.reset();
  EXPECT_EQ(clint.read(TRAPEZE_CLINT_MSIP_OFFSET, kWord, 5).value, 0U);
  EXPECT_EQ(clint.read(TRAPEZE_CLINT_MTIMECMP_LO_OFFSET, kWord, 5).value, 0xffffffffU);
  EXPECT_EQ(clint.read(TRAPEZE_CLINT_MTIMECMP_HI_OFFSET, kWord, 5).value, 0xffffffffU);
  EXPECT_EQ(clint.read(TRAPEZE_CLINT_MTIME_LO_OFFSET, kWord, 5).value, 5U);
  EXPECT_FALSE(clint.timer(0, 1000000));
  EXPECT_EQ(clint.next_event(0, 0), kNever);
}

TEST(ModelClint, SoftwareInterruptHasOneBit) {
  Clint clint(1);
  clint.reset();
  EXPECT_TRUE(clint.write(TRAPEZE_CLINT_MSIP_OFFSET, kWord, 0xfffffffe, 0));
  EXPECT_FALSE(clint.software(0));
  EXPECT_TRUE(clint.write(TRAPEZE_CLINT_MSIP_OFFSET, kWord, 0xffffffff, 0));
  EXPECT_TRUE(clint.software(0));
  EXPECT_EQ(clint.read(TRAPEZE_CLINT_MSIP_OFFSET, kWord, 0).value, 1U);
  clint.write(TRAPEZE_CLINT_MSIP_OFFSET, 0xe, 0, 0);
  EXPECT_TRUE(clint.software(0)) << "byte 0 was not written";
  clint.write(TRAPEZE_CLINT_MSIP_OFFSET, 1, 0, 0);
  EXPECT_FALSE(clint.software(0));
}

TEST(ModelClint, TimerComparesAllBits) {
  Clint clint(1);
  clint.reset();
  clint.write(TRAPEZE_CLINT_MTIMECMP_HI_OFFSET, kWord, 1, 0);
  clint.write(TRAPEZE_CLINT_MTIMECMP_LO_OFFSET, kWord, 2, 0);
  EXPECT_EQ(clint.next_event(0, 10), 0x100000003U) << "shown a cycle later";
  EXPECT_FALSE(clint.timer(0, 0x100000002U));
  EXPECT_TRUE(clint.timer(0, 0x100000003U));
  EXPECT_EQ(clint.next_event(0, 0x100000003U), kNever) << "pending already";
  constexpr std::uint64_t kThen = 0x100000010U;
  clint.write(TRAPEZE_CLINT_MTIME_LO_OFFSET, kWord, 0xfffffff0, kThen);
  clint.write(TRAPEZE_CLINT_MTIME_HI_OFFSET, kWord, 7, kThen + 1);
  EXPECT_EQ(clint.mtime(kThen + 2), 0x7fffffff0U) << "each write takes the place of a count";
  EXPECT_EQ(clint.read(TRAPEZE_CLINT_MTIME_HI_OFFSET, kWord, kThen + 18).value, 8U) << "carry";
  clint.write(TRAPEZE_CLINT_MTIMECMP_LO_OFFSET, 2, 0xaa00, 0);
  EXPECT_EQ(clint.mtimecmp(0), 0x10000aa02U) << "one byte";
}

TEST(ModelClint, AWriteTurnsTheTimerOffUntilItIsComparedAnew) {
  Clint clint(2);
  clint.reset();
  std::vector<LevelChanges::Change> seen;
  const auto take = [&](std::uint64_t until) {
    clint.advance(until);
    clint.timer_output(0).take(until + 1, [&](const LevelChanges::Change& change) { seen.push_back(change); });
  };
  const auto expect = [&](std::vector<std::pair<std::uint64_t, bool>> changes) {
    ASSERT_EQ(seen.size(), changes.size());
    for (std::size_t i = 0; i < seen.size(); ++i) {
      EXPECT_EQ(seen[i].time, changes[i].first);
      EXPECT_EQ(seen[i].level, changes[i].second);
    }
    seen.clear();
  };
  take(0);
  clint.write(TRAPEZE_CLINT_MTIMECMP_HI_OFFSET, kWord, 0, 10);
  clint.write(TRAPEZE_CLINT_MTIMECMP_LO_OFFSET, kWord, 20, 11);
  take(21);
  expect({{21, true}});
  clint.write(TRAPEZE_CLINT_MTIMECMP_LO_OFFSET, kWord, 20, 30);
  clint.write(TRAPEZE_CLINT_MTIMECMP_LO_OFFSET + 8, kWord, 20, 34);
  take(40);
  expect({{31, false}, {32, true}});
  clint.write(TRAPEZE_CLINT_MTIME_LO_OFFSET, kWord, 5, 50);
  EXPECT_EQ(clint.next_event(0, 51), 67U) << "mtime is 5 in 51, 20 in 66";
  take(100);
  expect({{51, false}, {67, true}});
}

TEST(ModelClint, SecondHartAndHoles) {
  Clint clint(2);
  clint.reset();
  clint.write(TRAPEZE_CLINT_MSIP_OFFSET + 4, kWord, 1, 0);
  EXPECT_TRUE(clint.software(1));
  EXPECT_FALSE(clint.software(0));
  clint.write(TRAPEZE_CLINT_MTIMECMP_LO_OFFSET + 8, kWord, 3, 0);
  EXPECT_EQ(clint.mtimecmp(1), 0xffffffff00000003U);
  EXPECT_EQ(clint.mtimecmp(0), kNever);
  for (const std::uint32_t hole : {0x8U, 0x3ffcU, 0x4010U, 0xbff4U, 0xfffcU}) {
    EXPECT_TRUE(clint.write(hole, kWord, 0xffffffff, 0));
    const DeviceRead read = clint.read(hole, kWord, 0);
    EXPECT_FALSE(read.error);
    EXPECT_EQ(read.value, 0U) << hole;
  }
}

TEST(ModelHost, FirstWriteEndsTheRun) {
  Host host;
  host.write(TRAPEZE_HOST_FINISHER_OFFSET, kWord, TRAPEZE_HOST_FINISHER_STATUS_RESET, 0);
  host.write(TRAPEZE_HOST_FINISHER_OFFSET + 4, kWord, TRAPEZE_HOST_FINISHER_STATUS_PASS, 0);
  host.write(TRAPEZE_HOST_FINISHER_OFFSET, 1, TRAPEZE_HOST_FINISHER_STATUS_PASS, 0);
  EXPECT_FALSE(host.exit_code(0)) << "reset, another offset, half of the field";
  host.write(TRAPEZE_HOST_FINISHER_OFFSET, kWord, (42U << 16) | TRAPEZE_HOST_FINISHER_STATUS_FAIL, 0);
  EXPECT_EQ(host.exit_code(0), 42U);
  host.write(TRAPEZE_HOST_FINISHER_OFFSET, kWord, TRAPEZE_HOST_FINISHER_STATUS_PASS, 0);
  EXPECT_EQ(host.exit_code(0), 42U) << "later writes change nothing";
  host.reset();
  host.write(TRAPEZE_HOST_FINISHER_OFFSET, 3, TRAPEZE_HOST_FINISHER_STATUS_PASS, 0);
  EXPECT_EQ(host.exit_code(0), 0U) << "a half-word will do";
}

/** A UART, accessed by bytes. By default accesses are so far apart that the UART has settled in between. */
class ModelUart : public testing::Test {
 protected:
  ModelUart() { uart.reset(); }
  void put(std::uint32_t offset, unsigned value) {
    EXPECT_TRUE(uart.write(offset & ~3U, 1U << (offset & 3U), value << (8 * (offset & 3U)), now));
    now += apart;
  }
  unsigned get(std::uint32_t offset) {
    const DeviceRead read = uart.read(offset & ~3U, 1U << (offset & 3U), now);
    now += apart;
    EXPECT_FALSE(read.error);
    return (read.value >> (8 * (offset & 3U))) & 0xffU;
  }
  unsigned id() { return get(TRAPEZE_UART_IIR_OFFSET) & TRAPEZE_UART_IIR_ID_MASK; }
  void send_in(std::size_t count) {
    uart.advance(now);
    for (std::size_t i = 0; i < count; ++i) {
      const auto byte = static_cast<std::uint8_t>('a' + i);
      uart.receive(&byte, 1);
    }
  }

  Uart uart;
  std::uint64_t now = 1000;
  std::uint64_t apart = 4;
};

TEST_F(ModelUart, ResetValues) {
  EXPECT_EQ(get(TRAPEZE_UART_IER_OFFSET), 0U);
  EXPECT_EQ(get(TRAPEZE_UART_IIR_OFFSET), unsigned{TRAPEZE_UART_IIR_RESET});
  EXPECT_EQ(get(TRAPEZE_UART_LCR_OFFSET), 0U);
  EXPECT_EQ(get(TRAPEZE_UART_MCR_OFFSET), 0U);
  EXPECT_EQ(get(TRAPEZE_UART_LSR_OFFSET), unsigned{TRAPEZE_UART_LSR_RESET});
  EXPECT_EQ(get(TRAPEZE_UART_MSR_OFFSET), unsigned{TRAPEZE_UART_MSR_RESET});
  EXPECT_EQ(get(TRAPEZE_UART_SCR_OFFSET), 0U);
}

TEST_F(ModelUart, OnlyByteAccessesToRegisters) {
  EXPECT_TRUE(uart.read(0, kWord, 0).error);
  EXPECT_TRUE(uart.read(0, 3, 0).error);
  EXPECT_FALSE(uart.write(4, kWord, 0, 0));
  EXPECT_TRUE(uart.read(8, 1, 0).error);
  EXPECT_FALSE(uart.write(0xfc, 8, 0, 0));
}

TEST_F(ModelUart, StorageAndReadOnlyBits) {
  put(TRAPEZE_UART_SCR_OFFSET, 0xa5);
  EXPECT_EQ(get(TRAPEZE_UART_SCR_OFFSET), 0xa5U);
  put(TRAPEZE_UART_IER_OFFSET, 0xff);
  EXPECT_EQ(get(TRAPEZE_UART_IER_OFFSET), 0x0fU);
  put(TRAPEZE_UART_MCR_OFFSET, 0xef);
  EXPECT_EQ(get(TRAPEZE_UART_MCR_OFFSET), 0x0fU);
  put(TRAPEZE_UART_LSR_OFFSET, 0);
  EXPECT_EQ(get(TRAPEZE_UART_LSR_OFFSET), unsigned{TRAPEZE_UART_LSR_RESET});
  put(TRAPEZE_UART_LCR_OFFSET, 0x9b);
  put(TRAPEZE_UART_DLL_OFFSET, 0x12);
  put(TRAPEZE_UART_DLM_OFFSET, 0x34);
  EXPECT_EQ(get(TRAPEZE_UART_DLL_OFFSET), 0x12U);
  EXPECT_EQ(get(TRAPEZE_UART_DLM_OFFSET), 0x34U);
  put(TRAPEZE_UART_LCR_OFFSET, 0x1b);
  EXPECT_EQ(get(TRAPEZE_UART_IER_OFFSET), 0x0fU) << "the divisor did not reach it";
  EXPECT_TRUE(uart.output().empty());
}

TEST_F(ModelUart, TransmitterEmptyInterrupt) {
  EXPECT_FALSE(uart.interrupt(now));
  put(TRAPEZE_UART_IER_OFFSET, TRAPEZE_UART_IER_ETBEI_MASK);
  EXPECT_TRUE(uart.interrupt(now)) << "enabled while empty";
  EXPECT_EQ(id(), unsigned{TRAPEZE_UART_IIR_ID_THR_EMPTY});
  EXPECT_FALSE(uart.interrupt(now)) << "cleared by reading IIR";
  put(TRAPEZE_UART_IER_OFFSET, TRAPEZE_UART_IER_ETBEI_MASK);
  EXPECT_FALSE(uart.interrupt(now)) << "was enabled already";
  put(TRAPEZE_UART_THR_OFFSET, 'x');
  EXPECT_TRUE(uart.interrupt(now)) << "sent, empty again";
  EXPECT_EQ(uart.output(), std::vector<std::uint8_t>{'x'});
}

TEST_F(ModelUart, OneByteModeKeepsTheHostWaiting) {
  send_in(3);
  put(TRAPEZE_UART_IER_OFFSET, TRAPEZE_UART_IER_ERBFI_MASK);
  EXPECT_TRUE(uart.interrupt(now));
  EXPECT_EQ(id(), unsigned{TRAPEZE_UART_IIR_ID_RX_DATA});
  EXPECT_EQ(get(TRAPEZE_UART_LSR_OFFSET), TRAPEZE_UART_LSR_RESET | unsigned{TRAPEZE_UART_LSR_DR_MASK});
  for (const char c : {'a', 'b', 'c'}) EXPECT_EQ(get(TRAPEZE_UART_RBR_OFFSET), static_cast<unsigned>(c));
  EXPECT_FALSE(uart.interrupt(now));
  EXPECT_EQ(get(TRAPEZE_UART_LSR_OFFSET), unsigned{TRAPEZE_UART_LSR_RESET});
}

TEST_F(ModelUart, TriggerLevelAndTimeout) {
  put(TRAPEZE_UART_FCR_OFFSET,
      TRAPEZE_UART_FCR_ENABLE_MASK | (TRAPEZE_UART_FCR_TRIGGER_EIGHT << TRAPEZE_UART_FCR_TRIGGER_SHIFT));
  put(TRAPEZE_UART_IER_OFFSET, TRAPEZE_UART_IER_ERBFI_MASK);
  send_in(7);
  now += 7;
  EXPECT_FALSE(uart.interrupt(now));
  EXPECT_EQ(uart.next_event(now), now + Uart::kTimeout);
  now += Uart::kTimeout;
  EXPECT_TRUE(uart.interrupt(now));
  EXPECT_EQ(id(), unsigned{TRAPEZE_UART_IIR_ID_RX_TIMEOUT});
  get(TRAPEZE_UART_RBR_OFFSET);
  EXPECT_FALSE(uart.interrupt(now)) << "a read starts the time anew";
  send_in(2);
  now += 2;
  EXPECT_TRUE(uart.interrupt(now));
  EXPECT_EQ(get(TRAPEZE_UART_IIR_OFFSET), unsigned{TRAPEZE_UART_IIR_ID_RX_DATA} | TRAPEZE_UART_IIR_FIFOS_MASK);
  put(TRAPEZE_UART_FCR_OFFSET, TRAPEZE_UART_FCR_ENABLE_MASK | TRAPEZE_UART_FCR_RX_RESET_MASK);
  EXPECT_FALSE(uart.interrupt(now));
}

TEST_F(ModelUart, LoopbackAndOverrun) {
  put(TRAPEZE_UART_MCR_OFFSET, TRAPEZE_UART_MCR_LOOPBACK_MASK);
  put(TRAPEZE_UART_IER_OFFSET, TRAPEZE_UART_IER_ELSI_MASK);
  put(TRAPEZE_UART_THR_OFFSET, 1);
  EXPECT_FALSE(uart.interrupt(now));
  put(TRAPEZE_UART_THR_OFFSET, 2);
  EXPECT_TRUE(uart.output().empty());
  EXPECT_EQ(id(), unsigned{TRAPEZE_UART_IIR_ID_LINE_STATUS});
  EXPECT_NE(get(TRAPEZE_UART_LSR_OFFSET) & TRAPEZE_UART_LSR_OE_MASK, 0U);
  EXPECT_EQ(get(TRAPEZE_UART_LSR_OFFSET) & TRAPEZE_UART_LSR_OE_MASK, 0U) << "cleared by reading";
  EXPECT_EQ(get(TRAPEZE_UART_RBR_OFFSET), 2U) << "without FIFOs the older byte is lost";
  put(TRAPEZE_UART_FCR_OFFSET, TRAPEZE_UART_FCR_ENABLE_MASK);
  for (unsigned i = 0; i < 17; ++i) put(TRAPEZE_UART_THR_OFFSET, i);
  for (unsigned i = 0; i < 16; ++i) EXPECT_EQ(get(TRAPEZE_UART_RBR_OFFSET), i);
  EXPECT_EQ(get(TRAPEZE_UART_LSR_OFFSET) & TRAPEZE_UART_LSR_DR_MASK, 0U);
}

TEST_F(ModelUart, ATransmittedByteByCycles) {
  put(TRAPEZE_UART_IER_OFFSET, TRAPEZE_UART_IER_ETBEI_MASK);
  EXPECT_EQ(id(), unsigned{TRAPEZE_UART_IIR_ID_THR_EMPTY});
  apart = 1;
  put(TRAPEZE_UART_THR_OFFSET, 'x');
  EXPECT_EQ(get(TRAPEZE_UART_LSR_OFFSET), 0U) << "in the transmitter";
  EXPECT_EQ(get(TRAPEZE_UART_LSR_OFFSET), unsigned{TRAPEZE_UART_LSR_RESET}) << "with the host";
  EXPECT_TRUE(uart.interrupt(now));
  put(TRAPEZE_UART_THR_OFFSET, 'y');
  EXPECT_FALSE(uart.interrupt(now)) << "THR takes the interrupt back";
  now += 1;
  EXPECT_FALSE(uart.interrupt(now));
  now += 1;
  EXPECT_TRUE(uart.interrupt(now));
}

TEST_F(ModelUart, AReceivedByteByCycles) {
  put(TRAPEZE_UART_MCR_OFFSET, TRAPEZE_UART_MCR_LOOPBACK_MASK);
  apart = 1;
  put(TRAPEZE_UART_THR_OFFSET, 'x');
  EXPECT_EQ(get(TRAPEZE_UART_LSR_OFFSET), 0U);
  EXPECT_EQ(get(TRAPEZE_UART_LSR_OFFSET), TRAPEZE_UART_LSR_RESET | unsigned{TRAPEZE_UART_LSR_DR_MASK});
  EXPECT_EQ(get(TRAPEZE_UART_RBR_OFFSET), unsigned{'x'});
  put(TRAPEZE_UART_THR_OFFSET, 'y');
  now += 1;
  put(TRAPEZE_UART_THR_OFFSET, 'z');
  EXPECT_EQ(get(TRAPEZE_UART_RBR_OFFSET), unsigned{'y'}) << "read in the cycle in which the next one comes";
  EXPECT_EQ(get(TRAPEZE_UART_LSR_OFFSET), TRAPEZE_UART_LSR_RESET | unsigned{TRAPEZE_UART_LSR_DR_MASK});
  EXPECT_EQ(get(TRAPEZE_UART_RBR_OFFSET), unsigned{'z'}) << "so nothing is lost";
  put(TRAPEZE_UART_MCR_OFFSET, 0);
  send_in(2);
  EXPECT_EQ(get(TRAPEZE_UART_LSR_OFFSET), unsigned{TRAPEZE_UART_LSR_RESET}) << "the host's byte comes in this cycle";
  EXPECT_EQ(get(TRAPEZE_UART_RBR_OFFSET), unsigned{'a'});
  EXPECT_EQ(get(TRAPEZE_UART_RBR_OFFSET), 0U) << "the next one comes in this cycle";
  EXPECT_EQ(get(TRAPEZE_UART_RBR_OFFSET), unsigned{'b'});
}

TEST_F(ModelUart, ModemStatus) {
  put(TRAPEZE_UART_IER_OFFSET, TRAPEZE_UART_IER_EDSSI_MASK);
  put(TRAPEZE_UART_MCR_OFFSET, TRAPEZE_UART_MCR_LOOPBACK_MASK | TRAPEZE_UART_MCR_OUT1_MASK);
  EXPECT_TRUE(uart.interrupt(now));
  EXPECT_EQ(id(), unsigned{TRAPEZE_UART_IIR_ID_MODEM});
  EXPECT_EQ(get(TRAPEZE_UART_MSR_OFFSET), TRAPEZE_UART_MSR_RI_MASK | TRAPEZE_UART_MSR_DCTS_MASK |
                                              TRAPEZE_UART_MSR_DDSR_MASK | unsigned{TRAPEZE_UART_MSR_DDCD_MASK});
  EXPECT_FALSE(uart.interrupt(now)) << "cleared by reading MSR";
  put(TRAPEZE_UART_MCR_OFFSET, TRAPEZE_UART_MCR_LOOPBACK_MASK);
  EXPECT_EQ(get(TRAPEZE_UART_MSR_OFFSET), unsigned{TRAPEZE_UART_MSR_TERI_MASK}) << "RI fell";
}

}  // namespace
}  // namespace trapeze::model
