# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The experiment irq-latency: its checks on made-up records, and every phase on the real hardware."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from trapeze import experiment_files
from trapeze.commandline import bench
from trapeze.common import paths
from trapeze.common.edges import EdgeRange
from trapeze.common.errors import TrapezeError
from trapeze.experiment_files import Case
from trapeze.experiments import rounds
from trapeze.experiments.irq_latency import measure as irq_latency
from trapeze.experiments.measured_window import QUICK_PHASES, Window, find_window
from trapeze.experiments.sweep_coverage import verify
from trapeze.results import store
from trapeze.simulation import events, simulator
from trapeze.simulation.options import Options
from trapeze.simulation.records import Marker, Run, SweepRun
from verify.dev import histograms
from verify.dev.testing import Trapeze

EXPERIMENT = experiment_files.load("irq-latency")
SWEPT = [case for case in EXPERIMENT.cases if not {"nested", "wait"} & case.own.keys()]
README = paths.BENCH / "irq-latency" / "README.md"
PROMISE = re.compile(r"^\| `(?P<name>[a-z0-9-]+)` \| .* \| (?P<least>\d+)(?: to (?P<most>\d+))? \|$", re.MULTILINE)


def promised() -> dict[str, tuple[int, int]]:
    """What the README says of a row: the least and the most cycles."""
    found = PROMISE.finditer(README.read_text())
    return {one["name"]: (int(one["least"]), int(one["most"] or one["least"])) for one in found}


def made_up(**changes: Any) -> Run:
    """A run whose background loop is retired in cycles 10 to 20."""
    fields: dict[str, Any] = {
        "config": "mcu-clint",
        "engine": "rtl",
        "elf": "x.elf",
        "reason": "exit",
        "code": 0,
        "cycles": 100,
        "instructions": 50,
        "markers": (Marker(2, 7, 9, 10), Marker(3, 19, 21, 22)),
        "interrupts": (),
        "sweep": tuple(phase(cycle) for cycle in range(10, 21)),
        "sweep_line": 7,
    }
    return Run(**(fields | changes))


def phase(cycle: int) -> SweepRun:
    """A good run of a sweep."""
    stamps = (cycle, cycle + 1, cycle + 5, cycle + 6)
    return SweepRun(*stamps, taken_count=1, exit=0, reason="exit", cycles=120, console_crc=1)


def test_window() -> None:
    assert find_window(made_up(), "x") == Window(10, 20)
    assert Window(10, 500).quick() == Window(10, 10 + QUICK_PHASES - 1)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"code": 1}, "ends by exit, code 1"),
        ({"reason": "max-cycles", "code": None}, "ends by max-cycles"),
        ({"markers": ()}, "passed them 0 and 0 times"),
        ({"markers": (Marker(2, 7, 9, 10),)}, "passed them 1 and 0 times"),
        ({"markers": (Marker(3, 7, 9, 10), Marker(2, 19, 21, 22))}, "and then marker 3"),
    ],
)
def test_no_window(change: dict[str, Any], says: str) -> None:
    with pytest.raises(TrapezeError, match=says):
        find_window(made_up(**change), "x")


def test_good_sweep() -> None:
    assert len(verify(made_up(), Window(10, 20), "x")) == 11


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"taken_count": 0}, "raised in cycle 15: the interrupt was taken 0 times .1 of 11 phases"),
        ({"taken_count": 2}, "taken 2 times"),
        ({"exit": 1}, "ended by exit, code 1"),
        ({"exit": None, "reason": "max-cycles"}, "ended by max-cycles"),
        ({"tx": None}, "the handler or its marker was not reached"),
        ({"console_crc": 2}, "the console said something else"),
    ],
)
def test_one_bad_phase_is_no_figure(change: dict[str, Any], says: str) -> None:
    runs = [replace(phase(cycle), **change) if cycle == 15 else phase(cycle) for cycle in range(10, 21)]
    with pytest.raises(TrapezeError, match=says) as caught:
        verify(made_up(sweep=tuple(runs)), Window(10, 20), "x")
    assert caught.value.exit_code == 1


def test_missing_phase_is_no_figure() -> None:
    with pytest.raises(TrapezeError, match="does not cover cycles 10 to 20"):
        verify(made_up(sweep=tuple(phase(cycle) for cycle in range(10, 20))), Window(10, 20), "x")


WAITS = {"ilp32": (60, 0, 1), "ilp32e": (0, 60, 2)}
"""By ABI: chances of a wait state on the instruction and the data port, in 1/256, and their seed."""

BOTH = (90, 120, 3)


