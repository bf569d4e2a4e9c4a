# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Statistics of a sample, as the design's section 4 defines them.

Percentiles are by nearest rank (the inverted cumulative distribution), so each one is a value that was measured.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

import numpy as np

from trapeze.errors import TrapezeError


@dataclass(frozen=True)
class Statistics:
    """Of one sample; every figure has the unit of its values.

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

    def fields(self) -> dict[str, object]:
        """The statistics as the fields of a result row."""
        values = asdict(self)
        values["p99.9"] = values.pop("p999")
        values["histogram"] = [list(pair) for pair in self.histogram]
        return values


def summarize(values: Sequence[float]) -> Statistics:
    """The statistics of a sample.

    Raises:
        TrapezeError: the sample is empty.
    """
    if len(values) == 0:
        raise TrapezeError("no values: statistics need at least one", exit_code=1)
    data = np.asarray(values)
    distinct, counts = np.unique(data, return_counts=True)
    p50, p99, p999 = np.percentile(data, [50, 99, 99.9], method="inverted_cdf")
    # Clipped, because rounding may push the mean of equal values past them.
    mean = float(np.clip(data.mean(), distinct[0], distinct[-1]))
    low, high = distinct[0].item(), distinct[-1].item()
    return Statistics(
        n=len(data),
        min=low,
        p50=p50.item(),
        p99=p99.item(),
        p999=p999.item(),
        max=high,
        mean=mean,
        stdev=float(data.std(ddof=1)) if len(data) > 1 else 0.0,
        jitter=max(high - mean, mean - low),
        histogram=tuple((value.item(), int(count)) for value, count in zip(distinct, counts, strict=True)),
    )
