# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The experiment shared-memory: what it reads, its rows, and what it refuses."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from trapeze import experiment_files
from trapeze.common.errors import TrapezeError
from trapeze.experiments.shared_memory import measure
from trapeze.platform import configurations, user_configurations
from trapeze.platform.platform import SharedMemory
from trapeze.simulation.records import Marker, Run

EXPERIMENT = experiment_files.load("shared-memory")
CASES = {case.id: case for case in EXPERIMENT.cases}
SAID = """\
[hart 1] load-dram 1 7\r
[hart 1] load-dram 9 3\r
stress: load-ring 1 5\r
[hart 1] load-ring 1 10\r
[hart 1] store-ring 2 10\r
"""


def test_accesses_among_what_linux_says() -> None:
    found = measure.accesses(SAID.encode(), 10, "x")
    assert found["load-dram"].histogram == ((1, 7), (9, 3))
    assert (found["load-ring"].max, found["store-ring"].min, found["store-ring"].n) == (1, 2, 10)


@pytest.mark.parametrize(
    ("said", "wanted", "says"),
    [
        (SAID, 11, "load-dram: 10 accesses, not 11"),
        (SAID.replace("store-ring 2 10", "store-ring 2 1"), 10, "store-ring: 1 accesses, not 10"),
        (SAID.replace("load-dram 9", "load-dram 1024"), 10, "load-dram: an access of 1024 cycles or more"),
        ("", 10, "load-dram: 0 accesses"),
    ],
)
def test_accesses_that_are_not_there(said: str, wanted: int, says: str) -> None:
    with pytest.raises(TrapezeError, match=says):
        measure.accesses(said.encode(), wanted, "x")


def test_rows() -> None:
    """Waits are counted from the shortest access; published figures are those of the row."""
    found = measure.accesses(SAID.encode(), 10, "x")
    rows = {(row.id, row.metric): row for row in measure.rows(CASES["turn-1-256"], EXPERIMENT, found, (900, 1000))}
    assert len(rows) == 3 + 3 + 1 + 2
    assert rows["turn-1-256/load-dram", "waits"].statistics.histogram == ((0, 7), (8, 3))
    assert rows["turn-1-256/load-dram", "access"].published == 8
    assert rows["turn-1-256/linux", "kept"].statistics.p50 == 90
    assert rows["turn-1-256/hammered", "copies"].statistics.p50 == 1000


def test_copies_lie_between_markers() -> None:
    markers = (Marker(10, 0, 3, 5), Marker(11, 0, 23, 25), Marker(10, 0, 7, 8, hart=1))
    run = Run("amp", "timed", "x", "exit", 0, 100, 10, markers, (), None, None)
    assert measure.between(run, measure.SILENT, "x") == 20
    with pytest.raises(TrapezeError, match="markers 12 and 13 are not there once each"):
        measure.between(run, measure.HAMMERED, "x")


def test_ports() -> None:
    """Every row has the same platform but for its port, so one engine measures all."""
    ports = {name: measure.platform(case).shared_memory for name, case in CASES.items()}
    assert ports["no-port"] is None
    assert (ports["turn-2"], ports["turn-1-256"]) == (SharedMemory(2), SharedMemory(1, 256))
    assert len({case.config.name for case in CASES.values()}) == 1


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"own": {}}, "whole: 'beside' is missing"),
        ({"config": configurations.load("app")}, "config: app has no real-time hart with messages of Linux"),
    ],
)
def test_refuses(change: dict[str, Any], says: str) -> None:
    with pytest.raises(TrapezeError, match=says):
        measure.check(replace(EXPERIMENT, cases=(replace(CASES["whole"], **change),)))
    measure.check(EXPERIMENT)


def test_long_transfers_without_turns_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "long.yaml"
    own = "extends: amp\nshared_memory: {turn: 0, beats: 256}\n"
    file.write_text(f"schema: trapeze.config/1\nsummary: too long\n{own}")
    with pytest.raises(TrapezeError, match=r"shared_memory: without turns .* at most 8 beats .* say turn: 1"):
        user_configurations.choose(str(file))
