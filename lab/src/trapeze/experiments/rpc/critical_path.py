# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""A job's call as stages along its critical path, from a trace of both harts.

The path is on Linux' hart from the `ecall` to its doorbell, on the other one until that rings back, then on Linux'
again until the call has returned. In a run of the model in which harts execute an instruction each in turn, a cycle is
an instruction of the path; on engine `timed` it is a clock cycle. Each instruction has the cycles since the one before
it on its hart, so stages add up to the call: what an instruction waits for, such as a line of the cache, is its own.

What a stage is:

- instructions that manage a line of the cache, up to the branch of their loop, are of the stage of the line's region;
- interrupts of timers are of `tick`, up to the instruction that they interrupted;
- all else is of the leg of the path: `ioctl`, `spawn`, `compute`, `end`, `scheduler`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from trapeze.common.errors import TrapezeError
from trapeze.simulation.traces import Record, Retired, Stored, Taken

LINUX, BESIDE = 0, 1
"""Harts."""

MARKER_RUN, MARKER_RUN_END = 16, 17
MARKER_COMPUTE, MARKER_COMPUTE_END = 18, 19
"""bench/rpc/markers.h."""

TICK = "tick"
STAGES = (
    "flush-code",
    "flush-input",
    "invalidate-output",
    "ioctl",
    "spawn",
    "invalidate-input",
    "invalidate-unread",
    "compute",
    "flush-output",
    "flush-unwritten",
    "end",
    "invalidate-again",
    "scheduler",
    TICK,
)
"""Stages in the order of the call; those that occur anywhere come last."""

LINE = 64
"""Bytes."""

_TIMERS = ("timer", "id 5")
"""Interrupts of timers, by their names in traces: machine mode's, supervisor mode's."""


PAGE = 4096
"""Bytes."""

IOREMAP = range(0xFFFF_FFC8_0000_0000, 0xFFFF_FFD8_0000_0000)
"""Where Linux sees devices with Sv39 (Documentation/riscv/vm-layout.rst)."""


class Bell(NamedTuple):
    """A doorbell: the physical address of its register, which Linux may see by a page of its own."""

    address: int

    def rung_by(self, store: Stored) -> bool:
        """Whether a store rings it; its lowest bit is the bell."""
        seen = store.address in IOREMAP and store.address % PAGE == self.address % PAGE
        return bool(store.value & 1) and (seen or store.address == self.address)


