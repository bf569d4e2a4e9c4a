# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""What only experiment files say whose rows the latency probes measure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from trapeze.experiment_files import Case, Experiment

PAPERS_SAMPLES = 400
"""Samples of a row whose id says no number: those of the Latencies IP paper."""


@dataclass(frozen=True)
class Probe:
    """What the latency probes measure: how many samples, and the stress generator's chance of an access, in 1/256."""

    samples: int
    stress: int


@dataclass(frozen=True)
class Sampling:
    """How sure figures have to be: confidence level, error of a proportion, error of the mean as a part of it."""

    confidence: float
    error: float
    mean_error: float


@dataclass(frozen=True)
class Scenario:
    """A row of a table of others."""

    name: str
    mean: float
    p50: float
    max: float
    jitter: float
    stdev: float


@dataclass(frozen=True)
class Comparison:
    """A table of others: `what` it was measured on, of how many samples each row is."""

    what: str
    source: str
    unit: str
    n: int
    rows: tuple[Scenario, ...]


def _comparison(rows: Sequence[Mapping[str, Any]], **others: Any) -> Comparison:
    return Comparison(**others, rows=tuple(Scenario(**one) for one in rows))


def probe(case: Case) -> Probe | None:
    """What the latency probes measure in a row."""
    return case.part("probe", Probe)


def clock(experiment: Experiment) -> float:
    """MHz at which cycles are also given in ns; 1 where nothing is said."""
    return float(experiment.own.get("clock") or 1)


def sampling(experiment: Experiment) -> Sampling | None:
    """How sure the figures have to be."""
    return experiment.part("sampling", Sampling)


def comparison(experiment: Experiment) -> Comparison | None:
    """A table of others."""
    return experiment.part("comparison", _comparison)
