# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""User interrupts from hart to hart: user programs on two harts, of the model, of the RTL, and of both in lockstep."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from trapeze.firmware import toolchain
from trapeze.platform import configurations
from trapeze.simulation import simulator
from trapeze.simulation.options import Options
from verify.dev import directed

TESTS = directed.collect(directed.FOLDER / "uintr")
NO_WAITS = (0, 0, 0)
WAITS = (NO_WAITS, (64, 96, 3))
"""None, and often: instruction and data port, in 1/256, and the seed."""

IN_A_ROW = int(os.environ.get("TRAPEZE_USER_INTERRUPTS", "20000"))
"""User interrupts one after another, half of them to each hart. The measurements of UINTR have 500,000."""
CYCLES_A_ROUND = 500
"""More than an interrupt and its answer take."""


@pytest.mark.parametrize("test", TESTS, ids=lambda one: one.name)
def test_directed_on_the_model(test: directed.Directed) -> None:
    assert directed.run_rtl(test, configurations.load("duo-user"), NO_WAITS, engine="model") is None


@pytest.mark.parametrize("wait", WAITS, ids=lambda one: f"wait{one[0]}")
@pytest.mark.parametrize("test", TESTS, ids=lambda one: one.name)
def test_directed_in_lockstep(test: directed.Directed, wait: tuple[int, int, int]) -> None:
    assert directed.run_rtl(test, configurations.load("duo-user"), wait, engine="lockstep") is None


@pytest.mark.slow
def test_many_in_a_row(tmp_path: Path) -> None:
    """Each of them is answered, by the handler of its vector, once: the program counts, by vector."""
    config = configurations.load("duo-user")
    rounds = IN_A_ROW // 2 - 1  # one more ends the program
    source = directed.FOLDER / "uintr" / "uintr_answer.c"
    elf = toolchain.build(config, [source], tmp_path / "row.elf", [f"-I{directed.FOLDER}", f"-DROUNDS={rounds}U"])
    run = simulator.measure(elf, config, Options(max_cycles=rounds * CYCLES_A_ROUND)).run
    assert (run.reason, run.code) == ("exit", 0)
    print(f"{IN_A_ROW} user interrupts in a row, {run.cycles} cycles")


def test_there_are_tests() -> None:
    assert len(TESTS) >= 2


def test_the_core_has_it() -> None:
    config = configurations.load("duo-user")
    assert config.has_rtl
    assert all(hart.parameters()["Uintr"] == 1 for hart in config.harts)
