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
from dataclasses import dataclass, field, replace
from itertools import pairwise

from trapeze.common.errors import TrapezeError
from trapeze.explaining.controller import MACHINE
from trapeze.explaining.gates import Gate, Source, Stretch
from trapeze.explaining.replay import RETURNS, Replay, asks, chained
from trapeze.simulation.records import FATES, Stamps
from trapeze.simulation.traces import Edge, Judged, Raised, Record, Retired, Taken, TaskState

CONTROLLER = 1
"""Cycles from the first sample of a line to its interrupt's entry where nothing keeps it back."""

ENTRY = 3
"""Cycles from an interrupt to the fetch of its handler, in which no other one is taken."""

SAVE = "save"
"""Default name of the part after the entry."""

LONG = 4
"""Cycles from one instruction to the next that are worth a word."""

QUIET = 100
"""Cycles without an instruction that say that the core sleeps, or never gets an answer."""

NAMED = 3
"""Instructions that are named as the difference between two cases."""

HISTORY = 50_000
"""Cycles in front of an edge in which what masks interrupts then is looked for, where it is far from the reset."""

WHOLE = 200_000
"""Up to this cycle an edge is looked at with everything since the reset."""

BEFORE = 12
"""Lines of a trace in front of the edge that are worth reading."""


@dataclass(frozen=True)
class Cause:
    """A part of a latency: its name, its cycles, and what it was.

    Attributes:
        part: Its name.
        cycles: How many.
        what: It was, in words.
        gate: Of a wait: what was shut in each of its cycles; None: nothing was.
        begin: Of a wait: its first cycle.
    """

    part: str
    cycles: int
    what: str
    gate: Gate | None = field(default=None, compare=False)
    begin: int = field(default=0, compare=False)

    def __str__(self) -> str:
        return f"{self.part} {self.cycles}" + (f" ({self.what})" if self.what else "")


def _place(pc: int, named: Sequence[tuple[range, str]]) -> str:
    for where, name in named:
        if pc in where:
            return f"{name}+{pc - where.start:#x}" if pc > where.start else name
    return f"{pc:#x}"


def trace_start(cycle: int) -> int:
    """The cycle from which on a run is traced that shows why an edge took long: 0 is the reset."""
    return 0 if cycle <= WHOLE else cycle - HISTORY


def _cause(one: Taken | Raised) -> str:
    """What a handler is of."""
    return one.name if isinstance(one, Taken) else f"exception: {one.name}"


def _by(one: Record, verb: str, named: Sequence[tuple[range, str]]) -> str:
    """Who did something to a gate: `verb` says when in relation to it."""
    if isinstance(one, Retired):
        return f"{verb} `{one.text}` at {_place(one.pc, named)} in cycle {one.cycle}"
    if isinstance(one, Edge):
        return f"{verb} line {one.line} {'rose' if one.high else 'fell'} in cycle {one.cycle}"
    if isinstance(one, Taken | Raised):
        return f"{verb} the handler of {_cause(one)} began in cycle {one.cycle}"
    return f"{verb} memory protection had an answer in cycle {one.cycle}"


HELD = {Gate.ENABLE: "not enabled in the controller", Gate.PENDING: "not pending", Gate.MODE: "in machine mode"}
"""What an interrupt is that a gate keeps back; else it is masked."""

FRAME = "memory protection searches whether its frame may be stored"


def _went_on(trace: Sequence[Record], cycle: int) -> Retired | None:
    """The instruction that went on to the interrupt taken in a cycle, if one did: then gates did not open before."""
    for place, one in enumerate(trace):
        if isinstance(one, Taken) and one.cycle == cycle:
            return chained(trace, place)
        if isinstance(one, Retired) and one.cycle == cycle + 1 and asks(one):
            return one
    return None


def _machine(trace: Sequence[Record], held: Stretch, named: Sequence[tuple[range, str]]) -> str:
    """Where machine mode was in a stretch: the function with most instructions."""
    ran = (one for one in trace if isinstance(one, Retired) and one.mode == MACHINE)
    places = Counter(_place(one.pc, named).partition("+")[0] for one in ran if held.begin <= one.cycle <= held.end)
    return f": {places.most_common(1)[0][0]}" if places else ""


