# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Pages: one HTML file each that needs nothing else, neither network nor other files.

`run.html.j2` shows a result, `compare.html.j2` what changed between two. Both are read on phones and wide screens, in
light and dark; `page.js` gives the charts the colours of the page.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from markupsafe import Markup
from rich.console import Console

from trapeze.common.errors import TrapezeError
from trapeze.common.output import write_atomic
from trapeze.reports.tables import number

HERE = Path(__file__).resolve().parent

COLUMNS = 110
"""Width of text that is shown as in a terminal."""

ROW_PIXELS = 26
"""Height of a bar."""

FRAME_PIXELS = 130
"""Height of a chart around its bars."""

WORST = "diamond: worst case"
"""What a title says of `worst_mark`."""

MARK_PIXELS = 18
"""Height of a mark on a bar."""

Chart = Mapping[str, Any]
"""What plotly draws: `data`, `layout`."""


def text(show: Callable[[Console], None]) -> Markup:
    """What `show` prints, as HTML."""
    console = Console(
        file=io.StringIO(), width=COLUMNS, record=True, highlight=False, force_terminal=False, markup=False, emoji=False
    )
    show(console)
    return Markup(console.export_html(code_format="{code}", inline_styles=True))  # noqa: S704 (escaped by rich)


def bars(
    title: str, names: Sequence[str], data: Sequence[Mapping[str, Any]], lines: int | None = None, **more: Any
) -> Chart:
    """Horizontal bars, the first name on top.

    Args:
        title: What is shown, with its unit.
        names: Of the bars, or groups of them.
        data: The series: `x` and `name` at least.
        lines: Bars above each other, if there are more than names.
        more: Of the layout.
    """
    axis = {"autorange": "reversed", "automargin": True, "ticksuffix": "  ", "type": "category", "dtick": 1}
    return {
        "data": [{"type": "bar", "orientation": "h", "y": list(names), **series} for series in data],
        "layout": {
            "title": {"text": title},
            "height": FRAME_PIXELS + ROW_PIXELS * (lines or len(names)),
            "showlegend": True,
            "xaxis": {"rangemode": "tozero"},
            "yaxis": axis,
            **more,
        },
    }


def marks(values: Sequence[float | None], sources: Sequence[str | None], lines: int = 1) -> dict[str, Any]:
    """Published figures as marks on horizontal bars, a series for `bars`; `lines`: bars that each mark goes across."""
    return {
        "type": "scatter",
        "mode": "markers",
        "name": "published",
        "x": list(values),
        "marker": {"symbol": "line-ns", "size": MARK_PIXELS * lines, "line": {"width": 3}},
        "customdata": list(sources),
        "hovertemplate": "%{x:,} (%{customdata})<extra>published</extra>",
        "meta": "published",
    }


def worst_mark(name: str, value: float, height: float, n: int, common: Mapping[str, Any]) -> dict[str, Any]:
    """A diamond at the worst case of a distribution of so many samples, with what it has in `common` with that."""
    return {
        "type": "scatter",
        "mode": "markers",
        "name": f"{name}: worst case",
        "x": [value],
        "y": [height],
        "marker": {"symbol": "diamond", "size": 10},
        "hovertemplate": f"worst of {n:,}: %{{x:,}}<extra>{name}</extra>",
        "showlegend": False,
        **common,
    }


def script_json(value: object) -> str:
    """JSON that may stand inside of a script element."""
    return json.dumps(value).replace("<", "\\u003c")


def provenance(result: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What produced a result, as names and values."""
    tools = ", ".join(f"{name} {version}" for name, version in result["tools"].items())
    host = ", ".join(f"{name} {value}" for name, value in result["host"].items())
    configs = ", ".join(dict.fromkeys(row["config"] for row in result["rows"]))
    return [
        ("measured", result["created"]),
        ("commit", result["commit"] or "unknown"),
        ("command", result.get("command") or "unknown"),
        ("configurations", configs),
        ("tools", tools),
        ("host", host),
    ]


def write(path: Path, template: str, **values: object) -> Path:
    """Write a page, whole or not at all.

    Args:
        path: Where to.
        template: Name of a file beside this one.
        values: For the template.

    Returns:
        The page.

    Raises:
        TrapezeError: it cannot be written.
    """
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from plotly.offline import get_plotlyjs

    environment = Environment(
        loader=FileSystemLoader(HERE), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters |= {"number": number}
    environment.filters["script"] = lambda value: Markup(script_json(value))  # noqa: S704 (what it is for)
    parts = {
        # These are ours, or made so by the functions above.
        name: Markup((HERE / file).read_text())  # noqa: S704
        for name, file in {"style": "page.css", "behaviour": "page.js"}.items()
    }
    page = environment.get_template(template).render(plotly=lambda: Markup(get_plotlyjs()), **parts, **values)  # noqa: S704
    write_atomic(path, page + "\n")
    return path


def require_page(path: Path) -> None:
    """Refuse a name that no browser opens as a page.

    Raises:
        TrapezeError: it does not end with .html.
    """
    if path.suffix != ".html":
        raise TrapezeError(f"{path}: a page's name must end with .html")
