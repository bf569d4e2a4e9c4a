# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Rows of the latency probes' samples, of a simulation or of a board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from trapeze.experiment_files import Case, Experiment
from trapeze.experiments import probe_file as definition
from trapeze.results.rows import Row


def rows(
    case: Case,
    experiment: Experiment,
    samples: Mapping[str, Sequence[int]],
    seen: Mapping[str, Mapping[str, Sequence[float]]] | None = None,
    engine: str = "rtl",
) -> list[Row]:
    """The rows of one measurement: each test and metric.

    Args:
        case: The row of the experiment.
        experiment: It.
        samples: Cycles, by test.
        seen: Metrics that only the host of a simulation sees, by test and metric.
        engine: What measured.
    """
    made = []
    for test, cycles in samples.items():
        values: dict[str, Sequence[float]] = {
            "latency": cycles,
            "time": [1000 * value / definition.clock(experiment) for value in cycles],
            **(seen or {}).get(test, {}),
        }
        for name, metric in experiment.metrics.items():
            if name in values:
                fields = case.row(name) | {"id": f"{case.id}/{test}", "labels": {**case.labels, "test": test}}
                made.append(Row.of(values[name], engine=engine, unit=metric.unit, **fields))
    return made
