# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The figures that experiments contribute (`reports.figures`), for plotly; colours are the page's (`page.js`)."""

from __future__ import annotations

from itertools import zip_longest
from typing import Any

from trapeze.reports.figures import PUBLISHED, Bars, Curve, Distribution, Figure, Rows, Scatter
from trapeze.reports.pages import WORST, Chart, bars, marks, worst_mark
from trapeze.reports.tables import number

HEIGHT = 420
"""Height of a figure, in pixels."""

ROOM = 1.2
"""Length of the axis by that of the longest bar, which leaves room for its figure."""

GAP = "\N{NO-BREAK SPACE}"
"""Between the end of a bar, or a mark there, and the figure behind it."""


def _layout(title: str, **more: Any) -> dict[str, Any]:
    return {"title": {"text": title}, "height": HEIGHT, "showlegend": True, **more}


def _axes(across: str, up: str, **both: Any) -> dict[str, Any]:
    return {axis: {"title": {"text": text}, **both} for axis, text in {"xaxis": across, "yaxis": up}.items()}


def _bars(figure: Bars) -> Chart:
    """Ours above the published ones, which say so, as in a terminal."""
    names = [name if place < figure.ours else f"{PUBLISHED}{name}" for place, name in enumerate(figure.names)]
    data = [
        {"name": name, "x": list(values), "texttemplate": "%{x:,.0f}", "textposition": "auto", "textangle": 0}
        for name, values in figure.series.items()
    ]
    return bars(
        figure.title, names, data, len(names) * len(data), barmode="group", xaxis={"title": {"text": figure.unit}}
    )


def _distribution(figure: Distribution) -> Chart:
    data: list[dict[str, Any]] = []
    always = [f"{name} always {number(pairs[0][0])}" for name, pairs in figure.series.items() if len(pairs) == 1]
    for place, (name, pairs) in enumerate(figure.series.items()):
        if len(pairs) == 1:
            continue
        common = {"legendgroup": name, "meta": place}
        data.append(
            {
                "type": "bar",
                "name": name,
                "x": [value for value, _ in pairs],
                "y": [count for _, count in pairs],
                "opacity": 0.7,
                **common,
            }
        )
        data.append(worst_mark(name, *pairs[-1], sum(count for _, count in pairs), common))
    return {
        "data": data,
        "layout": _layout(
            "; ".join([figure.title, *always, WORST]), barmode="overlay", bargap=0, **_axes(figure.unit, "samples")
        ),
    }


def _curve(figure: Curve) -> Chart:
    common: dict[str, Any] = {
        "type": "scatter",
        "hovertemplate": f"%{{x:,}} {figure.parameter}: %{{y:,.4~r}} {figure.unit}",
    }
    data: list[dict[str, Any]] = [
        {
            "mode": "lines+markers",
            "name": name,
            "x": [parameter for parameter, _ in points],
            "y": [value for _, value in points],
            **common,
        }
        for name, points in figure.series.items()
    ]
    data += [
        {
            "mode": "lines",
            "name": f"published: {name}",
            "x": [parameter for parameter, _ in points],
            "y": [value for _, value in points],
            "line": {"dash": "dash", "width": 2},
            "meta": "published",
            **common,
        }
        for name, points in figure.published.items()
    ]
    layout = _layout(figure.title, **_axes(figure.parameter, figure.unit, type="log"))
    places = sorted({parameter for points in figure.series.values() for parameter, _ in points})
    layout["xaxis"] |= {"tickvals": places, "ticktext": [f"{place:g}" for place in places]}
    layout["yaxis"] |= {"dtick": 1, "tickformat": ",~g", "minor": {"showgrid": True, "dtick": "D1"}}
    return {"data": data, "layout": layout}


def _said(part: tuple[float, float] | None) -> str:
    if part is None:
        return ""
    first, last = part
    return number(last) if first in (0, last) else f"{number(first)}-{number(last)}"


