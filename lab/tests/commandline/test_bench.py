# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""`trapeze bench` when something goes wrong: what was measured is kept, what is not there is named."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from trapeze import experiment_files
from trapeze.commandline import bench
from trapeze.common.errors import TrapezeError
from trapeze.common.jobs import Progress
from trapeze.experiment_files import Case, Experiment
from trapeze.experiments import measuring
from trapeze.reports import pages
from trapeze.reports.pages import run as run_page
from trapeze.results import store
from trapeze.results.rows import Row
from trapeze.simulation import conditions
from trapeze.simulation.conditions import Conditions
from trapeze.simulation.options import Options
from verify.dev.testing import Trapeze

NAMES = ("preemption", "back-to-back")
Measure = Callable[[Case, Experiment, bool, Progress], list[Row]]


def figures_of(case: Case, experiment: Experiment) -> list[Row]:
    """Made up, two values for each metric."""
    tests = ("/t1", "/t2") if "probe" in case.own else ("",)
    return [
        Row.of(
            [level + 4, level + 5],
            engine="rtl",
            unit=metric.unit,
            **case.row(metric.name)
            | {"id": case.id + test, "labels": {**case.labels, **({"test": test[1:]} if test else {})}},
        )
        for level, metric in enumerate(experiment.metrics.values())
        for test in tests
    ]


def played(measure: Measure, monkeypatch: pytest.MonkeyPatch) -> None:
    """Measure in this way whatever is measured."""
    for name in NAMES:
        kind = bench.KINDS[name]
        monkeypatch.setitem(bench.KINDS, name, kind._replace(measure=measure, prepare=lambda *_: None))


def wrong(case: Case, experiment: Experiment, quick: bool, progress: Progress) -> list[Row]:
    """One row fails as foreseen, one does not."""
    del quick, progress
    if case.id == "horizontal/clic":
        raise TrapezeError("[red]the firmware ended by max-cycles", 1)
    if case.id == "by-level/clint":
        raise KeyError("x")
    return figures_of(case, experiment)


