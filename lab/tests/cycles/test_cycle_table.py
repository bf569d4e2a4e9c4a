# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The cycle tables of docs/core.md against the RTL: every row's sequence is run between two markers and counted."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from trapeze.common import paths
from trapeze.firmware import toolchain
from trapeze.platform import configurations as config
from trapeze.simulation import simulator

SECTIONS = {"Cycle table": "mcu-clint", "Atomic operations": "mcu-clint-a", "fastirq": "mcu-fastirq"}
"""Section of the manual, and the configuration its table is measured on."""

FIRST_MARKER = 100
ROW = re.compile(r"^\| (?P<name>[^|]+) \| [^|]+ \| `(?P<code>[^`]+)` \| (?P<total>\d+) \|$")

# Data for the sequences: s0 points at words that are valid addresses themselves, and at one that crosses words.
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
  .2byte 0
  .4byte data
  .2byte 0
"""


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
        name: cycles
        for section, platform in SECTIONS.items()
        for name, cycles in measure(table(section), platform, tmp_path_factory.mktemp("cycles")).items()
    }


def measure(rows: list[Row], name: str, folder: Path) -> dict[str, int]:
    """Run the sequences of some rows."""
    pieces = []
    for index, row in enumerate(rows):
        code = "\n  ".join(part.strip() for part in row.code.split(";"))
        start, end = FIRST_MARKER + 2 * index, FIRST_MARKER + 2 * index + 1
        pieces.append(f"  .balign 4\n  slti x0, x0, {start}\n  {code}\n  slti x0, x0, {end}\n")
    source = folder / "cycles.S"
    source.write_text(PROGRAM.format(sequences="".join(pieces)))
    platform = config.load(name)
    elf = toolchain.build(platform, [source], folder / "cycles.elf", [f"-march={platform.isa}"])
    outcome = simulator.measure(elf, platform, simulator.Options(max_cycles=100_000))
    assert outcome.exit_code == 0
    at = {marker.n: marker.tx for marker in outcome.run.markers}
    return {
        row.name: at[FIRST_MARKER + 2 * index + 1] - at[FIRST_MARKER + 2 * index] - 1 for index, row in enumerate(rows)
    }


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_row(row: Row, measured: dict[str, int]) -> None:
    assert measured[row.name] == row.total
