// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * How a run ended: what is said of it on stderr, and the process's exit code.
 */
#ifndef TRAPEZE_SIM_APP_ENDING_H
#define TRAPEZE_SIM_APP_ENDING_H

#include <cstdint>
#include <string>
#include <vector>

#include "kernel/elf.h"
#include "kernel/session.h"

namespace trapeze {

class Ending {
 public:
  /** `name`: of the programs, in quotes; `symbols`: of each hart; `cycles`: the engine has them, else it counts
   * instructions; `sweep`: it was one of many. */
  Ending(std::string name, std::vector<SymbolTable> symbols, bool cycles, bool sweep);

  /** How long a hart with supervisor mode was in machine mode, in its kernel and in programs, if that is cycles. */
  void phases(const RunState& state) const;
  /** By what was to end the run. */
  void reached(const RunState& state) const;
  /** By something else before that. */
  void not_reached(const RunState& state) const;
  /** By the firmware; its exit code is not returned. */
  void exited(const RunState& state) const;
  int max_cycles(const RunState& state, std::uint64_t limit) const;
  int asleep(const RunState& state) const;
  /** By a signal. */
  int stopped(const RunState& state) const;

 private:
  std::string place(const RunState& state, unsigned hart) const;
  /** `0x80000010 (main+0x4), where it is since cycle 5`, or that of each hart. */
  std::string places(const RunState& state, const char* single, const char* at) const;
  /** `cycle 5`, or what the engine has instead. */
  std::string when(std::uint64_t cycle) const;

  std::string name_;
  std::vector<SymbolTable> symbols_;
  bool cycles_;
  const char* sweep_;
};

}  // namespace trapeze

#endif  // TRAPEZE_SIM_APP_ENDING_H
