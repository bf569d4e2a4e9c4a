# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""What people read: results go to standard output, progress and complaints to standard error."""

from __future__ import annotations

import os
import shutil
import textwrap
from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.measure import Measurement
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

NARROWEST = 100
"""Columns to use where the output is no terminal, and no table needs more."""


def out() -> Console:
    """The console for results."""
    width = None if os.isatty(1) else NARROWEST
    return Console(width=width, highlight=False, soft_wrap=False, markup=False, emoji=False)


def err() -> Console:
    """The console for progress."""
    width = None if os.isatty(2) else max(shutil.get_terminal_size().columns, NARROWEST)
    return Console(stderr=True, width=width, highlight=False, markup=False, emoji=False)


def say(lines: Sequence[str]) -> None:
    """Write lines on standard error: on a terminal broken between words and indented, elsewhere each as it is."""
    console = err()
    broken = [part for line in lines for part in (_broken(line, console.width) if os.isatty(2) else [line])]
    console.print("\n".join(broken), markup=False, soft_wrap=True)


def _broken(line: str, width: int) -> list[str]:
    """A line in parts that fit; a word that does not, such as a path, stays whole."""
    if len(line) < width:
        return [line]
    indent = " " * (len(line) - len(line.lstrip()) + 2)
    return textwrap.wrap(line, width - 1, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


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


def _columns(made: Table, chosen: Sequence[int]) -> Table:
    """A table of some columns of another one."""
    part = Table(box=None, pad_edge=False, header_style="bold")
    part.padding = made.padding
    cells = [list(made.columns[index].cells) for index in chosen]
    for index in chosen:
        column = made.columns[index]
        part.add_column(column.header, justify=column.justify, no_wrap=column.no_wrap)
    for row in zip(*cells, strict=True):
        part.add_row(*row)
    return part


def fitted(console: Console, made: Table, spare: Sequence[str] = ()) -> Iterator[Table]:
    """A table in a form in which no figure is cut off: as it is, without some columns, or in parts below each other.

    Args:
        console: Where it is to be shown.
        made: The table; its first column names the rows.
        spare: Columns that may go, the first one first.
    """
    wide = console.options.update(max_width=10 * NARROWEST)

    def fits(columns: Sequence[int]) -> bool:
        return Measurement.get(console, wide, _columns(made, columns)).maximum <= console.width

    columns = list(range(len(made.columns)))
    names = [str(column.header) for column in made.columns]
    for name in spare:
        if not fits(columns) and name in names:
            columns.remove(names.index(name))
    while columns[1:]:
        count = len(columns)
        while count > 2 and not fits(columns[:count]):
            count -= 1
        yield _columns(made, columns[:count])
        columns = columns[:1] + columns[count:]
