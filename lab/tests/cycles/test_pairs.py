# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""No cycle but those of the manual: every kind of instruction behind every other one, and every jump to every target.

The cycle table of docs/core.md has one sequence for each of its rows. What follows from its rules for all others is
held against the RTL here: an instruction takes its cycles, and one more where its operand is the result of the load
right before it and the table says so; a jump takes one more to a 32-bit instruction at a half-word address.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import pytest

from verify.dev import sequences
from verify.dev.sequences import marked

WORDS = "32-bit instructions"

LAYOUTS = {
    WORDS: (".option norvc", ""),
    "32-bit instructions at half-word addresses": (".option norvc", "c.nop"),
    "16-bit instructions where there are": (".option rvc", ""),
    "these, one half-word further": (".option rvc", "c.nop"),
}
"""By name: what the code is assembled with, and what stands in front of it. In all but the first one alignment would
fill with instructions that execute."""


@dataclass(frozen=True)
class Piece:
    """Instructions and the cycles they take.

    Attributes:
        code: `{r}` is the register that is written or read.
        cycles: Alone.
        result: Of what writes: `word` is loaded from an aligned word, `part` from anywhere else, "" is computed.
        waits: Of what reads: after which results it waits a cycle if it comes right behind.
    """

    code: str
    cycles: int
    result: str = ""
    waits: tuple[str, ...] = ()


LOADED = ("word", "part")

# All leave an address of `data` in {r}, or nothing that is used as an address.
WRITERS = (
    Piece("add {r}, s0, x0", 1),
    Piece("sh2add {r}, x0, s0", 1),
    Piece("max {r}, s0, x0; sub {r}, s0, x0", 2),
    Piece("mul {r}, s0, a3", 1),
    Piece("divu {r}, s0, a3", 18),
    Piece("csrr {r}, mscratch", 1),
    Piece("csrrw {r}, mscratch, s0", 1),
    Piece("lw {r}, 0(s0)", 1, "word"),
    Piece("lw {r}, 12(s0)", 1, "word"),
    Piece("lw {r}, 18(s0)", 2, "part"),
    Piece("sw s0, 4(s0); lw {r}, 4(s0)", 2, "word"),
    Piece("sw s0, 25(s0); lw {r}, 25(s0)", 4, "part"),
    Piece("lw {r}, 0(s0); lw {r}, 18(s0)", 3, "part"),
    Piece("fence; mv {r}, s0", 2),
    Piece("mv {r}, s0; sw s0, 0(s0)", 2),
    Piece("mv {r}, s0; sh a3, 24(s0)", 2),
    Piece("mv {r}, s0; sw a3, 25(s0)", 3),
    Piece("mv {r}, s0; nop; nop; nop", 4),
    Piece("mv {r}, s0; .balign 4; j 1f; nop; .balign 4; 1:", 2),
)
READERS = (
    Piece("add a4, {r}, {r}", 1),
    Piece("addi {r}, {r}, 0", 1),
    Piece("srai a4, {r}, 3", 1),
    Piece("sltu a4, a5, {r}", 1),
    Piece("bext a4, {r}, {r}", 1),
    Piece("sh1add a4, {r}, a5", 1),
    Piece("rev8 a4, {r}", 1),
    Piece("mul a4, {r}, {r}", 1, waits=LOADED),
    Piece("mulhsu a4, a5, {r}", 1, waits=LOADED),
    Piece("divu a4, a5, {r}", 18, waits=LOADED),
    Piece("rem a4, {r}, a5", 18, waits=LOADED),
    Piece("clz a4, {r}", 1, waits=LOADED),
    Piece("ctz a4, {r}", 1, waits=LOADED),
    Piece("cpop a4, {r}", 1, waits=LOADED),
    Piece("lw a4, 0({r})", 1, waits=("part",)),
    Piece("lbu a4, 5({r})", 1, waits=("part",)),
    Piece("lw a4, 18({r})", 2, waits=("part",)),
    Piece("sw s0, 0({r})", 1, waits=("part",)),
    Piece("sh a5, 27({r})", 2, waits=("part",)),
    Piece("sw {r}, 4(s0)", 1),
    Piece("sb {r}, 24(s0)", 1),
    Piece("sw {r}, 25(s0)", 2),
    Piece("csrw mtval, {r}", 1),
    Piece("csrrs a4, mscratch, {r}", 1),
    Piece("beq {r}, x0, 2f; nop; 2:", 2),
    Piece("bltu {r}, x0, 2f; nop; 2:", 2),
    Piece(".balign 4; bne {r}, x0, 2f; nop; .balign 4; 2:", 2),
    Piece(".balign 4; bgeu {r}, {r}, 2f; nop; .balign 4; 2:", 2),
)


