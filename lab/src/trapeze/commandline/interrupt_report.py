# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The report of `trapeze run` on interrupts: their latencies, and the interrupts without a figure, with the reason."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from trapeze.commandline import clock
from trapeze.common.edges import Edge
from trapeze.reports.tables import centre, number
from trapeze.results.rows import Row
from trapeze.simulation import records
from trapeze.simulation.records import MARKED, Run, SweepRun

SHOWN = 20
"""Interrupts of a plain run that are worth a line each."""


def summary(found: Sequence[Row], mhz: float | None = None) -> list[str]:
    """How often the interrupt was taken, and what it took, of a sweep's rows."""
    edges = [row.labels for row in found if row.metric == "taken"]
    return [
        said for labels in edges for said in _of_line(labels, [row for row in found if _same(row.labels, labels)], mhz)
    ]


def _same(labels: Mapping[str, str], others: Mapping[str, str]) -> bool:
    return all(labels.get(key) == others.get(key) for key in ("hart", "line"))


def _of_line(labels: Mapping[str, str], found: Sequence[Row], mhz: float | None) -> list[str]:
    by_metric = {row.metric: row.statistics for row in found}
    taken = by_metric["taken"]
    line = labels["line"] + (f" of hart {labels['hart']}" if "hart" in labels else "")
    times = "once in each" if taken.min == taken.max == 1 else f"{number(taken.min)} to {number(taken.max)} times"
    said = [f"line {line}: {taken.n} runs, taken {times}"]
    for metric in records.METRICS:
        if (one := by_metric.get(metric)) is not None:
            spread = number(one.min) if one.min == one.max else f"{number(one.min)} to {number(one.max)}"
            said.append(
                f"  {metric}: {spread}, {centre(one)} cycles, n = {one.n}{clock.beside(mhz, (one.min, one.max))}"
            )
    return said


def interrupts(record: Run, mhz: float | None = None) -> list[str]:
    """What the interrupts of a plain run took."""
    raised = [one for one in record.interrupts if one.line is not None]
    said = []
    for one in raised[:SHOWN]:
        took = [
            f"{metric} {cycles}{clock.beside(mhz, (cycles,))}"
            for metric in records.METRICS
            if (cycles := one.distance(metric)) is not None
        ]
        text = f"{', '.join(took)} cycles" if took else ""
        if one.fate != MARKED:
            text = records.FATES[one.fate] + (f" ({text})" if text else "")
        whose = f" of hart {one.hart}" if record.harts > 1 else ""
        said.append(f"line {one.line}{whose}, raised in cycle {one.t0}: {text}")
    if len(raised) > SHOWN:
        said.append(f"and {len(raised) - SHOWN} more")
    return said


def never_rose(record: Run, edges: Sequence[Edge]) -> list[str]:
    """The edges of --irq after the end of the run."""
    came = {(one.hart, one.line, one.t0) for one in record.interrupts}
    none = [edge for edge in edges if (edge.hart, edge.line, edge.cycle) not in came]
    if not none:
        return []
    named = ", ".join(f"--irq {edge}" for edge in none[:SHOWN]) + (
        f" and {len(none) - SHOWN} more" * (len(none) > SHOWN)
    )
    return [f"never rose, because the run ended in cycle {record.cycles - 1}: {named}"]


def is_unmarked(runs: Sequence[SweepRun]) -> bool:
    """Whether the firmware has no markers in its handlers: then a sweep says how often they were entered, and when."""
    return not any(run.handler_markers for run in runs) and all(run.fate in ("running", "returned") for run in runs)


def is_incomplete(runs: Sequence[SweepRun]) -> bool:
    """Whether runs have no latency though they could."""
    return any(run.fate != MARKED for run in runs) and not is_unmarked(runs)


def lost(record: Run) -> list[str]:
    """The runs without a latency: how many of how many, why, and where to see the first one of each kind."""
    runs = record.sweep or ()
    if is_unmarked(runs):
        return ["  no latency: no handler executed TRAPEZE_MARKER(1)"]
    by_fate: dict[str, list[SweepRun]] = {}
    for run in runs:
        if run.fate != MARKED:
            by_fate.setdefault(run.fate, []).append(run)
    if not by_fate:
        return []
    count = sum(map(len, by_fate.values()))
    said = [f"  no latency in {count} of {len(runs)} runs, whose figures are missing above:"]
    for fate, ones in by_fate.items():
        edge = Edge(record.sweep_line or 0, ones[0].t0, hart=record.sweep_hart)
        said.append(f"    {len(ones)}: {records.FATES[fate]}; the first one: --irq {edge} in place of the sweep")
    return said
