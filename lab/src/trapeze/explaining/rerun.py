# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""A run of `trapeze run` made again and watched: why an interrupt or a span of it took as long as it did.

The simulation is deterministic, so a run that is watched takes the same course as before. Of a sweep only the run with
the interrupt is made again. `worst_case.py` does the same for runs of experiments, because it knows their rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from trapeze.common.edges import Edge
from trapeze.common.errors import TrapezeError
from trapeze.common.files import replacing
from trapeze.explaining import breakdown, by_task, gates
from trapeze.explaining.worst_case import BEFORE, BEHIND
from trapeze.platform.configurations import Config
from trapeze.simulation import simulator
from trapeze.simulation.options import STANDARD_INPUT, Options
from trapeze.simulation.records import Run, Stamps, SweepRun
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

    @property
    def possible(self) -> bool:
        """Whether it would be the same again: nobody talks to the console, who would have to say the same."""
        return self.options.uart is None and self.options.uart_in != STANDARD_INPUT

    def swept(self, one: SweepRun) -> tuple[Edge, ...]:
        """The edges that a run of a sweep, or of a pair of sweeps, has and others have not."""
        outer = None
        if (pair := self.options.outer) is not None:
            outer = next((other.t0 for other in one.others if pair.raises(other.hart, other.line)), None)
        return self.swept_at(one.t0, outer)

    def swept_at(self, inner: int | None, outer: int | None) -> tuple[Edge, ...]:
        """The same, from the cycles of the edges; none where there is no sweep."""
        made = ((self.options.sweep, inner), (self.options.outer, outer))
        return tuple(one.at(cycle) for one, cycle in made if one is not None and cycle is not None)

    def alone(self, edges: Sequence[Edge]) -> Rerun:
        """The run of a sweep with these edges, by itself; a plain run as it is."""
        irq = (*self.options.irq, *edges)
        return replace(self, options=replace(self.options, sweep=None, outer=None, irq=irq))

    def until(self, end: int) -> Rerun:
        """The same up to a cycle, with nothing that is written or that ends it before."""
        plain = replace(self.options, engine="rtl", trace=None, trace_from=None, trace_to=None)
        edges = tuple(one for one in self.options.irq if one.cycle < end)
        options = replace(plain, budget=None, gdb=None, spans=(), until=None, max_cycles=end, irq=edges)
        return replace(self, options=options)

    def program(self, hart: int) -> Path:
        """The program of a hart."""
        programs = (self.elf, *self.options.others)
        return programs[hart] if hart < len(programs) else self.elf

    def named(self, hart: int) -> list[tuple[range, str]]:
        """The functions of a hart's program; without symbols there are none."""
        try:
            return functions(self.program(hart))
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

    def narrow_trace(self, begin: int, end: int) -> None:
        """Write the trace of the run again, of these cycles and those shortly before and behind them."""
        part = replace(self.options, trace_from=max(0, begin - BEFORE), trace_to=end + BEHIND)
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
        source = gates.source(self.config, hart, line, since == 0, self.program(hart))
        if stamps.tx is None:
            return breakdown.explain_unmarked(stamps, known, self.named(hart), end, source)
        return breakdown.explain(stamps, known, self.named(hart), source=source)

    def reason(self, stamps: Stamps, hart: int, line: int) -> str:
        """Where the cycles of an interrupt of this run with a marker went, in one line.

        Raises:
            TrapezeError: the simulator failed.
        """
        end = stamps.tx if stamps.tx is not None else stamps.t0
        return breakdown.sentence(self.until(end + 2).causes(stamps, hart, line, end))

    def reason_of(self, case: WorstCase) -> str:
        """The same of a case, which may be one of a sweep; nothing where it is no interrupt of a line.

        Raises:
            TrapezeError: the simulator failed.
        """
        if case.stamps is None or case.line is None:
            return ""
        return self.alone(case.edges).reason(case.stamps, case.hart, case.line)


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
        edges: Of a sweep: those of the run in which it was.
    """

    hart: int
    line: int | None
    begin: int
    end: int
    name: str
    stamps: Stamps | None = None
    edges: tuple[Edge, ...] = ()

    @property
    def cycles(self) -> int:
        """What it took."""
        return self.end - self.begin

    @property
    def words(self) -> str:
        """The options that make its run alone, in place of the sweep."""
        return " ".join(f"--irq {edge}" for edge in self.edges)


def _candidates(watched: Rerun, run: Run, hart: int, line: int) -> Iterator[tuple[Stamps, tuple[Edge, ...]]]:
    """The interrupts of a line in a run, with the edges of `WorstCase`; those of a stimulus stand for all of it."""
    for one in run.sweep or ():
        edges = watched.swept(one)
        if (hart, line) == (run.sweep_hart, run.sweep_line):
            yield one, edges
        yield from ((other, edges) for other in one.others if (other.hart, other.line) == (hart, line))
    if run.sweep:
        return
    yield from ((one, ()) for one in run.interrupts if (one.hart, one.line) == (hart, line))
    for many in run.stimuli:
        if (many.hart, many.line) == (hart, line):
            yield from ((one, ()) for one in (many.worst,) if one is not None and one.t0 <= NEAR)


def interrupts_of(watched: Rerun, run: Run, hart: int, line: int) -> list[WorstCase]:
    """The interrupts of a line that are known and reached their marker, as cases; see `worst_interrupt`."""
    name = f"worst-line{line}{f'-hart{hart}' if hart else ''}.json"
    return [
        WorstCase(hart, line, one.t0, one.tx, name, one, edges)
        for one, edges in _candidates(watched, run, hart, line)
        if one.tx is not None
    ]


def worst_interrupt(watched: Rerun, run: Run, hart: int, line: int) -> WorstCase | None:
    """The interrupt of a line that took longest from its edge to its marker; None if none is known that reached it."""
    return max(interrupts_of(watched, run, hart, line), key=lambda one: one.cycles, default=None)


def worst_span(watched: Rerun, run: Run, place: int) -> WorstCase | None:
    """The longest time that a span took, the k-th of the command line; None: it never ended, or has no cycles."""
    one = run.spans[place]
    if one.worst is None or run.engine == "model":
        return None
    hart = watched.options.spans[place].end.hart
    edges = watched.swept_at(one.swept, one.outer)
    return WorstCase(hart, None, *one.worst, f"worst-span{place}.json", edges=edges)


def explain(watched: Rerun, case: WorstCase, folder: Path | None) -> str:
    """Say where the cycles of a case went.

    Args:
        watched: The run that it was in, or the sweep.
        case: The case.
        folder: Where its timeline goes; None: no timeline.

    Raises:
        TrapezeError: the simulator failed.
    """
    again = watched.alone(case.edges).until(case.end + BEHIND)
    if folder is not None:
        again.draw(case.begin, folder / case.name)
    if case.stamps is None or case.line is None:
        return (f"{case.words}, " if case.edges else "") + "".join(_of_span(again, case))
    whole = f" ({case.words})" if len(case.edges) > 1 else ""
    return f"raised in cycle {case.begin}{whole}: {watched.reason_of(case)}"


def _of_span(again: Rerun, case: WorstCase) -> Iterator[str]:
    yield f"cycles {case.begin} to {case.end}"
    if case.end - case.begin > LONGEST:
        return
    known = again.traced(max(0, case.begin - breakdown.LEAD), case.hart)
    steps = breakdown.steps(known, case.begin, case.end, again.named(case.hart))
    if not steps:
        return
    yield f": {by_task.sentence(known, steps, case.begin)}"
    if rest := case.end - case.begin - sum(one.cycles for one in steps):
        yield f", {rest} behind the last instruction"
