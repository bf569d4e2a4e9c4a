# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""What people read: results go to standard output, progress and complaints to standard error."""

from __future__ import annotations

import os
import shutil

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

NARROWEST = 100
"""Columns to use where the output is no terminal, and no table needs more."""


def out() -> Console:
    """The console for results."""
    width = None if os.isatty(1) else NARROWEST
    return Console(width=width, highlight=False, soft_wrap=False)


def err() -> Console:
    """The console for progress."""
    width = None if os.isatty(2) else max(shutil.get_terminal_size().columns, NARROWEST)
    return Console(stderr=True, width=width, highlight=False)


def progress() -> Progress:
    """A progress display on standard error; on anything but a terminal only what is printed through it shows."""
    console = err()
    return Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )


def table(*columns: str) -> Table:
    """A plain table; a column name that starts with `>` is aligned to the right."""
    made = Table(box=None, pad_edge=False, header_style="bold")
    made.padding = (0, 2, 0, 0)
    for index, column in enumerate(columns):
        right = column.startswith(">")
        made.add_column(Text(column.lstrip(">")), justify="right" if right else "left", no_wrap=right or index == 0)
    return made
