# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Atomic operations at a memory bank are atomic, for all time, and the properties are able to fail."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import prove  # noqa: E402 (found by the line above)

TOP = HERE / "amo_formal.sv"
AMO = HERE.parent / "rtl" / "tz_amo.sv"
PACKAGE = HERE.parent / "rtl" / "obi_pkg.sv"
SOURCES = [PACKAGE, AMO, TOP]

BUGS = {
    "an access comes between read and write": (
        AMO,
        "gnt:    bank_rsp_i.gnt && (state_q == StIdle)",
        "gnt:    bank_rsp_i.gnt",
        "Held_A",
    ),
    "a refused write is forgotten": (AMO, "bank_rsp_i.gnt ? StIdle : StWrite", "StIdle", "Data_A"),
    "the write is answered as well": (AMO, "bank_rsp_i.rvalid && !own_q", "bank_rsp_i.rvalid", "Answered_A"),
    "a store leaves the reservation": (
        AMO,
        "accept && write && same[h]",
        "accept && amo && same[h]",
        "StoreConditional_A",
    ),
    "a plain store waits": (AMO, "(state_q == StIdle),\n", "(state_q == StIdle) && !own_q,\n", "Passes_A"),
}


def test_properties_are_proven(tmp_path: Path) -> None:
    """The properties hold in every reachable cycle, and the covers are reached."""
    verdict = prove.always(tmp_path, SOURCES, TOP.stem, {}, base=8, step=2)
    assert verdict.passed, verdict.log


@pytest.mark.parametrize("bug", BUGS)
def test_a_seeded_bug_is_found(tmp_path: Path, bug: str) -> None:
    """The property about the seeded defect fails, with a run that shows it."""
    file, right, wrong, property_name = BUGS[bug]
    prove.seed(tmp_path, SOURCES, file.name, right, wrong)
    prove.translate(tmp_path, SOURCES, TOP.stem, {}, only=property_name)
    verdict = prove.base_case(tmp_path, 10)
    assert not verdict.passed
    assert all(name.endswith(property_name) for name in verdict.failed), verdict.log
