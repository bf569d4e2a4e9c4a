# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""A run of `trapeze run` made again and watched: why an interrupt or a span of it took as long as it did.

The simulation is deterministic, so a run that is watched takes the same course as before. Of a sweep only the run with
the interrupt is made again. `worst_case.py` does the same for runs of experiments, because it knows their rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from trapeze.common.errors import TrapezeError
from trapeze.common.files import replacing
from trapeze.explaining import breakdown, gates
from trapeze.explaining.worst_case import BEFORE, BEHIND
from trapeze.platform.configurations import Config
from trapeze.simulation import simulator
from trapeze.simulation.events import Span
from trapeze.simulation.records import Interrupt, Run, Stamps, SweepRun
from trapeze.simulation.simulator import Options
from trapeze.simulation.traces import Record, functions, read

LONGEST = 5_000_000
"""Cycles of a span whose instructions are looked at one by one."""

NEAR = 5_000_000
"""Up to this cycle a run of many edges is made again unasked, to see why one took long: some seconds."""


@dataclass(frozen=True)
class Rerun:
    """A run that can be made again.

    Attributes:
        elf: The program, of hart 0 or of all.
        config: What it runs on.
        options: Of the run.
    """

    elf: Path
    config: Config
    options: Options

    def of(self, one: Stamps) -> Rerun:
        """The run of a sweep, or of a pair of sweeps, in which an interrupt was; a plain run as it is."""
        sweep, outer = self.options.sweep, self.options.outer
        if sweep is None or not isinstance(one, SweepRun):
            return self
        edges = [sweep.at(one.t0)]
        if outer is not None:
            edges += [outer.at(other.t0) for other in one.others if outer.raises(other.hart, other.line)]
        irq = (*self.options.irq, *edges)
        return replace(self, options=replace(self.options, sweep=None, outer=None, irq=irq))

    def until(self, end: int) -> Rerun:
        """The same up to a cycle, with nothing that is written or that ends it before."""
        plain = replace(self.options, engine="rtl", trace=None, trace_from=None, trace_to=None)
        edges = tuple(one for one in self.options.irq if one.cycle < end)
        options = replace(plain, budget=None, gdb=None, spans=(), max_cycles=end, irq=edges)
        return replace(self, options=options)

    def named(self, hart: int) -> list[tuple[range, str]]:
        """The functions of a hart's program; without symbols there are none."""
        programs = (self.elf, *self.options.others)
        try:
            return functions(programs[hart] if hart < len(programs) else self.elf)
        except TrapezeError:
            return []

    def traced(self, since: int, hart: int) -> list[Record]:
        """The trace of one hart from a cycle on.

        Raises:
            TrapezeError: the simulator failed.
        """
        with simulator.scratch() as folder:
            trace = folder / "trace.jsonl"
            simulator.watch(self.elf, self.config, replace(self.options, trace=trace, trace_from=since))
            with trace.open() as lines:
                return list(read(lines, hart=hart))

    def listed(self, since: int) -> list[str]:
        """The trace as text, from a cycle on."""
        with simulator.scratch() as folder:
            listing = folder / "trace.log"
            simulator.watch(self.elf, self.config, replace(self.options, trace=listing, trace_from=since))
            return listing.read_text().splitlines()

    def draw(self, begin: int, path: Path) -> None:
        """Write the timeline of the run from shortly before a cycle on."""
        with replacing(path) as made:
            part = replace(self.options, trace=made, trace_from=max(0, begin - BEFORE))
            simulator.watch(self.elf, self.config, part)

    def causes(self, stamps: Stamps, hart: int, line: int, end: int) -> list[breakdown.Cause]:
        """The parts of what an interrupt took, up to its marker, or up to cycle `end` if it has none.

        Args:
            stamps: Of the interrupt.
            hart: Whose line it is.
            line: The line.
            end: Cycle in which the run has reached the marker, or in which one has looked for long enough.
        """
        since = breakdown.trace_start(stamps.t0)
        known = self.traced(since, hart)
        source = gates.source(self.config, hart, line, since == 0)
        if stamps.tx is None:
            return breakdown.explain_unmarked(stamps, known, self.named(hart), end, source)
        return breakdown.explain(stamps, known, self.named(hart), source=source)

    def reason(self, stamps: Stamps, hart: int, line: int) -> str:
        """Where the cycles of an interrupt of this run with a marker went, in one line.

        Raises:
            TrapezeError: the simulator failed.
        """
        end = stamps.tx if stamps.tx is not None else stamps.t0
        return breakdown.sentence(self.of(stamps).until(end + 2).causes(stamps, hart, line, end))


