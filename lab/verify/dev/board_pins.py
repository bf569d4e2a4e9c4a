# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""A board's design as a program that writes what its pins do (hw/board/test/pins.cpp): in RTL, or placed by nextpnr."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from trapeze.common import bounded_processes, paths
from trapeze.fpga import flow
from trapeze.fpga.flow import Plan
from verify.dev import benches, placed_netlist

TEST = paths.ROOT / "hw" / "board" / "test"
MAIN = TEST / "pins.cpp"
MODELS = (TEST / "ecp5_cells.v", TEST.parent / "rtl" / "EHXPLLL.sv")
OPTIONS = ("--cc", "--exe", "--build", "--no-timing", "-Wno-lint", "-Wno-style")
NETLIST_OPTIONS = ("--x-assign", "fast", "--x-initial", "fast", "--output-split", "20000")

SECONDS = 900
"""Of processor time for a simulation."""

SYNCHRONIZED = 2
"""Cycles from a button's pin to its line: the flip-flops of tz_sync."""


@dataclass(frozen=True)
class Change:
    """The outputs from a cycle on."""

    cycle: int
    serial: int
    leds: int


@dataclass(frozen=True)
class Pins:
    """What the outputs did."""

    changes: tuple[Change, ...]

    @property
    def out_of_reset(self) -> int:
        """The cycle in which LED 0 goes on: mcycle is 0."""
        return next(change.cycle for change in self.changes if change.leds & 1)

    def serial(self, divisor: int) -> str:
        """What the serial line said, from the edges of start bits and the middles of bits on."""
        cycles = [change.cycle for change in self.changes]
        said, free = "", self.out_of_reset
        for before, change in zip(self.changes, self.changes[1:], strict=False):
            if before.serial and not change.serial and change.cycle >= free:
                middles = [change.cycle + divisor * bit + divisor // 2 for bit in range(10)]
                bits = [self.changes[bisect_right(cycles, middle) - 1].serial for middle in middles]
                if not bits[9]:
                    raise AssertionError(f"no stop bit in cycle {middles[9]}")
                said += chr(sum(bit << place for place, bit in enumerate(bits[1:9])))
                free = middles[9]
        return said


@dataclass(frozen=True)
class Simulator:
    """A program, and the folder with the files that its memories begin with."""

    program: Path
    folder: Path

    def run(self, cycles: int, inverted: int, presses: Sequence[tuple[int, int, int]] = ()) -> Pins:
        """Simulate.

        Args:
            cycles: At most.
            inverted: A bit for each button whose pin is low while it is pressed.
            presses: Button, first cycle, the cycle behind the last.
        """
        words = [str(number) for press in presses for number in press]
        command = [str(self.program), str(cycles), str(inverted), *words]
        done = bounded_processes.run(command, SECONDS, cwd=self.folder)
        if done.returncode:
            raise AssertionError(done.stderr)
        lines = [line.split() for line in done.stdout.splitlines()]
        return Pins(tuple(Change(int(cycle), int(serial), int(leds, 16)) for cycle, serial, leds in lines))


def of_rtl(chosen: Plan, folder: Path, main: Path = MAIN) -> Simulator:
    """The design as it is written, in front of a program in C++."""
    given = [f"-G{name}={value}" for name, value in chosen.parameters.items()]
    sources = [*flow.sources(chosen, folder), main]
    return Simulator(benches.program(flow.TOP, sources, folder / "obj", *OPTIONS, *given), folder)


def of_placed(placed: Path, folder: Path) -> Simulator:
    """The design as nextpnr has written it."""
    design = json.loads(placed.read_text())["modules"]["top"]
    netlist = folder / "placed.v"
    netlist.write_text(placed_netlist.verilog(design, flow.TOP))
    _write(placed_netlist.contents(design), folder)
    sources = [netlist, *MODELS, MAIN]
    return Simulator(benches.program(flow.TOP, sources, folder / "obj", *OPTIONS, *NETLIST_OPTIONS), folder)


def _write(contents: Mapping[str, str], folder: Path) -> None:
    for name, text in contents.items():
        (folder / f"TOP.{flow.TOP}.{name}.hex").write_text(text)
