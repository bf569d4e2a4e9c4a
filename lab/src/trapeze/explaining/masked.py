# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""In which stretches interrupts were masked: how long each, by which function, and until which one let them in.

Masked is a hart in machine mode with mstatus.MIE clear, or with a threshold above 0, which keeps back the interrupts up
to it. Interrupts that user mode handles are masked in machine mode, in user mode with ustatus.UIE clear or with such a
threshold of its own, and while memory protection searches whether their frame may be stored. Under the monitors `paper`
and `soft` they are masked while the word that says whether the program has interrupts enabled is 0. Only those of a
mode that has sources are listed. What a running handler's own level keeps back is not masked. The time from the reset
until the program first lets interrupts in is start-up and not counted. Read from the trace of a run while it runs, so
that memory stays constant.
"""

from __future__ import annotations

import os
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from trapeze.explaining import gates
from trapeze.explaining.controller import MACHINE, USER
from trapeze.explaining.gates import Gate, Source
from trapeze.explaining.replay import Replay
from trapeze.explaining.rerun import Rerun
from trapeze.simulation import simulator
from trapeze.simulation.traces import Edge, Judged, Raised, Record, Retired, Taken, read

HOW: Mapping[tuple[int, Gate], str] = {
    (MACHINE, Gate.MIE): "MIE",
    (MACHINE, Gate.THRESHOLD): "threshold",
    (MACHINE, Gate.WORD): "word",
    (USER, Gate.MODE): "mode",
    (USER, Gate.MIE): "UIE",
    (USER, Gate.THRESHOLD): "uintthresh",
    (USER, Gate.FRAME): "frame",
}
"""How the interrupts that a mode handles are masked, in words."""

Named = Sequence[tuple[range, str]]
"""The functions of a program by address."""


@dataclass(frozen=True, order=True)
class Who:
    """Stretches of one kind: the hart, how, the function that masked, and the one that let interrupts in again."""

    hart: int
    how: str
    by: str
    until: str


@dataclass
class Stretches:
    """All stretches of one kind.

    Attributes:
        lengths: How often which number of cycles came.
        worst: Cycles in which the first of the longest began and ended.
    """

    lengths: Counter[int] = field(default_factory=Counter)
    worst: tuple[int, int] = (0, 0)

    def add(self, begin: int, end: int) -> None:
        """Count one."""
        self.lengths[end - begin] += 1
        if end - begin > self.worst[1] - self.worst[0]:
            self.worst = (begin, end)


Found = dict[Who, Stretches]


class _Hart(Replay):
    """A hart, instruction by instruction, as far as it masks interrupts."""

    def __init__(self, source: Source, number: int, named: Named, found: Found) -> None:
        super().__init__(source)
        self._number, self._named, self._found = number, named, found
        self._sources = source.hart.sources or 1
        self._starts = [where.start for where, _ in named]
        self._since: dict[tuple[int, Gate], tuple[int, Record | None]] = dict.fromkeys(HOW, (0, None))
        self._held: Taken | None = None
        self._let_in = False

    def follow(self, one: Record) -> None:
        """The next record of the trace. An interrupt waits for the one behind it: an emret may have gone on to it."""
        if isinstance(one, Edge):
            return
        if (held := self._held) is not None and not isinstance(one, Raised | Judged):
            self._held = None
            if isinstance(one, Retired) and one.goes_on_to:
                self._cause = held
            else:
                self._interrupt(held, self._owner(held.number) or USER)
        if isinstance(one, Taken):
            self._held = one
        else:
            self._happens(one)

    def _note(self, cycle: int, by: Record, opens: int | None = None) -> None:
        """What a record has done from a cycle on."""
        del opens  # of a source of the controller
        for key, now in self._masks().items():
            begun = self._since.get(key)
            if now and begun is None:
                self._since[key] = (cycle, self._by(key[1], by))
            elif not now and begun is not None:
                del self._since[key]
                begin, masked_by = begun
                if masked_by is not None and cycle > begin:
                    who = Who(self._number, HOW[key], self._place(masked_by), self._place(self._by(key[1], by)))
                    self._found.setdefault(who, Stretches()).add(begin, cycle)

    def _masks(self) -> dict[tuple[int, Gate], bool]:
        """Whether interrupts are masked now, of each mode that handles some and in each way."""
        given = self._controller.given if self._user_irq else 0
        found = {}
        if given < self._sources:
            in_it, of = self._mode != USER, self._of[MACHINE]
            found[MACHINE, Gate.MIE] = in_it and of.enabled == 0
            found[MACHINE, Gate.THRESHOLD] = in_it and bool(of.threshold)
        if self._source is not None and self._source.word is not None:
            found[MACHINE, Gate.WORD] = self._word == 0
        if given:
            in_it, of = self._mode == USER, self._of[USER]
            self._let_in = self._let_in or (in_it and of.enabled == 1)
            found[USER, Gate.MODE] = not (in_it and self._let_in)
            found[USER, Gate.MIE] = not self._let_in or (in_it and of.enabled == 0)
            found[USER, Gate.THRESHOLD] = in_it and bool(of.threshold)
            found[USER, Gate.FRAME] = in_it and self._let_in and bool(self._searches) and bool((of.fast or 0) & 1)
        return found

    def _place(self, one: Record) -> str:
        """The function of an instruction; the interrupt of a handler's entry."""
        if isinstance(one, Taken):
            return f"entry of {one.name}"
        if isinstance(one, Raised):
            return f"exception: {one.name}"
        if isinstance(one, Judged):
            return "memory protection"
        pc = one.pc if isinstance(one, Retired) else 0
        at = bisect_right(self._starts, pc) - 1
        return self._named[at][1] if at >= 0 and pc in self._named[at][0] else f"{pc:#x}"


