// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Disassembly of F and D (Unprivileged ISA 20191213, chapters 11, 12, 24 and 25).
#include "kernel/disasm_float.h"

#include <array>
#include <cstdio>

#include "kernel/disasm.h"

namespace trapeze {
namespace float_text {
namespace {

/**
 * The instructions with (insn & mask) == match. Operand letters: D, X, Y, Z floating-point registers rd, rs1, rs2, rs3;
 * d, s integer registers rd, rs1; L load address, W store address; R the rounding mode behind a comma, unless it is
 * dynamic. Other characters stand for themselves.
 */
struct FloatLine {
  std::uint32_t mask;
  std::uint32_t match;
  const char* name;
  const char* operands;
};

constexpr std::uint32_t kF3 = 0x0000707f;
constexpr std::uint32_t kF7 = 0xfe00707f;
constexpr std::uint32_t kFloat = 0xfe00007f;  ///< funct3 is a rounding mode
constexpr std::uint32_t kFused = 0x0600007f;
constexpr std::uint32_t kRs2 = 0x01f00000;

constexpr std::uint32_t enc(std::uint32_t op, std::uint32_t f3 = 0, std::uint32_t f7 = 0) {
  return op | (f3 << 12) | (f7 << 25);
}
constexpr std::uint32_t fp(std::uint32_t f7, std::uint32_t f3 = 0) {
  return enc(0x53, f3, f7);
}
constexpr std::uint32_t rs2(std::uint32_t n) {
  return n << 20;
}

constexpr FloatLine kFloatLines[] = {
    {kFloat, fp(0x00), "fadd.s", "D,X,YR"},
    {kFloat, fp(0x04), "fsub.s", "D,X,YR"},
    {kFloat, fp(0x08), "fmul.s", "D,X,YR"},
    {kFloat, fp(0x0c), "fdiv.s", "D,X,YR"},
    {kFloat | kRs2, fp(0x2c), "fsqrt.s", "D,XR"},
    {kF7, fp(0x10, 0), "fsgnj.s", "D,X,Y"},
    {kF7, fp(0x10, 1), "fsgnjn.s", "D,X,Y"},
    {kF7, fp(0x10, 2), "fsgnjx.s", "D,X,Y"},
    {kF7, fp(0x14, 0), "fmin.s", "D,X,Y"},
    {kF7, fp(0x14, 1), "fmax.s", "D,X,Y"},
    {kF7, fp(0x50, 0), "fle.s", "d,X,Y"},
    {kF7, fp(0x50, 1), "flt.s", "d,X,Y"},
    {kF7, fp(0x50, 2), "feq.s", "d,X,Y"},
    {kFloat | kRs2, fp(0x60) | rs2(0), "fcvt.w.s", "d,XR"},
    {kFloat | kRs2, fp(0x68) | rs2(0), "fcvt.s.w", "D,sR"},
    {kFloat | kRs2, fp(0x60) | rs2(1), "fcvt.wu.s", "d,XR"},
    {kFloat | kRs2, fp(0x68) | rs2(1), "fcvt.s.wu", "D,sR"},
    {kFloat | kRs2, fp(0x60) | rs2(2), "fcvt.l.s", "d,XR"},
    {kFloat | kRs2, fp(0x68) | rs2(2), "fcvt.s.l", "D,sR"},
    {kFloat | kRs2, fp(0x60) | rs2(3), "fcvt.lu.s", "d,XR"},
    {kFloat | kRs2, fp(0x68) | rs2(3), "fcvt.s.lu", "D,sR"},
    {kF7 | kRs2, fp(0x70), "fmv.x.w", "d,X"},
    {kF7 | kRs2, fp(0x70, 1), "fclass.s", "d,X"},
    {kF7 | kRs2, fp(0x78), "fmv.w.x", "D,s"},
    {kFused, enc(0x43, 0, 0), "fmadd.s", "D,X,Y,ZR"},
    {kFused, enc(0x47, 0, 0), "fmsub.s", "D,X,Y,ZR"},
    {kFused, enc(0x4b, 0, 0), "fnmsub.s", "D,X,Y,ZR"},
    {kFused, enc(0x4f, 0, 0), "fnmadd.s", "D,X,Y,ZR"},
    {kF3, enc(0x07, 2), "flw", "D,L"},
    {kF3, enc(0x27, 2), "fsw", "Y,W"},
    {kFloat, fp(0x01), "fadd.d", "D,X,YR"},
    {kFloat, fp(0x05), "fsub.d", "D,X,YR"},
    {kFloat, fp(0x09), "fmul.d", "D,X,YR"},
    {kFloat, fp(0x0d), "fdiv.d", "D,X,YR"},
    {kFloat | kRs2, fp(0x2d), "fsqrt.d", "D,XR"},
    {kF7, fp(0x11, 0), "fsgnj.d", "D,X,Y"},
    {kF7, fp(0x11, 1), "fsgnjn.d", "D,X,Y"},
    {kF7, fp(0x11, 2), "fsgnjx.d", "D,X,Y"},
    {kF7, fp(0x15, 0), "fmin.d", "D,X,Y"},
    {kF7, fp(0x15, 1), "fmax.d", "D,X,Y"},
    {kF7, fp(0x51, 0), "fle.d", "d,X,Y"},
    {kF7, fp(0x51, 1), "flt.d", "d,X,Y"},
    {kF7, fp(0x51, 2), "feq.d", "d,X,Y"},
    {kFloat | kRs2, fp(0x61) | rs2(0), "fcvt.w.d", "d,XR"},
    {kF7 | kRs2, fp(0x69) | rs2(0), "fcvt.d.w", "D,s"},
    {kFloat | kRs2, fp(0x61) | rs2(1), "fcvt.wu.d", "d,XR"},
    {kF7 | kRs2, fp(0x69) | rs2(1), "fcvt.d.wu", "D,s"},
    {kFloat | kRs2, fp(0x61) | rs2(2), "fcvt.l.d", "d,XR"},
    {kFloat | kRs2, fp(0x69) | rs2(2), "fcvt.d.l", "D,sR"},
    {kFloat | kRs2, fp(0x61) | rs2(3), "fcvt.lu.d", "d,XR"},
    {kFloat | kRs2, fp(0x69) | rs2(3), "fcvt.d.lu", "D,sR"},
    {kF7 | kRs2, fp(0x71), "fmv.x.d", "d,X"},
    {kF7 | kRs2, fp(0x71, 1), "fclass.d", "d,X"},
    {kF7 | kRs2, fp(0x79), "fmv.d.x", "D,s"},
    {kFused, enc(0x43, 0, 1), "fmadd.d", "D,X,Y,ZR"},
    {kFused, enc(0x47, 0, 1), "fmsub.d", "D,X,Y,ZR"},
    {kFused, enc(0x4b, 0, 1), "fnmsub.d", "D,X,Y,ZR"},
    {kFused, enc(0x4f, 0, 1), "fnmadd.d", "D,X,Y,ZR"},
    {kF3, enc(0x07, 3), "fld", "D,L"},
    {kF3, enc(0x27, 3), "fsd", "Y,W"},
    {kFloat | kRs2, fp(0x20) | rs2(1), "fcvt.s.d", "D,XR"},
    {kF7 | kRs2, fp(0x21), "fcvt.d.s", "D,X"},
};

std::string operand(char letter, std::uint32_t x) {
  static constexpr std::array<const char*, 8> kModes = {",rne", ",rtz",     ",rdn",     ",rup",
                                                        ",rmm", ",unknown", ",unknown", ""};
  const auto number = [x](unsigned low) { return (x >> low) & 31U; };
  const std::string base = std::string("(") + register_name(number(15)) + ")";
  switch (letter) {
    case 'D':
      return float_register_name(number(7));
    case 'X':
      return float_register_name(number(15));
    case 'Y':
      return float_register_name(number(20));
    case 'Z':
      return float_register_name(number(27));
    case 'd':
      return register_name(number(7));
    case 's':
      return register_name(number(15));
    case 'L':
      return std::to_string(static_cast<std::int32_t>(x) >> 20) + base;
    case 'W':
      return std::to_string((static_cast<std::int32_t>(x & 0xfe000000U) >> 20) | static_cast<std::int32_t>(number(7))) +
             base;
    case 'R':
      return kModes[(x >> 12) & 7U];
    default:
      return std::string(1, letter);
  }
}

/** What a sign injection from a register into itself is called. */
const char* alias(std::uint32_t x) {
  static constexpr std::array<const char*, 3> kSingle = {"fmv.s", "fneg.s", "fabs.s"};
  static constexpr std::array<const char*, 3> kDouble = {"fmv.d", "fneg.d", "fabs.d"};
  const std::uint32_t kind = (x >> 12) & 7U;
  if (((x >> 15) & 31U) != ((x >> 20) & 31U) || kind >= kSingle.size()) return nullptr;
  if ((x & kFloat) == fp(0x10)) return kSingle[kind];
  return (x & kFloat) == fp(0x11) ? kDouble[kind] : nullptr;
}

}  // namespace
}  // namespace float_text

const char* float_register_name(unsigned number) {
  static constexpr std::array<const char*, 32> kNames = {"ft0", "ft1", "ft2",  "ft3",  "ft4", "ft5", "ft6",  "ft7",
                                                         "fs0", "fs1", "fa0",  "fa1",  "fa2", "fa3", "fa4",  "fa5",
                                                         "fa6", "fa7", "fs2",  "fs3",  "fs4", "fs5", "fs6",  "fs7",
                                                         "fs8", "fs9", "fs10", "fs11", "ft8", "ft9", "ft10", "ft11"};
  return kNames[number & 31];
}

std::string disassemble_float(std::uint32_t insn) {
  for (const float_text::FloatLine& line : float_text::kFloatLines) {
    if ((insn & line.mask) != line.match) continue;
    const char* const short_name = float_text::alias(insn);
    std::string text = std::string(short_name != nullptr ? short_name : line.name) + '\t';
    for (const char* letter = short_name != nullptr ? "D,X" : line.operands; *letter != '\0'; ++letter) {
      text += float_text::operand(*letter, insn);
    }
    return text;
  }
  return {};
}

}  // namespace trapeze
