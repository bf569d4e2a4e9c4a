# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Why an interrupt took as long as it did: where the cycles from its edge to its marker went, each part by name.

Read from the trace of the run and the interrupt's stamps (design, section 4). The parts add up to the latency:

    wait         before the core left the program, beyond the one cycle of a controller: something masked it, an
                 instruction did not end, or no register bank was free
    controller   the cycle in which the line is sampled
    entry        until the fetch of the handler's first instruction (a table entry, fetched first)
    nested       spent in handlers of other interrupts meanwhile
    save         everything else up to the marker: fetch, saved registers, dispatch
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from trapeze.common.errors import TrapezeError
from trapeze.platform.isa import Csr
from trapeze.simulation.records import FATES, Stamps
from trapeze.simulation.traces import Raised, Record, Retired, Taken

CONTROLLER = 1
"""Cycles from the first sample of a line to its interrupt's entry where nothing keeps it back."""

THRESHOLD = f"{Csr.MINTTHRESH:#x}"
"""mintthresh, which listings have by number, as objdump has."""

MASKS = ("mstatus", THRESHOLD, "mie")
RETURNS = ("mret", "emret")
MIE = 0x8
SAVE = "save"
"""Name of the part behind the entry, where nothing else is said."""

LONG = 4
"""Cycles from one instruction to the next that are worth a word."""

NAMED = 3
"""Instructions that are named as the difference between two cases."""

HISTORY = 50_000
"""Cycles in front of an edge in which what masks interrupts then is looked for."""

BEFORE = 12
"""Lines of a trace in front of the edge that are worth reading."""


@dataclass(frozen=True)
class Cause:
    """A part of a latency: its name, its cycles, and what it was."""

    part: str
    cycles: int
    what: str

    def __str__(self) -> str:
        return f"{self.part} {self.cycles}" + (f" ({self.what})" if self.what else "")


def _place(pc: int, named: Sequence[tuple[range, str]]) -> str:
    for where, name in named:
        if pc in where:
            return f"{name}+{pc - where.start:#x}" if pc > where.start else name
    return f"{pc:#x}"


def _masks(one: Retired) -> bool:
    """Whether an instruction may have masked or unmasked interrupts."""
    return one.name in RETURNS or (one.csr is not None and one.csr.name in MASKS)


def _closes(one: Retired) -> bool:
    """Whether an instruction keeps interrupts back from now on."""
    if one.name in RETURNS or one.csr is None:
        return False
    if one.csr.name == "mstatus":
        return not one.csr.value & MIE
    return one.csr.name == THRESHOLD and one.csr.value != 0


def _cause(one: Taken | Raised) -> str:
    """What a handler is of."""
    return one.name if isinstance(one, Taken) else f"exception: {one.name}"


def _masked(past: Sequence[Record], opening: Retired, named: Sequence[tuple[range, str]]) -> str:
    """Who kept interrupts back until an instruction let them through."""
    end = f"until `{opening.text}` at {_place(opening.pc, named)}"
    for one in reversed(past):
        if isinstance(one, Taken | Raised):
            return f"masked by the handler of {_cause(one)}, {end}"
        if isinstance(one, Retired) and _masks(one) and one is not opening and _closes(one):
            return f"masked since `{one.text}` at {_place(one.pc, named)} in cycle {one.cycle}, {end}"
    return f"masked {end}"


def _waited(trace: Sequence[Record], stamps: Stamps, taken: int, named: Sequence[tuple[range, str]]) -> str:
    """What kept the core from leaving the program at once."""
    during = [one for one in trace if stamps.t0 <= one.cycle <= taken]
    openings = [one for one in during if isinstance(one, Retired) and _masks(one)]
    if openings:
        opening = openings[-1]
        return _masked(trace[: trace.index(opening)], opening, named)
    others = [one for one in during if isinstance(one, Taken) and one.cycle < taken]
    if others:
        still = not any(isinstance(one, Retired) and others[-1].cycle + 1 < one.cycle < taken for one in trace)
        return f"behind {others[-1].name}, which came first" + (", and until a register bank was free" if still else "")
    retired = [one for one in trace if isinstance(one, Retired)]
    after = next((one for one in retired if one.cycle >= taken), None)
    before = [one for one in retired if one.cycle < taken]
    if before and taken - before[-1].cycle > CONTROLLER + 1:
        held = after if after is not None and after.cycle <= taken + 1 else before[-1]
        return f"nothing ended for {taken - before[-1].cycle} cycles: behind `{held.text}` at {_place(held.pc, named)}"
    return f"in {_place(before[-1].pc, named)}" if before else ""


def _nested(trace: Sequence[Record], taken: int, marker: int) -> list[Cause]:
    """Other interrupts between the entry and the marker, each until its handler returned."""
    found: list[Cause] = []
    open_: list[Taken] = []
    for one in trace:
        if not taken < one.cycle < marker:
            continue
        if isinstance(one, Taken):
            open_.append(one)
        elif isinstance(one, Retired) and one.goes_on_to:
            # An emret that went on to the interrupt on top: what ended is the one below, or the handler itself.
            if len(open_) > 1:
                del open_[-2]
        elif isinstance(one, Retired) and one.name in RETURNS and open_:
            begun = open_.pop()
            if not open_:
                found.append(Cause("nested", one.cycle - begun.cycle, begun.name))
    return found


