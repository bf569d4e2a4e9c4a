# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The assertions of the design, among them what its proofs assume, hold while programs run in lockstep."""

from __future__ import annotations

from pathlib import Path

import pytest

from trapeze.platform import configurations
from trapeze.random import seeds
from trapeze.random.lockstep import corpus
from trapeze.random.lockstep.engines import Engines
from trapeze.simulation import power_up

CONFIGS = configurations.names(variants=False)
"""Those whose engines with assertions are built in any case, for waves."""
FRESH = 2
"""Programs for each configuration, other ones every day."""
BLOCKS = 300


@pytest.mark.slow
@pytest.mark.parametrize("config", CONFIGS)
def test_random_programs(config: str) -> None:
    """Seeds of the day; a failure names its own."""
    on = Engines.of(config, checked=True)
    for number in range(FRESH):
        seeds.check(power_up.of_today(config, number), on, BLOCKS)


@pytest.mark.slow
@pytest.mark.parametrize("config", CONFIGS)
def test_corpus(config: str, tmp_path: Path) -> None:
    """What once failed."""
    on = Engines.of(config, checked=True)
    for entry in corpus.collect():
        if entry.config == config:
            verdict = entry.run(on, tmp_path)
            assert verdict.passed, f"{entry.name}: {verdict.report}"


def test_the_engine_has_them() -> None:
    """The engine that is checked evaluates the assertions, and ends the run for one; the engine for speed does not."""
    checked = Engines.of("mcu-fastirq", checked=True).leader.read_bytes()
    fast = Engines.of("mcu-fastirq").leader.read_bytes()
    for name in (b".ClaimOffered_A", b".OfferInReset_A", b".OneWriter_A", b".ReqStable_A", b".RspExpected_A"):
        assert name in checked
        assert name not in fast
    assert b"an assertion of the design failed at " in checked
