# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The instruction set as the random-program generator sees it.

Purpose: one table of every mnemonic a program may contain (RV32I/E, M, C, Zicsr, Zifencei, Zba, Zbb, Zbs and
the machine-mode system instructions), its operand shape, and `is_legal16`/`is_legal32`, which tell whether a
word is an instruction at all, so that illegal encodings can be drawn at random.

Source: the RISC-V unprivileged specification (20240411) chapters 2, 5, 6, 13, 27, 28 and the privileged
specification 1.12. The compressed set is RV32C without the floating-point loads and stores.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

R_TYPE = (
    *("add", "sub", "sll", "slt", "sltu", "xor", "srl", "sra", "or", "and"),
    *("mul", "mulh", "mulhsu", "mulhu", "div", "divu", "rem", "remu"),
    *("sh1add", "sh2add", "sh3add"),
    *("andn", "orn", "xnor", "max", "maxu", "min", "minu", "rol", "ror"),
    *("bclr", "bext", "binv", "bset"),
)
"""rd, rs1, rs2."""

UNARY = ("clz", "ctz", "cpop", "sext.b", "sext.h", "zext.h", "orc.b", "rev8")
"""rd, rs1."""

I_TYPE = ("addi", "slti", "sltiu", "xori", "ori", "andi")
"""rd, rs1, 12-bit signed immediate."""

SHIFT_IMM = ("slli", "srli", "srai", "rori", "bclri", "bexti", "binvi", "bseti")
"""rd, rs1, 5-bit shift amount."""

U_TYPE = ("lui", "auipc")
LOADS = {"lb": 1, "lbu": 1, "lh": 2, "lhu": 2, "lw": 4}
"""Load mnemonic to access size in bytes."""
STORES = {"sb": 1, "sh": 2, "sw": 4}
"""Store mnemonic to access size in bytes."""
BRANCHES = ("beq", "bne", "blt", "bge", "bltu", "bgeu")
JUMPS = ("jal", "jalr")
CSR_OPS = ("csrrw", "csrrs", "csrrc", "csrrwi", "csrrsi", "csrrci")
SYSTEM = ("fence", "fence.i", "ecall", "ebreak", "mret", "wfi")
COMPRESSED = (
    *("c.addi4spn", "c.lw", "c.sw", "c.nop", "c.addi", "c.jal", "c.li", "c.addi16sp", "c.lui"),
    *("c.srli", "c.srai", "c.andi", "c.sub", "c.xor", "c.or", "c.and", "c.j", "c.beqz", "c.bnez"),
    *("c.slli", "c.lwsp", "c.jr", "c.mv", "c.ebreak", "c.jalr", "c.add", "c.swsp"),
)

AMOS = ("amoswap", "amoadd", "amoxor", "amoand", "amoor", "amomin", "amomax", "amominu", "amomaxu")
"""Atomic memory operations, without width and order: rd, rs2, (rs1)."""

ALL_MNEMONICS: tuple[str, ...] = (
    *R_TYPE,
    *UNARY,
    *I_TYPE,
    *SHIFT_IMM,
    *U_TYPE,
    *LOADS,
    *STORES,
    *BRANCHES,
    *JUMPS,
    *CSR_OPS,
    *SYSTEM,
    *COMPRESSED,
)
"""Every instruction of the platform's ISA but atomic ones; the suite fails if one is never executed."""

CORNERS = (
    *(0, 1, 2, 3, 4, 5, 7, 8, 0xF, 0x10, 0x1F, 0x20, 0x21, 0x7F, 0x80, 0xFF, 0x100, 0x7FF, 0x800, 0x801),
    *(0x7FFF, 0x8000, 0xFFFF, 0x10000, 0x7FFFFF, 0x800000, 0x7FFFFFFE, 0x7FFFFFFF, 0x80000000, 0x80000001),
    *(0xC0000000, 0xAAAAAAAA, 0x55555555, 0x33333333, 0x00FF00FF, 0xFF00FF00, 0xFFFF0000, 0xFFFF8000),
    *(0xFFFFFF7F, 0xFFFFFF80, 0xFFFFF800, 0xFFFFFFE0, 0xFFFFFFF0, 0xFFFFFFFE, 0xFFFFFFFF),
)
"""32-bit operand values with a history of finding arithmetic mistakes."""


