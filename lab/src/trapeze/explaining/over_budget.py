# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""`trapeze run --budget`: the interrupt that took too long, run again with a trace, and why.

The simulation is deterministic, so the second run is the first one, only watched.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from rich.text import Text

from trapeze.common.console import err, table
from trapeze.explaining import breakdown
from trapeze.explaining.rerun import Rerun
from trapeze.simulation import records, simulator
from trapeze.simulation.records import Arrivals, Interrupt, Run

PATIENCE = 10_000
"""Cycles from the edge that are looked at where no marker comes."""

SEARCH = 1_000_000
"""Cycles from the edge, beyond the budget, in which the marker is looked for."""

MAX_CYCLES = 1_000_000_000
"""The most cycles of a run without --max-cycles."""

SHOWN = 100
"""Lines of a trace at either end that are worth reading."""


def _print(reasons: Sequence[breakdown.Cause], lines: Sequence[str], title: str) -> None:
    """The trace, and below it, where one looks, the reason."""
    console = err()
    left_out = len(lines) - 2 * SHOWN
    if left_out > 0:
        lines = [*lines[:SHOWN], f"... {left_out} lines, which --trace FILE.log has ...", *lines[-SHOWN:]]
    for line in lines:
        console.print(line.expandtabs(8), markup=False, soft_wrap=True)
    console.print("")
    console.print(Text.from_markup(f"[bold]{title}[/]"))
    parts = table("part", ">cycles", "what")
    for cause in reasons:
        parts.add_row(cause.part, str(cause.cycles), cause.what)
    console.print(parts)


@dataclass(frozen=True)
class Late:
    """The interrupt that did not keep the budget, as the run goes on without one.

    Attributes:
        hart: Whose line it is.
        line: Its line.
        stamps: Of the interrupt.
        end: Cycle of its marker; without one that up to which one has looked.
        alone: Its run; of a sweep that run alone.
    """

    hart: int
    line: int
    stamps: Interrupt
    end: int
    alone: Rerun

    @cached_property
    def part(self) -> Rerun:
        """Its run up to the end."""
        return self.alone.until(self.end + 2)

    @cached_property
    def causes(self) -> list[breakdown.Cause]:
        """Where its cycles went."""
        return self.part.causes(self.stamps, self.hart, self.line, self.end)

    @property
    def took(self) -> str:
        """How long it took, or that it reached no marker."""
        cycles = self.end - self.stamps.t0
        if self.stamps.tx is not None:
            return f"{cycles} cycles, budget {self.alone.options.budget}"
        return f"no marker reached, the first {cycles} cycles: {records.FATES[self.stamps.fate]}"


def find(watched: Rerun, run: Run) -> Late | None:
    """The interrupt that was late, up to its marker; None: the program ended before, which the simulator has said.

    Args:
        watched: The run.
        run: Its record.

    Raises:
        TrapezeError: the simulator failed.
    """
    options = watched.options
    if options.budget is None or run.late is None:
        raise ValueError("there is no budget to report on")
    hart, line, cycle = run.late
    limit = cycle + max(SEARCH, min(options.budget, MAX_CYCLES))
    whole = replace(watched, options=replace(options, stamps_of=cycle)) if options.stimuli else watched
    alone = whole.alone(whole.swept(run.sweep[-1]) if run.sweep else ())  # of a sweep the last run is the late one
    searched = alone.until(min(limit, options.max_cycles or MAX_CYCLES))
    found = simulator.watch(watched.elf, watched.config, searched.options).run
    stamps = next((one for one in found.interrupts if (one.hart, one.line, one.t0) == run.late), None)
    if stamps is None:
        return None
    end = stamps.tx if stamps.tx is not None else min(found.cycles - 1, cycle + PATIENCE)
    return Late(hart, line, stamps, end, alone)


def with_late(run: Run, late: Late) -> Run:
    """The record with what the late interrupt took, which has no figures there, since its run ended before."""

    def is_it(one: Interrupt) -> bool:
        return (one.hart, one.line, one.t0) == run.late

    def of(some: Sequence[Interrupt]) -> tuple[Interrupt, ...]:
        return tuple(late.stamps if is_it(one) else one for one in some)

    changed = replace(run, interrupts=of(run.interrupts))
    if run.sweep:
        *others, last = run.sweep
        last = replace(last, others=of(last.others))
        if (run.sweep_hart, run.sweep_line, last.t0) == run.late:
            found = late.stamps
            last = replace(last, fate=found.fate, taken=found.taken, tf=found.tf, tx=found.tx, tr=found.tr)
            last = replace(last, taken_count=max(last.taken_count, int(found.taken is not None)))
        changed = replace(changed, sweep=(*others, last))
    return replace(changed, stimuli=tuple(_among(one, late) for one in run.stimuli))


def _among(many: Arrivals, late: Late) -> Arrivals:
    """The edges of a stimulus with the late one, which is the first of them without a marker."""
    old, new = many.unmarked, late.stamps
    if (many.hart, many.line) != (late.hart, late.line) or old is None or old.t0 != new.t0:
        return many
    fates = dict(many.fates)
    fates[old.fate] -= 1
    fates[new.fate] += 1
    histograms = {}
    for metric, counts in many.histograms.items():
        summed = Counter(dict(counts))
        if old.distance(metric) is None and (cycles := new.distance(metric)) is not None:
            summed[cycles] += 1
        histograms[metric] = tuple(sorted(summed.items()))
    worst = new if new.tx is not None else many.worst  # it is longer than the budget, and all others are not
    return replace(many, fates=fates, histograms=histograms, worst=worst, best=many.best or worst)


def report(late: Late, trace: Path | None = None) -> None:
    """Print the trace up to the marker of the interrupt that was late, and where its cycles went.

    Args:
        late: The interrupt.
        trace: Of a sweep: where the trace of the run that exceeded the budget goes.

    Raises:
        TrapezeError: the simulator failed.
    """
    watched = late.alone
    if trace is not None:
        simulator.watch(
            watched.elf,
            watched.config,
            replace(
                late.part.options, trace=trace, trace_from=watched.options.trace_from, trace_to=watched.options.trace_to
            ),
        )
    lines = late.part.listed(breakdown.trace_start(late.stamps.t0))
    whose = f" of hart {late.hart}" if len(watched.config.harts) > 1 else ""
    title = f"line {late.line}{whose}, raised in cycle {late.stamps.t0}: {late.took}"
    _print(late.causes, breakdown.excerpt(lines, replace(late.stamps, tx=late.end)), title)
