# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Tests of the AXI4-Lite modules in hw/common."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

HERE = Path(__file__).resolve().parent
CORE = "trapeze:hw:axil"
Bench = Callable[..., tuple[int, int]]


def test_bridge_and_decoder(bench: Bench) -> None:
    """From OBI to two AXI4-Lite memories."""
    assert bench(CORE, HERE / "tb_axil.sv", HERE / "bench_axil.py") == (4, 0)
