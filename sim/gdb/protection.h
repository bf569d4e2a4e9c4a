// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Rows of memory protection (PMP) in words.
 *
 * Source: RISC-V Privileged Architecture 20211203, section 3.7; Smepmp 1.0, section 2.
 */
#ifndef TRAPEZE_SIM_GDB_PROTECTION_H
#define TRAPEZE_SIM_GDB_PROTECTION_H

#include <string>

#include "gdb/target.h"

namespace trapeze::gdb {

/** A line for each row of a hart that is on or locked, and one for what no row matches. */
std::string protection(Target& target, unsigned hart);

}  // namespace trapeze::gdb

#endif  // TRAPEZE_SIM_GDB_PROTECTION_H
