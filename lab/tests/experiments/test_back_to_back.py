# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Experiments in rounds, back-to-back above all: checks on made-up records, and every phase on the real hardware."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from trapeze import experiment_files
from trapeze.common import paths
from trapeze.common.edges import Edge
from trapeze.common.errors import TrapezeError
from trapeze.experiment_files import Case
from trapeze.experiments import rounds
from trapeze.experiments.back_to_back import measure as back_to_back
from trapeze.experiments.back_to_back.measure import check_shapes, gap, wanted, way_back
from trapeze.experiments.measured_window import Window
from trapeze.experiments.rounds import Raised, Round, markers_of, nest
from trapeze.results import store
from trapeze.results.rows import Row
from trapeze.simulation.records import MARKER_STONE, Interrupt, Marker, Run
from verify.dev import histograms
from verify.dev.testing import Trapeze

APART = 100
PAIR = markers_of(2)
STONE = 0x8000_0010
WINDOW = Window(11, 15)
CASES = {case.id: case for case in experiment_files.load("back-to-back").cases}


def marker(n: int, cycle: int) -> Marker:
    """A marker that executes in a cycle."""
    return Marker(n, cycle - 3, cycle, cycle + 1, STONE if n == MARKER_STONE else 0)


def interrupt(line: int, t0: int) -> Interrupt:
    """An interrupt in place of the stone."""
    return Interrupt(t0=t0, tf=t0 + 1, tx=t0 + 4, tr=t0 + 5, line=line, epc=STONE)


def made_up(count: int) -> Run:
    """A run of so many rounds, 100 cycles apart, and one without interrupts: two handlers 8 cycles apart in each."""
    markers, interrupts = [], []
    for number in range(count):
        cycles = zip((*PAIR[:-1], MARKER_STONE, PAIR[-1]), (10, 30, 50, 58, 70, 75, 90), strict=True)
        markers += [marker(n, cycle + APART * number) for n, cycle in cycles]
        interrupts += [interrupt(line, 11 + (APART + 1) * number) for line in (7, 6)]
    markers += [marker(2, 10 + APART * count), marker(MARKER_STONE, 50 + APART * count), marker(3, 90 + APART * count)]
    return Run("mcu-clic", "rtl", "x.elf", "exit", 0, 1000, 500, tuple(markers), tuple(interrupts), None, None)


def raised(count: int) -> list[Raised]:
    """What that run was asked for: both lines one cycle later in each round."""
    return [((7, 11 + number), (6, 11 + number)) for number in range(count)]


def test_good_rounds() -> None:
    found = rounds.check(rounds.split(made_up(5), 2), raised(5), WINDOW, "x")
    check_shapes(found, PAIR, "x")
    assert [gap(one) for one in found] == [(50 + APART * number, 58 + APART * number) for number in range(5)]
    assert [way_back(one) for one in found] == [(70 + APART * number, 75 + APART * number) for number in range(5)]


def first_round() -> Round:
    """The first of these rounds."""
    return rounds.split(made_up(1), 2)[0]


def test_gap_of_a_late_interrupt() -> None:
    one = first_round()
    assert gap(replace(one, interrupts=(one.interrupts[0], interrupt(6, 53)))) == (53, 58)


def test_no_way_back() -> None:
    """The interrupted instruction has to be marked, and to be the one the program goes on with."""
    one = first_round()
    assert way_back(replace(one, after=marker(3, 75))) is None
    assert way_back(replace(one, after=replace(one.after, pc=STONE + 4))) is None
    unknown = replace(one.interrupts[1], epc=None)
    assert way_back(replace(one, interrupts=(one.interrupts[0], unknown))) == (70, 75)


def test_a_round_again() -> None:
    """What a round of a run showed is found in a run of that one and the two before it."""
    stage = rounds.Stage(CASES["clic/ilp32"], Path("x.elf"), WINDOW, APART, first_round())
    asked = raised(2 * rounds.ROUNDS)
    for number in (4, rounds.ROUNDS + 4):
        span = stage.again(asked, number, 450, 458)
        assert (span.begin, span.end, span.cycles) == (250, 258, 8)
        cycles = [asked[number - back][0][1] + APART * (2 - back) for back in (2, 1, 0)]
        assert span.options.irq == tuple(Edge(line, cycle, ":pulse") for cycle in cycles for line in (7, 6))
    first = stage.again(asked, rounds.ROUNDS, 50, 58)
    assert (first.begin, len(first.options.irq)) == (50, 2)
    late = replace(stage, late=True).again(asked, rounds.ROUNDS + 9, 950, 958)
    assert (late.begin, len(late.options.irq)) == (950, 20)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda markers: markers[:-3], "there are 3 rounds, not 3 and one without"),
        (lambda markers: (*markers, markers[-1]), "there are 4 rounds, not 3 and one without"),
        (lambda markers: (markers[0], *markers[2:4], markers[1], *markers[4:]), r"round 0 passes markers \[2, 5, 1, 1"),
        (lambda markers: (*markers[:4], *markers[5:]), r"round 0 passes markers \[2, 1, 5, 1, 3\]"),
    ],
)
def test_bad_rounds(change: Callable[[Sequence[Marker]], Sequence[Marker]], says: str) -> None:
    run = made_up(3)
    run = replace(run, markers=tuple(change(run.markers)))
    with pytest.raises(TrapezeError, match=says) as caught:
        check_shapes(rounds.check(rounds.split(run, 2), raised(3), WINDOW, "x"), PAIR, "x")
    assert caught.value.exit_code == 1


