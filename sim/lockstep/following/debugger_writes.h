// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * What a debugger has changed of a hart while it was in debug mode, gathered from the records of that mode, for the
 * reference. Its instructions are the debug module's, not the program's: they are not compared.
 */
#ifndef TRAPEZE_SIM_LOCKSTEP_FOLLOWING_DEBUGGER_WRITES_H
#define TRAPEZE_SIM_LOCKSTEP_FOLLOWING_DEBUGGER_WRITES_H

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "lockstep/following/reference.h"

namespace trapeze::following {

class DebuggerWrites {
 public:
  /** A record of debug mode. Returns a complaint, if the reference cannot follow the instruction; else empty. */
  std::string see(const tz_retire& record, Reference& reference);
  /** The hart goes on with its program. */
  void apply(Reference& reference) const;

 private:
  std::map<unsigned, std::uint64_t> registers_;  ///< values of registers that were written
  std::optional<std::uint64_t> saved_;           ///< value that the debug module's program has saved of its register
  std::map<unsigned, std::uint64_t> csrs_;
};

}  // namespace trapeze::following

#endif  // TRAPEZE_SIM_LOCKSTEP_FOLLOWING_DEBUGGER_WRITES_H
