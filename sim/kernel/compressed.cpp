// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Expansion of RV32C to RV32I and of RV64C to RV64I and D (Unprivileged ISA 20191213, chapter 16, tables 16.5 to 16.7).
// RV32's encodings of floating-point loads and stores are illegal.
#include "kernel/disasm.h"

namespace trapeze {
namespace {

using Word = std::uint32_t;

constexpr Word field(Word value, unsigned high, unsigned low) {
  return (value >> low) & ((1U << (high - low + 1)) - 1);
}
constexpr Word bit(Word value, unsigned n) {
  return (value >> n) & 1U;
}
constexpr Word sext(Word value, unsigned width) {
  return static_cast<Word>(static_cast<std::int32_t>(value << (32 - width)) >> (32 - width));
}

constexpr Word type_i(Word op, Word f3, Word rd, Word rs1, Word imm) {
  return op | (rd << 7) | (f3 << 12) | (rs1 << 15) | ((imm & 0xfff) << 20);
}
/** Floating-point loads and stores of double words have the operands of those of integers. */
constexpr Word as_float(Word integer) {
  return integer | 0x04;
}
/** A shift by an immediate: bit 5 of the amount is below the function's bits. */
constexpr Word type_shift(Word f3, Word rd, Word amount, bool arithmetic) {
  return type_i(0x13, f3, rd, rd, amount | (arithmetic ? 0x400U : 0U));
}
constexpr Word type_s(Word f3, Word rs1, Word rs2, Word imm) {
  return 0x23 | (field(imm, 4, 0) << 7) | (f3 << 12) | (rs1 << 15) | (rs2 << 20) | (field(imm, 11, 5) << 25);
}
constexpr Word type_r(Word f7, Word f3, Word rd, Word rs1, Word rs2) {
  return 0x33 | (rd << 7) | (f3 << 12) | (rs1 << 15) | (rs2 << 20) | (f7 << 25);
}
/** The same on the lower 32 bits, RV64 only. */
constexpr Word type_rw(Word f7, Word f3, Word rd, Word rs1, Word rs2) {
  return type_r(f7, f3, rd, rs1, rs2) | 0x08;
}
constexpr Word type_b(Word f3, Word rs1, Word imm) {
  return 0x63 | (bit(imm, 11) << 7) | (field(imm, 4, 1) << 8) | (f3 << 12) | (rs1 << 15) | (field(imm, 10, 5) << 25) |
         (bit(imm, 12) << 31);
}
constexpr Word type_j(Word rd, Word imm) {
  return 0x6f | (rd << 7) | (field(imm, 19, 12) << 12) | (bit(imm, 11) << 20) | (field(imm, 10, 1) << 21) |
         (bit(imm, 20) << 31);
}

/** Quadrant 0: stack-pointer addition, loads and stores with three-bit registers. */
Word quadrant0(Word x, bool wide) {
  const Word rd = 8 + field(x, 4, 2);
  const Word rs1 = 8 + field(x, 9, 7);
  const Word offset = (bit(x, 5) << 6) | (field(x, 12, 10) << 3) | (bit(x, 6) << 2);
  const Word offset_double = (field(x, 6, 5) << 6) | (field(x, 12, 10) << 3);
  switch (field(x, 15, 13)) {
    case 0: {
      const Word imm = (field(x, 10, 7) << 6) | (field(x, 12, 11) << 4) | (bit(x, 5) << 3) | (bit(x, 6) << 2);
      return imm == 0 ? 0 : type_i(0x13, 0, rd, 2, imm);
    }
    case 1:
      return wide ? as_float(type_i(0x03, 3, rd, rs1, offset_double)) : 0;
    case 2:
      return type_i(0x03, 2, rd, rs1, offset);
    case 3:
      return wide ? type_i(0x03, 3, rd, rs1, offset_double) : 0;
    case 5:
      return wide ? as_float(type_s(3, rs1, rd, offset_double)) : 0;
    case 6:
      return type_s(2, rs1, rd, offset);
    case 7:
      return wide ? type_s(3, rs1, rd, offset_double) : 0;
    default:
      return 0;
  }
}

/** The register-register and shift group of quadrant 1. */
Word quadrant1_alu(Word x, bool wide) {
  const Word rd = 8 + field(x, 9, 7);
  const Word rs2 = 8 + field(x, 4, 2);
  const Word imm = sext((bit(x, 12) << 5) | field(x, 6, 2), 6);
  const Word shift = (bit(x, 12) << 5) | field(x, 6, 2);
  switch (field(x, 11, 10)) {
    case 0:
      return shift > 31 && !wide ? 0 : type_shift(5, rd, shift, false);
    case 1:
      return shift > 31 && !wide ? 0 : type_shift(5, rd, shift, true);
    case 2:
      return type_i(0x13, 7, rd, rd, imm);
    default:
      break;
  }
  if (bit(x, 12) != 0) {
    if (!wide || field(x, 6, 5) > 1) return 0;
    return field(x, 6, 5) == 0 ? type_rw(0x20, 0, rd, rd, rs2) : type_rw(0, 0, rd, rd, rs2);
  }
  switch (field(x, 6, 5)) {
    case 0:
      return type_r(0x20, 0, rd, rd, rs2);
    case 1:
      return type_r(0, 4, rd, rd, rs2);
    case 2:
      return type_r(0, 6, rd, rd, rs2);
    default:
      return type_r(0, 7, rd, rd, rs2);
  }
}

Word quadrant1(Word x, bool wide) {
  const Word rd = field(x, 11, 7);
  const Word imm = sext((bit(x, 12) << 5) | field(x, 6, 2), 6);
  const Word jump = sext((bit(x, 12) << 11) | (bit(x, 8) << 10) | (field(x, 10, 9) << 8) | (bit(x, 6) << 7) |
                             (bit(x, 7) << 6) | (bit(x, 2) << 5) | (bit(x, 11) << 4) | (field(x, 5, 3) << 1),
                         12);
  const Word branch = sext(
      (bit(x, 12) << 8) | (field(x, 6, 5) << 6) | (bit(x, 2) << 5) | (field(x, 11, 10) << 3) | (field(x, 4, 3) << 1),
      9);
  switch (field(x, 15, 13)) {
    case 0:
      return type_i(0x13, 0, rd, rd, imm);
    case 1:
      if (!wide) return type_j(1, jump);
      return rd == 0 ? 0 : type_i(0x1b, 0, rd, rd, imm);
    case 2:
      return type_i(0x13, 0, rd, 0, imm);
    case 3: {
      if (imm == 0) return 0;
      if (rd != 2) return 0x37 | (rd << 7) | (imm << 12);
      const Word sp =
          sext((bit(x, 12) << 9) | (field(x, 4, 3) << 7) | (bit(x, 5) << 6) | (bit(x, 2) << 5) | (bit(x, 6) << 4), 10);
      return type_i(0x13, 0, 2, 2, sp);
    }
    case 4:
      return quadrant1_alu(x, wide);
    case 5:
      return type_j(0, jump);
    case 6:
      return type_b(0, 8 + field(x, 9, 7), branch);
    default:
      return type_b(1, 8 + field(x, 9, 7), branch);
  }
}

/** Quadrant 2: shifts, stack-relative loads and stores, register moves and jumps. */
Word quadrant2(Word x, bool wide) {
  const Word rd = field(x, 11, 7);
  const Word rs2 = field(x, 6, 2);
  const Word load_double = type_i(0x03, 3, rd, 2, (field(x, 4, 2) << 6) | (bit(x, 12) << 5) | (field(x, 6, 5) << 3));
  const Word store_double = type_s(3, 2, rs2, (field(x, 9, 7) << 6) | (field(x, 12, 10) << 3));
  switch (field(x, 15, 13)) {
    case 0:
      return bit(x, 12) != 0 && !wide ? 0 : type_shift(1, rd, (bit(x, 12) << 5) | rs2, false);
    case 1:
      return wide ? as_float(load_double) : 0;
    case 2:
      if (rd == 0) return 0;
      return type_i(0x03, 2, rd, 2, (field(x, 3, 2) << 6) | (bit(x, 12) << 5) | (field(x, 6, 4) << 2));
    case 3:
      return rd == 0 || !wide ? 0 : load_double;
    case 4:
      if (bit(x, 12) == 0) {
        if (rs2 != 0) return type_r(0, 0, rd, 0, rs2);
        return rd == 0 ? 0 : type_i(0x67, 0, 0, rd, 0);
      }
      if (rs2 != 0) return type_r(0, 0, rd, rd, rs2);
      return rd == 0 ? 0x00100073 : type_i(0x67, 0, 1, rd, 0);
    case 5:
      return wide ? as_float(store_double) : 0;
    case 6:
      return type_s(2, 2, rs2, (field(x, 8, 7) << 6) | (field(x, 12, 9) << 2));
    case 7:
      return wide ? store_double : 0;
    default:
      return 0;
  }
}

}  // namespace

std::uint32_t expand_compressed(std::uint16_t insn, unsigned xlen) {
  const bool wide = xlen == 64;
  switch (insn & 3U) {
    case 0:
      return quadrant0(insn, wide);
    case 1:
      return quadrant1(insn, wide);
    case 2:
      return quadrant2(insn, wide);
    default:
      return 0;
  }
}

}  // namespace trapeze
