// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Registers of the debug module, and what of them trapeze-sim uses itself (RISC-V Debug Specification 1.0, 3.14).
 */
#ifndef TRAPEZE_SIM_APP_DEBUG_MODULE_H
#define TRAPEZE_SIM_APP_DEBUG_MODULE_H

#include <cstdint>

namespace trapeze::debug_module {

constexpr unsigned kData0 = 0x04, kControl = 0x10, kStatus = 0x11, kWindow = 0x15, kAbstract = 0x16, kCommand = 0x17;

// dmcontrol
constexpr std::uint32_t kActive = 1U << 0;
constexpr std::uint32_t kNdmReset = 1U << 1;
constexpr std::uint32_t kClearHaltAtReset = 1U << 2;
constexpr std::uint32_t kHaltAtReset = 1U << 3;
constexpr unsigned kHartAt = 16;               ///< number of the hart that is selected ...
constexpr std::uint32_t kWindowed = 1U << 26;  ///< ... and with it those of hawindow
constexpr std::uint32_t kAckReset = 1U << 28;
constexpr std::uint32_t kResumeRequest = 1U << 30;
constexpr std::uint32_t kHaltRequest = 1U << 31;

// dmstatus, abstractcs
constexpr std::uint32_t kAnyHalted = 1U << 8;
constexpr std::uint32_t kAllHalted = 1U << 9;
constexpr std::uint32_t kAllResumed = 1U << 17;
constexpr std::uint32_t kCommandBusy = 1U << 12;
constexpr std::uint32_t kCommandError = 7U << 8;

// command: Access Register of 32 bits; a register is transferred, or written. CSRs have their numbers, then come x0 to
// x31
constexpr std::uint32_t kReadRegister = 2U << 20 | 1U << 17;
constexpr std::uint32_t kWriteRegister = kReadRegister | 1U << 16;
constexpr std::uint32_t kRegisters = 0x1000;

}  // namespace trapeze::debug_module

#endif  // TRAPEZE_SIM_APP_DEBUG_MODULE_H