def test_a_row_that_fails_costs_no_other(trapeze: Trapeze, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    played(wrong, monkeypatch)
    path = tmp_path / "r.json"
    said = trapeze("bench", *NAMES, "--json", path, "--html", tmp_path / "page")
    assert said.code == 1
    assert "not measured: preemption horizontal/clic, preemption by-level/clint;" in said.err.splitlines()[-1]
    assert "trapeze: preemption horizontal/clic: [red]the firmware ended by max-cycles" in said.err
    assert "FAILED preemption horizontal/clic: [red]the firmware ended by max-cycles" in said.out
    assert "Traceback" not in said.err
    found = store.load(path)
    assert [one["row"] for one in found["failed"]] == ["horizontal/clic", "by-level/clint"]
    assert found["failed"][0]["error"] == "[red]the firmware ended by max-cycles"
    assert found["failed"][1]["error"].startswith("KeyError: 'x' (test_bench.py, line ")
    cases = [case.id for name in NAMES for case in experiment_files.load(name).cases]
    lost = {"horizontal/clic", "by-level/clint"}
    assert {row["id"] for row in found["rows"]} == set(cases) - lost
    assert "\nvertical " in said.out
    page = (tmp_path / "page" / "index.html").read_text()
    assert "horizontal/clic: [red]the firmware ended" in page


def test_nothing_can_be_measured(trapeze: Trapeze, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def none(*_: object) -> list[Row]:
        raise TrapezeError("no", 1)

    played(none, monkeypatch)
    path = tmp_path / "r.json"
    said = trapeze("bench", *NAMES, "--json", path, "--html", tmp_path / "page")
    assert said.code == 1
    assert store.load(path)["rows"] == []


def test_kept_as_it_comes(trapeze: Trapeze, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After each experiment the file holds what there is, and names what is to come."""
    path, seen = tmp_path / "r.json", list[dict[str, Any]]()

    def look(case: Case, experiment: Experiment, quick: bool, progress: Progress) -> list[Row]:
        del quick, progress
        if experiment.name == NAMES[1] and not seen:
            seen.append(store.load(path))
        return figures_of(case, experiment)

    played(look, monkeypatch)
    assert trapeze("bench", *NAMES, "--json", path).code == 0
    first, last = experiment_files.load(NAMES[0]), experiment_files.load(NAMES[1])
    assert len(seen[0]["rows"]) == len(first.cases)
    assert [(one["row"], one["error"]) for one in seen[0]["failed"]] == [
        (case.id, measuring.PENDING) for case in last.cases
    ]
    assert store.load(path)["failed"] == []


def test_firmware_that_changes_meanwhile(trapeze: Trapeze, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No row is made of two firmwares."""
    path, elf = tmp_path / "r.json", tmp_path / "x.elf"
    content = iter("abcdefgh")

    def look(case: Case, experiment: Experiment, quick: bool, progress: Progress) -> list[Row]:
        del quick, progress
        for _ in range(2):
            if case.id in ("vertical/clic", "horizontal/clint"):
                elf.write_text(next(content) if case.id == "vertical/clic" else "same")
                conditions.note({Conditions.of(elf, case.config.name, Options()): None})
        return figures_of(case, experiment)

    played(look, monkeypatch)
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    assert trapeze("bench", NAMES[0], "--json", path).code == 1
    (lost,) = store.load(path)["failed"]
    assert lost["row"] == "vertical/clic"
    assert "x.elf changed while it was measured" in lost["error"]


@pytest.mark.parametrize("number", [0, 5])
def test_interrupted(number: int, trapeze: Trapeze, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C: the rows so far are printed and written, those that it ended or kept from beginning are named."""
    guard, begun = threading.Lock(), []

    def slow(case: Case, experiment: Experiment, quick: bool, progress: Progress) -> list[Row]:
        del quick, progress
        with guard:
            begun.append(case.id)
            place = len(begun)
        if place > number:
            if place == number + 1:
                os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.1)
            raise TrapezeError("trapeze-sim was ended by SIGINT", 1)
        return figures_of(case, experiment)

    played(slow, monkeypatch)
    path = tmp_path / "r.json"
    said = trapeze("bench", *NAMES, "--json", path, "--html", tmp_path / "page")
    assert said.code == 130
    assert (
        f"Interrupted; not measured: preemption {len(experiment_files.load(NAMES[0]).cases) - number} rows" in said.out
    )
    found = store.load(path)
    assert {row["id"] for row in found["rows"]} == set(begun[:number])
    assert {one["error"] for one in found["failed"]} == {measuring.INTERRUPTED}
    cases = [(name, case.id) for name in NAMES for case in experiment_files.load(name).cases]
    assert len(found["failed"]) == len(cases) - number
    assert len(begun) < len(cases) / 2


@pytest.mark.parametrize("name", experiment_files.names())
def test_tables_and_figures_of_some_rows(name: str, tmp_path: Path) -> None:
    """Whatever rows of an experiment are missing, the others can be shown."""
    experiment = experiment_files.load(name)
    kind = bench.KINDS[experiment.kind]
    if experiment.kind in ("clic-area", "core-area"):
        return  # their rows are not those of the file: test_area
    for chosen in (experiment.cases[:1], experiment.cases[::3], experiment.cases[1:]):
        rows = [row for case in chosen for row in figures_of(case, experiment)]
        part = shown(kind, experiment, rows)
    run_page.write(tmp_path, store.build(name, rows), [part], quick=False)


def shown(kind: measuring.Kind, experiment: Experiment, rows: Sequence[Row]) -> run_page.Part:
    """Print and draw."""
    drawn = kind.figures(experiment, rows)
    printed = pages.text(lambda console: kind.show(console, experiment, rows))
    return run_page.Part(experiment, rows, drawn, printed)


def test_groups() -> None:
    """Together they are all; what synthesises is in one of them."""
    simulation, silicon = ([one.name for one in bench.select([], group)] for group in (False, True))
    assert silicon == ["clic-area", "core-area", "peers"]
    assert sorted([*simulation, *silicon]) == [one.name for one in bench.select([])]
    with pytest.raises(TrapezeError, match="--group chooses among all experiments"):
        bench.select(["probe"], True)
