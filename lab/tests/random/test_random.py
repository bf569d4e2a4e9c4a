# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Random programs: the RTL of both configurations must end like QEMU, whatever the wait states and interrupts."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path

import pytest

from trapeze.random import corner, execute, generator, isa, report, suite
from trapeze.random.__main__ import variations
from trapeze.random.execute import Variation

CONFIGS = pytest.mark.parametrize("config", ["mcu-clint", "mcu-clint-e"])
SEEDS = range(1, 13)
ASYNC_SEEDS = range(101, 107)
MINIMUM = 1_000_000
"""Retired instructions that the whole suite must reach without wait states, and again with them."""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("qemu-system-riscv32") is None, reason="qemu-system-riscv32 is missing"),
]


class Totals:
    """What all seeds of this module did together."""

    def __init__(self) -> None:
        self.instructions: Counter[str] = Counter()
        self.mnemonics: set[str] = set()
        self.seeds = 0

    def add(self, passed: suite.Passed) -> None:
        """Count a seed."""
        self.instructions += passed.instructions
        self.mnemonics |= set(passed.counts)
        self.seeds += 1


@pytest.fixture(scope="module")
def totals() -> Totals:
    """Collect over the tests of this module."""
    return Totals()


@CONFIGS
def test_corner_values(config: str, totals: Totals, tmp_path: Path) -> None:
    """All arithmetic on corner values, held against the Python model."""
    base = suite.base_of(config)
    elf = execute.build(corner.generate(2, base), tmp_path, verbose=True)
    for variation in (Variation(), Variation(90, 90)):
        outcome = execute.run_rtl(elf, config, variation)
        assert corner.results(report.records(outcome.console)) == corner.expected(2), variation
        totals.instructions["wait" if variation.wait_instr else "zero"] += outcome.instructions


@CONFIGS
@pytest.mark.parametrize("seed", SEEDS)
def test_program(seed: int, config: str, totals: Totals) -> None:
    """A program that observes its own traps and interrupts."""
    totals.add(suite.check(seed, config, generator.Options(), variations(seed, 0)))


@CONFIGS
@pytest.mark.parametrize("seed", ASYNC_SEEDS)
def test_interrupted_program(seed: int, config: str, totals: Totals) -> None:
    """A program interrupted by platform lines at random cycles."""
    totals.add(suite.check(seed, config, generator.Options(is_async=True), variations(seed, 300)))


def test_extent(totals: Totals) -> None:
    """The suite as a whole is as large as promised and executes every instruction."""
    if totals.seeds < 2 * (len(SEEDS) + len(ASYNC_SEEDS)):
        pytest.skip("only a part of the suite was selected, or seeds failed")
    assert not set(isa.ALL_MNEMONICS) - totals.mnemonics
    assert totals.instructions["zero"] >= MINIMUM
    assert totals.instructions["wait"] >= MINIMUM
