# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Tables and figures of areas."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from trapeze.common.console import fitted, table
from trapeze.experiment_files import Experiment
from trapeze.experiments.area import measure
from trapeze.reports import tables
from trapeze.reports.figures import Curve, Figure, Rows
from trapeze.results.rows import Row
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
    """Print the areas as one table, all other metrics as in every experiment, and the limits of the flow."""
    tables.show_question(console, experiment, rows)
    areas = _areas(rows)
    parts = _parts(areas)
    metric = experiment.metrics["area"]
    console.print(Text.from_markup(f"[bold]{metric.name}[/], {metric.unit}: {metric.what}"))
    made = table("row", *(f">{part}" for part in parts), ">whole")
    for name, found in areas.items():
        cells = [tables.number(found[part]) if part in found else "" for part in (*parts, "")]
        made.add_row(name, *cells)
    console.print(*fitted(console, made), "")
    others = [one for name, one in experiment.metrics.items() if name != "area"]
    tables.show_metrics(console, others[::-1], rows)
    tables.show_sources(console, experiment, rows)
    console.print(NOTE, "", soft_wrap=True)


def _points(rows: Sequence[Row]) -> dict[str, list[tuple[float, float]]]:
    """Sources and area of each part, and of the whole."""
    series: dict[str, list[tuple[float, float]]] = {}
    for row in rows:
        if row.metric == "area":
            name = "whole" if row.labels["block"] == "clic" else row.labels["block"]
            series.setdefault(name, []).append((float(row.labels["sources"]), row.statistics.p50))
    return {name: sorted(points) for name, points in series.items()}


def _slope(first: tuple[float, float], last: tuple[float, float]) -> float:
    return round((last[1] - first[1]) / (last[0] - first[0]), 1)


def clic_figures(experiment: Experiment, rows: Sequence[Row]) -> list[Figure]:
    """Area over the number of sources, by part (the paper's Figure 8), and what each source more consists of."""
    points = _points(rows)
    unit = experiment.metrics["area"].unit
    steps = [sources for sources, _ in points.get("whole", ())]
    if len(steps) <= 1:
        return []
    curves = {f"{name}, {_slope(found[0], found[-1])} {unit} a source": tuple(found) for name, found in points.items()}
    compared = next((row for row in rows if row.metric == "per-source" and row.published is not None), None)
    published = compared.published if compared and compared.published else None
    line = {f"{published:g} {unit} a source": tuple((at, published * at) for at in steps)} if published else {}
    shares = {
        name: tuple((0.0, _slope(found[0], one)) for one in found[1:])
        for name, found in points.items()
        if name != "whole"
    }
    return [
        Curve("Area of the CLIC by sources", "sources", unit, curves, line),
        Rows(
            f"What each source more than {steps[0]:g} costs, {unit}",
            unit,
            tuple(f"{sources:g} sources" for sources in steps[1:]),
            shares,
            stacked=True,
            published=(published,) * (len(steps) - 1) if published else (),
            source=(compared.source or "") if compared else "",
        ),
    ]


def core_figures(experiment: Experiment, rows: Sequence[Row]) -> list[Figure]:
    """Area of the parts of each core, and what fastirq adds by number of banks (the paper's Figures 9 and 10)."""
    areas = _areas(rows)
    unit = experiment.metrics["area"].unit
    stages = {part: tuple((0.0, found.get(part, 0.0)) for found in areas.values()) for part in _parts(areas)}
    figures: list[Figure] = [
        Rows(f"Area of the core by part, each mapped by itself, {unit}", unit, tuple(areas), stages, stacked=True)
    ]
    compared = [row for row in rows if row.metric in measure.FASTIRQ_METRICS]
    if compared:
        abi = compared[0].labels["abi"]
        overheads = {(row.metric, row.id): row for row in compared if row.labels["abi"] == abi}
        names = tuple(dict.fromkeys(metric for metric, _ in overheads))
        held = {metric: row for (metric, _), row in overheads.items() if row.published is not None}
        series = {
            one: tuple((0.0, overheads[name, one].statistics.p50) for name in names)
            for one in dict.fromkeys(one for _, one in overheads)
        }
        figures.append(
            Rows(
                f"What fastirq adds, {abi}, %",
                "%",
                names,
                series,
                published=tuple(held[name].published if name in held else None for name in names),
                source=", ".join(dict.fromkeys(row.source or "" for row in held.values())),
            )
        )
    return figures
