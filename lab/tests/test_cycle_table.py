# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The cycle table of docs/core.md against the RTL: every row's sequence is run between two markers and counted."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from trapeze import config, paths, simulator, toolchain

FIRST_MARKER = 100
ROW = re.compile(r"^\| (?P<name>[^|]+) \| [^|]+ \| `(?P<code>[^`]+)` \| (?P<total>\d+) \|$")

# Data for the sequences: s0 points at words that are valid addresses themselves.
PROGRAM = """
  .option norvc
  .section .text.main, "ax"
  .globl main
main:
  addi sp, sp, -16
  sw ra, 12(sp)
  sw s0, 8(sp)
  la s0, data
{sequences}
  lw s0, 8(sp)
  lw ra, 12(sp)
  addi sp, sp, 16
  li a0, 0
  ret
  .section .data.cycle, "aw"
  .balign 16
data:
  .word data, data, data, data
"""


@dataclass(frozen=True)
class Row:
    """A row of the table: a sequence of instructions and the cycles it takes."""

    name: str
    code: str
    total: int


def table() -> list[Row]:
    """The rows of the section "Cycle table"."""
    text = (paths.ROOT / "docs" / "core.md").read_text()
    section = text.split("## Cycle table")[1].split("\n## ")[0]
    found = [ROW.match(line) for line in section.splitlines()]
    return [Row(m["name"], m["code"], int(m["total"])) for m in found if m]


def test_table_is_found() -> None:
    section = (paths.ROOT / "docs" / "core.md").read_text().split("## Cycle table")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("| ") and "`" in line]
    assert len(table()) == len(lines) >= 19


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> dict[str, int]:
    """Cycles of each row, by name, all from one run on the RTL."""
    rows = table()
    pieces = []
    for index, row in enumerate(rows):
        code = "\n  ".join(part.strip() for part in row.code.split(";"))
        start, end = FIRST_MARKER + 2 * index, FIRST_MARKER + 2 * index + 1
        pieces.append(f"  .balign 4\n  slti x0, x0, {start}\n  {code}\n  slti x0, x0, {end}\n")
    folder: Path = tmp_path_factory.mktemp("cycles")
    source = folder / "cycles.S"
    source.write_text(PROGRAM.format(sequences="".join(pieces)))
    platform = config.load("mcu-clint")
    elf = toolchain.build(platform, [source], folder / "cycles.elf")
    outcome = simulator.measure(elf, platform, simulator.Options(max_cycles=100_000))
    assert outcome.exit_code == 0
    at = {marker.n: marker.tx for marker in outcome.run.markers}
    return {
        row.name: at[FIRST_MARKER + 2 * index + 1] - at[FIRST_MARKER + 2 * index] - 1 for index, row in enumerate(rows)
    }


@pytest.mark.parametrize("row", table(), ids=lambda row: row.name)
def test_row(row: Row, measured: dict[str, int]) -> None:
    assert measured[row.name] == row.total
