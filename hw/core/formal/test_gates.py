# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The register file is the same in both forms of the core's parameter Gates, and the proof of that is able to fail."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "common" / "formal"))
import prove  # noqa: E402 (found by the line above)

CORE = "trapeze:hw:core"
TOP = HERE / "gates_formal.sv"
NEEDED = ("tz_regfile.sv",)
"""Files of the core that the proof reads, beside all packages."""

Sources = Callable[[str], list[Path]]

FORMS: dict[str, dict[str, int]] = {
    "plain": {},
    "plain, 16 registers": {"RV32E": 1},
    "frames in place": {"Fast": 1},
    "one bank, 16 registers": {"Fast": 1, "RV32E": 1, "NumBanks": 1},
    "two banks": {"Fast": 1, "NumBanks": 2},
    "two banks, whole frames": {"Fast": 1, "NumBanks": 2, "Whole": 1},
    "one bank, 16 registers, whole frames": {"Fast": 1, "RV32E": 1, "NumBanks": 1, "Whole": 1},
    "handlers of user mode": {"Fast": 1, "NumBanks": 2, "UserIrq": 1},
}

BUGS = {
    "a register is written in every bank": (
        "tz_regfile.sv",
        "current        = !Banked || (bank == BankW'(b))",
        "current        = 1'b1",
        "Drain_A",
    ),
    "ra of a fresh bank is not bypassed": (
        "tz_regfile.sv",
        "| (fill_data & {32{fast_i.link && raddr_a_i == 5'd1}})",
        "| (fill_data & {32{fast_i.link && raddr_a_i == 5'd3}})",
        "ReadA_A",
    ),
    "the last bank's fill goes missing": (
        "tz_regfile.sv",
        "(Banked && fill[b] && (fill_word ==",
        "(Banked && fill[b] && b == 0 && (fill_word ==",
        "Drain_A",
    ),
    "a fresh bank of user mode shows what was there": (
        "tz_regfile.sv",
        "(shown_q[b][r] || write) && !fresh",
        "shown_q[b][r] || write || fresh",
        "Fresh_A",
    ),
    "the frame of a fresh bank gets what was there": (
        "tz_regfile.sv",
        "regs[fast_i.drain_word[RowW-1:0]] & {32{shown[b][fast_i.drain_word[RowW-1:0]]}}",
        "regs[fast_i.drain_word[RowW-1:0]]",
        "FreshDrain_A",
    ),
}


def needed(sources: Sources) -> list[Path]:
    """Sources of the proof: files of the core, and the top."""
    return [path for path in sources(CORE) if path.name in NEEDED or path.name.endswith("_pkg.sv")] + [TOP]


@pytest.mark.parametrize("form", FORMS)
def test_both_forms_are_the_same(sources: Sources, tmp_path: Path, form: str) -> None:
    """The properties hold in every reachable cycle, and the covers are reached."""
    verdict = prove.always(tmp_path, needed(sources), TOP.stem, FORMS[form], base=4, step=2, cover=4)
    assert verdict.passed, verdict.log


@pytest.mark.parametrize("bug", BUGS)
def test_a_seeded_bug_is_found(sources: Sources, tmp_path: Path, bug: str) -> None:
    """The property about the seeded defect fails, with a run that shows it."""
    file, right, wrong, property_name = BUGS[bug]
    prove.seed(tmp_path, needed(sources), file, right, wrong)
    prove.translate(tmp_path, needed(sources), TOP.stem, {"Fast": 1, "NumBanks": 1, "UserIrq": 1})
    verdict = prove.base_case(tmp_path, 5, keep_going=True)
    assert not verdict.passed
    assert property_name in [name.rpartition(".")[2] for name in verdict.failed], verdict.log
