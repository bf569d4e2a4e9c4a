// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Registers of devices by name, for GDB's `monitor device`.
 *
 * Source: the registers as regs/ describes them (trapeze/devices.hpp); the values are what the bus answers.
 */
#ifndef TRAPEZE_SIM_GDB_DEVICES_H
#define TRAPEZE_SIM_GDB_DEVICES_H

#include <cstdint>
#include <span>
#include <string>
#include <trapeze/devices.hpp>
#include <vector>

#include "gdb/target.h"

namespace trapeze::gdb {

/** A device of the platform, or a part of one. */
struct Device {
  std::string name;
  std::uint64_t base = 0;
  std::uint64_t size = 0;
  std::vector<unsigned> harts;  ///< numbers of those that see it
  bool own = false;             ///< each of them has one of its own
  std::string title;
  std::span<const devices::Register> registers;  ///< empty: a memory
};

/** The devices of a platform from the file that describes it. Throws Error if it cannot be read. */
std::vector<Device> read_devices(const std::string& platform);

/** In whole lines. No words: the devices that the configuration has. `[HART:]NAME [INDEX]`: the registers of one; of
 * those that there are many of the first ones, or the one of this index. Nothing changes. `all`: empty if they are
 * unknown. */
std::string devices_text(Target& target, std::span<const Device> all, const std::vector<std::string>& words);

}  // namespace trapeze::gdb

#endif  // TRAPEZE_SIM_GDB_DEVICES_H
