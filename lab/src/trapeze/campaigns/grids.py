# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""What a campaign's table says by pairs of parameters: for each two values the worst latency of the runs with both.

A table may have a million rows, so that they are counted by columns.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from trapeze.campaigns.plan import Plan

CONFIG = "configuration"
"""Name of the parameter that is the configuration's name in the file, without what is set of it."""

WITHIN = ("seed", "phase")
"""Parameters that say in which moment a run is measured, not what is measured: their pairs come last."""

MOST_VALUES = 16
"""Values of a parameter that get a row or column each; of more numbers, neighbours share one."""

MOST_GRIDS = 6
"""Pairs that are drawn."""

NONE = -1
"""In the place of a latency, where there is none."""


@dataclass(frozen=True)
class Parameter:
    """A list of the campaign's file with more than one value.

    Attributes:
        name: As the file has it.
        labels: Of its values, or of groups of them, in order.
        places: Of each row of the table the place in `labels`.
    """

    name: str
    labels: tuple[str, ...]
    places: np.ndarray[Any, np.dtype[np.int64]]


@dataclass(frozen=True)
class Cell:
    """Runs with the same two values.

    Attributes:
        runs: How many there are.
        failed: Those of them that failed.
        worst: The longest latency; None: no run has one.
    """

    runs: int
    failed: int
    worst: int | None


@dataclass(frozen=True)
class Grid:
    """The runs by two parameters.

    Attributes:
        down: The parameter of the rows.
        across: The parameter of the columns.
        cells: Rows of cells, in the order of the labels.
    """

    down: Parameter
    across: Parameter
    cells: tuple[tuple[Cell, ...], ...]

    @property
    def known(self) -> list[int]:
        """The latencies of the cells that have one."""
        return [cell.worst for cells in self.cells for cell in cells if cell.worst is not None]

    @property
    def spread(self) -> int:
        """From the smallest to the largest of its cells."""
        return max(self.known, default=0) - min(self.known, default=0)

    @property
    def within(self) -> bool:
        """Whether a parameter of it is one of `WITHIN`."""
        return self.down.name in WITHIN or self.across.name in WITHIN


def text(value: object) -> str:
    """A value of a parameter, for people."""
    if isinstance(value, tuple):
        return " ".join(map(str, value))
    if isinstance(value, bool):
        return str(value).lower()
    return "none" if value in ("", None) else str(value)


def waits_text(instr: int, data: int) -> str:
    """Wait states of fetches and of data accesses."""
    return f"instr {instr}, data {data}" if instr or data else "none"


def _grouped(values: Sequence[object]) -> tuple[tuple[str, ...], Mapping[object, int]]:
    """The labels of some values, and of each the place; many whole numbers share some."""
    distinct = list(dict.fromkeys(values))
    numbers = sorted(one for one in distinct if isinstance(one, int))
    if len(numbers) < len(distinct):
        return tuple(map(text, distinct)), {one: place for place, one in enumerate(distinct)}
    count = min(MOST_VALUES, len(numbers))
    groups = [numbers[place * len(numbers) // count : (place + 1) * len(numbers) // count] for place in range(count)]
    labels = tuple(text(one[0]) if len(one) == 1 else f"{one[0]}-{one[-1]}" for one in groups)
    return labels, {value: place for place, one in enumerate(groups) for value in one}


def _encoded(column: pa.ChunkedArray) -> tuple[list[Any], np.ndarray[Any, Any]]:
    """The distinct values of a column, and of each row the place among them."""
    whole = column.combine_chunks().dictionary_encode("encode")
    whole = whole.combine_chunks() if isinstance(whole, pa.ChunkedArray) else whole
    return whole.dictionary.to_pylist(), whole.indices.to_numpy(zero_copy_only=False)


def parameters(plan: Plan, table: pa.Table) -> list[Parameter]:
    """The parameters of which the runs of a table have more than one value."""
    found: list[Parameter] = []

    def add(name: str, values: Sequence[object], places: np.ndarray[Any, Any]) -> None:
        labels, order = _grouped(values)
        if len(labels) > 1:
            found.append(Parameter(name, labels, np.array([order[one] for one in values], np.int64)[places]))

    configs, of_row = _encoded(table["config"])
    ordered = [one for one in plan.chosen if one in set(configs)]
    again = np.array([ordered.index(one) for one in configs], np.int64)[of_row]
    add(CONFIG, [plan.chosen[one].entry for one in ordered], again)
    for key in plan.set_keys:
        add(key, [plan.chosen[one].value(key) for one in ordered], again)
    add("flags", *_encoded(table["flags"]))
    both = [_encoded(table[name]) for name in ("wait_instr", "wait_data")]
    (instr, of_instr), (data, of_data) = both
    pairs, of_pair = np.unique(of_instr * len(data) + of_data, return_inverse=True)
    add("waits", [waits_text(instr[one // len(data)], data[one % len(data)]) for one in pairs], of_pair)
    for name in WITHIN:
        add(name, *_encoded(table[name]))
    return found


@dataclass(frozen=True)
class Grids:
    """The pairs of parameters.

    Attributes:
        shown: The first ones: those with the greatest spread first, but pairs with a parameter of `WITHIN` last.
        count: Of all pairs.
    """

    shown: Sequence[Grid]
    count: int

    @property
    def limits(self) -> tuple[int, int]:
        """The smallest and the largest latency of a cell."""
        every = [value for grid in self.shown for value in grid.known] or [0]
        return min(every), max(every)


def _grid(down: Parameter, across: Parameter, worst: np.ndarray[Any, Any], failed: np.ndarray[Any, Any]) -> Grid:
    shape = len(down.labels), len(across.labels)
    flat = down.places * shape[1] + across.places
    size = shape[0] * shape[1]
    longest = np.full(size, NONE, np.int64)
    np.maximum.at(longest, flat, worst)
    runs, lost = np.bincount(flat, minlength=size), np.bincount(flat, weights=failed, minlength=size)
    every = [
        Cell(int(count), int(bad), None if most == NONE else int(most))
        for count, bad, most in zip(runs, lost, longest, strict=True)
    ]
    return Grid(down, across, tuple(tuple(every[row * shape[1] : (row + 1) * shape[1]]) for row in range(shape[0])))


def grids(plan: Plan, table: pa.Table) -> Grids:
    """The pairs of parameters with more than one value, and the runs by them."""
    worst = table["worst"].fill_null(NONE).to_numpy()
    failed = (table["code"].to_numpy() != 0).astype(np.int64)
    made = []
    for down, across in itertools.combinations(parameters(plan, table), 2):
        # The longer list goes across: a page is wide.
        one, other = (across, down) if len(down.labels) > len(across.labels) else (down, across)
        made.append(_grid(one, other, worst, failed))
    made.sort(key=lambda grid: (grid.within, -grid.spread))
    return Grids(made[:MOST_GRIDS], len(made))