def _searched(held: Stretch, named: Sequence[tuple[range, str]]) -> str:
    """Why an interrupt waited for memory protection."""
    if held.shut is None or held.shut.by is None or isinstance(held.shut.by, Judged):
        return FRAME
    verb = "by" if isinstance(held.shut.by, Retired) else "when"
    return f"{FRAME}: {held.shut.what} {_by(held.shut.by, verb, named)}"


def _masked(trace: Sequence[Record], held: Stretch, named: Sequence[tuple[range, str]], went_on: Retired | None) -> str:
    """The instructions that shut a gate and opened it; `went_on`: the one that chained to the interrupt instead."""
    if held.gate is Gate.FRAME:
        return _searched(held, named)
    words = HELD.get(held.gate or Gate.MIE, "masked")
    if held.gate is Gate.MODE:
        words += _machine(trace, held, named)
    by = held.shut.by if held.shut is not None else None
    if by is None:
        words += " since reset"
    elif isinstance(by, Taken | Raised) and held.gate is Gate.MODE:
        words += f", since {_cause(by)} in cycle {by.cycle}"
    elif isinstance(by, Taken | Raised):
        words += f" by the handler of {_cause(by)}"
    else:
        words += f" {_by(by, 'since', named)}"
    if held.opened is not None and held.opened.by is not None:
        words += f", {_by(held.opened.by, 'until', named)}"
    elif went_on is not None:
        words += f", {_by(went_on, 'until', named)}, which went on to it"
    what = held.shut.what if held.shut is not None else ""
    if held.gate is Gate.MIE and isinstance(by, Retired) and by.csr is not None:
        what = ""  # the instruction says it
    return f"{words}: {what}" if what else words


def _asleep(trace: Sequence[Record], begin: int, end: int, named: Sequence[tuple[range, str]]) -> str:
    """In which part of a wait the core was asleep, beside a gate that was shut."""
    retired = [one for one in trace if isinstance(one, Retired)]
    for before, one in pairwise(retired):
        if one.name == "wfi" and begin < one.cycle and before.cycle < end and one.cycle - before.cycle > LONG:
            return f"; asleep in `wfi` at {_place(one.pc, named)} until cycle {one.cycle}"
    last = retired[-1].cycle if retired else end
    return f"; no instruction ended since cycle {last}" if end - max(begin, last) > QUIET else ""


def _free(trace: Sequence[Record], begin: int, end: int, named: Sequence[tuple[range, str]]) -> str:
    """What the core did in cycles in which no gate was shut."""
    raised = [one for one in trace if isinstance(one, Raised) and one.cycle == end]
    if raised:
        return f"behind {_cause(raised[0])}, which came first"
    others = [one for one in trace if isinstance(one, Taken) and one.cycle < end]
    retired = [one for one in trace if isinstance(one, Retired)]
    if others:
        last = others[-1]
        first = next((one for one in retired if one.cycle > last.cycle + 1), None)
        begun = first is not None and first.cycle < end
        if last.cycle + 1 >= begin or not begun:
            came = f"behind {last.name}, which came first"
            return came + ("" if begun or end - last.cycle <= ENTRY else ", and until a register bank was free")
    before = [one for one in retired if one.cycle <= begin + 1]
    after = next((one for one in retired if one.cycle >= end), None)
    last_before = next((one for one in reversed(retired) if one.cycle < end), None)
    if last_before is not None and end - last_before.cycle > CONTROLLER + 1:
        held = after if after is not None and after.cycle <= end + 1 else last_before
        where = f"`{held.text}` at {_place(held.pc, named)}"
        if held.name == "wfi":
            return f"asleep in {where}"
        return f"nothing ended for {end - last_before.cycle} cycles: behind {where}"
    return f"in {_place(before[-1].pc, named)}" if before else ""


