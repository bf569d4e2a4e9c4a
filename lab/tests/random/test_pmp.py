# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""RTL and model with memory protection in lockstep: random programs that change its rows, and what the programs are."""

from __future__ import annotations

from itertools import count

import pytest

from verify.random import seeds
from verify.random.lockstep.engines import Engines
from verify.random.pmp import program as pmp
from verify.random.pmp.rows import LOCK, MML, NA4, NAPOT, RLB, TOR, Kind, Row, edges, napot

TOTAL = 500_000
"""Instructions that are compared by `test_random`."""


@pytest.mark.slow
@pytest.mark.parametrize("waits", [False, True], ids=["zero-wait", "wait-states"])
@pytest.mark.parametrize("config", pmp.CONFIGS)
def test_random(config: str, waits: bool) -> None:
    """Programs of fixed seeds until this part has its share of the instructions: alike, and they come to their end."""
    on = Engines.of(config)
    done = 0
    for seed in count(1000 * (1 + pmp.CONFIGS.index(config))):
        if seed % 4 == 0:
            continue  # a program for fastirq
        drawn = pmp.circumstances(seed, config)
        if bool(drawn.wait_instr or drawn.wait_data) != waits:
            continue
        done += seeds.check(seed, on).instructions
        if done >= TOTAL // (2 * len(pmp.CONFIGS)):
            break


def test_a_seed_is_a_program() -> None:
    """The same one each time, and another one for another seed."""
    first, second = (pmp.generate(seed, "mcu-user", 6).text for seed in (1, 2))
    assert first == pmp.generate(1, "mcu-user", 6).text
    assert first != second


def test_every_kind_is_drawn() -> None:
    """Programs without locks, with them, and with lockdown."""
    texts = [pmp.generate(seed, "mcu-user", 6).text for seed in range(12)]
    starts = [text.partition("body:")[0] for text in texts]
    assert {f"li x5, {RLB | MML}" in start for start in starts} == {False, True}
    assert {f"li x5, {RLB}\n" in start for start in starts} == {False, True}
    assert len(Kind) == 3


@pytest.mark.parametrize(
    ("row", "below", "found"),
    [
        (Row(0, 0x100), 0, ()),
        (Row(TOR, 0x100), 0x80, (0x200, 0x400)),
        (Row(NA4 | LOCK, 0x100), 0x80, (0x400, 0x404)),
        (Row(NAPOT, napot(0x80000000, 4096)), 0, (0x80000000, 0x80001000)),
        (Row(NAPOT, napot(0x1000, 8)), 0, (0x1000, 0x1008)),
    ],
)
def test_edges(row: Row, below: int, found: tuple[int, ...]) -> None:
    """Where a row begins and where it ends."""
    assert edges(row, below) == found