def stretches(trace: Iterable[Record], sources: Mapping[int, Source], named: Mapping[int, Named]) -> Found:
    """The stretches of a trace that begins with the reset.

    Args:
        trace: Its records.
        sources: A line of each hart, with which its controller is known.
        named: The functions of each hart's program.
    """
    found: Found = {}
    harts = {number: _Hart(source, number, named[number], found) for number, source in sources.items()}
    for one in trace:
        if one.hart in harts:
            harts[one.hart].follow(one)
    return found


@contextmanager
def _records(watched: Rerun) -> Iterator[Iterator[Record]]:
    """The trace of a run, while it runs.

    Raises:
        TrapezeError: the simulator refused the input or failed.
    """
    with simulator.scratch() as folder, ThreadPoolExecutor(1) as aside:
        pipe = folder / "trace.jsonl"
        os.mkfifo(pipe)
        reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        writing = os.open(pipe, os.O_WRONLY)  # so that the end is there when the run is done, and not before
        os.set_blocking(reading, True)
        options = replace(watched.options, trace=pipe, trace_from=None, trace_to=None)
        with os.fdopen(reading) as lines:
            run = aside.submit(simulator.watch, watched.elf, watched.config, options)
            run.add_done_callback(lambda _: os.close(writing))
            yield read(lines)
        run.result()


def find(watched: Rerun) -> Found:
    """The stretches of a run, of a sweep's without the line that is swept; the run is made once more.

    Raises:
        TrapezeError: the simulator refused the input or failed.
    """
    engine = "model" if watched.options.engine == "model" else "rtl"
    plain = replace(watched.options, engine=engine, sweep=None, outer=None, budget=None, spans=(), gdb=None)
    watched = replace(watched, options=plain)
    harts = range(len(watched.config.harts))
    firmware = [one for one in harts if not watched.config.harts[one].supervisor]
    sources = {one: gates.source(watched.config, one, 0, reset=True, program=watched.program(one)) for one in firmware}
    named = {one: watched.named(one) for one in firmware}
    with _records(watched) as trace:
        return stretches(trace, sources, named)
