# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""What `trapeze run --stimulus` says that it measured: many edges of a line, together."""

from __future__ import annotations

from collections.abc import Callable

from trapeze.commandline import clock
from trapeze.explaining.rerun import NEAR, Rerun
from trapeze.reports.tables import number
from trapeze.results.rows import Row
from trapeze.results.statistics import summarize_counts
from trapeze.simulation import records
from trapeze.simulation.records import MARKED, Arrivals, Run


def rows(one: Arrivals, row: Callable[..., Row]) -> list[Row]:
    """How many edges were taken, and their latencies.

    Args:
        one: The edges.
        row: Makes a row of a sample, its metric, its unit, hart and line, and further labels.
    """
    edge = (one.hart, one.line)
    more = {"stimulus": one.spec}
    if one.merged:
        more["merged"] = f"{one.merged} of {one.merged + one.raised}"
    taken = sum(count for _, count in one.histograms["entry"])
    made = [row([taken], "taken", "interrupts", edge, **more)]
    for metric in records.METRICS:
        if counts := one.histograms[metric]:
            lost = one.raised - sum(count for _, count in counts)
            without = {"lost": f"{lost} of {one.raised}"} if lost else {}
            made.append(row(summarize_counts(counts), metric, "cycles", edge, **more, **without))
    return made


def is_unmarked(one: Arrivals) -> bool:
    """Whether the firmware's handler of the line has no marker: then the edges say when it was entered."""
    return all(not count or fate in ("running", "returned") for fate, count in one.fates.items())


def is_incomplete(one: Arrivals) -> bool:
    """Whether edges that rose have no latency though they could; one may be on its way when the run ends."""
    if is_unmarked(one):
        return False
    on_the_way = sum(count for fate, count in one.fates.items() if fate in ("not-taken", "not-begun", "running"))
    without = sum(count for fate, count in one.fates.items() if fate != MARKED)
    return without > min(1, on_the_way)


def summary(one: Arrivals, record: Run, mhz: float | None = None) -> list[str]:
    """What the edges took, for the terminal; and which of them have no figure, and why."""
    whose = f" of hart {one.hart}" if record.harts > 1 else ""
    said = [f"line {one.line}{whose}, --stimulus {one.spec}: {one.raised} edges"]
    for metric in records.METRICS:
        if not (counts := one.histograms[metric]):
            continue
        found = summarize_counts(counts)
        spread = number(found.min) if found.min == found.max else f"{number(found.min)} to {number(found.max)}"
        middle = f"median {number(found.p50)}, p99 {number(found.p99)}, p99.9 {number(found.p999)}"
        micro = clock.beside(mhz, (found.min, found.max))
        said.append(f"  {metric}: {spread}, {middle} cycles, n = {found.n}{micro}")
    unmarked = is_unmarked(one) and one.raised > 0
    if unmarked:
        said.append("  no latency: the handler executed no TRAPEZE_MARKER(1)")
    for fate, count in one.fates.items():
        if count and fate != MARKED and not unmarked:
            said.append(f"  no latency of {count}: {records.FATES[fate]}")
    if one.unmarked is not None and not unmarked:
        said.append(f"  the first of these rose in cycle {one.unmarked.t0}")
    if one.merged:
        said.append(
            f"  {one.merged} more raised nothing: the line was still high, or an earlier edge had not been taken"
        )
    if one.left:
        said.append(f"  {one.left} more never came: the run ended in cycle {record.cycles - 1}")
    if not one.raised and not one.merged and not one.left:
        said.append(f"  the run ended in cycle {record.cycles - 1}, before the first one")
    return said


def extremes(watched: Rerun, one: Arrivals) -> list[str]:
    """The worst and the best edge of a run, and why; or how to see why, where that would take long."""
    if one.worst is None or one.best is None:
        return []
    said = []
    longest = one.worst.distance("latency") or 0
    for name, stamps in {"worst": one.worst, "best": one.best}.items():
        text = f"  {name}: {stamps.distance('latency')} cycles, the edge in cycle {stamps.t0}"
        if stamps.t0 <= NEAR and watched.possible:
            text += f": {watched.reason(stamps, one.hart, one.line)}"
        elif name == "worst":
            text += f"; run it with --budget {longest - 1} to see why"
        said.append(text)
    return said
