// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Registers of devices by name, for GDB's `monitor device`.
 *
 * Source: the registers as regs/ describes them (trapeze/devices.hpp); the values are what the bus answers.
 */
#ifndef TRAPEZE_SIM_GDB_DEVICES_H
#define TRAPEZE_SIM_GDB_DEVICES_H

#include <string>
#include <trapeze/devices.hpp>
#include <vector>

#include "gdb/target.h"

namespace trapeze::gdb {

/** In whole lines. No words: the devices that the configuration has. `[HART:]NAME [INDEX]`: the registers of one; of
 * those that there are many of the first ones, or the one of this index. Nothing changes. `map`: null if it is unknown.
 */
std::string devices_text(Target& target, const devices::Map* map, const std::vector<std::string>& words);

}  // namespace trapeze::gdb

#endif  // TRAPEZE_SIM_GDB_DEVICES_H