def test_a_phase_that_is_not_covered() -> None:
    asked = raised(3)
    asked[1] = asked[0]
    with pytest.raises(TrapezeError, match="do not begin a fixed number of cycles apart"):
        rounds.check(rounds.split(made_up(3), 2), asked, WINDOW, "x")


def test_what_is_raised() -> None:
    pair, late = CASES["fastirq/ilp32"], CASES["fastirq-late/ilp32"]
    nested = replace(pair, own={"nested": {"depth": 3, "apart": [10, 20]}})
    window = Window(100, 163)
    one = first_round()
    assert wanted(pair, window, one)[:2] == [((7, 100), (6, 100)), ((7, 101), (6, 101))]
    assert len(wanted(pair, window, one)) == 64
    assert wanted(nested, window, one)[:2] == [((7, 120), (6, 110), (5, 100)), ((7, 141), (6, 121), (5, 101))]
    assert nest(nested, 5, 1) == ((7, 7), (6, 6), (5, 5))
    # Until some cycles after the end of the handler: it ends 39 cycles after the line rose.
    later = 39 + back_to_back.LATE_CYCLES
    asked = wanted(late, window, one)
    assert len(asked) == (later + 1) * back_to_back.LATE_PHASES
    assert asked[later] == ((7, 100), (6, 100 + later))
    assert markers_of(1, 2) == (2, 1, 5, 5, 5, 3)


def test_refuses() -> None:
    experiment = experiment_files.load("back-to-back")
    low: tuple[Case, ...] = (replace(experiment.cases[0], line=0),)
    with pytest.raises(TrapezeError, match="line must be 1 or more"):
        back_to_back.check(replace(experiment, cases=low))
    with pytest.raises(TrapezeError, match="'entry' is not one of gap, return"):
        back_to_back.check(replace(experiment, metrics=experiment_files.load("irq-latency").metrics))


def test_bench(trapeze: Trapeze, tmp_path: Path) -> None:
    """Every phase on the RTL: exactly the cycles that are known, and against the paper."""
    path = tmp_path / "r.json"
    assert trapeze("bench", "back-to-back", "--json", path).code == 0
    rows = {(row["id"], row["metric"]): row for row in store.load(path)["rows"]}
    assert histograms.differences("back-to-back", map(Row.of_json, rows.values())) == []
    assert {name for name, _ in rows} == set(CASES)
    assert all(row["n"] > (300 if metric == "gap" else 20) for (_, metric), row in rows.items())
    for (name, metric), row in rows.items():
        assert re.match(r"cycles \d+ to \d+: \w", row["labels"]["worst"])
        path = paths.BUILD / "bench" / "back-to-back" / f"{name.replace('/', '-')}-{metric}-worst.json"
        assert path.is_file()
    assert rows["clic/ilp32", "gap"]["max"] <= rows["clic/ilp32", "gap"]["published"] == 68
    assert rows["clic/ilp32e", "gap"]["max"] <= rows["clic/ilp32e", "gap"]["published"] == 50
    for abi in ("ilp32", "ilp32e"):
        assert rows[f"jalxnxti/{abi}", "gap"]["max"] < rows[f"xnxti/{abi}", "gap"]["min"]
        assert rows[f"xnxti/{abi}", "gap"]["max"] < rows[f"clic/{abi}", "gap"]["min"]
        assert rows[f"fastirq/{abi}", "gap"]["max"] <= rows[f"fastirq/{abi}", "gap"]["published"] == 8
        assert rows[f"fastirq-bare/{abi}", "gap"]["max"] == 3
        # At user level as at machine level.
        for metric in ("gap", "return"):
            user, machine = (rows[f"{name}/{abi}", metric] for name in ("user", "fastirq"))
            assert (user["min"], user["max"]) == (machine["min"], machine["max"])
        # The context comes from the bank, from memory, or from software.
        way = [rows[f"{name}/{abi}", "return"] for name in ("fastirq", "fastirq-reload", "clic")]
        assert way[0]["max"] < way[1]["min"]
        assert way[1]["max"] < way[2]["min"]
    assert rows["fastirq-late/ilp32", "gap"]["max"] <= 8
    assert ("fastirq-reload/ilp32", "gap") not in rows
