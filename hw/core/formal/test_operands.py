# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""tz_operands finds the same operands as the decoder, for every instruction."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "common" / "formal"))
import prove  # noqa: E402 (found by the line above)

CORE = "trapeze:hw:core"
TOP = HERE / "operands_formal.sv"
Sources = Callable[[str], list[Path]]

STEPS = 3
"""Steps of the check. The module has no state, so any step stands for all; the first ones are needed for sampling."""

BUGS = {
    "c.li reads a register": ("none  = (c[15:13] == 3'b010);", "none  = 1'b0;", "Rs1_A"),
    "c.sub reads one of all registers": ("few2  = !c[14];", "few2  = 1'b0;", "Rs2_A"),
    "c.sw does not read what it stores": (
        "used2 = c[15];\n      end\n      2'b01",
        "used2 = 1'b0;\n      end\n      2'b01",
        "Reads_A",
    ),
    "c.jr adds a register": ("&& c[6:2] != '0)))", ")))", "OpB_A"),
    "an atomic operation does not read its address": ("(instr_i[3] && !atomic)", "instr_i[3]", "Reads_A"),
    "an atomic operation does not read its operand": ("5'b01100) || atomic;", "5'b01100);", "Reads_A"),
    "auipc adds to a register": ("op_a_o = OpAPc;", "op_a_o = OpARs1;", "OpA_A"),
}


@pytest.mark.parametrize("atomic", [0, 1])
@pytest.mark.parametrize("rv32e", [0, 1])
def test_it_says_what_the_decoder_says(sources: Sources, tmp_path: Path, rv32e: int, atomic: int) -> None:
    """Operands are equal for every word, whether it is a legal instruction or not."""
    prove.translate(tmp_path, [*sources(CORE), TOP], TOP.stem, {"RV32E": rv32e, "ExtA": atomic})
    assert (verdict := prove.base_case(tmp_path, STEPS)).passed, verdict.log
    assert (verdict := prove.covers(tmp_path, STEPS)).passed, verdict.log


@pytest.mark.parametrize("bug", BUGS)
def test_a_seeded_bug_is_found(sources: Sources, tmp_path: Path, bug: str) -> None:
    """The property about the seeded defect fails."""
    right, wrong, property_name = BUGS[bug]
    files = [*sources(CORE), TOP]
    prove.seed(tmp_path, files, "tz_operands.sv", right, wrong)
    prove.translate(tmp_path, files, TOP.stem, {})
    verdict = prove.base_case(tmp_path, STEPS)
    assert property_name in verdict.failed, verdict.log
