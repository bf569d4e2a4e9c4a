# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""What a board's pins do: the design placed by nextpnr beside its RTL, and a debugger's port."""

from __future__ import annotations

from pathlib import Path

import pytest

from trapeze.common import paths, processes
from trapeze.firmware import toolchain
from trapeze.fpga import boards, command, flow
from trapeze.platform import configurations
from verify.dev import board_pins
from verify.dev.board_pins import SYNCHRONIZED, Pins

BOARD = boards.load("ulx3s")
CONFIG = configurations.load("mcu-fastirq")
STAMPS = [board_pins.TEST / "stamps.c", board_pins.TEST / "press.S", paths.ROOT / "bench/irq-latency/background.S"]

PRESSES = 128
FIRST = 20_000
APART = 2003
"""Cycles: a prime number, more than the interrupted program takes, so that each press is in another phase of it."""
HELD = 40
CYCLES = 20_000_000

IDCODE = "41113043"
"""Of the LFE5U-85F, which the SVF file has a programmer check (Lattice FPGA-TN-02039)."""

LATENCY = 4
"""Cycles from a line to the first instruction of a handler: bench/irq-latency, fastirq."""


def stamps(pins: Pins, divisor: int) -> list[tuple[int, int]]:
    """What hw/board/test/stamps.c prints: the cycle of a handler's first instruction, and the phase of the program."""
    *lines, wrong = pins.serial(divisor).splitlines()
    assert int(wrong.removeprefix("wrong "), 16) == 0
    return [(int(stamp, 16), int(phase, 16)) for stamp, phase in (line.split() for line in lines)]


@pytest.mark.slow
def test_the_placed_design_has_the_cycles_of_its_rtl(tmp_path: Path) -> None:
    """A button in many phases of a program: every edge of the board's outputs in the cycle of the RTL."""
    elf = toolchain.build(CONFIG, STAMPS, tmp_path / "stamps.elf", ["-O2", f"-DPRESSES={PRESSES}"])
    chosen = flow.plan(BOARD, CONFIG, elf, None)
    presses = [(1, cycle, cycle + HELD) for cycle in range(FIRST, FIRST + PRESSES * APART, APART)]

    for name in ("rtl", "flow", "placed"):
        (tmp_path / name).mkdir()
    expected = board_pins.of_rtl(chosen, tmp_path / "rtl").run(CYCLES, BOARD.active_low, presses)
    found = stamps(expected, chosen.divisor)
    lines = [first + SYNCHRONIZED - 1 - expected.out_of_reset for _, first, _ in presses]
    assert [stamp - line for (stamp, _), line in zip(found, lines, strict=True)] == [LATENCY] * PRESSES
    assert len({phase for _, phase in found}) == PRESSES

    flow.synthesize(chosen, tmp_path / "flow")
    command.require_met(chosen, flow.place(chosen, tmp_path / "flow"))
    flow.pack(chosen, tmp_path / "flow")
    assert (tmp_path / "flow" / flow.BITS).stat().st_size > 0
    assert IDCODE in (tmp_path / "flow" / flow.SVF).read_text()
    placed = board_pins.of_placed(tmp_path / "flow" / flow.PLACED, tmp_path / "placed")
    assert placed.run(CYCLES, BOARD.active_low, presses) == expected


@pytest.mark.slow
def test_a_debugger_reaches_the_port(tmp_path: Path) -> None:
    """The pins are those of the debug module: IDCODE comes out, and what goes in comes out behind it."""
    chosen = flow.plan(BOARD, configurations.load("mcu-fastirq-debug"), None, None)
    port = board_pins.of_rtl(chosen, tmp_path, board_pins.TEST / "idcode.cpp")
    done = processes.run([str(port.program), "0x5a0ff1c3"], capture_output=True, text=True)
    assert done.stdout == "00000001 5a0ff1c3\n"