def explain(
    stamps: Stamps, trace: Iterable[Record], named: Sequence[tuple[range, str]], last: str = SAVE
) -> list[Cause]:
    """The parts of a latency.

    Args:
        stamps: Of the interrupt, all of them known.
        trace: Of the run, from before the edge on.
        named: The functions of the program.
        last: Name of the last part.

    Raises:
        TrapezeError: the interrupt was not taken, or its marker not reached.
    """
    if stamps.taken is None or stamps.tf is None or stamps.tx is None:
        raise TrapezeError(f"the interrupt of cycle {stamps.t0} did not reach its marker", 1)
    taken = stamps.taken
    known = [one for one in trace if one.cycle <= stamps.tx + 1]
    wait = taken - stamps.t0 - CONTROLLER
    causes = [Cause("wait", wait, _waited(known, stamps, taken, named))] if wait > 0 else []
    causes.append(Cause("controller", min(CONTROLLER, taken - stamps.t0), ""))
    if stamps.tf > taken:
        causes.append(Cause("entry", stamps.tf - taken, "the vector table's entry is fetched"))
    nested = _nested(known, taken, stamps.tx)
    causes += nested
    save = stamps.tx - stamps.tf - sum(one.cycles for one in nested)
    count = sum(isinstance(one, Retired) and stamps.tf < one.cycle <= stamps.tx for one in known)
    causes.append(Cause(last, save, f"{count} instructions before the marker" if count else "fetch and decode"))
    return causes


def _kept_back(past: Sequence[Record], named: Sequence[tuple[range, str]]) -> str:
    """What keeps an interrupt back that was not taken."""
    for one in reversed(past):
        if isinstance(one, Taken):
            return f"the handler of {one.name} runs"
        if isinstance(one, Retired) and _masks(one):
            since = f"since `{one.text}` at {_place(one.pc, named)} in cycle {one.cycle}"
            if _closes(one):
                return f"masked {since}"
            break
    return "nothing masks it: it is not enabled, or of no higher level than what runs, or its pulse was too short"


def so_far(stamps: Stamps, trace: Iterable[Record], named: Sequence[tuple[range, str]], end: int) -> list[Cause]:
    """The parts of the time from the edge of an interrupt without a marker to a cycle.

    Args:
        stamps: Of the interrupt.
        trace: Of the run, from before the edge to that cycle.
        named: The functions of the program.
        end: The cycle.
    """
    if stamps.taken is None or stamps.taken >= end:
        known = [one for one in trace if one.cycle <= end]
        return [Cause("wait", end - stamps.t0, _kept_back(known, named))]
    *causes, last = explain(replace(stamps, tf=stamps.tf or end, tx=end), trace, named)
    what = f"{last.what}; {FATES[stamps.fate]}".removeprefix("; ")
    return [*causes, Cause(last.part, last.cycles, what)]


@dataclass(frozen=True)
class Step:
    """An instruction between two others, and the cycles since the one before it retired.

    Attributes:
        part: Its function; or `entry of ...`, if it is the first one of an interrupt's handler.
        what: The instruction and its place.
        cycles: With what kept the core from it.
    """

    part: str
    what: str
    cycles: int


def steps(trace: Iterable[Record], begin: int, end: int, named: Sequence[tuple[range, str]]) -> list[Step]:
    """The instructions from the one that executes in a cycle, it excluded, to the one that does in another, included.

    Args:
        trace: Of the run.
        begin: Cycle in which the first of them executes; or in which something else begins.
        end: Cycle in which the other one does; it retires one cycle later.
        named: The functions of the program.
    """
    found = []
    places: dict[int, str] = {}
    last, entered = begin + 1, ""
    for one in trace:
        if isinstance(one, Taken):
            if begin < one.cycle <= end:
                entered = f"entry of {one.name}"
        elif isinstance(one, Retired) and begin + 1 < one.cycle <= end + 1:
            place = places[one.pc] if one.pc in places else places.setdefault(one.pc, _place(one.pc, named))
            found.append(Step(entered or place.partition("+")[0], f"`{one.text}` at {place}", one.cycle - last))
            last, entered = one.cycle, ""
    return found


def parts(found: Sequence[Step]) -> list[Cause]:
    """By function, in the order of their appearance; an instruction that took long is named."""
    names = dict.fromkeys(one.part for one in found)
    causes = []
    for name in names:
        inside = [one for one in found if one.part == name]
        longest = max(inside, key=lambda one: one.cycles)
        named = longest.cycles >= LONG and len(inside) > 1
        what = f"{longest.cycles} until {longest.what}" if named else ""
        causes.append(Cause(name, sum(one.cycles for one in inside), what))
    return causes


def more(worst: Sequence[Step], best: Sequence[Step]) -> str:
    """Where one took longer than another one: the instructions with the largest differences, and the rest."""
    longer: Counter[str] = Counter()
    for one in worst:
        longer[one.what] += one.cycles
    for one in best:
        longer[one.what] -= one.cycles
    top = [(what, cycles) for what, cycles in longer.most_common(NAMED) if cycles > 0]
    rest = sum(longer.values()) - sum(cycles for _, cycles in top)
    return ", ".join(
        [
            *(f"{cycles} for {what}" for what, cycles in top),
            *([f"{abs(rest)} {'less ' if rest < 0 else ''}elsewhere"] if rest else []),
        ]
    )


def said(causes: Sequence[Cause]) -> str:
    """In one line."""
    return ", ".join(map(str, causes))


def excerpt(lines: Sequence[str], stamps: Stamps) -> list[str]:
    """The lines of a listing, which begin with their cycle, from shortly before the edge up to the marker."""
    last = (stamps.tx or stamps.t0) + 1
    words = [line.split(maxsplit=1)[:1] for line in lines]
    cycles = [(number, int(one[0])) for number, one in enumerate(words) if one and one[0].isdecimal()]
    inside = [number for number, cycle in cycles if stamps.t0 <= cycle <= last]
    if not inside:
        return []
    return [line.rstrip() for line in lines[max(0, inside[0] - BEFORE) : inside[-1] + 1] if line.strip()]
