# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Tables of experiments, at most 100 columns wide."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from trapeze.common.console import fitted, table
from trapeze.experiment_files import ANSWER, HELD, REPRODUCTION, Experiment, Metric, row_names
from trapeze.results.rows import Row
from trapeze.results.statistics import Statistics

SPARE = ("stdev", "mean", "p99", "p99.9", "n")
"""Columns that a narrow terminal does without, the first one first; result files and pages have them."""

EXACT = 1e-6
"""Per cent that are an error of arithmetic."""

WORDS = {True: "yes", False: "no"}
"""Words for what holds or not."""


def number(value: float) -> str:
    """A figure with as many digits as it needs, two behind the point at most, thousands apart."""
    if float(value).is_integer() or abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.2f}".rstrip("0").rstrip(".")


def centre(found: Statistics) -> str:
    """The percentiles of a sample, for one line of text."""
    return f"median {number(found.p50)}, p99 {number(found.p99)}, p99.9 {number(found.p999)}"


def reproduces(row: Row) -> bool:
    """Whether the published figure of a row is of the same thing, so that neither is better."""
    return row.published is not None and row.labels.get(HELD) == REPRODUCTION


def verdict(row: Row, better: str) -> str:
    """How a figure stands to the published one, as `better`, `equal` or `worse` and the median's difference.

    Of the same thing measured again: how near the median is, as `within 9 %`.

    Args:
        row: The figure.
        better: What is good: `lower` or `higher`.

    Returns:
        `better` only if even the worst value is; `better at p50` if the median is; empty without a published figure.
    """
    if row.published is None:
        return ""
    found = row.statistics
    if reproduces(row):
        away = abs(found.p50 - row.published) / abs(row.published) if row.published else 0
        return f"within {math.ceil(100 * away - EXACT)} %"
    sign = 1 if better == "lower" else -1
    worst = found.max if better == "lower" else found.min
    change = f", {100 * (found.p50 - row.published) / row.published:+.0f} %" if row.published else ""
    if sign * worst < sign * row.published:
        return f"better{change}"
    if found.p50 == row.published:
        return "equal" if worst == row.published else "equal at p50"
    return f"{'better at p50' if sign * found.p50 < sign * row.published else 'worse'}{change}"


def metric_table(metric: Metric, rows: Sequence[Row]) -> Table:
    """One table: the rows of one metric with their statistics."""
    compared = any(row.published is not None for row in rows)
    statistics: tuple[str, ...] = ("n", "min", "p50", "p99", "p999", "max", "mean", "stdev", "jitter")
    headings = tuple("p99.9" if name == "p999" else name for name in statistics)
    if all(row.statistics.n == 1 for row in rows):
        statistics, headings = ("p50",), ("value",)
    made = table("row", *(f">{name}" for name in headings), *((">published", "verdict") * compared))
    for row in rows:
        cells = [number(getattr(row.statistics, name)) for name in statistics]
        if compared:
            cells += ["-" if row.published is None else number(row.published), verdict(row, metric.better)]
        made.add_row(row.id, *cells)
    return made


def value_table(metrics: Sequence[Metric], rows: Sequence[Row]) -> Table:
    """One table of single values: a column for each metric."""
    made = table("row", *(f">{metric.name}" for metric in metrics))
    values = {(row.id, row.metric): row.statistics.p50 for row in rows}
    for name in dict.fromkeys(row.id for row in rows):
        found = [values.get((name, metric.name)) for metric in metrics]
        made.add_row(name, *("" if value is None else number(value) for value in found))
    return made


def matrix(rows: Sequence[Row]) -> tuple[list[str], list[str], dict[tuple[str, str], Row]]:
    """Rows named `SITUATION/WHO`, as they stand in a matrix: its lines, its columns, and the row at each place."""
    places = {(situation, who): row for row in rows for situation, _, who in (row.id.partition("/"),)}
    return list(dict.fromkeys(line for line, _ in places)), list(dict.fromkeys(who for _, who in places)), places


