# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Managers take turns at a subordinate: protocol, fairness and bound for all time; the properties are able to fail."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import prove  # noqa: E402 (found by the line above)

TOP = "obi_arbiter_formal"
SOURCES = [HERE.parent / "rtl" / "obi_pkg.sv", HERE.parent / "rtl" / "tz_obi_arbiter.sv", HERE / f"{TOP}.sv"]

BUGS = {
    "a request that was shown is replaced": (
        "held_q   <= sub_rsp_i.gnt ? '0 : win;",
        "held_q   <= '0;",
        "Stable_A",
    ),
    "the lowest number goes first": ("assign later = ask & behind_q;", "assign later = '0;", "Fair_A"),
    "the last one keeps its turn": ("~(win | (win - 1'b1))", "~(win - 1'b1)", "Bound_A"),
    "turns do not change": ("behind_q <= behind_d;", "behind_q <= '0;", "Fair_A"),
    "whoever asks is granted": ("gnt:    win[m] && sub_rsp_i.gnt", "gnt:    sub_rsp_i.gnt", "OneGrant_A"),
    "the request of another one goes out": ("if (win[m]) sub_req_o", "if (ask[m]) sub_req_o", "Granted_A"),
    "an answer goes to whoever asks now": ("answer_q <= sub_rsp_i.gnt ? win : '0;", "answer_q <= win;", "Answer_A"),
}


@pytest.mark.parametrize(("managers", "refusals"), [(2, 0), (2, 2), (3, 0), (3, 1), (4, 0)])
def test_properties_are_proven(tmp_path: Path, managers: int, refusals: int) -> None:
    """The properties hold in every reachable cycle, and the covers are reached."""
    parameters = {"NumManagers": managers, "Refusals": refusals}
    verdict = prove.always(tmp_path, SOURCES, TOP, parameters, base=6, step=2)
    assert verdict.passed, verdict.log


@pytest.mark.parametrize("bug", BUGS)
def test_a_seeded_bug_is_found(tmp_path: Path, bug: str) -> None:
    """The property about the seeded defect fails, with a run that shows it."""
    right, wrong, property_name = BUGS[bug]
    prove.seed(tmp_path, SOURCES, "tz_obi_arbiter.sv", right, wrong)
    prove.translate(tmp_path, SOURCES, TOP, {"NumManagers": 3, "Refusals": 1}, only=property_name)
    verdict = prove.base_case(tmp_path, 12)
    assert not verdict.passed
    assert all(property_name in name for name in verdict.failed), verdict.log
