# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The tables of the experiment `rpc`: beside those of each metric one of all medians, as in bench/rpc/README.md."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from trapeze.common.console import fitted, table
from trapeze.experiment_files import Experiment
from trapeze.reports import tables
from trapeze.results.rows import Row

COLUMNS = ("instructions", "cycles", "overhead", "overhead-cycles")
"""Metrics of the table."""


def _cells(row: Row | None) -> tuple[str, str]:
    """The median and the published figure."""
    if row is None:
        return "", ""
    return tables.number(row.statistics.p50), "" if row.published is None else tables.number(row.published)


def side_by_side(rows: Sequence[Row], metrics: Sequence[str]) -> Table:
    """What rows count, each metric with the published figures beside it."""
    found = {(row.id, row.metric): row for row in rows}
    headings = [heading for metric in metrics for heading in (f">{metric}", ">published")]
    made = table("row", *headings)
    for name in dict.fromkeys(row.id for row in rows if row.metric in metrics):
        made.add_row(name, *(cell for metric in metrics for cell in _cells(found.get((name, metric)))))
    return made


def show(console: Console, experiment: Experiment, rows: Sequence[Row]) -> None:
    """Print the experiment, and before its end the medians of instructions and cycles beside each other."""
    tables.show_question(console, experiment, rows)
    tables.show_metrics(console, list(experiment.metrics.values())[::-1], rows)
    for pair in (COLUMNS[:2], COLUMNS[2:]):
        console.print(Text.from_markup(f"[bold]{' and '.join(pair)}[/]: medians"))
        console.print(*fitted(console, side_by_side(rows, pair)), "")
    tables.show_sources(console, experiment, rows)
