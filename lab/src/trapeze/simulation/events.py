# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Events of a run and spans between them: from the user's words to numbers and addresses.

A user names functions, variables and tasks, the simulator uses addresses. `Program` has the symbols of a hart's ELF
file. An `Event` is resolved once, when the command line is read.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from trapeze.common.errors import TrapezeError, choices
from trapeze.simulation import tasks

FORMS: Mapping[str, str] = {
    "edge": "edge:[H:]LINE",
    "claim": "claim:[H:]ID",
    "signal": "signal:NAME",
    "pc": "pc:[H:]SYMBOL[+N]",
    "marker": "marker:[H:]N",
    "store": "store:[H:]SYMBOL[+N][=VALUE]",
    "load": "load:[H:]SYMBOL[+N]",
    "task": "task:[H:]NAME",
}
"""How each kind of event is written."""

MARKERS = 2047
"""The last marker: the largest operand of `slti`."""

LAST = 2**64 - 1
"""The largest address of a hart with 64 bits."""

NEAR = 3
"""Number of names that are suggested for a missing one."""

_HART = re.compile(r"(\d+):(.*)", re.DOTALL)
_PLACE = re.compile(r"(?P<symbol>.+?)(?:\+(?P<offset>0[xX][0-9a-fA-F]+|\d+))?")
_PORT = re.compile(r"freertos_\w+|__irq_vector_\w+|xPortStartFirstTask|processed_source")
"""Functions of a FreeRTOS port that switch tasks, ours and the stock one."""


@dataclass(frozen=True)
class Symbol:
    """An address, and the bytes that belong to it, at least one."""

    address: int
    size: int


@dataclass(frozen=True)
class Program:
    """What is known of a hart's ELF file."""

    elf: Path

    @cached_property
    def symbols(self) -> dict[str, Symbol]:
        """Functions, variables and labels by name; empty if the file has none or is no ELF file."""
        try:
            with self.elf.open("rb") as file:
                table = ELFFile(file).get_section_by_name(".symtab")
                if not isinstance(table, SymbolTableSection):
                    return {}
                return {
                    one.name: Symbol(one["st_value"], max(1, one["st_size"]))
                    for one in table.iter_symbols()
                    if one.name
                    and one["st_info"]["type"] in ("STT_FUNC", "STT_OBJECT", "STT_NOTYPE")
                    and one["st_shndx"] != "SHN_UNDEF"
                }
        except (OSError, ELFError):
            return {}  # the simulator says what is wrong with it

    @cached_property
    def tasks(self) -> tasks.Tasks | None:
        """Where its kernel keeps tasks; None without a kernel."""
        return tasks.find(self.elf)

    def port(self) -> list[range]:
        """The code by which its kernel switches tasks."""
        found = (one for name, one in self.symbols.items() if _PORT.fullmatch(name) and one.size > 1)
        return [range(one.address, one.address + one.size) for one in found]


@dataclass(frozen=True)
class Event:
    """One event.

    Attributes:
        text: As the user wrote it; with several harts it names the hart, always.
        kind: Of `FORMS`.
        hart: Whose it is; a signal has none.
        number: Of the line, the interrupt or the marker.
        name: Of the signal or the task.
        address: Of the instruction, or the first one of what is accessed.
        size: Bytes of what is accessed.
        value: That is stored; None: any.
        places: Further instructions; the event happens at any of them. None if there are none.
    """

    text: str
    kind: str
    hart: int = 0
    number: int = 0
    name: str = ""
    address: int = 0
    size: int = 1
    value: int | None = None
    places: tuple[int, ...] | None = None

    def __str__(self) -> str:
        return self.text

    def to_json(self) -> dict[str, object]:
        """For the simulator."""
        names = ("kind", "hart", "number", "name", "address", "size", "value", "places")
        made = {name: getattr(self, name) for name in names}
        return {name: value for name, value in made.items() if value is not None}


