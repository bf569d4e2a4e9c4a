// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * The target description that tells GDB which registers there are.
 *
 * Source: Debugging with GDB (13), appendix G, "Target Description Format" and "RISC-V Features".
 */
#ifndef TRAPEZE_SIM_GDB_DESCRIPTION_H
#define TRAPEZE_SIM_GDB_DESCRIPTION_H

#include <string>

#include "gdb/target.h"

namespace trapeze::gdb {

/** target.xml of a hart: integer registers and pc, the privilege mode, CSRs by name. */
std::string target_description(const Target& target);

}  // namespace trapeze::gdb

#endif  // TRAPEZE_SIM_GDB_DESCRIPTION_H
