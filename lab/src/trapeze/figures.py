# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Figures that experiments contribute, and how they are drawn: in a terminal (plotext) and on a page (plotly)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.text import Text

PUBLISHED = "published: "
"""Before the name of a figure that is not ours, where there is no other way to tell."""

MOST_LINES = 16
"""Of a distribution in a terminal: values are put together until it has no more."""

HEIGHT = 480
"""Of a figure on a page, in pixels."""


@dataclass(frozen=True)
class Bars:
    """Bars in groups: for each name a bar of each series.

    Attributes:
        title: What is shown, with its unit.
        unit: Of all values.
        names: Of the groups.
        series: A value for each name.
        ours: How many of the names are figures of this project; the others were published.
    """

    title: str
    unit: str
    names: tuple[str, ...]
    series: Mapping[str, tuple[float, ...]]
    ours: int

    def __post_init__(self) -> None:
        if any(len(values) != len(self.names) for values in self.series.values()) or not self.names:
            raise ValueError(f"{self.title}: every series needs a value for each name, and there must be one")


@dataclass(frozen=True)
class Distribution:
    """How often which value came, in one or several samples.

    Attributes:
        title: What is shown, with its unit.
        unit: Of the values.
        series: Of each sample the values and how often they came, ascending.
    """

    title: str
    unit: str
    series: Mapping[str, tuple[tuple[float, int], ...]]

    def __post_init__(self) -> None:
        if not self.series or not all(self.series.values()):
            raise ValueError(f"{self.title}: every sample needs a value, and there must be one")


Figure = Bars | Distribution


def binned(figure: Distribution) -> tuple[tuple[str, ...], dict[str, tuple[int, ...]]]:
    """A distribution as counts of equally wide ranges of values, at most `MOST_LINES`, the same for all samples.

    Returns:
        The names of the ranges, and for each sample its counts.
    """
    values = [value for pairs in figure.series.values() for value, _ in pairs]
    low, high = min(values), max(values)
    width = max(1, math.ceil((high - low + 1) / MOST_LINES))
    bins = int((high - low) // width) + 1
    counts = {}
    for name, pairs in figure.series.items():
        found = [0] * bins
        for value, count in pairs:
            found[int((value - low) // width)] += count
        counts[name] = tuple(found)
    starts = [low + width * index for index in range(bins)]
    return tuple(f"{start:g}" if width == 1 else f"{start:g}-{start + width - 1:g}" for start in starts), counts


def _bars(names: Sequence[str], series: Mapping[str, Sequence[float]], title: str, width: int) -> Text:
    import plotext

    plotext.clear_figure()
    plotext.simple_multiple_bar(list(names), [list(one) for one in series.values()], width, None, list(series), title)
    drawn = Text.from_ansi(plotext.build())
    plotext.clear_figure()
    return drawn


def draw(figure: Figure, width: int) -> Text:
    """A figure as text.

    Args:
        figure: The figure.
        width: Columns.
    """
    if isinstance(figure, Bars):
        names = [name if index < figure.ours else f"{PUBLISHED}{name}" for index, name in enumerate(figure.names)]
        return _bars(names, figure.series, figure.title, width)
    ranges, counts = binned(figure)
    return _bars(ranges, counts, figure.title, width)


def plot(figure: Figure) -> Any:
    """A figure for a page: a plotly figure."""
    from plotly import graph_objects

    if isinstance(figure, Bars):
        groups = ["this platform"] * figure.ours + ["published"] * (len(figure.names) - figure.ours)
        data = [
            graph_objects.Bar(
                name=name, x=[groups, list(figure.names)], y=list(values), texttemplate="%{y:.0f}", textangle=0
            )
            for name, values in figure.series.items()
        ]
        layout = {"barmode": "group", "yaxis_title": figure.unit}
    else:
        data = [
            graph_objects.Bar(name=name, x=[value for value, _ in pairs], y=[count for _, count in pairs], opacity=0.7)
            for name, pairs in figure.series.items()
        ]
        layout = {"barmode": "overlay", "bargap": 0, "xaxis_title": figure.unit, "yaxis_title": "samples"}
    return graph_objects.Figure(
        data, {"title": figure.title, "template": "plotly_white", "height": HEIGHT, "showlegend": True, **layout}
    )
