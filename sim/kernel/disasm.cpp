// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "kernel/disasm.h"

#include <array>
#include <cstdio>
#include <string_view>
#include <trapeze/isa.hpp>

#include "kernel/disasm_float.h"

namespace trapeze {
namespace {

/**
 * One line of the table: the instructions with (insn & mask) == match. The first line that fits wins, so aliases stand
 * before what they abbreviate. Operand letters: d rd, s rs1, t rs2, i I-immediate, S shift amount, U upper immediate,
 * L load address, W store address, b branch target, J jump target, A indirect target, c CSR, z CSR immediate,
 * f fence sets. Other characters stand for themselves.
 */
struct Line {
  std::uint32_t mask;
  std::uint32_t match;
  const char* name;
  const char* operands;
};

constexpr std::uint32_t kOp = 0x0000007f;
constexpr std::uint32_t kF3 = 0x0000707f;
constexpr std::uint32_t kF7 = 0xfe00707f;
constexpr std::uint32_t kF5 = 0xf800707f;
constexpr std::uint32_t kRd = 0x00000f80;
constexpr std::uint32_t kRs1 = 0x000f8000;
constexpr std::uint32_t kRs2 = 0x01f00000;
constexpr std::uint32_t kImm = 0xfff00000;
constexpr std::uint32_t kAll = 0xffffffff;

/** What release and acquire, the two lowest bits of funct7, add to the name of an atomic operation. */
constexpr std::array<const char*, 4> kOrders = {"", ".rl", ".aq", ".aqrl"};

/** Encoding of an instruction by opcode, funct3 and funct7. */
constexpr std::uint32_t enc(std::uint32_t op, std::uint32_t f3 = 0, std::uint32_t f7 = 0) {
  return op | (f3 << 12) | (f7 << 25);
}
constexpr std::uint32_t rd(std::uint32_t n) {
  return n << 7;
}
constexpr std::uint32_t imm(std::uint32_t n) {
  return n << 20;
}

constexpr Line kLines[] = {
    // Upper immediates and jumps
    {kOp, enc(0x37), "lui", "d,U"},
    {kOp, enc(0x17), "auipc", "d,U"},
    {kOp | kRd, enc(0x6f), "j", "J"},
    {kOp | kRd, enc(0x6f) | rd(1), "jal", "J"},
    {kOp, enc(0x6f), "jal", "d,J"},
    {kAll, enc(0x67) | (1U << 15), "ret", ""},
    {kF3 | kRd | kImm, enc(0x67), "jr", "s"},
    {kF3 | kRd, enc(0x67), "jr", "A"},
    {kF3 | kRd | kImm, enc(0x67) | rd(1), "jalr", "s"},
    {kF3 | kRd, enc(0x67) | rd(1), "jalr", "A"},
    {kF3 | kImm, enc(0x67), "jalr", "d,s"},
    {kF3, enc(0x67), "jalr", "d,A"},
    // Branches
    {kF3 | kRs2, enc(0x63, 0), "beqz", "s,b"},
    {kF3, enc(0x63, 0), "beq", "s,t,b"},
    {kF3 | kRs2, enc(0x63, 1), "bnez", "s,b"},
    {kF3, enc(0x63, 1), "bne", "s,t,b"},
    {kF3 | kRs2, enc(0x63, 4), "bltz", "s,b"},
    {kF3 | kRs1, enc(0x63, 4), "bgtz", "t,b"},
    {kF3, enc(0x63, 4), "blt", "s,t,b"},
    {kF3 | kRs1, enc(0x63, 5), "blez", "t,b"},
    {kF3 | kRs2, enc(0x63, 5), "bgez", "s,b"},
    {kF3, enc(0x63, 5), "bge", "s,t,b"},
    {kF3, enc(0x63, 6), "bltu", "s,t,b"},
    {kF3, enc(0x63, 7), "bgeu", "s,t,b"},
    // Loads and stores
    {kF3, enc(0x03, 0), "lb", "d,L"},
    {kF3, enc(0x03, 1), "lh", "d,L"},
    {kF3, enc(0x03, 2), "lw", "d,L"},
    {kF3, enc(0x03, 4), "lbu", "d,L"},
    {kF3, enc(0x03, 5), "lhu", "d,L"},
    {kF3, enc(0x23, 0), "sb", "t,W"},
    {kF3, enc(0x23, 1), "sh", "t,W"},
    {kF3, enc(0x23, 2), "sw", "t,W"},
    // Register-immediate
    {kAll, enc(0x13), "nop", ""},
    {kF3 | kRs1, enc(0x13, 0), "li", "d,i"},
    {kF3 | kImm, enc(0x13, 0), "mv", "d,s"},
    {kF3, enc(0x13, 0), "addi", "d,s,i"},
    {kF3, enc(0x13, 2), "slti", "d,s,i"},
    {kF3 | kImm, enc(0x13, 3) | imm(1), "seqz", "d,s"},
    {kF3, enc(0x13, 3), "sltiu", "d,s,i"},
    {kF3 | kImm, enc(0x13, 4) | imm(0xfff), "not", "d,s"},
    {kF3, enc(0x13, 4), "xori", "d,s,i"},
    {kF3, enc(0x13, 6), "ori", "d,s,i"},
    {kF3 | kImm, enc(0x13, 7) | imm(0xff), "zext.b", "d,s"},
    {kF3, enc(0x13, 7), "andi", "d,s,i"},
    {kF7, enc(0x13, 1, 0x00), "slli", "d,s,S"},
    {kF7, enc(0x13, 5, 0x00), "srli", "d,s,S"},
    {kF7, enc(0x13, 5, 0x20), "srai", "d,s,S"},
    // Register-register
    {kF7, enc(0x33, 0, 0x00), "add", "d,s,t"},
    {kF7 | kRs1, enc(0x33, 0, 0x20), "neg", "d,t"},
    {kF7, enc(0x33, 0, 0x20), "sub", "d,s,t"},
    {kF7, enc(0x33, 1, 0x00), "sll", "d,s,t"},
    {kF7 | kRs2, enc(0x33, 2, 0x00), "sltz", "d,s"},
    {kF7 | kRs1, enc(0x33, 2, 0x00), "sgtz", "d,t"},
    {kF7, enc(0x33, 2, 0x00), "slt", "d,s,t"},
    {kF7 | kRs1, enc(0x33, 3, 0x00), "snez", "d,t"},
    {kF7, enc(0x33, 3, 0x00), "sltu", "d,s,t"},
    {kF7, enc(0x33, 4, 0x00), "xor", "d,s,t"},
    {kF7, enc(0x33, 5, 0x00), "srl", "d,s,t"},
    {kF7, enc(0x33, 5, 0x20), "sra", "d,s,t"},
    {kF7, enc(0x33, 6, 0x00), "or", "d,s,t"},
    {kF7, enc(0x33, 7, 0x00), "and", "d,s,t"},
    // A: the order is appended to the name
    {kF5 | kRs2, enc(0x2f, 2, 0x08), "lr.w", "d,(s)"},
    {kF5, enc(0x2f, 2, 0x0c), "sc.w", "d,t,(s)"},
    {kF5, enc(0x2f, 2, 0x04), "amoswap.w", "d,t,(s)"},
    {kF5, enc(0x2f, 2, 0x00), "amoadd.w", "d,t,(s)"},
    {kF5, enc(0x2f, 2, 0x10), "amoxor.w", "d,t,(s)"},
    {kF5, enc(0x2f, 2, 0x30), "amoand.w", "d,t,(s)"},
    {kF5, enc(0x2f, 2, 0x20), "amoor.w", "d,t,(s)"},
    {kF5, enc(0x2f, 2, 0x40), "amomin.w", "d,t,(s)"},
    {kF5, enc(0x2f, 2, 0x50), "amomax.w", "d,t,(s)"},
    {kF5, enc(0x2f, 2, 0x60), "amominu.w", "d,t,(s)"},
    {kF5, enc(0x2f, 2, 0x70), "amomaxu.w", "d,t,(s)"},
    // M
    {kF7, enc(0x33, 0, 0x01), "mul", "d,s,t"},
    {kF7, enc(0x33, 1, 0x01), "mulh", "d,s,t"},
    {kF7, enc(0x33, 2, 0x01), "mulhsu", "d,s,t"},
    {kF7, enc(0x33, 3, 0x01), "mulhu", "d,s,t"},
    {kF7, enc(0x33, 4, 0x01), "div", "d,s,t"},
    {kF7, enc(0x33, 5, 0x01), "divu", "d,s,t"},
    {kF7, enc(0x33, 6, 0x01), "rem", "d,s,t"},
    {kF7, enc(0x33, 7, 0x01), "remu", "d,s,t"},
    // Zba
    {kF7, enc(0x33, 2, 0x10), "sh1add", "d,s,t"},
    {kF7, enc(0x33, 4, 0x10), "sh2add", "d,s,t"},
    {kF7, enc(0x33, 6, 0x10), "sh3add", "d,s,t"},
    // Zbb
    {kF7, enc(0x33, 7, 0x20), "andn", "d,s,t"},
    {kF7, enc(0x33, 6, 0x20), "orn", "d,s,t"},
    {kF7, enc(0x33, 4, 0x20), "xnor", "d,s,t"},
    {kF7, enc(0x33, 4, 0x05), "min", "d,s,t"},
    {kF7, enc(0x33, 5, 0x05), "minu", "d,s,t"},
    {kF7, enc(0x33, 6, 0x05), "max", "d,s,t"},
    {kF7, enc(0x33, 7, 0x05), "maxu", "d,s,t"},
    {kF7, enc(0x33, 1, 0x30), "rol", "d,s,t"},
    {kF7, enc(0x33, 5, 0x30), "ror", "d,s,t"},
    {kF7, enc(0x13, 5, 0x30), "rori", "d,s,S"},
    {kF7 | kRs2, enc(0x33, 4, 0x04), "zext.h", "d,s"},
    {kF3 | kImm, enc(0x13, 1) | imm(0x600), "clz", "d,s"},
    {kF3 | kImm, enc(0x13, 1) | imm(0x601), "ctz", "d,s"},
    {kF3 | kImm, enc(0x13, 1) | imm(0x602), "cpop", "d,s"},
    {kF3 | kImm, enc(0x13, 1) | imm(0x604), "sext.b", "d,s"},
    {kF3 | kImm, enc(0x13, 1) | imm(0x605), "sext.h", "d,s"},
    {kF3 | kImm, enc(0x13, 5) | imm(0x287), "orc.b", "d,s"},
    {kF3 | kImm, enc(0x13, 5) | imm(0x698), "rev8", "d,s"},
    // Zbs
    {kF7, enc(0x33, 1, 0x24), "bclr", "d,s,t"},
    {kF7, enc(0x13, 1, 0x24), "bclri", "d,s,S"},
    {kF7, enc(0x33, 5, 0x24), "bext", "d,s,t"},
    {kF7, enc(0x13, 5, 0x24), "bexti", "d,s,S"},
    {kF7, enc(0x33, 1, 0x34), "binv", "d,s,t"},
    {kF7, enc(0x13, 1, 0x34), "binvi", "d,s,S"},
    {kF7, enc(0x33, 1, 0x14), "bset", "d,s,t"},
    {kF7, enc(0x13, 1, 0x14), "bseti", "d,s,S"},
    // Fences
    {kAll, 0x0ff0000f, "fence", ""},
    {kAll, 0x8330000f, "fence.tso", ""},
    {0xf00fffff, 0x0000000f, "fence", "f"},
    {kAll, 0x0000100f, "fence.i", ""},
    // Zicbom
    {kF3 | kRd | kImm, enc(0x0f, 2), "cbo.inval", "(s)"},
    {kF3 | kRd | kImm, enc(0x0f, 2) | imm(1), "cbo.clean", "(s)"},
    {kF3 | kRd | kImm, enc(0x0f, 2) | imm(2), "cbo.flush", "(s)"},
    // System
    {kAll, 0x00000073, "ecall", ""},
    {kAll, 0x00100073, "ebreak", ""},
    {kAll, 0x30200073, "mret", ""},
    {kAll, 0x10200073, "sret", ""},
    {kAll, 0x12000073, "sfence.vma", ""},
    {0xfff07fff, 0x12000073, "sfence.vma", "s"},
    {0xfe007fff, 0x12000073, "sfence.vma", "s,t"},
    {kAll, 0x10500073, "wfi", ""},
    {isa::encoding::kEmret.mask, isa::encoding::kEmret.match, "emret", ""},            // docs/fastirq.md
    {isa::encoding::kUret.mask, isa::encoding::kUret.match, "uret", ""},               // docs/user-level-interrupts.md
    {isa::encoding::kEuret.mask, isa::encoding::kEuret.match, "euret", ""},            // the same
    {isa::encoding::kSenduipi.mask, isa::encoding::kSenduipi.match, "senduipi", "s"},  // docs/user-interrupts.md
    {kAll, 0xc0001073, "unimp", ""},
    {kF3 | kRs1 | kImm, enc(0x73, 2) | imm(isa::csr::kCycle), "rdcycle", "d"},
    {kF3 | kRs1 | kImm, enc(0x73, 2) | imm(isa::csr::kTime), "rdtime", "d"},
    {kF3 | kRs1 | kImm, enc(0x73, 2) | imm(isa::csr::kInstret), "rdinstret", "d"},
    {kF3 | kRs1 | kImm, enc(0x73, 2) | imm(isa::csr::kCycleh), "rdcycleh", "d"},
    {kF3 | kRs1 | kImm, enc(0x73, 2) | imm(isa::csr::kTimeh), "rdtimeh", "d"},
    {kF3 | kRs1 | kImm, enc(0x73, 2) | imm(isa::csr::kInstreth), "rdinstreth", "d"},
    {kF3 | kRs1 | kImm, enc(0x73, 2) | imm(isa::csr::kFflags), "frflags", "d"},
    {kF3 | kRs1 | kImm, enc(0x73, 2) | imm(isa::csr::kFrm), "frrm", "d"},
    {kF3 | kRs1 | kImm, enc(0x73, 2) | imm(isa::csr::kFcsr), "frcsr", "d"},
    {kF3 | kRd | kImm, enc(0x73, 1) | imm(isa::csr::kFflags), "fsflags", "s"},
    {kF3 | kImm, enc(0x73, 1) | imm(isa::csr::kFflags), "fsflags", "d,s"},
    {kF3 | kRd | kImm, enc(0x73, 1) | imm(isa::csr::kFrm), "fsrm", "s"},
    {kF3 | kImm, enc(0x73, 1) | imm(isa::csr::kFrm), "fsrm", "d,s"},
    {kF3 | kRd | kImm, enc(0x73, 1) | imm(isa::csr::kFcsr), "fscsr", "s"},
    {kF3 | kImm, enc(0x73, 1) | imm(isa::csr::kFcsr), "fscsr", "d,s"},
    {kF3 | kImm, enc(0x73, 5) | imm(isa::csr::kFflags), "fsflagsi", "d,z"},
    {kF3 | kImm, enc(0x73, 5) | imm(isa::csr::kFrm), "fsrmi", "d,z"},
    {kF3 | kRd, enc(0x73, 1), "csrw", "c,s"},
    {kF3, enc(0x73, 1), "csrrw", "d,c,s"},
    {kF3 | kRs1, enc(0x73, 2), "csrr", "d,c"},
    {kF3 | kRd, enc(0x73, 2), "csrs", "c,s"},
    {kF3, enc(0x73, 2), "csrrs", "d,c,s"},
    {kF3 | kRd, enc(0x73, 3), "csrc", "c,s"},
    {kF3, enc(0x73, 3), "csrrc", "d,c,s"},
    {kF3 | kRd, enc(0x73, 5), "csrwi", "c,z"},
    {kF3, enc(0x73, 5), "csrrwi", "d,c,z"},
    {kF3 | kRd, enc(0x73, 6), "csrsi", "c,z"},
    {kF3, enc(0x73, 6), "csrrsi", "d,c,z"},
    {kF3 | kRd, enc(0x73, 7), "csrci", "c,z"},
    {kF3, enc(0x73, 7), "csrrci", "d,c,z"},
};

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

std::string lower_hex(std::uint32_t value, const char* format) {
  char text[16];
  std::snprintf(text, sizeof text, format, value);
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

std::string target(std::uint32_t address, const AddressNamer& namer) {
  std::string text = lower_hex(address, "%x");
  if (namer) {
    const std::string name = namer(address);
    if (!name.empty()) text += " <" + name + ">";
  }
  return text;
}

std::string operand(char letter, std::uint32_t x, std::uint32_t pc, const AddressNamer& namer) {
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
      return lower_hex(bits(x, 24, 20), "0x%x");
    case 'U':
      return lower_hex(x >> 12, "0x%x");
    case 'L':
    case 'A':
      return std::to_string(imm_i(x)) + "(" + base + ")";
    case 'W':
      return std::to_string(imm_s(x)) + "(" + base + ")";
    case 'b':
      return target(pc + static_cast<std::uint32_t>(imm_b(x)), namer);
    case 'J':
      return target(pc + static_cast<std::uint32_t>(imm_j(x)), namer);
    case 'c':
      return csr_name(bits(x, 31, 20));
    case 'z':
      return std::to_string(bits(x, 19, 15));
    case 'f':
      return fence_set(bits(x, 27, 24)) + "," + fence_set(bits(x, 23, 20));
    default:
      return std::string(1, letter);
  }
}

/** Compressed hints keep their own names, since what they expand to would read as something else. */
std::string compressed_hint(std::uint32_t insn) {
  const std::uint32_t reg = bits(insn, 11, 7);
  const std::uint32_t rs2 = bits(insn, 6, 2);
  const std::int32_t value = sign_extend((bits(insn, 12, 12) << 5) | bits(insn, 6, 2), 6);
  const std::string name = register_name(reg);
  switch ((insn & 0xe003U)) {
    case 0x0001:  // c.nop, c.addi
      if (reg == 0 && value != 0) return "c.nop\t" + std::to_string(value);
      if (reg != 0 && value == 0) return "addi\t" + name + "," + name + ",0";
      break;
    case 0x4001:  // c.li
      if (reg == 0) return "c.li\tzero," + std::to_string(value);
      break;
    case 0x6001:  // c.lui
      if (reg == 0 && value != 0)
        return "c.lui\tzero," + lower_hex(static_cast<std::uint32_t>(value) & 0xfffff, "0x%x");
      break;
    case 0x0002:  // c.slli
      if (reg == 0 && bits(insn, 12, 12) == 0) {
        return rs2 == 0 ? "c.slli64\tzero" : "c.slli\tzero," + lower_hex(rs2, "0x%x");
      }
      if (rs2 == 0 && bits(insn, 12, 12) == 0) return "c.slli64\t" + name;
      break;
    case 0x8001:  // c.srli, c.srai
      if (bits(insn, 12, 12) == 0 && rs2 == 0 && bits(insn, 11, 10) < 2) {
        return std::string(bits(insn, 11, 10) == 0 ? "c.srli64\t" : "c.srai64\t") + register_name(8 + bits(insn, 9, 7));
      }
      break;
    case 0x8002:  // c.mv, c.add
      if (reg == 0 && rs2 != 0) {
        return std::string(bits(insn, 12, 12) != 0 ? "c.add\tzero," : "c.mv\tzero,") + register_name(rs2);
      }
      break;
    default:
      break;
  }
  return {};
}

}  // namespace

const char* register_name(unsigned number) {
  static constexpr std::array<const char*, 32> kNames = {
      "zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "s0", "s1", "a0",  "a1",  "a2", "a3", "a4", "a5",
      "a6",   "a7", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6"};
  return kNames[number & 31];
}

std::string disassemble(std::uint32_t insn, std::uint32_t pc, const AddressNamer& namer, bool has_c) {
  const bool compressed = instruction_size(insn, has_c) == 2;
  std::uint32_t full = insn;
  if (compressed) {
    insn &= 0xffff;
    if (insn == 0) return "unimp";
    std::string hint = compressed_hint(insn);
    if (!hint.empty()) return hint;
    full = expand_compressed(static_cast<std::uint16_t>(insn));
    if (full == 0) return ".2byte\t" + lower_hex(insn, "0x%x");
    // c.mv expands to `add rd, x0, rs2`, which has no alias of its own.
    if ((insn & 0xf003U) == 0x8002U && bits(insn, 6, 2) != 0) {
      return std::string("mv\t") + register_name(bits(insn, 11, 7)) + "," + register_name(bits(insn, 6, 2));
    }
  }
  for (const Line& line : kLines) {
    if ((full & line.mask) != line.match) continue;
    std::string text = line.name;
    if (line.mask == kF5 || line.mask == (kF5 | kRs2)) text += kOrders[bits(full, 26, 25)];
    if (line.operands[0] != '\0') text += '\t';
    for (const char* letter = line.operands; *letter != '\0'; ++letter) text += operand(*letter, full, pc, namer);
    return text;
  }
  std::string text = compressed ? std::string() : disassemble_float(full);
  if (!text.empty()) return text;
  return ".4byte\t" + lower_hex(insn, "0x%x");
}

}  // namespace trapeze
