# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""What stands between an interrupt and its entry: each gate by itself, and who shut and opened it.

Machine mode's interrupts and user mode's have gates of the same kinds, each with the registers of their own mode.
Two gates are user mode's alone: MODE, because machine mode never takes its interrupts, and FRAME. WORD is there under a
monitor that keeps in a word of memory whether its program has interrupts enabled: it takes them, but holds them back.

Read from the trace of a run, instruction by instruction. A gate that is shut in a cycle keeps the interrupt from being
taken in that cycle. So a CSR takes effect in the cycle in which its instruction retires, and the controller offers an
interrupt that a store enables two cycles after the store's grant.

Source: docs/core.md (MIE, levels, threshold), docs/fastirq.md (frames), docs/user-level-interrupts.md,
hw/irq/clic/README.md (timing of the offer), fw/monitor/README.md (word).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from trapeze.common import paths
from trapeze.platform.configurations import Config
from trapeze.platform.hart import Hart
from trapeze.simulation.events import Program
from trapeze.simulation.traces import Record


class Gate(StrEnum):
    """What keeps an interrupt back. Of two that are shut as long the first one is the reason."""

    WORD = "monitor's word"
    ENABLE = "source's enable"
    PENDING = "pending"
    LOCAL = "mie"
    MODE = "mode"
    MIE = "MIE"
    THRESHOLD = "threshold"
    LEVEL = "level"
    FRAME = "frame"


@dataclass(frozen=True)
class Change:
    """A gate that opened or shut.

    Attributes:
        cycle: From which on.
        shut: None: not known.
        by: The record that did it; None: so since the trace begins.
        what: A word on it, such as the two levels that were compared.
    """

    cycle: int
    shut: bool | None
    by: Record | None
    what: str = ""


@dataclass(frozen=True)
class Stretch:
    """Cycles of a wait with one reason, from `begin` up to `end`, excluded.

    Attributes:
        gate: That was shut in all of them; None: no gate was.
        shut: How it came to be shut.
        opened: How it opened; None if it is not known to.
    """

    begin: int
    end: int
    gate: Gate | None = None
    shut: Change | None = None
    opened: Change | None = None


@dataclass(frozen=True)
class Source:
    """A line of a hart as its interrupt controller has it.

    Attributes:
        hart: With its controller.
        line: Of the platform.
        registers: Address of the first source's registers in the CLIC; 0: there is no CLIC.
        configuration: Address of the CLIC's own register.
        user_view: Address of the same register in user mode's view; 0: there is none.
        reset: Whether the trace begins with the reset, so that everything is known.
        word: Address of the monitor's word that is 0 while the program has interrupts disabled; None: there is none.
    """

    hart: Hart
    line: int
    registers: int = 0
    configuration: int = 0
    user_view: int = 0
    reset: bool = True
    word: int | None = None

    @property
    def number(self) -> int:
        """The number of the line's interrupt."""
        return self.hart.line_base + self.line

    @property
    def stages(self) -> int:
        """Cycles from what changes in the controller to the offer, beyond the first."""
        return int(self.hart.tree_pipeline)


WORDS = {"monitor_is_paper": "monitor_state", "monitor_is_soft": "monitor_page"}
"""The symbol that says which monitor a program is linked with, and the structure with its word."""

ENABLED = 16
"""Offset of the word in both structures: STATE_ENABLED, MONITOR_PAGE_ENABLED."""


def _word(program: Path) -> int | None:
    """Address of the word in which a program's monitor keeps whether interrupts are enabled; None: it has none."""
    symbols = Program(program).symbols
    return next((symbols[state].address + ENABLED for monitor, state in WORDS.items() if monitor in symbols), None)


def source(config: Config, hart: int, line: int, reset: bool, program: Path | None = None) -> Source:
    """A line of a configuration.

    Args:
        config: The configuration.
        hart: By its number.
        line: Of the platform.
        reset: Whether the trace begins with the reset.
        program: Of the hart, which may have a monitor.
    """
    owner = config.harts[hart]
    if not owner.has_clic:
        return Source(owner, line, reset=reset)
    platform = config.platform
    base, view = platform.region("clic").base, platform.region("clic_user").base if owner.user else 0
    registers = json.loads(paths.REGISTERS.read_text())["blocks"]["clic"]["registers"]
    first = next(one["offset"] for one in registers if one["name"] == "irq_ip")
    return Source(owner, line, base + first, base, view, reset, _word(program) if program is not None else None)


class Timelines:
    """When each gate was shut."""

    def __init__(self, start: dict[Gate, tuple[bool | None, str]]) -> None:
        """Begin with what is known at the beginning of the trace: of each gate whether it is shut, and a word on it."""
        self._lines = {gate: [Change(0, shut, None, what)] for gate, (shut, what) in start.items()}

    def note(self, gate: Gate, change: Change) -> None:
        """Add what a record did to a gate, if it did something."""
        line = self._lines[gate]
        if len(line) > 1 and line[-1].cycle >= change.cycle and line[-1].shut != change.shut:
            line.pop()  # nobody saw it
        if line[-1].shut != change.shut:
            line.append(Change(max(change.cycle, line[-1].cycle), change.shut, change.by, change.what))

    def shut(self, end: int) -> list[Stretch]:
        """All stretches up to a cycle in which a gate was shut."""
        found = []
        for gate, line in self._lines.items():
            for one, after in zip(line, [*line[1:], None], strict=True):
                if one.shut and one.cycle < end:
                    last = end if after is None else min(after.cycle, end)
                    opened = after if after is not None and after.cycle <= end else None
                    found.append(Stretch(one.cycle, last, gate, one, opened))
        return [one for one in found if one.begin < one.end]

    def unknown(self, cycle: int, end: int, taken: bool) -> list[Gate]:
        """The gates of which it is not known whether they were shut in a cycle.

        Args:
            cycle: The cycle.
            end: Of the wait. What did not change up to there was open, if the interrupt was `taken` then.
            taken: Whether it was.
        """
        found = []
        for gate, line in self._lines.items():
            before = [one for one in line if one.cycle <= cycle]
            changes = any(cycle < one.cycle <= end for one in line)
            if before[-1].shut is None and (changes or not taken):
                found.append(gate)
        return found

    def stretches(self, begin: int, end: int) -> list[Stretch]:
        """Who kept the interrupt back in the cycles from `begin` up to `end`, excluded, in few stretches."""
        shut = self.shut(end)
        found: list[Stretch] = []
        while begin < end:
            over = [one for one in shut if one.begin < end <= one.end]
            if over:
                longest = min(over, key=lambda one: one.begin)
                start = max(begin, longest.begin)
                found.append(Stretch(start, end, longest.gate, longest.shut, longest.opened))
            else:
                start = max([begin, *(one.end for one in shut if one.end < end)])
                found.append(Stretch(start, end))
            end = start
        return found[::-1]
