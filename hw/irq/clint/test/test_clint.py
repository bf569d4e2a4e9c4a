# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Tests of the CLINT."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent


@pytest.mark.parametrize("prescale", [1, 5])
def test_clint(bench: Callable[..., tuple[int, int]], monkeypatch: pytest.MonkeyPatch, prescale: int) -> None:
    """Registers, timer, software interrupt and lines, without and with a prescaler."""
    monkeypatch.setenv("MTIME_PRESCALE", str(prescale))
    ran, failed = bench("trapeze:hw:clint", HERE / "tb_clint.sv", HERE / "bench_clint.py", MtimePrescale=prescale)
    assert ran >= 6
    assert failed == 0
