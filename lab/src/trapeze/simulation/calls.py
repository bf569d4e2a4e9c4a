# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Calls of prepared jobs as they are seen from outside, by accesses, interrupts and user mode (docs/remote-jobs.md).

A log of the simulator (`sim/kernel/event_log.h`) has these events. The programs and jobs need nothing for it.
"""

from __future__ import annotations

import heapq
import json
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from trapeze.platform.platform import Platform

PARTS = ("mailbox", "server", "user", "end", "wake-up")
"""Of a call, in their order."""

BELLS, BELL_PAGES, RING, MEMORY = "bells", "bell_pages", "ring", "dram"
"""Regions of the memory map."""

# regs/jobs/trapeze/channel.h: struct trapeze_channel has a line of fields, then calls, then answers, a line each.
CHANNELS = 8
CHANNEL_OFFSET = 0x4000
CHANNEL_BYTES = 4096
PLACES = 16
LINE = 64

NUMBER = 0xFFFF_FFFF
"""The part of a call's and of an answer's head that is the call's number."""

APART = 4096
"""Cycles by which an event may stand behind later ones in the log: more than `kInFlight` of sim/kernel/session.cpp."""

OF_SUPERVISOR = {"id 1": "supervisor software", "id 5": "supervisor timer", "id 9": "supervisor external"}
"""Interrupts of Linux' harts that the simulator names by their numbers (Privileged ISA, table of interrupts)."""

KEPT_INTERRUPTS = 1000
"""Interrupts of one call that are told apart by the part in which they came."""


@dataclass(frozen=True)
class EventLog:
    """What the simulator is to write down of calls.

    Attributes:
        path: The log.
        platform: The platform; it has doorbells of channels.
    """

    path: Path
    platform: Platform

    @property
    def server(self) -> int:
        """The hart that runs jobs."""
        hart = self.platform.region(BELLS).line_hart
        return 1 if hart is None else hart

    def to_json(self) -> dict[str, object]:
        """For the simulator. Each access is known by its place in this list: see `Calls`."""
        ring, pages = self.platform.region(RING).base + CHANNEL_OFFSET, self.platform.region(BELL_PAGES)
        channels = CHANNELS * CHANNEL_BYTES

        def access(hart: int, kind: str, address: int, size: int, step: int) -> dict[str, object]:
            return {"hart": hart, "kind": kind, "address": address, "size": size, "step": step}

        accesses = [access(self.server, "store", ring, channels, LINE)]
        for hart in self.platform.supervisors:
            accesses.append(access(hart, "user-store", ring, channels, LINE))
            accesses.append(access(hart, "user-load", ring, channels, LINE))
            accesses.append(access(hart, "user-store", pages.base, pages.size, CHANNEL_BYTES))
        return {"file": str(self.path), "accesses": accesses, "user": self.server}

    def calls(self) -> Calls:
        """The calls of the run.

        Raises:
            OSError: there is no log.
        """
        found = Calls(self.server, self.platform.region(BELLS).line, self.platform.region(MEMORY))
        with self.path.open() as lines:
            for event in in_order(map(json.loads, lines)):
                found.add(event)
        return found