def _waited(
    trace: Sequence[Record],
    begin: int,
    end: int,
    source: Source | None,
    named: Sequence[tuple[range, str]],
    taken: bool = True,
) -> list[Cause]:
    """What kept the core from leaving the program, from a cycle up to another one, each reason by itself.

    `taken`: it did so then.
    """
    gates = Replay(source).run(trace)
    causes = []
    for one in gates.stretches(begin, end):
        if one.gate is None:
            unknown = gates.unknown(one.begin, end, taken) if source is not None else []
            what = f"not known: the trace begins too late to tell {', '.join(unknown)}" if unknown else ""
            what = what or _free(trace, one.begin, one.end, named)
        else:
            what = _masked(trace, one, named, _went_on(trace, end) if one.end == end and one.opened is None else None)
            what += _asleep(trace, one.begin, one.end, named)
        causes.append(Cause("wait", one.end - one.begin, what, gate=one.gate, begin=one.begin))
    return causes


def _nested(trace: Sequence[Record], taken: int, marker: int) -> list[tuple[int, int, str]]:
    """Other interrupts between the entry and the marker: from their entry to the return of their handler, and a name.

    Of a handler that has not returned, all cycles count.
    """
    found: list[tuple[int, int, str]] = []
    open_: list[Taken | Raised] = []
    for one in trace:
        if not taken < one.cycle < marker:
            continue
        if isinstance(one, Taken | Raised):
            open_.append(one)
        elif isinstance(one, Retired) and one.goes_on_to:
            # An emret that went on to the interrupt on top: what ended is the one below, or the handler itself.
            if len(open_) > 1:
                del open_[-2]
        elif isinstance(one, Retired) and one.name in RETURNS and open_:
            begun = open_.pop()
            if not open_ and isinstance(begun, Taken):
                found.append((begun.cycle, one.cycle, begun.name))
    return [*found, *((one.cycle, marker, one.name) for one in open_[:1] if isinstance(one, Taken))]


def _handed_on(trace: Sequence[Record], taken: int, begun: int, source: Source | None) -> int:
    """When an interrupt was taken for the last time before its handler: a monitor that holds it back takes it again."""
    if source is None or source.word is None:
        return taken
    again = [one.cycle for one in trace if isinstance(one, Taken) and one.number == source.number]
    return max(one for one in (taken, *again) if one <= max(taken, begun))


def explain(
    stamps: Stamps,
    trace: Iterable[Record],
    named: Sequence[tuple[range, str]],
    last: str = SAVE,
    source: Source | None = None,
) -> list[Cause]:
    """The parts of a latency.

    Args:
        stamps: Of the interrupt, all of them known.
        trace: Of the run, from before the edge on.
        named: The functions of the program.
        last: Name of the last part.
        source: The line in its interrupt controller; None: only masks of the hart are looked at.

    Raises:
        TrapezeError: the interrupt was not taken, or its marker not reached.
    """
    if stamps.taken is None or stamps.tx is None:
        raise TrapezeError(f"the interrupt of cycle {stamps.t0} did not reach its marker", 1)
    known = [one for one in trace if one.cycle <= stamps.tx + 1]
    taken = _handed_on(known, stamps.taken, stamps.tx if stamps.tf is None else stamps.tf, source)
    begun = taken if stamps.tf is None else stamps.tf  # None: a program asked for it by xnxti, and nothing is fetched
    causes = _waited(known, stamps.t0 + CONTROLLER, taken, source, named)
    causes.append(Cause("controller", min(CONTROLLER, taken - stamps.t0), ""))
    nested = _nested(known, taken, stamps.tx)
    # One that comes before the handler's first fetch is over before it, too, and its cycles are not the entry's.
    entering = sum(min(end, begun) - begin for begin, end, _ in nested if begin < begun)
    if begun > taken:
        causes.append(Cause("entry", begun - taken - entering, "the vector table's entry is fetched"))
    causes += [Cause("nested", end - begin, name) for begin, end, name in nested]
    save = stamps.tx - begun - (sum(end - begin for begin, end, _ in nested) - entering)
    own = [one for one in known if isinstance(one, Retired) and begun < one.cycle <= stamps.tx]
    count = sum(not any(begin < one.cycle <= end for begin, end, _ in nested) for one in own)
    causes.append(Cause(last, save, f"{count} instructions before the marker" if count else "fetch and decode"))
    return causes


