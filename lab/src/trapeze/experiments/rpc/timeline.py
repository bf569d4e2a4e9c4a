# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Where the instructions of a call are: by function for a reason, and as a timeline for Perfetto.

Format: the Trace Event Format (Chromium project), complete events; one microsecond is one instruction of each hart.
"""

from __future__ import annotations

import bisect
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from trapeze.experiments.rpc.critical_path import BESIDE, LINUX, Step
from trapeze.simulation.traces import Record, Retired

Functions = Sequence[tuple[range, str]]

HARTS = {LINUX: "hart 0: Linux", BESIDE: "hart 1: FreeRTOS and the job"}
CALL = 2
"""Process of the timeline that shows the stages."""

_SUPERVISOR = 1 << 63
"""Linux' own addresses have this bit."""

_IDLE = ("prvIdleTask", "prvCheckTasksWaitingTermination")
SAID = 5
"""Functions that a reason names."""


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
    """The functions with the most instructions of a stage; empty where nothing of it was traced."""
    count: Counter[str] = Counter()
    for one in path:
        if one.stage == stage and one.pc is not None:
            count[places.function(one.hart, one.pc)] += one.end - one.begin
    parts = [f"{name} {cycles}" for name, cycles in count.most_common(SAID)]
    rest = count.total() - sum(cycles for _, cycles in count.most_common(SAID))
    return ", ".join([*parts, *([f"others {rest}"] if rest else [])])


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


def timeline(trace: Sequence[Record], path: Sequence[Step], places: Places) -> str:
    """The content of a trace file: what both harts do, and the stages of the call.

    Args:
        trace: Of both harts, whole.
        path: Of the call in it.
        places: What is where.
    """
    events = _meta(CALL, "the call", ["stages"])
    events += _slices(CALL, 1, ((one.begin, one.end, one.stage) for one in path))
    for hart, name in HARTS.items():
        events += _meta(hart, name, ["programs", "functions"])
        own = [one for one in trace if isinstance(one, Retired) and one.hart == hart]
        for track, of in enumerate((places.place, places.function), 1):
            # One that was waited for begins where it is executed: the hart slept.
            events += _slices(hart, track, ((one.cycle - 1, one.cycle, of(hart, one.pc)) for one in own))
    other = {"unit": "1 us is 1 instruction"}
    return json.dumps({"displayTimeUnit": "ns", "otherData": other, "traceEvents": events}, indent=0) + "\n"