@pytest.mark.parametrize(
    ("case", "wait"),
    [
        pytest.param(case, wait, id=f"{case.id}-{wait}")
        for case in SWEPT
        for wait in (BOTH, *([WAITS[case.config.first.abi]] if case.quick else []))
    ],
)
def test_every_phase_exactly_once(case: Case, wait: tuple[int, int, int]) -> None:
    """On the RTL with wait states: verify() fails on any phase that is not taken once or goes wrong.

    Programs do everything twice, and these are the phases of the second time: they begin nearer to the end, so they
    take a third of the time of all. Without wait states there are all, in test_cycles.
    """
    elf = case.firmware(EXPERIMENT.name)
    programs = events.programs_of(elf, (), len(case.config.harts))
    edge, marker = (events.parse(one, "x", programs) for one in (f"edge:{case.line}", "marker:1"))
    options = Options(max_cycles=50_000, wait_instr=wait[0], wait_data=wait[1], seed=wait[2])
    whole = find_window(simulator.measure(elf, case.config, options).run, case.id)
    window = Window(whole.first + whole.length // 2, whole.last)
    sweep = EdgeRange(case.line, window.first, window.last)
    measured = simulator.measure(
        elf, case.config, replace(options, sweep=sweep, spans=(events.Span("x", edge, marker),))
    ).run
    runs = verify(measured, window, case.id)
    assert len(runs) > 60
    latencies = [run.distance("latency") for run in runs]
    assert all(value is not None and value >= 3 for value in latencies)
    # A span from the edge to the marker is the same, cycle for cycle.
    assert measured.spans[0].histogram == tuple(sorted(Counter(latencies).items()))


@pytest.mark.parametrize("case", EXPERIMENT.cases, ids=lambda case: case.id)
def test_cycles(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every row, in every phase: exactly the cycles that are known, and those that its README promises."""
    monkeypatch.setattr(irq_latency, "OUTERMOST", 1)
    rows = irq_latency.measure(case, EXPERIMENT, False, lambda *_: None)
    assert histograms.differences(EXPERIMENT.name, rows) == []
    latency = rows[0].statistics
    least, most = promised().get(case.id.split("/")[0], (latency.min, latency.max))
    if rounds.nested(case) is None:
        assert (latency.min, latency.max) == (least, most)
    else:
        assert least <= latency.min <= latency.max <= most


def test_every_row_of_fastirq_is_in_its_readme() -> None:
    assert set(promised()) == {
        case.id.split("/")[0] for case in EXPERIMENT.cases if case.config.first.scheme == "fastirq"
    }


def test_bench(trapeze: Trapeze, tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    said = trapeze("bench", "irq-latency", "--quick", "--json", path)
    assert said.code == 0
    assert max(map(len, said.out.splitlines())) <= 100
    rows = {(row["id"], row["metric"]): row for row in store.load(path)["rows"]}
    published = {"clint": 33, "clic": 33, "xnxti": 42, "jalxnxti": 35, "fastirq": 6, "fastirq-user": 6}
    for name, figure in ((f"{scheme}/{abi}", published[scheme]) for scheme in published for abi in ("ilp32", "ilp32e")):
        assert rows[name, "latency"]["published"] == figure
        assert rows[name, "latency"]["max"] < figure
        assert rows[name, "first-fetch"]["max"] < rows[name, "latency"]["min"] < rows[name, "retire"]["min"]
    assert rows["clint-optimal/ilp32", "latency"]["published"] is None
    assert {name for name, _ in rows} == {case.id for case in EXPERIMENT.cases if case.quick}
    assert "Cortex-M4 12 cycles" in said.out


@pytest.mark.parametrize("name", experiment_files.names())
def test_every_experiment_loads(name: str) -> None:
    experiment = experiment_files.load(name)
    bench.KINDS[experiment.kind].check(experiment)


def test_wrong_experiments(tmp_path: Path) -> None:
    folder = tmp_path / "x"
    folder.mkdir()
    text = (paths.BENCH / "irq-latency" / "experiment.yaml").read_text()
    for source in (paths.BENCH / "irq-latency").iterdir():
        (folder / source.name).touch()
    for old, new, says in (
        ("question:", "quest:", "unknown key 'quest'; did you mean 'question'"),
        ("handler_full.S]", "handler_none.S]", "no such source: handler_none.S"),
        ("config: mcu-clint\n", "config: mcu-clnt\n", "unknown configuration 'mcu-clnt'"),
        ("id: clint/ilp32e", "id: clint/ilp32", "each id may come only once"),
        ("      latency: {value", "      latenzy: {value", "unknown metric 'latenzy'; did you mean 'latency'"),
        ("kind: irq-latency", "kind: irq", "is not a choice"),
        ("    line: 3\n", "    line: 4\n", "fastirq-16/ilp32: configuration 'mcu-fastirq-16' has lines 0 to 3 only"),
        ("nested: {depth: 4", "nested: {depth: 9", "depth"),
        (
            "nested: {depth: 4",
            "line: 2\n    nested: {depth: 4",
            "4 nested interrupts take as many lines up to line 2;",
        ),
    ):
        (folder / "experiment.yaml").write_text(text.replace(old, new, 1))
        with pytest.raises(TrapezeError, match=says):
            irq_latency.check(experiment_files.load("x", tmp_path))
