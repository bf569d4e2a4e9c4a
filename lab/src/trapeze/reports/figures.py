# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Figures that experiments contribute, and how a terminal draws them (plotext); for pages: `pages.plots`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import cycle
from string import ascii_letters

from rich.style import Style
from rich.text import Text

from trapeze.reports.tables import number

PUBLISHED = "published: "
"""Before the name of a figure that is not ours, where there is no other way to tell."""

MARKERS = "█▒░"
"""Markers of the samples of a distribution in a terminal."""

LINES = 16
"""Lines of a distribution in a terminal."""

BEHIND = 2
"""Columns between a bar and its value."""

_VALUE = re.compile(r"\d+\.\d\d(?=(\x1b\[[\d;]*m)*$)", re.MULTILINE)
"""As plotext writes it at the end of a bar's line, colours or not."""

WHITE = 7
"""Number of the colour in a terminal."""


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
        published: The same of curves that are not ours.
    """

    title: str
    parameter: str
    unit: str
    series: Mapping[str, tuple[tuple[float, float], ...]]
    published: Mapping[str, tuple[tuple[float, float], ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        every = (*self.series.values(), *self.published.values())
        values = [value for points in every for point in points for value in point]
        if not self.series or not all(self.series.values()) or min(values) <= 0:
            raise ValueError(f"{self.title}: every curve needs a point, and there must be one; all values above zero")


@dataclass(frozen=True)
class Rows:
    """Horizontal bars: for each name one of all series behind each other (`stacked`), or one of each series.

    Attributes:
        title: What is shown, with its unit.
        unit: Of all values.
        names: Of the bars or groups.
        series: For each name where the bar begins and ends, None for no bar; one that does not begin at 0 is a range
            of whole numbers, and parts of a stack do.
        stacked: Whether the series are parts of one bar.
        published: For each name the figure that it is held against, None without; empty: none at all.
        source: Where those were published.
    """

    title: str
    unit: str
    names: tuple[str, ...]
    series: Mapping[str, tuple[tuple[float, float] | None, ...]]
    stacked: bool = False
    published: tuple[float | None, ...] = ()
    source: str = ""

    def __post_init__(self) -> None:
        every = (*self.series.values(), *([self.published] if self.published else []))
        if any(len(values) != len(self.names) for values in every) or not self.names or not self.series:
            raise ValueError(f"{self.title}: every series needs a value for each name, and there must be one")
        begins = [part[0] for values in self.series.values() for part in values if part is not None]
        if self.stacked and any(begins):
            raise ValueError(f"{self.title}: parts of a stack begin at 0")


@dataclass(frozen=True)
class Scatter:
    """Named points on a plane.

    Attributes:
        title: What is shown.
        across: What goes to the right, with its unit.
        up: What goes up, with its unit.
        series: Of each group the names and places of its points.
    """

    title: str
    across: str
    up: str
    series: Mapping[str, tuple[tuple[str, float, float], ...]]

    def __post_init__(self) -> None:
        if not self.series or not all(self.series.values()):
            raise ValueError(f"{self.title}: every group needs a point, and there must be one")


Figure = Bars | Distribution | Curve | Rows | Scatter


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


def _letters(names: Iterable[str]) -> list[str]:
    """A letter for each, of its own name where that is free."""
    letters: list[str] = []
    for name in names:
        wanted = f"{name.upper()}{name}{ascii_letters}"
        letters.append(next(one for one in wanted if one.isalpha() and one not in letters))
    return letters


def _curve(figure: Curve, width: int) -> None:
    """A marker for each point; a letter of its own for each curve."""
    import plotext

    plotext.theme("clear")
    plotext.plot_size(width, LINES)
    curves = {**figure.series, **{f"{PUBLISHED}{name}": points for name, points in figure.published.items()}}
    for (name, points), letter in zip(curves.items(), _letters(curves), strict=True):
        parameters, values = (list(one) for one in zip(*points, strict=True))
        plotext.plot(parameters, values, marker="dot")
        plotext.scatter(parameters, values, label=name, marker=letter)
    places = sorted({parameter for points in figure.series.values() for parameter, _ in points})
    plotext.xscale("log")
    plotext.yscale("log")
    plotext.xticks(places, [f"{place:g}" for place in places])
    plotext.title(f"{figure.title}, {figure.unit} (both axes logarithmic)")
    plotext.xlabel(figure.parameter)


def _rows(figure: Rows, width: int) -> None:
    """A line for each bar, or for each part of a stack one stretch of it; a range is drawn to its end."""
    import plotext

    series = {name: [0.0 if part is None else part[1] for part in values] for name, values in figure.series.items()}
    if figure.stacked:
        plotext.simple_stacked_bar(
            figure.names, list(series.values()), width=width - BEHIND, labels=list(series), title=figure.title
        )
        return
    if figure.published:
        series["published"] = [value or 0.0 for value in figure.published]
    plotext.simple_multiple_bar(
        figure.names, list(series.values()), width=width - BEHIND, labels=list(series), title=figure.title
    )


def _scatter(figure: Scatter, width: int) -> None:
    """A letter for each point, with its name below."""
    import plotext

    plotext.theme("clear")
    plotext.plot_size(width, LINES)
    points = [point for group in figure.series.values() for point in group]
    for (name, across, up), letter in zip(points, _letters(name for name, _, _ in points), strict=True):
        plotext.scatter([across], [up], label=name, marker=letter)
    places = [across for _, across, _ in points]
    ticks = _ticks(min(places), max(places), 4)
    plotext.xticks(ticks, [f"{tick:,}" for tick in ticks])
    plotext.title(figure.title)
    plotext.xlabel(figure.across)
    plotext.ylabel(figure.up)


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
    elif isinstance(figure, Rows):
        _rows(figure, width)
    elif isinstance(figure, Scatter):
        _scatter(figure, width)
    else:
        _distribution(figure, width)
    built = plotext.build()
    if isinstance(figure, Bars | Rows):
        built = _VALUE.sub(lambda found: number(float(found[0])), built)
    drawn = Text.from_ansi(built)
    plotext.clear_figure()
    drawn.spans = [span for span in drawn.spans if not _is_white(span.style)]
    return drawn
