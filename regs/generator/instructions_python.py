# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The instructions as a Python module, for the laboratory."""

from __future__ import annotations

from collections.abc import Iterator

from generator.instructions import Expansion, Instructions, Row
from generator.text import ISA_ORIGIN, NOTICE

_HEAD = f'''# {NOTICE}
"""Every instruction: bits, registers, immediate; and what compressed ones expand to.

{ISA_ORIGIN}
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
'''


def _words(words: tuple[str, ...]) -> str:
    listed = ", ".join(f'"{word}"' for word in words)
    return f"({listed},)" if len(words) == 1 else f"({listed})"


def _row(row: Row) -> str:
    widths = repr(row.widths)
    facts = f'"{row.of}", {widths}, {_words(row.registers)}, "{row.immediate}"'
    return f'    Instruction("{row.name}", 0x{row.match:08X}, 0x{row.mask:08X}, {facts}),'


def _compressed(one: Expansion) -> Iterator[str]:
    yield "    Compressed("
    yield f'        *("{one.name}", 0x{one.match:04X}, 0x{one.mask:04X}, {one.nonzero!r}, {one.widths!r}),'
    yield f"        *(0x{one.base:08X}, 0x{one.sign:04X}, 0x{one.fill:08X}),"
    yield f"        {one.moves!r},"
    yield "    ),"


def render(instructions: Instructions) -> str:
    """The module as text."""
    body = ["", "", "INSTRUCTIONS = (", *map(_row, instructions.rows), ")"]
    body += ["", "COMPRESSED = (", *(line for one in instructions.expansions for line in _compressed(one)), ")"]
    return "\n".join([_HEAD.rstrip("\n"), *body, ""])
