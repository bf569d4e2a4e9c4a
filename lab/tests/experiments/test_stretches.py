# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Where the cycles of programs went that count for themselves: checks on made-up listings, and one row on the RTL."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from trapeze import experiment_files
from trapeze.common import paths
from trapeze.common.errors import TrapezeError
from trapeze.experiments.iterations import measure as iterations
from trapeze.experiments.iterations import stretches
from trapeze.explaining import worst_case
from trapeze.simulation.traces import Record, Retired, Taken

READ = ("csrr", "a5,mcycle")


def listing(*cycles: int) -> list[Record]:
    """A program that reads the counter in these cycles."""
    made: list[Record] = [Retired(at, 4 * at, "addi", "a0,a0,1") for at in range(1, 100) if at not in cycles]
    made += [Retired(at, 4 * at, *READ) for at in cycles]
    return sorted(made, key=lambda one: one.cycle)


def test_stretches() -> None:
    """The first two reads are those around the empty loop."""
    trace = listing(10, 12, 20, 50, 60, 71)
    assert stretches.stretches(trace, 2, "x") == [(19, 49), (59, 70)]
    with pytest.raises(TrapezeError, match="x: the program reads mcycle 6 times, for 3 figures"):
        stretches.stretches(trace, 3, "x")


def test_tick() -> None:
    taken = Taken(51, "timer", 0x00001000)
    trace = [*listing()[:50], taken, *listing()[54:60], Retired(61, 0x1000, "ret", ""), *listing()[62:]]
    assert stretches.tick(trace, "x") == (51, 60)
    with pytest.raises(TrapezeError, match="x: no tick"):
        stretches.tick(trace[:55], "x")
    with pytest.raises(TrapezeError, match="x: no tick"):
        stretches.tick(listing(), "x")


def silent(done: int, total: int) -> None:
    """No progress."""


def test_calls_on_the_hardware() -> None:
    """Each figure has its reason, whose parts are all cycles of its calls, and its timeline."""
    experiment = experiment_files.load("rtos-calls")
    case = next(one for one in experiment.cases if one.id == "clint/ilp32")
    rows = iterations.measure(case, experiment, True, silent)
    for row in rows:
        if row.metric != "cycles":
            assert worst_case.LABEL not in row.labels
            continue
        said = row.labels[worst_case.LABEL]
        found = re.match(r"all calls, cycles (\d+) to (\d+): ", said)
        assert found is not None
        each = [int(one) for one in re.findall(r"[\w.]+ (\d+)(?: \([^)]*\))?(?:, |; |$)", said[found.end() :])]
        assert sum(each) == int(found[2]) - int(found[1])
        path = worst_case.find_timeline("rtos-calls", row.id, row.metric)
        assert path is not None
        assert path.is_relative_to(paths.BUILD)
    assert {Path(row.id).name for row in rows} >= {"mask", "mutex", "yield", "message"}
