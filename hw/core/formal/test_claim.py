# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The core's side of the CLIC contract holds for all time, and is able to fail."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "common" / "formal"))
import prove  # noqa: E402 (found by the line above)

CORE = "trapeze:hw:core"
TOP = HERE / "claim_formal.sv"
Sources = Callable[[str], list[Path]]

BUGS = {
    "a claim without its trap": (
        "tz_trap.sv",
        "irq_claim_o.valid = (trap.valid && trap.irq) ||",
        "irq_claim_o.valid = (trap.valid && irq.take) ||",
        "NextRetires_A",
    ),
    "a trap without its claim": (
        "tz_trap.sv",
        "irq_claim_o.valid = (trap.valid && trap.irq) ||",
        "irq_claim_o.valid = (trap.valid && trap.irq && now.mie) ||",
        "TrapIsClaimed_A",
    ),
    "xnxti claims although it is interrupted": (
        "tz_csr.sv",
        "nxti_claims:    Clic && csr_fire_i && nxti_claim,",
        "nxti_claims:    Clic && csr_valid_i && nxti_claim,",
        "NextRetires_A",
    ),
    "xnxti hands out a vectored interrupt": (
        "tz_irq_clic.sv",
        "(offer_i.level > nxti_level_i) && !offer_i.shv;",
        "(offer_i.level > nxti_level_i);",
        "NextIsNotVectored_A",
    ),
}


@pytest.mark.slow
def test_properties_are_proven(sources: Sources, tmp_path: Path) -> None:
    """In every reachable cycle."""
    verdict = prove.always(tmp_path, [*sources(CORE), TOP], TOP.stem, {}, base=4, step=2, cover=10)
    assert verdict.passed, verdict.log


@pytest.mark.slow
@pytest.mark.parametrize("bug", BUGS)
def test_a_seeded_bug_is_found(sources: Sources, tmp_path: Path, bug: str) -> None:
    """The property that speaks of a defect fails, with a run that shows it."""
    file, right, wrong, property_name = BUGS[bug]
    files = [*sources(CORE), TOP]
    prove.seed(tmp_path, files, file, right, wrong)
    prove.translate(tmp_path, files, TOP.stem, {})
    verdict = prove.base_case(tmp_path, 10, keep_going=True)
    assert not verdict.passed
    assert property_name in verdict.failed, verdict.log
