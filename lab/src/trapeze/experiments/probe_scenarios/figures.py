# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The figures of the scenarios: the paper's Figures 8 and 9, and how T2 is distributed."""

from __future__ import annotations

from collections.abc import Sequence

from trapeze.experiment_files import Experiment
from trapeze.experiments import probe_report
from trapeze.linux.cell import DELEGATED
from trapeze.reports.figures import Distribution, Figure
from trapeze.results.rows import Row


def _name(row: Row) -> str:
    """Of a series: the scenario, which may have rows of both ways that interrupts come."""
    return row.labels["scenario"] + (", delegated" if row.labels.get("handler") == DELEGATED else "")


def figures(experiment: Experiment, rows: Sequence[Row]) -> list[Figure]:
    """Figures 8 and 9, and the distribution of T2 in cycles by optimisation, one series for each scenario."""
    drawn: list[Figure] = list(probe_report.published_bars(experiment, rows, abi=None))
    latencies = probe_report.of(rows, "latency", "t2")
    for level in dict.fromkeys(row.labels["opt"] for row in latencies):
        chosen = {_name(row): row.statistics.histogram for row in latencies if row.labels["opt"] == level}
        drawn.append(Distribution(f"T2, cycles, -{level}", "cycles", chosen))
    return drawn
