// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "kernel/disasm.h"

#include <array>
#include <cstdio>
#include <string_view>
#include <trapeze/instructions.hpp>

#include "kernel/isa.h"

namespace trapeze {
namespace {

/** Suffixes of an atomic operation's name, by the bits acquire and release, the two lowest bits of funct7. */
constexpr std::array<const char*, 4> kOrders = {"", ".rl", ".aq", ".aqrl"};

/** What a rounding mode adds to the operands, by the mode's number. The last one is dynamic, and is not printed. */
constexpr std::array<const char*, 8> kRoundingModes = {",rne", ",rtz",     ",rdn",     ",rup",
                                                       ",rmm", ",unknown", ",unknown", ""};

constexpr std::uint32_t bits(std::uint32_t value, unsigned high, unsigned low) {
  return (value >> low) & ((1U << (high - low + 1)) - 1);
}

constexpr std::int32_t sign_extend(std::uint32_t value, unsigned width) {
  return static_cast<std::int32_t>(value << (32 - width)) >> (32 - width);
}

constexpr std::int32_t imm_i(std::uint32_t x) {
  return sign_extend(bits(x, 31, 20), 12);
}
constexpr std::int32_t imm_s(std::uint32_t x) {
  return sign_extend((bits(x, 31, 25) << 5) | bits(x, 11, 7), 12);
}
constexpr std::int32_t imm_b(std::uint32_t x) {
  return sign_extend((bits(x, 31, 31) << 12) | (bits(x, 7, 7) << 11) | (bits(x, 30, 25) << 5) | (bits(x, 11, 8) << 1),
                     13);
}
constexpr std::int32_t imm_j(std::uint32_t x) {
  return sign_extend(
      (bits(x, 31, 31) << 20) | (bits(x, 19, 12) << 12) | (bits(x, 20, 20) << 11) | (bits(x, 30, 21) << 1), 21);
}

std::string lower_hex(std::uint64_t value, const char* prefix = "0x") {
  char text[24];
  std::snprintf(text, sizeof text, "%s%llx", prefix, static_cast<unsigned long long>(value));
  return text;
}

std::string fence_set(std::uint32_t set) {
  if (set == 0) return "unknown";
  std::string text;
  for (unsigned i = 0; i < 4; ++i) {
    if ((set >> (3 - i)) & 1U) text += "iorw"[i];
  }
  return text;
}

/** Where an instruction is, and on which hart. */
struct Place {
  std::uint64_t pc;
  InstructionSet set;
  const AddressNamer& namer;
};

/** Text of the address at a distance from the instruction. Addresses of RV32 wrap around at 2^32. */
std::string target(const Place& at, std::int32_t distance) {
  std::uint64_t address = at.pc + static_cast<std::uint64_t>(std::int64_t{distance});
  if (at.set.xlen == 32) address = static_cast<std::uint32_t>(address);
  std::string text = lower_hex(address, "");
  if (at.namer) {
    const std::string name = at.namer(address);
    if (!name.empty()) text += " <" + name + ">";
  }
  return text;
}

/** Text of one operand. regs/isa/instructions.yaml says what each letter stands for. */
std::string operand(char letter, std::uint32_t x, const Place& at) {
  const char* const base = register_name(bits(x, 19, 15));
  switch (letter) {
    case 'd':
      return register_name(bits(x, 11, 7));
    case 's':
      return base;
    case 't':
      return register_name(bits(x, 24, 20));
    case 'i':
      return std::to_string(imm_i(x));
    case 'S':
      return lower_hex(bits(x, 25, 20));
    case 'U':
      return lower_hex(x >> 12);
    case 'L':
    case 'A':
      return std::to_string(imm_i(x)) + "(" + base + ")";
    case 'W':
      return std::to_string(imm_s(x)) + "(" + base + ")";
    case 'b':
      return target(at, imm_b(x));
    case 'J':
      return target(at, imm_j(x));
    case 'c':
      return csr_name(bits(x, 31, 20));
    case 'z':
      return std::to_string(bits(x, 19, 15));
    case 'f':
      return fence_set(bits(x, 27, 24)) + "," + fence_set(bits(x, 23, 20));
    case 'D':
      return float_register_name(bits(x, 11, 7));
    case 'X':
      return float_register_name(bits(x, 19, 15));
    case 'Y':
      return float_register_name(bits(x, 24, 20));
    case 'Z':
      return float_register_name(bits(x, 31, 27));
    case 'R':
      return kRoundingModes[bits(x, 14, 12)];
    default:
      return std::string(1, letter);
  }
}

/** Joins a name and its operands, with a tab between. */
std::string line(std::string text, const char* operands, std::uint32_t x, const Place& at) {
  if (operands[0] != '\0') text += '\t';
  for (const char* letter = operands; *letter != '\0'; ++letter) text += operand(*letter, x, at);
  return text;
}

/** Text of the 32-bit instruction `insn`; nothing if no such instruction exists. */
std::string full_text(std::uint32_t x, const Place& at) {
  const unsigned opcode = bits(x, 6, 2);
  const unsigned width = isa::width_bit(at.set.xlen);
  for (unsigned i = isa::kFirstText[opcode]; i < isa::kFirstText[opcode + 1]; ++i) {
    const isa::InstructionText& one = isa::kInstructionTexts[i];
    if ((x & one.mask) != one.match || (one.widths & width) == 0) continue;
    if (one.same && bits(x, 19, 15) != bits(x, 24, 20)) continue;
    return line(std::string(one.name) + (one.ordered ? kOrders[bits(x, 26, 25)] : ""), one.operands, x, at);
  }
  return {};
}

/** Text of a compressed instruction; its operands are those of its expansion `full`. Nothing if it does not exist. */
std::string compressed_text(std::uint32_t half, std::uint32_t full, const Place& at) {
  const unsigned width = isa::width_bit(at.set.xlen);
  for (const isa::CompressedText& one : isa::kCompressedTexts) {
    if (one.pattern.is(half) && (one.widths & width) != 0) return line(one.name, one.operands, full, at);
  }
  return full_text(full, at);
}

}  // namespace

const char* register_name(unsigned number) {
  static constexpr std::array<const char*, 32> kNames = {
      "zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "s0", "s1", "a0",  "a1",  "a2", "a3", "a4", "a5",
      "a6",   "a7", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6"};
  return kNames[number & 31];
}

const char* float_register_name(unsigned number) {
  static constexpr std::array<const char*, 32> kNames = {"ft0", "ft1", "ft2",  "ft3",  "ft4", "ft5", "ft6",  "ft7",
                                                         "fs0", "fs1", "fa0",  "fa1",  "fa2", "fa3", "fa4",  "fa5",
                                                         "fa6", "fa7", "fs2",  "fs3",  "fs4", "fs5", "fs6",  "fs7",
                                                         "fs8", "fs9", "fs10", "fs11", "ft8", "ft9", "ft10", "ft11"};
  return kNames[number & 31];
}

InstructionSet instruction_set(const tz_hart_info& hart) {
  return {hart.xlen, parse_isa(hart.isa).has("c")};
}

std::string disassemble(std::uint32_t insn, std::uint64_t pc, InstructionSet set, const AddressNamer& namer) {
  const Place at{pc, set, namer};
  if (instruction_size(insn, set.has_c) == 4) {
    const std::string text = full_text(insn, at);
    return text.empty() ? ".4byte\t" + lower_hex(insn) : text;
  }
  insn &= 0xffff;
  if (insn == 0) return "unimp";
  const std::uint32_t full = expand_compressed(static_cast<std::uint16_t>(insn), set.xlen);
  return full == 0 ? ".2byte\t" + lower_hex(insn) : compressed_text(insn, full, at);
}

}  // namespace trapeze
