# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Tests of the CLINT."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent


@pytest.mark.parametrize(("harts", "prescale"), [(1, 1), (1, 5), (2, 1), (3, 1)])
def test_clint(
    bench: Callable[..., tuple[int, int]], monkeypatch: pytest.MonkeyPatch, harts: int, prescale: int
) -> None:
    """Registers, timers, software interrupts and lines: with a prescaler and without, for one hart and several."""
    monkeypatch.setenv("MTIME_PRESCALE", str(prescale))
    monkeypatch.setenv("HARTS", str(harts))
    top, module = HERE / "tb_clint.sv", HERE / "bench_clint.py"
    ran, failed = bench("trapeze:hw:clint", top, module, NumHarts=harts, MtimePrescale=prescale)
    assert ran >= (6 if harts == 1 else 10)
    assert failed == 0