@dataclass(frozen=True)
class Span:
    """A span that is to be measured.

    Attributes:
        name: In results.
        start: Where it begins.
        end: Where it ends.
        budget: The first one that takes more ends the run; None without.
    """

    name: str
    start: Event
    end: Event
    budget: int | None = None

    def to_json(self) -> dict[str, object]:
        """For the simulator."""
        made: dict[str, object] = {"name": self.name, "from": self.start.to_json(), "to": self.end.to_json()}
        return made if self.budget is None else made | {"budget": self.budget}

    def command(self) -> list[str]:
        """Words of the command line of `trapeze run`."""
        words = ["--from", str(self.start), "--to", str(self.end), "--name", self.name]
        return words if self.budget is None else [*words, "--budget", f"{self.name}={self.budget}"]


@dataclass(frozen=True)
class Until:
    """What ends a run: the `count`th end of a span, by its name, or the `count`th time that an event comes."""

    what: str | Event
    count: int = 1

    def to_json(self) -> dict[str, object]:
        """For the simulator."""
        what = {"event": self.what.to_json()} if isinstance(self.what, Event) else {"span": self.what}
        return what | {"count": self.count}

    def __str__(self) -> str:
        return str(self.what) if self.count == 1 else f"{self.what}={self.count}"


def kernels(
    programs: Sequence[Program], *, port: bool, lists: bool = False, stacks: bool = False, waits: bool = False
) -> list[dict[str, object]]:
    """What the simulator has to know of the kernels of harts, for events of tasks and for timelines.

    Args:
        programs: Of each hart.
        port: With the code that switches tasks.
        lists: With lists of tasks.
        stacks: With where stacks begin.
        waits: With what tasks wait for.
    """
    made = []
    for hart, program in enumerate(programs):
        if (found := program.tasks) is None:
            continue
        one: dict[str, object] = {"hart": hart, **found.to_json(lists=lists, stack=stacks, ready=port, waits=waits)}
        if port:
            one["port"] = [[code.start, code.stop] for code in program.port()]
        made.append(one)
    return made


def programs_of(elf: Path, others: Sequence[Path], harts: int) -> list[Program]:
    """The program of each hart: one alone is every hart's."""
    if others:
        return [Program(one) for one in (elf, *others)]
    return [Program(elf)] * harts


def _address(text: str, program: Program) -> Symbol:
    """What `SYMBOL[+N]` or a number stands for."""
    if (number := _number(text)) is not None:
        return _in_memory(text, Symbol(number, 1))
    parts = _PLACE.fullmatch(text)
    if parts is None:
        raise TrapezeError("there is no symbol; name a function, a variable or an address")
    name, behind = parts["symbol"], parts["offset"] or "0"
    offset = int(behind, 16 if behind[:2].lower() == "0x" else 10)
    found = Symbol(number, 1) if (number := _number(name)) is not None else program.symbols.get(name)
    if found is None:
        near = difflib.get_close_matches(name, program.symbols, n=NEAR, cutoff=0.5)
        hint = f"the nearest are {', '.join(near)}" if near else "`riscv64-unknown-elf-nm` lists its symbols"
        raise TrapezeError(f"{program.elf.name} has no symbol '{name}'; {hint}")
    return _in_memory(text, Symbol(found.address + offset, max(1, found.size - offset)))


def _in_memory(text: str, place: Symbol) -> Symbol:
    """Refuse what is below the first address or behind the last one."""
    if not 0 <= place.address <= LAST:
        raise TrapezeError(f"'{text}' is no address; they are 0 to {LAST:#x}")
    return place


def _number(text: str) -> int | None:
    """A number as in C, None if it is none."""
    try:
        return int(text, 0)
    except ValueError:
        return None


Values = dict[str, Any]
"""Fields of an `Event`."""


def _pc(what: str, program: Program) -> Values:
    return {"address": _address(what, program).address}


def _access(what: str, program: Program) -> Values:
    place = _address(what, program)
    return {"address": place.address, "size": place.size}


