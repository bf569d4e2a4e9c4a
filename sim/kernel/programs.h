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
 * The programs of a run. If one program is given, every hart runs it where all harts begin at one address; otherwise
 * hart 0 runs it. If several are given, hart k runs the k-th. A hart without a program waits in wfi for ever.
 */
class Programs {
 public:
  /** Throws Error unless there is a hart for each program, each hart has what its program needs, and no two programs
   * share a byte of memory. */
  Programs(std::vector<ElfFile> files, const tz_engine_info& info);

  /** Number of harts that have a program of their own; 0: all harts run the same program. */
  unsigned own() const { return for_all_ ? 0 : static_cast<unsigned>(files_.size()); }

  /** The program of a hart, or null. */
  const ElfFile* of(unsigned hart) const;

  /** Symbol tables for the first `harts` harts, to find names of code by address. */
  std::vector<SymbolTable> symbols(unsigned harts) const;

  /** Fills the memories of an engine. The engine must be of the kind that the programs were checked against. */
  void load(Engine& engine) const;

  /** Writes the program of one hart again. Bytes of memory that the program does not contain stay as they are. */
  void load_again(Engine& engine, unsigned hart) const;

 private:
  std::vector<ElfFile> files_;
  bool for_all_;  ///< all harts run the first program
};

}  // namespace trapeze

#endif  // TRAPEZE_SIM_KERNEL_PROGRAMS_H
