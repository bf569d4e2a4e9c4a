# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The worst cases of `trapeze run`, seen again: why each took as long, and a timeline of it.

The simulation is deterministic: the same run, watched, is the same run. Of a sweep only that one is run again in which
the worst case was. Those of experiments are in `worst.py`, which knows their rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from trapeze.common.errors import TrapezeError
from trapeze.common.files import replacing
from trapeze.explaining import gates, why
from trapeze.explaining.worst import BEFORE, BEHIND
from trapeze.platform.configurations import Config
from trapeze.simulation import simulator
from trapeze.simulation.events import Span
from trapeze.simulation.records import Run, Stamps
from trapeze.simulation.simulator import Options
from trapeze.simulation.traces import Record, functions, read

LONGEST = 5_000_000
"""Cycles of a span whose instructions are looked at one by one."""


@dataclass(frozen=True)
class Watched:
    """A run that can be made again.

    Attributes:
        elf: The program, of hart 0 or of all.
        config: What it runs on.
        options: Of the run.
    """

    elf: Path
    config: Config
    options: Options

    def until(self, end: int) -> Watched:
        """The same up to a cycle, with nothing that is written or that ends it before."""
        plain = replace(self.options, engine="rtl", trace=None, trace_from=None, trace_to=None, budget=None, spans=())
        edges = tuple(one for one in self.options.irq if one.cycle < end)
        return replace(self, options=replace(plain, max_cycles=end, irq=edges))

    def alone(self, cycle: int) -> Watched:
        """The run of a sweep in which the line rises in a cycle; a plain run as it is."""
        sweep = self.options.sweep
        if sweep is None:
            return self
        return replace(self, options=replace(self.options, sweep=None, irq=(*self.options.irq, sweep.at(cycle))))

    def named(self, hart: int) -> list[tuple[range, str]]:
        """The functions of a hart's program; without symbols there are none."""
        programs = (self.elf, *self.options.others)
        try:
            return functions(programs[hart] if hart < len(programs) else self.elf)
        except TrapezeError:
            return []

    def records(self, since: int, hart: int) -> tuple[Run, list[Record]]:
        """The record of the run, and its trace of one hart from a cycle on."""
        with simulator.scratch() as folder:
            trace = folder / "trace.jsonl"
            watched = replace(self.options, trace=trace, trace_from=since)
            run = simulator.watch(self.elf, self.config, watched).run
            with trace.open() as lines:
                return run, list(read(lines, hart=hart))

    def draw(self, begin: int, path: Path) -> None:
        """Write the timeline of the run from shortly before a cycle on."""
        with replacing(path) as made:
            part = replace(self.options, trace=made, trace_from=max(0, begin - BEFORE))
            simulator.watch(self.elf, self.config, part)


@dataclass(frozen=True)
class Case:
    """The worst case of a row.

    Attributes:
        hart: Where it was.
        line: Of the edge with which it begins; None: another event does.
        begin: Cycle of that edge, or in which the span begins.
        end: Cycle in which it ends.
        name: Of its timeline's file.
    """

    hart: int
    line: int | None
    begin: int
    end: int
    name: str


def interrupts(run: Run, hart: int, line: int) -> Case | None:
    """The interrupt of a line that took longest from its edge to its marker; None if none reached it."""
    stamps: list[Stamps] = (
        list(run.sweep) if run.sweep else [one for one in run.interrupts if (one.hart, one.line) == (hart, line)]
    )
    marked = [one for one in stamps if one.tx is not None]
    if not marked:
        return None
    worst = max(marked, key=lambda one: (one.tx or one.t0) - one.t0)
    return Case(hart, line, worst.t0, worst.tx or worst.t0, f"worst-line{line}{f'-hart{hart}' if hart else ''}.json")


def spans(run: Run, wanted: Span, place: int) -> Case | None:
    """The longest time that a span took in a plain run, the k-th of the command line; None: it is not known where."""
    worst = run.spans[place].worst
    if worst is None or run.sweep or run.engine == "model":
        return None
    return Case(wanted.end.hart, None, *worst, f"worst-span{place}.json")


def explain(watched: Watched, case: Case, folder: Path | None) -> str:
    """Say where the cycles of a case went.

    Args:
        watched: The run that it was in, or the sweep.
        case: The case.
        folder: Where its timeline goes; None: there is to be none.

    Raises:
        TrapezeError: it was something else when seen again.
    """
    again = watched.alone(case.begin).until(case.end + BEHIND)
    if folder is not None:
        again.draw(case.begin, folder / case.name)
    return _of_line(again, case) if case.line is not None else "".join(_of_span(again, case))


def _of_line(again: Watched, case: Case) -> str:
    since = why.beginning(case.begin)
    run, known = again.records(since, case.hart)
    wanted = (case.hart, case.line, case.begin)
    stamps = next((one for one in run.interrupts if (one.hart, one.line, one.t0) == wanted), None)
    if stamps is None or stamps.tx != case.end:
        raise TrapezeError(f"line {case.line}, raised in cycle {case.begin} again: its marker is not in {case.end}", 1)
    source = gates.source(again.config, case.hart, case.line or 0, since == 0)
    causes = why.explain(stamps, known, again.named(case.hart), source=source)
    return f"raised in cycle {case.begin}: {why.said(causes)}"


def _of_span(again: Watched, case: Case) -> Iterator[str]:
    yield f"cycles {case.begin} to {case.end}"
    if case.end - case.begin > LONGEST:
        return
    _, known = again.records(max(0, case.begin - 1), case.hart)
    steps = why.steps(known, case.begin, case.end, again.named(case.hart))
    if not steps:
        return
    yield f": {why.said(why.parts(steps))}"
    if rest := case.end - case.begin - sum(one.cycles for one in steps):
        yield f", {rest} behind the last instruction"
