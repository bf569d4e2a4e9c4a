# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""What a sweep measured, drawn over the cycle of the edge: in characters for a terminal, and as a figure for a page.

Of a pair of sweeps the page has a square for each pair of cycles. The terminal has the cycles of the line's own edge,
and in each column what the line took from the smallest to the largest, over all cycles of the other line.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from trapeze.reports.tables import number
from trapeze.results.rows import PHASES, Row

FEWEST = 16
"""Phases that are worth a drawing."""

LINES = 8
"""Lines of a drawing in characters."""


Values = Sequence[float | None]
"""What runs took; None: one has no figure."""


def _own(field: Mapping[str, Any]) -> list[Values]:
    """For each cycle of the line's own edge what its runs took: one run, of a pair of sweeps several."""
    return [one if isinstance(one, list) else [one] for one in field["values"]]


def _columns(values: Sequence[Values], width: int) -> list[tuple[float, float] | None]:
    """At most `width` columns: of the runs that share one the smallest and the largest value; no peak is lost."""
    count = min(width, len(values))
    made: list[tuple[float, float] | None] = []
    for column in range(count):
        part = values[column * len(values) // count : (column + 1) * len(values) // count]
        known = [value for some in part for value in some if value is not None]
        made.append((min(known), max(known)) if known else None)
    return made


def _cell(heights: list[int] | None, line: int) -> str:
    """What stands in a line of a column."""
    if heights is None or line > heights[1]:
        return " "
    return "*" if line >= heights[0] else "."


def chart(row: Row, width: int) -> list[str]:
    """A drawing of a row over its phases.

    `*` where it is, of several phases from the smallest to the largest, `.` below, nothing where a run has no figure.

    A row that does not vary has no drawing.

    Args:
        row: With `phases`, else there is none.
        width: Columns of the terminal.
    """
    field = row.more.get(PHASES)
    if field is None or len(field["values"]) < FEWEST or row.statistics.min == row.statistics.max:
        return []
    low, high = row.statistics.min, row.statistics.max
    values = _own(field)
    margin = max(len(number(high)), len(number(low))) + 3
    made = _columns(values, max(1, width - margin - 1))
    lines = max(2, min(LINES, int(high - low) + 1))
    step = (high - low) / (lines - 1)
    drawn = []
    for line in reversed(range(lines)):
        level = low + line * step
        label = number(round(level)) if line in (0, lines - 1) else ""
        cells = (_cell(None if one is None else [round((value - low) / step) for value in one], line) for one in made)
        drawn.append(f"{label:>{margin - 2}} |{''.join(cells)}".rstrip())
    first, last = field["from"], field["from"] + len(values) - 1
    ends = f"{first}{last:>{max(len(made) - len(str(first)), len(str(last)) + 1)}}"
    shared = -(-len(values) // len(made))
    note = f" (smallest to largest of {shared} in each column)" if shared > 1 else ""
    edge = "the edge"
    if other := field.get("other"):
        edge = f"the edge of {_line(row.labels)}"
        note = f" (smallest to largest over all cycles of {_line(other)})"
    return [f"{row.metric} over the cycle of {edge}, {row.unit}{note}:", *drawn, f"{'':{margin}}{ends}"]


def _line(labels: Mapping[str, Any]) -> str:
    """A line by its number, with its hart if that is another one than 0."""
    hart = int(labels.get("hart", 0))
    return f"line {labels['line']}" + (f" of hart {hart}" if hart else "")


def _heat(row: Row, field: Mapping[str, Any]) -> dict[str, Any]:
    """A pair of sweeps: a square for each run, the darker the longer."""
    other = field["other"]
    own, across = _line(row.labels), _line(other)
    columns = field["values"]
    return {
        "data": [
            {
                "type": "heatmap",
                "name": row.id,
                "x0": field["from"],
                "dx": 1,
                "y0": other["from"],
                "dy": 1,
                "z": [list(cells) for cells in zip(*columns, strict=True)],
                "colorscale": "Blues",
                "reversescale": True,
                "colorbar": {"title": {"text": row.unit}},
                "hovertemplate": f"{own} in cycle %{{x}}, {across} in cycle %{{y}}: %{{z}} {row.unit}<extra></extra>",
            }
        ],
        "layout": {
            "title": {"text": f"{row.metric} of {row.id} over the cycles of both edges"},
            "xaxis": {"title": {"text": f"cycle of the edge of {own}"}, "tickformat": "d"},
            "yaxis": {"title": {"text": f"cycle of the edge of {across}"}, "tickformat": "d"},
        },
    }


def plot(row: Row) -> dict[str, Any] | None:
    """The same as a figure for plotly, with `data` and `layout`; None if the row has no phases."""
    field = row.more.get(PHASES)
    if field is None:
        return None
    if "other" in field:
        return _heat(row, field)
    values = field["values"]
    return {
        "data": [
            {
                "type": "scattergl" if len(values) > 2000 else "scatter",
                "mode": "lines",
                "line": {"shape": "hv"},
                "name": row.id,
                "x": [field["from"] + place for place in range(len(values))],
                "y": values,
                "hovertemplate": f"edge in cycle %{{x}}: %{{y}} {row.unit}",
            }
        ],
        "layout": {
            "title": {"text": f"{row.metric} of {row.id} over the cycle of the edge"},
            "xaxis": {"title": {"text": "cycle of the edge"}},
            "yaxis": {"title": {"text": row.unit}, "rangemode": "tozero"},
        },
    }
