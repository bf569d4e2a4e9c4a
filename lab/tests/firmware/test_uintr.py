# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""User interrupts from hart to hart: user programs on two harts, of the model, of the RTL, and of both in lockstep."""

from __future__ import annotations

import pytest

from trapeze.dev import directed
from trapeze.platform import configurations

TESTS = directed.collect(directed.FOLDER / "uintr")
NO_WAITS = (0, 0, 0)
WAITS = (NO_WAITS, (64, 96, 3))
"""None, and often: instruction and data port, in 1/256, and the seed."""


@pytest.mark.parametrize("test", TESTS, ids=lambda one: one.path.stem)
def test_directed_on_the_model(test: directed.Directed) -> None:
    assert directed.run_rtl(test, configurations.load("duo-user"), NO_WAITS, engine="model") is None


@pytest.mark.parametrize("engine", ["rtl", "lockstep"])
@pytest.mark.parametrize("wait", WAITS, ids=lambda one: f"wait{one[0]}")
@pytest.mark.parametrize("test", TESTS, ids=lambda one: one.path.stem)
def test_directed_on_the_rtl(test: directed.Directed, wait: tuple[int, int, int], engine: str) -> None:
    assert directed.run_rtl(test, configurations.load("duo-user"), wait, engine=engine) is None


def test_there_are_tests() -> None:
    assert len(TESTS) >= 2


def test_the_core_has_it() -> None:
    config = configurations.load("duo-user")
    assert config.has_rtl
    assert all(hart.parameters()["UserPost"] == 1 for hart in config.harts)