_EXTENSION = {
    **dict.fromkeys(("mul", "mulh", "mulhsu", "mulhu", "div", "divu", "rem", "remu"), "m"),
    **dict.fromkeys(("sh1add", "sh2add", "sh3add"), "zba"),
    **dict.fromkeys(("andn", "orn", "xnor", "max", "maxu", "min", "minu", "rol", "ror", "rori", *UNARY), "zbb"),
    **dict.fromkeys(("bclr", "bext", "binv", "bset", "bclri", "bexti", "binvi", "bseti"), "zbs"),
}
"""Mnemonic to extension, of instructions that neither base nor Zicsr nor Zifencei has; but for A and C."""

R_TYPE_64 = (
    *("addw", "subw", "sllw", "srlw", "sraw", "mulw", "divw", "divuw", "remw", "remuw"),
    *("add.uw", "sh1add.uw", "sh2add.uw", "sh3add.uw", "rolw", "rorw"),
)
"""What RV64 adds to R_TYPE."""

UNARY_64 = ("clzw", "cpopw")
"""What RV64 adds to UNARY, but for `ctzw`: QEMU 7.2 counts on in the upper half where the lower one is zero."""

SHIFT_IMM_64 = ("slliw", "srliw", "sraiw", "roriw")
"""What RV64 adds to SHIFT_IMM, with 5-bit amounts; those of SHIFT_IMM have 6 bits there."""

CORNERS_64 = (
    *(CORNER | extension for CORNER in CORNERS for extension in (0, 0xFFFFFFFF_00000000) if CORNER >> 31),
    *(1 << 32, (1 << 32) + 1, 1 << 62, (1 << 63) - 1, 1 << 63, (1 << 63) + 1, (1 << 64) - 2, (1 << 64) - 1),
    *(0xAAAAAAAA_55555555, 0x01234567_89ABCDEF, 0x7FFFFFFF_80000000, 0x80000000_7FFFFFFF, 0x00FF00FF_00FF00FF),
)
"""More operand values of 64 bits."""

_WORD = re.compile(r"[a-z][a-z0-9.]*")


