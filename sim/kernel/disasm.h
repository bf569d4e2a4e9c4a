// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Disassembler for RV32 and RV64 with I, M, A, F, D, C, Zicsr, Zifencei, Zba, Zbb, Zbs, Zicbom, and the privileged
 * instructions, in GNU objdump's syntax (aliases on, ABI register names), so that traces can be compared with listings.
 * Encodings and texts come from regs/isa/instructions.yaml.
 *
 * Immediate forms have their own mnemonics (`addi sp,sp,-16`), as the ISA manual and most versions of binutils write
 * them; 2.40 alone prints `add sp,sp,-16`. Encodings that a width reserves are unknown here even where objdump names
 * them.
 *
 * Sources: RISC-V Unprivileged ISA 20191213, chapters 24, 16 (C); Bit-manipulation 1.0.0; Privileged ISA 20211203, 2.
 */
#ifndef TRAPEZE_SIM_KERNEL_DISASM_H
#define TRAPEZE_SIM_KERNEL_DISASM_H

#include <cstdint>
#include <functional>
#include <string>

#include "kernel/engine.h"

namespace trapeze {

/** Turns an address in code into text that is printed after it, such as "main+0x4". Empty: the address has no name. */
using AddressNamer = std::function<std::string(std::uint64_t)>;

/** What of a hart decides how a word reads: one word can be `c.jal` on RV32 and `c.addiw` on RV64. */
struct InstructionSet {
  unsigned xlen;      ///< width of the integer registers: 32 or 64
  bool has_c = true;  ///< whether it has compressed instructions
};

/** The instruction set of a hart, by what its engine says of it. */
InstructionSet instruction_set(const tz_hart_info& hart);

/** Text of one instruction at `pc`: mnemonic, a tab, operands. A compressed instruction is in bits 15:0 with the
 * other bits zero. Targets are printed as `80000010 <name>`. Unknown instructions are printed as `.4byte` or `.2byte`.
 */
std::string disassemble(std::uint32_t insn, std::uint64_t pc, InstructionSet set, const AddressNamer& namer = {});

/** The 32-bit instruction that a compressed instruction stands for on a hart of `xlen` bits. 0 if the compressed
 * instruction is illegal, or is a floating-point load or store of RV32. */
std::uint32_t expand_compressed(std::uint16_t insn, unsigned xlen = 32);

/** Length in bytes, 2 or 4, of the instruction that starts with this half-word. Without C the two lowest bits belong
 * to the opcode, and only the value 11 there is an opcode. */
constexpr unsigned instruction_size(std::uint32_t insn, bool has_c = true) {
  return !has_c || (insn & 3U) == 3U ? 4 : 2;
}

/** ABI name of an integer register, 0 to 31. */
const char* register_name(unsigned number);

/** ABI name of a floating-point register, 0 to 31. */
const char* float_register_name(unsigned number);

/** Name of a CSR; a CSR without a name is printed by number, such as `0x7c0`. */
std::string csr_name(unsigned number);

}  // namespace trapeze

#endif  // TRAPEZE_SIM_KERNEL_DISASM_H
