# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Timeline of one context switch for Perfetto: its stages, the functions it passes, its instructions.

Format: the Trace Event Format (Chromium project), complete events; one microsecond is one clock cycle. An instruction's
slice ends in the cycle of its retirement and begins where the one before it retired.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import groupby, pairwise
from typing import Any

from trapeze.simulation.traces import Retired

TRACKS = ("stages", "functions", "instructions")


def _slice(track: str, start: int, end: int, name: str, **details: str) -> dict[str, Any]:
    where = {"ph": "X", "pid": 1, "tid": TRACKS.index(track) + 1}
    return {**where, "ts": start, "dur": end - start, "name": name, "args": {"cycles": str(end - start), **details}}


def _function(pc: int, named: Sequence[tuple[range, str]]) -> str:
    return next((name for where, name in named if pc in where), f"{pc:#x}")


def timeline(
    title: str, switch: Sequence[Retired], stages: Mapping[str, int], named: Sequence[tuple[range, str]]
) -> str:
    """The content of a trace file.

    Args:
        title: Of the whole.
        switch: Its instructions, the markers around it included.
        stages: Cycles of each stage, in order.
        named: The functions of the program.
    """
    meta = [("process_name", 0, title), *(("thread_name", tid, name) for tid, name in enumerate(TRACKS, 1))]
    events: list[dict[str, Any]] = [
        {"ph": "M", "pid": 1, "tid": tid, "name": kind, "args": {"name": name}} for kind, tid, name in meta
    ]
    at = switch[0].cycle
    for name, cycles in stages.items():
        events.append(_slice("stages", at, at + cycles, f"{name}: {cycles}"))
        at += cycles
    steps = list(pairwise(switch))
    for function, run in groupby(steps, lambda step: _function(step[1].pc, named)):
        inside = list(run)
        events.append(_slice("functions", inside[0][0].cycle, inside[-1][1].cycle, function))
    for before, one in steps:
        events.append(_slice("instructions", before.cycle, one.cycle, one.text, pc=f"{one.pc:#x}"))
    other = {"unit": "1 us is 1 clock cycle"}
    return json.dumps({"displayTimeUnit": "ns", "otherData": other, "traceEvents": events}, indent=0) + "\n"
