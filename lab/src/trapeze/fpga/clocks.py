# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The clock: dividers of the ECP5's phase-locked loop, and the serial line's divider."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

from trapeze.common.errors import TrapezeError

OSCILLATOR = (400.0, 800.0)
"""MHz that the loop's oscillator can run at (Lattice FPGA-DS-02012, sysCLOCK PLL timing)."""

COMPARED = (3.125, 400.0)
"""MHz that the loop can compare."""

DIVIDERS = range(1, 129)

CLOSE = 0.001
"""Part of the asked frequency by which the clock may differ from it."""

SERIAL = 0.02
"""Part of a bit's time by which the serial line's may differ: less than half of what a receiver bears."""


@dataclass(frozen=True)
class Loop:
    """Dividers: of the crystal, of the clock for the comparison, of the oscillator; and the clock, in MHz."""

    crystal: int
    feedback: int
    output: int
    mhz: float


def _loops(crystal: float, asked: float) -> Iterator[Loop]:
    for divider in DIVIDERS:
        compared = crystal / divider
        if COMPARED[0] <= compared <= COMPARED[1]:
            feedback = round(asked / compared)
            for one in (feedback, feedback + 1):
                clock = compared * one
                outputs = [by for by in DIVIDERS if OSCILLATOR[0] <= clock * by <= OSCILLATOR[1]]
                if one in DIVIDERS and outputs:
                    # An oscillator in the middle of its range.
                    yield Loop(divider, one, min(outputs, key=lambda by: abs(clock * by - 600)), clock)


def loop(crystal: float, asked: float) -> Loop:
    """The dividers for a clock.

    Args:
        crystal: MHz.
        asked: MHz.

    Raises:
        TrapezeError: the loop cannot make it; names the nearest that it can.
    """
    found = min(_loops(crystal, asked), key=lambda one: (abs(one.mhz - asked), one.crystal), default=None)
    if found is None:
        raise TrapezeError(f"--clock {asked:g}: no clock that a crystal of {crystal:g} MHz can make; try {crystal:g}")
    if abs(found.mhz - asked) > CLOSE * asked:
        raise TrapezeError(
            f"--clock {asked:g}: a crystal of {crystal:g} MHz does not make it; the nearest is {found.mhz:.6g}"
        )
    return found


def serial_divisor(mhz: float, baud: int) -> int:
    """Clock cycles of a bit.

    Raises:
        TrapezeError: the clock makes no such bit.
    """
    cycles = max(4, round(mhz * 1e6 / baud))
    if abs(cycles * baud / (mhz * 1e6) - 1) > SERIAL:
        fastest = int(mhz * 1e6 / 4)
        lower = itertools.chain((rate for rate in (3_000_000, 1_000_000, 921_600) if rate < fastest), (115_200,))
        raise TrapezeError(f"a clock of {mhz:g} MHz makes no {baud} baud; try {next(lower)}")
    return cycles
