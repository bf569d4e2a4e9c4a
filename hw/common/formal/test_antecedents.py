# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Covers of antecedents find an assertion that is empty, in whatever form its antecedent is written."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import prove  # noqa: E402 (found by the line above)

DESIGN = """
module top (input logic clk_i, input logic a_i, input logic [1:0] wide_i);
  logic rst_n = 1'b0, never_q = 1'b0, a_q;
  always_ff @(posedge clk_i) begin
    rst_n   <= 1'b1;
    never_q <= never_q && a_i;
    a_q     <= a_i;
  end
  logic copy_q;
  always_ff @(posedge clk_i) copy_q <= a_i;

  Real_A:     assert property (@(posedge clk_i) !rst_n || !a_q || copy_q);
  Equal_A:    assert property (@(posedge clk_i) disable iff (!rst_n) a_q == copy_q);
  Not_A:      assert property (@(posedge clk_i) disable iff (!rst_n) !(a_q && !copy_q));
  Lemma_A:    assert property (@(posedge clk_i) !never_q || a_q);
  Guard_A:    assert property (@(posedge clk_i) !rst_n || !(a_q && never_q) || copy_q);
  Wide_A:     assert property (@(posedge clk_i) wide_i || wide_i == '0 || never_q);
  Both_A:     assert property (@(posedge clk_i) (!a_q || copy_q || !rst_n) && (!rst_n || !never_q || a_q));
  Choice_A:   assert property (@(posedge clk_i) !rst_n || (never_q ? a_q : a_q == copy_q));
  Excluded_A: assert property (@(posedge clk_i) disable iff (!rst_n) !(never_q && a_q));
  Off_A:      assert property (@(posedge clk_i) disable iff (!never_q) a_q == copy_q);
  if (1) begin : gen_if
    always_comb if (never_q) Immediate_A: assert (a_q);
  end
  Same_A:     assert property (@(posedge clk_i) !never_q || a_q);
  Constant_C: cover property (@(posedge clk_i) a_i && !a_i);
endmodule
"""

VACUOUS = {
    "Guard_A_C",
    "Wide_A_C",
    "Both_A_C2",
    "Choice_A_C1",
    "Excluded_A_C",
    "Off_A_C",
    "gen_if.Immediate_A_C",
    "Same_A_C",
}
"""Covers that no run reaches, because an antecedent is never true."""


@pytest.fixture(scope="module")
def design(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the translation of `DESIGN`."""
    folder = tmp_path_factory.mktemp("design")
    (folder / "top.sv").write_text(DESIGN)
    prove.translate(folder, [folder / "top.sv"], "top", {})
    return folder


def test_vacuous_properties_are_found(design: Path) -> None:
    """The covers of empty assertions are not reached, and all others are; a constant antecedent is found, too."""
    assert prove.base_case(design, 3).passed
    verdict = prove.covers(design, 3)
    assert not verdict.passed
    assert set(verdict.failed) == {*VACUOUS, "Constant_C"}
    assert "gen_if.Immediate_A: its antecedent" in verdict.log


def test_covers_are_chosen_by_name(design: Path) -> None:
    """Covers left out of one call can be checked by another call; a name that no cover has is refused."""
    vacuous = {name.rpartition(".")[2] for name in VACUOUS}
    assert prove.covers(design, 3, without={*vacuous, "Constant_C"}).passed
    assert prove.covers(design, 3, only=["Real_A_C", "Not_A_C"]).passed
    assert prove.covers(design, 3, only=["Real_A_C", "Same_A_C"]).failed == ("Same_A_C",)
    with pytest.raises(ValueError, match="no such covers: Lemma_A_C"):
        prove.covers(design, 3, only=["Lemma_A_C"])


def test_translations_are_kept(design: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """A kept translation is used for the same sources and parameters only, and never one with a seeded defect."""
    model = (design / "model.smt2").read_text()
    again = tmp_path_factory.mktemp("again")
    prove.translate(again, [design / "top.sv"], "top", {})
    assert (again / "model.smt2").read_text() == model
    assert not (again / "model.log").exists()
    seeded = tmp_path_factory.mktemp("seeded")
    prove.seed(seeded, [design / "top.sv"], "top.sv", "a_q     <= a_i;", "a_q     <= !a_i;")
    prove.translate(seeded, [design / "top.sv"], "top", {})
    assert (seeded / "model.log").exists()
    assert "Real_A" in prove.base_case(seeded, 4, keep_going=True).failed
