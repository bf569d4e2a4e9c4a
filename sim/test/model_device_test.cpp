// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// The model's devices against the register description: CLINT, UART, host port.
#include <gtest/gtest.h>
#include <trapeze/clint.h>
#include <trapeze/host.h>
#include <trapeze/uart.h>

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
  EXPECT_TRUE(clint.read(TRAPEZE_CLINT_MTIME_LO_OFFSET, kWord, 5).timed);
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
  EXPECT_EQ(clint.next_event(0, 10), 0x100000002U);
  EXPECT_FALSE(clint.timer(0, 0x100000001U));
  EXPECT_TRUE(clint.timer(0, 0x100000002U));
  EXPECT_EQ(clint.next_event(0, 0x100000002U), kNever) << "pending already";
  clint.write(TRAPEZE_CLINT_MTIME_LO_OFFSET, kWord, 0xfffffff0, 100);
  clint.write(TRAPEZE_CLINT_MTIME_HI_OFFSET, kWord, 7, 100);
  EXPECT_EQ(clint.mtime(100), 0x7fffffff0U);
  EXPECT_EQ(clint.read(TRAPEZE_CLINT_MTIME_HI_OFFSET, kWord, 116).value, 8U) << "carry";
  clint.write(TRAPEZE_CLINT_MTIMECMP_LO_OFFSET, 2, 0xaa00, 0);
  EXPECT_EQ(clint.mtimecmp(0), 0x10000aa02U) << "one byte";
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

/** A UART with byte accesses. */
class ModelUart : public testing::Test {
 protected:
  ModelUart() { uart.reset(); }
  void put(std::uint32_t offset, unsigned value) {
    EXPECT_TRUE(uart.write(offset & ~3U, 1U << (offset & 3U), value << (8 * (offset & 3U)), now));
  }
  unsigned get(std::uint32_t offset) {
    const DeviceRead read = uart.read(offset & ~3U, 1U << (offset & 3U), now);
    EXPECT_FALSE(read.error);
    return (read.value >> (8 * (offset & 3U))) & 0xffU;
  }
  unsigned id() { return get(TRAPEZE_UART_IIR_OFFSET) & TRAPEZE_UART_IIR_ID_MASK; }
  void send_in(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      const auto byte = static_cast<std::uint8_t>('a' + i);
      uart.receive(&byte, 1);
    }
  }

  Uart uart;
  std::uint64_t now = 1000;
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
  EXPECT_FALSE(uart.interrupt(now));
  EXPECT_EQ(uart.next_event(now), now + Uart::kTimeout);
  now += Uart::kTimeout;
  EXPECT_TRUE(uart.interrupt(now));
  EXPECT_EQ(id(), unsigned{TRAPEZE_UART_IIR_ID_RX_TIMEOUT});
  get(TRAPEZE_UART_RBR_OFFSET);
  EXPECT_FALSE(uart.interrupt(now)) << "a read starts the time anew";
  send_in(2);
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
