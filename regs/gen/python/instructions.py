# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Every instruction: bits, registers, immediate; and what compressed ones expand to.

Generated from regs/isa by regs/generate.py; do not edit.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple


class Instruction(NamedTuple):
    """One of 32 bits. A word is meant when (word & mask) == match, on harts of these widths with the extension `of`."""

    name: str
    match: int
    mask: int
    of: str
    widths: tuple[int, ...]
    registers: tuple[str, ...]
    immediate: str


class Compressed(NamedTuple):
    """One of 16 bits: `base` with runs of bits moved into it (from, width, to), and with `fill` if bit `sign` is set.

    No mask of `nonzero` takes only zeros.
    """

    name: str
    match: int
    mask: int
    nonzero: tuple[int, ...]
    widths: tuple[int, ...]
    base: int
    sign: int
    fill: int
    moves: tuple[tuple[int, int, int], ...]


@cache
def find(word: int, xlen: int) -> Instruction | None:
    """The instruction that a word of 32 bits is, if any hart of the width has one."""
    return next((one for one in INSTRUCTIONS if word & one.mask == one.match and xlen in one.widths), None)


@cache
def expand(half: int, xlen: int) -> int | None:
    """The word of 32 bits that a compressed instruction of a hart of the width stands for; None: it is none."""
    for one in COMPRESSED:
        if half & one.mask == one.match and xlen in one.widths and all(half & mask for mask in one.nonzero):
            word = one.base | (one.fill if half & one.sign else 0)
            for start, width, to in one.moves:
                word |= (half >> start & (1 << width) - 1) << to
            return word
    return None


