# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Statistics against their definitions."""

from __future__ import annotations

import math
import statistics as reference

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trapeze.errors import TrapezeError
from trapeze.statistics import summarize

samples = st.lists(st.integers(0, 10_000), min_size=1, max_size=300)


@given(samples)
def test_order(values: list[int]) -> None:
    found = summarize(values)
    assert found.min <= found.p50 <= found.p99 <= found.p999 <= found.max
    assert found.min <= found.mean <= found.max
    assert {found.min, found.p50, found.p99, found.p999, found.max} <= set(values)


@given(samples)
def test_definitions(values: list[int]) -> None:
    found = summarize(values)
    ranked = sorted(values)
    assert found.n == len(values)
    assert found.mean == pytest.approx(reference.fmean(values))
    assert found.stdev == pytest.approx(reference.stdev(values) if len(values) > 1 else 0, abs=1e-9)
    assert found.jitter == pytest.approx(max(found.max - found.mean, found.mean - found.min))
    for percent, value in ((50, found.p50), (99, found.p99), (99.9, found.p999)):
        assert value == ranked[max(math.ceil(round(percent * len(values) / 100, 9)), 1) - 1]


@given(samples)
def test_histogram(values: list[int]) -> None:
    histogram = summarize(values).histogram
    assert sum(count for _, count in histogram) == len(values)
    assert [value for value, _ in histogram] == sorted(set(values))


@given(samples, st.integers(1, 1000))
def test_shift(values: list[int], offset: int) -> None:
    plain, shifted = summarize(values), summarize([value + offset for value in values])
    assert shifted.p50 == plain.p50 + offset
    assert shifted.stdev == pytest.approx(plain.stdev, abs=1e-6)
    assert shifted.jitter == pytest.approx(plain.jitter, abs=1e-6)


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