def in_order(events: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Events by cycle; of each hart they are so in the log."""
    waiting: list[tuple[int, int, dict[str, Any]]] = []
    latest = 0
    for count, event in enumerate(events):
        heapq.heappush(waiting, (event["cycle"], count, event))
        latest = max(latest, event["cycle"])
        while waiting[0][0] + APART < latest:
            yield heapq.heappop(waiting)[2]
    while waiting:
        yield heapq.heappop(waiting)[2]


@dataclass(frozen=True)
class Call:
    """A call that ran a job and whose answer was seen.

    Attributes:
        channel: Number of the channel.
        number: Of the call in its channel.
        cuts: Cycles in which its parts begin, and in which the last one ends.
        interrupts: Cycle, hart and name of those that came meanwhile, but for doorbells of channels.
        more: How many of them are not kept.
    """

    channel: int
    number: int
    cuts: tuple[int, ...]
    interrupts: tuple[tuple[int, int, str], ...] = ()
    more: int = 0

    @property
    def cycles(self) -> int:
        """Of the whole call."""
        return self.cuts[-1] - self.cuts[0]

    @property
    def parts(self) -> dict[str, int]:
        """Cycles of each part."""
        return {name: to - at for name, at, to in zip(PARTS, self.cuts, self.cuts[1:], strict=False)}

    def interrupted(self) -> Counter[tuple[str, int, str]]:
        """How often interrupts came, by part, hart and name."""
        found: Counter[tuple[str, int, str]] = Counter()
        for at, hart, name in self.interrupts:
            part = next((one for one, to in zip(PARTS, self.cuts[1:], strict=True) if at < to), PARTS[-1])
            found[part, hart, name] += 1
        return found


@dataclass
class _Open:
    """A call in flight: cycles of its events as far as they have come.

    Attributes:
        ring: The program's store to its doorbell.
        entry: The server's hart is interrupted.
        begin: The first instruction of the job.
        earlier: What was taken for that before another call was answered.
        end: The last instruction before the answer that left user mode.
        answer: The store of the answer's head.
        seen: The program's load that sees it.
    """

    channel: int
    number: int
    ring: int
    entry: int | None = None
    begin: int | None = None
    earlier: int | None = None
    end: int | None = None
    answer: int | None = None
    seen: int | None = None
    interrupts: list[tuple[int, int, str]] = field(default_factory=list)
    more: int = 0

    def met(self, cycle: int, hart: int, name: str) -> None:
        """An interrupt came."""
        if len(self.interrupts) < KEPT_INTERRUPTS:
            self.interrupts.append((cycle, hart, name))
        else:
            self.more += 1

    def done(self) -> Call | None:
        """The call; None: it ran no job."""
        begin, end, answer, seen = self.begin, self.end, self.answer, self.seen
        if begin is None or end is None or answer is None or seen is None or end < begin:
            return None
        cuts = [self.ring]
        # A server that still ran when the program rang has found the call without an interrupt.
        for at in (begin if self.entry is None else min(self.entry, begin), begin, end, answer, seen):
            cuts.append(max(cuts[-1], at))
        return Call(self.channel, self.number, tuple(cuts), tuple(self.interrupts), self.more)


class Calls:
    """The calls of a run: their distribution, and the longest one. Memory is that of calls in flight.

    Attributes:
        whole: How often calls took so many cycles.
        parts: The same of each part.
        longest: The first of the longest ones; None: there was none.
        idle: Calls that were answered without a job: refused ones.
    """

    def __init__(self, server: int, line: int | None, memory: Any) -> None:
        """Args: the hart that runs jobs, the line of its doorbells, and the memory that has the jobs' code."""
        self.server, self.bell, self.memory = server, f"line {line}", memory
        self.whole: Counter[int] = Counter()
        self.parts: Mapping[str, Counter[int]] = {name: Counter() for name in PARTS}
        self.longest: Call | None = None
        self.idle = 0
        self._written: dict[int, deque[int]] = {}
        self._open: dict[tuple[int, int], _Open] = {}
        self._left: int | None = None

    @property
    def open(self) -> int:
        """Calls whose answer nobody has seen."""
        return len(self._open)

    def add(self, event: Mapping[str, Any]) -> None:
        """The next event of the run."""
        cycle, hart = event["cycle"], event["hart"]
        if "interrupt" in event:
            self._interrupted(cycle, hart, event["interrupt"])
        elif "user" in event:
            if not event["user"]:
                self._left = cycle
            elif self.memory.base <= event["pc"] < self.memory.end:
                self._entered(cycle)
        elif "load" in event:
            self._looked(cycle, event["offset"], event["value"] & NUMBER)
        elif event["store"] == 0:
            self._answered(cycle, event["offset"], event["value"] & NUMBER)
        elif event["store"] % 3 == 1:
            self._wrote(event["offset"], event["value"] & NUMBER)
        else:
            self._rang(cycle, event["offset"] // CHANNEL_BYTES)

    def _wrote(self, offset: int, number: int) -> None:
        channel, place = divmod(offset, CHANNEL_BYTES)
        if 1 <= place // LINE <= PLACES and number % PLACES == place // LINE - 1:
            self._written.setdefault(channel, deque(maxlen=PLACES)).append(number)

    def _rang(self, cycle: int, channel: int) -> None:
        for number in self._written.pop(channel, ()):
            self._open[channel, number] = _Open(channel, number, cycle)

    def _interrupted(self, cycle: int, hart: int, name: str) -> None:
        is_bell = hart == self.server and name == self.bell
        for call in self._open.values():
            if not is_bell:
                call.met(cycle, hart, name if hart == self.server else OF_SUPERVISOR.get(name, name))
            elif call.entry is None:
                # What ran before it was another job.
                call.entry, call.begin = cycle, None

    def _entered(self, cycle: int) -> None:
        for call in self._open.values():
            if call.begin is None and call.answer is None:
                call.begin = cycle

    def _of_answer(self, offset: int, number: int) -> _Open | None:
        channel, place = divmod(offset, CHANNEL_BYTES)
        is_answer = PLACES < place // LINE <= 2 * PLACES
        return self._open.get((channel, number)) if is_answer else None

    def _answered(self, cycle: int, offset: int, number: int) -> None:
        call = self._of_answer(offset, number)
        if call is None or call.answer is not None:
            return
        call.answer, call.end = cycle, self._left
        call.begin = call.earlier if call.begin is None else call.begin
        for other in self._open.values():
            if other.answer is None and other.begin is not None:
                # It was the job of this call, unless both jobs took turns.
                other.earlier, other.begin = other.begin, None
        if call.seen is not None:
            self._over(call)

    def _looked(self, cycle: int, offset: int, number: int) -> None:
        call = self._of_answer(offset, number)
        if call is None or call.seen is not None:
            return
        call.seen = cycle
        if call.answer is not None:
            self._over(call)

    def _over(self, of: _Open) -> None:
        del self._open[of.channel, of.number]
        call = of.done()
        if call is None:
            self.idle += 1
            return
        self.whole[call.cycles] += 1
        for name, took in call.parts.items():
            self.parts[name][took] += 1
        if self.longest is None or call.cycles > self.longest.cycles:
            self.longest = call


def interruptions(call: Call) -> Sequence[str]:
    """What interrupted a call, in words: by part, hart and interrupt."""
    found = [
        f"hart {hart}: {name}{f', {count} times' if count > 1 else ''} (in {part})"
        for (part, hart, name), count in call.interrupted().items()
    ]
    return [*found, f"{call.more} more"] if call.more else found
