# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The worst case of a row, seen again: a timeline of it, and why it took as long.

The simulation is deterministic, so in a run that is watched the lines rise in the same cycles as before. A case that
begins with an edge is a `MeasuredInterrupt`, and its reason says what delayed the handler. A case from one instruction
of the firmware to another one is a `MeasuredSpan`, and its reason gives the functions that took the cycles. Rows are
measured on hart 0, but for spans that name another one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from trapeze.common import paths
from trapeze.common.errors import TrapezeError
from trapeze.common.files import replacing
from trapeze.explaining import breakdown, by_task, gates
from trapeze.explaining.breakdown import Step
from trapeze.platform.configurations import Config
from trapeze.simulation import simulator
from trapeze.simulation.options import Options
from trapeze.simulation.records import Run, Stamps
from trapeze.simulation.traces import Record, Retired, functions, read

LABEL = "worst"
"""The label of a row that says where the cycles of its worst case went."""

BEFORE = 200
BEHIND = 200
"""Most cycles of a timeline before and after the case that it shows."""


class MeasuredRow(Protocol):
    """What is to be known of a row: its name for messages, and what it ran on."""

    @property
    def id(self) -> str:
        """As in the result."""

    @property
    def config(self) -> Config:
        """The platform configuration."""


@dataclass(frozen=True)
class MeasuredInterrupt:
    """One of the interrupts that a row was measured with.

    Attributes:
        cycles: What it took.
        options: Of a run that shows it.
        line: The line of its edge there.
        cycle: The cycle of that edge.
    """

    cycles: int
    options: Options
    line: int
    cycle: int


@dataclass(frozen=True)
class MeasuredSpan:
    """One of the measurements of a row, from an instruction to a marker.

    Attributes:
        begin: Cycle in which it begins: that of an execution, or of an edge.
        end: Cycle in which the marker executes.
        options: Of a run that shows it.
        hart: That both belong to.
        first: The program of hart 0 in that run; None: the row's firmware.
        retires: Cycles from an instruction's execution to the cycle that a trace gives it: 0 on a modelled hart.
    """

    begin: int
    end: int
    options: Options
    hart: int = 0
    first: Path | None = None
    retires: int = 1

    @property
    def cycles(self) -> int:
        """What it took."""
        return self.end - self.begin


def timeline(elf: Path, metric: str = "") -> Path:
    """Where the timeline of a row's worst case is, beside its firmware; `metric`: where the row has several."""
    return elf.with_name(f"{elf.stem}{metric and '-'}{metric}-worst.json")


def find_timeline(experiment: str, row: str, metric: str) -> Path | None:
    """The timeline of a row's worst case, if there is one."""
    stem = paths.BUILD / "bench" / experiment / f"{row.replace('/', '-')}.elf"
    return next((path for name in (metric, "") if (path := timeline(stem, name)).is_file()), None)


def draw(row: MeasuredRow, elf: Path, options: Options, begin: int, end: int, path: Path) -> None:
    """Write the timeline of a part of a run.

    Args:
        row: The row.
        elf: Its firmware.
        options: Of the run.
        begin: Cycle in which the part begins that is to be seen.
        end: Cycle in which it ends.
        path: Where it goes.
    """
    with replacing(path) as made:
        part = replace(options, trace=made, trace_from=max(0, begin - BEFORE), max_cycles=end + BEHIND)
        simulator.watch(elf, row.config, part)


def _stamps(run: Run, phase: MeasuredInterrupt, marker: int | None) -> Stamps:
    found = [one for one in run.interrupts if (one.line, one.t0) == (phase.line, phase.cycle)]
    if not found:
        raise TrapezeError(f"line {phase.line} did not rise in cycle {phase.cycle} again", 1)
    if marker is None:
        return found[0]
    ends = [one.tx for one in run.markers if one.n == marker and one.tx > phase.cycle]
    return replace(found[0], tx=ends[0] if ends else None, tr=None)


def explain(
    row: MeasuredRow,
    elf: Path,
    phases: Sequence[MeasuredInterrupt],
    marker: int | None = None,
    last: str = breakdown.SAVE,
) -> str:
    """Write the timeline of the worst case, and say where its cycles went.

    Args:
        row: The row.
        elf: Its firmware.
        phases: What it was measured with.
        marker: The marker that ends it; None: the handler's own one.
        last: Name of the part after the entry.

    Raises:
        TrapezeError: it was something else when seen again.
    """
    worst = max(phases, key=lambda one: one.cycles)
    with simulator.scratch() as folder:
        trace = folder / "trace.jsonl"
        watched = replace(worst.options, trace=trace, trace_from=breakdown.trace_start(worst.cycle))
        run = simulator.watch(elf, row.config, watched).run
        stamps = _stamps(run, worst, marker)
        if stamps.tx is None or stamps.tx - stamps.t0 != worst.cycles:
            took = "no marker" if stamps.tx is None else f"{stamps.tx - stamps.t0} cycles"
            raise TrapezeError(f"{row.id}: raised in cycle {worst.cycle} again: {took}, not {worst.cycles}", 1)
        with trace.open() as lines:
            source = gates.source(row.config, 0, worst.line, breakdown.trace_start(worst.cycle) == 0, elf)
            causes = breakdown.explain(stamps, list(read(lines, hart=0)), functions(elf), last, source)
    draw(row, elf, worst.options, worst.cycle, stamps.tx, timeline(elf))
    return f"raised in cycle {worst.cycle}: {breakdown.sentence(causes)}"


def _steps(row: MeasuredRow, elf: Path, span: MeasuredSpan) -> tuple[list[Record], list[Step]]:
    """The trace of a span, and its instructions.

    Raises:
        TrapezeError: it was something else when seen again.
    """
    with simulator.scratch() as folder:
        trace = folder / "trace.jsonl"
        watched = replace(span.options, trace=trace, trace_from=max(0, span.begin - breakdown.LEAD))
        watched = replace(watched, max_cycles=span.end + BEHIND)
        simulator.watch(span.first or elf, row.config, watched)
        with trace.open() as lines:
            known = list(read(lines, hart=span.hart))
    ends = [one for one in known if isinstance(one, Retired) and one.cycle == span.end + span.retires and one.marker]
    earlier = 1 - span.retires
    found = breakdown.steps(known, span.begin - earlier, span.end - earlier, functions(elf))
    if not ends or sum(one.cycles for one in found) != span.cycles:
        raise TrapezeError(f"{row.id}: cycles {span.begin} to {span.end} again: there is no marker in the last one", 1)
    return known, found


def explain_span(row: MeasuredRow, elf: Path, spans: Sequence[MeasuredSpan], metric: str = "") -> str:
    """Write the timeline of the worst case; say where its cycles went, and which of them the best case lacks.

    Args:
        row: The row.
        elf: Its firmware.
        spans: What was measured.
        metric: Of the timeline's name, where the row has several.

    Raises:
        TrapezeError: it was something else when seen again.
    """
    worst, best = max(spans, key=lambda one: one.cycles), min(spans, key=lambda one: one.cycles)
    known, steps = _steps(row, elf, worst)
    draw(row, worst.first or elf, worst.options, worst.begin, worst.end, timeline(elf, metric))
    text = f"cycles {worst.begin} to {worst.end}: {by_task.sentence(known, steps, worst.begin)}"
    if worst.cycles > best.cycles:
        more = breakdown.excess(steps, _steps(row, elf, best)[1])
        text += f"; {worst.cycles - best.cycles} more than the best one: {more}"
    return text