def _store(what: str, program: Program) -> Values:
    place, equals, value = what.partition("=")
    if not equals:
        return _access(place, program)
    number = _number(value)
    if number is None:
        raise TrapezeError(f"'{value}' is no value; give a number")
    return {**_access(place, program), "value": number & 0xFFFF_FFFF}


def _task(what: str, program: Program) -> Values:
    """A task of the kernel, or a bound one: BOUND_TASK_WAIT() has a symbol wherever such a task goes on."""
    woken = [one.address for name, one in program.symbols.items() if name.startswith(f"{what}.woken.")]
    if what and woken:
        return {"kind": "pc", "address": woken[0], "places": tuple(woken[1:]) or None}
    if program.tasks is None:
        raise TrapezeError(
            f"{program.elf.name} has no FreeRTOS, or no debug information that says where its tasks are, and no bound "
            "task of this name; build it with `trapeze cc --rtos -g`, or give another event"
        )
    if not what:
        raise TrapezeError("there is no name of a task")
    return {"name": what}


def _plain(what: str, _program: Program) -> Values:
    if (number := _number(what)) is None or not 0 <= number < 2**32:
        raise TrapezeError(f"'{what}' is no number")
    return {"number": number}


def _marker(what: str, program: Program) -> Values:
    values = _plain(what, program)
    if not 0 < values["number"] <= MARKERS:
        raise TrapezeError(f"markers are 1 to {MARKERS}")
    return values


_RESOLVE: Mapping[str, Callable[[str, Program], Values]] = {
    "edge": _plain,
    "claim": _plain,
    "pc": _pc,
    "marker": _marker,
    "store": _store,
    "load": _access,
    "task": _task,
}


def parse(text: str, option: str, programs: Sequence[Program]) -> Event:
    """An event as a user writes it.

    Args:
        text: Of the command line.
        option: That it stands behind, for messages.
        programs: Of each hart.

    Raises:
        TrapezeError: what is wrong with it: the kind, the hart, a name that is not there.
    """
    kind, colon, what = text.partition(":")
    try:
        if kind not in FORMS or not colon:
            raise TrapezeError(f"there is no such event; {choices(kind, FORMS)}")
        if kind == "signal":
            return signal(what)
        hart = 0
        if (found := _HART.fullmatch(what)) is not None:
            hart, what = int(found[1]), found[2]
        return _resolved(text, kind, what, hart, programs)
    except TrapezeError as error:
        raise _refused(text, kind, option, error) from None


def of_hart(kind: str, what: str, hart: int, programs: Sequence[Program], option: str) -> Event:
    """An event that is known by its parts.

    Args:
        kind: Of `FORMS`, but for `signal`.
        what: The symbol, the number, the name.
        hart: Whose it is.
        programs: Of each hart.
        option: That asks for it, for messages.

    Raises:
        TrapezeError: the hart, or a name, is not there.
    """
    text = f"{kind}:{hart}:{what}" if hart else f"{kind}:{what}"
    try:
        return _resolved(text, kind, what, hart, programs)
    except TrapezeError as error:
        raise _refused(text, kind, option, error) from None


def signal(name: str) -> Event:
    """The rise of a signal."""
    return Event(f"signal:{name}", "signal", name=name)


def _resolved(text: str, kind: str, what: str, hart: int, programs: Sequence[Program]) -> Event:
    if hart >= len(programs):
        last = len(programs) - 1
        raise TrapezeError(f"there is no hart {hart}; use {f'0 to {last}' if last else '0'}")
    shown = f"{kind}:{hart}:{what}" if len(programs) > 1 else text
    values: Values = {"kind": kind, "hart": hart}
    return Event(shown, **(values | _RESOLVE[kind](what, programs[hart])))


def _refused(text: str, kind: str, option: str, error: TrapezeError) -> TrapezeError:
    form = FORMS.get(kind)
    return TrapezeError(f"{option} {text}: {error}" + (f"; use {form}" if form else ""))
