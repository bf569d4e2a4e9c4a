# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""LUTs and frequency on an ECP5: a small design in pins, the counts, the seeds, the rows."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from trapeze.common.errors import TrapezeError
from trapeze.platform import configurations as config
from trapeze.results import store
from trapeze.synth import designs, ecp5, tools
from trapeze.synth.designs import Design
from verify.dev.testing import Trapeze

SUM = """
module adder #(parameter int unsigned Width = 8) (
  input logic clk_i, input logic [Width-1:0] a_i, output logic [Width-1:0] q_o
);
  logic [Width-1:0] q;
  part #(.Width(Width)) u_part (.clk_i, .d_i(q + a_i), .q_o(q));
  assign q_o = q;
endmodule
module part #(parameter int unsigned Width = 8) (
  input logic clk_i, input logic [Width-1:0] d_i, output logic [Width-1:0] q_o
);
  always_ff @(posedge clk_i) q_o <= d_i;
endmodule
module pins #(parameter int unsigned Width = 8) (input logic clk_i, input logic serial_i, output logic serial_o);
  logic [Width-1:0] in_q, out_q, sum;
  always_ff @(posedge clk_i) begin
    in_q <= {in_q[Width-2:0], serial_i};
    out_q <= serial_i ? sum : out_q << 1;
    serial_o <= out_q[Width-1];
  end
  adder #(.Width(Width)) u_adder (.clk_i, .a_i(in_q), .q_o(sum));
endmodule
"""


@pytest.fixture
def adder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Design:
    """An accumulator in a wrapper, mapped anew."""
    monkeypatch.setattr(tools, "CACHE", tmp_path / "cache")
    source = tmp_path / "adder.sv"
    source.write_text(SUM)
    return Design("adder", "pins", (source,), counted="adder")


def test_what_is_counted_is_inside_the_wrapper(adder: Design) -> None:
    small, large = ecp5.cells(adder), ecp5.cells(replace(adder, parameters={"Width": "32"}))
    assert small.flip_flops == 8
    assert large.flip_flops == 32
    assert large.lut4 + 2 * large.carry > small.lut4 + 2 * small.carry
    assert small.block_ram == small.multipliers == small.lut_ram == 0


def test_frequency_by_seed(adder: Design, monkeypatch: pytest.MonkeyPatch) -> None:
    wide = replace(adder, parameters={"Width": "64"})
    first, second = ecp5.frequency(adder, 1), ecp5.frequency(wide, 1)
    assert first > second > 20  # the longer carry chain is slower
    runs = []
    monkeypatch.setattr(tools, "run", lambda *arguments: runs.append(arguments))
    assert ecp5.frequency(adder, 1) == first
    assert not runs


def test_unknown_cell_is_no_figure() -> None:
    assert ecp5.count({"LUT4": 3, "TRELLIS_FF": 2, "PFUMX": 1}) == ecp5.Cells(3, 0, 0, 2, 0, 0)
    with pytest.raises(TrapezeError, match=r"yosys left a cell \$_AND_"):
        ecp5.count({"LUT4": 3, "$_AND_": 1})


def test_wrapper_fits_the_core() -> None:
    """In every configuration the wrapper hands on the core's configuration."""
    text = (tools.ROOM / "rtl" / "core_pins.sv").read_text()
    assert ".Cfg(Cfg)" in text.split("trapeze_core #(")[1].split(") u_core")[0]
    for name in config.names():
        design = ecp5.in_pins(designs.core(config.load(name)))
        assert (design.top, design.counted) == ("core_pins", "trapeze_core")
        assert set(design.overrides) == {"Cfg"}


def test_command(trapeze: Trapeze, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ecp5, "cells", lambda _: ecp5.Cells(5000, 300, 32, 957, 0, 4))
    monkeypatch.setattr(ecp5, "frequency", lambda _, seed: 40.0 + seed)
    said = trapeze("synth", "--config", "mcu-clic", "--target", "ecp5", "--seeds", 4, "--json", tmp_path / "r.json")
    assert said.code == 0
    assert "44.0" in said.out
    assert "42.5" in said.out
    rows = {row["metric"]: row for row in store.load(tmp_path / "r.json")["rows"]}
    assert rows["fmax"]["n"] == 4
    assert (rows["fmax"]["max"], rows["fmax"]["min"]) == (44, 41)
    assert rows["lut4"]["p50"] == 5000
    assert rows["flip-flops"]["engine"] == "ecp5"
