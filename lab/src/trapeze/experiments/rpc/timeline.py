# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Where instructions or cycles of a call are: by function for a reason, and as a timeline for Perfetto.

Format: the Trace Event Format (Chromium project), complete events; one microsecond is one cycle, which on the model is
an instruction of each hart.
"""

from __future__ import annotations

import bisect
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from trapeze.experiments.rpc.critical_path import BESIDE, LINE, LINUX, Step
from trapeze.simulation.traces import Record, Retired

Functions = Sequence[tuple[range, str]]

CALL = 1000
"""Process of the timeline that shows the stages."""

_SUPERVISOR = 1 << 63
"""Linux' own addresses have this bit."""

_IDLE = ("prvIdleTask", "prvCheckTasksWaitingTermination")
SAID = 5
"""Functions that a reason names."""

MISS = 16
"""Cycles of a miss in the first level of the cache (Saturn paper, section 5): who takes them waited."""

WAITS = ("for code", "for data or devices")


@dataclass(frozen=True)
class Places:
    """What is where: functions of the kernel, of the firmware below it and of the server, and main memory."""

    kernel: Functions
    firmware: Functions
    server: Functions
    memory: range

    def function(self, hart: int, pc: int) -> str:
        """The function of an address, or what is known of it."""
        place = self.place(hart, pc)
        tables = {"kernel": self.kernel, "firmware": self.firmware, "server": self.server}
        return _named(tables.get(place, ()), pc) or place

    def place(self, hart: int, pc: int) -> str:
        """Which program an address belongs to."""
        if hart == BESIDE:
            if pc in self.memory:
                return "job"
            return "idle" if _named(self.server, pc) in _IDLE else "server"
        if pc & _SUPERVISOR:
            return "kernel" if _named(self.kernel, pc) else "driver"
        return "firmware" if pc in self.memory else "program"


def _named(table: Functions, pc: int) -> str | None:
    at = bisect.bisect_right(table, pc, key=lambda one: one[0].start) - 1
    return table[at][1] if at >= 0 and pc in table[at][0] else None


def reason(path: Iterable[Step], stage: str, places: Places) -> str:
    """The functions with the most cycles of a stage; empty where nothing of it was traced."""
    count: Counter[str] = Counter()
    for one in path:
        if one.stage == stage and one.pc is not None:
            count[places.function(one.hart, one.pc)] += one.end - one.begin
    parts = [f"{name} {cycles}" for name, cycles in count.most_common(SAID)]
    rest = count.total() - sum(cycles for _, cycles in count.most_common(SAID))
    return ", ".join([*parts, *([f"others {rest}"] if rest else [])])


def waits(path: Sequence[Step], stage: str) -> str:
    """How many instructions of a stage took as long as a cache miss, and their cycles; empty where none was traced.

    They are told apart by whether the instruction begins another line of code than the one before it on its hart: if
    so, the code may not have been in the cache; else it waited for data, a device, a result, or the next interrupt.
    """
    before: dict[int, int | None] = {}
    count, found = 0, {True: [0, 0], False: [0, 0]}
    for one in path:
        line = None if one.pc is None else one.pc // LINE
        if one.stage == stage and one.pc is not None:
            count += 1
            if one.end - one.begin >= MISS:
                kind = found[line != before.get(one.hart)]
                kind[0] += 1
                kind[1] += one.end - one.begin
        before[one.hart] = line
    if not count:
        return ""
    parts = [f"{number} waits {what} {cycles}" for (number, cycles), what in zip(found.values(), WAITS, strict=True)]
    return f"{count} instructions, {', '.join(parts)}"


def _meta(process: int, name: str, tracks: Sequence[str]) -> list[dict[str, Any]]:
    named = [("process_name", 0, name), *(("thread_name", tid, track) for tid, track in enumerate(tracks, 1))]
    return [{"ph": "M", "pid": process, "tid": tid, "name": kind, "args": {"name": said}} for kind, tid, said in named]


def _slices(process: int, track: int, parts: Iterable[tuple[int, int, str]]) -> list[dict[str, Any]]:
    """One for each run of parts that have one name."""
    made = []
    for name, run in groupby(parts, lambda part: part[2]):
        inside = list(run)
        begin, end = inside[0][0], inside[-1][1]
        made.append({"ph": "X", "pid": process, "tid": track, "ts": begin, "dur": end - begin, "name": name})
    return made


def _spans(own: Sequence[Retired]) -> list[tuple[int, int]]:
    """First and last cycle of each instruction of a hart. One behind a wfi begins when the hart is awake again."""
    ends = [one.cycle for one in own]
    begins = [end if one.name != "wfi" else after - 1 for one, end, after in zip(own, ends, ends[1:], strict=False)]
    return list(zip([end - 1 for end in ends[:1]] + begins, ends, strict=True))


def timeline(trace: Sequence[Record], path: Sequence[Step], places: Places, unit: str = "instructions") -> str:
    """The content of a trace file: what the harts do, and the stages of the call.

    Args:
        trace: Of both harts, whole.
        path: Of the call in it.
        places: What is where.
        unit: Of the trace's cycles.
    """
    events = _meta(CALL, "the call", ["stages"])
    events += _slices(CALL, 1, ((one.begin, one.end, one.stage) for one in path))
    retired = [one for one in trace if isinstance(one, Retired)]
    for hart in sorted({LINUX, BESIDE, *(one.hart for one in retired)}):
        runs = "FreeRTOS and the job" if hart == BESIDE else "Linux"
        events += _meta(hart, f"hart {hart}: {runs}", ["programs", "functions"])
        own = [one for one in retired if one.hart == hart]
        for track, of in enumerate((places.place, places.function), 1):
            parts = ((*span, of(hart, one.pc)) for one, span in zip(own, _spans(own), strict=True))
            events += _slices(hart, track, parts)
    other = {"unit": f"1 us is 1 {unit.removesuffix('s')}"}
    return json.dumps({"displayTimeUnit": "ns", "otherData": other, "traceEvents": events}, indent=0) + "\n"
