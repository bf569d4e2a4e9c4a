# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Charts that every experiment's rows allow, for plotly: what was published beside ours, spread, stages.

Colours, fonts and grid are the page's (`page.js`); here a series only has its place in the palette.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from trapeze.experiment_files import ANSWER, Experiment, Metric
from trapeze.reports.pages import WORST, Chart, bars, marks, worst_mark
from trapeze.reports.tables import number
from trapeze.results.rows import Row

SPREAD_PIXELS = 380
"""Height of a chart of distributions."""

SERIES = 8
"""Distributions in a chart: as many as there are colours."""


FEW = 12
"""So many values get a tick each."""


def _layout(title: str, **more: Any) -> dict[str, Any]:
    return {"title": {"text": title}, "height": SPREAD_PIXELS, "showlegend": True, **more}


def published(metric: Metric, rows: Sequence[Row]) -> Chart | None:
    """Our worst value of each row with a published figure, that figure as a mark."""
    compared = [row for row in rows if row.metric == metric.name and row.published is not None]
    if not compared or metric.unit == ANSWER:
        return None
    names = [row.id for row in compared]
    worst = [row.statistics.max if metric.better == "lower" else row.statistics.min for row in compared]
    title = f"{metric.name}: ours and published, {metric.unit} ({metric.better} is better)"
    said = [number(value) for value in worst]
    ours = {"name": "ours, worst value", "x": worst, "text": said, "textposition": "auto"}
    theirs = marks([row.published for row in compared], [row.source for row in compared])
    return bars(title, names, [ours, theirs])


def _spread_rows(metric: Metric, rows: Sequence[Row]) -> list[Row]:
    """Those that have a distribution: what is always the same is a number, which the tables have."""
    return [row for row in rows if row.metric == metric.name and not row.statistics.constant]


