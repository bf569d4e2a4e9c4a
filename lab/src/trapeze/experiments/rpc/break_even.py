# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The size from which calling the hart beside is faster than computing on Linux' own."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from statistics import median

from trapeze.common.errors import TrapezeError
from trapeze.experiment_files import Case, Experiment
from trapeze.experiments.rpc.calls import pairs
from trapeze.experiments.rpc.critical_path import LINUX
from trapeze.results.rows import Row
from trapeze.simulation import building
from trapeze.simulation.records import Run

MARKER_HERE, MARKER_HERE_END = 20, 21
"""bench/rpc/markers.h."""

TRIALS = 3
"""Products of each size on Linux' hart, as bench/rpc/calls.c and bench/rpc/prepared.c have them."""

HERE = "here"
BREAK_EVEN = "break-even"
"""The metric, and the name of its row."""

Cycles = Mapping[int, Sequence[int]]
"""Of each size, by trials."""


def here(run: Run, sizes: Sequence[int]) -> Cycles:
    """Cycles of the products on Linux' hart.

    Raises:
        TrapezeError: some are missing.
    """
    each = [end - begin - 1 for begin, end in pairs(run, LINUX, MARKER_HERE, MARKER_HERE_END)]
    if len(each) != TRIALS * len(sizes):
        raise TrapezeError(f"{len(each)} products on hart {LINUX}, not {TRIALS} of each of {len(sizes)} sizes", 1)
    return {size: each[at * TRIALS : (at + 1) * TRIALS] for at, size in enumerate(sizes)}


def from_which(calls: Cycles, own: Cycles) -> int | None:
    """The size from which the median call is faster than the median product on Linux' hart, up to the largest one.

    Between the last size at which it is slower and the next one measured, its gain is taken for a straight line. None:
    at the largest size it is slower.
    """
    gains = [(size, median(own[size]) - median(calls[size])) for size in sorted(calls)]
    slower = [at for at, (_, gain) in enumerate(gains) if gain <= 0]
    if not slower:
        return gains[0][0]
    if slower[-1] == len(gains) - 1:
        return None
    (below, lost), (above, gained) = gains[slower[-1]], gains[slower[-1] + 1]
    # The first whole size behind the point where the line crosses zero.
    return min(above, math.floor(below + (above - below) * -lost / (gained - lost)) + 1)


def own_rows(case: Case, experiment: Experiment, own: Cycles, metric: str) -> Iterator[Row]:
    """Of the products on Linux' hart."""
    for size, values in own.items():
        labels = {**case.labels, "test": "size", "size": str(size), "name": HERE}
        fields = case.row(metric) | {"id": f"{case.id}/size/{size}/{HERE}", "labels": labels}
        yield Row.of(values, engine=building.TIMED, unit=experiment.metrics[metric].unit, **fields)


def row(case: Case, experiment: Experiment, calls: Cycles, own: Cycles, **labels: str) -> Iterator[Row]:
    """The size from which a way of calling is faster; none where it never is."""
    if (size := from_which(calls, own)) is None:
        return
    name = "/".join([case.id, BREAK_EVEN, *labels.values()])
    fields = case.row(BREAK_EVEN) | {"id": name, "labels": {**case.labels, "test": BREAK_EVEN, **labels}}
    yield Row.of([size], engine=building.TIMED, unit=experiment.metrics[BREAK_EVEN].unit, **fields)
