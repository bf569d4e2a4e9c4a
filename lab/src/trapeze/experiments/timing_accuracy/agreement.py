# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""How far the model is off by latency of the memory: each program, and mean and worst of each set of programs.

The label `set` of a row says whether the model was made with this program at hand (`fitted`) or not (`examined`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

from trapeze.common.console import fitted, table
from trapeze.experiment_files import Experiment
from trapeze.experiments.timing_accuracy import programs
from trapeze.reports import tables
from trapeze.results.rows import Row

SET, LATENCY = "set", "latency"
"""Labels of rows."""


class Sum(NamedTuple):
    """Of the absolute errors of several programs, in percent."""

    mean: float
    worst: float
    of: str

    @classmethod
    def of_errors(cls, errors: Mapping[str, float]) -> Sum:
        """Those of programs by their names."""
        worst = max(errors, key=lambda name: abs(errors[name]))
        return cls(sum(map(abs, errors.values())) / len(errors), errors[worst], worst)


def errors(experiment: Experiment, rows: Sequence[Row]) -> dict[str, dict[int, dict[str, float]]]:
    """The errors of whole programs by set, latency and program."""
    whole = {case.id for case in experiment.cases if programs.kind(case) not in programs.OF_KERNELS}
    found: dict[str, dict[int, dict[str, float]]] = {}
    for row in rows:
        name = row.labels.get("test", "")
        if row.metric == "error" and LATENCY in row.labels and row.id.partition("/")[0] + f"/{name}" in whole:
            of_set = found.setdefault(row.labels.get(SET, ""), {})
            of_set.setdefault(int(row.labels[LATENCY]), {})[name] = row.statistics.p50
    return found


def _lines(of_set: Mapping[int, Mapping[str, float]], latencies: Sequence[int], name: str) -> Iterator[list[str]]:
    """The cells of a set: its programs, mean and worst."""
    for program in dict.fromkeys(program for one in of_set.values() for program in one):
        known = [of_set.get(latency, {}) for latency in latencies]
        yield [program, *(f"{one[program]:+.2f}" if program in one else "" for one in known)]
    sums = [Sum.of_errors(of_set[latency]) if latency in of_set else None for latency in latencies]
    yield [f"{name} mean".strip(), *("" if one is None else f"{one.mean:.2f}" for one in sums)]
    worst = ["" if one is None else f"{one.worst:+.2f} {one.of.rpartition('/')[2]}" for one in sums]
    yield [f"{name} worst".strip(), *worst]


def by_latency(found: Mapping[str, Mapping[int, Mapping[str, float]]]) -> Table:
    """The table of them: a column for each latency."""
    latencies = sorted({latency for of_set in found.values() for latency in of_set})
    made = table("program", *(f">L = {latency}" for latency in latencies))
    for name, of_set in found.items():
        for line in _lines(of_set, latencies, name):
            made.add_row(*line)
        made.add_section()
    return made


def show(console: Console, experiment: Experiment, rows: Sequence[Row]) -> None:
    """Print the tables of every experiment, then errors by latency."""
    tables.show(console, experiment, rows)
    found = errors(experiment, rows)
    if sum(len(one) for of_set in found.values() for one in of_set.values()) > 1:
        console.print("Error in percent by latency L of the memory, mean and worst of the absolute errors")
        console.print(*fitted(console, by_latency(found)), "")
