# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""What `.log` traces of the simulator hold, and the functions of a program."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from trapeze.common.errors import TrapezeError

_LINE = re.compile(r" *(\d+) \w ([0-9a-f]{8}):\t([0-9a-f]+)\s+(\S+)\t?([^;]*)(?:; (.*))?")
_MARKER = re.compile(r"slti zero,zero,(\d+)")
_EVENT = re.compile(r" *(\d+) >>> (.*)")


@dataclass(frozen=True)
class Retired:
    """One instruction of a trace: the cycle of its retirement, its address, its text and its effects."""

    cycle: int
    pc: int
    name: str
    operands: str
    effects: str = ""

    @property
    def text(self) -> str:
        """As it stands in a program."""
        return f"{self.name} {self.operands.strip()}".strip()

    @property
    def marker(self) -> int:
        """The number of the marker that it is; 0: it is none."""
        found = _MARKER.fullmatch(self.text)
        return int(found[1]) if found else 0

    def is_marker(self, number: int) -> bool:
        """Whether it is this marker."""
        return self.marker == number


@dataclass(frozen=True)
class Event:
    """What is no instruction: an interrupt, an exception, a line that rises or falls."""

    cycle: int
    text: str


def read(lines: Iterable[str], since: int = 0) -> Iterator[Retired | Event]:
    """Everything of a trace, in its order, without what was before cycle `since`."""
    begun = since == 0
    for line in lines:
        if not begun:
            # Long traces: a number is found much sooner than all of a line.
            number = next(iter(line.split(maxsplit=1)), "")
            if not number.isdecimal() or int(number) < since:
                continue
            begun = True
        if found := _LINE.match(line):
            yield Retired(int(found[1]), int(found[2], 16), found[4], found[5], (found[6] or "").strip())
        elif event := _EVENT.match(line):
            yield Event(int(event[1]), event[2])


def instructions(lines: Iterable[str], since: int = 0) -> Iterator[Retired]:
    """The instructions of a trace."""
    return (one for one in read(lines, since) if isinstance(one, Retired))


def functions(elf: Path) -> list[tuple[range, str]]:
    """The functions of a program by address, each up to the next one.

    Raises:
        TrapezeError: it has no symbols.
    """
    with elf.open("rb") as file:
        table = ELFFile(file).get_section_by_name(".symtab")
        if not isinstance(table, SymbolTableSection):
            raise TrapezeError(f"{elf.name}: has no symbols", 1)
        found = {one["st_value"]: one.name for one in table.iter_symbols() if one["st_info"]["type"] == "STT_FUNC"}
    starts = sorted(found)
    return [(range(at, after), found[at]) for at, after in zip(starts, [*starts[1:], starts[-1] + 1], strict=True)]
