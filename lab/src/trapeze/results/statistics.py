# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Statistics of a sample, as the design's section 4 defines them.

Percentiles are by nearest rank (the inverted cumulative distribution), so each one is a value that was measured.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import accumulate
from statistics import NormalDist
from typing import Any, TypeVar

import numpy as np

from trapeze.common.errors import TrapezeError

V = TypeVar("V")


@dataclass(frozen=True)
class Statistics:
    """Statistics of one sample; every figure has the unit of its values.

    Attributes:
        n: Number of values.
        min: Smallest.
        p50: Median.
        p99: 99th percentile.
        p999: 99.9th percentile; `p99.9` in a result file.
        max: Largest.
        mean: Arithmetic mean.
        stdev: Standard deviation with n - 1; 0 for a single value.
        jitter: The larger of max - mean and mean - min (the Latencies IP paper's definition).
        histogram: Each distinct value and how often it came, ascending.
    """

    n: int
    min: float
    p50: float
    p99: float
    p999: float
    max: float
    mean: float
    stdev: float
    jitter: float
    histogram: tuple[tuple[float, int], ...]

    @property
    def constant(self) -> bool:
        """Whether every value is the same, so that the sample is one number."""
        return self.min == self.max

    def fields(self) -> dict[str, object]:
        """The statistics as the fields of a result row."""
        values = {"p99.9" if name == "p999" else name: value for name, value in asdict(self).items()}
        values["histogram"] = [list(pair) for pair in self.histogram]
        return values

    @classmethod
    def of_fields(cls, values: Mapping[str, Any]) -> Statistics:
        """What `fields` wrote; other fields are left alone."""
        named = {name: values["p99.9" if name == "p999" else name] for name in cls.__dataclass_fields__}
        return cls(**named | {"histogram": tuple((value, count) for value, count in values["histogram"])})


def _percentiles(values: Sequence[V], counts: Iterable[int]) -> tuple[V, V, V]:
    """The 50th, 99th and 99.9th percentile of a histogram: the values of rank ceil(n p).

    Ranks are whole numbers: 99.9 / 100 is not, and one rounding up of n p would take the next value.

    Args:
        values: Distinct ones, ascending.
        counts: How often each came.
    """
    ranks = list(accumulate(counts))

    def of(per_mille: int) -> V:
        return values[bisect_left(ranks, -(-ranks[-1] * per_mille // 1000))]

    return of(500), of(990), of(999)


def summarize(values: Sequence[float]) -> Statistics:
    """The statistics of a sample.

    Raises:
        TrapezeError: the sample is empty.
    """
    if len(values) == 0:
        raise TrapezeError("no values: statistics need at least one", exit_code=1)
    data = np.asarray(values)
    distinct, counts = np.unique(data, return_counts=True)
    p50, p99, p999 = _percentiles(distinct.tolist(), counts.tolist())
    # Clipped, because rounding may push the mean of equal values past them.
    mean = float(np.clip(data.mean(), distinct[0], distinct[-1]))
    low, high = distinct[0].item(), distinct[-1].item()
    return Statistics(
        n=len(data),
        min=low,
        p50=p50,
        p99=p99,
        p999=p999,
        max=high,
        mean=mean,
        stdev=float(data.std(ddof=1)) if len(data) > 1 else 0.0,
        jitter=max(high - mean, mean - low),
        histogram=tuple((value.item(), int(count)) for value, count in zip(distinct, counts, strict=True)),
    )


def summarize_counts(counts: Sequence[tuple[int, int]]) -> Statistics:
    """The statistics of a sample by its histogram: values, and how often each came. Memory is that of the histogram.

    A value may be there several times: its counts add up.

    Raises:
        TrapezeError: the sample is empty.
    """
    merged = Counter[int]()
    for value, count in counts:
        merged[value] += count
    known = sorted((value, count) for value, count in merged.items() if count)
    n = sum(count for _, count in known)
    if n == 0:
        raise TrapezeError("no values: statistics need at least one", exit_code=1)
    p50, p99, p999 = _percentiles([value for value, _ in known], (count for _, count in known))
    # By whole numbers, so that the order and the number of values cost no precision.
    total = sum(value * count for value, count in known)
    squares = sum((value * n - total) ** 2 * count for value, count in known)
    low, high = known[0][0], known[-1][0]
    mean = total / n
    return Statistics(
        n=n,
        min=low,
        p50=p50,
        p99=p99,
        p999=p999,
        max=high,
        mean=mean,
        stdev=math.sqrt(squares / (n * n * (n - 1))) if n > 1 else 0.0,
        jitter=max(high - mean, mean - low),
        histogram=tuple(known),
    )


def _quantile(confidence: float, error: float) -> float:
    """How many standard deviations wide the interval of a confidence level is, to each side (z)."""
    if not 0 < confidence < 1:
        raise TrapezeError(f"confidence {confidence:g}: must be between 0 and 1, such as 0.95")
    if not (error > 0 and math.isfinite(error)):
        raise TrapezeError(f"error {error:g}: must be above 0")
    return NormalDist().inv_cdf((1 + confidence) / 2)


def sample_size(confidence: float, error: float, proportion: float = 0.5) -> int:
    """How many samples show a proportion of all with a given error: n = z^2 p (1 - p) / e^2.

    Equation 3 of the Latencies IP paper, which leaves p at 0.5, the most demanding value.

    Args:
        confidence: Level, such as 0.95.
        error: Largest error of the proportion, such as 0.05.
        proportion: p, between 0 and 1.

    Raises:
        TrapezeError: an argument is out of its range.
    """
    quantile = _quantile(confidence, error)
    if not 0 < proportion < 1:
        raise TrapezeError(f"proportion {proportion:g}: must be between 0 and 1")
    return math.ceil(quantile**2 * proportion * (1 - proportion) / error**2)


def sample_size_of_mean(deviation: float, confidence: float, error: float) -> int:
    """How many samples show the mean with a given error: n = (z s / e)^2, with p (1 - p) in Equation 3 a variance.

    Args:
        deviation: s, the standard deviation of a pilot, in the unit of the error.
        confidence: Level, such as 0.95.
        error: Largest error of the mean.

    Raises:
        TrapezeError: an argument is out of its range.
    """
    quantile = _quantile(confidence, error)
    if not (deviation >= 0 and math.isfinite(deviation)):
        raise TrapezeError(f"deviation {deviation:g}: must be 0 or more")
    return max(1, math.ceil((quantile * deviation / error) ** 2))
