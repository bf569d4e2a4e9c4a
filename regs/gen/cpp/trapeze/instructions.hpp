// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Generated from regs/isa by regs/generate.py; do not edit.
/**
 * @file
 * Every instruction: bits, operands, text, expansion.
 */
#ifndef TRAPEZE_INSTRUCTIONS_HPP_
#define TRAPEZE_INSTRUCTIONS_HPP_

#include <array>
#include <cstdint>

namespace trapeze::isa {

/** Registers that an instruction has, as bits. */
enum RegisterField : std::uint8_t { kRd = 1, kRs1 = 2, kRs2 = 4, kRs3 = 8 };

/** Widths that have an instruction, as bits. */
enum Width : std::uint8_t { k32 = 1, k64 = 2 };

/** The bit of a width of 32 or 64. */
constexpr unsigned width_bit(unsigned xlen) {
  return xlen == 64 ? k64 : k32;
}

/** What a hart has or has not. */
enum class Extension : std::uint8_t { kI, kM, kA, kZba, kZbb, kZbs, kZicbom, kMachine, kS, kFastirq, kSuclic, kUfastirq, kUintr, kF, kD };

/** Where the immediate is; rounding: the mode in funct3. */
enum class Immediate : std::uint8_t { kI, kS, kB, kU, kJ, kURelative, kNone, kShift, kCsr, kRounding };

/** An instruction of 32 bits: it is meant when (word & mask) == match. `registers`: RegisterField; `widths`: Width. */
struct Instruction {
  std::uint32_t match;
  std::uint32_t mask;
  Extension of;
  std::uint8_t widths;
  std::uint8_t registers;
  Immediate immediate;
};

/** Every instruction. */
inline constexpr std::array<Instruction, 217> kInstructions = {{
    {0x00000037, 0x0000007f, Extension::kI, k32 | k64, kRd, Immediate::kU},  // lui
    {0x00000017, 0x0000007f, Extension::kI, k32 | k64, kRd, Immediate::kURelative},  // auipc
    {0x0000006f, 0x0000007f, Extension::kI, k32 | k64, kRd, Immediate::kJ},  // jal
    {0x00000067, 0x0000707f, Extension::kI, k32 | k64, kRd | kRs1, Immediate::kI},  // jalr
    {0x00000063, 0x0000707f, Extension::kI, k32 | k64, kRs1 | kRs2, Immediate::kB},  // beq
    {0x00001063, 0x0000707f, Extension::kI, k32 | k64, kRs1 | kRs2, Immediate::kB},  // bne
    {0x00004063, 0x0000707f, Extension::kI, k32 | k64, kRs1 | kRs2, Immediate::kB},  // blt
    {0x00005063, 0x0000707f, Extension::kI, k32 | k64, kRs1 | kRs2, Immediate::kB},  // bge
    {0x00006063, 0x0000707f, Extension::kI, k32 | k64, kRs1 | kRs2, Immediate::kB},  // bltu
    {0x00007063, 0x0000707f, Extension::kI, k32 | k64, kRs1 | kRs2, Immediate::kB},  // bgeu
    {0x00000003, 0x0000707f, Extension::kI, k32 | k64, kRd | kRs1, Immediate::kI},  // lb
    {0x00001003, 0x0000707f, Extension::kI, k32 | k64, kRd | kRs1, Immediate::kI},  // lh
    {0x00002003, 0x0000707f, Extension::kI, k32 | k64, kRd | kRs1, Immediate::kI},  // lw
    {0x00003003, 0x0000707f, Extension::kI, k64, kRd | kRs1, Immediate::kI},  // ld
    {0x00004003, 0x0000707f, Extension::kI, k32 | k64, kRd | kRs1, Immediate::kI},  // lbu
    {0x00005003, 0x0000707f, Extension::kI, k32 | k64, kRd | kRs1, Immediate::kI},  // lhu
    {0x00006003, 0x0000707f, Extension::kI, k64, kRd | kRs1, Immediate::kI},  // lwu
    {0x00000023, 0x0000707f, Extension::kI, k32 | k64, kRs1 | kRs2, Immediate::kS},  // sb
    {0x00001023, 0x0000707f, Extension::kI, k32 | k64, kRs1 | kRs2, Immediate::kS},  // sh
    {0x00002023, 0x0000707f, Extension::kI, k32 | k64, kRs1 | kRs2, Immediate::kS},  // sw
    {0x00003023, 0x0000707f, Extension::kI, k64, kRs1 | kRs2, Immediate::kS},  // sd
    {0x00000013, 0x0000707f, Extension::kI, k32 | k64, kRd | kRs1, Immediate::kI},  // addi
    {0x00002013, 0x0000707f, Extension::kI, k32 | k64, kRd | kRs1, Immediate::kI},  // slti
    {0x00003013, 0x0000707f, Extension::kI, k32 | k64, kRd | kRs1, Immediate::kI},  // sltiu
    {0x00004013, 0x0000707f, Extension::kI, k32 | k64, kRd | kRs1, Immediate::kI},  // xori
    {0x00006013, 0x0000707f, Extension::kI, k32 | k64, kRd | kRs1, Immediate::kI},  // ori
    {0x00007013, 0x0000707f, Extension::kI, k32 | k64, kRd | kRs1, Immediate::kI},  // andi
    {0x00001013, 0xfe00707f, Extension::kI, k32, kRd | kRs1, Immediate::kShift},  // slli
    {0x00001013, 0xfc00707f, Extension::kI, k64, kRd | kRs1, Immediate::kShift},  // slli
    {0x00005013, 0xfe00707f, Extension::kI, k32, kRd | kRs1, Immediate::kShift},  // srli
    {0x00005013, 0xfc00707f, Extension::kI, k64, kRd | kRs1, Immediate::kShift},  // srli
    {0x40005013, 0xfe00707f, Extension::kI, k32, kRd | kRs1, Immediate::kShift},  // srai
    {0x40005013, 0xfc00707f, Extension::kI, k64, kRd | kRs1, Immediate::kShift},  // srai
    {0x00000033, 0xfe00707f, Extension::kI, k32 | k64, kRd | kRs1 | kRs2, Immediate::kNone},  // add
    {0x40000033, 0xfe00707f, Extension::kI, k32 | k64, kRd | kRs1 | kRs2, Immediate::kNone},  // sub
    {0x00001033, 0xfe00707f, Extension::kI, k32 | k64, kRd | kRs1 | kRs2, Immediate::kNone},  // sll
    {0x00002033, 0xfe00707f, Extension::kI, k32 | k64, kRd | kRs1 | kRs2, Immediate::kNone},  // slt
    {0x00003033, 0xfe00707f, Extension::kI, k32 | k64, kRd | kRs1 | kRs2, Immediate::kNone},  // sltu
    {0x00004033, 0xfe00707f, Extension::kI, k32 | k64, kRd | kRs1 | kRs2, Immediate::kNone},  // xor
    {0x00005033, 0xfe00707f, Extension::kI, k32 | k64, kRd | kRs1 | kRs2, Immediate::kNone},  // srl
    {0x40005033, 0xfe00707f, Extension::kI, k32 | k64, kRd | kRs1 | kRs2, Immediate::kNone},  // sra
    {0x00006033, 0xfe00707f, Extension::kI, k32 | k64, kRd | kRs1 | kRs2, Immediate::kNone},  // or
    {0x00007033, 0xfe00707f, Extension::kI, k32 | k64, kRd | kRs1 | kRs2, Immediate::kNone},  // and
    {0x0000001b, 0x0000707f, Extension::kI, k64, kRd | kRs1, Immediate::kI},  // addiw
    {0x0000101b, 0xfe00707f, Extension::kI, k64, kRd | kRs1, Immediate::kShift},  // slliw
    {0x0000501b, 0xfe00707f, Extension::kI, k64, kRd | kRs1, Immediate::kShift},  // srliw
    {0x4000501b, 0xfe00707f, Extension::kI, k64, kRd | kRs1, Immediate::kShift},  // sraiw
    {0x0000003b, 0xfe00707f, Extension::kI, k64, kRd | kRs1 | kRs2, Immediate::kNone},  // addw
    {0x4000003b, 0xfe00707f, Extension::kI, k64, kRd | kRs1 | kRs2, Immediate::kNone},  // subw
    {0x0000103b, 0xfe00707f, Extension::kI, k64, kRd | kRs1 | kRs2, Immediate::kNone},  // sllw
    {0x0000503b, 0xfe00707f, Extension::kI, k64, kRd | kRs1 | kRs2, Immediate::kNone},  // srlw
    {0x4000503b, 0xfe00707f, Extension::kI, k64, kRd | kRs1 | kRs2, Immediate::kNone},  // sraw
    {0x02000033, 0xfe00707f, Extension::kM, k32 | k64, kRd | kRs1 | kRs2, Immediate::kNone},  // mul
    {0x02001033, 0xfe00707f, Extension::kM, k32 | k64, kRd | kRs1 | kRs2, Immediate::kNone},  // mulh
    {0x02002033, 0xfe00707f, Extension::kM, k32 | k64, kRd | kRs1 | kRs2, Immediate::kNone},  // mulhsu
    {0x02003033, 0xfe00707f, Extension::kM, k32 | k64, kRd | kRs1 | kRs2, Immediate::kNone},  // mulhu
    {0x02004033, 0xfe00707f, Extension::kM, k32 | k64, kRd | kRs1 | kRs2, Immediate::kNone},  // div
    {0x02005033, 0xfe00707f, Extension::kM, k32 | k64, kRd | kRs1 | kRs2, Immediate::kNone},  // divu
    {0x02006033, 0xfe00707f, Extension::kM, k32 | k64, kRd | kRs1 | kRs2, Immediate::kNone},  // rem
    {0x02007033, 0xfe00707f, Extension::kM, k32 | k64, kRd | kRs1 | kRs2, Immediate::kNone},  // remu
    {0x0200003b, 0xfe00707f, Extension::kM, k64, kRd | kRs1 | kRs2, Immediate::kNone},  // mulw
    {0x0200403b, 0xfe00707f, Extension::kM, k64, kRd | kRs1 | kRs2, Immediate::kNone},  // divw
    {0x0200503b, 0xfe00707f, Extension::kM, k64, kRd | kRs1 | kRs2, Immediate::kNone},  // divuw
    {0x0200603b, 0xfe00707f, Extension::kM, k64, kRd | kRs1 | kRs2, Immediate::kNone},  // remw
    {0x0200703b, 0xfe00707f, Extension::kM, k64, kRd | kRs1 | kRs2, Immediate::kNone},  // remuw
    {0x1000202f, 0xf9f0707f, Extension::kA, k32 | k64, kRd | kRs1, Immediate::kNone},  // lr.w
    {0x1800202f, 0xf800707f, Extension::kA, k32 | k64, kRd | kRs1 | kRs2, Immediate::kNone},  // sc.w
    {0x0800202f, 0xf800707f, Extension::kA, k32 | k64, kRd | kRs1 | kRs2, Immediate::kNone},  // amoswap.w
    {0x0000202f, 0xf800707f, Extension::kA, k32 | k64, kRd | kRs1 | kRs2, Immediate::kNone},  // amoadd.w
    {0x2000202f, 0xf800707f, Extension::kA, k32 | k64, kRd | kRs1 | kRs2, Immediate::kNone},  // amoxor.w
    {0x6000202f, 0xf800707f, Extension::kA, k32 | k64, kRd | kRs1 | kRs2, Immediate::kNone},  // amoand.w
    {0x4000202f, 0xf800707f, Extension::kA, k32 | k64, kRd | kRs1 | kRs2, Immediate::kNone},  // amoor.w
    {0x8000202f, 0xf800707f, Extension::kA, k32 | k64, kRd | kRs1 | kRs2, Immediate::kNone},  // amomin.w
    {0xa000202f, 0xf800707f, Extension::kA, k32 | k64, kRd | kRs1 | kRs2, Immediate::kNone},  // amomax.w
    {0xc000202f, 0xf800707f, Extension::kA, k32 | k64, kRd | kRs1 | kRs2, Immediate::kNone},  // amominu.w
    {0xe000202f, 0xf800707f, Extension::kA, k32 | k64, kRd | kRs1 | kRs2, Immediate::kNone},  // amomaxu.w
    {0x1000302f, 0xf9f0707f, Extension::kA, k64, kRd | kRs1, Immediate::kNone},  // lr.d
    {0x1800302f, 0xf800707f, Extension::kA, k64, kRd | kRs1 | kRs2, Immediate::kNone},  // sc.d
    {0x0800302f, 0xf800707f, Extension::kA, k64, kRd | kRs1 | kRs2, Immediate::kNone},  // amoswap.d
    {0x0000302f, 0xf800707f, Extension::kA, k64, kRd | kRs1 | kRs2, Immediate::kNone},  // amoadd.d
    {0x2000302f, 0xf800707f, Extension::kA, k64, kRd | kRs1 | kRs2, Immediate::kNone},  // amoxor.d
    {0x6000302f, 0xf800707f, Extension::kA, k64, kRd | kRs1 | kRs2, Immediate::kNone},  // amoand.d
    {0x4000302f, 0xf800707f, Extension::kA, k64, kRd | kRs1 | kRs2, Immediate::kNone},  // amoor.d
    {0x8000302f, 0xf800707f, Extension::kA, k64, kRd | kRs1 | kRs2, Immediate::kNone},  // amomin.d
    {0xa000302f, 0xf800707f, Extension::kA, k64, kRd | kRs1 | kRs2, Immediate::kNone},  // amomax.d
    {0xc000302f, 0xf800707f, Extension::kA, k64, kRd | kRs1 | kRs2, Immediate::kNone},  // amominu.d
    {0xe000302f, 0xf800707f, Extension::kA, k64, kRd | kRs1 | kRs2, Immediate::kNone},  // amomaxu.d
    {0x20002033, 0xfe00707f, Extension::kZba, k32 | k64, kRd | kRs1 | kRs2, Immediate::kNone},  // sh1add
    {0x20004033, 0xfe00707f, Extension::kZba, k32 | k64, kRd | kRs1 | kRs2, Immediate::kNone},  // sh2add
    {0x20006033, 0xfe00707f, Extension::kZba, k32 | k64, kRd | kRs1 | kRs2, Immediate::kNone},  // sh3add
    {0x0800003b, 0xfe00707f, Extension::kZba, k64, kRd | kRs1 | kRs2, Immediate::kNone},  // add.uw
    {0x2000203b, 0xfe00707f, Extension::kZba, k64, kRd | kRs1 | kRs2, Immediate::kNone},  // sh1add.uw
    {0x2000403b, 0xfe00707f, Extension::kZba, k64, kRd | kRs1 | kRs2, Immediate::kNone},  // sh2add.uw
    {0x2000603b, 0xfe00707f, Extension::kZba, k64, kRd | kRs1 | kRs2, Immediate::kNone},  // sh3add.uw
    {0x0800101b, 0xfc00707f, Extension::kZba, k64, kRd | kRs1, Immediate::kShift},  // slli.uw
    {0x40007033, 0xfe00707f, Extension::kZbb, k32 | k64, kRd | kRs1 | kRs2, Immediate::kNone},  // andn
    {0x40006033, 0xfe00707f, Extension::kZbb, k32 | k64, kRd | kRs1 | kRs2, Immediate::kNone},  // orn
    {0x40004033, 0xfe00707f, Extension::kZbb, k32 | k64, kRd | kRs1 | kRs2, Immediate::kNone},  // xnor
    {0x0a004033, 0xfe00707f, Extension::kZbb, k32 | k64, kRd | kRs1 | kRs2, Immediate::kNone},  // min
    {0x0a005033, 0xfe00707f, Extension::kZbb, k32 | k64, kRd | kRs1 | kRs2, Immediate::kNone},  // minu
    {0x0a006033, 0xfe00707f, Extension::kZbb, k32 | k64, kRd | kRs1 | kRs2, Immediate::kNone},  // max
    {0x0a007033, 0xfe00707f, Extension::kZbb, k32 | k64, kRd | kRs1 | kRs2, Immediate::kNone},  // maxu
    {0x60001033, 0xfe00707f, Extension::kZbb, k32 | k64, kRd | kRs1 | kRs2, Immediate::kNone},  // rol
    {0x60005033, 0xfe00707f, Extension::kZbb, k32 | k64, kRd | kRs1 | kRs2, Immediate::kNone},  // ror
    {0x60005013, 0xfe00707f, Extension::kZbb, k32, kRd | kRs1, Immediate::kShift},  // rori
    {0x60005013, 0xfc00707f, Extension::kZbb, k64, kRd | kRs1, Immediate::kShift},  // rori
    {0x08004033, 0xfff0707f, Extension::kZbb, k32, kRd | kRs1, Immediate::kNone},  // zext.h
    {0x0800403b, 0xfff0707f, Extension::kZbb, k64, kRd | kRs1, Immediate::kNone},  // zext.h
    {0x60001013, 0xfff0707f, Extension::kZbb, k32 | k64, kRd | kRs1, Immediate::kNone},  // clz
    {0x60101013, 0xfff0707f, Extension::kZbb, k32 | k64, kRd | kRs1, Immediate::kNone},  // ctz
    {0x60201013, 0xfff0707f, Extension::kZbb, k32 | k64, kRd | kRs1, Immediate::kNone},  // cpop
    {0x60401013, 0xfff0707f, Extension::kZbb, k32 | k64, kRd | kRs1, Immediate::kNone},  // sext.b
    {0x60501013, 0xfff0707f, Extension::kZbb, k32 | k64, kRd | kRs1, Immediate::kNone},  // sext.h
    {0x28705013, 0xfff0707f, Extension::kZbb, k32 | k64, kRd | kRs1, Immediate::kNone},  // orc.b
    {0x69805013, 0xfff0707f, Extension::kZbb, k32, kRd | kRs1, Immediate::kNone},  // rev8
    {0x6b805013, 0xfff0707f, Extension::kZbb, k64, kRd | kRs1, Immediate::kNone},  // rev8
    {0x6000101b, 0xfff0707f, Extension::kZbb, k64, kRd | kRs1, Immediate::kNone},  // clzw
    {0x6010101b, 0xfff0707f, Extension::kZbb, k64, kRd | kRs1, Immediate::kNone},  // ctzw
    {0x6020101b, 0xfff0707f, Extension::kZbb, k64, kRd | kRs1, Immediate::kNone},  // cpopw
    {0x6000103b, 0xfe00707f, Extension::kZbb, k64, kRd | kRs1 | kRs2, Immediate::kNone},  // rolw
    {0x6000503b, 0xfe00707f, Extension::kZbb, k64, kRd | kRs1 | kRs2, Immediate::kNone},  // rorw
    {0x6000501b, 0xfe00707f, Extension::kZbb, k64, kRd | kRs1, Immediate::kShift},  // roriw
    {0x48001033, 0xfe00707f, Extension::kZbs, k32 | k64, kRd | kRs1 | kRs2, Immediate::kNone},  // bclr
    {0x48001013, 0xfe00707f, Extension::kZbs, k32, kRd | kRs1, Immediate::kShift},  // bclri
    {0x48001013, 0xfc00707f, Extension::kZbs, k64, kRd | kRs1, Immediate::kShift},  // bclri
    {0x48005033, 0xfe00707f, Extension::kZbs, k32 | k64, kRd | kRs1 | kRs2, Immediate::kNone},  // bext
    {0x48005013, 0xfe00707f, Extension::kZbs, k32, kRd | kRs1, Immediate::kShift},  // bexti
    {0x48005013, 0xfc00707f, Extension::kZbs, k64, kRd | kRs1, Immediate::kShift},  // bexti
    {0x68001033, 0xfe00707f, Extension::kZbs, k32 | k64, kRd | kRs1 | kRs2, Immediate::kNone},  // binv
    {0x68001013, 0xfe00707f, Extension::kZbs, k32, kRd | kRs1, Immediate::kShift},  // binvi
    {0x68001013, 0xfc00707f, Extension::kZbs, k64, kRd | kRs1, Immediate::kShift},  // binvi
    {0x28001033, 0xfe00707f, Extension::kZbs, k32 | k64, kRd | kRs1 | kRs2, Immediate::kNone},  // bset
    {0x28001013, 0xfe00707f, Extension::kZbs, k32, kRd | kRs1, Immediate::kShift},  // bseti
    {0x28001013, 0xfc00707f, Extension::kZbs, k64, kRd | kRs1, Immediate::kShift},  // bseti
    {0x0000000f, 0x0000707f, Extension::kI, k32 | k64, 0, Immediate::kNone},  // fence
    {0x0000100f, 0x0000707f, Extension::kI, k32 | k64, 0, Immediate::kNone},  // fence.i
    {0x0000200f, 0xfff07fff, Extension::kZicbom, k32 | k64, kRs1, Immediate::kNone},  // cbo.inval
    {0x0010200f, 0xfff07fff, Extension::kZicbom, k32 | k64, kRs1, Immediate::kNone},  // cbo.clean
    {0x0020200f, 0xfff07fff, Extension::kZicbom, k32 | k64, kRs1, Immediate::kNone},  // cbo.flush
    {0x00000073, 0xffffffff, Extension::kI, k32 | k64, 0, Immediate::kNone},  // ecall
    {0x00100073, 0xffffffff, Extension::kI, k32 | k64, 0, Immediate::kNone},  // ebreak
    {0x30200073, 0xffffffff, Extension::kMachine, k32 | k64, 0, Immediate::kNone},  // mret
    {0x10500073, 0xffffffff, Extension::kMachine, k32 | k64, 0, Immediate::kNone},  // wfi
    {0x10200073, 0xffffffff, Extension::kS, k32 | k64, 0, Immediate::kNone},  // sret
    {0x12000073, 0xfe007fff, Extension::kS, k32 | k64, kRs1 | kRs2, Immediate::kNone},  // sfence.vma
    {0xbc200073, 0xffffffff, Extension::kFastirq, k32 | k64, 0, Immediate::kNone},  // emret
    {0x00200073, 0xffffffff, Extension::kSuclic, k32 | k64, 0, Immediate::kNone},  // uret
    {0x8c200073, 0xffffffff, Extension::kUfastirq, k32 | k64, 0, Immediate::kNone},  // euret
    {0x8e000073, 0xfff07fff, Extension::kUintr, k32 | k64, kRs1, Immediate::kNone},  // senduipi
    {0x00001073, 0x0000707f, Extension::kI, k32 | k64, kRd | kRs1, Immediate::kCsr},  // csrrw
    {0x00002073, 0x0000707f, Extension::kI, k32 | k64, kRd | kRs1, Immediate::kCsr},  // csrrs
    {0x00003073, 0x0000707f, Extension::kI, k32 | k64, kRd | kRs1, Immediate::kCsr},  // csrrc
    {0x00005073, 0x0000707f, Extension::kI, k32 | k64, kRd, Immediate::kCsr},  // csrrwi
    {0x00006073, 0x0000707f, Extension::kI, k32 | k64, kRd, Immediate::kCsr},  // csrrsi
    {0x00007073, 0x0000707f, Extension::kI, k32 | k64, kRd, Immediate::kCsr},  // csrrci
    {0x00002007, 0x0000707f, Extension::kF, k32 | k64, kRd | kRs1, Immediate::kI},  // flw
    {0x00002027, 0x0000707f, Extension::kF, k32 | k64, kRs1 | kRs2, Immediate::kS},  // fsw
    {0x00000053, 0xfe00007f, Extension::kF, k32 | k64, kRd | kRs1 | kRs2, Immediate::kRounding},  // fadd.s
    {0x08000053, 0xfe00007f, Extension::kF, k32 | k64, kRd | kRs1 | kRs2, Immediate::kRounding},  // fsub.s
    {0x10000053, 0xfe00007f, Extension::kF, k32 | k64, kRd | kRs1 | kRs2, Immediate::kRounding},  // fmul.s
    {0x18000053, 0xfe00007f, Extension::kF, k32 | k64, kRd | kRs1 | kRs2, Immediate::kRounding},  // fdiv.s
    {0x58000053, 0xfff0007f, Extension::kF, k32 | k64, kRd | kRs1, Immediate::kRounding},  // fsqrt.s
    {0x20000053, 0xfe00707f, Extension::kF, k32 | k64, kRd | kRs1 | kRs2, Immediate::kNone},  // fsgnj.s
    {0x20001053, 0xfe00707f, Extension::kF, k32 | k64, kRd | kRs1 | kRs2, Immediate::kNone},  // fsgnjn.s
    {0x20002053, 0xfe00707f, Extension::kF, k32 | k64, kRd | kRs1 | kRs2, Immediate::kNone},  // fsgnjx.s
    {0x28000053, 0xfe00707f, Extension::kF, k32 | k64, kRd | kRs1 | kRs2, Immediate::kNone},  // fmin.s
    {0x28001053, 0xfe00707f, Extension::kF, k32 | k64, kRd | kRs1 | kRs2, Immediate::kNone},  // fmax.s
    {0xa0000053, 0xfe00707f, Extension::kF, k32 | k64, kRd | kRs1 | kRs2, Immediate::kNone},  // fle.s
    {0xa0001053, 0xfe00707f, Extension::kF, k32 | k64, kRd | kRs1 | kRs2, Immediate::kNone},  // flt.s
    {0xa0002053, 0xfe00707f, Extension::kF, k32 | k64, kRd | kRs1 | kRs2, Immediate::kNone},  // feq.s
    {0xc0000053, 0xfff0007f, Extension::kF, k32 | k64, kRd | kRs1, Immediate::kRounding},  // fcvt.w.s
    {0xd0000053, 0xfff0007f, Extension::kF, k32 | k64, kRd | kRs1, Immediate::kRounding},  // fcvt.s.w
    {0xc0100053, 0xfff0007f, Extension::kF, k32 | k64, kRd | kRs1, Immediate::kRounding},  // fcvt.wu.s
    {0xd0100053, 0xfff0007f, Extension::kF, k32 | k64, kRd | kRs1, Immediate::kRounding},  // fcvt.s.wu
    {0xc0200053, 0xfff0007f, Extension::kF, k64, kRd | kRs1, Immediate::kRounding},  // fcvt.l.s
    {0xd0200053, 0xfff0007f, Extension::kF, k64, kRd | kRs1, Immediate::kRounding},  // fcvt.s.l
    {0xc0300053, 0xfff0007f, Extension::kF, k64, kRd | kRs1, Immediate::kRounding},  // fcvt.lu.s
    {0xd0300053, 0xfff0007f, Extension::kF, k64, kRd | kRs1, Immediate::kRounding},  // fcvt.s.lu
    {0xe0000053, 0xfff0707f, Extension::kF, k32 | k64, kRd | kRs1, Immediate::kNone},  // fmv.x.w
    {0xe0001053, 0xfff0707f, Extension::kF, k32 | k64, kRd | kRs1, Immediate::kNone},  // fclass.s
    {0xf0000053, 0xfff0707f, Extension::kF, k32 | k64, kRd | kRs1, Immediate::kNone},  // fmv.w.x
    {0x00000043, 0x0600007f, Extension::kF, k32 | k64, kRd | kRs1 | kRs2 | kRs3, Immediate::kRounding},  // fmadd.s
    {0x00000047, 0x0600007f, Extension::kF, k32 | k64, kRd | kRs1 | kRs2 | kRs3, Immediate::kRounding},  // fmsub.s
    {0x0000004b, 0x0600007f, Extension::kF, k32 | k64, kRd | kRs1 | kRs2 | kRs3, Immediate::kRounding},  // fnmsub.s
    {0x0000004f, 0x0600007f, Extension::kF, k32 | k64, kRd | kRs1 | kRs2 | kRs3, Immediate::kRounding},  // fnmadd.s
    {0x00003007, 0x0000707f, Extension::kD, k32 | k64, kRd | kRs1, Immediate::kI},  // fld
    {0x00003027, 0x0000707f, Extension::kD, k32 | k64, kRs1 | kRs2, Immediate::kS},  // fsd
    {0x02000053, 0xfe00007f, Extension::kD, k32 | k64, kRd | kRs1 | kRs2, Immediate::kRounding},  // fadd.d
    {0x0a000053, 0xfe00007f, Extension::kD, k32 | k64, kRd | kRs1 | kRs2, Immediate::kRounding},  // fsub.d
    {0x12000053, 0xfe00007f, Extension::kD, k32 | k64, kRd | kRs1 | kRs2, Immediate::kRounding},  // fmul.d
    {0x1a000053, 0xfe00007f, Extension::kD, k32 | k64, kRd | kRs1 | kRs2, Immediate::kRounding},  // fdiv.d
    {0x5a000053, 0xfff0007f, Extension::kD, k32 | k64, kRd | kRs1, Immediate::kRounding},  // fsqrt.d
    {0x22000053, 0xfe00707f, Extension::kD, k32 | k64, kRd | kRs1 | kRs2, Immediate::kNone},  // fsgnj.d
    {0x22001053, 0xfe00707f, Extension::kD, k32 | k64, kRd | kRs1 | kRs2, Immediate::kNone},  // fsgnjn.d
    {0x22002053, 0xfe00707f, Extension::kD, k32 | k64, kRd | kRs1 | kRs2, Immediate::kNone},  // fsgnjx.d
    {0x2a000053, 0xfe00707f, Extension::kD, k32 | k64, kRd | kRs1 | kRs2, Immediate::kNone},  // fmin.d
    {0x2a001053, 0xfe00707f, Extension::kD, k32 | k64, kRd | kRs1 | kRs2, Immediate::kNone},  // fmax.d
    {0xa2000053, 0xfe00707f, Extension::kD, k32 | k64, kRd | kRs1 | kRs2, Immediate::kNone},  // fle.d
    {0xa2001053, 0xfe00707f, Extension::kD, k32 | k64, kRd | kRs1 | kRs2, Immediate::kNone},  // flt.d
    {0xa2002053, 0xfe00707f, Extension::kD, k32 | k64, kRd | kRs1 | kRs2, Immediate::kNone},  // feq.d
    {0xc2000053, 0xfff0007f, Extension::kD, k32 | k64, kRd | kRs1, Immediate::kRounding},  // fcvt.w.d
    {0xd2000053, 0xfff0007f, Extension::kD, k32 | k64, kRd | kRs1, Immediate::kRounding},  // fcvt.d.w
    {0xc2100053, 0xfff0007f, Extension::kD, k32 | k64, kRd | kRs1, Immediate::kRounding},  // fcvt.wu.d
    {0xd2100053, 0xfff0007f, Extension::kD, k32 | k64, kRd | kRs1, Immediate::kRounding},  // fcvt.d.wu
    {0xc2200053, 0xfff0007f, Extension::kD, k64, kRd | kRs1, Immediate::kRounding},  // fcvt.l.d
    {0xd2200053, 0xfff0007f, Extension::kD, k64, kRd | kRs1, Immediate::kRounding},  // fcvt.d.l
    {0xc2300053, 0xfff0007f, Extension::kD, k64, kRd | kRs1, Immediate::kRounding},  // fcvt.lu.d
    {0xd2300053, 0xfff0007f, Extension::kD, k64, kRd | kRs1, Immediate::kRounding},  // fcvt.d.lu
    {0xe2000053, 0xfff0707f, Extension::kD, k32 | k64, kRd | kRs1, Immediate::kNone},  // fmv.x.d
    {0xe2001053, 0xfff0707f, Extension::kD, k32 | k64, kRd | kRs1, Immediate::kNone},  // fclass.d
    {0xf2000053, 0xfff0707f, Extension::kD, k32 | k64, kRd | kRs1, Immediate::kNone},  // fmv.d.x
    {0x02000043, 0x0600007f, Extension::kD, k32 | k64, kRd | kRs1 | kRs2 | kRs3, Immediate::kRounding},  // fmadd.d
    {0x02000047, 0x0600007f, Extension::kD, k32 | k64, kRd | kRs1 | kRs2 | kRs3, Immediate::kRounding},  // fmsub.d
    {0x0200004b, 0x0600007f, Extension::kD, k32 | k64, kRd | kRs1 | kRs2 | kRs3, Immediate::kRounding},  // fnmsub.d
    {0x0200004f, 0x0600007f, Extension::kD, k32 | k64, kRd | kRs1 | kRs2 | kRs3, Immediate::kRounding},  // fnmadd.d
    {0x40100053, 0xfff0007f, Extension::kD, k32 | k64, kRd | kRs1, Immediate::kRounding},  // fcvt.s.d
    {0x42000053, 0xfff0007f, Extension::kD, k32 | k64, kRd | kRs1, Immediate::kRounding},  // fcvt.d.s
}};

/** What each does, in an enumeration with these names. */
template <typename Operation>
inline constexpr std::array<Operation, 217> kOperations = {{
    Operation::li,
    Operation::li,
    Operation::jal,
    Operation::jalr,
    Operation::beq,
    Operation::bne,
    Operation::blt,
    Operation::bge,
    Operation::bltu,
    Operation::bgeu,
    Operation::lb,
    Operation::lh,
    Operation::lw,
    Operation::ld,
    Operation::lbu,
    Operation::lhu,
    Operation::lwu,
    Operation::sb,
    Operation::sh,
    Operation::sw,
    Operation::sd,
    Operation::addi,
    Operation::slti,
    Operation::sltiu,
    Operation::xori,
    Operation::ori,
    Operation::andi,
    Operation::slli,
    Operation::slli,
    Operation::srli,
    Operation::srli,
    Operation::srai,
    Operation::srai,
    Operation::add,
    Operation::sub,
    Operation::sll,
    Operation::slt,
    Operation::sltu,
    Operation::xor_,
    Operation::srl,
    Operation::sra,
    Operation::or_,
    Operation::and_,
    Operation::addiw,
    Operation::slliw,
    Operation::srliw,
    Operation::sraiw,
    Operation::addw,
    Operation::subw,
    Operation::sllw,
    Operation::srlw,
    Operation::sraw,
    Operation::mul,
    Operation::mulh,
    Operation::mulhsu,
    Operation::mulhu,
    Operation::div,
    Operation::divu,
    Operation::rem,
    Operation::remu,
    Operation::mulw,
    Operation::divw,
    Operation::divuw,
    Operation::remw,
    Operation::remuw,
    Operation::lr_w,
    Operation::sc_w,
    Operation::amoswap_w,
    Operation::amoadd_w,
    Operation::amoxor_w,
    Operation::amoand_w,
    Operation::amoor_w,
    Operation::amomin_w,
    Operation::amomax_w,
    Operation::amominu_w,
    Operation::amomaxu_w,
    Operation::lr_d,
    Operation::sc_d,
    Operation::amoswap_d,
    Operation::amoadd_d,
    Operation::amoxor_d,
    Operation::amoand_d,
    Operation::amoor_d,
    Operation::amomin_d,
    Operation::amomax_d,
    Operation::amominu_d,
    Operation::amomaxu_d,
    Operation::sh1add,
    Operation::sh2add,
    Operation::sh3add,
    Operation::adduw,
    Operation::sh1adduw,
    Operation::sh2adduw,
    Operation::sh3adduw,
    Operation::slliuw,
    Operation::andn,
    Operation::orn,
    Operation::xnor,
    Operation::min,
    Operation::minu,
    Operation::max,
    Operation::maxu,
    Operation::rol,
    Operation::ror,
    Operation::rori,
    Operation::rori,
    Operation::zexth,
    Operation::zexth,
    Operation::clz,
    Operation::ctz,
    Operation::cpop,
    Operation::sextb,
    Operation::sexth,
    Operation::orcb,
    Operation::rev8,
    Operation::rev8,
    Operation::clzw,
    Operation::ctzw,
    Operation::cpopw,
    Operation::rolw,
    Operation::rorw,
    Operation::roriw,
    Operation::bclr,
    Operation::bclri,
    Operation::bclri,
    Operation::bext,
    Operation::bexti,
    Operation::bexti,
    Operation::binv,
    Operation::binvi,
    Operation::binvi,
    Operation::bset,
    Operation::bseti,
    Operation::bseti,
    Operation::nop,
    Operation::fence_i,
    Operation::cbo_inval,
    Operation::cbo_clean,
    Operation::cbo_flush,
    Operation::ecall,
    Operation::ebreak,
    Operation::mret,
    Operation::wfi,
    Operation::sret,
    Operation::sfence_vma,
    Operation::emret,
    Operation::uret,
    Operation::euret,
    Operation::senduipi,
    Operation::csr,
    Operation::csr,
    Operation::csr,
    Operation::csr,
    Operation::csr,
    Operation::csr,
    Operation::flw,
    Operation::fsw,
    Operation::fadd_s,
    Operation::fsub_s,
    Operation::fmul_s,
    Operation::fdiv_s,
    Operation::fsqrt_s,
    Operation::fsgnj_s,
    Operation::fsgnjn_s,
    Operation::fsgnjx_s,
    Operation::fmin_s,
    Operation::fmax_s,
    Operation::fle_s,
    Operation::flt_s,
    Operation::feq_s,
    Operation::fcvt_w_s,
    Operation::fcvt_s_w,
    Operation::fcvt_wu_s,
    Operation::fcvt_s_wu,
    Operation::fcvt_l_s,
    Operation::fcvt_s_l,
    Operation::fcvt_lu_s,
    Operation::fcvt_s_lu,
    Operation::fmv_x_w,
    Operation::fclass_s,
    Operation::fmv_w_x,
    Operation::fmadd_s,
    Operation::fmsub_s,
    Operation::fnmsub_s,
    Operation::fnmadd_s,
    Operation::fld,
    Operation::fsd,
    Operation::fadd_d,
    Operation::fsub_d,
    Operation::fmul_d,
    Operation::fdiv_d,
    Operation::fsqrt_d,
    Operation::fsgnj_d,
    Operation::fsgnjn_d,
    Operation::fsgnjx_d,
    Operation::fmin_d,
    Operation::fmax_d,
    Operation::fle_d,
    Operation::flt_d,
    Operation::feq_d,
    Operation::fcvt_w_d,
    Operation::fcvt_d_w,
    Operation::fcvt_wu_d,
    Operation::fcvt_d_wu,
    Operation::fcvt_l_d,
    Operation::fcvt_d_l,
    Operation::fcvt_lu_d,
    Operation::fcvt_d_lu,
    Operation::fmv_x_d,
    Operation::fclass_d,
    Operation::fmv_d_x,
    Operation::fmadd_d,
    Operation::fmsub_d,
    Operation::fnmsub_d,
    Operation::fnmadd_d,
    Operation::fcvt_s_d,
    Operation::fcvt_d_s,
}};

/** Where in the list of candidates those of a word begin; they end where those of the next index begin. */
constexpr unsigned instruction_index(std::uint32_t word) {
  return ((word >> 2) & 31U) * 8 + ((word >> 12) & 7U);
}

/** Numbers of instructions, by opcode and funct3. */
inline constexpr std::array<std::uint16_t, 490> kCandidates = {{
    10, 11, 12, 13, 14, 15, 16, 155, 185, 134, 135, 136, 137, 138, 21, 27, 28, 108, 109, 110,
    111, 112, 123, 124, 129, 130, 132, 133, 22, 23, 24, 29, 30, 31, 32, 104, 105, 113, 114, 115,
    126, 127, 25, 26, 1, 1, 1, 1, 1, 1, 1, 1, 43, 44, 94, 116, 117, 118, 45, 46,
    121, 17, 18, 19, 20, 156, 186, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77,
    78, 79, 80, 81, 82, 83, 84, 85, 86, 33, 34, 52, 35, 53, 102, 122, 128, 131, 36, 54,
    87, 37, 55, 38, 56, 88, 97, 98, 106, 39, 40, 57, 99, 103, 125, 41, 58, 89, 96, 100,
    42, 59, 95, 101, 0, 0, 0, 0, 0, 0, 0, 0, 47, 48, 60, 90, 49, 119, 91, 61,
    92, 107, 50, 51, 62, 120, 63, 93, 64, 181, 211, 181, 211, 181, 211, 181, 211, 181, 211, 181,
    211, 181, 211, 181, 211, 182, 212, 182, 212, 182, 212, 182, 212, 182, 212, 182, 212, 182, 212, 182,
    212, 183, 213, 183, 213, 183, 213, 183, 213, 183, 213, 183, 213, 183, 213, 183, 213, 184, 214, 184,
    214, 184, 214, 184, 214, 184, 214, 184, 214, 184, 214, 184, 214, 157, 158, 159, 160, 161, 162, 165,
    167, 170, 171, 172, 173, 174, 175, 176, 177, 178, 180, 187, 188, 189, 190, 191, 192, 195, 197, 200,
    201, 202, 203, 204, 205, 206, 207, 208, 210, 215, 216, 157, 158, 159, 160, 161, 163, 166, 168, 170,
    171, 172, 173, 174, 175, 176, 177, 179, 187, 188, 189, 190, 191, 193, 196, 198, 200, 201, 202, 203,
    204, 205, 206, 207, 209, 215, 216, 157, 158, 159, 160, 161, 164, 169, 170, 171, 172, 173, 174, 175,
    176, 177, 187, 188, 189, 190, 191, 194, 199, 200, 201, 202, 203, 204, 205, 206, 207, 215, 216, 157,
    158, 159, 160, 161, 170, 171, 172, 173, 174, 175, 176, 177, 187, 188, 189, 190, 191, 200, 201, 202,
    203, 204, 205, 206, 207, 215, 216, 157, 158, 159, 160, 161, 170, 171, 172, 173, 174, 175, 176, 177,
    187, 188, 189, 190, 191, 200, 201, 202, 203, 204, 205, 206, 207, 215, 216, 157, 158, 159, 160, 161,
    170, 171, 172, 173, 174, 175, 176, 177, 187, 188, 189, 190, 191, 200, 201, 202, 203, 204, 205, 206,
    207, 215, 216, 157, 158, 159, 160, 161, 170, 171, 172, 173, 174, 175, 176, 177, 187, 188, 189, 190,
    191, 200, 201, 202, 203, 204, 205, 206, 207, 215, 216, 157, 158, 159, 160, 161, 170, 171, 172, 173,
    174, 175, 176, 177, 187, 188, 189, 190, 191, 200, 201, 202, 203, 204, 205, 206, 207, 215, 216, 4,
    5, 6, 7, 8, 9, 3, 2, 2, 2, 2, 2, 2, 2, 2, 139, 140, 141, 142, 143, 144,
    145, 146, 147, 148, 149, 150, 151, 152, 153, 154,
}};

/** By instruction_index(). */
inline constexpr std::array<std::uint16_t, 257> kFirstCandidate = {{
    0, 1, 2, 3, 4, 5, 6, 7, 7, 7, 7, 8, 9, 9, 9, 9, 9, 9, 9, 9,
    9, 9, 9, 9, 9, 10, 11, 14, 14, 14, 14, 14, 14, 15, 28, 29, 30, 31, 42, 43,
    44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 58, 58, 58, 58, 61, 61, 61, 61, 61, 61,
    61, 61, 61, 61, 61, 62, 63, 64, 65, 65, 65, 65, 65, 65, 65, 66, 67, 67, 67, 67,
    67, 67, 67, 67, 67, 67, 67, 67, 67, 67, 67, 78, 89, 89, 89, 89, 89, 92, 98, 101,
    103, 109, 115, 120, 124, 125, 126, 127, 128, 129, 130, 131, 132, 136, 138, 139, 139, 142, 146, 148,
    149, 149, 149, 149, 149, 149, 149, 149, 149, 151, 153, 155, 157, 159, 161, 163, 165, 167, 169, 171,
    173, 175, 177, 179, 181, 183, 185, 187, 189, 191, 193, 195, 197, 199, 201, 203, 205, 207, 209, 211,
    213, 251, 287, 319, 347, 375, 403, 431, 459, 459, 459, 459, 459, 459, 459, 459, 459, 459, 459, 459,
    459, 459, 459, 459, 459, 459, 459, 459, 459, 459, 459, 459, 459, 460, 461, 461, 461, 462, 463, 464,
    465, 466, 466, 466, 466, 466, 466, 466, 466, 466, 466, 466, 466, 466, 466, 466, 466, 467, 468, 469,
    470, 471, 472, 473, 474, 484, 485, 486, 487, 487, 488, 489, 490, 490, 490, 490, 490, 490, 490, 490,
    490, 490, 490, 490, 490, 490, 490, 490, 490, 490, 490, 490, 490, 490, 490, 490, 490,
}};

/** Text of an instruction; the first line that fits wins. Letters of `operands`: regs/isa/instructions.yaml.
 * `widths`: Width. `ordered`: the order of an atomic operation is appended to the name; `same`: only if rs1 is rs2. */
struct InstructionText {
  std::uint32_t match;
  std::uint32_t mask;
  const char* name;
  const char* operands;
  std::uint8_t widths;
  bool ordered;
  bool same;
};

/** Lines of the disassembler, by opcode. */
inline constexpr std::array<InstructionText, 279> kInstructionTexts = {{
    {0x00000003, 0x0000707f, "lb", "d,L", k32 | k64, false, false},
    {0x00001003, 0x0000707f, "lh", "d,L", k32 | k64, false, false},
    {0x00002003, 0x0000707f, "lw", "d,L", k32 | k64, false, false},
    {0x00003003, 0x0000707f, "ld", "d,L", k64, false, false},
    {0x00004003, 0x0000707f, "lbu", "d,L", k32 | k64, false, false},
    {0x00005003, 0x0000707f, "lhu", "d,L", k32 | k64, false, false},
    {0x00006003, 0x0000707f, "lwu", "d,L", k64, false, false},
    {0x00002007, 0x0000707f, "flw", "D,L", k32 | k64, false, false},
    {0x00003007, 0x0000707f, "fld", "D,L", k32 | k64, false, false},
    {0x0ff0000f, 0xffffffff, "fence", "", k32 | k64, false, false},
    {0x8330000f, 0xffffffff, "fence.tso", "", k32 | k64, false, false},
    {0x0000000f, 0xf00fffff, "fence", "f", k32 | k64, false, false},
    {0x0000100f, 0xffffffff, "fence.i", "", k32 | k64, false, false},
    {0x0000200f, 0xfff07fff, "cbo.inval", "(s)", k32 | k64, false, false},
    {0x0010200f, 0xfff07fff, "cbo.clean", "(s)", k32 | k64, false, false},
    {0x0020200f, 0xfff07fff, "cbo.flush", "(s)", k32 | k64, false, false},
    {0x00000013, 0xffffffff, "nop", "", k32 | k64, false, false},
    {0x00000013, 0x000ff07f, "li", "d,i", k32 | k64, false, false},
    {0x00000013, 0xfff0707f, "mv", "d,s", k32 | k64, false, false},
    {0x00000013, 0x0000707f, "addi", "d,s,i", k32 | k64, false, false},
    {0x00002013, 0x0000707f, "slti", "d,s,i", k32 | k64, false, false},
    {0x00103013, 0xfff0707f, "seqz", "d,s", k32 | k64, false, false},
    {0x00003013, 0x0000707f, "sltiu", "d,s,i", k32 | k64, false, false},
    {0xfff04013, 0xfff0707f, "not", "d,s", k32 | k64, false, false},
    {0x00004013, 0x0000707f, "xori", "d,s,i", k32 | k64, false, false},
    {0x00006013, 0x0000707f, "ori", "d,s,i", k32 | k64, false, false},
    {0x0ff07013, 0xfff0707f, "zext.b", "d,s", k32 | k64, false, false},
    {0x00007013, 0x0000707f, "andi", "d,s,i", k32 | k64, false, false},
    {0x00001013, 0xfe00707f, "slli", "d,s,S", k32, false, false},
    {0x00001013, 0xfc00707f, "slli", "d,s,S", k64, false, false},
    {0x00005013, 0xfe00707f, "srli", "d,s,S", k32, false, false},
    {0x00005013, 0xfc00707f, "srli", "d,s,S", k64, false, false},
    {0x40005013, 0xfe00707f, "srai", "d,s,S", k32, false, false},
    {0x40005013, 0xfc00707f, "srai", "d,s,S", k64, false, false},
    {0x60005013, 0xfe00707f, "rori", "d,s,S", k32, false, false},
    {0x60005013, 0xfc00707f, "rori", "d,s,S", k64, false, false},
    {0x60001013, 0xfff0707f, "clz", "d,s", k32 | k64, false, false},
    {0x60101013, 0xfff0707f, "ctz", "d,s", k32 | k64, false, false},
    {0x60201013, 0xfff0707f, "cpop", "d,s", k32 | k64, false, false},
    {0x60401013, 0xfff0707f, "sext.b", "d,s", k32 | k64, false, false},
    {0x60501013, 0xfff0707f, "sext.h", "d,s", k32 | k64, false, false},
    {0x28705013, 0xfff0707f, "orc.b", "d,s", k32 | k64, false, false},
    {0x69805013, 0xfff0707f, "rev8", "d,s", k32, false, false},
    {0x6b805013, 0xfff0707f, "rev8", "d,s", k64, false, false},
    {0x48001013, 0xfe00707f, "bclri", "d,s,S", k32, false, false},
    {0x48001013, 0xfc00707f, "bclri", "d,s,S", k64, false, false},
    {0x48005013, 0xfe00707f, "bexti", "d,s,S", k32, false, false},
    {0x48005013, 0xfc00707f, "bexti", "d,s,S", k64, false, false},
    {0x68001013, 0xfe00707f, "binvi", "d,s,S", k32, false, false},
    {0x68001013, 0xfc00707f, "binvi", "d,s,S", k64, false, false},
    {0x28001013, 0xfe00707f, "bseti", "d,s,S", k32, false, false},
    {0x28001013, 0xfc00707f, "bseti", "d,s,S", k64, false, false},
    {0x00000017, 0x0000007f, "auipc", "d,U", k32 | k64, false, false},
    {0x0000001b, 0xfff0707f, "sext.w", "d,s", k64, false, false},
    {0x0000001b, 0x0000707f, "addiw", "d,s,i", k64, false, false},
    {0x0000101b, 0xfe00707f, "slliw", "d,s,S", k64, false, false},
    {0x0000501b, 0xfe00707f, "srliw", "d,s,S", k64, false, false},
    {0x4000501b, 0xfe00707f, "sraiw", "d,s,S", k64, false, false},
    {0x0800101b, 0xfc00707f, "slli.uw", "d,s,S", k64, false, false},
    {0x6000101b, 0xfff0707f, "clzw", "d,s", k64, false, false},
    {0x6010101b, 0xfff0707f, "ctzw", "d,s", k64, false, false},
    {0x6020101b, 0xfff0707f, "cpopw", "d,s", k64, false, false},
    {0x6000501b, 0xfe00707f, "roriw", "d,s,S", k64, false, false},
    {0x00000023, 0x0000707f, "sb", "t,W", k32 | k64, false, false},
    {0x00001023, 0x0000707f, "sh", "t,W", k32 | k64, false, false},
    {0x00002023, 0x0000707f, "sw", "t,W", k32 | k64, false, false},
    {0x00003023, 0x0000707f, "sd", "t,W", k64, false, false},
    {0x00002027, 0x0000707f, "fsw", "Y,W", k32 | k64, false, false},
    {0x00003027, 0x0000707f, "fsd", "Y,W", k32 | k64, false, false},
    {0x1000202f, 0xf9f0707f, "lr.w", "d,(s)", k32 | k64, true, false},
    {0x1800202f, 0xf800707f, "sc.w", "d,t,(s)", k32 | k64, true, false},
    {0x0800202f, 0xf800707f, "amoswap.w", "d,t,(s)", k32 | k64, true, false},
    {0x0000202f, 0xf800707f, "amoadd.w", "d,t,(s)", k32 | k64, true, false},
    {0x2000202f, 0xf800707f, "amoxor.w", "d,t,(s)", k32 | k64, true, false},
    {0x6000202f, 0xf800707f, "amoand.w", "d,t,(s)", k32 | k64, true, false},
    {0x4000202f, 0xf800707f, "amoor.w", "d,t,(s)", k32 | k64, true, false},
    {0x8000202f, 0xf800707f, "amomin.w", "d,t,(s)", k32 | k64, true, false},
    {0xa000202f, 0xf800707f, "amomax.w", "d,t,(s)", k32 | k64, true, false},
    {0xc000202f, 0xf800707f, "amominu.w", "d,t,(s)", k32 | k64, true, false},
    {0xe000202f, 0xf800707f, "amomaxu.w", "d,t,(s)", k32 | k64, true, false},
    {0x1000302f, 0xf9f0707f, "lr.d", "d,(s)", k64, true, false},
    {0x1800302f, 0xf800707f, "sc.d", "d,t,(s)", k64, true, false},
    {0x0800302f, 0xf800707f, "amoswap.d", "d,t,(s)", k64, true, false},
    {0x0000302f, 0xf800707f, "amoadd.d", "d,t,(s)", k64, true, false},
    {0x2000302f, 0xf800707f, "amoxor.d", "d,t,(s)", k64, true, false},
    {0x6000302f, 0xf800707f, "amoand.d", "d,t,(s)", k64, true, false},
    {0x4000302f, 0xf800707f, "amoor.d", "d,t,(s)", k64, true, false},
    {0x8000302f, 0xf800707f, "amomin.d", "d,t,(s)", k64, true, false},
    {0xa000302f, 0xf800707f, "amomax.d", "d,t,(s)", k64, true, false},
    {0xc000302f, 0xf800707f, "amominu.d", "d,t,(s)", k64, true, false},
    {0xe000302f, 0xf800707f, "amomaxu.d", "d,t,(s)", k64, true, false},
    {0x00000033, 0xfe00707f, "add", "d,s,t", k32 | k64, false, false},
    {0x40000033, 0xfe0ff07f, "neg", "d,t", k32 | k64, false, false},
    {0x40000033, 0xfe00707f, "sub", "d,s,t", k32 | k64, false, false},
    {0x00001033, 0xfe00707f, "sll", "d,s,t", k32 | k64, false, false},
    {0x00002033, 0xfff0707f, "sltz", "d,s", k32 | k64, false, false},
    {0x00002033, 0xfe0ff07f, "sgtz", "d,t", k32 | k64, false, false},
    {0x00002033, 0xfe00707f, "slt", "d,s,t", k32 | k64, false, false},
    {0x00003033, 0xfe0ff07f, "snez", "d,t", k32 | k64, false, false},
    {0x00003033, 0xfe00707f, "sltu", "d,s,t", k32 | k64, false, false},
    {0x00004033, 0xfe00707f, "xor", "d,s,t", k32 | k64, false, false},
    {0x00005033, 0xfe00707f, "srl", "d,s,t", k32 | k64, false, false},
    {0x40005033, 0xfe00707f, "sra", "d,s,t", k32 | k64, false, false},
    {0x00006033, 0xfe00707f, "or", "d,s,t", k32 | k64, false, false},
    {0x00007033, 0xfe00707f, "and", "d,s,t", k32 | k64, false, false},
    {0x02000033, 0xfe00707f, "mul", "d,s,t", k32 | k64, false, false},
    {0x02001033, 0xfe00707f, "mulh", "d,s,t", k32 | k64, false, false},
    {0x02002033, 0xfe00707f, "mulhsu", "d,s,t", k32 | k64, false, false},
    {0x02003033, 0xfe00707f, "mulhu", "d,s,t", k32 | k64, false, false},
    {0x02004033, 0xfe00707f, "div", "d,s,t", k32 | k64, false, false},
    {0x02005033, 0xfe00707f, "divu", "d,s,t", k32 | k64, false, false},
    {0x02006033, 0xfe00707f, "rem", "d,s,t", k32 | k64, false, false},
    {0x02007033, 0xfe00707f, "remu", "d,s,t", k32 | k64, false, false},
    {0x20002033, 0xfe00707f, "sh1add", "d,s,t", k32 | k64, false, false},
    {0x20004033, 0xfe00707f, "sh2add", "d,s,t", k32 | k64, false, false},
    {0x20006033, 0xfe00707f, "sh3add", "d,s,t", k32 | k64, false, false},
    {0x40007033, 0xfe00707f, "andn", "d,s,t", k32 | k64, false, false},
    {0x40006033, 0xfe00707f, "orn", "d,s,t", k32 | k64, false, false},
    {0x40004033, 0xfe00707f, "xnor", "d,s,t", k32 | k64, false, false},
    {0x0a004033, 0xfe00707f, "min", "d,s,t", k32 | k64, false, false},
    {0x0a005033, 0xfe00707f, "minu", "d,s,t", k32 | k64, false, false},
    {0x0a006033, 0xfe00707f, "max", "d,s,t", k32 | k64, false, false},
    {0x0a007033, 0xfe00707f, "maxu", "d,s,t", k32 | k64, false, false},
    {0x60001033, 0xfe00707f, "rol", "d,s,t", k32 | k64, false, false},
    {0x60005033, 0xfe00707f, "ror", "d,s,t", k32 | k64, false, false},
    {0x08004033, 0xfff0707f, "zext.h", "d,s", k32, false, false},
    {0x48001033, 0xfe00707f, "bclr", "d,s,t", k32 | k64, false, false},
    {0x48005033, 0xfe00707f, "bext", "d,s,t", k32 | k64, false, false},
    {0x68001033, 0xfe00707f, "binv", "d,s,t", k32 | k64, false, false},
    {0x28001033, 0xfe00707f, "bset", "d,s,t", k32 | k64, false, false},
    {0x00000037, 0x0000007f, "lui", "d,U", k32 | k64, false, false},
    {0x0000003b, 0xfe00707f, "addw", "d,s,t", k64, false, false},
    {0x4000003b, 0xfe0ff07f, "negw", "d,t", k64, false, false},
    {0x4000003b, 0xfe00707f, "subw", "d,s,t", k64, false, false},
    {0x0000103b, 0xfe00707f, "sllw", "d,s,t", k64, false, false},
    {0x0000503b, 0xfe00707f, "srlw", "d,s,t", k64, false, false},
    {0x4000503b, 0xfe00707f, "sraw", "d,s,t", k64, false, false},
    {0x0200003b, 0xfe00707f, "mulw", "d,s,t", k64, false, false},
    {0x0200403b, 0xfe00707f, "divw", "d,s,t", k64, false, false},
    {0x0200503b, 0xfe00707f, "divuw", "d,s,t", k64, false, false},
    {0x0200603b, 0xfe00707f, "remw", "d,s,t", k64, false, false},
    {0x0200703b, 0xfe00707f, "remuw", "d,s,t", k64, false, false},
    {0x0800003b, 0xfff0707f, "zext.w", "d,s", k64, false, false},
    {0x0800003b, 0xfe00707f, "add.uw", "d,s,t", k64, false, false},
    {0x2000203b, 0xfe00707f, "sh1add.uw", "d,s,t", k64, false, false},
    {0x2000403b, 0xfe00707f, "sh2add.uw", "d,s,t", k64, false, false},
    {0x2000603b, 0xfe00707f, "sh3add.uw", "d,s,t", k64, false, false},
    {0x0800403b, 0xfff0707f, "zext.h", "d,s", k64, false, false},
    {0x6000103b, 0xfe00707f, "rolw", "d,s,t", k64, false, false},
    {0x6000503b, 0xfe00707f, "rorw", "d,s,t", k64, false, false},
    {0x00000043, 0x0600007f, "fmadd.s", "D,X,Y,ZR", k32 | k64, false, false},
    {0x02000043, 0x0600007f, "fmadd.d", "D,X,Y,ZR", k32 | k64, false, false},
    {0x00000047, 0x0600007f, "fmsub.s", "D,X,Y,ZR", k32 | k64, false, false},
    {0x02000047, 0x0600007f, "fmsub.d", "D,X,Y,ZR", k32 | k64, false, false},
    {0x0000004b, 0x0600007f, "fnmsub.s", "D,X,Y,ZR", k32 | k64, false, false},
    {0x0200004b, 0x0600007f, "fnmsub.d", "D,X,Y,ZR", k32 | k64, false, false},
    {0x0000004f, 0x0600007f, "fnmadd.s", "D,X,Y,ZR", k32 | k64, false, false},
    {0x0200004f, 0x0600007f, "fnmadd.d", "D,X,Y,ZR", k32 | k64, false, false},
    {0x00000053, 0xfe00007f, "fadd.s", "D,X,YR", k32 | k64, false, false},
    {0x08000053, 0xfe00007f, "fsub.s", "D,X,YR", k32 | k64, false, false},
    {0x10000053, 0xfe00007f, "fmul.s", "D,X,YR", k32 | k64, false, false},
    {0x18000053, 0xfe00007f, "fdiv.s", "D,X,YR", k32 | k64, false, false},
    {0x58000053, 0xfff0007f, "fsqrt.s", "D,XR", k32 | k64, false, false},
    {0x20000053, 0xfe00707f, "fmv.s", "D,X", k32 | k64, false, true},
    {0x20000053, 0xfe00707f, "fsgnj.s", "D,X,Y", k32 | k64, false, false},
    {0x20001053, 0xfe00707f, "fneg.s", "D,X", k32 | k64, false, true},
    {0x20001053, 0xfe00707f, "fsgnjn.s", "D,X,Y", k32 | k64, false, false},
    {0x20002053, 0xfe00707f, "fabs.s", "D,X", k32 | k64, false, true},
    {0x20002053, 0xfe00707f, "fsgnjx.s", "D,X,Y", k32 | k64, false, false},
    {0x28000053, 0xfe00707f, "fmin.s", "D,X,Y", k32 | k64, false, false},
    {0x28001053, 0xfe00707f, "fmax.s", "D,X,Y", k32 | k64, false, false},
    {0xa0000053, 0xfe00707f, "fle.s", "d,X,Y", k32 | k64, false, false},
    {0xa0001053, 0xfe00707f, "flt.s", "d,X,Y", k32 | k64, false, false},
    {0xa0002053, 0xfe00707f, "feq.s", "d,X,Y", k32 | k64, false, false},
    {0xc0000053, 0xfff0007f, "fcvt.w.s", "d,XR", k32 | k64, false, false},
    {0xd0000053, 0xfff0007f, "fcvt.s.w", "D,sR", k32 | k64, false, false},
    {0xc0100053, 0xfff0007f, "fcvt.wu.s", "d,XR", k32 | k64, false, false},
    {0xd0100053, 0xfff0007f, "fcvt.s.wu", "D,sR", k32 | k64, false, false},
    {0xc0200053, 0xfff0007f, "fcvt.l.s", "d,XR", k64, false, false},
    {0xd0200053, 0xfff0007f, "fcvt.s.l", "D,sR", k64, false, false},
    {0xc0300053, 0xfff0007f, "fcvt.lu.s", "d,XR", k64, false, false},
    {0xd0300053, 0xfff0007f, "fcvt.s.lu", "D,sR", k64, false, false},
    {0xe0000053, 0xfff0707f, "fmv.x.w", "d,X", k32 | k64, false, false},
    {0xe0001053, 0xfff0707f, "fclass.s", "d,X", k32 | k64, false, false},
    {0xf0000053, 0xfff0707f, "fmv.w.x", "D,s", k32 | k64, false, false},
    {0x02000053, 0xfe00007f, "fadd.d", "D,X,YR", k32 | k64, false, false},
    {0x0a000053, 0xfe00007f, "fsub.d", "D,X,YR", k32 | k64, false, false},
    {0x12000053, 0xfe00007f, "fmul.d", "D,X,YR", k32 | k64, false, false},
    {0x1a000053, 0xfe00007f, "fdiv.d", "D,X,YR", k32 | k64, false, false},
    {0x5a000053, 0xfff0007f, "fsqrt.d", "D,XR", k32 | k64, false, false},
    {0x22000053, 0xfe00707f, "fmv.d", "D,X", k32 | k64, false, true},
    {0x22000053, 0xfe00707f, "fsgnj.d", "D,X,Y", k32 | k64, false, false},
    {0x22001053, 0xfe00707f, "fneg.d", "D,X", k32 | k64, false, true},
    {0x22001053, 0xfe00707f, "fsgnjn.d", "D,X,Y", k32 | k64, false, false},
    {0x22002053, 0xfe00707f, "fabs.d", "D,X", k32 | k64, false, true},
    {0x22002053, 0xfe00707f, "fsgnjx.d", "D,X,Y", k32 | k64, false, false},
    {0x2a000053, 0xfe00707f, "fmin.d", "D,X,Y", k32 | k64, false, false},
    {0x2a001053, 0xfe00707f, "fmax.d", "D,X,Y", k32 | k64, false, false},
    {0xa2000053, 0xfe00707f, "fle.d", "d,X,Y", k32 | k64, false, false},
    {0xa2001053, 0xfe00707f, "flt.d", "d,X,Y", k32 | k64, false, false},
    {0xa2002053, 0xfe00707f, "feq.d", "d,X,Y", k32 | k64, false, false},
    {0xc2000053, 0xfff0007f, "fcvt.w.d", "d,XR", k32 | k64, false, false},
    {0xd2000053, 0xfff0707f, "fcvt.d.w", "D,s", k32 | k64, false, false},
    {0xc2100053, 0xfff0007f, "fcvt.wu.d", "d,XR", k32 | k64, false, false},
    {0xd2100053, 0xfff0707f, "fcvt.d.wu", "D,s", k32 | k64, false, false},
    {0xc2200053, 0xfff0007f, "fcvt.l.d", "d,XR", k64, false, false},
    {0xd2200053, 0xfff0007f, "fcvt.d.l", "D,sR", k64, false, false},
    {0xc2300053, 0xfff0007f, "fcvt.lu.d", "d,XR", k64, false, false},
    {0xd2300053, 0xfff0007f, "fcvt.d.lu", "D,sR", k64, false, false},
    {0xe2000053, 0xfff0707f, "fmv.x.d", "d,X", k32 | k64, false, false},
    {0xe2001053, 0xfff0707f, "fclass.d", "d,X", k32 | k64, false, false},
    {0xf2000053, 0xfff0707f, "fmv.d.x", "D,s", k32 | k64, false, false},
    {0x40100053, 0xfff0007f, "fcvt.s.d", "D,XR", k32 | k64, false, false},
    {0x42000053, 0xfff0707f, "fcvt.d.s", "D,X", k32 | k64, false, false},
    {0x00000063, 0x01f0707f, "beqz", "s,b", k32 | k64, false, false},
    {0x00000063, 0x0000707f, "beq", "s,t,b", k32 | k64, false, false},
    {0x00001063, 0x01f0707f, "bnez", "s,b", k32 | k64, false, false},
    {0x00001063, 0x0000707f, "bne", "s,t,b", k32 | k64, false, false},
    {0x00004063, 0x01f0707f, "bltz", "s,b", k32 | k64, false, false},
    {0x00004063, 0x000ff07f, "bgtz", "t,b", k32 | k64, false, false},
    {0x00004063, 0x0000707f, "blt", "s,t,b", k32 | k64, false, false},
    {0x00005063, 0x000ff07f, "blez", "t,b", k32 | k64, false, false},
    {0x00005063, 0x01f0707f, "bgez", "s,b", k32 | k64, false, false},
    {0x00005063, 0x0000707f, "bge", "s,t,b", k32 | k64, false, false},
    {0x00006063, 0x0000707f, "bltu", "s,t,b", k32 | k64, false, false},
    {0x00007063, 0x0000707f, "bgeu", "s,t,b", k32 | k64, false, false},
    {0x00008067, 0xffffffff, "ret", "", k32 | k64, false, false},
    {0x00000067, 0xfff07fff, "jr", "s", k32 | k64, false, false},
    {0x00000067, 0x00007fff, "jr", "A", k32 | k64, false, false},
    {0x000000e7, 0xfff07fff, "jalr", "s", k32 | k64, false, false},
    {0x000000e7, 0x00007fff, "jalr", "A", k32 | k64, false, false},
    {0x00000067, 0xfff0707f, "jalr", "d,s", k32 | k64, false, false},
    {0x00000067, 0x0000707f, "jalr", "d,A", k32 | k64, false, false},
    {0x0000006f, 0x00000fff, "j", "J", k32 | k64, false, false},
    {0x000000ef, 0x00000fff, "jal", "J", k32 | k64, false, false},
    {0x0000006f, 0x0000007f, "jal", "d,J", k32 | k64, false, false},
    {0x00000073, 0xffffffff, "ecall", "", k32 | k64, false, false},
    {0x00100073, 0xffffffff, "ebreak", "", k32 | k64, false, false},
    {0x30200073, 0xffffffff, "mret", "", k32 | k64, false, false},
    {0x10500073, 0xffffffff, "wfi", "", k32 | k64, false, false},
    {0x10200073, 0xffffffff, "sret", "", k32 | k64, false, false},
    {0x12000073, 0xffffffff, "sfence.vma", "", k32 | k64, false, false},
    {0x12000073, 0xfff07fff, "sfence.vma", "s", k32 | k64, false, false},
    {0x12000073, 0xfe007fff, "sfence.vma", "s,t", k32 | k64, false, false},
    {0xbc200073, 0xffffffff, "emret", "", k32 | k64, false, false},
    {0x00200073, 0xffffffff, "uret", "", k32 | k64, false, false},
    {0x8c200073, 0xffffffff, "euret", "", k32 | k64, false, false},
    {0x8e000073, 0xfff07fff, "senduipi", "s", k32 | k64, false, false},
    {0xc0001073, 0xffffffff, "unimp", "", k32 | k64, false, false},
    {0x00101073, 0xfff07fff, "fsflags", "s", k32 | k64, false, false},
    {0x00101073, 0xfff0707f, "fsflags", "d,s", k32 | k64, false, false},
    {0x00201073, 0xfff07fff, "fsrm", "s", k32 | k64, false, false},
    {0x00201073, 0xfff0707f, "fsrm", "d,s", k32 | k64, false, false},
    {0x00301073, 0xfff07fff, "fscsr", "s", k32 | k64, false, false},
    {0x00301073, 0xfff0707f, "fscsr", "d,s", k32 | k64, false, false},
    {0x00001073, 0x00007fff, "csrw", "c,s", k32 | k64, false, false},
    {0x00001073, 0x0000707f, "csrrw", "d,c,s", k32 | k64, false, false},
    {0xc0002073, 0xfffff07f, "rdcycle", "d", k32 | k64, false, false},
    {0xc0102073, 0xfffff07f, "rdtime", "d", k32 | k64, false, false},
    {0xc0202073, 0xfffff07f, "rdinstret", "d", k32 | k64, false, false},
    {0xc8002073, 0xfffff07f, "rdcycleh", "d", k32, false, false},
    {0xc8102073, 0xfffff07f, "rdtimeh", "d", k32, false, false},
    {0xc8202073, 0xfffff07f, "rdinstreth", "d", k32, false, false},
    {0x00102073, 0xfffff07f, "frflags", "d", k32 | k64, false, false},
    {0x00202073, 0xfffff07f, "frrm", "d", k32 | k64, false, false},
    {0x00302073, 0xfffff07f, "frcsr", "d", k32 | k64, false, false},
    {0x00002073, 0x000ff07f, "csrr", "d,c", k32 | k64, false, false},
    {0x00002073, 0x00007fff, "csrs", "c,s", k32 | k64, false, false},
    {0x00002073, 0x0000707f, "csrrs", "d,c,s", k32 | k64, false, false},
    {0x00003073, 0x00007fff, "csrc", "c,s", k32 | k64, false, false},
    {0x00003073, 0x0000707f, "csrrc", "d,c,s", k32 | k64, false, false},
    {0x00105073, 0xfff0707f, "fsflagsi", "d,z", k32 | k64, false, false},
    {0x00205073, 0xfff0707f, "fsrmi", "d,z", k32 | k64, false, false},
    {0x00005073, 0x00007fff, "csrwi", "c,z", k32 | k64, false, false},
    {0x00005073, 0x0000707f, "csrrwi", "d,c,z", k32 | k64, false, false},
    {0x00006073, 0x00007fff, "csrsi", "c,z", k32 | k64, false, false},
    {0x00006073, 0x0000707f, "csrrsi", "d,c,z", k32 | k64, false, false},
    {0x00007073, 0x00007fff, "csrci", "c,z", k32 | k64, false, false},
    {0x00007073, 0x0000707f, "csrrci", "d,c,z", k32 | k64, false, false},
}};

/** Where those begin whose word has this in bits 6:2. */
inline constexpr std::array<std::uint16_t, 33> kFirstText = {{
    0, 7, 9, 9, 16, 52, 53, 63, 63, 67, 69, 69, 91, 130, 131, 150, 150, 152, 154, 156,
    158, 214, 214, 214, 214, 226, 233, 233, 236, 279, 279, 279, 279,
}};

/** A run of bits of a compressed instruction and where it stands in what that expands to. */
struct Move {
  std::uint8_t from;
  std::uint8_t width;
  std::uint8_t to;
};

/** What makes a compressed instruction: (half & mask) == match, and no mask of `nonzero` takes only zeros. */
struct ShortPattern {
  std::uint16_t match;
  std::uint16_t mask;
  std::array<std::uint16_t, 2> nonzero;

