# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Tests of timer, generator and probes together."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
REGISTERS = HERE.parents[2] / "regs" / "gen" / "registers.json"
CORE = "trapeze:hw:probe"
Bench = Callable[..., tuple[int, int]]


@pytest.mark.parametrize(("words", "cycles"), [(16, 32), (1, 2), (5, 6), (3, 100)])
def test_chain(bench: Bench, monkeypatch: pytest.MonkeyPatch, words: int, cycles: int) -> None:
    """The chain of the published measurement, from the timer to the read of the last word."""
    monkeypatch.setenv("WORDS", str(words))
    monkeypatch.setenv("CYCLES", str(cycles))
    monkeypatch.setenv("REGISTERS", str(REGISTERS))
    ran, failed = bench(CORE, HERE / "tb_chain.sv", HERE / "bench_chain.py", Words=words, Cycles=cycles)
    assert (ran, failed) == (5, 0)
