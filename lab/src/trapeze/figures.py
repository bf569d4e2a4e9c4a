# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Figures that experiments contribute, and how they are drawn: in a terminal (plotext) and on a page (plotly)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import cycle
from string import ascii_letters
from typing import Any

from rich.style import Style
from rich.text import Text

PUBLISHED = "published: "
"""Before the name of a figure that is not ours, where there is no other way to tell."""

MARKERS = "█▒░"
"""Of the samples of a distribution in a terminal."""

LINES = 16
"""Of a distribution in a terminal."""

WHITE = 7
"""Number of the colour in a terminal."""

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


@dataclass(frozen=True)
class Curve:
    """Values over a parameter, both axes logarithmic.

    Attributes:
        title: What is shown, with its unit.
        parameter: On the horizontal axis.
        unit: Of the values.
        series: Of each curve the parameter and the value, ascending; none zero.
    """

    title: str
    parameter: str
    unit: str
    series: Mapping[str, tuple[tuple[float, float], ...]]

    def __post_init__(self) -> None:
        values = [value for points in self.series.values() for point in points for value in point]
        if not self.series or not all(self.series.values()) or min(values) <= 0:
            raise ValueError(f"{self.title}: every curve needs a point, and there must be one; all values above zero")


Figure = Bars | Distribution | Curve


def _bars(figure: Bars, width: int) -> None:
    """A line for each bar, with its value behind it."""
    import plotext

    names = [name if index < figure.ours else f"{PUBLISHED}{name}" for index, name in enumerate(figure.names)]
    values = [list(one) for one in figure.series.values()]
    plotext.simple_multiple_bar(names, values, width=width, labels=list(figure.series), title=figure.title)


def _ticks(low: float, high: float, parts: int) -> list[int]:
    """Whole numbers from `low` to `high`, about evenly apart."""
    return sorted({round(low + (high - low) * step / parts) for step in range(parts + 1)})


def _distribution(figure: Distribution, width: int) -> None:
    """A column for each value; the samples differ in their marker, too, since there may be no colours."""
    import plotext

    values = [value for pairs in figure.series.values() for value, _ in pairs]
    low, high = min(values) - 1, max(values) + 1
    plotext.theme("clear")
    plotext.plot_size(width, LINES)
    for (name, pairs), marker in zip(figure.series.items(), cycle(MARKERS), strict=False):
        found, counts = zip(*pairs, strict=True)
        plotext.bar(found, counts, label=name, marker=marker, width=1, minimum=0)
    plotext.xlim(low, high)
    plotext.xticks(_ticks(low, high, 8))
    plotext.yticks(_ticks(0, max(count for pairs in figure.series.values() for _, count in pairs), 4))
    plotext.title(figure.title)
    plotext.xlabel(figure.unit)
    plotext.ylabel("samples")


def _curve(figure: Curve, width: int) -> None:
    """A marker for each point; a letter of its own for each curve."""
    import plotext

    plotext.theme("clear")
    plotext.plot_size(width, LINES)
    letters: list[str] = []
    for name, points in figure.series.items():
        letters.append(next(one for one in f"{name.upper()}{name}{ascii_letters}" if one not in letters))
        parameters, values = (list(one) for one in zip(*points, strict=True))
        plotext.plot(parameters, values, marker="dot")
        plotext.scatter(parameters, values, label=name, marker=letters[-1])
    places = sorted({parameter for points in figure.series.values() for parameter, _ in points})
    plotext.xscale("log")
    plotext.yscale("log")
    plotext.xticks(places, [f"{place:g}" for place in places])
    plotext.title(f"{figure.title}, {figure.unit} (both axes logarithmic)")
    plotext.xlabel(figure.parameter)


def _is_white(style: str | Style) -> bool:
    """Whether text has the colour that plotext writes names and values in, which a light terminal does not show."""
    return isinstance(style, Style) and style.color is not None and style.color.number == WHITE


def draw(figure: Figure, width: int) -> Text:
    """A figure as text.

    Args:
        figure: The figure.
        width: Columns.
    """
    import plotext

    plotext.clear_figure()
    if isinstance(figure, Bars):
        _bars(figure, width)
    elif isinstance(figure, Curve):
        _curve(figure, width)
    else:
        _distribution(figure, width)
    drawn = Text.from_ansi(plotext.build())
    plotext.clear_figure()
    drawn.spans = [span for span in drawn.spans if not _is_white(span.style)]
    return drawn


def plot(figure: Figure) -> dict[str, Any]:
    """A figure for a page, for plotly; its colours are the page's."""
    if isinstance(figure, Bars):
        groups = ["this platform"] * figure.ours + ["published"] * (len(figure.names) - figure.ours)
        data = [
            {
                "type": "bar",
                "name": name,
                "x": [groups, list(figure.names)],
                "y": list(values),
                "texttemplate": "%{y:.0f}",
                "textangle": 0,
            }
            for name, values in figure.series.items()
        ]
        layout: dict[str, Any] = {"barmode": "group", "yaxis": {"title": {"text": figure.unit}}}
    elif isinstance(figure, Curve):
        data = [
            {
                "type": "scatter",
                "mode": "lines+markers",
                "name": name,
                "x": [parameter for parameter, _ in points],
                "y": [value for _, value in points],
            }
            for name, points in figure.series.items()
        ]
        titles = {"xaxis": figure.parameter, "yaxis": figure.unit}
        layout = {axis: {"type": "log", "title": {"text": title}} for axis, title in titles.items()}
    else:
        data = [
            {
                "type": "bar",
                "name": name,
                "x": [value for value, _ in pairs],
                "y": [count for _, count in pairs],
                "opacity": 0.7,
            }
            for name, pairs in figure.series.items()
        ]
        axes = {"xaxis": {"title": {"text": figure.unit}}, "yaxis": {"title": {"text": "samples"}}}
        layout = {"barmode": "overlay", "bargap": 0, **axes}
    return {
        "data": data,
        "layout": {"title": {"text": figure.title}, "height": HEIGHT, "showlegend": True, **layout},
    }
