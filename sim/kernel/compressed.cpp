// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Expansion of compressed instructions by a table (regs/isa/instructions.yaml): fixed bits, and runs of bits to move.
#include <trapeze/instructions.hpp>

#include "kernel/disasm.h"

namespace trapeze {

std::uint32_t expand_compressed(std::uint16_t insn, unsigned xlen) {
  const unsigned width = isa::width_bit(xlen);
  const unsigned index = isa::compressed_index(insn);
  for (unsigned i = isa::kFirstCompressed[index]; i < isa::kFirstCompressed[index + 1]; ++i) {
    const isa::Compressed& one = isa::kCompressed[i];
    if (!one.pattern.is(insn) || (one.widths & width) == 0) continue;
    std::uint32_t word = one.base;
    for (const isa::Move& move : one.moves) {
      if (move.width == 0) break;
      word |= ((insn >> move.from) & ((1U << move.width) - 1)) << move.to;
    }
    return (insn & one.sign) != 0 ? word | one.fill : word;
  }
  return 0;
}

}  // namespace trapeze