INSTRUCTIONS = (
    Instruction("lui", 0x00000037, 0x0000007F, "i", (32, 64), ("rd",), "u"),
    Instruction("auipc", 0x00000017, 0x0000007F, "i", (32, 64), ("rd",), "u_relative"),
    Instruction("jal", 0x0000006F, 0x0000007F, "i", (32, 64), ("rd",), "j"),
    Instruction("jalr", 0x00000067, 0x0000707F, "i", (32, 64), ("rd", "rs1"), "i"),
    Instruction("beq", 0x00000063, 0x0000707F, "i", (32, 64), ("rs1", "rs2"), "b"),
    Instruction("bne", 0x00001063, 0x0000707F, "i", (32, 64), ("rs1", "rs2"), "b"),
    Instruction("blt", 0x00004063, 0x0000707F, "i", (32, 64), ("rs1", "rs2"), "b"),
    Instruction("bge", 0x00005063, 0x0000707F, "i", (32, 64), ("rs1", "rs2"), "b"),
    Instruction("bltu", 0x00006063, 0x0000707F, "i", (32, 64), ("rs1", "rs2"), "b"),
    Instruction("bgeu", 0x00007063, 0x0000707F, "i", (32, 64), ("rs1", "rs2"), "b"),
    Instruction("lb", 0x00000003, 0x0000707F, "i", (32, 64), ("rd", "rs1"), "i"),
    Instruction("lh", 0x00001003, 0x0000707F, "i", (32, 64), ("rd", "rs1"), "i"),
    Instruction("lw", 0x00002003, 0x0000707F, "i", (32, 64), ("rd", "rs1"), "i"),
    Instruction("ld", 0x00003003, 0x0000707F, "i", (64,), ("rd", "rs1"), "i"),
    Instruction("lbu", 0x00004003, 0x0000707F, "i", (32, 64), ("rd", "rs1"), "i"),
    Instruction("lhu", 0x00005003, 0x0000707F, "i", (32, 64), ("rd", "rs1"), "i"),
    Instruction("lwu", 0x00006003, 0x0000707F, "i", (64,), ("rd", "rs1"), "i"),
    Instruction("sb", 0x00000023, 0x0000707F, "i", (32, 64), ("rs1", "rs2"), "s"),
    Instruction("sh", 0x00001023, 0x0000707F, "i", (32, 64), ("rs1", "rs2"), "s"),
    Instruction("sw", 0x00002023, 0x0000707F, "i", (32, 64), ("rs1", "rs2"), "s"),
    Instruction("sd", 0x00003023, 0x0000707F, "i", (64,), ("rs1", "rs2"), "s"),
    Instruction("addi", 0x00000013, 0x0000707F, "i", (32, 64), ("rd", "rs1"), "i"),
    Instruction("slti", 0x00002013, 0x0000707F, "i", (32, 64), ("rd", "rs1"), "i"),
    Instruction("sltiu", 0x00003013, 0x0000707F, "i", (32, 64), ("rd", "rs1"), "i"),
    Instruction("xori", 0x00004013, 0x0000707F, "i", (32, 64), ("rd", "rs1"), "i"),
    Instruction("ori", 0x00006013, 0x0000707F, "i", (32, 64), ("rd", "rs1"), "i"),
    Instruction("andi", 0x00007013, 0x0000707F, "i", (32, 64), ("rd", "rs1"), "i"),
    Instruction("slli", 0x00001013, 0xFE00707F, "i", (32,), ("rd", "rs1"), "shift"),
    Instruction("slli", 0x00001013, 0xFC00707F, "i", (64,), ("rd", "rs1"), "shift"),
    Instruction("srli", 0x00005013, 0xFE00707F, "i", (32,), ("rd", "rs1"), "shift"),
    Instruction("srli", 0x00005013, 0xFC00707F, "i", (64,), ("rd", "rs1"), "shift"),
    Instruction("srai", 0x40005013, 0xFE00707F, "i", (32,), ("rd", "rs1"), "shift"),
    Instruction("srai", 0x40005013, 0xFC00707F, "i", (64,), ("rd", "rs1"), "shift"),
    Instruction("add", 0x00000033, 0xFE00707F, "i", (32, 64), ("rd", "rs1", "rs2"), "none"),
    Instruction("sub", 0x40000033, 0xFE00707F, "i", (32, 64), ("rd", "rs1", "rs2"), "none"),
    Instruction("sll", 0x00001033, 0xFE00707F, "i", (32, 64), ("rd", "rs1", "rs2"), "none"),
    Instruction("slt", 0x00002033, 0xFE00707F, "i", (32, 64), ("rd", "rs1", "rs2"), "none"),
    Instruction("sltu", 0x00003033, 0xFE00707F, "i", (32, 64), ("rd", "rs1", "rs2"), "none"),
    Instruction("xor", 0x00004033, 0xFE00707F, "i", (32, 64), ("rd", "rs1", "rs2"), "none"),
    Instruction("srl", 0x00005033, 0xFE00707F, "i", (32, 64), ("rd", "rs1", "rs2"), "none"),
    Instruction("sra", 0x40005033, 0xFE00707F, "i", (32, 64), ("rd", "rs1", "rs2"), "none"),
    Instruction("or", 0x00006033, 0xFE00707F, "i", (32, 64), ("rd", "rs1", "rs2"), "none"),
    Instruction("and", 0x00007033, 0xFE00707F, "i", (32, 64), ("rd", "rs1", "rs2"), "none"),
    Instruction("addiw", 0x0000001B, 0x0000707F, "i", (64,), ("rd", "rs1"), "i"),
    Instruction("slliw", 0x0000101B, 0xFE00707F, "i", (64,), ("rd", "rs1"), "shift"),
    Instruction("srliw", 0x0000501B, 0xFE00707F, "i", (64,), ("rd", "rs1"), "shift"),
    Instruction("sraiw", 0x4000501B, 0xFE00707F, "i", (64,), ("rd", "rs1"), "shift"),
    Instruction("addw", 0x0000003B, 0xFE00707F, "i", (64,), ("rd", "rs1", "rs2"), "none"),
    Instruction("subw", 0x4000003B, 0xFE00707F, "i", (64,), ("rd", "rs1", "rs2"), "none"),
    Instruction("sllw", 0x0000103B, 0xFE00707F, "i", (64,), ("rd", "rs1", "rs2"), "none"),
    Instruction("srlw", 0x0000503B, 0xFE00707F, "i", (64,), ("rd", "rs1", "rs2"), "none"),
    Instruction("sraw", 0x4000503B, 0xFE00707F, "i", (64,), ("rd", "rs1", "rs2"), "none"),
    Instruction("mul", 0x02000033, 0xFE00707F, "m", (32, 64), ("rd", "rs1", "rs2"), "none"),
    Instruction("mulh", 0x02001033, 0xFE00707F, "m", (32, 64), ("rd", "rs1", "rs2"), "none"),
    Instruction("mulhsu", 0x02002033, 0xFE00707F, "m", (32, 64), ("rd", "rs1", "rs2"), "none"),
    Instruction("mulhu", 0x02003033, 0xFE00707F, "m", (32, 64), ("rd", "rs1", "rs2"), "none"),
    Instruction("div", 0x02004033, 0xFE00707F, "m", (32, 64), ("rd", "rs1", "rs2"), "none"),
    Instruction("divu", 0x02005033, 0xFE00707F, "m", (32, 64), ("rd", "rs1", "rs2"), "none"),
    Instruction("rem", 0x02006033, 0xFE00707F, "m", (32, 64), ("rd", "rs1", "rs2"), "none"),
    Instruction("remu", 0x02007033, 0xFE00707F, "m", (32, 64), ("rd", "rs1", "rs2"), "none"),
    Instruction("mulw", 0x0200003B, 0xFE00707F, "m", (64,), ("rd", "rs1", "rs2"), "none"),
    Instruction("divw", 0x0200403B, 0xFE00707F, "m", (64,), ("rd", "rs1", "rs2"), "none"),
    Instruction("divuw", 0x0200503B, 0xFE00707F, "m", (64,), ("rd", "rs1", "rs2"), "none"),
    Instruction("remw", 0x0200603B, 0xFE00707F, "m", (64,), ("rd", "rs1", "rs2"), "none"),
    Instruction("remuw", 0x0200703B, 0xFE00707F, "m", (64,), ("rd", "rs1", "rs2"), "none"),
    Instruction("lr.w", 0x1000202F, 0xF9F0707F, "a", (32, 64), ("rd", "rs1"), "none"),
    Instruction("sc.w", 0x1800202F, 0xF800707F, "a", (32, 64), ("rd", "rs1", "rs2"), "none"),
    Instruction("amoswap.w", 0x0800202F, 0xF800707F, "a", (32, 64), ("rd", "rs1", "rs2"), "none"),
    Instruction("amoadd.w", 0x0000202F, 0xF800707F, "a", (32, 64), ("rd", "rs1", "rs2"), "none"),
    Instruction("amoxor.w", 0x2000202F, 0xF800707F, "a", (32, 64), ("rd", "rs1", "rs2"), "none"),
    Instruction("amoand.w", 0x6000202F, 0xF800707F, "a", (32, 64), ("rd", "rs1", "rs2"), "none"),
    Instruction("amoor.w", 0x4000202F, 0xF800707F, "a", (32, 64), ("rd", "rs1", "rs2"), "none"),
    Instruction("amomin.w", 0x8000202F, 0xF800707F, "a", (32, 64), ("rd", "rs1", "rs2"), "none"),
    Instruction("amomax.w", 0xA000202F, 0xF800707F, "a", (32, 64), ("rd", "rs1", "rs2"), "none"),
    Instruction("amominu.w", 0xC000202F, 0xF800707F, "a", (32, 64), ("rd", "rs1", "rs2"), "none"),
    Instruction("amomaxu.w", 0xE000202F, 0xF800707F, "a", (32, 64), ("rd", "rs1", "rs2"), "none"),
    Instruction("lr.d", 0x1000302F, 0xF9F0707F, "a", (64,), ("rd", "rs1"), "none"),
    Instruction("sc.d", 0x1800302F, 0xF800707F, "a", (64,), ("rd", "rs1", "rs2"), "none"),
    Instruction("amoswap.d", 0x0800302F, 0xF800707F, "a", (64,), ("rd", "rs1", "rs2"), "none"),
    Instruction("amoadd.d", 0x0000302F, 0xF800707F, "a", (64,), ("rd", "rs1", "rs2"), "none"),
    Instruction("amoxor.d", 0x2000302F, 0xF800707F, "a", (64,), ("rd", "rs1", "rs2"), "none"),
    Instruction("amoand.d", 0x6000302F, 0xF800707F, "a", (64,), ("rd", "rs1", "rs2"), "none"),
    Instruction("amoor.d", 0x4000302F, 0xF800707F, "a", (64,), ("rd", "rs1", "rs2"), "none"),
    Instruction("amomin.d", 0x8000302F, 0xF800707F, "a", (64,), ("rd", "rs1", "rs2"), "none"),
    Instruction("amomax.d", 0xA000302F, 0xF800707F, "a", (64,), ("rd", "rs1", "rs2"), "none"),
    Instruction("amominu.d", 0xC000302F, 0xF800707F, "a", (64,), ("rd", "rs1", "rs2"), "none"),
    Instruction("amomaxu.d", 0xE000302F, 0xF800707F, "a", (64,), ("rd", "rs1", "rs2"), "none"),
    Instruction("sh1add", 0x20002033, 0xFE00707F, "zba", (32, 64), ("rd", "rs1", "rs2"), "none"),
    Instruction("sh2add", 0x20004033, 0xFE00707F, "zba", (32, 64), ("rd", "rs1", "rs2"), "none"),
    Instruction("sh3add", 0x20006033, 0xFE00707F, "zba", (32, 64), ("rd", "rs1", "rs2"), "none"),
    Instruction("add.uw", 0x0800003B, 0xFE00707F, "zba", (64,), ("rd", "rs1", "rs2"), "none"),
    Instruction("sh1add.uw", 0x2000203B, 0xFE00707F, "zba", (64,), ("rd", "rs1", "rs2"), "none"),
    Instruction("sh2add.uw", 0x2000403B, 0xFE00707F, "zba", (64,), ("rd", "rs1", "rs2"), "none"),
    Instruction("sh3add.uw", 0x2000603B, 0xFE00707F, "zba", (64,), ("rd", "rs1", "rs2"), "none"),
    Instruction("slli.uw", 0x0800101B, 0xFC00707F, "zba", (64,), ("rd", "rs1"), "shift"),
    Instruction("andn", 0x40007033, 0xFE00707F, "zbb", (32, 64), ("rd", "rs1", "rs2"), "none"),
    Instruction("orn", 0x40006033, 0xFE00707F, "zbb", (32, 64), ("rd", "rs1", "rs2"), "none"),
    Instruction("xnor", 0x40004033, 0xFE00707F, "zbb", (32, 64), ("rd", "rs1", "rs2"), "none"),
    Instruction("min", 0x0A004033, 0xFE00707F, "zbb", (32, 64), ("rd", "rs1", "rs2"), "none"),
    Instruction("minu", 0x0A005033, 0xFE00707F, "zbb", (32, 64), ("rd", "rs1", "rs2"), "none"),
    Instruction("max", 0x0A006033, 0xFE00707F, "zbb", (32, 64), ("rd", "rs1", "rs2"), "none"),
    Instruction("maxu", 0x0A007033, 0xFE00707F, "zbb", (32, 64), ("rd", "rs1", "rs2"), "none"),
    Instruction("rol", 0x60001033, 0xFE00707F, "zbb", (32, 64), ("rd", "rs1", "rs2"), "none"),
    Instruction("ror", 0x60005033, 0xFE00707F, "zbb", (32, 64), ("rd", "rs1", "rs2"), "none"),
    Instruction("rori", 0x60005013, 0xFE00707F, "zbb", (32,), ("rd", "rs1"), "shift"),
    Instruction("rori", 0x60005013, 0xFC00707F, "zbb", (64,), ("rd", "rs1"), "shift"),
    Instruction("zext.h", 0x08004033, 0xFFF0707F, "zbb", (32,), ("rd", "rs1"), "none"),
    Instruction("zext.h", 0x0800403B, 0xFFF0707F, "zbb", (64,), ("rd", "rs1"), "none"),
    Instruction("clz", 0x60001013, 0xFFF0707F, "zbb", (32, 64), ("rd", "rs1"), "none"),
    Instruction("ctz", 0x60101013, 0xFFF0707F, "zbb", (32, 64), ("rd", "rs1"), "none"),
    Instruction("cpop", 0x60201013, 0xFFF0707F, "zbb", (32, 64), ("rd", "rs1"), "none"),
    Instruction("sext.b", 0x60401013, 0xFFF0707F, "zbb", (32, 64), ("rd", "rs1"), "none"),
    Instruction("sext.h", 0x60501013, 0xFFF0707F, "zbb", (32, 64), ("rd", "rs1"), "none"),
    Instruction("orc.b", 0x28705013, 0xFFF0707F, "zbb", (32, 64), ("rd", "rs1"), "none"),
    Instruction("rev8", 0x69805013, 0xFFF0707F, "zbb", (32,), ("rd", "rs1"), "none"),
    Instruction("rev8", 0x6B805013, 0xFFF0707F, "zbb", (64,), ("rd", "rs1"), "none"),
    Instruction("clzw", 0x6000101B, 0xFFF0707F, "zbb", (64,), ("rd", "rs1"), "none"),
    Instruction("ctzw", 0x6010101B, 0xFFF0707F, "zbb", (64,), ("rd", "rs1"), "none"),
    Instruction("cpopw", 0x6020101B, 0xFFF0707F, "zbb", (64,), ("rd", "rs1"), "none"),
    Instruction("rolw", 0x6000103B, 0xFE00707F, "zbb", (64,), ("rd", "rs1", "rs2"), "none"),
    Instruction("rorw", 0x6000503B, 0xFE00707F, "zbb", (64,), ("rd", "rs1", "rs2"), "none"),
    Instruction("roriw", 0x6000501B, 0xFE00707F, "zbb", (64,), ("rd", "rs1"), "shift"),
    Instruction("bclr", 0x48001033, 0xFE00707F, "zbs", (32, 64), ("rd", "rs1", "rs2"), "none"),
    Instruction("bclri", 0x48001013, 0xFE00707F, "zbs", (32,), ("rd", "rs1"), "shift"),
    Instruction("bclri", 0x48001013, 0xFC00707F, "zbs", (64,), ("rd", "rs1"), "shift"),
    Instruction("bext", 0x48005033, 0xFE00707F, "zbs", (32, 64), ("rd", "rs1", "rs2"), "none"),
    Instruction("bexti", 0x48005013, 0xFE00707F, "zbs", (32,), ("rd", "rs1"), "shift"),
    Instruction("bexti", 0x48005013, 0xFC00707F, "zbs", (64,), ("rd", "rs1"), "shift"),
    Instruction("binv", 0x68001033, 0xFE00707F, "zbs", (32, 64), ("rd", "rs1", "rs2"), "none"),
    Instruction("binvi", 0x68001013, 0xFE00707F, "zbs", (32,), ("rd", "rs1"), "shift"),
    Instruction("binvi", 0x68001013, 0xFC00707F, "zbs", (64,), ("rd", "rs1"), "shift"),
    Instruction("bset", 0x28001033, 0xFE00707F, "zbs", (32, 64), ("rd", "rs1", "rs2"), "none"),
    Instruction("bseti", 0x28001013, 0xFE00707F, "zbs", (32,), ("rd", "rs1"), "shift"),
    Instruction("bseti", 0x28001013, 0xFC00707F, "zbs", (64,), ("rd", "rs1"), "shift"),
    Instruction("fence", 0x0000000F, 0x0000707F, "i", (32, 64), (), "none"),
    Instruction("fence.i", 0x0000100F, 0x0000707F, "i", (32, 64), (), "none"),
    Instruction("cbo.inval", 0x0000200F, 0xFFF07FFF, "zicbom", (32, 64), ("rs1",), "none"),
    Instruction("cbo.clean", 0x0010200F, 0xFFF07FFF, "zicbom", (32, 64), ("rs1",), "none"),
    Instruction("cbo.flush", 0x0020200F, 0xFFF07FFF, "zicbom", (32, 64), ("rs1",), "none"),
    Instruction("ecall", 0x00000073, 0xFFFFFFFF, "i", (32, 64), (), "none"),
    Instruction("ebreak", 0x00100073, 0xFFFFFFFF, "i", (32, 64), (), "none"),
    Instruction("mret", 0x30200073, 0xFFFFFFFF, "machine", (32, 64), (), "none"),
    Instruction("wfi", 0x10500073, 0xFFFFFFFF, "machine", (32, 64), (), "none"),
    Instruction("sret", 0x10200073, 0xFFFFFFFF, "s", (32, 64), (), "none"),
    Instruction("sfence.vma", 0x12000073, 0xFE007FFF, "s", (32, 64), ("rs1", "rs2"), "none"),
    Instruction("emret", 0xBC200073, 0xFFFFFFFF, "fastirq", (32, 64), (), "none"),
    Instruction("uret", 0x00200073, 0xFFFFFFFF, "suclic", (32, 64), (), "none"),
    Instruction("euret", 0x8C200073, 0xFFFFFFFF, "ufastirq", (32, 64), (), "none"),
    Instruction("senduipi", 0x8E000073, 0xFFF07FFF, "uintr", (32, 64), ("rs1",), "none"),
    Instruction("csrrw", 0x00001073, 0x0000707F, "i", (32, 64), ("rd", "rs1"), "csr"),
    Instruction("csrrs", 0x00002073, 0x0000707F, "i", (32, 64), ("rd", "rs1"), "csr"),
    Instruction("csrrc", 0x00003073, 0x0000707F, "i", (32, 64), ("rd", "rs1"), "csr"),
    Instruction("csrrwi", 0x00005073, 0x0000707F, "i", (32, 64), ("rd",), "csr"),
    Instruction("csrrsi", 0x00006073, 0x0000707F, "i", (32, 64), ("rd",), "csr"),
    Instruction("csrrci", 0x00007073, 0x0000707F, "i", (32, 64), ("rd",), "csr"),
    Instruction("flw", 0x00002007, 0x0000707F, "f", (32, 64), ("rd", "rs1"), "i"),
    Instruction("fsw", 0x00002027, 0x0000707F, "f", (32, 64), ("rs1", "rs2"), "s"),
    Instruction("fadd.s", 0x00000053, 0xFE00007F, "f", (32, 64), ("rd", "rs1", "rs2"), "rounding"),
    Instruction("fsub.s", 0x08000053, 0xFE00007F, "f", (32, 64), ("rd", "rs1", "rs2"), "rounding"),
    Instruction("fmul.s", 0x10000053, 0xFE00007F, "f", (32, 64), ("rd", "rs1", "rs2"), "rounding"),
    Instruction("fdiv.s", 0x18000053, 0xFE00007F, "f", (32, 64), ("rd", "rs1", "rs2"), "rounding"),
    Instruction("fsqrt.s", 0x58000053, 0xFFF0007F, "f", (32, 64), ("rd", "rs1"), "rounding"),
    Instruction("fsgnj.s", 0x20000053, 0xFE00707F, "f", (32, 64), ("rd", "rs1", "rs2"), "none"),
    Instruction("fsgnjn.s", 0x20001053, 0xFE00707F, "f", (32, 64), ("rd", "rs1", "rs2"), "none"),
    Instruction("fsgnjx.s", 0x20002053, 0xFE00707F, "f", (32, 64), ("rd", "rs1", "rs2"), "none"),
    Instruction("fmin.s", 0x28000053, 0xFE00707F, "f", (32, 64), ("rd", "rs1", "rs2"), "none"),
    Instruction("fmax.s", 0x28001053, 0xFE00707F, "f", (32, 64), ("rd", "rs1", "rs2"), "none"),
    Instruction("fle.s", 0xA0000053, 0xFE00707F, "f", (32, 64), ("rd", "rs1", "rs2"), "none"),
    Instruction("flt.s", 0xA0001053, 0xFE00707F, "f", (32, 64), ("rd", "rs1", "rs2"), "none"),
    Instruction("feq.s", 0xA0002053, 0xFE00707F, "f", (32, 64), ("rd", "rs1", "rs2"), "none"),
    Instruction("fcvt.w.s", 0xC0000053, 0xFFF0007F, "f", (32, 64), ("rd", "rs1"), "rounding"),
    Instruction("fcvt.s.w", 0xD0000053, 0xFFF0007F, "f", (32, 64), ("rd", "rs1"), "rounding"),
    Instruction("fcvt.wu.s", 0xC0100053, 0xFFF0007F, "f", (32, 64), ("rd", "rs1"), "rounding"),
    Instruction("fcvt.s.wu", 0xD0100053, 0xFFF0007F, "f", (32, 64), ("rd", "rs1"), "rounding"),
    Instruction("fcvt.l.s", 0xC0200053, 0xFFF0007F, "f", (64,), ("rd", "rs1"), "rounding"),
    Instruction("fcvt.s.l", 0xD0200053, 0xFFF0007F, "f", (64,), ("rd", "rs1"), "rounding"),
    Instruction("fcvt.lu.s", 0xC0300053, 0xFFF0007F, "f", (64,), ("rd", "rs1"), "rounding"),
    Instruction("fcvt.s.lu", 0xD0300053, 0xFFF0007F, "f", (64,), ("rd", "rs1"), "rounding"),
    Instruction("fmv.x.w", 0xE0000053, 0xFFF0707F, "f", (32, 64), ("rd", "rs1"), "none"),
    Instruction("fclass.s", 0xE0001053, 0xFFF0707F, "f", (32, 64), ("rd", "rs1"), "none"),
    Instruction("fmv.w.x", 0xF0000053, 0xFFF0707F, "f", (32, 64), ("rd", "rs1"), "none"),
    Instruction("fmadd.s", 0x00000043, 0x0600007F, "f", (32, 64), ("rd", "rs1", "rs2", "rs3"), "rounding"),
    Instruction("fmsub.s", 0x00000047, 0x0600007F, "f", (32, 64), ("rd", "rs1", "rs2", "rs3"), "rounding"),
    Instruction("fnmsub.s", 0x0000004B, 0x0600007F, "f", (32, 64), ("rd", "rs1", "rs2", "rs3"), "rounding"),
    Instruction("fnmadd.s", 0x0000004F, 0x0600007F, "f", (32, 64), ("rd", "rs1", "rs2", "rs3"), "rounding"),
    Instruction("fld", 0x00003007, 0x0000707F, "d", (32, 64), ("rd", "rs1"), "i"),
    Instruction("fsd", 0x00003027, 0x0000707F, "d", (32, 64), ("rs1", "rs2"), "s"),
    Instruction("fadd.d", 0x02000053, 0xFE00007F, "d", (32, 64), ("rd", "rs1", "rs2"), "rounding"),
    Instruction("fsub.d", 0x0A000053, 0xFE00007F, "d", (32, 64), ("rd", "rs1", "rs2"), "rounding"),
    Instruction("fmul.d", 0x12000053, 0xFE00007F, "d", (32, 64), ("rd", "rs1", "rs2"), "rounding"),
    Instruction("fdiv.d", 0x1A000053, 0xFE00007F, "d", (32, 64), ("rd", "rs1", "rs2"), "rounding"),
    Instruction("fsqrt.d", 0x5A000053, 0xFFF0007F, "d", (32, 64), ("rd", "rs1"), "rounding"),
    Instruction("fsgnj.d", 0x22000053, 0xFE00707F, "d", (32, 64), ("rd", "rs1", "rs2"), "none"),
    Instruction("fsgnjn.d", 0x22001053, 0xFE00707F, "d", (32, 64), ("rd", "rs1", "rs2"), "none"),
    Instruction("fsgnjx.d", 0x22002053, 0xFE00707F, "d", (32, 64), ("rd", "rs1", "rs2"), "none"),
    Instruction("fmin.d", 0x2A000053, 0xFE00707F, "d", (32, 64), ("rd", "rs1", "rs2"), "none"),
    Instruction("fmax.d", 0x2A001053, 0xFE00707F, "d", (32, 64), ("rd", "rs1", "rs2"), "none"),
    Instruction("fle.d", 0xA2000053, 0xFE00707F, "d", (32, 64), ("rd", "rs1", "rs2"), "none"),
    Instruction("flt.d", 0xA2001053, 0xFE00707F, "d", (32, 64), ("rd", "rs1", "rs2"), "none"),
    Instruction("feq.d", 0xA2002053, 0xFE00707F, "d", (32, 64), ("rd", "rs1", "rs2"), "none"),
    Instruction("fcvt.w.d", 0xC2000053, 0xFFF0007F, "d", (32, 64), ("rd", "rs1"), "rounding"),
    Instruction("fcvt.d.w", 0xD2000053, 0xFFF0007F, "d", (32, 64), ("rd", "rs1"), "rounding"),
    Instruction("fcvt.wu.d", 0xC2100053, 0xFFF0007F, "d", (32, 64), ("rd", "rs1"), "rounding"),
    Instruction("fcvt.d.wu", 0xD2100053, 0xFFF0007F, "d", (32, 64), ("rd", "rs1"), "rounding"),
    Instruction("fcvt.l.d", 0xC2200053, 0xFFF0007F, "d", (64,), ("rd", "rs1"), "rounding"),
    Instruction("fcvt.d.l", 0xD2200053, 0xFFF0007F, "d", (64,), ("rd", "rs1"), "rounding"),
    Instruction("fcvt.lu.d", 0xC2300053, 0xFFF0007F, "d", (64,), ("rd", "rs1"), "rounding"),
    Instruction("fcvt.d.lu", 0xD2300053, 0xFFF0007F, "d", (64,), ("rd", "rs1"), "rounding"),
    Instruction("fmv.x.d", 0xE2000053, 0xFFF0707F, "d", (32, 64), ("rd", "rs1"), "none"),
    Instruction("fclass.d", 0xE2001053, 0xFFF0707F, "d", (32, 64), ("rd", "rs1"), "none"),
    Instruction("fmv.d.x", 0xF2000053, 0xFFF0707F, "d", (32, 64), ("rd", "rs1"), "none"),
    Instruction("fmadd.d", 0x02000043, 0x0600007F, "d", (32, 64), ("rd", "rs1", "rs2", "rs3"), "rounding"),
    Instruction("fmsub.d", 0x02000047, 0x0600007F, "d", (32, 64), ("rd", "rs1", "rs2", "rs3"), "rounding"),
    Instruction("fnmsub.d", 0x0200004B, 0x0600007F, "d", (32, 64), ("rd", "rs1", "rs2", "rs3"), "rounding"),
    Instruction("fnmadd.d", 0x0200004F, 0x0600007F, "d", (32, 64), ("rd", "rs1", "rs2", "rs3"), "rounding"),
    Instruction("fcvt.s.d", 0x40100053, 0xFFF0007F, "d", (32, 64), ("rd", "rs1"), "rounding"),
    Instruction("fcvt.d.s", 0x42000053, 0xFFF0007F, "d", (32, 64), ("rd", "rs1"), "rounding"),
)

