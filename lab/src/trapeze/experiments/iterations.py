# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Compute: cycles from one iteration of a workload to the next.

The firmware passes marker 4 before the first and after every iteration, checks its own results and exits with 0.
"""

from __future__ import annotations

from itertools import pairwise

from trapeze import simulator
from trapeze.errors import TrapezeError
from trapeze.experiments import Case, Experiment
from trapeze.results import Row
from trapeze.simulator import Options, Progress

MARKER_ITERATION = 4
MAX_CYCLES = 100_000_000


def measure(case: Case, experiment: Experiment, quick: bool, progress: Progress) -> list[Row]:
    """The row of one case. There is nothing to leave out for `quick`."""
    del quick
    outcome = simulator.measure(case.firmware(experiment.name), case.config, Options(max_cycles=MAX_CYCLES))
    progress(1, 1)
    run = outcome.run
    if run.reason != "exit" or run.code != 0:
        raise TrapezeError(f"{case.id}: the firmware ended by {run.reason}, code {run.code}", exit_code=1)
    stamps = [marker.tr for marker in run.markers if marker.n == MARKER_ITERATION]
    if len(stamps) < 2:
        raise TrapezeError(f"{case.id}: marker {MARKER_ITERATION} came {len(stamps)} times, not before and after", 1)
    cycles = [after - before for before, after in pairwise(stamps)]
    return [Row.of(cycles, engine="rtl", unit=experiment.metrics["cycles"].unit, **case.row("cycles"))]


def check(experiment: Experiment) -> None:
    """Refuse an experiment file this cannot measure.

    Raises:
        TrapezeError: the metric is not `cycles`.
    """
    if set(experiment.metrics) != {"cycles"}:
        raise TrapezeError(f"experiment {experiment.name}: its metric must be cycles")
