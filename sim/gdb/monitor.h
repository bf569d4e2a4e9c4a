// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * GDB's `monitor` commands: what the protocol has no packets for.
 */
#ifndef TRAPEZE_SIM_GDB_MONITOR_H
#define TRAPEZE_SIM_GDB_MONITOR_H

#include <string>
#include <string_view>
#include <trapeze/devices.hpp>

#include "gdb/target.h"

namespace trapeze::gdb {

/** Carry out `command` (what is typed after `monitor`) and return the text to show, in whole lines. A command that is
 * not understood changes nothing and says so. `map`: of the platform; null: unknown. */
std::string monitor(Target& target, const devices::Map* map, std::string_view command);

}  // namespace trapeze::gdb

#endif  // TRAPEZE_SIM_GDB_MONITOR_H
