# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The properties of the CLIC hold for all time, and are able to fail."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "common" / "formal"))
import prove  # noqa: E402 (found by the line above)

CORE = "trapeze:hw:clic"
TOP = HERE / "clic_formal.sv"
STEPS = 9
"""Steps within which a seeded defect shows."""
Sources = Callable[[str], list[Path]]

BLOCKS = {"NumSources": 18, "CtlBits": 2}
"""Parameters: more sources than one block has, and few bits of ctl, which is faster."""

BUGS = {
    "the lowest id wins ties": (
        "tz_clic_winner.sv",
        ".valid}\n              >= {",
        ".valid}\n              > {",
        {},
        "OfferIsMaximum_A",
    ),
    "a source that was not written is left as it was in its pair": (
        "tz_clic_block.sv",
        "select[j] && written_q[j];",
        "select[j];",
        {},
        "OfferHasItsVector_A",
    ),
    "a write to a block goes to the others": (
        "tz_clic_block.sv",
        "select_i & {NumPairs{enable_i}}",
        "select_i",
        BLOCKS,
        "OfferIsAble_A",
    ),
    "what is not pending has an order": (
        "tz_clic_winner.sv",
        "(odd_first_i[j] || !valid_i[2*j])",
        "odd_first_i[j]",
        {},
        "OfferedAtOnce_A",
    ),
    "an edge in the cycle of its claim is lost": (
        "tz_clic_gateway.sv",
        "(arrives | keep)",
        "((arrives & ~clear_i) | keep)",
        {},
        "OwedIsPending_A",
    ),
    "an edge is claimed twice": (
        "tz_clic.sv",
        "!win_valid || (claim_clear && (win_id == offer_q.id[IdWidth-1:0]))",
        "!win_valid",
        {},
        "ClaimIsOwed_A",
    ),
    "a claimed edge is offered again": (
        "tz_clic.sv",
        "!win_valid || (claim_clear && (win_id == offer_q.id[IdWidth-1:0]))",
        "!win_valid",
        {},
        "SpentNever_A",
    ),
    "a write to the winner leaves it its level": (
        "tz_clic.sv",
        "level: write_level, shv",
        "level: level, shv",
        {},
        "OfferHasItsLevel_A",
    ),
    "a read comes before what a write has made pending": (
        "tz_clic.sv",
        ".WritesAlone(TreePipeline)",
        ".WritesAlone(0)",
        {"TreePipeline": 1},
        "ReadIsBehind_A",
    ),
    "level 0 is offered": ("tz_clic.sv", "valid: level != '0", "valid: 1'b1", {}, "LevelZeroNever_A"),
    "a read finds the mask of the other source of the pair": (
        "tz_clic_regs.sv",
        "{7'b0, source.ie}",
        "{7'b0, pair[0].ie}",
        {},
        "ReadFinds_A",
    ),
    "an access that is not granted is answered": (
        "tz_clic_regs.sv",
        "rvalid_q <= req_i.req && gnt;",
        "rvalid_q <= req_i.req;",
        {"TreePipeline": 1},
        "Answers_A",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize(
    "parameters", [{}, {"TreePipeline": 1}, {"CtlBits": 3}, {"NumSources": 7, "TreePipeline": 1}, BLOCKS]
)
def test_properties_are_proven(sources: Sources, tmp_path: Path, parameters: dict[str, int]) -> None:
    """The properties hold in every reachable cycle, and the covers are reached."""
    prove.translate(tmp_path, [*sources(CORE), TOP], TOP.stem, parameters)
    assert (verdict := prove.base_case(tmp_path, prove.INDUCTION_STEPS + 1)).passed, verdict.log
    assert (verdict := prove.each_step(tmp_path)).passed, verdict.log
    assert (verdict := prove.covers(tmp_path)).passed, verdict.log


@pytest.mark.slow
@pytest.mark.parametrize("bug", BUGS)
def test_a_seeded_bug_is_found(sources: Sources, tmp_path: Path, bug: str) -> None:
    """The property about the seeded defect fails, with a run that shows it."""
    file, right, wrong, parameters, property_name = BUGS[bug]
    files = [*sources(CORE), TOP]
    prove.seed(tmp_path, files, file, right, wrong)
    prove.translate(tmp_path, files, TOP.stem, parameters, only=property_name)
    verdict = prove.base_case(tmp_path, STEPS)
    assert not verdict.passed
    assert verdict.failed == (property_name,), verdict.log
