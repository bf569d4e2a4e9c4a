# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""RTL and model of two harts in lockstep: random programs that share memory, and what the programs are."""

from __future__ import annotations

import re
from collections import Counter as Counts
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

from verify.random import seeds
from verify.random.harts import blocks as harts_blocks
from verify.random.harts import layout
from verify.random.harts import program as harts
from verify.random.harts.layout import FAILURE, Check, Counter
from verify.random.lockstep import engines
from verify.random.lockstep.engines import Engines

TOTAL = 5_000_000
"""Instructions of both harts together that are compared by `test_random`."""
CHUNKS = 4
"""Parts, which may run side by side."""
SHARE = TOTAL // CHUNKS + 1
CONFIG = "duo"


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_random(chunk: int, record_property: Callable[[str, object], None]) -> None:
    """Programs of fixed seeds until this part has its share of the instructions: alike, and all counts are right."""
    on = Engines.of(CONFIG)
    done, seen = 0, Counts[str]()
    for seed in count(1000 * (chunk + 1)):
        verdict = seeds.check(seed, on)
        done += verdict.instructions
        seen.update(layout.report(verdict.console))
        if done >= SHARE:
            break
    record_property("instructions", done)
    print(f"{done} instructions of both harts compared; {dict(seen)}")
    assert done >= SHARE
    assert all(seen[what] for what in layout.REPORT)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "by", "failures"),
    [
        (r"bnez x\d+, (\.Llock\d+)", "nop", (Check.LOCK, Check.COUNTS + Counter.LOCKED)),
        (r"bne x\d+, x\d+, (\.Lticket\d+)", "nop", (Check.LOCK, Check.COUNTS + Counter.TICKET)),
        (r"addi (x\d+), x4, 512\n", r"addi \1, x4, 0x3f0\n", (Check.COUNTS + Counter.AMO,)),
        (r"sw (x\d+), 708\(", r"sw \1, 716(", (Check.COUNTS + Counter.MAIL,)),
    ],
    ids=["lock", "ticket", "counter", "mail"],
)
def test_disturbed_program_says_so(line: str, by: str, failures: tuple[int, ...], tmp_path: Path) -> None:
    """Locks that do not lock, counts and mails that go astray: the engines agree, the program's own checks do not."""
    on = replace(Engines.of(CONFIG), follower=None)
    codes: set[int | None] = set()
    for seed in range(1, 13):
        program, settings = harts.make(seed, CONFIG)
        broken = re.sub(line, by, program.text)
        elf = engines.assemble(broken, program.base, tmp_path)
        codes.add(on.run(elf, replace(settings, max_cycles=400_000)).code)
        if codes & {FAILURE + one for one in failures}:
            return
    pytest.fail(f"exit codes {codes}")


def test_kept_registers_are_kept() -> None:
    """No block writes the pointers or the number of the hart."""
    program = harts.generate(4, CONFIG)
    assert program.parts is not None
    code = [*program.parts.handler, *(line for block in program.parts.blocks for line in block)]
    written = re.compile(r"^\t(?!s[bhw] |b|csrw |sc\.)\S+ x[349],")
    assert not [line for line in code if written.match(line)]


def test_every_kind_of_block_is_drawn() -> None:
    """No weight is zero."""
    assert all(weight > 0 for _, weight in harts_blocks.WEIGHTS.values())


def test_harts_run_code_of_their_own() -> None:
    """Each hart's blocks are others."""
    parts = harts.generate(5, CONFIG, 20).parts
    assert parts is not None
    assert len(parts.blocks) >= 20
    assert len(parts.functions) >= 20
    assert parts.blocks[1:] != parts.functions[1 : len(parts.blocks)]
