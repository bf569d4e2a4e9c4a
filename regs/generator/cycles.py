# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""What instructions cost: reads `isa/cycles.yaml`, and writes its tables into the manual of the core."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from generator.isa import IsaError, load_file


@dataclass(frozen=True)
class Cost:
    """A row: what an instruction costs, and a sequence that shows it.

    Attributes:
        what: The instructions, in Markdown.
        cycles: What one costs.
        more: Whether that comes on top of what the instruction costs by itself.
        measured: A sequence of instructions.
        total: Its cycles.
    """

    what: str
    cycles: int
    more: bool
    measured: str
    total: int


def load(folder: Path) -> dict[str, tuple[Cost, ...]]:
    """The rows of each table, by its name.

    Raises:
        IsaError: the file cannot be read or breaks its schema.
    """
    return {
        name: tuple(
            Cost(row["what"], row.get("cycles", row.get("more")), "more" in row, row["measured"], row["total"])
            for row in raw["rows"]
        )
        for name, raw in load_file(folder, "cycles")["tables"].items()
    }


def _lines(name: str, costs: tuple[Cost, ...]) -> str:
    # With blank lines, or a reader of Markdown would take the table for a part of the comment.
    lines = [f"<!-- cycles: {name}, from regs/isa/cycles.yaml -->", ""]
    lines += ["| instruction | cycles | measured | total |", "|---|---|---|---|"]
    for one in costs:
        lines.append(f"| {one.what} | {one.cycles}{' more' * one.more} | `{one.measured}` | {one.total} |")
    return "\n".join([*lines, "", "<!-- end -->"])


def insert(page: str, tables: dict[str, tuple[Cost, ...]]) -> str:
    """The manual with its tables; each stands between a comment that names it and the comment `end`.

    Raises:
        IsaError: the manual has no place for a table, or one for a table that is not there.
    """

    def table(place: re.Match[str]) -> str:
        found.append(place[1])
        if place[1] not in tables:
            raise IsaError(f"docs/core.md: cycles: {place[1]}: isa/cycles.yaml has no such table")
        return _lines(place[1], tables[place[1]])

    found: list[str] = []
    text = re.sub(r"<!-- cycles: (\w+), .*? -->\n.*?<!-- end -->", table, page, flags=re.DOTALL)
    if missing := tables.keys() - set(found):
        raise IsaError(f"docs/core.md: has no place for the table {min(missing)} of isa/cycles.yaml")
    return text
