# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""What a word means, in a form in which three parties can be compared."""

from __future__ import annotations

from typing import NamedTuple

WORDS = ("lb", "lh", "lw", "lbu", "lhu", "ld", "lwu")
STORES = ("sb", "sh", "sw", "sd")
FLOAT_STORES = ("fsw", "fsd")
BRANCHES = ("beq", "bne", "blt", "bge", "bltu", "bgeu")
ROUNDING = {"rne": 0, "rtz": 1, "rdn": 2, "rup": 3, "rmm": 4, "dyn": 7}
RESERVED = 5
"""Stands for both rounding modes that are reserved."""

CSRS = ("csrrw", "csrrs", "csrrc", "csrrwi", "csrrsi", "csrrci")
ATOMIC = ("sc", "amoswap", "amoadd", "amoxor", "amoand", "amoor", "amomin", "amomax", "amominu", "amomaxu")
BLOCKS = ("cbo.inval", "cbo.clean", "cbo.flush")
SYSTEM = ("ecall", "ebreak", "mret", "wfi", "emret", "fence.i")
OTHER_MODES = ("sret", "hret", "uret", "dret", "sfence.vma", "sfence.vm")
"""Privileged instructions of modes that Trapeze does not have."""


_EFFECTS = frozenset(
    (
        *("jal", "jalr", *WORDS, *STORES, *BRANCHES, *CSRS, *SYSTEM, *BLOCKS, *OTHER_MODES),
        *(f"{name}.{size}" for name in ("lr", *ATOMIC) for size in "wd"),
    )
)
"""Instructions that do something even if they write no register."""


class Instruction(NamedTuple):
    """The fields of an instruction; absent ones are 0.

    Attributes:
        name: As the manual writes it, without what a compressed one has more, and without `.aq` and `.rl`, which all
            accesses keep. A word that does nothing (a fence, a computation into x0) is a `nop`, whatever it is called.
        rd: Register written.
        rs1: Register read; of a CSR instruction also the immediate.
        rs2: Register read.
        rs3: Register read.
        imm: Immediate, distance to the target, number of the CSR, or rounding mode. Of `lui` and `auipc` with its
            twelve zeros.
    """

    name: str
    rd: int = 0
    rs1: int = 0
    rs2: int = 0
    imm: int = 0
    rs3: int = 0


NOP = Instruction("nop")


def is_float(name: str) -> bool:
    """Whether an instruction is of F or D."""
    return name.startswith("f") and not name.startswith("fence")


def instruction(name: str, rd: int = 0, rs1: int = 0, rs2: int = 0, imm: int = 0, rs3: int = 0) -> Instruction:
    """An instruction, or NOP if it does nothing. Those of F and D have a register 0, or raise flags."""
    return Instruction(name, rd, rs1, rs2, imm, rs3) if rd or name in _EFFECTS or is_float(name) else NOP


def signed(value: int, bits: int = 32) -> int:
    """The lowest bits of a number, as a signed one."""
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value
