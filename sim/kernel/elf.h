// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Reader of RISC-V executables, of 32 and of 64 bits.
 *
 * Sources: System V gABI, chapters 4 and 5 (ELF32, ELF64); RISC-V ELF psABI 1.0, "File Header" (e_flags).
 */
#ifndef TRAPEZE_SIM_KERNEL_ELF_H
#define TRAPEZE_SIM_KERNEL_ELF_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/built_for.h"
#include "kernel/engine.h"

namespace trapeze {

/** A PT_LOAD segment at its load address: first the bytes of the file, then zeros up to memory_size. */
struct ElfSegment {
  std::uint64_t address = 0;  ///< physical address (p_paddr): where the loader puts it
  std::uint64_t memory_size = 0;
  std::vector<std::uint8_t> data;
};

/** A function or label of the symbol table. */
struct ElfSymbol {
  std::uint64_t address = 0;
  std::uint64_t size = 0;
  std::string name;
  bool function = false;
};

/** The monitor (fw/monitor) that a program is linked with, which runs in machine mode and the program in user mode. */
enum class Monitor : std::uint8_t {
  kNone,
  kSerial,  ///< the program's handlers do not nest, or interrupts do not come to the monitor
  kNesting  ///< the monitor emulates machine mode: the program's handlers may nest
};

/** An executable. */
struct ElfFile {
  std::string path;
  unsigned xlen = 32;  ///< width in bits of the harts that it is for, 32 or 64
  std::uint64_t entry = 0;
  std::uint32_t flags = 0;
  std::vector<ElfSegment> segments;
  std::vector<ElfSymbol> symbols;  ///< symbols of code, by ascending address
  std::vector<ElfSymbol> objects;  ///< variables, in the order of the file
  std::optional<BuiltFor> built;   ///< content of the note of `trapeze cc`; nothing in a program that was linked by
                                   ///< hand

  Monitor monitor = Monitor::kNone;

  bool compressed() const { return (flags & 0x1U) != 0; }
  bool embedded() const { return (flags & 0x8U) != 0; }
};

/** Read and check a file. Throws Error for anything that is not a whole little-endian RISC-V executable. */
ElfFile read_elf(const std::string& path);

/** Like read_elf(), from bytes in memory; messages name `path`. */
ElfFile parse_elf(const std::string& path, const std::vector<std::uint8_t>& bytes);

/** Throws Error unless a hart of the engine has what the file needs: the width, all that its note names, the base and
 * the extensions in its header, and memories for its segments. */
void check_elf(const ElfFile& elf, const tz_engine_info& info, unsigned hart = 0);

/** Finds the symbol of an address. */
class SymbolTable {
 public:
  SymbolTable() = default;
  explicit SymbolTable(const std::vector<ElfSymbol>& symbols);

  /** The symbol that holds `address`, or null. */
  const ElfSymbol* find(std::uint64_t address) const;

  /** Text for an address: `name`, `name+0x12`, or empty if no symbol holds it. */
  std::string describe(std::uint64_t address) const;

 private:
  std::vector<ElfSymbol> symbols_;
};

}  // namespace trapeze

#endif  // TRAPEZE_SIM_KERNEL_ELF_H
