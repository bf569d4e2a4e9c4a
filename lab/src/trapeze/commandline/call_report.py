# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""`trapeze linux --calls`: how long the run's calls of prepared jobs took, and their parts, as a table."""

from __future__ import annotations

from collections import Counter

from rich.console import Console
from rich.table import Table

from trapeze.common.console import fitted, say, table
from trapeze.common.errors import TrapezeError
from trapeze.platform.configurations import Config
from trapeze.reports.tables import number
from trapeze.results.statistics import Statistics, summarize_counts
from trapeze.simulation.calls import BELL_PAGES, PARTS, Call, Calls, interruptions
from trapeze.simulation.options import Options

NAME = "--calls"

ONLY = "jobs by ioctl are not listed"
"""What is not listed."""

FEWEST = {"P50": 2, "P99": 100, "P99.9": 1000}
"""How many calls a percentile needs: with fewer its rank is that of the longest call."""


def prepare(config: Config, options: Options) -> None:
    """Refuse what has no such calls, before the run.

    Raises:
        TrapezeError: says why.
    """
    if config.platform.find(BELL_PAGES) is None:
        raise TrapezeError(
            f"linux: {NAME}: {config.name} has no channels, by which programs call prepared jobs; amp and amp-dsp have"
        )
    if options.gdb is not None:
        raise TrapezeError(f"--gdb stops where you say, and {NAME} measures a whole run; use one of them")


def _figures(counts: Counter[int]) -> tuple[Statistics, list[str]]:
    found = summarize_counts(tuple(counts.items()))
    percentiles = {"P50": found.p50, "P99": found.p99, "P99.9": found.p999}
    middle = [number(value) if found.n >= FEWEST[name] else "-" for name, value in percentiles.items()]
    return found, [number(found.n), number(found.min), *middle, number(found.max)]


def _listing(calls: Calls, unit: str) -> Table:
    listing = table(unit, ">n", ">min", *(f">{name}" for name in FEWEST), ">max")
    listing.add_row("call", *_figures(calls.whole)[1])
    for name in PARTS:
        listing.add_row(f"  {name}", *_figures(calls.parts[name])[1])
    return listing


def _longest(call: Call, calls: Calls, unit: str) -> list[str]:
    """Where the time of the longest call went, beside the medians."""
    longer = {name: took - _figures(calls.parts[name])[0].p50 for name, took in call.parts.items()}
    part = max(longer, key=lambda name: longer[name])
    took = call.parts[part]
    most = f"; most in {part}, {number(took)}, {number(longer[part])} above its median" if longer[part] > 0 else ""
    met = interruptions(call)
    return [
        f"longest call: number {call.number} of channel {call.channel}, {number(call.cycles)} {unit} from "
        f"{number(call.cuts[0])} on{most}",
        f"  interrupts meanwhile: {'; '.join(met) if met else 'none but its doorbell'}",
    ]


def _others(calls: Calls) -> list[str]:
    said = []
    if calls.idle:
        said.append(f"{calls.idle} more answered without a run of the job, such as refused ones")
    if calls.open:
        said.append(f"{calls.open} more whose answer no program has looked at")
    return said


def show(console: Console, calls: Calls, engine: str) -> None:
    """Print the table, and what is to be said of the longest call."""
    unit = "instructions" if engine == "model" else "cycles"
    said = _others(calls)
    if calls.longest is None:
        say([f"calls: no program has called a prepared job; {ONLY}{''.join(f'; {one}' for one in said)}"])
        return
    console.print(f"Calls of prepared jobs; {ONLY}:")
    for part in fitted(console, _listing(calls, unit), ("P99.9", "P99")):
        console.print(part)
    say([*_longest(calls.longest, calls, unit), *(f"calls: {one}" for one in said)])
