# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Where mutations are drawn, how many, and what a drawn one is.

A unit is a module of the hardware. It is drawn from in the configuration in which it matters most, so one netlist for
each of a few configurations covers every room.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

NOT_PRODUCT = ("tz_sram", "tz_obi_wait", "tz_obi_check", "tz_axil_check", "tz_rvfi", "tz_observe")
"""Modules that no mutation is drawn from: the simulated memory, wait states and checks of the buses for tests, and what
a core shows of itself for simulation."""

DEFAULT_CONFIG = "mcu-fastirq"
HOMES = {
    "tz_clint": "mcu-clint",
    "tz_irq_clint": "mcu-clint",
    "tz_obi_arbiter": "duo",
    "tz_amo": "duo",
    "tz_obi_share": "mcu-fastirq-shared",
    "tz_in_place": "mcu-fastirq-inplace",
}
"""Configurations of units that `DEFAULT_CONFIG` has not, or not in use."""
CONFIGS = (DEFAULT_CONFIG, *sorted(set(HOMES.values())))

SEED = 1
COUNT = 1000
LEAST = 30
"""Mutations of a room, at least."""


def home(unit: str) -> str:
    """The configuration in which a unit is drawn from."""
    return HOMES.get(unit, DEFAULT_CONFIG)


def is_product(unit: str, instance: str) -> bool:
    """Whether an instance of a unit is hardware, and not there for simulation."""
    return unit not in NOT_PRODUCT and ".gen_wait" not in instance


_SHOWS = re.compile(
    r"-cell \S*(gen_stamp|u_rvfi\b|u_observe\b)|-port (rvfi|irq_event|observe)_o\b|-port inspect_i\b"
    r"|-port (chance|seed|wait_instr|wait_data|wait_seed)_i\b"
)
_CLOCKS = re.compile(r"-port (CLK|clk\w*_i)\b")


def changes_logic(command: str) -> bool:
    """Whether a mutation, a command of Yosys, changes what the hardware computes.

    Left out are bits at ports of modules that only serve simulation, bits that control how often a memory waits, and
    clocks: with a mutation's multiplexer in its path a clock would be late in the right design, too.
    """
    return _SHOWS.search(command) is None and _CLOCKS.search(command) is None


@dataclass(frozen=True)
class Drawn:
    """A mutation of one bit at one port of one cell.

    Attributes:
        config: Configuration of its netlist.
        number: In the netlist, from 1.
        command: Of Yosys, which makes it.
        room: Hardware room of the module.
        file: Source of the cell, relative to the repository.
        line: There.
        text: What the source says there.
        what: The change in words: mode, port and bit, cell, instance.
    """

    config: str
    number: int
    command: str
    room: str
    file: str
    line: int
    text: str
    what: str

    @property
    def place(self) -> str:
        """For people: the source line."""
        return f"{self.file}:{self.line}"


def shares(cells: Mapping[tuple[str, str], int], count: int) -> dict[tuple[str, str], int]:
    """How many mutations each group gets: in proportion to its cells, every room at least `LEAST`.

    Args:
        cells: Of each group, which is a configuration and a room.
        count: All together, at least.
    """
    rooms: Counter[str] = Counter()
    for (_, room), number in cells.items():
        rooms[room] += number
    total = sum(rooms.values())
    least = min(LEAST, count // max(1, len(rooms)))
    wanted = {room: max(least, count * number // total) for room, number in rooms.items()}
    # What small rooms get beyond their share is taken from the largest, which also gets the remainder of rounding.
    largest = max(rooms, key=lambda room: (rooms[room], room))
    wanted[largest] += count - sum(wanted.values())
    parts = {group: max(1, wanted[group[1]] * number // rooms[group[1]]) for group, number in cells.items()}
    for room, number in wanted.items():
        groups = [group for group in parts if group[1] == room]
        first = max(groups, key=lambda group: (parts[group], group))
        parts[first] += number - sum(parts[group] for group in groups)
    return parts


def rank(key: str, one: Drawn) -> str:
    """Where a mutation stands in an order that is mixed by a key."""
    return hashlib.sha256(f"{key}/{one.config}/{one.number}".encode()).hexdigest()


def part(drawn: Sequence[Drawn], key: str, count: int) -> list[Drawn]:
    """A few mutations, chosen by a key: another one, another choice."""
    return sorted(sorted(drawn, key=lambda one: rank(key, one))[:count], key=lambda one: one.number)
