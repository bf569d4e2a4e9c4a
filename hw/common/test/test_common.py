# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Tests of the modules in hw/common."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
RTL = HERE.parent / "rtl"
CORE = "trapeze:hw:common"
Bench = Callable[..., tuple[int, int]]

REQ = {"req": 1}
GNT = {"req": 1, "gnt": 1}
RSP = {"rvalid": 1}
LR = {"atop": 0x22}
SC = {"atop": 0x23, "we": 1}
AMO = {"atop": 0x20, "we": 1}


def test_fifo(bench: Bench) -> None:
    """The FIFO behaves as a queue."""
    assert bench(CORE, HERE / "tb_fifo.sv", HERE / "bench_fifo.py") == (1, 0)


def test_obi_check_accepts_legal_traffic(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stalls, back-to-back requests and late responses are legal."""
    legal = [REQ, REQ, GNT, {}, RSP, GNT, GNT | RSP, GNT | RSP, RSP, GNT, GNT, RSP, GNT | RSP, RSP, {}]
    legal += [GNT | LR, GNT | SC, RSP | {"exokay": 1}, RSP | {"exokay": 1}, GNT | LR | {"mid": 4, "prv": 0}, RSP, {}]
    monkeypatch.setenv("OBI_CYCLES", json.dumps(legal))
    assert bench(CORE, RTL / "tz_obi_check.sv", HERE / "bench_obi_check.py", MaxOutstanding=2) == (1, 0)


@pytest.mark.parametrize(
    ("name", "illegal"),
    [
        ("ReqStable_A", [REQ, {}]),
        ("ReqStable_A", [REQ, REQ | {"addr": 0x104}]),
        ("WdataStable_A", [REQ | {"we": 1}, REQ | {"we": 1, "wdata": 1}]),
        ("AddrAligned_A", [REQ | {"addr": 0x102}]),
        ("BeUsed_A", [REQ | {"be": 0}]),
        ("ReqStable_A", [REQ, REQ | {"prv": 0}]),
        ("ReqStable_A", [REQ, REQ | {"mid": 4}]),
        ("ReqStable_A", [REQ | LR, REQ]),
        ("AtopKnown_A", [REQ | {"atop": 0x01, "we": 1}]),
        ("AtopWord_A", [REQ | LR | {"we": 1}]),
        ("AtopWord_A", [REQ | AMO | {"we": 0}]),
        ("AtopWord_A", [REQ | SC | {"be": 3}]),
        ("PrvKnown_A", [REQ | {"prv": 2}]),
        ("PortKnown_A", [REQ | {"mid": 3}]),
        ("ExokayAsked_A", [GNT, RSP | {"exokay": 1}]),
        ("ExokayAsked_A", [GNT | LR, GNT, RSP | {"exokay": 1}, RSP | {"exokay": 1}]),
        ("RspExpected_A", [GNT | RSP]),
        ("OutstandingBounded_A", [GNT, GNT, GNT]),
    ],
)
def test_obi_check_finds(
    bench: Bench,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    name: str,
    illegal: list[dict[str, int]],
) -> None:
    """Each assertion stops the simulation at a violation of its rule, and that fails the bench."""
    monkeypatch.setenv("OBI_CYCLES", json.dumps(illegal))
    with pytest.raises(RuntimeError):
        bench(CORE, RTL / "tz_obi_check.sv", HERE / "bench_obi_check.py", MaxOutstanding=2)
    assert name in "".join(capfd.readouterr())


def test_obi_check_finds_a_late_response(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """With NextCycle a response must follow its grant at once."""
    monkeypatch.setenv("OBI_CYCLES", json.dumps([GNT, {}, RSP]))
    with pytest.raises(RuntimeError):
        bench(CORE, RTL / "tz_obi_check.sv", HERE / "bench_obi_check.py", MaxOutstanding=2, NextCycle=1)
    assert "NextCycle_A" in "".join(capfd.readouterr())
