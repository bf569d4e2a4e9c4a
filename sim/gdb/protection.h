// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Rows of memory protection (PMP) in words.
 *
 * Source: RISC-V Privileged Architecture 20211203, section 3.7; Smepmp 1.0, section 2.
 */
#ifndef TRAPEZE_SIM_GDB_PROTECTION_H
#define TRAPEZE_SIM_GDB_PROTECTION_H

#include <cstdint>
#include <string>

#include "gdb/target.h"

namespace trapeze::gdb {

/** Who may do what, as "RWX" with a dash for what is refused. */
struct Permissions {
  std::string machine;
  std::string user;  ///< supervisor mode, too
  bool operator==(const Permissions&) const = default;
};

/** What a row allows. `config`: its byte of pmpcfg; `lockdown`: mseccfg.MML. */
Permissions permissions(unsigned config, bool lockdown);

/** First and last byte of a row. */
struct RowRange {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  bool empty = true;
};

/** What a row matches. `config`: its byte of pmpcfg; `address`, `before`: its pmpaddr and that of the row before it, 0
 * for row 0. */
RowRange row_range(unsigned config, std::uint64_t address, std::uint64_t before);

/** A line for each row of a hart that is on or locked, and one for what no row matches. */
std::string protection(Target& target, unsigned hart);

}  // namespace trapeze::gdb

#endif  // TRAPEZE_SIM_GDB_PROTECTION_H