  constexpr bool is(unsigned half) const {
    return (half & mask) == match && (nonzero[0] == 0 || (half & nonzero[0]) != 0) &&
           (nonzero[1] == 0 || (half & nonzero[1]) != 0);
  }
};

/** A compressed instruction: `base` with the moved bits, and `fill` if bit `sign` is set. */
struct Compressed {
  ShortPattern pattern;
  std::uint8_t widths;
  std::uint32_t base;
  std::uint16_t sign;
  std::uint32_t fill;
  std::array<Move, 8> moves;
};

/** Every compressed instruction, by quadrant and function; the first that fits wins. */
inline constexpr std::array<Compressed, 40> kCompressed = {{
    {{0x0000, 0xe003, {0x1fe0, 0x0000}}, k32 | k64, 0x00010413, 0x0000, 0x00000000, {{{5, 1, 23}, {6, 1, 22}, {7, 4, 26}, {11, 2, 24}, {2, 3, 7}}}},  // c.addi4spn
    {{0x2000, 0xe003, {0x0000, 0x0000}}, k64, 0x00043407, 0x0000, 0x00000000, {{{5, 2, 26}, {10, 3, 23}, {7, 3, 15}, {2, 3, 7}}}},  // c.fld
    {{0x4000, 0xe003, {0x0000, 0x0000}}, k32 | k64, 0x00042403, 0x0000, 0x00000000, {{{5, 1, 26}, {6, 1, 22}, {10, 3, 23}, {7, 3, 15}, {2, 3, 7}}}},  // c.lw
    {{0x6000, 0xe003, {0x0000, 0x0000}}, k64, 0x00043403, 0x0000, 0x00000000, {{{5, 2, 26}, {10, 3, 23}, {7, 3, 15}, {2, 3, 7}}}},  // c.ld
    {{0xa000, 0xe003, {0x0000, 0x0000}}, k64, 0x00843027, 0x0000, 0x00000000, {{{5, 2, 26}, {10, 2, 10}, {12, 1, 25}, {7, 3, 15}, {2, 3, 20}}}},  // c.fsd
    {{0xc000, 0xe003, {0x0000, 0x0000}}, k32 | k64, 0x00842023, 0x0000, 0x00000000, {{{5, 1, 26}, {6, 1, 9}, {10, 2, 10}, {12, 1, 25}, {7, 3, 15}, {2, 3, 20}}}},  // c.sw
    {{0xe000, 0xe003, {0x0000, 0x0000}}, k64, 0x00843023, 0x0000, 0x00000000, {{{5, 2, 26}, {10, 2, 10}, {12, 1, 25}, {7, 3, 15}, {2, 3, 20}}}},  // c.sd
    {{0x0001, 0xe003, {0x0000, 0x0000}}, k32 | k64, 0x00000013, 0x1000, 0xfc000000, {{{2, 5, 20}, {12, 1, 25}, {7, 5, 7}, {7, 5, 15}}}},  // c.addi
    {{0x2001, 0xe003, {0x0000, 0x0000}}, k32, 0x000000ef, 0x1000, 0x800ff000, {{{2, 1, 25}, {3, 3, 21}, {6, 1, 27}, {7, 1, 26}, {8, 1, 30}, {9, 2, 28}, {11, 1, 24}, {12, 1, 20}}}},  // c.jal
    {{0x2001, 0xe003, {0x0f80, 0x0000}}, k64, 0x0000001b, 0x1000, 0xfc000000, {{{2, 5, 20}, {12, 1, 25}, {7, 5, 7}, {7, 5, 15}}}},  // c.addiw
    {{0x4001, 0xe003, {0x0000, 0x0000}}, k32 | k64, 0x00000013, 0x1000, 0xfc000000, {{{2, 5, 20}, {12, 1, 25}, {7, 5, 7}}}},  // c.li
    {{0x6101, 0xef83, {0x107c, 0x0000}}, k32 | k64, 0x00010113, 0x1000, 0xc0000000, {{{2, 1, 25}, {3, 2, 27}, {5, 1, 26}, {6, 1, 24}, {12, 1, 29}}}},  // c.addi16sp
    {{0x6001, 0xe003, {0x107c, 0x0000}}, k32 | k64, 0x00000037, 0x1000, 0xfffc0000, {{{2, 5, 12}, {12, 1, 17}, {7, 5, 7}}}},  // c.lui
    {{0x8001, 0xfc03, {0x0000, 0x0000}}, k32, 0x00045413, 0x0000, 0x00000000, {{{2, 5, 20}, {12, 1, 25}, {7, 3, 7}, {7, 3, 15}}}},  // c.srli
    {{0x8001, 0xec03, {0x0000, 0x0000}}, k64, 0x00045413, 0x0000, 0x00000000, {{{2, 5, 20}, {12, 1, 25}, {7, 3, 7}, {7, 3, 15}}}},  // c.srli
    {{0x8401, 0xfc03, {0x0000, 0x0000}}, k32, 0x40045413, 0x0000, 0x00000000, {{{2, 5, 20}, {12, 1, 25}, {7, 3, 7}, {7, 3, 15}}}},  // c.srai
    {{0x8401, 0xec03, {0x0000, 0x0000}}, k64, 0x40045413, 0x0000, 0x00000000, {{{2, 5, 20}, {12, 1, 25}, {7, 3, 7}, {7, 3, 15}}}},  // c.srai
    {{0x8801, 0xec03, {0x0000, 0x0000}}, k32 | k64, 0x00047413, 0x1000, 0xfc000000, {{{2, 5, 20}, {12, 1, 25}, {7, 3, 7}, {7, 3, 15}}}},  // c.andi
    {{0x8c01, 0xfc63, {0x0000, 0x0000}}, k32 | k64, 0x40840433, 0x0000, 0x00000000, {{{7, 3, 7}, {7, 3, 15}, {2, 3, 20}}}},  // c.sub
    {{0x8c21, 0xfc63, {0x0000, 0x0000}}, k32 | k64, 0x00844433, 0x0000, 0x00000000, {{{7, 3, 7}, {7, 3, 15}, {2, 3, 20}}}},  // c.xor
    {{0x8c41, 0xfc63, {0x0000, 0x0000}}, k32 | k64, 0x00846433, 0x0000, 0x00000000, {{{7, 3, 7}, {7, 3, 15}, {2, 3, 20}}}},  // c.or
    {{0x8c61, 0xfc63, {0x0000, 0x0000}}, k32 | k64, 0x00847433, 0x0000, 0x00000000, {{{7, 3, 7}, {7, 3, 15}, {2, 3, 20}}}},  // c.and
    {{0x9c01, 0xfc63, {0x0000, 0x0000}}, k64, 0x4084043b, 0x0000, 0x00000000, {{{7, 3, 7}, {7, 3, 15}, {2, 3, 20}}}},  // c.subw
    {{0x9c21, 0xfc63, {0x0000, 0x0000}}, k64, 0x0084043b, 0x0000, 0x00000000, {{{7, 3, 7}, {7, 3, 15}, {2, 3, 20}}}},  // c.addw
    {{0xa001, 0xe003, {0x0000, 0x0000}}, k32 | k64, 0x0000006f, 0x1000, 0x800ff000, {{{2, 1, 25}, {3, 3, 21}, {6, 1, 27}, {7, 1, 26}, {8, 1, 30}, {9, 2, 28}, {11, 1, 24}, {12, 1, 20}}}},  // c.j
    {{0xc001, 0xe003, {0x0000, 0x0000}}, k32 | k64, 0x00040063, 0x1000, 0xe0000080, {{{2, 1, 25}, {3, 2, 8}, {5, 2, 26}, {10, 2, 10}, {12, 1, 28}, {7, 3, 15}}}},  // c.beqz
    {{0xe001, 0xe003, {0x0000, 0x0000}}, k32 | k64, 0x00041063, 0x1000, 0xe0000080, {{{2, 1, 25}, {3, 2, 8}, {5, 2, 26}, {10, 2, 10}, {12, 1, 28}, {7, 3, 15}}}},  // c.bnez
    {{0x0002, 0xf003, {0x0000, 0x0000}}, k32, 0x00001013, 0x0000, 0x00000000, {{{2, 5, 20}, {12, 1, 25}, {7, 5, 7}, {7, 5, 15}}}},  // c.slli
    {{0x0002, 0xe003, {0x0000, 0x0000}}, k64, 0x00001013, 0x0000, 0x00000000, {{{2, 5, 20}, {12, 1, 25}, {7, 5, 7}, {7, 5, 15}}}},  // c.slli
    {{0x2002, 0xe003, {0x0000, 0x0000}}, k64, 0x00013007, 0x0000, 0x00000000, {{{2, 3, 26}, {5, 2, 23}, {12, 1, 25}, {7, 5, 7}}}},  // c.fldsp
    {{0x4002, 0xe003, {0x0f80, 0x0000}}, k32 | k64, 0x00012003, 0x0000, 0x00000000, {{{2, 2, 26}, {4, 3, 22}, {12, 1, 25}, {7, 5, 7}}}},  // c.lwsp
    {{0x6002, 0xe003, {0x0f80, 0x0000}}, k64, 0x00013003, 0x0000, 0x00000000, {{{2, 3, 26}, {5, 2, 23}, {12, 1, 25}, {7, 5, 7}}}},  // c.ldsp
    {{0x8002, 0xf07f, {0x0f80, 0x0000}}, k32 | k64, 0x00000067, 0x0000, 0x00000000, {{{7, 5, 15}}}},  // c.jr
    {{0x8002, 0xf003, {0x007c, 0x0000}}, k32 | k64, 0x00000033, 0x0000, 0x00000000, {{{7, 5, 7}, {2, 5, 20}}}},  // c.mv
    {{0x9002, 0xffff, {0x0000, 0x0000}}, k32 | k64, 0x00100073, 0x0000, 0x00000000, {{}}},  // c.ebreak
    {{0x9002, 0xf07f, {0x0f80, 0x0000}}, k32 | k64, 0x000000e7, 0x0000, 0x00000000, {{{7, 5, 15}}}},  // c.jalr
    {{0x9002, 0xf003, {0x007c, 0x0000}}, k32 | k64, 0x00000033, 0x0000, 0x00000000, {{{7, 5, 7}, {7, 5, 15}, {2, 5, 20}}}},  // c.add
    {{0xa002, 0xe003, {0x0000, 0x0000}}, k64, 0x00013027, 0x0000, 0x00000000, {{{7, 3, 26}, {10, 2, 10}, {12, 1, 25}, {2, 5, 20}}}},  // c.fsdsp
    {{0xc002, 0xe003, {0x0000, 0x0000}}, k32 | k64, 0x00012023, 0x0000, 0x00000000, {{{7, 2, 26}, {9, 3, 9}, {12, 1, 25}, {2, 5, 20}}}},  // c.swsp
    {{0xe002, 0xe003, {0x0000, 0x0000}}, k64, 0x00013023, 0x0000, 0x00000000, {{{7, 3, 26}, {10, 2, 10}, {12, 1, 25}, {2, 5, 20}}}},  // c.sdsp
}};

/** Where the compressed instructions of a half-word begin; they end where those of the next index begin. */
constexpr unsigned compressed_index(unsigned half) {
  return (half & 3U) * 8 + ((half >> 13) & 7U);
}

/** By compressed_index(). */
inline constexpr std::array<std::uint16_t, 33> kFirstCompressed = {{
    0, 1, 2, 3, 4, 4, 5, 6, 7, 8, 10, 11, 13, 24, 25, 26, 27, 29, 30, 31,
    32, 37, 38, 39, 40, 40, 40, 40, 40, 40, 40, 40, 40,
}};

/** Text of a compressed instruction that is not that of its expansion; its operands are. `widths`: Width. The first
 * line that fits wins. */
struct CompressedText {
  ShortPattern pattern;
  std::uint8_t widths;
  const char* name;
  const char* operands;
};

/** Lines of the disassembler for compressed instructions. */
inline constexpr std::array<CompressedText, 15> kCompressedTexts = {{
    {{0x0001, 0xef83, {0x107c, 0x0000}}, k32 | k64, "c.nop", "i"},
    {{0x0001, 0xf07f, {0x0f80, 0x0000}}, k32 | k64, "addi", "d,s,i"},
    {{0x4001, 0xef83, {0x0000, 0x0000}}, k32 | k64, "c.li", "d,i"},
    {{0x6001, 0xef83, {0x107c, 0x0000}}, k32 | k64, "c.lui", "d,U"},
    {{0x8001, 0xfc7f, {0x0000, 0x0000}}, k32, "c.srli64", "d"},
    {{0x8001, 0xfc7f, {0x0000, 0x0000}}, k64, "c.srli64", "d"},
    {{0x8401, 0xfc7f, {0x0000, 0x0000}}, k32, "c.srai64", "d"},
    {{0x8401, 0xfc7f, {0x0000, 0x0000}}, k64, "c.srai64", "d"},
    {{0x0002, 0xf07f, {0x0000, 0x0000}}, k32, "c.slli64", "d"},
    {{0x0002, 0xf07f, {0x0000, 0x0000}}, k64, "c.slli64", "d"},
    {{0x0002, 0xff83, {0x0000, 0x0000}}, k32, "c.slli", "d,S"},
    {{0x0002, 0xef83, {0x0000, 0x0000}}, k64, "c.slli", "d,S"},
    {{0x8002, 0xff83, {0x007c, 0x0000}}, k32 | k64, "c.mv", "d,t"},
    {{0x8002, 0xf003, {0x007c, 0x0000}}, k32 | k64, "mv", "d,t"},
    {{0x9002, 0xff83, {0x007c, 0x0000}}, k32 | k64, "c.add", "d,t"},
}};

}  // namespace trapeze::isa

#endif  // TRAPEZE_INSTRUCTIONS_HPP_