@dataclass(frozen=True)
class Region:
    """A region of a job's descriptor: its bytes, and whether it is the code, read, or written."""

    bytes: int
    read: bool = True
    write: bool = False
    code: bool = False

    @property
    def lines(self) -> int:
        """Lines of the cache."""
        return -(-self.bytes // LINE)


Lines = Sequence[tuple[str, int]]
"""Stages of lines of the cache, as they are managed one behind the other, and how many."""


def lines_of(regions: Sequence[Region], cached: bool = True) -> dict[str, Lines]:
    """Which lines are managed in each leg of the path; `cached`: the hart beside has a cache."""

    def out(one: Region) -> str:
        return "flush-code" if one.code else "flush-input" if one.read else "invalidate-output"

    beside = regions if cached else []
    return {
        "ioctl": [(out(one), one.lines) for one in regions],
        "spawn": [("invalidate-input" if one.read else "invalidate-unread", one.lines) for one in beside],
        "end": [("flush-output" if one.write else "flush-unwritten", one.lines) for one in beside],
        "scheduler": [("invalidate-again", one.lines) for one in regions if one.write],
    }


@dataclass(frozen=True)
class Leg:
    """A part of the path on one hart: its stage, and the cycles after which it begins and with which it ends."""

    stage: str
    hart: int
    begin: int
    end: int


@dataclass(frozen=True)
class Step:
    """An instruction of the path: its stage, its hart, the cycle of the one before it, its own, and its address.

    If no record of a leg was traced there is no address.
    """

    stage: str
    hart: int
    begin: int
    end: int
    pc: int | None = None


def marker(trace: Sequence[Record], hart: int, number: int) -> int:
    """The cycle of the first marker of a number.

    Raises:
        TrapezeError: there is none.
    """
    for one in trace:
        if isinstance(one, Retired) and one.hart == hart and one.is_marker(number):
            return one.cycle
    raise TrapezeError(f"the trace has no marker {number} of hart {hart}", 1)


def _ring(trace: Sequence[Record], hart: int, since: int, bell: Bell) -> int:
    """The cycle in which a hart rings."""
    for one in trace:
        if not isinstance(one, Retired) or one.hart != hart or one.cycle <= since or one.store is None:
            continue
        if bell.rung_by(one.store):
            return one.cycle
    raise TrapezeError(f"hart {hart} does not ring after cycle {since}", 1)


def legs(trace: Sequence[Record], doorbells: Sequence[Bell]) -> list[Leg]:
    """The path of the one call that a trace holds.

    Args:
        trace: Of both harts.
        doorbells: Each hart's.

    Raises:
        TrapezeError: something of the call is missing.
    """
    begin, back = marker(trace, LINUX, MARKER_RUN), marker(trace, LINUX, MARKER_RUN_END)
    start, stop = marker(trace, BESIDE, MARKER_COMPUTE), marker(trace, BESIDE, MARKER_COMPUTE_END)
    rung = _ring(trace, LINUX, begin, doorbells[BESIDE])
    answered = _ring(trace, BESIDE, stop, doorbells[LINUX])
    return [
        Leg("ioctl", LINUX, begin, rung),
        Leg("spawn", BESIDE, rung, start),
        Leg("compute", BESIDE, start, stop),
        Leg("end", BESIDE, stop, answered),
        Leg("scheduler", LINUX, answered, back - 1),
    ]


def _ticks(records: Sequence[Record]) -> Iterator[tuple[Retired, bool]]:
    """The instructions of a leg, and whether each belongs to a timer's interrupt that ends within the leg."""
    at = 0
    while at < len(records):
        one = records[at]
        if isinstance(one, Taken) and one.name in _TIMERS:
            behind = range(at + 1, len(records))
            ends = (i for i in behind if isinstance(found := records[i], Retired) and found.pc == one.epc)
            end = next(ends, at + 1)
            yield from ((each, True) for each in records[at:end] if isinstance(each, Retired))
            at = end
            continue
        if isinstance(one, Retired):
            yield one, False
        at += 1


def _is_branch(one: Retired) -> bool:
    """Conditional."""
    return one.name.startswith("b")


def _steps(leg: Leg, records: Sequence[Record], lines: Lines) -> Iterator[Step]:
    """The instructions of a leg.

    Raises:
        TrapezeError: other lines are managed than there are.
    """
    each = [stage for stage, count in lines for _ in range(count)]
    managed, line, before = 0, "", leg.begin
    for one, tick in _ticks(records):
        stage = TICK if tick else line or leg.stage
        if not tick and one.name.startswith("cbo."):
            stage = line = each[managed] if managed < len(each) else leg.stage
            managed += 1
        elif not tick and line and _is_branch(one):
            line = ""
        yield Step(stage, leg.hart, before, one.cycle, one.pc)
        before = one.cycle
    if before < leg.end:
        yield Step(leg.stage, leg.hart, before, leg.end)
    if managed != len(each):
        raise TrapezeError(f"stage {leg.stage}: {managed} lines of the cache are managed, not {len(each)}", 1)


def steps(
    trace: Sequence[Record], doorbells: Sequence[Bell], regions: Sequence[Region], cached: bool = True
) -> list[Step]:
    """The path of a call, instruction by instruction; `compute` is one step.

    Args:
        trace: Of both harts, each hart's ordered by cycle; of `compute` nothing is needed but the markers.
        doorbells: Each hart's.
        regions: Of the job's descriptor.
        cached: The hart beside has a cache, so that it manages lines, too.

    Raises:
        TrapezeError: the trace holds no whole call, or one of something else.
    """
    lines = lines_of(regions, cached)
    found = []
    for leg in legs(trace, doorbells):
        if leg.stage == "compute":
            found.append(Step("compute", leg.hart, leg.begin, leg.end))
            continue
        part = [
            one
            for one in trace
            if isinstance(one, Retired | Taken) and one.hart == leg.hart and leg.begin < one.cycle <= leg.end
        ]
        found += _steps(leg, part, lines[leg.stage])
    return found


def totals(path: Sequence[Step]) -> dict[str, int]:
    """Cycles of each stage of `STAGES`; their sum is that of the call."""
    found = dict.fromkeys(STAGES, 0)
    for one in path:
        found[one.stage] += one.end - one.begin
    return found
