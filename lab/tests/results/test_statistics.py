# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Statistics against their definitions."""

from __future__ import annotations

import math
import statistics as reference
from bisect import bisect_right
from fractions import Fraction
from itertools import repeat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trapeze.common.errors import TrapezeError
from trapeze.results.statistics import (
    Statistics,
    _percentiles,
    sample_size,
    sample_size_of_mean,
    summarize,
    summarize_counts,
)

SHARES = (Fraction(50, 100), Fraction(99, 100), Fraction(999, 1000))
samples = st.lists(st.integers(0, 10_000), min_size=1, max_size=300)


@given(samples)
def test_definitions(values: list[int]) -> None:
    found = summarize(values)
    ranked = sorted(values)
    assert found.n == len(values)
    assert found.mean == pytest.approx(reference.fmean(values))
    assert found.stdev == pytest.approx(reference.stdev(values) if len(values) > 1 else 0, abs=1e-9)
    assert found.jitter == pytest.approx(max(found.max - found.mean, found.mean - found.min))
    for share, value in zip(SHARES, (found.p50, found.p99, found.p999), strict=True):
        assert value == next(one for one in ranked if Fraction(bisect_right(ranked, one), len(values)) >= share)


def test_ranks_of_every_size() -> None:
    """The smallest rank of which the share of n is at least the percentile's, in exact fractions."""
    for n in (*range(1, 10_001), 100_000, 1_000_000):
        for share, rank in zip(SHARES, _percentiles(range(1, n + 1), repeat(1, n)), strict=True):
            assert (rank - 1) * share.denominator < n * share.numerator <= rank * share.denominator, (n, share)


counted = st.lists(st.tuples(st.integers(0, 300), st.integers(0, 700)), min_size=1, max_size=12).filter(
    lambda pairs: any(count for _, count in pairs)
)


@given(counted)
def test_counted_samples_are_those_of_the_list(pairs: list[tuple[int, int]]) -> None:
    """In whatever order, with values that never came, and with the same value in several places."""
    values = sorted(value for value, count in pairs for _ in range(count))
    found = summarize_counts(pairs)
    assert found.histogram == tuple((value, values.count(value)) for value in sorted(set(values)))
    assert (found.n, found.min, found.max) == (len(values), values[0], values[-1])
    for share, value in zip(SHARES, (found.p50, found.p99, found.p999), strict=True):
        assert value == values[math.ceil(share * len(values)) - 1]
    assert found.mean == pytest.approx(reference.fmean(values))
    assert found.stdev == pytest.approx(reference.stdev(values) if len(values) > 1 else 0, abs=1e-9)
    assert found.jitter == max(found.max - found.mean, found.mean - found.min)
    assert Statistics.of_fields(found.fields()) == found
    assert summarize(values).histogram == found.histogram


@given(st.lists(st.floats(0.1, 1e7), min_size=1, max_size=20))
def test_fractions(values: list[float]) -> None:
    found = summarize(values)
    assert found.min <= found.mean <= found.max


def test_nothing() -> None:
    with pytest.raises(TrapezeError, match="no values"):
        summarize([])


def test_fields_are_those_of_a_row() -> None:
    fields = summarize([1, 1, 2]).fields()
    assert fields["p99.9"] == 2
    assert fields["histogram"] == [[1, 2], [2, 1]]
    assert "p999" not in fields


def test_by_hand() -> None:
    """As the Latencies IP paper defines them: jitter 10 - 4, deviation with n - 1 (its Equation 4)."""
    found = summarize([10, 1, 2, 3])
    assert (found.mean, found.p50, found.max, found.jitter) == (4, 2, 10, 6)
    assert found.stdev == pytest.approx(math.sqrt((36 + 9 + 4 + 1) / 3))
    assert summarize([0, 9, 10]).jitter == pytest.approx(19 / 3)


@pytest.mark.parametrize(
    ("confidence", "error", "proportion", "n"),
    [
        (0.95, 0.05, 0.5, 385),
        (0.95, 0.03, 0.5, 1068),
        (0.99, 0.05, 0.5, 664),
        (0.9, 0.1, 0.5, 68),
        (0.95, 0.05, 0.1, 139),
    ],
)
def test_sample_size(confidence: float, error: float, proportion: float, n: int) -> None:
    """The paper's 385 among them."""
    assert sample_size(confidence, error, proportion) == n


@pytest.mark.parametrize(
    ("deviation", "error", "n"), [(7.30, 1, 205), (74.56, 10, 214), (1, 1, 4), (0, 1, 1), (0.1, 10, 1)]
)
def test_sample_size_of_mean(deviation: float, error: float, n: int) -> None:
    assert sample_size_of_mean(deviation, 0.95, error) == n


@given(st.floats(0.5, 0.999), st.floats(0.001, 0.5), st.floats(0.01, 0.99))
def test_sample_size_is_the_least(confidence: float, error: float, proportion: float) -> None:
    """n samples are enough and n - 1 are not; the standard error says so without the formula solved for n."""
    n = sample_size(confidence, error, proportion)
    half = reference.NormalDist(0, math.sqrt(proportion * (1 - proportion) / n)).inv_cdf((1 + confidence) / 2)
    assert half <= error * (1 + 1e-9)
    if n > 1:
        wider = reference.NormalDist(0, math.sqrt(proportion * (1 - proportion) / (n - 1))).inv_cdf(
            (1 + confidence) / 2
        )
        assert wider > error * (1 - 1e-9)
    assert n <= sample_size(confidence, error)
    assert sample_size_of_mean(math.sqrt(proportion * (1 - proportion)), confidence, error) in range(n - 1, n + 2)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((95, 0.05), "confidence 95: must be between 0 and 1"),
        ((0, 0.05), "confidence 0: must be"),
        ((0.95, 0), "error 0: must be above 0"),
        ((0.95, math.nan), "error nan: must be above 0"),
        ((0.95, 0.05, 1.0), "proportion 1: must be between 0 and 1"),
    ],
)
def test_sample_size_refuses(arguments: tuple[float, ...], says: str) -> None:
    with pytest.raises(TrapezeError, match=says):
        sample_size(*arguments)
    with pytest.raises(TrapezeError, match="deviation -1: must be 0 or more"):
        sample_size_of_mean(-1, 0.95, 1)
