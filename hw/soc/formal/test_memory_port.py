# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""A tile's access between the beats of transfers: order, data and bounds for all time; the properties can fail."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
HARDWARE = HERE.parents[1]
sys.path.insert(0, str(HARDWARE / "common" / "formal"))
import prove  # noqa: E402 (found by the line above)

TOP = "memory_port_formal"
SOURCES = [
    HARDWARE / "common" / "rtl" / "obi_pkg.sv",
    HERE.parent / "rtl" / "tz_memory_port.sv",
    HERE / f"{TOP}.sv",
]
BUGS = {
    "a transfer is interrupted by each access": ("turn_q || !line_req_i", "1'b1", "LineBound_A"),
    "an access waits for one beat more": ("TurnW'(Turn - 1)", "TurnW'(Turn)", "WordBound_A"),
    "the end of a transfer is no turn": ("(line_gnt && (last || reached))", "(line_gnt && reached)", "WordBound_A"),
    "a beat that was shown is replaced": ("&& !held_q &&", "&&", "Stable_A"),
    "an access that was shown is replaced": ("turn_d  = shown ||", "turn_d  =", "Stable_A"),
    "the other half of a word": (
        "word_upper_q ? mem_rdata_i[63:32]",
        "word_req_i.addr[2] ? mem_rdata_i[63:32]",
        "Answer_A",
    ),
}


@pytest.mark.parametrize(
    ("turn", "beats", "refusals"), [(0, 8, 0), (1, 8, 0), (2, 8, 1), (3, 4, 0), (0, 4, 1), (6, 4, 0)]
)
def test_properties_are_proven(tmp_path: Path, turn: int, beats: int, refusals: int) -> None:
    """The properties hold in every reachable cycle, and both bounds are reached."""
    parameters = {"Turn": turn, "MaxBeats": beats, "Refusals": refusals}
    verdict = prove.always(tmp_path, SOURCES, TOP, parameters, base=6, step=2, cover=20)
    assert verdict.passed, verdict.log


@pytest.mark.parametrize("bug", BUGS)
def test_a_seeded_bug_is_found(tmp_path: Path, bug: str) -> None:
    """The property about the seeded defect fails, with a run that shows it."""
    right, wrong, property_name = BUGS[bug]
    prove.seed(tmp_path, SOURCES, "tz_memory_port.sv", right, wrong)
    turn = 6 if "end of a transfer" in bug else 3
    prove.translate(tmp_path, SOURCES, TOP, {"Turn": turn, "MaxBeats": 4, "Refusals": 1}, only=property_name)
    verdict = prove.base_case(tmp_path, 16)
    assert not verdict.passed
    assert all(property_name in name for name in verdict.failed), verdict.log
