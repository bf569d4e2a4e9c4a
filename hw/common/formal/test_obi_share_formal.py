# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Two managers on one OBI port get what they ask for, for all time, and the properties are able to fail."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import prove  # noqa: E402 (found by the line above)

TOP = "obi_share_formal"
SOURCES = [HERE.parent / "rtl" / "obi_pkg.sv", HERE.parent / "rtl" / "tz_obi_share.sv", HERE / f"{TOP}.sv"]

BUGS = {
    "a request that was shown is replaced": (
        "held_d = second && req_o.req && !rsp_i.gnt;",
        "held_d = 1'b0;",
        "Stable_A",
    ),
    "the second one goes first": ("held_q || (!firm_q && !first_req_i.req)", "held_q || second_req_i.req", "First_A"),
    "both are granted": ("'{gnt: rsp_i.gnt && second,", "'{gnt: rsp_i.gnt,", "Granted_A"),
    "answers change places": ("order_d[count_d[0]] = second;", "order_d[0] = second;", "Answer_A"),
    "the order is kept too long": ("      order_d = {1'b0, order_q[1]};\n", "", "Answer_A"),
}


def test_properties_are_proven(tmp_path: Path) -> None:
    """The properties hold in every reachable cycle, and the covers are reached."""
    verdict = prove.always(tmp_path, SOURCES, TOP, {}, base=8, step=2)
    assert verdict.passed, verdict.log


@pytest.mark.parametrize("bug", BUGS)
def test_a_seeded_bug_is_found(tmp_path: Path, bug: str) -> None:
    """The property about the seeded defect fails, with a run that shows it."""
    right, wrong, property_name = BUGS[bug]
    prove.seed(tmp_path, SOURCES, "tz_obi_share.sv", right, wrong)
    prove.translate(tmp_path, SOURCES, TOP, {}, only=property_name)
    verdict = prove.base_case(tmp_path, 10)
    assert not verdict.passed
    assert all(name.endswith(property_name) for name in verdict.failed), verdict.log