@dataclass(frozen=True)
class WorstCase:
    """The worst case of a row.

    Attributes:
        hart: Where it was.
        line: Of the edge with which it begins; None: another event does.
        begin: Cycle of that edge, or in which the span begins.
        end: Cycle in which it ends.
        name: Of its timeline's file.
        stamps: Of the interrupt, where it is one.
    """

    hart: int
    line: int | None
    begin: int
    end: int
    name: str
    stamps: Stamps | None = None


def _candidates(run: Run, hart: int, line: int) -> Sequence[Stamps]:
    """The interrupts of a line in a run; those of a stimulus stand for all of it."""
    if run.sweep:
        return list(run.sweep) if (hart, line) == (run.sweep_hart, run.sweep_line) else []
    many = [one.worst for one in run.stimuli if (one.hart, one.line) == (hart, line)]
    plain: list[Interrupt] = [one for one in run.interrupts if (one.hart, one.line) == (hart, line)]
    return [*plain, *(one for one in many if one is not None and one.t0 <= NEAR)]


def worst_interrupt(run: Run, hart: int, line: int) -> WorstCase | None:
    """The interrupt of a line that took longest from its edge to its marker; None if none is known that reached it."""
    marked = [one for one in _candidates(run, hart, line) if one.tx is not None]
    if not marked:
        return None
    worst = max(marked, key=lambda one: (one.tx or one.t0) - one.t0)
    name = f"worst-line{line}{f'-hart{hart}' if hart else ''}.json"
    return WorstCase(hart, line, worst.t0, worst.tx or worst.t0, name, worst)


def worst_span(run: Run, wanted: Span, place: int) -> WorstCase | None:
    """The longest time that a span took in a plain run, the k-th of the command line; None: it is not known where."""
    worst = run.spans[place].worst
    if worst is None or run.sweep or run.engine == "model":
        return None
    return WorstCase(wanted.end.hart, None, *worst, f"worst-span{place}.json")


def explain(watched: Rerun, case: WorstCase, folder: Path | None) -> str:
    """Say where the cycles of a case went.

    Args:
        watched: The run that it was in, or the sweep.
        case: The case.
        folder: Where its timeline goes; None: no timeline.

    Raises:
        TrapezeError: the simulator failed.
    """
    again = (watched if case.stamps is None else watched.of(case.stamps)).until(case.end + BEHIND)
    if folder is not None:
        again.draw(case.begin, folder / case.name)
    if case.stamps is None or case.line is None:
        return "".join(_of_span(again, case))
    return f"raised in cycle {case.begin}: {again.reason(case.stamps, case.hart, case.line)}"


def _of_span(again: Rerun, case: WorstCase) -> Iterator[str]:
    yield f"cycles {case.begin} to {case.end}"
    if case.end - case.begin > LONGEST:
        return
    known = again.traced(max(0, case.begin - 1), case.hart)
    steps = breakdown.steps(known, case.begin, case.end, again.named(case.hart))
    if not steps:
        return
    yield f": {breakdown.sentence(breakdown.parts(steps))}"
    if rest := case.end - case.begin - sum(one.cycles for one in steps):
        yield f", {rest} behind the last instruction"
