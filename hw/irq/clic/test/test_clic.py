# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Tests of the CLIC."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
Bench = Callable[..., tuple[int, int]]


def run(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, sources: int, bits: int, pipeline: int, cycles: int, user: int = 0
) -> None:
    """Run all of the bench on one variant."""
    monkeypatch.setenv("NUM_SOURCES", str(sources))
    monkeypatch.setenv("CTL_BITS", str(bits))
    monkeypatch.setenv("TREE_PIPELINE", str(pipeline))
    monkeypatch.setenv("CYCLES", str(cycles))
    monkeypatch.setenv("USER_IRQ", str(user))
    top, module = HERE / "tb_clic.sv", HERE / "bench_clic.py"
    parameters = {"NumSources": sources, "CtlBits": bits, "UserIrq": user, "TreePipeline": pipeline}
    ran, failed = bench("trapeze:hw:clic", top, module, **parameters)
    assert ran >= 7
    assert failed == 0


@pytest.mark.parametrize("pipeline", [0, 1])
@pytest.mark.parametrize(("sources", "bits"), [(1, 8), (3, 2), (8, 3), (8, 4), (17, 5), (64, 6), (64, 7), (64, 8)])
def test_clic(bench: Bench, monkeypatch: pytest.MonkeyPatch, sources: int, bits: int, pipeline: int) -> None:
    """Registers, gateways, offers and claims, cycle by cycle beside the reference model."""
    run(bench, monkeypatch, sources, bits, pipeline, 5000)


@pytest.mark.parametrize("pipeline", [0, 1])
@pytest.mark.parametrize(("sources", "bits"), [(1, 8), (8, 3), (17, 5), (64, 8)])
def test_user(bench: Bench, monkeypatch: pytest.MonkeyPatch, sources: int, bits: int, pipeline: int) -> None:
    """The same where sources may be user mode's."""
    run(bench, monkeypatch, sources, bits, pipeline, 5000, user=1)


@pytest.mark.slow
def test_largest(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same with 4096 sources: one day without a register stage in the tree, the next day with it."""
    run(bench, monkeypatch, 4096, 8, datetime.date.today().toordinal() % 2, 2000)
