# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Rows of the latency probes' samples, of a simulation or of a board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from trapeze.experiment_files import Case, Experiment
from trapeze.experiments import probe_file as definition
from trapeze.platform.configurations import Config
from trapeze.results.rows import Row

HANDLERS = {"fastirq": "function"}
"""The label `handler` by scheme: what the firmware has the core or the HAL call."""


def case_of(experiment: Experiment, config: Config, samples: int, stress: int) -> Case:
    """The row of the experiment that is measured so; one beside them if its file has none.

    The figures of another number of samples stand under an id of their own, and so do those of another configuration.
    """
    asked = {"samples": samples, "stress": stress}
    of_config = [case for case in experiment.cases if case.config.name == config.name]
    for case in of_config:
        if case.own.get("probe") == asked:
            return case
    load = "stress" if stress else "idle"
    first = config.first
    begin = f"{first.scheme}/{first.abi}" if of_config else config.name
    labels = {
        "scheme": first.scheme,
        "abi": first.abi,
        "handler": HANDLERS.get(first.scheme, "connected"),
        "load": load,
    }
    like = experiment.cases[0]
    number = "" if samples == definition.PAPERS_SAMPLES else f"-{samples}"
    return replace(like, id=f"{begin}/{load}{number}", config=config, labels=labels, published={}, own={"probe": asked})


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
