# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""`trapeze run --masked`: the longest stretches in which interrupts were masked, as rows and as a table."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from trapeze.common.console import fitted, table
from trapeze.explaining import masked
from trapeze.explaining.rerun import Rerun
from trapeze.reports.tables import number
from trapeze.results.rows import Row
from trapeze.results.statistics import summarize_counts
from trapeze.simulation.records import Run

METRIC = "masked"

SHOWN = 20
"""Rows of the table in the terminal; files have all."""


def rows(watched: Rerun, record: Run) -> list[Row]:
    """A row for each two functions, the one with the longest stretch first.

    Raises:
        TrapezeError: the simulator refused the input or failed.
    """
    found = masked.find(watched)
    stem, several = Path(record.elf).stem, record.harts > 1
    made = []
    for who in sorted(found):
        whose = f"/hart{who.hart}" if several else ""
        labels = watched.config.labels(who.hart)
        labels |= {"hart": str(who.hart)} if several else {}
        made.append(
            Row(
                id=f"{stem}{whose}/{who.how}/{who.by}..{who.until}",
                config=watched.config.name,
                engine=record.engine,
                metric=METRIC,
                unit="instructions" if record.engine == "model" else "cycles",
                statistics=summarize_counts(sorted(found[who].lengths.items())),
                labels=labels | {"how": who.how, "by": who.by, "until": who.until},
                more={"worst": list(found[who].worst)},
            )
        )
    return sorted(made, key=lambda row: -row.statistics.max)


def show(console: Console, found: Sequence[Row]) -> None:
    """Print the longest masked stretches."""
    if not found:
        console.print("Interrupts were never masked after the program first let them in.")
        return
    several = any("hart" in row.labels for row in found)
    unit = found[0].unit
    console.print(f"Interrupts masked, the longest stretches, in {unit}:")
    listing = table("by", "until", "how", *([">hart"] if several else []), ">longest", ">from cycle", ">p50", ">times")
    for row in found[:SHOWN]:
        one = row.statistics
        whose = [row.labels["hart"]] if several else []
        cells = (number(one.max), number(row.more["worst"][0]), number(one.p50), number(one.n))
        listing.add_row(row.labels["by"], row.labels["until"], row.labels["how"], *whose, *cells)
    console.print(*fitted(console, listing, ("p50",)))
    if len(found) > SHOWN:
        console.print(f"and {len(found) - SHOWN} more, which --csv, --json and --html have")
