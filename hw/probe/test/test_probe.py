# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Tests of the latency probe."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
WRAPPER = HERE.parent / "rtl" / "tz_latency_probe_axi.v"
REGISTERS = HERE.parents[2] / "regs" / "gen" / "registers.json"
CORE = "trapeze:hw:probe"
Bench = Callable[..., tuple[int, int]]

PAPER = {"WIDTH": 16, "DEPTH": 512, "MISSED_WIDTH": 1, "HISTOGRAM_BINS": 0, "MOMENTS": 0, "BREAK": 0}
SMALL = PAPER | {"WIDTH": 5, "DEPTH": 16, "MISSED_WIDTH": 3}
VARIANTS = {
    "paper": PAPER,
    "default": PAPER | {"MISSED_WIDTH": 8},
    "small": SMALL,
    "smallest": PAPER | {"WIDTH": 2, "DEPTH": 4},
    "odd-options": SMALL | {"WIDTH": 9, "DEPTH": 1024, "HISTOGRAM_BINS": 8, "MOMENTS": 1, "BREAK": 1},
    "wide": PAPER | {"WIDTH": 32, "DEPTH": 64, "HISTOGRAM_BINS": 64, "MOMENTS": 1, "BREAK": 1},
    "moments": SMALL | {"MOMENTS": 1},
    "histogram": PAPER | {"WIDTH": 12, "HISTOGRAM_BINS": 512},
}


@pytest.mark.slow
@pytest.mark.parametrize("variant", VARIANTS)
def test_probe(bench: Bench, monkeypatch: pytest.MonkeyPatch, variant: str) -> None:
    """Registers, samples, statistics and options beside the reference model, with both ports in use."""
    monkeypatch.setenv("PROBE_PARAMETERS", json.dumps(VARIANTS[variant]))
    monkeypatch.setenv("REGISTERS", str(REGISTERS))
    ran, failed = bench(CORE, WRAPPER, HERE / "bench_probe.py", **VARIANTS[variant])
    assert ran >= 14
    assert failed == 0
