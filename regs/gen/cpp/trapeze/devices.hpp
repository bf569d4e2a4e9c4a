// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Generated from the SystemRDL in regs by regs/generate.py; do not edit.
/**
 * @file
 * Blocks and their registers. Offsets in bytes, widths in bits.
 */
#ifndef TRAPEZE_DEVICES_HPP_
#define TRAPEZE_DEVICES_HPP_

#include <cstdint>
#include <span>
#include <string_view>

namespace trapeze::devices {

/** A value of a field that has a name. */
struct Value {
  std::uint32_t value;
  std::string_view name;
};

struct Field {
  std::string_view name;
  unsigned low;
  unsigned width;
  std::span<const Value> values;
};

/** A register, or `count` of them, `stride` apart. `mode`: the field that must be set for it to be there, in the place
 * of another one; empty: none. */
struct Register {
  std::string_view name;
  std::uint32_t offset;
  unsigned width;
  unsigned count;
  std::uint32_t stride;
  bool readable;
  std::string_view mode;
  std::span<const Field> fields;
};

struct Block {
  std::string_view name;
  std::span<const Register> registers;
};

inline constexpr Value kHostFinisherStatusValues[] = {
    {0x3333, "fail"},
    {0x5555, "pass"},
    {0x7777, "reset"},
};
inline constexpr Field kHostFinisherFields[] = {
    {"status", 0, 16, kHostFinisherStatusValues},
    {"code", 16, 16, {}},
};
inline constexpr Register kHostRegisters[] = {
    {"finisher", 0x0, 32, 1, 0, false, "", kHostFinisherFields},
};

inline constexpr Field kClintMsipFields[] = {
    {"msip", 0, 1, {}},
};
inline constexpr Field kClintMtimecmpLoFields[] = {
    {"value", 0, 32, {}},
};
inline constexpr Field kClintMtimecmpHiFields[] = {
    {"value", 0, 32, {}},
};
inline constexpr Field kClintMtimeLoFields[] = {
    {"value", 0, 32, {}},
};
inline constexpr Field kClintMtimeHiFields[] = {
    {"value", 0, 32, {}},
};
inline constexpr Register kClintRegisters[] = {
    {"msip", 0x0, 32, 4095, 4, true, "", kClintMsipFields},
    {"mtimecmp_lo", 0x4000, 32, 4095, 8, true, "", kClintMtimecmpLoFields},
    {"mtimecmp_hi", 0x4004, 32, 4095, 8, true, "", kClintMtimecmpHiFields},
    {"mtime_lo", 0xbff8, 32, 1, 0, true, "", kClintMtimeLoFields},
    {"mtime_hi", 0xbffc, 32, 1, 0, true, "", kClintMtimeHiFields},
};

inline constexpr Field kClicMcliccfgFields[] = {
    {"mnlbits", 0, 4, {}},
    {"nmbits", 4, 2, {}},
    {"unlbits", 24, 4, {}},
};
inline constexpr Field kClicIrqIpFields[] = {
    {"ip", 0, 1, {}},
};
inline constexpr Field kClicIrqIeFields[] = {
    {"ie", 0, 1, {}},
};
inline constexpr Value kClicIrqAttrTrigValues[] = {
    {0x0, "high"},
    {0x1, "rising"},
    {0x2, "low"},
    {0x3, "falling"},
};
inline constexpr Field kClicIrqAttrFields[] = {
    {"shv", 0, 1, {}},
    {"trig", 1, 2, kClicIrqAttrTrigValues},
    {"mode", 6, 2, {}},
};
inline constexpr Field kClicIrqCtlFields[] = {
    {"ctl", 0, 8, {}},
};
inline constexpr Register kClicRegisters[] = {
    {"mcliccfg", 0x0, 32, 1, 0, true, "", kClicMcliccfgFields},
    {"irq_ip", 0x1000, 8, 4096, 4, true, "", kClicIrqIpFields},
    {"irq_ie", 0x1001, 8, 4096, 4, true, "", kClicIrqIeFields},
    {"irq_attr", 0x1002, 8, 4096, 4, true, "", kClicIrqAttrFields},
    {"irq_ctl", 0x1003, 8, 4096, 4, true, "", kClicIrqCtlFields},
};

inline constexpr Field kClicUserUcliccfgFields[] = {
    {"unlbits", 24, 4, {}},
};
inline constexpr Field kClicUserIrqIpFields[] = {
    {"ip", 0, 1, {}},
};
inline constexpr Field kClicUserIrqIeFields[] = {
    {"ie", 0, 1, {}},
};
inline constexpr Value kClicUserIrqAttrTrigValues[] = {
    {0x0, "high"},
    {0x1, "rising"},
    {0x2, "low"},
    {0x3, "falling"},
};
inline constexpr Field kClicUserIrqAttrFields[] = {
    {"shv", 0, 1, {}},
    {"trig", 1, 2, kClicUserIrqAttrTrigValues},
    {"mode", 6, 2, {}},
};
inline constexpr Field kClicUserIrqCtlFields[] = {
    {"ctl", 0, 8, {}},
};
inline constexpr Register kClicUserRegisters[] = {
    {"ucliccfg", 0x0, 32, 1, 0, true, "", kClicUserUcliccfgFields},
    {"irq_ip", 0x1000, 8, 4096, 4, true, "", kClicUserIrqIpFields},
    {"irq_ie", 0x1001, 8, 4096, 4, true, "", kClicUserIrqIeFields},
    {"irq_attr", 0x1002, 8, 4096, 4, true, "", kClicUserIrqAttrFields},
    {"irq_ctl", 0x1003, 8, 4096, 4, true, "", kClicUserIrqCtlFields},
};

inline constexpr Field kUartRbrFields[] = {
    {"data", 0, 8, {}},
};
inline constexpr Field kUartThrFields[] = {
    {"data", 0, 8, {}},
};
inline constexpr Field kUartIerFields[] = {
    {"erbfi", 0, 1, {}},
    {"etbei", 1, 1, {}},
    {"elsi", 2, 1, {}},
    {"edssi", 3, 1, {}},
};
inline constexpr Value kUartIirIdValues[] = {
    {0x0, "modem"},
    {0x1, "none"},
    {0x2, "thr_empty"},
    {0x4, "rx_data"},
    {0x6, "line_status"},
    {0xc, "rx_timeout"},
};
inline constexpr Field kUartIirFields[] = {
    {"id", 0, 4, kUartIirIdValues},
    {"fifos", 6, 2, {}},
};
inline constexpr Value kUartFcrTriggerValues[] = {
    {0x0, "one"},
    {0x1, "four"},
    {0x2, "eight"},
    {0x3, "fourteen"},
};
inline constexpr Field kUartFcrFields[] = {
    {"enable", 0, 1, {}},
    {"rx_reset", 1, 1, {}},
    {"tx_reset", 2, 1, {}},
    {"dma_mode", 3, 1, {}},
    {"trigger", 6, 2, kUartFcrTriggerValues},
};
inline constexpr Field kUartLcrFields[] = {
    {"wls", 0, 2, {}},
    {"stb", 2, 1, {}},
    {"parity", 3, 3, {}},
    {"set_break", 6, 1, {}},
    {"dlab", 7, 1, {}},
};
inline constexpr Field kUartMcrFields[] = {
    {"dtr", 0, 1, {}},
    {"rts", 1, 1, {}},
    {"out1", 2, 1, {}},
    {"out2", 3, 1, {}},
    {"loopback", 4, 1, {}},
};
inline constexpr Field kUartLsrFields[] = {
    {"dr", 0, 1, {}},
    {"oe", 1, 1, {}},
    {"pe", 2, 1, {}},
    {"fe", 3, 1, {}},
    {"bi", 4, 1, {}},
    {"thre", 5, 1, {}},
    {"temt", 6, 1, {}},
    {"fifo_error", 7, 1, {}},
};
inline constexpr Field kUartMsrFields[] = {
    {"dcts", 0, 1, {}},
    {"ddsr", 1, 1, {}},
    {"teri", 2, 1, {}},
    {"ddcd", 3, 1, {}},
    {"cts", 4, 1, {}},
    {"dsr", 5, 1, {}},
    {"ri", 6, 1, {}},
    {"dcd", 7, 1, {}},
};
inline constexpr Field kUartScrFields[] = {
    {"data", 0, 8, {}},
};
inline constexpr Field kUartDlabDllFields[] = {
    {"data", 0, 8, {}},
};
inline constexpr Field kUartDlabDlmFields[] = {
    {"data", 0, 8, {}},
};
inline constexpr Register kUartRegisters[] = {
    {"rbr", 0x0, 8, 1, 0, true, "", kUartRbrFields},
    {"thr", 0x0, 8, 1, 0, false, "", kUartThrFields},
    {"ier", 0x1, 8, 1, 0, true, "", kUartIerFields},
    {"iir", 0x2, 8, 1, 0, true, "", kUartIirFields},
    {"fcr", 0x2, 8, 1, 0, false, "", kUartFcrFields},
    {"lcr", 0x3, 8, 1, 0, true, "", kUartLcrFields},
    {"mcr", 0x4, 8, 1, 0, true, "", kUartMcrFields},
    {"lsr", 0x5, 8, 1, 0, true, "", kUartLsrFields},
    {"msr", 0x6, 8, 1, 0, true, "", kUartMsrFields},
    {"scr", 0x7, 8, 1, 0, true, "", kUartScrFields},
    {"dll", 0x0, 8, 1, 0, true, "dlab", kUartDlabDllFields},
    {"dlm", 0x1, 8, 1, 0, true, "dlab", kUartDlabDlmFields},
};

inline constexpr Field kPlicPriorityFields[] = {
    {"value", 0, 3, {}},
};
inline constexpr Field kPlicPendingFields[] = {
    {"sources", 0, 32, {}},
};
inline constexpr Field kPlicEnableLowFields[] = {
    {"sources", 0, 32, {}},
};
inline constexpr Field kPlicEnableMiddleFields[] = {
    {"sources", 0, 32, {}},
};
inline constexpr Field kPlicEnableHighFields[] = {
    {"sources", 0, 32, {}},
};
inline constexpr Field kPlicContextThresholdFields[] = {
    {"value", 0, 3, {}},
};
inline constexpr Field kPlicContextClaimFields[] = {
    {"source", 0, 32, {}},
};
inline constexpr Register kPlicRegisters[] = {
    {"priority", 0x0, 32, 96, 4, true, "", kPlicPriorityFields},
    {"pending", 0x1000, 32, 3, 4, true, "", kPlicPendingFields},
    {"enable_low", 0x2000, 32, 4, 128, true, "", kPlicEnableLowFields},
    {"enable_middle", 0x2004, 32, 4, 128, true, "", kPlicEnableMiddleFields},
    {"enable_high", 0x2008, 32, 4, 128, true, "", kPlicEnableHighFields},
    {"context_threshold", 0x200000, 32, 4, 4096, true, "", kPlicContextThresholdFields},
    {"context_claim", 0x200004, 32, 4, 4096, true, "", kPlicContextClaimFields},
};

inline constexpr Field kBellsBellsFields[] = {
    {"bells", 0, 8, {}},
};
inline constexpr Field kBellsEnableFields[] = {
    {"bells", 0, 8, {}},
};
inline constexpr Field kBellsIntervalFields[] = {
    {"cycles", 0, 16, {}},
};
inline constexpr Register kBellsRegisters[] = {
    {"bells", 0x0, 32, 1, 0, true, "", kBellsBellsFields},
    {"enable", 0x4, 32, 1, 0, true, "", kBellsEnableFields},
    {"interval", 0x8, 32, 1, 0, true, "", kBellsIntervalFields},
};

inline constexpr Field kBellPagesRingFields[] = {
    {"bell", 0, 1, {}},
};
inline constexpr Register kBellPagesRegisters[] = {
    {"ring", 0x0, 32, 8, 4096, false, "", kBellPagesRingFields},
};

inline constexpr Field kProbeControlFields[] = {
    {"we", 0, 1, {}},
    {"clear", 1, 1, {}},
    {"alarm", 2, 1, {}},
    {"overflow", 3, 1, {}},
    {"break_alarm", 4, 1, {}},
    {"break_max", 5, 1, {}},
    {"missed", 8, 8, {}},
    {"num", 16, 16, {}},
};
inline constexpr Field kProbeAlarmLatFields[] = {
    {"value", 0, 32, {}},
};
inline constexpr Field kProbeLastFields[] = {
    {"value", 0, 32, {}},
};
inline constexpr Field kProbeMaxFields[] = {
    {"value", 0, 32, {}},
};
inline constexpr Field kProbeMinFields[] = {
    {"value", 0, 32, {}},
};
inline constexpr Field kProbeSumLoFields[] = {
    {"value", 0, 32, {}},
};
inline constexpr Field kProbeSumHiFields[] = {
    {"value", 0, 32, {}},
};
inline constexpr Field kProbeSquaresLoFields[] = {
    {"value", 0, 32, {}},
};
inline constexpr Field kProbeSquaresMidFields[] = {
    {"value", 0, 32, {}},
};
inline constexpr Field kProbeSquaresHiFields[] = {
    {"value", 0, 32, {}},
};
inline constexpr Field kProbeHistogramScaleFields[] = {
    {"shift", 0, 5, {}},
};
inline constexpr Field kProbeHistogramBinFields[] = {
    {"count", 0, 32, {}},
};
inline constexpr Register kProbeRegisters[] = {
    {"control", 0x0, 32, 1, 0, true, "", kProbeControlFields},
    {"alarm_lat", 0x10, 32, 1, 0, true, "", kProbeAlarmLatFields},
    {"last", 0x14, 32, 1, 0, true, "", kProbeLastFields},
    {"max", 0x18, 32, 1, 0, true, "", kProbeMaxFields},
    {"min", 0x1c, 32, 1, 0, true, "", kProbeMinFields},
    {"sum_lo", 0x20, 32, 1, 0, true, "", kProbeSumLoFields},
    {"sum_hi", 0x24, 32, 1, 0, true, "", kProbeSumHiFields},
    {"squares_lo", 0x28, 32, 1, 0, true, "", kProbeSquaresLoFields},
    {"squares_mid", 0x2c, 32, 1, 0, true, "", kProbeSquaresMidFields},
    {"squares_hi", 0x30, 32, 1, 0, true, "", kProbeSquaresHiFields},
    {"histogram_scale", 0x34, 32, 1, 0, true, "", kProbeHistogramScaleFields},
    {"histogram_bin", 0x800, 32, 512, 4, true, "", kProbeHistogramBinFields},
};

inline constexpr Field kRandomDataFields[] = {
    {"word", 0, 32, {}},
};
inline constexpr Field kRandomStatusFields[] = {
    {"ready", 0, 1, {}},
    {"busy", 1, 1, {}},
    {"overrun", 2, 1, {}},
    {"words", 16, 16, {}},
};
inline constexpr Field kRandomControlFields[] = {
    {"enable", 0, 1, {}},
    {"start", 1, 1, {}},
    {"ack", 2, 1, {}},
};
inline constexpr Field kRandomSeedFields[] = {
    {"state", 0, 32, {}},
};
inline constexpr Register kRandomRegisters[] = {
    {"data", 0x0, 32, 1, 0, true, "", kRandomDataFields},
    {"status", 0x4, 32, 1, 0, true, "", kRandomStatusFields},
    {"control", 0x8, 32, 1, 0, true, "", kRandomControlFields},
    {"seed", 0xc, 32, 1, 0, true, "", kRandomSeedFields},
};

inline constexpr Field kTimersChannelControlFields[] = {
    {"enable", 0, 1, {}},
    {"one_shot", 1, 1, {}},
    {"pulse", 2, 1, {}},
};
inline constexpr Field kTimersChannelPeriodFields[] = {
    {"value", 0, 32, {}},
};
inline constexpr Field kTimersChannelCountFields[] = {
    {"value", 0, 32, {}},
};
inline constexpr Field kTimersChannelStatusFields[] = {
    {"expired", 0, 1, {}},
};
inline constexpr Register kTimersRegisters[] = {
    {"channel_control", 0x0, 32, 3, 16, true, "", kTimersChannelControlFields},
    {"channel_period", 0x4, 32, 3, 16, true, "", kTimersChannelPeriodFields},
    {"channel_count", 0x8, 32, 3, 16, true, "", kTimersChannelCountFields},
    {"channel_status", 0xc, 32, 3, 16, true, "", kTimersChannelStatusFields},
};

inline constexpr Field kStressRateFields[] = {
    {"chance", 0, 8, {}},
};
inline constexpr Field kStressSeedFields[] = {
    {"state", 0, 32, {}},
};
inline constexpr Field kStressBanksFields[] = {
    {"imem", 0, 1, {}},
    {"dmem", 1, 1, {}},
    {"smem", 2, 1, {}},
};
inline constexpr Field kStressAccessesFields[] = {
    {"count", 0, 32, {}},
};
inline constexpr Register kStressRegisters[] = {
    {"rate", 0x0, 32, 1, 0, true, "", kStressRateFields},
    {"seed", 0x4, 32, 1, 0, true, "", kStressSeedFields},
    {"banks", 0x8, 32, 1, 0, true, "", kStressBanksFields},
    {"accesses", 0xc, 32, 1, 0, true, "", kStressAccessesFields},
};

inline constexpr Field kMailboxSideStatusFields[] = {
    {"waiting", 0, 8, {}},
    {"places", 8, 8, {}},
    {"overflow", 16, 1, {}},
};
inline constexpr Field kMailboxSideSendFields[] = {
    {"word", 0, 32, {}},
};
inline constexpr Field kMailboxSideReceiveFields[] = {
    {"word", 0, 32, {}},
};
inline constexpr Field kMailboxSideRingFields[] = {
    {"bells", 0, 32, {}},
};
inline constexpr Field kMailboxSideBellsFields[] = {
    {"bells", 0, 32, {}},
};
inline constexpr Field kMailboxSideBellsEnableFields[] = {
    {"bells", 0, 32, {}},
};
inline constexpr Field kMailboxSideIrqEnableFields[] = {
    {"word", 0, 1, {}},
    {"place", 1, 1, {}},
};
inline constexpr Field kMailboxSideIrqPendingFields[] = {
    {"word", 0, 1, {}},
    {"place", 1, 1, {}},
    {"bell", 2, 1, {}},
};
inline constexpr Register kMailboxSideRegisters[] = {
    {"status", 0x0, 32, 1, 0, true, "", kMailboxSideStatusFields},
    {"send", 0x4, 32, 1, 0, false, "", kMailboxSideSendFields},
    {"receive", 0x8, 32, 1, 0, true, "", kMailboxSideReceiveFields},
    {"ring", 0xc, 32, 1, 0, false, "", kMailboxSideRingFields},
    {"bells", 0x10, 32, 1, 0, true, "", kMailboxSideBellsFields},
    {"bells_enable", 0x14, 32, 1, 0, true, "", kMailboxSideBellsEnableFields},
    {"irq_enable", 0x18, 32, 1, 0, true, "", kMailboxSideIrqEnableFields},
    {"irq_pending", 0x1c, 32, 1, 0, true, "", kMailboxSideIrqPendingFields},
};

inline constexpr Block kBlocks[] = {
    {"host", kHostRegisters},
    {"clint", kClintRegisters},
    {"clic", kClicRegisters},
    {"clic_user", kClicUserRegisters},
    {"uart", kUartRegisters},
    {"plic", kPlicRegisters},
    {"bells", kBellsRegisters},
    {"bell_pages", kBellPagesRegisters},
    {"probe", kProbeRegisters},
    {"random", kRandomRegisters},
    {"timers", kTimersRegisters},
    {"stress", kStressRegisters},
    {"mailbox_side", kMailboxSideRegisters},
};

}  // namespace trapeze::devices

#endif  // TRAPEZE_DEVICES_HPP_
