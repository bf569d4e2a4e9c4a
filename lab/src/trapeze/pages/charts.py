# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Charts that every experiment's rows allow, for plotly: what was published beside ours, spread, stages.

Colours, fonts and grid are the page's (`page.js`); here a series only has its place in the palette.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any

from trapeze.experiments import Experiment, Metric
from trapeze.pages import Chart, bars
from trapeze.results import Row

SPREAD_PIXELS = 380
"""Height of a chart of distributions."""

SERIES = 8
"""Distributions that are shown at first; the reader may turn on the others."""


def _layout(title: str, **more: Any) -> dict[str, Any]:
    return {"title": {"text": title}, "height": SPREAD_PIXELS, "showlegend": True, **more}


def published(metric: Metric, rows: Sequence[Row]) -> Chart | None:
    """Our worst value of each row with a published figure, that figure as a mark."""
    compared = [row for row in rows if row.metric == metric.name and row.published is not None]
    if not compared:
        return None
    names = [row.id for row in compared]
    worst = [row.statistics.max if metric.better == "lower" else row.statistics.min for row in compared]
    title = f"{metric.name}: ours and published, {metric.unit} ({metric.better} is better)"
    ours = {"name": "ours, worst value", "x": worst, "texttemplate": "%{x:,.4~g}", "textposition": "auto"}
    theirs = {
        "type": "scatter",
        "mode": "markers",
        "name": "published",
        "x": [row.published for row in compared],
        "marker": {"symbol": "line-ns", "size": 18, "line": {"width": 3}},
        "customdata": [row.source for row in compared],
        "hovertemplate": "%{x:,} (%{customdata})<extra>published</extra>",
        "meta": "published",
    }
    return bars(title, names, [ours, theirs])


def _spread_rows(metric: Metric, rows: Sequence[Row]) -> list[Row]:
    return [row for row in rows if row.metric == metric.name and row.statistics.n > 1]


def _chosen(rows: Sequence[Row]) -> list[tuple[Row, bool]]:
    """The rows, those first that are shown at first: what others can be held against, of one ABI."""
    candidates = [row for row in rows if row.published is not None] or list(rows)
    abi = candidates[0].labels.get("abi")
    first = [row for row in candidates if row.labels.get("abi") == abi][:SERIES]
    return [(row, True) for row in first] + [(row, False) for row in rows if row not in first]


def distribution(metric: Metric, rows: Sequence[Row]) -> Chart | None:
    """The part of the samples up to each value, with the worst case marked."""
    spread = _spread_rows(metric, rows)
    if not spread:
        return None
    data: list[dict[str, Any]] = []
    for place, (row, shown) in enumerate(_chosen(spread)):
        found = row.statistics
        values = [value for value, _ in found.histogram]
        parts = [total / found.n for total in accumulate(count for _, count in found.histogram)]
        common = {"legendgroup": row.id, "visible": shown or "legendonly", "meta": place}
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
        data.append(
            {
                "type": "scatter",
                "mode": "markers",
                "name": f"{row.id}: worst case",
                "x": [worst],
                "y": [part],
                "marker": {"symbol": "diamond", "size": 10},
                "hovertemplate": f"worst of {found.n:,}: %{{x:,}}<extra>{row.id}</extra>",
                "showlegend": False,
                **common,
            }
        )
    title = f"{metric.name}: part of the samples within so many {metric.unit}; diamond: worst case"
    return {
        "data": data,
        "layout": _layout(
            title,
            xaxis={"rangemode": "tozero"},
            yaxis={"tickformat": ".0%", "range": [0, 1.04]},
        ),
    }


def histogram(metric: Metric, rows: Sequence[Row]) -> Chart | None:
    """How often which value came."""
    spread = _spread_rows(metric, rows)
    if not any(len(row.statistics.histogram) > 1 for row in spread):
        return None
    data = [
        {
            "type": "bar",
            "name": row.id,
            "x": [value for value, _ in row.statistics.histogram],
            "y": [count / row.statistics.n for _, count in row.statistics.histogram],
            "customdata": [count for _, count in row.statistics.histogram],
            "hovertemplate": f"%{{x:,}}: %{{customdata:,}} of {row.statistics.n:,}<extra>{row.id}</extra>",
            "visible": shown or "legendonly",
            "meta": place,
            "opacity": 0.75,
        }
        for place, (row, shown) in enumerate(_chosen(spread))
    ]
    title = f"{metric.name}: how often which value came, {metric.unit}"
    axes = {"yaxis": {"tickformat": ".0%"}}
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
            "meta": place,
        }
        for place, stage in enumerate(experiment.stages)
    ]
    return bars(f"What it consists of: stages, mean, {unit}", names, data, barmode="stack")


def charts(experiment: Experiment, rows: Sequence[Row]) -> Iterator[Chart]:
    """All charts of an experiment, the most telling first."""
    first = next(iter(experiment.metrics.values()))
    compared = (published(metric, rows) for metric in experiment.metrics.values())
    for chart in (*compared, stages(experiment, rows), distribution(first, rows), histogram(first, rows)):
        if chart is not None:
            yield chart