def _chosen(rows: Sequence[Row]) -> list[Row]:
    """The rows to draw: those that spread most, then those that others can be held against, of one ABI.

    More than these no chart and no legend can show: the tables have all.
    """
    spread = sorted(rows, key=lambda row: -row.statistics.jitter)
    candidates = [row for row in rows if row.published is not None] or list(rows)
    abi = candidates[0].labels.get("abi")
    wanted = [row for row in spread if row.statistics.jitter > 0][: SERIES // 2]
    wanted += [row for row in candidates if row.labels.get("abi") == abi and row not in wanted][: SERIES - len(wanted)]
    wanted += [row for row in spread if row not in wanted][: SERIES - len(wanted)]
    return [row for row in rows if row in wanted]


def _some(chosen: Sequence[Row], rows: Sequence[Row]) -> str:
    """Text for rows that are not drawn."""
    return f"; {len(chosen)} of {len(rows)} rows" if len(chosen) < len(rows) else ""


def distribution(metric: Metric, rows: Sequence[Row]) -> Chart | None:
    """The part of the samples up to each value, with the worst case marked."""
    spread = _spread_rows(metric, rows)
    if not spread:
        return None
    data: list[dict[str, Any]] = []
    chosen = _chosen(spread)
    for place, row in enumerate(chosen):
        found = row.statistics
        values = [value for value, _ in found.histogram]
        parts = [total / found.n for total in accumulate(count for _, count in found.histogram)]
        common = {"legendgroup": row.id, "meta": place}
        data.append(
            {
                "type": "scatter",
                "mode": "lines",
                "name": row.id,
                "x": [values[0], *values],
                "y": [0, *parts],
                "line": {"shape": "hv", "width": 2},
                "hovertemplate": "%{y:.2%} within %{x:,}<extra>%{fullData.name}</extra>",
                **common,
            }
        )
        worst, part = (values[-1], 1) if metric.better == "lower" else (values[0], 0)
        data.append(worst_mark(row.id, worst, part, found.n, common))
    title = f"{metric.name}: part of the samples within so many {metric.unit}; {WORST}{_some(chosen, spread)}"
    return {
        "data": data,
        "layout": _layout(
            title,
            xaxis={"rangemode": "tozero", "title": {"text": metric.unit}},
            yaxis={"tickformat": ".0%", "range": [0, 1.06]},
        ),
    }


def histogram(metric: Metric, rows: Sequence[Row]) -> Chart | None:
    """How often which value came, the worst case as in `distribution`."""
    spread = _spread_rows(metric, rows)
    if not spread:
        return None
    chosen = _chosen(spread)
    data: list[dict[str, Any]] = []
    for place, row in enumerate(chosen):
        found = row.statistics
        common = {"legendgroup": row.id, "meta": place}
        data.append(
            {
                "type": "bar",
                "name": row.id,
                "x": [value for value, _ in found.histogram],
                "y": [count / found.n for _, count in found.histogram],
                "customdata": [count for _, count in found.histogram],
                "hovertemplate": f"%{{x:,}}: %{{customdata:,}} of {found.n:,}<extra>{row.id}</extra>",
                "opacity": 0.75,
                **common,
            }
        )
        value, count = found.histogram[-1 if metric.better == "lower" else 0]
        data.append(worst_mark(row.id, value, count / found.n, found.n, common))
    title = f"{metric.name}: how often which value came; {WORST}{_some(chosen, spread)}"
    values = [value for row in chosen for value, _ in row.statistics.histogram]
    every = {"dtick": 1} if max(values) - min(values) < FEW else {}
    axes = {"yaxis": {"tickformat": ".0%"}, "xaxis": {"title": {"text": metric.unit}, **every}}
    return {"data": data, "layout": _layout(title, barmode="overlay", bargap=0, **axes)}


def stages(experiment: Experiment, rows: Sequence[Row]) -> Chart | None:
    """What each figure consists of, on average."""
    means = {(row.id, row.metric): row.statistics.mean for row in rows}
    wanted = {name for one in experiment.stages for name in (one.to, one.since) if name}
    names = [
        name for name in dict.fromkeys(row.id for row in rows) if all((name, metric) in means for metric in wanted)
    ]
    if not experiment.stages or not names:
        return None
    unit = next(iter(experiment.metrics.values())).unit
    data = [
        {
            "name": stage.name,
            "x": [means[name, stage.to] - (means[name, stage.since] if stage.since else 0) for name in names],
            "texttemplate": "%{x:.3~g}",
            "textposition": "inside",
            "insidetextanchor": "middle",
            "textangle": 0,
            "meta": place,
        }
        for place, stage in enumerate(experiment.stages)
    ]
    short = {"minsize": 9, "mode": "hide"}
    return bars(f"What it consists of: stages, mean, {unit}", names, data, barmode="stack", uniformtext=short)


def values(metric: Metric, rows: Sequence[Row]) -> Chart | None:
    """The median of each row, for want of anything that could be held against it."""
    found = [row for row in rows if row.metric == metric.name]
    if not found or metric.unit == ANSWER:
        return None
    series = {
        "name": metric.name,
        "x": [row.statistics.p50 for row in found],
        "text": [number(row.statistics.p50) for row in found],
        "textposition": "auto",
    }
    title = f"{metric.name}: {metric.what}, {metric.unit} ({metric.better} is better)"
    return bars(title, [row.id for row in found], [series])


def charts(experiment: Experiment, rows: Sequence[Row], own: bool = False) -> list[Chart]:
    """All charts of an experiment, the most telling first.

    Args:
        experiment: The experiment.
        rows: Its figures.
        own: Whether the chart itself draws the published figures.
    """
    first = next(iter(experiment.metrics.values()))
    held = (published(metric, rows) for metric in experiment.metrics.values() if not own)
    every = (*held, stages(experiment, rows), distribution(first, rows), histogram(first, rows))
    found = [chart for chart in every if chart is not None]
    alone = None if found or own else values(first, rows)
    return [*found, alone] if alone else found
