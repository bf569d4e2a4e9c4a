# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The experiment probe-scenarios: what it reads and refuses, and the row without Linux on the real hardware."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from trapeze import experiment_files
from trapeze.common.errors import TrapezeError
from trapeze.experiments.probe_samples import MARKER_LAST_WORD, Report
from trapeze.experiments.probe_scenarios import figures, measure
from trapeze.simulation import simulator
from trapeze.simulation.options import Options
from trapeze.simulation.records import Claim, Marker, Run

EXPERIMENT = experiment_files.load("probe-scenarios")
CASES = {case.id: case for case in EXPERIMENT.cases}
ALONE = CASES["standalone-rt/O2"]
FEW = 12
WHY = {"t1": "the generator's", "t2": "sample 0"}


@pytest.fixture(scope="module")
def alone() -> tuple[bytes, Run]:
    """What a short run of the row without Linux prints, and its record."""
    elf = measure.firmware(replace(ALONE, id="test-alone"), EXPERIMENT, FEW)
    with simulator.scratch() as folder:
        first = measure.hart_0(ALONE, EXPERIMENT, elf, folder)
        outcome = simulator.measure(first, ALONE.config, Options(engine="timed", others=(elf,), last_hart=1))
    return outcome.console, outcome.run


def test_alone(alone: tuple[bytes, Run]) -> None:
    """Every sample is what the host saw; T1 is the generator's time, and all but the first T2 are the same."""
    report, retired = measure.evaluate(alone[0], 0, alone[1], ALONE, FEW)
    assert set(report.samples["t1"]) == {32}
    assert len(set(report.samples["t2"][1:])) == 1
    assert report.samples["t2"][0] == report.samples["t2"][1] + 1
    assert set(retired) == {2}


def test_lines_of_linux_between_the_programs(alone: tuple[bytes, Run]) -> None:
    """Linux prints when it likes; its lines are no part of the report."""
    console = b"".join(line + b"\r\nstress: begins\r\n" for line in alone[0].splitlines())
    asked = measure.scenario(ALONE)
    assert measure.said_by(console, asked) == measure.said_by(alone[0], asked)


def test_an_application_hart_alone() -> None:
    """The program is that of hart 0; its caches are cold once."""
    case = CASES["standalone-app/O2"]
    few = {**case.own, "scenario": {**case.own["scenario"], "samples": 40}}
    rows = measure.measure(replace(case, id="test-application", own=few), EXPERIMENT, False, lambda *_: None)
    found = {(row.id.rpartition("/")[2], row.metric): row for row in rows}
    assert found["t1", "latency"].statistics.constant
    t2 = found["t2", "latency"]
    assert t2.statistics.max > 3 * t2.statistics.p50
    assert "sample 0; " in t2.labels["worst"]
    assert "other interrupts of hart 0 meanwhile: none" in t2.labels["worst"]


def test_runs_that_are_wrong(alone: tuple[bytes, Run]) -> None:
    console, run = alone
    ready = list(run.signals["data_ready"])
    ready[5] += 1
    late = replace(run, signals={**run.signals, "data_ready": tuple(ready)})
    for text, code, record, wanted, says in (
        (console, 0, late, FEW, "t1: sample 5: the probe says 32 cycles and the host 33"),
        (console, 1, run, FEW, "the run ended with exit"),
        (console, 0, replace(run, reason="max-cycles", code=None), FEW, "the run ended with max-cycles"),
        (console, 0, run, FEW + 1, f"{FEW} samples, not {FEW + 1}"),
        (console.replace(b"background-wrong 0", b"background-wrong 3"), 0, run, FEW, "background-wrong 3"),
        (b"", 0, run, FEW, "which is no part of its report"),
    ):
        with pytest.raises(TrapezeError, match=says) as caught:
            measure.evaluate(text, code, record, ALONE, wanted)
        assert caught.value.exit_code == 1


def test_rows() -> None:
    """Published figures are those of T2 in ns; the reason is that of the latency."""
    report = Report({"t1": (32, 32), "t2": (83, 84)}, {}, {})
    case = CASES["amp-stress/O0"]
    rows = {(row.id, row.metric): row for row in measure.rows(case, EXPERIMENT, report, (2, 2), WHY, {})}
    assert {row.published for row in rows.values()} == {None, 2200}
    assert rows["amp-stress/O0/t2", "time"].published == 2200
    assert rows["amp-stress/O0/t2", "time"].statistics.mean == 835
    assert rows["amp-stress/O0/t2", "latency"].labels["worst"] == "sample 0"
    assert rows["amp-stress/O0/t2", "latency"].labels["scenario"] == "amp-stress"
    assert ("amp-stress/O0/t1", "retired") not in rows
    assert {row.engine for row in rows.values()} == {"timed"}


def test_interrupts_within_a_sample() -> None:
    """The first one is the generator's own; what comes while its handler runs is named."""
    claims = tuple(Claim(hart, 16 + 15 if cycle < 50 else 16, cycle, 0) for hart, cycle in ((1, 20), (0, 30), (1, 60)))
    run = Run("amp", "timed", "x", "exit", 0, 100, 10, (Marker(MARKER_LAST_WORD, 1, 90, 91),), (), None, None)
    run = replace(run, other_claims=claims)
    assert measure.interrupts_within(run, 10, 90) == ["interrupt 16 in cycle 60"]
    assert measure.interrupts_within(run, 10, 50) == []


SCENARIOS = [
    "standalone-app",
    "partitioned",
    "partitioned, delegated",
    "partitioned-stress",
    "partitioned-stress, delegated",
    "timeshared",
    "timeshared-stress",
    "standalone-rt",
    "amp",
    "amp-stress",
]


def test_figures() -> None:
    report = Report({"t1": (32,) * 400, "t2": (83,) * 400}, {}, {})
    rows = [row for case in EXPERIMENT.cases for row in measure.rows(case, EXPERIMENT, report, (2,) * 400, WHY, {})]
    bars, *distributions = figures.figures(EXPERIMENT, rows)
    assert bars.ours == len(CASES)  # type: ignore[union-attr]
    assert [list(one.series) for one in distributions] == [SCENARIOS] * 2


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"own": {}}, "standalone-rt/O2: 'scenario' is missing"),
        ({"own": {"scenario": {"samples": 2, "quick": 2}}}, "say what is on hart 0, 'first', 'linux' or 'alone'"),
        ({"own": {"scenario": {"samples": 2, "quick": 2, "alone": True}}}, "has 2 harts; 'alone' is of one"),
        ({"options": ("-O0",)}, "options: the label 'opt' is O2, so they must have it"),
        ({"labels": {"opt": "O2"}}, "label 'scenario' is missing"),
    ],
)
def test_refuses(change: dict[str, Any], says: str) -> None:
    with pytest.raises(TrapezeError, match=says):
        measure.check(replace(EXPERIMENT, cases=(replace(ALONE, **change),)))
    measure.check(EXPERIMENT)
