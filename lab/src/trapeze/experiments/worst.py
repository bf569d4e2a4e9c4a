# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The worst case of a row, seen again: a timeline of it, and why it took as long.

The simulation is deterministic: the lines that rose then rise again in the same cycles, in a run that is watched.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from trapeze import simulator, why
from trapeze.errors import TrapezeError
from trapeze.experiments import Case
from trapeze.records import Run, Stamps
from trapeze.simulator import Options
from trapeze.trace_log import functions, read

LABEL = "worst"
"""Of a row: where the cycles of its worst case went."""

BEHIND = 200
"""Cycles of a timeline behind the marker, at most."""


@dataclass(frozen=True)
class Phase:
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


def timeline(elf: Path) -> Path:
    """Where the timeline of a row's worst case is, beside its firmware."""
    return elf.with_name(f"{elf.stem}-worst.json")


def _stamps(run: Run, phase: Phase, marker: int | None) -> Stamps:
    found = [one for one in run.interrupts if (one.line, one.t0) == (phase.line, phase.cycle)]
    if not found:
        raise TrapezeError(f"line {phase.line} did not rise in cycle {phase.cycle} again", 1)
    if marker is None:
        return found[0]
    ends = [one.tx for one in run.markers if one.n == marker and one.tx > phase.cycle]
    return replace(found[0], tx=ends[0] if ends else None, tr=None)


def explain(case: Case, elf: Path, phases: Sequence[Phase], marker: int | None = None, last: str = why.SAVE) -> str:
    """Write the timeline of the worst of these, and say where its cycles went.

    Args:
        case: The row.
        elf: Its firmware.
        phases: What it was measured with.
        marker: The marker that ends it; None: the handler's own one.
        last: Name of what comes behind the entry.

    Raises:
        TrapezeError: it was something else when seen again.
    """
    worst = max(phases, key=lambda one: one.cycles)
    with simulator.scratch() as folder:
        trace = folder / "trace.log"
        run = simulator.measure(elf, case.config, replace(worst.options, trace=trace)).run
        stamps = _stamps(run, worst, marker)
        if stamps.tx is None or stamps.tx - stamps.t0 != worst.cycles:
            took = "no marker" if stamps.tx is None else f"{stamps.tx - stamps.t0} cycles"
            raise TrapezeError(f"{case.id}: raised in cycle {worst.cycle} again: {took}, not {worst.cycles}", 1)
        with trace.open() as lines:
            causes = why.explain(stamps, list(read(lines)), functions(elf), last)
    simulator.measure(elf, case.config, replace(worst.options, trace=timeline(elf), max_cycles=stamps.tx + BEHIND))
    return f"raised in cycle {worst.cycle}: {why.said(causes)}"
