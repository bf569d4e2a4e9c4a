# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Cycles are behaviour: random programs and the corpus take as many as they took when they were counted."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from trapeze.common.errors import TrapezeError
from verify.random import cycles
from verify.random.lockstep import corpus, engines
from verify.random.lockstep.engines import Engines, Verdict


@pytest.mark.parametrize("config", cycles.CONFIGS)
def test_programs_take_their_cycles(config: str, tmp_path: Path) -> None:
    """Nothing has become slower, nor faster without being counted anew."""
    on = Engines.of(config)
    for one in cycles.collect(config, tmp_path):
        verdict = on.run(one.elf, one.settings)
        assert verdict.passed, f"seed {one.seed}: {verdict.report}"
        assert verdict.cycles == one.cycles, f"seed {one.seed}: {verdict.cycles} cycles instead of {one.cycles}"


def test_other_programs_are_noticed(tmp_path: Path) -> None:
    """Cycles of other programs say nothing, and the message names the remedy."""
    counted = json.loads(cycles.FILE.read_text())
    assert set(counted) == set(cycles.CONFIGS)
    counted["mcu-clint"]["programs"] = "0"
    (tmp_path / "cycles.json").write_text(json.dumps(counted))
    with pytest.raises(TrapezeError, match="counts them anew"):
        cycles.collect("mcu-clint", tmp_path, tmp_path / "cycles.json")
    assert cycles.collect("mcu-clint-e", tmp_path) == []


def test_another_number_is_a_complaint() -> None:
    """An entry of the corpus fails with one cycle more, and without a number; --cycles writes it."""
    entry = corpus.collect()[0]
    assert entry.cycles is not None
    right = Verdict(engines.PASS, 0, "", cycles=entry.cycles)
    assert corpus.complaint(entry, right) is None
    slow = replace(right, cycles=entry.cycles + 1)
    assert corpus.complaint(entry, slow) == f"{entry.cycles + 1} cycles instead of {entry.cycles}"
    assert corpus.complaint(replace(entry, cycles=None), right) is not None
    assert corpus.with_cycles(entry.text, entry.cycles) == entry.text
    assert f"\n# cycles: {slow.cycles}\n" in corpus.with_cycles(entry.text, slow.cycles)
    assert corpus.with_cycles(entry.text, slow.cycles).count("# cycles:") == 1