def explain_unmarked(
    stamps: Stamps,
    trace: Iterable[Record],
    named: Sequence[tuple[range, str]],
    end: int,
    source: Source | None = None,
) -> list[Cause]:
    """The parts of the time from the edge of an interrupt without a marker to a cycle.

    Args:
        stamps: Of the interrupt.
        trace: Of the run, from before the edge to that cycle.
        named: The functions of the program.
        end: The cycle.
        source: The line in its interrupt controller; None: only masks of the hart are looked at.
    """
    held_back = source is not None and source.word is not None and stamps.fate == "not-begun"
    if stamps.taken is None or stamps.taken >= end or held_back:
        known = [one for one in trace if one.cycle <= end]
        return _waited(known, stamps.t0, end, source, named, taken=False)
    *causes, last = explain(replace(stamps, tf=stamps.tf or end, tx=end), trace, named, source=source)
    what = f"{last.what}; {FATES[stamps.fate]}".removeprefix("; ")
    return [*causes, Cause(last.part, last.cycles, what)]


LEAD = 2_000
"""Cycles before a span in which handlers begin that run when it begins."""

ENTRY_OF = "entry of "
"""Before the name of an interrupt: the first instruction of its handler."""

HANDLERS = "interrupts"
"""The task of a step of a handler, whichever task was interrupted."""


@dataclass(frozen=True)
class Step:
    """An instruction between two others, and the cycles since the one before it retired.

    Attributes:
        part: Its function; or `entry of ...`, if it is the first one of an interrupt's handler.
        what: The instruction and its place.
        cycles: With what kept the core from it.
        task: That it belongs to, or `HANDLERS`; empty: no task is known.
        end: Cycle in which it retires.
    """

    part: str
    what: str
    cycles: int
    task: str = field(default="", compare=False)
    end: int = field(default=0, compare=False)


def steps(trace: Iterable[Record], begin: int, end: int, named: Sequence[tuple[range, str]]) -> list[Step]:
    """The instructions from the one that executes in a cycle, it excluded, to the one that does in another, included.

    Args:
        trace: Of the run, from `LEAD` cycles before on, to tell handlers that have begun.
        begin: Cycle in which the first of them executes; or in which something else begins.
        end: Cycle in which the other one does; it retires one cycle later.
        named: The functions of the program.
    """
    found = []
    places: dict[int, str] = {}
    last, entered, task, depth = begin + 1, "", "", 0
    for one in trace:
        if isinstance(one, TaskState):
            task = one.task if one.state == "runs" and one.cycle <= end + 1 else task
        elif isinstance(one, Taken | Raised):
            depth += one.cycle <= end
            if isinstance(one, Taken) and begin < one.cycle <= end:
                entered = ENTRY_OF + one.name
        elif isinstance(one, Retired) and one.cycle <= end + 1:
            whose = task and (HANDLERS if depth else task)
            # An interrupt to which a handler goes on has been taken before, so that each return ends one. A task that
            # yields leaves to the next one by a return, too.
            depth = max(0, depth - (one.name in RETURNS))
            if one.cycle <= begin + 1:
                continue
            place = places[one.pc] if one.pc in places else places.setdefault(one.pc, _place(one.pc, named))
            part = entered or place.partition("+")[0]
            found.append(Step(part, f"`{one.text}` at {place}", one.cycle - last, whose, one.cycle))
            last, entered = one.cycle, ""
    return found


def parts(found: Sequence[Step]) -> list[Cause]:
    """By function, the largest first; an instruction that took long is named."""
    inside: dict[str, list[Step]] = {}
    for one in found:
        inside.setdefault(one.part, []).append(one)
    causes = []
    for name, some in inside.items():
        longest = max(some, key=lambda one: one.cycles)
        named = longest.cycles >= LONG and len(some) > 1
        what = f"{longest.cycles} until {longest.what}" if named else ""
        causes.append(Cause(name, sum(one.cycles for one in some), what))
    return sorted(causes, key=lambda one: -one.cycles)


def excess(worst: Sequence[Step], best: Sequence[Step]) -> str:
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


def sentence(causes: Sequence[Cause]) -> str:
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
