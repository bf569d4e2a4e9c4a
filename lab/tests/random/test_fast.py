# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""RTL and model of the fastirq configurations in lockstep: random programs, and what the programs are."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

from trapeze.platform import configurations
from verify.random import seeds
from verify.random.fastirq import layout as fast_layout
from verify.random.fastirq import program as fast
from verify.random.fastirq import stacks as fast_blocks_stack
from verify.random.fastirq.layout import FAILURE, Check, Layout
from verify.random.instructions.isa import RV32E, RV32I
from verify.random.lockstep import corpus, engines
from verify.random.lockstep.engines import Engines

TOTAL = 7_000_000
"""Instructions that are compared by `test_random`."""
DEEPEST = 6
"""Handlers active at once on one stack that each part must have seen."""
CONFIGS = ("mcu-fastirq", "mcu-fastirq-e", *fast.VARIANTS)
SHARE = TOTAL // (2 * len(CONFIGS)) + 1
MOST = 8
"""Shares that a part may take until all has happened: with many banks an emret seldom loads its frame."""


@pytest.mark.slow
@pytest.mark.parametrize("waits", [False, True], ids=["zero-wait", "wait-states"])
@pytest.mark.parametrize("config", CONFIGS)
def test_random(config: str, waits: bool) -> None:
    """Programs of fixed seeds until this part has its share of the instructions: alike, and undisturbed."""
    on = Engines.of(config)
    done = deepest = stores = loads = 0
    for seed in count(1000 * (1 + CONFIGS.index(config))):
        drawn = fast.circumstances(seed, config)
        if bool(drawn.wait_instr or drawn.wait_data) != waits:
            continue
        verdict = seeds.check(seed, on)
        done += verdict.instructions
        deepest = max(deepest, verdict.console[0])
        stores += verdict.console[1]
        loads += verdict.console[2]
        if done >= MOST * SHARE or (done >= SHARE and deepest >= DEEPEST and stores and loads):
            break
    assert deepest >= DEEPEST
    assert stores
    assert loads


OWN_FRAMES = {name: fast_blocks_stack.WEIGHTS[name] for name in ("by_own_frame", "control")}
"""Programs of little but returns by frames that they have written themselves."""


@pytest.mark.parametrize("config", ["mcu-fastirq", "mcu-fastirq-inplace", "corner-fastirq-e-inplace"])
def test_returns_by_own_frames(config: str, tmp_path: Path) -> None:
    """Whatever a frame says and whatever MPRV and the threshold are, emret does the same on both engines."""
    on = Engines.of(config)
    for seed in range(1, 3):
        program = fast.generate(seed, config, 80, OWN_FRAMES)
        settings = replace(fast.circumstances(seed, config, 80), reset_seed=seed)
        verdict = on.run(engines.assemble(program.text, program.base, tmp_path), settings)
        assert verdict.passed, f"seed {seed}: {verdict.kind} {verdict.code}\n{verdict.report}"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "by", "failures"),
    [
        (r"lw ra, 8\(sp\)", "mv ra, x0", (Check.LOST,)),
        (r"lw x8, 32\((x\d+)\)", r"lw x9, 32(\1)", (Check.TASK, Check.SUM, Check.HOLD, Check.HANDLER)),
        (r"csrrw sp, mscratchcsw, sp", "nop", ()),
    ],
    ids=["return-address", "task-switch", "stack-of-user"],
)
def test_disturbed_program_says_so(line: str, by: str, failures: tuple[Check, ...], tmp_path: Path) -> None:
    """Handlers that lose something: the engines agree, the program's own checks do not."""
    config = CONFIGS[0]
    on = replace(Engines.of(config), follower=None)
    codes: set[int | None] = set()
    for seed in range(1, 25):
        program, settings = fast.make(seed, config, 40)
        broken = re.sub(line, by, program.text)
        assert broken != program.text
        elf = engines.assemble(broken, program.base, tmp_path)
        codes.add(on.run(elf, replace(settings, max_cycles=400_000)).code)
        if seed >= 6 and codes - {0}:
            break
    assert codes - {0}
    assert not failures or codes & {FAILURE + one for one in failures}


def test_e_programs_stay_below_x16() -> None:
    """RV32E programs name no register above x15."""
    text = fast.generate(3, "mcu-fastirq-e").text
    assert not [number for number in range(16, 32) if re.search(rf"\bx{number}\b", text)]


def test_x3_and_x4_are_left_alone() -> None:
    """No code but the start writes the pointer to what all programs share."""
    program = fast.generate(4, CONFIGS[0])
    assert program.parts is not None
    code = [*program.parts.handler, *(line for block in program.parts.blocks for line in block), *program.parts.end]
    written = re.compile(r"^\t(?!s[bhw] |b|csrw )\S+ x3,")
    assert not [line for line in code if written.match(line)]


def test_frames_are_those_of_the_text() -> None:
    """Sizes and order of docs/fastirq.md."""
    wide, narrow = Layout.of(RV32I), Layout.of(RV32E)
    assert (wide.words, wide.size, narrow.words, narrow.size) == (18, 80, 12, 48)
    assert wide.caller == (1, 5, 6, 7, 10, 11, 12, 13, 14, 15, 16, 17, 28, 29, 30, 31)
    assert narrow.caller == (1, 5, 6, 7, 10, 11, 12, 13, 14, 15)
    assert (wide.mepc, wide.mcause) == (64, 68)


def test_every_kind_of_block_is_drawn() -> None:
    """No weight is zero."""
    assert all(weight > 0 for _, weight in fast_blocks_stack.WEIGHTS.values())


@pytest.mark.parametrize("config", [*CONFIGS, "mcu-fastirq-16", "mcu-fastirq-256"])
def test_sources_are_shared_out(config: str) -> None:
    """Every source has one use, and some of each kind are left on small controllers too."""
    for seed in range(20):
        program = fast.generate(seed, config, 1)
        assert program.parts is not None
        tower = fast_layout.is_tower(seed, config)
        shares = fast_layout.sources(random.Random(seed), config, tower)
        single = (shares.switch, shares.skip, shares.special, shares.fault, shares.wake, *shares.rungs)
        assert len(set(single)) == len(single)
        assert not set(single) & set(shares.free)
        assert shares.callable
        assert set(shares.free) - set(shares.callable)
        assert max(shares.free) < configurations.load(config).first.sources


def test_corpus_holds_some() -> None:
    """What fastirq's programs found is run before everything else."""
    assert [entry for entry in corpus.collect() if configurations.load(entry.config).first.scheme == "fastirq"]
