# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The cycle tables of docs/core.md against the RTL: every row's sequence is run between two markers and counted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from trapeze.common import paths
from verify.dev import sequences

SECTIONS = {"Cycle table": "mcu-clint", "Atomic operations": "mcu-clint-a", "fastirq": "mcu-fastirq"}
"""Section of the manual, and the configuration its table is measured on."""

ROW = re.compile(r"^\| (?P<name>[^|]+) \| [^|]+ \| `(?P<code>[^`]+)` \| (?P<total>\d+) \|$")


@dataclass(frozen=True)
class Row:
    """A row of the table: a sequence of instructions and the cycles it takes."""

    section: str
    name: str
    code: str
    total: int


def lines(section: str) -> list[str]:
    """The lines of a section of the manual."""
    text = (paths.ROOT / "docs" / "core.md").read_text()
    return text.split(f"\n## {section}\n")[1].split("\n## ")[0].splitlines()


def table(section: str) -> list[Row]:
    """The measured rows of a section."""
    found = [ROW.match(line) for line in lines(section)]
    return [Row(section, m["name"], m["code"], int(m["total"])) for m in found if m]


ROWS = [row for section in SECTIONS for row in table(section)]


def test_tables_are_found() -> None:
    """All rows of the first table, whose code could be mistyped, and the one of the second."""
    written = [line for line in lines("Cycle table") if line.startswith("| ") and "`" in line]
    assert len(table("Cycle table")) == len(written) >= 19
    assert len(table("fastirq")) >= 1
    assert len(table("Atomic operations")) >= 5


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> dict[str, int]:
    """Cycles of each row, by name, from one run on the RTL for each section."""
    return {
        row.name: cycles
        for section, platform in SECTIONS.items()
        for row, cycles in measured_rows(section, platform, tmp_path_factory.mktemp("cycles"))
    }


def measured_rows(section: str, platform: str, folder: Path) -> Iterator[tuple[Row, int]]:
    """The rows of a section, each with the cycles of its sequence."""
    rows = table(section)
    cycles = sequences.measure(folder, [sequences.marked(row.code) for row in rows], platform)
    return zip(rows, cycles, strict=True)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_row(row: Row, measured: dict[str, int]) -> None:
    assert measured[row.name] == row.total
