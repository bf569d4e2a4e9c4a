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
INSIDE = [HERE / "claim_levels.sv", HERE / "claim_lemmas.sv"]
"""Files with parts of `TOP`. They name signals of `TOP`."""
INDUCTION = 2
BASE = INDUCTION + 2
COVERS = 12
"""Steps within which every cover is reached."""
STEPS = 16
"""Steps within which a seeded defect shows."""
Sources = Callable[[str], list[Path]]

DESIGNS: list[dict[str, int]] = [
    {},
    {"NumBanks": 1},
    {"NumBanks": 2, "ExtA": 1, "ExtM": 1},
    {"InPlace": 1, "ExtA": 1, "ExtM": 1},
]
MORE_DESIGNS: list[dict[str, int]] = [{"ExtA": 1, "ExtM": 1}, {"NumBanks": 4, "ExtA": 1, "ExtM": 1}]
"""Designs that are proven only with `-m prove`, since they take minutes."""
BY_NAME = [pytest.param(design, marks=pytest.mark.prove) for design in MORE_DESIGNS]

BANK = {"NumBanks": 1}
BUGS: dict[str, tuple[str, str, str, dict[str, int], str]] = {
    "a claim without its trap": (
        "tz_trap.sv",
        "irq_claim_o.valid = (trap.valid && trap.irq) ||",
        "irq_claim_o.valid = (trap.valid && irq.take) ||",
        {},
        "NextRetires_A",
    ),
    "sleep_o stays high in the cycle in which a wfi completes": (
        "trapeze_core.sv",
        "is_wfi && !trap_pipe.irq.wake && !posts.active;",
        "is_wfi && !posts.active;",
        {},
        "SleepEnds_A",
    ),
    "a trap without its claim": (
        "tz_trap.sv",
        "irq_claim_o.valid = (trap.valid && trap.irq) ||",
        "irq_claim_o.valid = (trap.valid && trap.irq && now.m.ie) ||",
        {},
        "TrapIsClaimed_A",
    ),
    "xnxti hands out a vectored interrupt": (
        "tz_irq_clic.sv",
        "(offer_i.level > nxti_level_i) && !offer_i.shv;",
        "(offer_i.level > nxti_level_i);",
        {},
        "NextIsNotVectored_A",
    ),
    "an equal level preempts": (
        "tz_irq_clic.sv",
        "above_th && (offer_i.level > csrs_i.m.il);",
        "above_th && (offer_i.level >= csrs_i.m.il);",
        {},
        "EntryIsAbove_A",
    ),
    "an interrupt comes where they are off": (
        "tz_irq_clic.sv",
        "(above && csrs_i.m.ie)",
        "above",
        {},
        "EntryIsEnabled_A",
    ),
    "emret chains to an equal level": (
        "tz_irq_clic.sv",
        "(offer_i.level > frame_level_i)",
        "(offer_i.level >= frame_level_i)",
        BANK,
        "ChainIsAbove_A",
    ),
    "xnxti hands out an equal level": (
        "tz_irq_clic.sv",
        "(offer_i.level > nxti_level_i)",
        "(offer_i.level >= nxti_level_i)",
        {},
        "NextIsAbove_A",
    ),
    "xnxti compares with the level that runs": (
        "tz_csr.sv",
        "csr_operand_i[23:16] : cause.mpil",
        "csr_operand_i[23:16] : mil",
        {},
        "NextReads_A",
    ),
    "an entry leaves the level as it was": (
        "tz_trap.sv",
        "if (irq_claim_o.valid && !irq.user) next.m.il",
        "if (irq_claim_o.valid && !irq.user && !trap.valid) next.m.il",
        {},
        "Claimed_A",
    ),
    "mret leaves the level as it was": (
        "tz_trap.sv",
        "fast_i.frame.cause.mpil : now.m.regs.cause.mpil",
        "fast_i.frame.cause.mpil : now.m.il",
        {},
        "Returned_A",
    ),
    "emret returns to the level in mcause": (
        "tz_trap.sv",
        "next.m.il              = return_emret ? fast_i.frame.cause.mpil",
        "next.m.il              = return_emret ? now.m.regs.cause.mpil",
        BANK,
        "ReturnedByEmret_A",
    ),
    "an interrupt waits for a division": (
        "tz_trap_select.sv",
        "!pipe_i.lsu_busy && !chained_i && !refused;",
        "!pipe_i.lsu_busy && !chained_i && !(pipe_i.ex_valid && pipe_i.ex_kind == KindDiv);",
        {"ExtM": 1},
        "TakenAtOnce_A",
    ),
    "a chain is recorded as what was taken before": (
        "tz_rvfi.sv",
        "wb_irq_q         <= ex_irq_q || chain;",
        "wb_irq_q         <= ex_irq_q;",
        BANK,
        "ChainRetires_A",
    ),
}


def _translate(sources: Sources, folder: Path, parameters: dict[str, int], only: str | None = None) -> None:
    files = [*sources(CORE), *INSIDE, TOP]
    prove.translate(folder, files, TOP.stem, parameters, only=only)


@pytest.mark.slow
@pytest.mark.parametrize("parameters", [*DESIGNS, *BY_NAME])
def test_properties_are_proven(sources: Sources, tmp_path: Path, parameters: dict[str, int]) -> None:
    """The properties hold in every reachable cycle, and none of them is empty."""
    _translate(sources, tmp_path, parameters)
    assert (verdict := prove.base_case(tmp_path, BASE)).passed, verdict.log
    assert (verdict := prove.each_step(tmp_path, INDUCTION)).passed, verdict.log
    assert (verdict := prove.covers(tmp_path, COVERS)).passed, verdict.log


@pytest.mark.slow
@pytest.mark.parametrize("bug", BUGS)
def test_a_seeded_bug_is_found(sources: Sources, tmp_path: Path, bug: str) -> None:
    """The property about the seeded defect fails, with a run that shows it."""
    file, right, wrong, parameters, property_name = BUGS[bug]
    prove.seed(tmp_path, sources(CORE), file, right, wrong)
    _translate(sources, tmp_path, parameters, only=property_name)
    verdict = prove.base_case(tmp_path, STEPS)
    assert not verdict.passed
    assert [name.rpartition(".")[2] for name in verdict.failed] == [property_name], verdict.log