def _stretch(part: tuple[float, float] | None) -> tuple[float | None, float | None]:
    """Beginning and length of a bar; that of a range covers its first and its last value as a whole."""
    if part is None:
        return None, None
    first, last = part
    return (0, last) if first == 0 else (first - 0.5, last - first + 1)


def _rows(figure: Rows) -> Chart:
    data: list[dict[str, Any]] = [
        {
            "name": name,
            "base": [_stretch(part)[0] for part in values],
            "x": [_stretch(part)[1] for part in values],
            "text": [_said(part) for part in values],
            "textposition": "auto",
            "textangle": 0,
            "insidetextanchor": "end",
            "hovertemplate": f"%{{y}}: %{{text}} {figure.unit}<extra>%{{fullData.name}}</extra>",
        }
        for name, values in figure.series.items()
    ]
    more: dict[str, Any] = {"barmode": "group", "xaxis": {"rangemode": "tozero", "title": {"text": figure.unit}}}
    lines = len(figure.names) * len(figure.series)
    parts = [part for values in figure.series.values() for part in values if part is not None]
    if figure.stacked:
        totals = [sum(part[1] for part in parts if part) for parts in zip_longest(*figure.series.values())]
        for series in data:
            # A part that is too short for its figure has none: the legend and the pointer say what it is.
            series |= {"base": None, "textposition": "inside", "insidetextanchor": "middle"}
        held = figure.published or [None] * len(totals)
        data.append(
            {
                "type": "scatter",
                "mode": "text",
                # Behind the mark, where that is behind the bar.
                "x": [max(total, mark or 0) for total, mark in zip(totals, held, strict=True)],
                "text": [GAP + number(value) for value in totals],
                "textposition": "middle right",
                "hoverinfo": "skip",
                "showlegend": False,
            }
        )
        longest = max([*totals, *(value or 0 for value in figure.published)])
        more |= {"barmode": "stack", "uniformtext": {"minsize": 9, "mode": "hide"}}
        more["xaxis"] |= {"range": [0, ROOM * longest]}
        lines = len(figure.names)
    elif figure.published and not any(first for first, _ in parts):
        # A mark would cut through figures inside the bars.
        for series in data:
            series |= {"text": [GAP + said for said in series["text"]], "textposition": "outside"}
        ends = [*(last for _, last in parts), *(value or 0 for value in figure.published)]
        more["xaxis"] |= {"range": [ROOM * min(0, *ends), ROOM * max(0, *ends) or 1]}
    if figure.published:
        across = 1 if figure.stacked else len(figure.series)
        data.append(marks(figure.published, [figure.source] * len(figure.names), across))
    return bars(figure.title, figure.names, data, lines, **more)


def _scatter(figure: Scatter) -> Chart:
    data = [
        {
            "type": "scatter",
            "mode": "markers+text",
            "name": name,
            "x": [across for _, across, _ in points],
            "y": [up for _, _, up in points],
            "text": [name for name, _, _ in points],
            "textposition": "top center",
            "cliponaxis": False,
            "marker": {"size": 12, "symbol": "circle" if place == 0 else "diamond"},
            "hovertemplate": f"%{{text}}<br>{figure.across}: %{{x:,.4~r}}<br>{figure.up}: %{{y:,.4~r}}<extra></extra>",
        }
        for place, (name, points) in enumerate(figure.series.items())
    ]
    layout = _layout(figure.title, **_axes(figure.across, figure.up))
    # Names beside the outermost points need room.
    values = [across for points in figure.series.values() for _, across, _ in points]
    low, high = min(values), max(values)
    room = 0.25 * (high - low) or 0.1 * high
    layout["xaxis"] |= {"range": [low - room, high + room], "tickformat": ",~g"}
    return {"data": data, "layout": layout}


def plot(figure: Figure) -> Chart:
    """A figure for a page."""
    if isinstance(figure, Bars):
        return _bars(figure)
    if isinstance(figure, Curve):
        return _curve(figure)
    if isinstance(figure, Rows):
        return _rows(figure)
    if isinstance(figure, Scatter):
        return _scatter(figure)
    return _distribution(figure)
