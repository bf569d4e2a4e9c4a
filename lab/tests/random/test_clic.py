# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""RTL and model of the CLIC configurations in lockstep: random programs, and what the programs are."""

from __future__ import annotations

import random
import re
from itertools import count
from pathlib import Path

import pytest

from trapeze.platform import configurations
from verify.random import seeds
from verify.random.clic import blocks as clic_blocks
from verify.random.clic import program as clic
from verify.random.clic.work import MEMORY_BYTES, State, Work
from verify.random.instructions import arithmetic
from verify.random.instructions.asm import Asm
from verify.random.lockstep import engines
from verify.random.lockstep.engines import Engines

TOTAL = 5_000_000
"""Instructions that are compared by `test_random`."""
DEEPEST = 8
"""Handlers active at once that each part must have seen."""
CONFIGS = [name for name in configurations.names(corners=False) if configurations.load(name).first.scheme == "clic"]
SHARE = TOTAL // (2 * len(CONFIGS)) + 1


@pytest.mark.slow
@pytest.mark.parametrize("waits", [False, True], ids=["zero-wait", "wait-states"])
@pytest.mark.parametrize("config", CONFIGS)
def test_random(config: str, waits: bool) -> None:
    """Programs of fixed seeds until this part has its share of the instructions: alike, and undisturbed."""
    on = Engines.of(config)
    done = deepest = 0
    for seed in count(10_000):
        drawn = clic.circumstances(seed, config)
        if bool(drawn.wait_instr or drawn.wait_data) != waits:
            continue
        verdict = seeds.check(seed, on)
        done += verdict.instructions
        deepest = max(deepest, verdict.console[0])
        if done >= SHARE:
            break
    assert deepest >= DEEPEST


@pytest.mark.slow
def test_disturbed_program_says_so(tmp_path: Path) -> None:
    """Handlers that do not give a register back: the engines agree, the sums do not."""
    config = CONFIGS[0]
    on = Engines.of(config)
    codes = set()
    for seed in (1, 2, 3):
        program, settings = clic.make(seed, config, 40)
        broken = re.sub(r"\tlw x\d+, 28\(sp\)", "\tnop", program.text)
        assert broken != program.text
        codes.add(on.run(engines.assemble(broken, program.base, tmp_path), settings).code)
    assert 1 in codes


def test_e_programs_stay_below_x16() -> None:
    """RV32E programs name no register above x15."""
    text = clic.generate(3, "mcu-clic-e").text
    assert not [number for number in range(16, 32) if f"x{number}," in text or f"(x{number})" in text]


def test_every_kind_of_block_is_drawn() -> None:
    """No weight is zero."""
    assert all(weight > 0 for _, weight in clic_blocks.WEIGHTS.values())


def test_reserved_sources_are_left_alone() -> None:
    """What ends WFI and what fails its table fetch is configured by the blocks that need it, and by no other."""
    known = clic.controller("mcu-clic")
    assert known.wake not in known.free
    assert known.fault not in known.free
    assert known.sources == 64


def test_work_is_the_same_every_time() -> None:
    """The steps of a piece of work are a function of the state they begin with."""
    work = Work(random.Random(1), Asm(), (8, 9, 10))
    work.some(40)
    first = State({8: 1, 9: 2, 10: 3}, bytearray(range(MEMORY_BYTES)))
    second = first.copy()
    work.run(first)
    work.run(second)
    assert first == second
    assert first.registers != {8: 1, 9: 2, 10: 3}
    assert all(0 <= value <= arithmetic.MASK for value in first.registers.values())
