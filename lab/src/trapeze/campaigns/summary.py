# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""What a campaign found, for people: parameters by their worst latency, and the runs that failed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pyarrow as pa

from trapeze.campaigns.store import Row

GROUP = ("config", "flags", "wait_instr", "wait_data")
"""Parameters that a line of the summary is for; the others, phase and seed, are where its worst is."""


@dataclass
class Group:
    """Runs that differ in phase and seed alone.

    Attributes:
        parameters: Those of `GROUP`.
        runs: How many there are.
        failed: Those of them that failed.
        without: Those that went well and have no latency.
        least: The shortest latency.
        worst: The row with the first of the longest.
    """

    parameters: tuple[object, ...]
    runs: int = 0
    failed: int = 0
    without: int = 0
    least: int | None = None
    worst: Row | None = None

    def add(self, row: Row) -> None:
        """Count a row."""
        self.runs += 1
        self.failed += bool(row["code"])
        self.without += row["code"] == 0 and row["worst"] is None
        if row["worst"] is None:
            return
        least = min((one["least"] for one in row["lines"] if one["least"] is not None), default=row["worst"])
        self.least = least if self.least is None else min(self.least, least)
        if self.worst is None or row["worst"] > self.worst["worst"]:
            self.worst = row


def groups(table: pa.Table) -> list[Group]:
    """Of a campaign's table, the one with the longest latency first."""
    found: dict[tuple[object, ...], Group] = {}
    for row in _rows(table):
        parameters = tuple(row[name] for name in GROUP)
        found.setdefault(parameters, Group(parameters)).add(row)
    return sorted(found.values(), key=lambda one: -1 if one.worst is None else one.worst["worst"], reverse=True)


def failures(table: pa.Table) -> Sequence[Row]:
    """The rows of runs that failed."""
    return [row for row in _rows(table) if row["code"]]


def _rows(table: pa.Table) -> Iterator[Row]:
    names = ["number", *GROUP, "phase", "seed", "code", "ended", "said", "worst", "lines"]
    for batch in table.select(names).to_batches(max_chunksize=10_000):
        yield from batch.to_pylist()
