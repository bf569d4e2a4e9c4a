# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Where the cycles of a modelled hart went, as its record says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

MODES = ("machine", "supervisor", "user")

INSTRUCTIONS = "instructions"
"""The cause that has a cycle for each."""


@dataclass(frozen=True)
class Cause:
    """Something that took time.

    Attributes:
        name: In the plural.
        times: How often, by privilege; all 0 of what is not counted.
        cycles: What it took.
    """

    name: str
    times: Mapping[str, int]
    cycles: Mapping[str, int]

    @property
    def all_times(self) -> int:
        """How often in all modes."""
        return sum(self.times.values())

    @property
    def all_cycles(self) -> int:
        """What it took in all modes."""
        return sum(self.cycles.values())


@dataclass(frozen=True)
class HartCycles:
    """All cycles of one hart: those of all causes.

    Attributes:
        hart: Its number.
        causes: In the order in which they are shown; one of them is that of the instructions.
    """

    hart: int
    causes: tuple[Cause, ...]

    @property
    def cycles(self) -> int:
        """All of them."""
        return sum(one.all_cycles for one in self.causes)

    @property
    def instructions(self) -> int:
        """Retired ones."""
        return sum(one.all_times for one in self.causes if one.name == INSTRUCTIONS)

    @property
    def shown(self) -> tuple[Cause, ...]:
        """The causes that there were, and the sum of all."""
        there = tuple(one for one in self.causes if one.all_times or one.all_cycles)
        both = {mode: sum(one.cycles[mode] for one in self.causes) for mode in MODES}
        return (*there, Cause("all", dict.fromkeys(MODES, 0), both))

    @property
    def sentence(self) -> str:
        """How long it ran, in one line."""
        each = f", {self.cycles / self.instructions:.2f} each" if self.instructions else ""
        return f"Hart {self.hart}: {self.cycles:,} cycles, {self.instructions:,} instructions{each}"

    def share(self, cycles: int) -> str:
        """A part of all cycles, in per cent."""
        return f"{100 * cycles / self.cycles:.1f}" if self.cycles else ""

    def rate(self, cause: Cause) -> str:
        """How often in a thousand instructions."""
        return f"{1000 * cause.all_times / self.instructions:.2f}" if self.instructions else ""


def of_record(harts: Sequence[Mapping[str, Any]]) -> tuple[HartCycles, ...]:
    """The harts of a record that know where their cycles went."""
    return tuple(
        HartCycles(hart["hart"], tuple(Cause(one["cause"], one["times"], one["cycles"]) for one in hart["statistics"]))
        for hart in harts
        if hart["statistics"] is not None
    )
