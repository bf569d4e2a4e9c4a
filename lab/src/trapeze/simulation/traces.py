# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Traces of the simulator as typed records, and the functions of a program.

A trace `FILE.jsonl` has a JSON object a line (`sim/kernel/trace.schema.json`). This module reads the retired
instructions and the interrupts. `FILE.log` is a listing of the same for people, and is not read back.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from trapeze.common.errors import TrapezeError

_MARKER = re.compile(r"slti zero,zero,(\d+)")
_CYCLE = re.compile(r'"cycle":(\d+)')


@dataclass(frozen=True)
class Written:
    """A register that an instruction wrote: its name (of a CSR the number, where listings have none), and its value."""

    name: str
    value: int


@dataclass(frozen=True)
class Stored:
    """What an instruction stored: address, value, and how many bytes."""

    address: int
    value: int
    bytes: int = 4


@dataclass(frozen=True)
class Retired:
    """One instruction of a trace.

    Attributes:
        cycle: Of its retirement.
        pc: Its address.
        name: Its mnemonic.
        operands: As text.
        csr: The CSR that it wrote, None if none.
        store: What it stored, None if nothing.
        goes_on_to: The interrupt whose handler an emret went on to, empty if it did not.
        hart: That retired it.
        mode: In which it executed: 3 machine mode, 0 user mode.
        result: The integer register that it wrote, by its ABI name; None if none.
        granted: The cycles in which the bus granted the words of its access.
    """

    cycle: int
    pc: int
    name: str
    operands: str
    csr: Written | None = None
    store: Stored | None = None
    goes_on_to: str = ""
    hart: int = 0
    mode: int = field(default=3, compare=False)
    result: Written | None = field(default=None, compare=False)
    granted: tuple[int, ...] = field(default=(), compare=False)

    @property
    def text(self) -> str:
        """As it stands in a program."""
        return f"{self.name} {self.operands}".strip()

    @property
    def marker(self) -> int:
        """The number of the marker that it is; 0: it is none."""
        found = _MARKER.fullmatch(self.text)
        return int(found[1]) if found else 0

    def is_marker(self, number: int) -> bool:
        """Whether it is this marker."""
        return self.marker == number


@dataclass(frozen=True)
class Taken:
    """An interrupt that a hart took.

    Attributes:
        cycle: In which it left the program.
        name: Such as `line 3` or `timer`.
        epc: The address that it interrupted.
        hart: That took it.
        number: Of the interrupt; None: not known.
        level: It is taken at; None: not known.
    """

    cycle: int
    name: str
    epc: int = 0
    hart: int = 0
    number: int | None = field(default=None, compare=False)
    level: int | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Raised:
    """An exception: its name."""

    cycle: int
    name: str
    hart: int = 0


@dataclass(frozen=True)
class Edge:
    """A platform line that is high, or low, from a cycle on."""

    cycle: int
    line: int
    high: bool
    hart: int = 0


@dataclass(frozen=True)
class Judged:
    """From a cycle on user mode runs, and memory protection still searches whether it may store a frame at its sp.

    If not `searches`: user mode does not run, or the answer is there.
    """

    cycle: int
    searches: bool
    hart: int = 0


@dataclass(frozen=True)
class TaskState:
    """A task of a kernel runs, waits or is ready from a cycle on.

    Attributes:
        cycle: Of the kernel's store that says so; of what was so before the trace began its first one.
        task: Its name.
        state: `runs`, `waits` or `ready`.
        what: It waits for, such as "mutex `bus`".
        holder: The task that holds the mutex; empty: none does.
        hart: Whose kernel it is.
    """

    cycle: int
    task: str
    state: str
    what: str = ""
    holder: str = ""
    hart: int = 0


Record = Retired | Taken | Raised | Edge | Judged | TaskState


def _retired(raw: dict[str, Any]) -> Iterator[Record]:
    """A record of a retired instruction, or of the exception that it raised."""
    name, _, operands = raw["asm"].partition("\t")
    csr, store, chained, rd = raw.get("csr"), raw.get("store"), raw.get("goes_on_to"), raw.get("rd")
    yield Retired(
        raw["cycle"],
        raw["pc"],
        name,
        operands.strip(),
        csr=None if csr is None else Written(csr["name"], csr["value"]),
        store=None if store is None else Stored(store["address"], store["value"], store["bytes"]),
        goes_on_to="" if chained is None else chained["name"],
        hart=raw["hart"],
        mode=raw["mode"],
        result=None if rd is None else Written(rd["name"], rd["value"]),
        granted=tuple(raw.get("granted", ())),
    )
    if "exception" in raw:
        yield Raised(raw["cycle"], raw["exception"]["name"], raw["hart"])


def _records(raw: dict[str, Any]) -> Iterator[Record]:
    match raw["type"]:
        case "retire":
            yield from _retired(raw)
        case "claim":
            yield Taken(raw["cycle"], raw["name"], raw["epc"], raw["hart"], raw["id"], raw["level"])
        case "line":
            yield Edge(raw["cycle"], raw["line"], raw["high"], raw["hart"])
        case "task":
            what, holder = raw.get("for", ""), raw.get("holder", "")
            yield TaskState(raw["cycle"], raw["task"], raw["state"], what, holder, raw["hart"])
        case "activity" if raw["kind"] == "frame-judge":
            yield Judged(raw["cycle"], raw["searches"], raw["hart"])


def read(lines: Iterable[str], since: int = 0, hart: int | None = None) -> Iterator[Record]:
    """The records of a trace, in its order.

    Args:
        lines: Of a `.jsonl` trace.
        since: What was before this cycle is left out.
        hart: What other harts did is left out; None: nothing is.
    """
    begun = since == 0
    for line in lines:
        if not begun:
            # Long traces: a number is found much sooner than all of a line.
            number = _CYCLE.search(line)
            if number is None or int(number[1]) < since:
                continue
            begun = True
        raw = json.loads(line)
        if hart is None or raw.get("hart", hart) == hart:
            yield from _records(raw)


def instructions(lines: Iterable[str], since: int = 0, hart: int | None = None) -> Iterator[Retired]:
    """The instructions of a trace, as `read` finds them."""
    return (one for one in read(lines, since, hart) if isinstance(one, Retired))


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