@dataclass(frozen=True)
class Base:
    """The core that a program is for: the instructions that it may consist of, and where it begins.

    Attributes:
        registers: number of integer registers, 32 for RV32I and 16 for RV32E.
        march: the assembler's -march.
        mabi: the assembler's -mabi.
        extensions: beside the integer base, Zicsr and Zifencei.
        reset: address of the first instruction; None: of the instruction bank.
        xlen: width of a register in bits.
        supervisor: whether there are S mode and Sv39.
        whole_frames: whether fastirq's frames hold all registers but sp, gp and tp.
    """

    registers: int
    march: str
    mabi: str
    extensions: frozenset[str] = frozenset(("m", "c", "zba", "zbb", "zbs"))
    reset: int | None = None
    xlen: int = 32
    supervisor: bool = False
    whole_frames: bool = False

    @property
    def wide(self) -> bool:
        """Whether this is RV64."""
        return self.xlen == 64

    @property
    def word(self) -> int:
        """Bytes of a register."""
        return self.xlen // 8

    @property
    def mask(self) -> int:
        """A register of ones."""
        return (1 << self.xlen) - 1

    @property
    def floating(self) -> bool:
        """Whether F and D are there."""
        return "d" in self.extensions

    @property
    def r_type(self) -> tuple[str, ...]:
        """R_TYPE of this width."""
        return R_TYPE + R_TYPE_64 if self.wide else R_TYPE

    @property
    def unary(self) -> tuple[str, ...]:
        """UNARY of this width."""
        return UNARY + UNARY_64 if self.wide else UNARY

    @property
    def i_type(self) -> tuple[str, ...]:
        """I_TYPE of this width."""
        return (*I_TYPE, "addiw") if self.wide else I_TYPE

    @property
    def loads(self) -> dict[str, int]:
        """LOADS of this width."""
        return LOADS | {"lwu": 4, "ld": 8} if self.wide else LOADS

    @property
    def stores(self) -> dict[str, int]:
        """STORES of this width."""
        return STORES | {"sd": 8} if self.wide else STORES

    @property
    def atomic(self) -> bool:
        """Whether the A extension is there."""
        return "a" in self.extensions

    @property
    def compressed(self) -> bool:
        """Whether the C extension is there; else every instruction has four bytes."""
        return "c" in self.extensions

    def has(self, mnemonic: str) -> bool:
        """Whether an instruction exists; compressed ones are a matter of `asm`."""
        return _EXTENSION.get(mnemonic, "") in ("", *self.extensions)

    def known(self, choices: Iterable[str]) -> tuple[str, ...]:
        """Those of some mnemonics, or of lines of assembly, that exist."""
        return tuple(choice for choice in choices if all(map(self.has, _WORD.findall(choice))))

    def ways(self, choices: Iterable[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
        """Those of some pieces of assembly of which every line exists."""
        return tuple(lines for lines in choices if self.known(lines) == lines)


RV32I = Base(32, "rv32imc_zba_zbb_zbs_zicsr_zifencei", "ilp32")
RV32IA = Base(32, "rv32imac_zba_zbb_zbs_zicsr_zifencei", "ilp32", RV32I.extensions | {"a"})
RV32E = Base(16, "rv32emc_zba_zbb_zbs_zicsr_zifencei", "ilp32e")

OP_FUNCT7: dict[int, tuple[int, ...]] = {
    0x00: (0, 1, 2, 3, 4, 5, 6, 7),
    0x20: (0, 4, 5, 6, 7),
    0x01: (0, 1, 2, 3, 4, 5, 6, 7),
    0x10: (2, 4, 6),
    0x05: (4, 5, 6, 7),
    0x30: (1, 5),
    0x24: (1, 5),
    0x34: (1,),
    0x14: (1,),
}
"""Instructions of the opcode OP, funct3 by funct7: the same on RV32 and RV64."""

_LEGAL_FUNCT3: dict[int, tuple[int, ...]] = {
    0x67: (0,),
    0x63: (0, 1, 4, 5, 6, 7),
    0x03: (0, 1, 2, 4, 5),
    0x23: (0, 1, 2),
    0x0F: (0, 1),
}


def _legal_op_imm(word: int) -> bool:
    funct3, upper, low = word >> 12 & 7, word >> 25, word >> 20 & 31
    if funct3 == 1:
        return upper in (0x00, 0x14, 0x24, 0x34) or (upper == 0x30 and low in (0, 1, 2, 4, 5))
    if funct3 == 5:
        return upper in (0x00, 0x20, 0x24, 0x30) or word >> 20 in (0x287, 0x698)
    return True


_AMO_FUNCT5 = (0x00, 0x01, 0x02, 0x03, 0x04, 0x08, 0x0C, 0x10, 0x14, 0x18, 0x1C)
_LR_FUNCT5 = 0x02


def _legal_atomic(word: int) -> bool:
    funct5 = word >> 27
    return word >> 12 & 7 == 2 and funct5 in _AMO_FUNCT5 and (funct5 != _LR_FUNCT5 or word >> 20 & 31 == 0)


def is_legal32(word: int, atomic: bool = False) -> bool:
    """True if the 32-bit word encodes an instruction of the platform (SYSTEM words count as legal)."""
    opcode, funct3, funct7 = word & 0x7F, word >> 12 & 7, word >> 25
    if opcode == 0x2F:
        return atomic and _legal_atomic(word)
    if opcode in (0x37, 0x17, 0x6F, 0x73):
        return True
    if opcode in _LEGAL_FUNCT3:
        return funct3 in _LEGAL_FUNCT3[opcode]
    if opcode == 0x13:
        return _legal_op_imm(word)
    if opcode == 0x33:
        if funct7 == 0x04:  # zext.h
            return funct3 == 4 and word >> 20 & 31 == 0
        return funct3 in OP_FUNCT7.get(funct7, ())
    return False


def is_legal16(half: int) -> bool:
    """True if the 16-bit value encodes a compressed instruction or HINT of RV32C without floating point.

    Reserved and non-standard (RV32: shift amount above 31) encodings are not legal.
    """
    quadrant, funct3, bit12 = half & 3, half >> 13, half >> 12 & 1
    rd, rs2 = half >> 7 & 31, half >> 2 & 31
    if quadrant == 0:
        return funct3 in (2, 6) or (funct3 == 0 and half >> 5 & 0xFF != 0)
    if quadrant == 1:
        if funct3 == 3:
            return bit12 != 0 or rs2 != 0
        return not (funct3 == 4 and bit12 and half >> 10 & 3 != 2)
    if quadrant == 2:
        if funct3 == 0:
            return bit12 == 0
        if funct3 == 2:
            return rd != 0
        if funct3 == 4:
            return bit12 != 0 or rs2 != 0 or rd != 0
        return funct3 == 6
    return False
