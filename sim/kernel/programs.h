// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Which program each hart runs, and bringing the programs into memory.
 */
#ifndef TRAPEZE_SIM_KERNEL_PROGRAMS_H
#define TRAPEZE_SIM_KERNEL_PROGRAMS_H

#include <vector>

#include "kernel/dynamic_engine.h"
#include "kernel/elf.h"

namespace trapeze {

/**
 * The programs of a run: one alone is every hart's where all begin at one address, else hart 0's; of several the k-th
 * is hart k's. A hart that is left over waits in wfi for ever.
 */
class Programs {
 public:
  /** Throws Error unless there is a hart for each program, each hart has what its program needs, and no two programs
   * share a byte of memory. */
  Programs(std::vector<ElfFile> files, const tz_engine_info& info);

  /** Harts with a program of their own; 0: all run the same one. */
  unsigned own() const { return for_all_ ? 0 : static_cast<unsigned>(files_.size()); }

  /** The program of a hart, or null. */
  const ElfFile* of(unsigned hart) const;

  /** Names of code by address, for each of so many harts. */
  std::vector<SymbolTable> symbols(unsigned harts) const;

  /** Fill the memories of an engine of the kind that the programs were checked against. */
  void load(Engine& engine) const;

  /** Write the program of a hart's own again; what it has no bytes for stays. */
  void load_again(Engine& engine, unsigned hart) const;

 private:
  std::vector<ElfFile> files_;
  bool for_all_;  ///< all run the first one
};

}  // namespace trapeze

#endif  // TRAPEZE_SIM_KERNEL_PROGRAMS_H