@dataclass(frozen=True)
class Expected:
    """Code, and the cycles it has to take."""

    code: str
    cycles: int


def pairs(name: str) -> list[Expected]:
    """A reader behind a writer of its operand, behind one of another register, and with an instruction in between."""
    layout, front = LAYOUTS[name]
    found = []
    for writer, reader in product(WRITERS, READERS):
        if name != WORDS and ".balign" in writer.code + reader.code:
            continue
        waits = int(writer.result in reader.waits) if writer.result else 0
        for register, between, more in (("a0", "", waits), ("a1", "", 0), ("a0", "nop", 1)):
            code = "; ".join(filter(None, (writer.code.format(r=register), between, reader.code.format(r="a0"))))
            found.append(Expected(f"mv a0, s0; {marked(code, layout, front)}", writer.cycles + reader.cycles + more))
    return found


def measure(folder: Path, every: Sequence[Expected], platform: str) -> list[int]:
    """Cycles that each takes on the RTL."""
    return sequences.measure(folder, [one.code for one in every], platform)


def wrong(every: Sequence[Expected], found: Sequence[int]) -> list[str]:
    """Those that take other cycles."""
    return [
        f"{one.code}: {cycles} cycles, not {one.cycles}"
        for one, cycles in zip(every, found, strict=True)
        if cycles != one.cycles
    ]


@pytest.mark.parametrize("platform", ["mcu-clint", "mcu-fastirq"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_pairs(tmp_path: Path, layout: str, platform: str) -> None:
    every = pairs(layout)
    assert len(every) > 1000
    assert wrong(every, measure(tmp_path, every, platform)) == []


FILL = ".option rvc; .balign 4; .option norvc"
TARGETS = {
    "16-bit": (f"{FILL}; 1: .option rvc; c.nop", 0),
    "16-bit at a half-word address": (f"{FILL}; .option rvc; c.nop; 1: c.nop", 0),
    "32-bit": (f"{FILL}; 1: nop", 0),
    "32-bit at a half-word address": (f"{FILL}; .option rvc; c.nop; .option norvc; 1: nop", 1),
}
"""By name: the instruction 1, which executes next, and cycles that it comes later."""

JUMPS = (
    Piece("j 1f; ebreak", 1),
    Piece("jal a0, 1f; ebreak", 1),
    Piece("la a0, 1f; jr a0; ebreak", 4),
    Piece("la a0, 1f; jalr a1, 0(a0); ebreak", 4),
    Piece("la a0, 1f; sw a0, 4(s0); lw a0, 4(s0); jr a0; ebreak", 6),
    Piece("la a0, 1f; sw a0, 25(s0); lw a0, 25(s0); jr a0; ebreak", 9),
    Piece("beq x0, x0, 1f; ebreak", 2),
    Piece("lw a0, 0(s0); bne a0, x0, 1f; ebreak", 3),
    Piece("la a0, 1f; csrw mepc, a0; li a0, 0x1800; csrs mstatus, a0; mret; ebreak", 8),
)
"""Forwards."""

AGAIN = (Piece("fence.i", 2), Piece("bne x0, x0, 1b", 2))
"""What fetches the next instruction again; 1 is in front of it."""


def jumps() -> list[Expected]:
    """Every jump to every target."""
    found = []

    def expect(code: str, cycles: int) -> None:
        found.append(Expected(marked(f"{code}; .option norvc"), cycles))

    for target, late in TARGETS.values():
        for jump in JUMPS:
            expect(f"{jump.code}; {target}", jump.cycles + 1 + late)
        for branch in ("j 1b", "beq x0, x0, 1b"):  # two jumps lead there and away
            expect(f"j 2f; ebreak; {target}; .option norvc; j 3f; {FILL}; 2: {branch}; {FILL}; 3: nop", 5 + late)
    for again in AGAIN:
        for front, cycles in (("", 0), (".option rvc; c.nop", 1)):
            for instruction, late in ((".option rvc; c.nop", 0), ("nop", cycles)):
                code = f"j 2f; 1: ebreak; {FILL}; 2: {front}; .option norvc; {again.code}; {instruction}"
                expect(code, 1 + cycles + again.cycles + 1 + late)
    return found


@pytest.mark.parametrize("platform", ["mcu-clint", "mcu-fastirq"])
def test_jumps(tmp_path: Path, platform: str) -> None:
    every = jumps()
    assert wrong(every, measure(tmp_path, every, platform)) == []
