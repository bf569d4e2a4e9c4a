# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The operand table: every arithmetic instruction on every pair of corner values, with results known beforehand.

The program folds each instruction's results into a hash, h = ror(h, 5) + result, and leaves it in x8 at an ecall;
`expected` computes the same from `verify.random.instructions.arithmetic`.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

from verify.random.instructions import arithmetic
from verify.random.instructions.addresses import platform
from verify.random.instructions.isa import CORNERS, Base
from verify.random.programs import harness
from verify.random.programs.generator import Options, Program

RESULT = 8
"""Number of the register that holds an instruction's hash at its ecall."""
_IMMEDIATES = (0, 1, -1, 2, 7, 31, 255, -256, 0x555, -0x556, 2047, -2048)
_SHIFTS = (0, 1, 2, 7, 15, 16, 30, 31)


def operands(seed: int) -> list[int]:
    """The operand values: most corner cases and a few random ones."""
    rng = random.Random(seed)
    return [*rng.sample(CORNERS, 22), 0, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, *(rng.getrandbits(32) for _ in range(4))]


def _cases() -> Iterator[tuple[str, list[int | None], arithmetic.Operation]]:
    """Mnemonic, second operands (None: another register), and the operation."""
    for name, operation in arithmetic.BINARY.items():
        yield name, [None], operation
    for name, operation in arithmetic.UNARY.items():
        yield name, [0], operation
    for name, operation in arithmetic.IMMEDIATE.items():
        yield name, list(_IMMEDIATES), operation
    for name, operation in arithmetic.SHIFT.items():
        yield name, list(_SHIFTS), operation


def expected(seed: int) -> dict[str, int]:
    """Mnemonic to the hash of its results."""
    values = operands(seed)
    result = {}
    for name, seconds, operation in _cases():
        value = 0
        for second in seconds:
            for a in values:
                for b in values if second is None else [second & arithmetic.MASK]:
                    value = (value >> 5 | value << 27) + operation(a, b) & arithmetic.MASK
        result[name] = value
    return result


def _fold(lines: list[str]) -> list[str]:
    return [*lines, "rori x8, x8, 5", "add x8, x8, x9"]


def generate(seed: int, base: Base) -> Program:
    """Make the program. Registers: x3 cursor, x5, x6 table pointers, x7 table end, x8 hash, x9 result, x10, x11."""
    values = operands(seed)
    counts: Counter[str] = Counter()
    lines = []
    for name, seconds, _ in _cases():
        counts[name] += 1
        lines += ["li x8, 0", "la x7, table_end"]
        for second in seconds:
            lines += ["la x5, table", "1: lw x10, 0(x5)"]
            if second is None:
                lines += ["la x6, table", "2: lw x11, 0(x6)", *_fold([f"{name} x9, x10, x11"])]
                lines += ["addi x6, x6, 4", "bne x6, x7, 2b"]
            elif name in arithmetic.UNARY:
                lines += _fold([f"{name} x9, x10"])
            else:
                lines += _fold([f"{name} x9, x10, {second}"])
            lines += ["addi x5, x5, 4", "bne x5, x7, 1b"]
        lines.append("ecall")
    lines.append("j finish")
    setup = harness.Setup(base, 3, 1, seed, vectored=False, mstatus=0, mie=0, registers=(0,) * (base.registers - 1))
    table = [".balign 4", "table:", *(f".4byte {value:#x}" for value in values), "table_end:"]
    return Program(seed, base, Options(), harness.render(setup, platform(), lines, table), counts)


def results(rows: list[list[int]]) -> dict[str, int]:
    """Mnemonic to hash, from the records of a verbose run."""
    names = [name for name, _, _ in _cases()]
    return {name: row[RESULT - 1] for name, row in zip(names, rows, strict=True)}
