# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Context switch: cycles from a kernel's call, or an interrupt's edge, to the next instruction of another task.

The firmware's label `test` names its test. A test of `CALLS` has marker 10 before each call, and marker 11 behind the
call from which the other task returns. In a test of `EDGES` the kernel's work repeats with a fixed period, which a run
without an edge finds and checks. A sweep raises the line in each cycle of the period, and the latency ends at marker 11
(`above`: at the handler's marker). The switch of `yield` is also split into stages, by the addresses that retire
between the markers, and one of them is left as a timeline for Perfetto beside the firmware.
"""

from __future__ import annotations

import bisect
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from trapeze.common.edges import Edge, EdgeRange
from trapeze.common.errors import TrapezeError
from trapeze.common.jobs import Progress
from trapeze.common.output import write_atomic
from trapeze.experiment_files import Case, Experiment
from trapeze.experiments.context_switch.timeline import timeline
from trapeze.experiments.measured_window import Window
from trapeze.experiments.sweep_coverage import complete, verify
from trapeze.explaining import worst_case
from trapeze.explaining.worst_case import MeasuredInterrupt, MeasuredSpan
from trapeze.results.rows import Row
from trapeze.simulation import simulator
from trapeze.simulation.options import Options
from trapeze.simulation.records import MARKER_WINDOW_BEGIN, Marker, Run, SweepRun
from trapeze.simulation.traces import Retired, functions, instructions

MARKER_FROM = 10
MARKER_TO = 11
LABEL = "test"
STAGES = ("entry", "save", "schedule", "restore", "exit")
METRICS = ("switch", "wake", "latency", *STAGES)
CALLS = ("yield", "semaphore", "queue", "notify")
EDGES = {"isr-wake": "wake", "isr-wake-direct": "wake", "bound": "wake", "above": "latency"}
"""The tests with interrupts, and the metric of each."""

SCHEDULER = "vTaskSwitchContext"
MAX_CYCLES = 10_000_000
UNWOKEN = 2
"""Exit code of a test of `wake` whose line did not rise; with 0 it ends in the woken task."""

REPEATS = 4
"""So many periods of the background have to be alike."""


def calls(markers: Sequence[Marker], options: Options) -> list[MeasuredSpan]:
    """From each marker 10 that is followed by marker 11 to that one; `options`: of the run."""
    return [MeasuredSpan(a.tx, b.tx, options) for a, b in pairwise(markers) if (a.n, b.n) == (MARKER_FROM, MARKER_TO)]


def split(switch: Sequence[Retired], named: Sequence[tuple[range, str]]) -> dict[str, int]:
    """The stages of one switch, in cycles; together they are all of it.

    Args:
        switch: From marker 10 to marker 11, both included.
        named: The functions of the program.

    Raises:
        TrapezeError: it does not pass the scheduler.
    """
    tasks = [where for where, _ in named if switch[0].pc in where or switch[-1].pc in where]
    scheduler = [where for where, name in named if name == SCHEDULER]
    inside = [at for at, one in enumerate(switch) if any(one.pc in where for where in scheduler)]
    outside = [at for at, one in enumerate(switch) if not any(one.pc in where for where in tasks)]
    if not inside:
        raise TrapezeError(f"a switch does not pass {SCHEDULER}", 1)
    marks = (0, outside[0], inside[0], inside[-1] + 1, outside[-1], len(switch) - 1)
    stamps = [switch[at].cycle for at in marks]
    return {name: after - before for name, before, after in zip(STAGES, stamps[:-1], stamps[1:], strict=True)}


def switches(trace: Iterable[Retired]) -> Iterator[list[Retired]]:
    """The instructions of each switch, from marker 10 to marker 11."""
    open_: list[Retired] = []
    for one in trace:
        if one.is_marker(MARKER_FROM):
            open_ = [one]
        elif open_:
            open_.append(one)
            if one.is_marker(MARKER_TO):
                yield open_
                open_ = []


def _ended(run: Run, case: Case, code: int = 0) -> Run:
    if run.reason != "exit" or run.code != code:
        raise TrapezeError(f"{case.id}: the firmware ended by {run.how}", 1)
    return run


def _calls(case: Case, elf: Path, metrics: Iterable[str]) -> tuple[dict[str, list[int]], str]:
    """The values by metric, and where the cycles of the worst switch went."""
    with simulator.scratch() as folder:
        trace = folder / "trace.jsonl"
        options = Options(max_cycles=MAX_CYCLES, trace=trace if case.labels[LABEL] == "yield" else None)
        run = _ended(simulator.measure(elf, case.config, options).run, case)
        spans = calls(run.markers, replace(options, trace=None))
        values = {"switch": [one.cycles for one in spans]}
        if options.trace is not None:
            named = functions(elf)
            first = min(one.tr for one in run.markers if one.n == MARKER_FROM)
            with trace.open() as lines:
                found = list(switches(instructions(lines, first, hart=0)))
            stages = [split(one, named) for one in found]
            picture = timeline(f"{case.id}: {case.config.name}", found[-1], stages[-1], named)
            write_atomic(elf.with_suffix(".json"), picture)
            values |= {name: [one[name] for one in stages] for name in STAGES}
            total = [sum(one.values()) for one in stages]
            if total != values["switch"]:
                raise TrapezeError(f"{case.id}: the stages make {total}, the markers {values['switch']}", 1)
    said = worst_case.explain_span(case, elf, spans)
    return {name: values[name] for name in metrics if name in values}, said


def find_period(markers: Sequence[Marker], trace: Iterable[Retired], name: str) -> Window:
    """A period of the background, in a state in which it repeats: the last whole one before the run's end.

    Args:
        markers: Of a run without an edge, one (2) at the beginning of each period.
        trace: Of the same run.
        name: Of the case, for messages.

    Raises:
        TrapezeError: in the last `REPEATS` periods not the same instructions retire in the same cycles.
    """
    begins = [one.tr for one in markers if one.n == MARKER_WINDOW_BEGIN][-REPEATS - 1 :]
    lengths = {after - before for before, after in pairwise(begins)}
    if len(begins) <= REPEATS or len(lengths) != 1:
        raise TrapezeError(f"{name}: the background's periods begin in cycles {begins}, not equally far apart", 1)
    parts: list[list[tuple[int, int]]] = [[] for _ in range(REPEATS)]
    for one in trace:
        if begins[0] < one.cycle <= begins[-1]:
            at = bisect.bisect_left(begins, one.cycle) - 1
            parts[at].append((one.cycle - begins[at], one.pc))
    if not parts[0] or any(part != parts[0] for part in parts):
        raise TrapezeError(f"{name}: the background does not repeat what it did, though its markers do", 1)
    return Window(begins[-2], begins[-1] - 1)


def since(markers: Sequence[Marker]) -> int:
    """The cycle from which on `find_period` has to see a trace."""
    begins = [one.tr for one in markers if one.n == MARKER_WINDOW_BEGIN]
    return min(begins[-REPEATS - 1 :], default=0)


def _find_period(case: Case, elf: Path) -> Window:
    with simulator.scratch() as folder:
        trace = folder / "trace.jsonl"
        run = simulator.measure(elf, case.config, Options(max_cycles=MAX_CYCLES, trace=trace)).run
        _ended(run, case, 0 if case.labels[LABEL] == "above" else UNWOKEN)
        with trace.open() as lines:
            return find_period(run.markers, instructions(lines, since(run.markers), hart=0), case.id)


def _ending(case: Case, elf: Path, cycle: int) -> int:
    """Cycles from marker 11 to the end of the run, with the line raised in a cycle."""
    options = Options(irq=(Edge(case.line, cycle),), max_cycles=MAX_CYCLES)
    run = _ended(simulator.measure(elf, case.config, options).run, case)
    woken = [one.tx for one in run.markers if one.n == MARKER_TO]
    if len(woken) != 1:
        raise TrapezeError(f"{case.id}: raised in cycle {cycle}: the task was woken {len(woken)} times", 1)
    return run.cycles - woken[0]


def woken(runs: Sequence[SweepRun], ending: Callable[[int], int], name: str) -> list[int]:
    """Cycles from the edge to marker 11, which a sweep does not record: the end of the run, and how long before it.

    Args:
        runs: Each ends a fixed number of cycles behind the marker.
        ending: That number for one phase, from a run that records the marker; asked for three phases, the one that
            took the least and the one that took the most among them.
        name: Of the case, for messages.

    Raises:
        TrapezeError: the number is not the same for these.
    """
    ends = [one.cycles - one.t0 for one in runs]
    phases = (runs[0].t0, runs[ends.index(min(ends))].t0, runs[ends.index(max(ends))].t0)
    tails = {ending(phase) for phase in phases}
    if len(tails) != 1:
        raise TrapezeError(f"{name}: marker to end takes {sorted(tails)} cycles, not always the same", 1)
    tail = tails.pop()
    return [value - tail for value in ends]


def _edges(case: Case, elf: Path, quick: bool, progress: Progress) -> tuple[dict[str, list[int]], str]:
    """The latencies, and where the worst one's cycles went."""
    metric = EDGES[case.labels[LABEL]]
    whole = _find_period(case, elf)
    window = whole.quick() if quick else whole
    options = Options(sweep=EdgeRange(case.line, window.first, window.last), max_cycles=MAX_CYCLES)
    run = simulator.measure(elf, case.config, options, progress).run
    runs = verify(run, window, case.id, marked=metric == "latency")
    if metric == "wake":
        values = woken(runs, lambda cycle: _ending(case, elf, cycle), case.id)
    else:
        values = complete([one.distance(metric) for one in runs], metric, case.id)
    seen = [
        MeasuredInterrupt(cycles, Options(irq=(Edge(case.line, one.t0),), max_cycles=MAX_CYCLES), case.line, one.t0)
        for cycles, one in zip(values, runs, strict=True)
    ]
    if metric == "wake":
        return {metric: values}, worst_case.explain(case, elf, seen, MARKER_TO, "handler and kernel")
    return {metric: values}, worst_case.explain(case, elf, seen)


def measure(case: Case, experiment: Experiment, quick: bool, progress: Progress) -> list[Row]:
    """The rows of one case."""
    elf = case.firmware(experiment.name)
    test = case.labels[LABEL]
    if test in CALLS:
        values, text = _calls(case, elf, experiment.metrics)
    else:
        values, text = _edges(case, elf, quick, progress)
    progress(1, 1)
    explained = case.labelled({worst_case.LABEL: text})
    rows = []
    for metric in experiment.metrics.values():
        if metric.name in values:
            fields = (case if metric.name in STAGES else explained).row(metric.name)
            rows.append(Row.of(values[metric.name], engine="rtl", unit=metric.unit, **fields))
    return rows


def check(experiment: Experiment) -> None:
    """Refuse an experiment file this cannot measure.

    Raises:
        TrapezeError: an unknown metric or test, or a row without a kernel.
    """
    experiment.allow_metrics(METRICS)
    experiment.require_kernel(LABEL, (*CALLS, *EDGES))