def answer(row: Row) -> str:
    """What holds or not, in words; where another answer was published, that too."""
    said, published = (WORDS[bool(value)] for value in (row.statistics.p50, row.published))
    return said if row.published in (None, row.statistics.p50) else f"{said}, published {published}"


def answer_table(rows: Sequence[Row]) -> Table:
    """One matrix of what holds or not."""
    lines, columns, places = matrix(rows)
    made = table("", *columns)
    for line in lines:
        made.add_row(line, *(answer(places[line, who]) if (line, who) in places else "" for who in columns))
    return made


def worst_lines(rows: Sequence[Row]) -> list[str]:
    """Where the cycles of the experiment's longest worst case went, and where the other rows' worst cases are told.

    A row that is always the same has no worst case.
    """
    explained = [row for row in rows if "worst" in row.labels and not row.statistics.constant]
    if not explained:
        return []
    longest = max(explained, key=lambda row: row.statistics.max)
    metric = f", {longest.metric}" if sum(row.id == longest.id for row in explained) > 1 else ""
    lines = [f"Worst case of {longest.id}{metric}: {longest.labels['worst']}"]
    if others := len(explained) - 1:
        lines.append(f"The worst cases of {others} other row{'s' * (others > 1)} are on the page (--html DIR)")
    return lines


def show(console: Console, experiment: Experiment, rows: Sequence[Row]) -> None:
    """Print an experiment: its question, its tables (the first metric's last), the figures of others."""
    show_question(console, experiment, rows)
    metrics = list(experiment.metrics.values())[::-1]
    if all(row.statistics.n == 1 and row.published is None for row in rows):
        for metric in metrics:
            console.print(Text.from_markup(f"[bold]{metric.name}[/], {metric.unit}: {metric.what}"))
        console.print(*fitted(console, value_table(metrics, rows)), "")
    else:
        show_metrics(console, metrics, rows)
    show_sources(console, experiment, rows)


def show_question(console: Console, experiment: Experiment, rows: Sequence[Row]) -> None:
    """Print the heading of an experiment, and what the names of its rows mean."""
    console.rule(Text.from_markup(f"[bold]{experiment.name}[/]"), align="left", characters="-")
    console.print(experiment.question, "")
    if said := row_names.meanings(experiment, dict.fromkeys(row.id for row in rows)):
        console.print(Text("In the names of rows:", style="bold"))
        for word, meaning in said.items():
            console.print(Text.assemble("  ", (word, "bold"), f": {meaning}"))
        console.print()


def show_metrics(console: Console, metrics: Sequence[Metric], rows: Sequence[Row]) -> None:
    """Print a table for each metric that has rows."""
    for metric in metrics:
        if found := [row for row in rows if row.metric == metric.name]:
            console.print(Text.from_markup(f"[bold]{metric.name}[/], {metric.unit}: {metric.what}"))
            made = answer_table(found) if metric.unit == ANSWER else metric_table(metric, found)
            console.print(*fitted(console, made, SPARE), "")
            if metric.unit == ANSWER and (held := [row for row in found if row.published is not None]):
                same = sum(row.published == row.statistics.p50 for row in held)
                console.print(
                    f"{same} of {len(held)} published answers are the same; where not, it stands beside ours.", ""
                )


def show_sources(console: Console, experiment: Experiment, rows: Sequence[Row]) -> None:
    """Print why worst cases were, the figures of others, where published figures stand, and how verdicts are meant."""
    for line in worst_lines(rows):
        console.print(line)
    for one in experiment.context:
        console.print(f"For comparison: {one.what} {number(one.value)} {one.unit} ({one.source})")
    sources = sorted({row.source for row in rows if row.source})
    for source in sources:
        console.print(f"Published: {source}")
    if any(row.published is not None and not reproduces(row) for row in rows):
        console.print("Verdict: by the worst value measured; per cent by the median.")
    if any(reproduces(row) for row in rows):
        console.print("within N %: the published figure is of the same thing, measured again here; neither is better.")
    if experiment.context or sources:
        console.print()
