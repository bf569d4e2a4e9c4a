# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Context switch: cycles from a kernel's call, or an interrupt's edge, to the next instruction of another task.

The firmware's label `test` says what it does: a test of `CALLS` has marker 10 before each call and marker 11 behind the
one that the other task returns from; in one of `EDGES` a line rises at many phases of what the kernel does, and marker
11 (`above`: the handler's) is what it leads to. The switch of `yield` is also split into stages, by the addresses that
retire between the markers, and one of them is left as a timeline for Perfetto beside the firmware.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from trapeze import simulator
from trapeze.errors import TrapezeError
from trapeze.experiments import Case, Experiment
from trapeze.experiments.switch_timeline import timeline
from trapeze.output import write_atomic
from trapeze.records import Marker, Run
from trapeze.results import Row
from trapeze.simulator import Options, Progress

MARKER_FROM = 10
MARKER_TO = 11
LABEL = "test"
STAGES = ("entry", "save", "schedule", "restore", "exit")
METRICS = ("switch", "wake", "latency", *STAGES)
CALLS = ("yield", "semaphore", "queue", "notify")
EDGES = {"isr-wake": "wake", "isr-wake-direct": "wake", "above": "latency"}
"""The tests with interrupts, and the metric of each."""

SCHEDULER = "vTaskSwitchContext"
MAX_CYCLES = 10_000_000
FIRST_EDGE = 120_000
"""By then all tasks have run."""

APART = 1201
"""Cycles between two edges: more than one takes with everything that it leads to."""

EDGE_COUNT = 2000
QUICK_COUNT = 80
_LINE = re.compile(r" *(\d+) M ([0-9a-f]{8}):\t([0-9a-f]+)\s+(\S+)\t?([^;]*)")


@dataclass(frozen=True)
class Retired:
    """One instruction of a trace: the cycle of its retirement, its address and its text."""

    cycle: int
    pc: int
    name: str
    operands: str

    def is_marker(self, number: int) -> bool:
        """Whether it is this marker."""
        return self.name == "slti" and self.operands.strip() == f"zero,zero,{number}"


def read_trace(lines: Iterable[str]) -> Iterator[Retired]:
    """The instructions of a `.log` trace."""
    for line in lines:
        if found := _LINE.match(line):
            yield Retired(int(found[1]), int(found[2], 16), found[4], found[5])


def functions(elf: Path) -> list[tuple[range, str]]:
    """The functions of a program by address, each up to the next one."""
    with elf.open("rb") as file:
        table = ELFFile(file).get_section_by_name(".symtab")
        if not isinstance(table, SymbolTableSection):
            raise TrapezeError(f"{elf.name}: has no symbols", 1)
        found = {one["st_value"]: one.name for one in table.iter_symbols() if one["st_info"]["type"] == "STT_FUNC"}
    starts = sorted(found)
    return [(range(at, after), found[at]) for at, after in zip(starts, [*starts[1:], starts[-1] + 1], strict=True)]


def calls(markers: Sequence[Marker]) -> list[int]:
    """Cycles from each marker 10 that is followed by marker 11 to that one."""
    return [b.tx - a.tx for a, b in pairwise(markers) if (a.n, b.n) == (MARKER_FROM, MARKER_TO)]


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


def _ended(run: Run, case: Case) -> Run:
    if run.reason != "exit" or run.code != 0:
        raise TrapezeError(f"{case.id}: the firmware ended by {run.reason}, code {run.code}", 1)
    return run


def _calls(case: Case, elf: Path, metrics: Iterable[str]) -> dict[str, list[int]]:
    with simulator.scratch() as folder:
        trace = folder / "trace.log"
        options = Options(max_cycles=MAX_CYCLES, trace=trace if case.labels[LABEL] == "yield" else None)
        run = _ended(simulator.measure(elf, case.config, options).run, case)
        values = {"switch": calls(run.markers)}
        if options.trace is not None:
            named = functions(elf)
            with trace.open() as lines:
                found = list(switches(read_trace(lines)))
            stages = [split(one, named) for one in found]
            picture = timeline(f"{case.id}: {case.config.name}", found[-1], stages[-1], named)
            write_atomic(elf.with_suffix(".json"), picture)
            values |= {name: [one[name] for one in stages] for name in STAGES}
            total = [sum(one.values()) for one in stages]
            if total != values["switch"]:
                raise TrapezeError(f"{case.id}: the stages make {total}, the markers {values['switch']}", 1)
    return {name: values[name] for name in metrics if name in values}


def edges(run: Run, metric: str, name: str) -> list[int]:
    """Cycles from each edge to what it led to.

    Raises:
        TrapezeError: an edge led to nothing before the next one.
    """
    taken = [one for one in run.interrupts if one.line is not None]
    marks = [one.tx for one in run.markers if one.n == MARKER_TO]
    values = []
    for one, following in zip(taken, [*taken[1:], None], strict=True):
        if metric == "latency":
            reached = one.tx
        else:
            at = bisect.bisect_left(marks, one.t0)
            reached = marks[at] if at < len(marks) else None
        if reached is None or (following is not None and reached >= following.t0):
            raise TrapezeError(f"{name}: the edge in cycle {one.t0} led to nothing before the next one", 1)
        values.append(reached - one.t0)
    return values


def _edges(case: Case, elf: Path, count: int) -> dict[str, list[int]]:
    metric = EDGES[case.labels[LABEL]]
    raised = tuple(f"{case.line}@{FIRST_EDGE + number * APART}" for number in range(count))
    run = simulator.measure(elf, case.config, Options(irq=raised, max_cycles=FIRST_EDGE + (count + 1) * APART)).run
    values = edges(run, metric, case.id)
    if len(values) != count:
        raise TrapezeError(f"{case.id}: {len(values)} of {count} edges were seen", 1)
    return {metric: values}


def measure(case: Case, experiment: Experiment, quick: bool, progress: Progress) -> list[Row]:
    """The rows of one case."""
    elf = case.firmware(experiment.name)
    test = case.labels[LABEL]
    values = (
        _calls(case, elf, experiment.metrics)
        if test in CALLS
        else _edges(case, elf, QUICK_COUNT if quick else EDGE_COUNT)
    )
    progress(1, 1)
    return [
        Row.of(values[metric.name], engine="rtl", unit=metric.unit, **case.row(metric.name))
        for metric in experiment.metrics.values()
        if metric.name in values
    ]


def check(experiment: Experiment) -> None:
    """Refuse an experiment file this cannot measure.

    Raises:
        TrapezeError: an unknown metric or test, or a row without a kernel.
    """
    if strange := set(experiment.metrics) - set(METRICS):
        raise TrapezeError(f"experiment {experiment.name}: '{sorted(strange)[0]}' is not one of {', '.join(METRICS)}")
    for case in experiment.cases:
        if case.labels.get(LABEL) not in (*CALLS, *EDGES):
            raise TrapezeError(
                f"experiment {experiment.name}: {case.id}: label '{LABEL}': one of {', '.join((*CALLS, *EDGES))}"
            )
        if case.rtos is None:
            raise TrapezeError(f"experiment {experiment.name}: {case.id}: rtos is missing")
