# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""User mode changes no register of machine level, nor of memory protection, and delays no interrupt of machine mode."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "common" / "formal"))
import prove  # noqa: E402 (found by the line above)

TOP = HERE / "user_mode_formal.sv"
NEEDED = (
    *("tz_irq_clint.sv", "tz_irq_clic.sv", "tz_pmp_csr.sv", "tz_csr_user.sv", "tz_csr.sv"),
    *("tz_post_csr.sv", "tz_trap_select.sv", "tz_trap.sv"),
)
"""Files of the core that the proof reads, beside all packages."""

Sources = Callable[[str], list[Path]]

BUGS = {
    "user mode writes what machine mode alone may": (
        "tz_csr.sv",
        "(csr_addr_i[9:8] > trap_q.priv)",
        "(csr_addr_i[9:8] > trap_q.priv && csr_addr_i[11:10] != 2'b00)",
        {"Setup_A"},
    ),
    "user mode writes rows of memory protection": (
        "tz_csr.sv",
        "(csr_addr_i[9:8] > trap_q.priv)",
        "(csr_addr_i[9:8] > trap_q.priv && !is_pmp)",
        {"Rows_A"},
    ),
    "euret loads mepc": (
        "tz_trap.sv",
        "if (Fast && !euret && (fast_i.done || fast_i.load_epc)) begin",
        "if (Fast && (fast_i.done || fast_i.load_epc)) begin",
        {"Level_A"},
    ),
    "a user interrupt raises the level of machine mode": (
        "tz_trap.sv",
        "if (irq_claim_o.valid && !irq.user) next.m.il = irq.level;",
        "if (irq_claim_o.valid) next.m.il = irq.level;",
        {"Level_A"},
    ),
    "user mode's own enable keeps interrupts of machine mode back": (
        "tz_irq_clic.sv",
        "take:  user ? offer_i.valid : (above && csrs_i.m.ie),",
        "take:  user ? offer_i.valid && csrs_i.u.ie : (above && csrs_i.m.ie),",
        {"Wanted_A", "Entered_A"},
    ),
    "mret leaves the threshold behind": (
        "tz_trap.sv",
        "next.m.thresh = '0;  // no threshold is left behind in M mode",
        "next.m.thresh = now.m.thresh;",
        {"Left_A"},
    ),
}


def needed(sources: Sources) -> list[Path]:
    """Sources of the proof: files of the core, and the top."""
    return [path for path in sources("trapeze:hw:core") if path.name in NEEDED or path.name.endswith("_pkg.sv")] + [TOP]


def test_user_mode(sources: Sources, tmp_path: Path) -> None:
    """The properties hold in every reachable cycle, and covers show that user mode can do what it is allowed."""
    verdict = prove.always(tmp_path, needed(sources), TOP.stem, {}, base=3, step=2, cover=8)
    assert verdict.passed, verdict.log


@pytest.mark.parametrize("bug", BUGS)
def test_a_seeded_bug_of_user_mode_is_found(sources: Sources, tmp_path: Path, bug: str) -> None:
    """The property about the seeded defect fails."""
    file, right, wrong, names = BUGS[bug]
    files = needed(sources)
    prove.seed(tmp_path, files, file, right, wrong)
    prove.translate(tmp_path, files, TOP.stem, {})
    found = prove.each_step(tmp_path, 2).failed
    assert names <= {name.rpartition(".")[2] for name in found}, found
