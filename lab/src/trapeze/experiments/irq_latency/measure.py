# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Interrupt latency at every phase of a background loop.

The firmware marks the loop with markers 2 and 3. One run without interrupts finds their cycles. A sweep then runs the
firmware once for each cycle between them, and raises the line in that cycle. There is a figure only if every run takes
the interrupt exactly once and ends like the others.

Nested interrupts: other lines rise first, in some cycles of the loop, and the line in every cycle from the first of
them on until the handlers of all have returned; one combination in each round of `trapeze.experiments.rounds`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from trapeze.common.edges import Edge, EdgeRange
from trapeze.common.errors import TrapezeError
from trapeze.common.jobs import Progress
from trapeze.experiment_files import Case, Experiment
from trapeze.experiments.measured_window import find_window
from trapeze.experiments.rounds import Nested, Raised, Round, Stage, markers_of, nest, nested, options_of, require_lines
from trapeze.experiments.sweep_coverage import complete, verify
from trapeze.explaining import worst_case
from trapeze.explaining.worst_case import MeasuredInterrupt
from trapeze.results.rows import Row
from trapeze.simulation import simulator
from trapeze.simulation.options import Options
from trapeze.simulation.records import MARKER_HANDLER_END, METRICS, Interrupt, Stamps, SweepRun

MAX_CYCLES = 2_000_000
"""Limit of one run: far more than any takes, so that a run that hangs ends."""

OUTERMOST = 2
"""Cycles of the window in which the outermost of nested interrupts comes, evenly spread."""

RETURN_CYCLES = 24
"""More than a handler takes from its last marker back to what it interrupted."""


@dataclass(frozen=True)
class Wait:
    """Random wait states: the chance of one on each port, in 1/256, and the seeds to measure with."""

    instruction: int
    data: int
    seeds: Sequence[int]


def sweep(
    case: Case, elf: Path, quick: bool = False, progress: Progress | None = None, options: Options | None = None
) -> tuple[SweepRun, ...]:
    """Find the window and sweep it: the line alone, in every cycle.

    Args:
        case: Row of the experiment.
        elf: Its firmware.
        quick: Only the first phases.
        progress: Called with phases done, of how many.
        options: Of the simulator: wait states and their seed; none without.

    Raises:
        TrapezeError: anything went wrong in any phase.
    """
    settings = replace(options or Options(), max_cycles=MAX_CYCLES)
    window = find_window(simulator.measure(elf, case.config, settings).run, case.id)
    if quick:
        window = window.quick()
    spec = EdgeRange(case.line, window.first, window.last)
    outcome = simulator.measure(elf, case.config, replace(settings, sweep=spec), progress)
    return verify(outcome.run, window, case.id)


def _latest(found: Round) -> int:
    """How many cycles after the outermost interrupt the last handler's return may end."""
    ends = [marker.tr for marker in found.markers if marker.n == MARKER_HANDLER_END]
    return ends[-1] - found.interrupts[-1].t0 + RETURN_CYCLES


def sweep_nested(
    case: Case, elf: Path, inner: Nested, progress: Progress | None = None
) -> tuple[list[Interrupt], list[MeasuredInterrupt]]:
    """The interrupts of the row's line, raised in every cycle from the outermost one's on until all have returned.

    Raises:
        TrapezeError: the firmware failed, or a round shows other handlers than there must be.
    """

    def raised(first: int, apart: int, later: int = 0) -> Raised:
        return ((case.line, first + later), *nest(case, first, apart)[1:])

    stage = Stage.prepare(case, elf, lambda first: raised(first, inner.apart[0]))
    window = stage.window
    firsts = [window.first + window.length * step // OUTERMOST for step in range(OUTERMOST)]
    pairs = [(first, apart) for first in firsts for apart in inner.apart]
    together = stage.play([raised(first, apart) for first, apart in pairs])
    wanted = [
        raised(first, apart, later)
        for (first, apart), one in zip(pairs, together, strict=True)
        for later in range(_latest(one) + 1)
    ]
    found, seen = [], []
    shape = sorted(markers_of(1, inner.depth - 1))
    for number, one in enumerate(stage.play(wanted)):
        first = one.interrupts[0]
        if sorted(one.shape) != shape or first.tx is None:
            cycles = [cycle for _, cycle in wanted[number]]
            raise TrapezeError(f"{case.id}: raised in cycles {cycles}: markers {list(one.shape)}", exit_code=1)
        found.append(first)
        seen.append(MeasuredInterrupt(first.tx - first.t0, options_of([wanted[number]]), *wanted[number][0]))
        if progress is not None:
            progress(number + 1, len(wanted))
    return found, seen


def _seen(run: Stamps, line: int, options: Options) -> MeasuredInterrupt:
    """A run of a sweep, and how to see it again."""
    return MeasuredInterrupt((run.tx or run.t0) - run.t0, replace(options, irq=(Edge(line, run.t0),)), line, run.t0)


def phases(
    case: Case, elf: Path, quick: bool, progress: Progress | None = None
) -> tuple[Sequence[Stamps], Sequence[MeasuredInterrupt]]:
    """All interrupts of one case.

    Raises:
        TrapezeError: something went wrong in one of the runs.
    """
    if (inner := nested(case)) is not None:
        return sweep_nested(case, elf, inner, progress)
    stalls = [Options(max_cycles=MAX_CYCLES)]
    if (stalled := case.part("wait", Wait)) is not None:
        ports = replace(stalls[0], wait_instr=stalled.instruction, wait_data=stalled.data)
        stalls = [replace(ports, seed=seed) for seed in stalled.seeds]
    found = [(run, options) for options in stalls for run in sweep(case, elf, quick, progress, options)]
    return [run for run, _ in found], [_seen(run, case.line, options) for run, options in found]


def measure(case: Case, experiment: Experiment, quick: bool, progress: Progress) -> list[Row]:
    """The rows of one case: one for each metric."""
    elf = case.firmware(experiment.name)
    runs, seen = phases(case, elf, quick, progress)
    explained = case.labelled({worst_case.LABEL: worst_case.explain(case, elf, seen)})
    rows = []
    for metric in experiment.metrics.values():
        values = complete([run.distance(metric.name) for run in runs], metric.name, case.id)
        fields = (explained if metric.name == "latency" else case).row(metric.name)
        rows.append(Row.of(values, engine="rtl", unit=metric.unit, **fields))
    return rows


def check(experiment: Experiment) -> None:
    """Refuse an experiment file this cannot measure.

    Raises:
        TrapezeError: a metric that is not a latency, or too few lines for interrupts that nest.
    """
    require_lines(experiment)
    experiment.allow_metrics(METRICS)