COMPRESSED = (
    Compressed(
        *("c.addi4spn", 0x0000, 0xE003, (8160,), (32, 64)),
        *(0x00010413, 0x0000, 0x00000000),
        ((5, 1, 23), (6, 1, 22), (7, 4, 26), (11, 2, 24), (2, 3, 7)),
    ),
    Compressed(
        *("c.fld", 0x2000, 0xE003, (), (64,)),
        *(0x00043407, 0x0000, 0x00000000),
        ((5, 2, 26), (10, 3, 23), (7, 3, 15), (2, 3, 7)),
    ),
    Compressed(
        *("c.lw", 0x4000, 0xE003, (), (32, 64)),
        *(0x00042403, 0x0000, 0x00000000),
        ((5, 1, 26), (6, 1, 22), (10, 3, 23), (7, 3, 15), (2, 3, 7)),
    ),
    Compressed(
        *("c.ld", 0x6000, 0xE003, (), (64,)),
        *(0x00043403, 0x0000, 0x00000000),
        ((5, 2, 26), (10, 3, 23), (7, 3, 15), (2, 3, 7)),
    ),
    Compressed(
        *("c.fsd", 0xA000, 0xE003, (), (64,)),
        *(0x00843027, 0x0000, 0x00000000),
        ((5, 2, 26), (10, 2, 10), (12, 1, 25), (7, 3, 15), (2, 3, 20)),
    ),
    Compressed(
        *("c.sw", 0xC000, 0xE003, (), (32, 64)),
        *(0x00842023, 0x0000, 0x00000000),
        ((5, 1, 26), (6, 1, 9), (10, 2, 10), (12, 1, 25), (7, 3, 15), (2, 3, 20)),
    ),
    Compressed(
        *("c.sd", 0xE000, 0xE003, (), (64,)),
        *(0x00843023, 0x0000, 0x00000000),
        ((5, 2, 26), (10, 2, 10), (12, 1, 25), (7, 3, 15), (2, 3, 20)),
    ),
    Compressed(
        *("c.addi", 0x0001, 0xE003, (), (32, 64)),
        *(0x00000013, 0x1000, 0xFC000000),
        ((2, 5, 20), (12, 1, 25), (7, 5, 7), (7, 5, 15)),
    ),
    Compressed(
        *("c.jal", 0x2001, 0xE003, (), (32,)),
        *(0x000000EF, 0x1000, 0x800FF000),
        ((2, 1, 25), (3, 3, 21), (6, 1, 27), (7, 1, 26), (8, 1, 30), (9, 2, 28), (11, 1, 24), (12, 1, 20)),
    ),
    Compressed(
        *("c.addiw", 0x2001, 0xE003, (3968,), (64,)),
        *(0x0000001B, 0x1000, 0xFC000000),
        ((2, 5, 20), (12, 1, 25), (7, 5, 7), (7, 5, 15)),
    ),
    Compressed(
        *("c.li", 0x4001, 0xE003, (), (32, 64)),
        *(0x00000013, 0x1000, 0xFC000000),
        ((2, 5, 20), (12, 1, 25), (7, 5, 7)),
    ),
    Compressed(
        *("c.addi16sp", 0x6101, 0xEF83, (4220,), (32, 64)),
        *(0x00010113, 0x1000, 0xC0000000),
        ((2, 1, 25), (3, 2, 27), (5, 1, 26), (6, 1, 24), (12, 1, 29)),
    ),
    Compressed(
        *("c.lui", 0x6001, 0xE003, (4220,), (32, 64)),
        *(0x00000037, 0x1000, 0xFFFC0000),
        ((2, 5, 12), (12, 1, 17), (7, 5, 7)),
    ),
    Compressed(
        *("c.srli", 0x8001, 0xFC03, (), (32,)),
        *(0x00045413, 0x0000, 0x00000000),
        ((2, 5, 20), (12, 1, 25), (7, 3, 7), (7, 3, 15)),
    ),
    Compressed(
        *("c.srli", 0x8001, 0xEC03, (), (64,)),
        *(0x00045413, 0x0000, 0x00000000),
        ((2, 5, 20), (12, 1, 25), (7, 3, 7), (7, 3, 15)),
    ),
    Compressed(
        *("c.srai", 0x8401, 0xFC03, (), (32,)),
        *(0x40045413, 0x0000, 0x00000000),
        ((2, 5, 20), (12, 1, 25), (7, 3, 7), (7, 3, 15)),
    ),
    Compressed(
        *("c.srai", 0x8401, 0xEC03, (), (64,)),
        *(0x40045413, 0x0000, 0x00000000),
        ((2, 5, 20), (12, 1, 25), (7, 3, 7), (7, 3, 15)),
    ),
    Compressed(
        *("c.andi", 0x8801, 0xEC03, (), (32, 64)),
        *(0x00047413, 0x1000, 0xFC000000),
        ((2, 5, 20), (12, 1, 25), (7, 3, 7), (7, 3, 15)),
    ),
    Compressed(
        *("c.sub", 0x8C01, 0xFC63, (), (32, 64)),
        *(0x40840433, 0x0000, 0x00000000),
        ((7, 3, 7), (7, 3, 15), (2, 3, 20)),
    ),
    Compressed(
        *("c.xor", 0x8C21, 0xFC63, (), (32, 64)),
        *(0x00844433, 0x0000, 0x00000000),
        ((7, 3, 7), (7, 3, 15), (2, 3, 20)),
    ),
    Compressed(
        *("c.or", 0x8C41, 0xFC63, (), (32, 64)),
        *(0x00846433, 0x0000, 0x00000000),
        ((7, 3, 7), (7, 3, 15), (2, 3, 20)),
    ),
    Compressed(
        *("c.and", 0x8C61, 0xFC63, (), (32, 64)),
        *(0x00847433, 0x0000, 0x00000000),
        ((7, 3, 7), (7, 3, 15), (2, 3, 20)),
    ),
    Compressed(
        *("c.subw", 0x9C01, 0xFC63, (), (64,)),
        *(0x4084043B, 0x0000, 0x00000000),
        ((7, 3, 7), (7, 3, 15), (2, 3, 20)),
    ),
    Compressed(
        *("c.addw", 0x9C21, 0xFC63, (), (64,)),
        *(0x0084043B, 0x0000, 0x00000000),
        ((7, 3, 7), (7, 3, 15), (2, 3, 20)),
    ),
    Compressed(
        *("c.j", 0xA001, 0xE003, (), (32, 64)),
        *(0x0000006F, 0x1000, 0x800FF000),
        ((2, 1, 25), (3, 3, 21), (6, 1, 27), (7, 1, 26), (8, 1, 30), (9, 2, 28), (11, 1, 24), (12, 1, 20)),
    ),
    Compressed(
        *("c.beqz", 0xC001, 0xE003, (), (32, 64)),
        *(0x00040063, 0x1000, 0xE0000080),
        ((2, 1, 25), (3, 2, 8), (5, 2, 26), (10, 2, 10), (12, 1, 28), (7, 3, 15)),
    ),
    Compressed(
        *("c.bnez", 0xE001, 0xE003, (), (32, 64)),
        *(0x00041063, 0x1000, 0xE0000080),
        ((2, 1, 25), (3, 2, 8), (5, 2, 26), (10, 2, 10), (12, 1, 28), (7, 3, 15)),
    ),
    Compressed(
        *("c.slli", 0x0002, 0xF003, (), (32,)),
        *(0x00001013, 0x0000, 0x00000000),
        ((2, 5, 20), (12, 1, 25), (7, 5, 7), (7, 5, 15)),
    ),
    Compressed(
        *("c.slli", 0x0002, 0xE003, (), (64,)),
        *(0x00001013, 0x0000, 0x00000000),
        ((2, 5, 20), (12, 1, 25), (7, 5, 7), (7, 5, 15)),
    ),
    Compressed(
        *("c.fldsp", 0x2002, 0xE003, (), (64,)),
        *(0x00013007, 0x0000, 0x00000000),
        ((2, 3, 26), (5, 2, 23), (12, 1, 25), (7, 5, 7)),
    ),
    Compressed(
        *("c.lwsp", 0x4002, 0xE003, (3968,), (32, 64)),
        *(0x00012003, 0x0000, 0x00000000),
        ((2, 2, 26), (4, 3, 22), (12, 1, 25), (7, 5, 7)),
    ),
    Compressed(
        *("c.ldsp", 0x6002, 0xE003, (3968,), (64,)),
        *(0x00013003, 0x0000, 0x00000000),
        ((2, 3, 26), (5, 2, 23), (12, 1, 25), (7, 5, 7)),
    ),
    Compressed(
        *("c.jr", 0x8002, 0xF07F, (3968,), (32, 64)),
        *(0x00000067, 0x0000, 0x00000000),
        ((7, 5, 15),),
    ),
    Compressed(
        *("c.mv", 0x8002, 0xF003, (124,), (32, 64)),
        *(0x00000033, 0x0000, 0x00000000),
        ((7, 5, 7), (2, 5, 20)),
    ),
    Compressed(
        *("c.ebreak", 0x9002, 0xFFFF, (), (32, 64)),
        *(0x00100073, 0x0000, 0x00000000),
        (),
    ),
    Compressed(
        *("c.jalr", 0x9002, 0xF07F, (3968,), (32, 64)),
        *(0x000000E7, 0x0000, 0x00000000),
        ((7, 5, 15),),
    ),
    Compressed(
        *("c.add", 0x9002, 0xF003, (124,), (32, 64)),
        *(0x00000033, 0x0000, 0x00000000),
        ((7, 5, 7), (7, 5, 15), (2, 5, 20)),
    ),
    Compressed(
        *("c.fsdsp", 0xA002, 0xE003, (), (64,)),
        *(0x00013027, 0x0000, 0x00000000),
        ((7, 3, 26), (10, 2, 10), (12, 1, 25), (2, 5, 20)),
    ),
    Compressed(
        *("c.swsp", 0xC002, 0xE003, (), (32, 64)),
        *(0x00012023, 0x0000, 0x00000000),
        ((7, 2, 26), (9, 3, 9), (12, 1, 25), (2, 5, 20)),
    ),
    Compressed(
        *("c.sdsp", 0xE002, 0xE003, (), (64,)),
        *(0x00013023, 0x0000, 0x00000000),
        ((7, 3, 26), (10, 2, 10), (12, 1, 25), (2, 5, 20)),
    ),
)
