# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Cycles that must not change: what the tests of an experiment measure, row by row, to the last phase.

`lab/tests/experiments/histograms/<experiment>.yaml` has for each row and metric how often each number of cycles came. A
median, a maximum and a jitter let single phases through; a histogram lets none. A figure that changes on purpose goes
in as the failure says it.

They are those of one compiler. Another one arranges the measured code otherwise, so there are other phases, and a phase
may take a cycle more or less: then no number of cycles may be further away.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

import yaml

from trapeze.common import paths
from trapeze.results import provenance
from trapeze.results.rows import Row

FOLDER = paths.ROOT / "lab" / "tests" / "experiments" / "histograms"

COMPILER = "12.2.0"
"""Release of GCC that the figures were measured with."""

Histogram = Mapping[int, int]
"""Number of phases for each number of cycles."""


@cache
def expected(experiment: str) -> Mapping[str, Mapping[str, Histogram]]:
    """By row and metric."""
    found: Mapping[str, Mapping[str, Histogram]] = yaml.safe_load((FOLDER / f"{experiment}.yaml").read_text())
    return found


def of(row: Row) -> Histogram:
    """What a row shows."""
    return {int(value): count for value, count in row.statistics.histogram}


@cache
def same_compiler() -> bool:
    """Whether the compiler at hand is the one whose cycles are known."""
    return provenance.tools().get("riscv-gcc") == COMPILER


def _near(before: Histogram, now: Histogram) -> bool:
    return min(before) - 1 <= min(now) and max(now) <= max(before) + 1


def differences(experiment: str, rows: Iterable[Row]) -> list[str]:
    """Rows that show something else than they must, each as a line."""
    known = expected(experiment)
    found = []
    for row in rows:
        before, now = known.get(row.id, {}).get(row.metric), of(row)
        if before != now and (before is None or same_compiler() or not _near(before, now)):
            found.append(f"{row.id}: {row.metric}: {now}, not {before}")
    return found
