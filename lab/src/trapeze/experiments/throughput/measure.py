# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Throughput: how often a kernel serves a test in a fixed number of cycles, as the firmware counts it.

The firmware (bench/rtos-throughput/throughput.c) prints one line `events N cycles M`, of a window of whole ticks. It
exits with something else than 0 if the counters of its tasks and handlers contradict each other.
"""

from __future__ import annotations

import re
from dataclasses import replace

from trapeze.common.errors import TrapezeError
from trapeze.common.jobs import Progress
from trapeze.experiment_files import Case, Experiment
from trapeze.results.rows import Row
from trapeze.simulation import simulator
from trapeze.simulation.options import Options

WINDOW = 3_000_000
"""Cycles in which events are counted."""

LABEL = "test"
TESTS = ("cooperative", "preemptive", "interrupt", "interrupt-preemption", "message", "semaphore", "memory")
METRICS = ("events", "cycles")
MAX_CYCLES = 2 * WINDOW
QUICK_OPTION = "-DWINDOW_TICKS=3"
"""A tenth of the window."""

_LINE = re.compile(rb"events (\d+) cycles (\d+)\n")


def parse(console: bytes, name: str) -> dict[str, float]:
    """Events in `WINDOW` cycles, and cycles of one event.

    Args:
        console: What the firmware said.
        name: Of the case, for messages.

    Raises:
        TrapezeError: that is something else, or there were no events.
    """
    found = _LINE.fullmatch(console)
    if found is None or not int(found[1]) or not int(found[2]):
        raise TrapezeError(f"{name}: the firmware said {console.decode(errors='replace')!r}, which is no figure", 1)
    events, cycles = int(found[1]), int(found[2])
    return {"events": round(events * WINDOW / cycles), "cycles": round(cycles / events, 1)}


def measure(case: Case, experiment: Experiment, quick: bool, progress: Progress) -> list[Row]:
    """The rows of one case; with `quick` of a shorter window."""
    run_of = replace(case, options=(*case.options, QUICK_OPTION)) if quick else case
    outcome = simulator.measure(run_of.firmware(experiment.name), case.config, Options(max_cycles=MAX_CYCLES))
    run = outcome.run
    if run.reason != "exit" or run.code != 0:
        said = f"the firmware ended by {run.how}"
        raise TrapezeError(f"{case.id}: {said}; its counters contradict each other, or a call failed", 1)
    figures = parse(outcome.console, case.id)
    progress(1, 1)
    metrics = experiment.metrics.values()
    return [Row.of([figures[one.name]], engine="rtl", unit=one.unit, **case.row(one.name)) for one in metrics]


def check(experiment: Experiment) -> None:
    """Refuse an experiment file this cannot measure.

    Raises:
        TrapezeError: an unknown metric or test, or a row without a kernel.
    """
    experiment.allow_metrics(METRICS)
    experiment.require_kernel(LABEL, TESTS)
