// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
/**
 * @file
 * Disassembler for F and D, those of RV64 included.
 */
#ifndef TRAPEZE_SIM_KERNEL_DISASM_FLOAT_H
#define TRAPEZE_SIM_KERNEL_DISASM_FLOAT_H

#include <cstdint>
#include <string>

namespace trapeze {

/** Text of an instruction of 32 bits, or nothing if it is not one of F or D. A reserved rounding mode is `unknown`. */
std::string disassemble_float(std::uint32_t insn);

/** ABI name of a floating-point register, 0 to 31. */
const char* float_register_name(unsigned number);

}  // namespace trapeze

#endif  // TRAPEZE_SIM_KERNEL_DISASM_FLOAT_H
