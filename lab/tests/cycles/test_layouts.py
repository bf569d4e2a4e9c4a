# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""What a layout costs: each row of that table in docs/core.md, measured with the interrupt in every cycle."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from trapeze.common import paths
from trapeze.common.edges import Edge, EdgeRange
from trapeze.experiments import measured_window
from trapeze.firmware import toolchain
from trapeze.platform import configurations as config
from trapeze.simulation import simulator
from trapeze.simulation.options import Options

LINE = 3
"""The line that is measured, of the highest level. In nested rows it interrupts the handlers of lines 1 and 2; line 0
waits for both, so its table entry is fetched ahead."""

MAX_REFUSED = 3
"""Cycles in which a word of a frame waits for fetches, at most: of the SoC's bus matrix."""

FRAME_WORDS = 18
ONE_FETCH_LATE = 5

SETUPS: dict[str, list[str]] = {
    "code, table, data and stack each in a bank of their own": [],
    "a store that crosses a word, into the bank of the table or the code": [],
    "a handler at a half-word address that begins with a 4-byte instruction": ["-DHALF_WORD"],
    "accesses to the latency measurement": [],
    "the stress generator at its highest rate, all banks": ["-DSTRESS=255"],
    "code and stack in one bank": ["-DONE_BANK"],
    "banks of their own, three inside each other": ["-DNESTED"],
    "code and stack in one bank, three inside each other": ["-DNESTED", "-DONE_BANK"],
}
"""By name of a row: how its firmware is built."""

ROW = re.compile(r"^\| (?P<name>[^|]+) \| `(?P<code>[^`]+)` \| (?P<least>\d+)(?: to (?P<most>\d+))? \|$")

MAIN = """
#include <stdint.h>
#include <trapeze/csr.h>
#include <trapeze/irq.h>
#include <trapeze/irq_clic.h>
#include <trapeze/irq_fast.h>
#include <trapeze/map.h>
#include <trapeze/stress.h>
void window(void);
void outer(void);
void measured(void);
int main(void)
{
	irq_level_bits_set(8);
	for (unsigned int line = 0; line <= 3U; line++) {
		irq_trigger_set(IRQ_PLATFORM(line), IRQ_TRIGGER_RISING);
		irq_level_set(IRQ_PLATFORM(line), (uint8_t)(16U * line + 15U));
		(void)irq_fast_connect(IRQ_PLATFORM(line), line == 3U ? measured : outer, true);
		irq_enable(IRQ_PLATFORM(line));
	}
	irq_unlock_all();
#ifdef STRESS
	*(volatile uint32_t *)(TRAPEZE_PROBE_STRESS_BASE + TRAPEZE_STRESS_BANKS_OFFSET) = 7U;
	*(volatile uint32_t *)(TRAPEZE_PROBE_STRESS_BASE + TRAPEZE_STRESS_RATE_OFFSET) = STRESS;
#endif
	window();
	return 0;
}
"""

# s0: data in dmem; s1: words beside the code; s2: the latency measurement. The outer handlers do what the program does.
WINDOW = """
#include <trapeze/map.h>
  .option norvc
  .section .text.window, "ax"
  .globl window, outer, measured
  .balign 4
window:
  mv t6, sp
#ifdef ONE_BANK
  la sp, beside_top
#endif
  la s0, beside_data
  la s1, beside
  li s2, TRAPEZE_PROBE_BASE
  slti x0, x0, 2
  .rept {repeat}
  {code}
  .endr
  slti x0, x0, 3
  mv sp, t6
  ret
  .balign 4
outer:
  .rept {repeat}
  {code}
  .endr
  ret
  .balign 4
#ifdef HALF_WORD
  .option rvc
  c.nop
  .option norvc
#endif
measured:
  slti x0, x0, 1
  ret
  .section .text.beside, "ax"
  .balign 16
beside:
  .space 1024
beside_top:
  .section .data.window, "aw"
  .balign 16
beside_data:
  .space 64
"""


@dataclass(frozen=True)
class Row:
    """A row of the table: background code, and the least and most cycles from the line to the handler."""

    name: str
    code: str
    least: int
    most: int


def table() -> list[Row]:
    """The rows of the table in the manual."""
    text = (paths.ROOT / "docs" / "core.md").read_text()
    section = text.split("\n## What a layout costs\n")[1].split("\n## ")[0]
    found = [ROW.match(line) for line in section.splitlines()]
    return [Row(m["name"], m["code"], int(m["least"]), int(m["most"] or m["least"])) for m in found if m]


def sweep(elf: Path, irq: tuple[Edge, ...], first: int, last: int) -> list[int]:
    """Latencies of the measured line, raised in each of these cycles."""
    options = Options(max_cycles=50_000, irq=irq, sweep=EdgeRange(LINE, first, last))
    runs = simulator.measure(elf, config.load("mcu-fastirq"), options).run.sweep or ()
    assert [run.t0 for run in runs] == list(range(first, last + 1))
    assert all(run.exit == 0 and run.taken_count == 1 and run.tx is not None for run in runs)
    return [run.tx - run.t0 for run in runs if run.tx is not None]


def firmware(row: Row, folder: Path) -> tuple[Path, measured_window.Window]:
    """The firmware of a row, and its window."""
    code = "\n  ".join(part.strip() for part in row.code.split(";"))
    (folder / "main.c").write_text(MAIN)
    (folder / "window.S").write_text(WINDOW.format(code=code, repeat=200 // len(row.code.split(";"))))
    platform = config.load("mcu-fastirq")
    sources = [folder / "main.c", folder / "window.S"]
    elf = toolchain.build(platform, sources, folder / "layout.elf", SETUPS[row.name])
    alone = simulator.measure(elf, platform, Options(max_cycles=50_000))
    return elf, measured_window.find_window(alone.run, row.name)


def latencies(row: Row, folder: Path) -> list[int]:
    """What the firmware of a row shows: the line in every cycle of the window, nested also at several distances."""
    elf, cycles = firmware(row, folder)
    if "-DNESTED" not in SETUPS[row.name]:
        return sweep(elf, (), cycles.first, cycles.last)
    begin = cycles.first + 20
    found = []
    for apart in (1, 2, 3, 5, 9, 20, 40):
        for masked in (0, 1, apart, apart + 1, apart + 2):
            irq = (Edge(1, begin), Edge(2, begin + apart), Edge(0, begin + masked))
            found += sweep(elf, irq, begin + 1, begin + 100)
    return found


ROWS = table()


def test_every_row_has_its_firmware() -> None:
    assert [row.name for row in ROWS] == list(SETUPS)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_row(row: Row, tmp_path: Path) -> None:
    found = latencies(row, tmp_path)
    assert (min(found), max(found)) == (row.least, row.most)


def test_straight_line_code_does_not_lock_frames_out(tmp_path: Path) -> None:
    """In one bank a word leaves in every fourth cycle at least: 72 cycles after its entry the oldest frame has left."""
    row = ROWS[-1]
    assert SETUPS[row.name] == ["-DNESTED", "-DONE_BANK"]
    elf, cycles = firmware(row, tmp_path)
    begin = cycles.first + 20
    left = begin + 2 + (MAX_REFUSED + 1) * FRAME_WORDS
    assert max(sweep(elf, (Edge(1, begin), Edge(2, begin + 1)), left, left + 60)) <= ONE_FETCH_LATE
