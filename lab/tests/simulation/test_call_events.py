# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Calls of prepared jobs, found in events of a run."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from typing import Any

from rich.console import Console

from trapeze.commandline import call_report
from trapeze.common import paths
from trapeze.platform import configurations
from trapeze.simulation import calls
from trapeze.simulation.calls import Calls, in_order

MEMORY = configurations.load("amp").platform.region("dram")
LINUX, SERVER = 0, 1
WROTE, LOOKED, RANG = ("store", 1), ("load", 2), ("store", 3)


def place(channel: int, number: int, first: int) -> int:
    """The offset of a call's head (`first` 1), or of its answer's (17)."""
    return channel * 4096 + 64 * (first + number % 16)


def access(what: tuple[str, int], cycle: int, hart: int, offset: int, value: int) -> dict[str, Any]:
    return {what[0]: what[1], "cycle": cycle, "hart": hart, "offset": offset, "value": value}


def rings(cycle: int, channel: int, number: int) -> list[dict[str, Any]]:
    """A program writes a call and rings; the handle stands above the number."""
    return [
        access(WROTE, cycle - 5, LINUX, place(channel, number, 1), 3 << 32 | number),
        access(RANG, cycle, LINUX, channel * 4096, 1),
    ]


def interrupt(cycle: int, hart: int = SERVER, name: str = "line 11") -> dict[str, Any]:
    return {"interrupt": name, "cycle": cycle, "hart": hart}


def user(cycle: int, on: bool, pc: int = MEMORY.base + 0x100000) -> dict[str, Any]:
    return {"user": on, "cycle": cycle, "hart": SERVER} | ({"pc": pc} if on else {})


def answer(cycle: int, channel: int, number: int) -> dict[str, Any]:
    return access(("store", 0), cycle, SERVER, place(channel, number, 17), number)


def look(cycle: int, channel: int, number: int) -> dict[str, Any]:
    """A program's load from a place of an answer, which sees it, or an older one."""
    return access(LOOKED, cycle, LINUX, place(channel, number, 17), number)


def found(events: Sequence[dict[str, Any]]) -> Calls:
    made = Calls(SERVER, 11, MEMORY)
    for event in in_order(events):
        made.add(event)
    return made


def figures(made: Calls) -> dict[str, dict[int, int]]:
    return {"call": dict(made.whole), **{name: dict(each) for name, each in made.parts.items()}}


ONE = [
    *rings(100, 2, 7),
    interrupt(110),
    user(140, True),
    interrupt(150, name="timer"),
    user(155, False),
    user(190, True),
    user(240, False),
    answer(260, 2, 7),
    interrupt(262, LINUX, "timer"),
    look(300, 2, 7),
]


def test_parts() -> None:
    """Parts add up, a job that is interrupted is one, and interrupts are named with their part."""
    made = found(ONE)
    assert figures(made) == {
        "call": {200: 1}, "mailbox": {10: 1}, "server": {30: 1}, "user": {100: 1}, "end": {20: 1}, "wake-up": {40: 1}
    }  # fmt: skip
    assert made.longest is not None
    assert calls.interruptions(made.longest) == ["hart 1: timer (in user)", "hart 0: timer (in wake-up)"]
    assert (made.idle, made.open) == (0, 0)


def test_two_in_flight() -> None:
    """The second one waits for the first one's end, and has its own job; user mode of the RTOS is none."""
    events = [
        *rings(100, 0, 16),
        interrupt(110),
        user(120, True),
        *rings(130, 0, 17),
        interrupt(140),
        user(141, False),
        user(150, True),
        user(200, False),
        answer(210, 0, 16),
        look(215, 0, 16),
        user(230, True, MEMORY.base - 4),
        user(240, False),
        user(250, True),
        user(270, False),
        answer(280, 0, 17),
        look(290, 0, 17),
    ]
    made = found(events)
    assert figures(made) == {
        "call": {115: 1, 160: 1},
        "mailbox": {10: 2},
        "server": {10: 1, 110: 1},
        "user": {80: 1, 20: 1},
        "end": {10: 2},
        "wake-up": {5: 1, 10: 1},
    }


def test_without_a_job_or_an_end() -> None:
    """A call that was refused, and one that nobody waits for, are no latencies."""
    refused = [*rings(1000, 3, 1), interrupt(1010), answer(1020, 3, 1), look(1030, 3, 1)]
    left = [*rings(2000, 3, 2), interrupt(2010), user(2020, True), user(2030, False), answer(2040, 3, 2)]
    made = found([*ONE, *refused, *left])
    assert (sum(made.whole.values()), made.idle, made.open) == (1, 1, 1)


def test_harts_ahead_of_each_other() -> None:
    """The order of the log is that of each hart alone: hart 0 may see an answer lines before hart 1 writes it."""
    linux = [one for one in ONE if one["hart"] == LINUX]
    assert figures(found([*linux, *(one for one in ONE if one["hart"] == SERVER)])) == figures(found(ONE))


def test_percentiles_need_calls() -> None:
    """The table leaves out those that would be the maximum, and fits a terminal."""
    many = []
    for number in range(1, 121):
        many += [{**one, "cycle": one["cycle"] + number * 1000} for one in ONE]
    shown = io.StringIO()
    call_report.show(Console(width=80, file=shown), found(many), "timed")
    said = shown.getvalue()
    assert re.search(r"^ *call +120 +200 +200 +200 +- +200 *$", said, re.MULTILINE), said
    assert re.search("^cycles +n ", said, re.MULTILINE)


def test_layout() -> None:
    """It is the header's."""
    text = (paths.ROOT / "regs" / "jobs" / "trapeze" / "channel.h").read_text()
    known = {name: int(value, 0) for name, value in re.findall(r"#define TRAPEZE_(\w+)\s+(\w+?)u\b", text)}
    of = {"CHANNELS": calls.CHANNELS, "CHANNEL_OFFSET": calls.CHANNEL_OFFSET, "CHANNEL_BYTES": calls.CHANNEL_BYTES}
    assert known.items() >= {**of, "CHANNEL_CALLS": calls.PLACES}.items()
