# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""What `trapeze bench` prints last: one table, how the figures stand, which are worse, what is missing, the time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from rich.console import Console
from rich.text import Text

from trapeze.common.console import fitted
from trapeze.experiment_files import ANSWER, Metric
from trapeze.experiments import measuring
from trapeze.reports import tables
from trapeze.reports.pages import run as run_page
from trapeze.results.rows import Failure, Row

SAID = {"better": "better", "equal": "equal", "partly": "only the median better or equal", "worse": "worse"}
"""Standings of the worst value, in the order and the words in which they are counted."""

NAMED = ("partly", "worse")
"""Standings whose figures are named one by one."""


def show(
    console: Console,
    parts: Sequence[run_page.Part],
    failed: Sequence[Failure],
    left_out: Sequence[str],
    seconds: Mapping[str, float],
) -> None:
    """Print the end of a run.

    Args:
        console: Where to.
        parts: The experiments that have figures.
        failed: Rows that were asked for and could not be measured.
        left_out: What was not measured on purpose, each as a line.
        seconds: What each experiment took.
    """
    console.rule(Text("summary", style="bold"), align="left", characters="-")
    if len(parts) > 1 and (most := _most_important(parts)):
        metric, rows = most
        console.print(Text.from_markup(f"[bold]{metric.name}[/], {metric.unit}: {metric.what}"))
        console.print(*fitted(console, tables.metric_table(metric, rows), tables.SPARE), "")
    for line in standings(parts):
        console.print(line)
    _failures(console, failed)
    for said in left_out:
        console.print(said)
    console.print(_time(parts, seconds))


def _most_important(parts: Sequence[run_page.Part]) -> tuple[Metric, list[Row]] | None:
    """The figures of the first metric of the experiment that pages begin with, as far as others are published."""
    by_name = {part.experiment.name: part for part in parts}
    for name in run_page.FIRST:
        if name in by_name:
            metric = next(iter(by_name[name].experiment.metrics.values()))
            rows = [row for row in by_name[name].rows if row.metric == metric.name and row.published is not None]
            return (metric, rows) if rows else None
    return None


def standings(parts: Sequence[run_page.Part]) -> list[str | Text]:
    """How the figures stand to the published ones; those that are not better or equal are named."""
    every = [(part, line) for part in parts for line in run_page.lines(part) if line.verdict]
    held = [(part, line) for part, line in every if line.standing in SAID]
    count = Counter(line.standing for _, line in held)
    found: list[str | Text] = []
    if held:
        said = ", ".join(f"{count[standing]} {words}" for standing, words in SAID.items() if count[standing])
        found.append(f"{_figures(len(held))} held against others, by the worst value: {said}")
    found += [_named(part, line) for part, line in held if line.standing in NAMED]
    if again := [line for _, line in every if line.standing not in SAID]:
        farthest = max(again, key=lambda line: abs(line.row.statistics.p50 / (line.row.published or 1) - 1))
        found.append(f"{_figures(len(again))} of the same thing as published, measured again: all {farthest.verdict}")
    return found


def _figures(count: int) -> str:
    return f"{count:,} figure{'s' if count != 1 else ''}"


def _named(part: run_page.Part, line: run_page.Line) -> Text:
    """A figure in one line: what it is, its worst value, the published one."""
    published = line.row.published or 0
    if line.metric.unit == ANSWER:
        values = f"{tables.WORDS[bool(line.worst)]}, published {tables.WORDS[bool(published)]}"
    else:
        values = f"{tables.number(line.worst)} {line.row.unit}, published {tables.number(published)}: {line.verdict}"
    return Text.assemble("  ", (f"{part.experiment.name} {line.row.id}", "bold"), f", {line.metric.name}: {values}")


def _failures(console: Console, failed: Sequence[Failure]) -> None:
    """Print the rows that could not be measured, and why."""
    for one in failed:
        if one.error != measuring.INTERRUPTED:
            console.print(f"FAILED {one.experiment} {one.row}: {one.error}", markup=False, soft_wrap=True)
    interrupted = Counter(one.experiment for one in failed if one.error == measuring.INTERRUPTED)
    if interrupted:
        rows = ", ".join(f"{name} {count} rows" for name, count in interrupted.items())
        console.print(f"Interrupted; not measured: {rows}", soft_wrap=True)


def _time(parts: Sequence[run_page.Part], seconds: Mapping[str, float]) -> str:
    """How much was measured, and how long it took."""
    each = ", ".join(f"{name} {took:.0f} s" for name, took in seconds.items())
    total = sum(len(part.rows) for part in parts)
    experiments = f"{len(parts)} experiment{'s' if len(parts) != 1 else ''}"
    return f"{experiments}, {_figures(total)}, {sum(seconds.values()):.0f} s{f': {each}' if len(seconds) > 1 else ''}"
