// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * GDB's `monitor` commands: what the protocol has no packets for.
 */
#ifndef TRAPEZE_SIM_GDB_MONITOR_H
#define TRAPEZE_SIM_GDB_MONITOR_H

#include <span>
#include <string>
#include <string_view>

#include "gdb/devices.h"
#include "gdb/target.h"

namespace trapeze::gdb {

/** Carry out `command` (what is typed after `monitor`) and return the text to show, in whole lines. A command that is
 * not understood changes nothing and says so. `devices`: of the platform; none: unknown. */
std::string monitor(Target& target, std::span<const Device> devices, std::string_view command);

}  // namespace trapeze::gdb

#endif  // TRAPEZE_SIM_GDB_MONITOR_H
