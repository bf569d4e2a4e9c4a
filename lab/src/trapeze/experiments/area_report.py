# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Tables and figures of areas."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console

from trapeze import report
from trapeze.console import table
from trapeze.experiments import Experiment
from trapeze.figures import Bars, Curve, Figure
from trapeze.results import Row
from trapeze.synth.command import NOTE


def _areas(rows: Sequence[Row]) -> dict[str, dict[str, float]]:
    """The area of each part, and of the whole under an empty name, by case."""
    found: dict[str, dict[str, float]] = {}
    for row in rows:
        if row.metric == "area":
            whole, _, part = row.id.rpartition("/") if row.labels["block"] not in ("core", "clic") else (row.id, "", "")
            found.setdefault(whole, {})[part] = row.statistics.p50
    return found


def _parts(areas: dict[str, dict[str, float]]) -> list[str]:
    return list(dict.fromkeys(part for one in areas.values() for part in one if part))


def show(console: Console, experiment: Experiment, rows: Sequence[Row]) -> None:
    """Print the areas as one table, all other metrics as every experiment does, and what the flow cannot say."""
    report.show_question(console, experiment)
    areas = _areas(rows)
    parts = _parts(areas)
    metric = experiment.metrics["area"]
    console.print(f"[bold]{metric.name}[/], {metric.unit}: {metric.what}")
    made = table("row", *(f">{part}" for part in parts), ">whole")
    for name, found in areas.items():
        cells = [report.number(found[part]) if part in found else "" for part in (*parts, "")]
        made.add_row(name, *cells)
    console.print(made, "")
    others = [one for name, one in experiment.metrics.items() if name != "area"]
    report.show_metrics(console, others[::-1], rows)
    report.show_sources(console, experiment, rows)
    console.print(NOTE, "", soft_wrap=True)


def clic_figures(experiment: Experiment, rows: Sequence[Row]) -> list[Figure]:
    """Area over the number of sources, by part (the paper's Figure 8)."""
    series: dict[str, list[tuple[float, float]]] = {}
    for row in rows:
        if row.metric == "area":
            name = "whole" if row.labels["block"] == "clic" else row.labels["block"]
            series.setdefault(name, []).append((float(row.labels["sources"]), row.statistics.p50))
    metric = experiment.metrics["area"]
    points = {name: tuple(sorted(pairs)) for name, pairs in series.items()}
    return [Curve(f"{experiment.name}: area by sources", "sources", metric.unit, points)]


def core_figures(experiment: Experiment, rows: Sequence[Row]) -> list[Figure]:
    """Area of each part of the core, by configuration, for each ABI (the paper's Figures 9 and 10)."""
    figures: list[Figure] = []
    for abi in dict.fromkeys(row.labels["abi"] for row in rows):
        areas = _areas([row for row in rows if row.labels["abi"] == abi])
        parts = tuple(_parts(areas))
        series = {name: tuple(found.get(part, 0.0) for part in parts) for name, found in areas.items()}
        figures.append(Bars(f"{experiment.name}: area by part, {abi}, GE", "GE", parts, series, len(parts)))
    return figures
