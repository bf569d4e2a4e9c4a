# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""A page for each experiment: its tables and figures in one HTML file that needs nothing else."""

from __future__ import annotations

import html
import io
from collections.abc import Callable, Sequence
from pathlib import Path

from rich.console import Console

from trapeze import figures
from trapeze.experiments import Experiment
from trapeze.figures import Figure
from trapeze.output import write_atomic

COLUMNS = 110
"""Width of the tables."""

_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
body {{ font-family: sans-serif; margin: 2em auto; max-width: 72em; padding: 0 1em; color: #222; }}
pre {{ font-size: 0.8em; line-height: 1.35; overflow-x: auto; }}
</style>
</head>
<body>
<h1>{title}</h1>
{figures}
<pre>{text}</pre>
</body>
</html>
"""


def text(show: Callable[[Console], None]) -> str:
    """What `show` prints, as HTML."""
    console = Console(file=io.StringIO(), width=COLUMNS, record=True, highlight=False, force_terminal=False)
    show(console)
    return console.export_html(code_format="{code}", inline_styles=True)


def write(folder: Path, experiment: Experiment, body: str, drawn: Sequence[Figure]) -> Path:
    """Write the page of an experiment, whole or not at all.

    Args:
        folder: Where to; the page is named after the experiment.
        experiment: The experiment.
        body: Its tables, HTML of `text`.
        drawn: Its figures.

    Returns:
        The page.

    Raises:
        TrapezeError: it cannot be written.
    """
    divisions = [
        figures.plot(figure).to_html(full_html=False, include_plotlyjs=index == 0, div_id=f"figure-{index + 1}")
        for index, figure in enumerate(drawn)
    ]
    path = folder / f"{experiment.name}.html"
    title = html.escape(f"Trapeze: {experiment.name}")
    write_atomic(path, _PAGE.format(title=title, figures="\n".join(divisions), text=body))
    return path
