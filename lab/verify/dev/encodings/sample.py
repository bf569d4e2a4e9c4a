# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Words that stand for all.

The sample has all words of 16 bits. There are 2^30 words of 32 bits. Opcode, funct3, and one of funct7, funct5,
funct12, fm or rs2 distinguish instructions; the other fields are numbers. So the sample has

- every opcode that is not the beginning of a longer instruction, with every funct3 and every funct7, and for opcodes
  whose rs2 can be part of the function every funct12: with registers at the limits or any others;
- every fence (fm, predecessors, successors) and every privileged instruction, with registers in the reserved fields and
  without;
- for each opcode and funct3 words with a single one and with a single zero above them, for immediates and registers are
  wires: where each bit goes is then known;
- and words at random.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

OPCODES = tuple(opcode for opcode in range(0x03, 0x80, 4) if opcode & 0x1C != 0x1C)
"""Bits 6:0 of instructions of 32 bits (Unprivileged ISA 20191213, 1.5)."""

FUNCT12 = (0x13, 0x1B, 0x2F, 0x33, 0x3B, 0x73)
"""Opcodes whose bits 24:20 can be part of the function: OP-IMM, OP-IMM-32, AMO, OP, OP-32, SYSTEM."""

PLAIN = ((0x0F, 0), (0x0F, 1), (0x73, 0))
"""Opcode and funct3 of fence, fence.i and privileged instructions, in which registers are reserved or part of the
function."""

LIMITS = (0, 1, 2, 15, 16, 31)


def compressed(seed: int) -> list[int]:
    """Every instruction of 16 bits, each followed by random bits."""
    noise = random.Random(seed)
    return [half | noise.getrandbits(16) << 16 for half in range(1 << 16) if half & 3 != 3]


def _word(opcode: int, funct3: int, upper: int, rd: int, rs1: int) -> int:
    return upper << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode


def functions(noise: random.Random, step: int = 1) -> Iterator[int]:
    """Every function code; with `step` above 1 only every so many of the values of bits 24:20."""
    for opcode in OPCODES:
        for upper in range(0, 4096, step if opcode in FUNCT12 else 32):
            for funct3 in range(8):
                registers = noise.choice((LIMITS, range(32)))
                rd, rs1, rs2 = (noise.choice(registers) for _ in range(3))
                yield _word(opcode, funct3, upper if opcode in FUNCT12 else upper | rs2, rd, rs1)


def plain() -> Iterator[int]:
    """Every fence and every privileged instruction."""
    for opcode, funct3 in PLAIN:
        for upper in range(4096):
            for rd, rs1 in ((0, 0), (1, 0), (0, 1)):
                yield _word(opcode, funct3, upper, rd, rs1)


def wires() -> Iterator[int]:
    """Single ones and single zeros above opcode and funct3."""
    for opcode in OPCODES:
        for funct3 in range(8):
            low = _word(opcode, funct3, 0, 0, 0)
            for bit in (*range(7, 12), *range(15, 32)):
                yield low | 1 << bit
                yield low | 0xFFFF8F80 & ~(1 << bit)


def anything(noise: random.Random, count: int) -> Iterator[int]:
    """Words at random, of any opcode."""
    for _ in range(count):
        yield noise.getrandbits(32) & ~0x7F | noise.choice(OPCODES)


def full(seed: int) -> list[int]:
    """All of these."""
    noise = random.Random(seed)
    return [*functions(noise), *plain(), *wires(), *anything(noise, 50_000)]


def part(seed: int) -> list[int]:
    """A smaller sample, to check an extension: every funct7 and every seventh funct12."""
    noise = random.Random(seed)
    return [*functions(noise, step=7), *anything(noise, 10_000)]
