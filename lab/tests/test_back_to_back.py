# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The experiment back-to-back: its checks on made-up records, and every phase on the real hardware."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from trapeze import experiments, results
from trapeze.dev.testing import Trapeze
from trapeze.errors import TrapezeError
from trapeze.experiments import back_to_back
from trapeze.experiments.back_to_back import ROUND, gaps, rounds
from trapeze.experiments.irq_latency import Window
from trapeze.records import Marker, Run

APART = 100


def made_up(count: int) -> Run:
    """A run of so many rounds, 100 cycles apart, and one without interrupts: two handlers 8 cycles apart in each."""
    markers = []
    for number in range(count):
        cycles = zip(ROUND, (10, 30, 50, 58, 70, 90), strict=True)
        markers += [Marker(n, cycle - 3, cycle, cycle + 1) for n, cycle in ((n, c + APART * number) for n, c in cycles)]
    markers += [Marker(ROUND[0], 5, 10, 11), Marker(ROUND[-1], 85, 90, 91)]
    return Run("mcu-clic", "rtl", "x.elf", "exit", 0, 1000, 500, tuple(markers), (), None, None)


def raised(count: int) -> list[int]:
    """The cycles in which the lines rise: one later in each round."""
    return [11 + (APART + 1) * number for number in range(count)]


def test_good_rounds() -> None:
    parts = rounds(made_up(5), 5, "x")
    assert gaps(parts, raised(5), Window(11, 15), "x") == [8] * 5


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda markers: markers[:-2], "do not make 3 rounds and one without"),
        (lambda markers: (*markers, markers[-1]), "do not make 3 rounds and one without"),
        (lambda markers: (markers[0], *markers[2:], markers[1]), r"round 0 passes markers \[2, 5, 1, 5, 3, 2\]"),
    ],
)
def test_bad_rounds(change, says: str) -> None:  # type: ignore[no-untyped-def]
    run = made_up(3)
    with pytest.raises(TrapezeError, match=says) as caught:
        rounds(replace(run, markers=tuple(change(run.markers))), 3, "x")
    assert caught.value.exit_code == 1


@pytest.mark.parametrize(("late", "window"), [(1, Window(11, 13)), (0, Window(11, 14)), (0, Window(11, 12))])
def test_a_phase_that_is_not_covered(late: int, window: Window) -> None:
    cycles = raised(3)
    cycles[1] += late
    with pytest.raises(TrapezeError, match="do not begin a fixed number of cycles apart"):
        gaps(rounds(made_up(3), 3, "x"), cycles, window, "x")


def test_refuses() -> None:
    experiment = experiments.load("back-to-back")
    with pytest.raises(TrapezeError, match="line must be 1 or more"):
        back_to_back.check(replace(experiment, line=0))
    with pytest.raises(TrapezeError, match="'first-fetch' is not one of gap"):
        back_to_back.check(replace(experiment, metrics=experiments.load("irq-latency").metrics))


def test_bench(trapeze: Trapeze, tmp_path: Path) -> None:
    """Every phase on the RTL, against the paper."""
    path = tmp_path / "r.json"
    assert trapeze("bench", "back-to-back", "--json", path).code == 0
    rows = {row["id"]: row for row in results.load(path)["rows"]}
    assert all(row["n"] > 300 for row in rows.values())
    assert rows["clic/ilp32"]["max"] <= rows["clic/ilp32"]["published"] == 68
    assert rows["clic/ilp32e"]["max"] <= rows["clic/ilp32e"]["published"] == 50
    for abi in ("ilp32", "ilp32e"):
        assert rows[f"jalxnxti/{abi}"]["max"] < rows[f"xnxti/{abi}"]["min"]
        assert rows[f"xnxti/{abi}"]["max"] < rows[f"clic/{abi}"]["min"]
