# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Drawn mutations: how they are spread and judged, what is proven of them, and a handful that is this commit's turn."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from trapeze.common.errors import TrapezeError
from trapeze.synth import tools
from verify.mutate import gates
from verify.mutate.gates import Found
from verify.mutate.mutations import turn
from verify.mutate.netlist import activation, aig, command, equivalence, known_survivors, report, sampling, yosys
from verify.mutate.netlist.equivalence import Proof, Prover
from verify.mutate.netlist.sampling import Drawn
from verify.mutate.netlist.trial import QUICK, Outcome

DRAW, PART = 200, 4
"""Mutations that are drawn, and those of them that are tried here."""
SPARED = 1
"""Mutations that may survive: every edit of a source draws others, and the quick proof misses some that change
nothing."""

DRAWN = Drawn("mcu-fastirq", 1, "mutate", "hw/core", "hw/core/rtl/tz_alu.sv", 7, "assign a = b;", "inv Y[0] of $1 in u")


def test_shares_are_in_proportion() -> None:
    """Small rooms get what every room gets at least, the others what their cells are of all."""
    cells = {("a", "core"): 8000, ("b", "core"): 1000, ("a", "clic"): 900, ("a", "clint"): 10}
    parts = sampling.shares(cells, 1000)
    assert sum(parts.values()) == 1000
    assert parts["a", "clint"] == sampling.LEAST
    assert parts["a", "clic"] == 1000 * 900 // 9910
    assert parts["a", "core"] > 7 * parts["b", "core"] > 0
    assert sum(sampling.shares(cells, 5).values()) == 5


def test_what_only_simulation_has_is_not_drawn() -> None:
    """Neither memories and checks nor what shows a core to the simulator."""
    assert sampling.is_product("tz_alu", "trapeze_sim_top.u_soc.u_core.u_alu")
    assert not sampling.is_product("tz_rvfi", "trapeze_sim_top.u_soc.u_core.u_rvfi")
    assert not sampling.is_product("tz_fifo", "trapeze_sim_top.u_soc.gen_tile[0].u_tile.gen_wait.u_data.u_held")
    assert sampling.changes_logic("mutate -mode inv -module a -cell u_core -port data_req_o -portbit 3")
    assert not sampling.changes_logic("mutate -mode inv -module a -cell u_core -port rvfi_o -portbit 3")
    assert not sampling.changes_logic("mutate -mode inv -module a -cell gen_rvfi.u_rvfi -port rst_ni -portbit 0")
    assert not sampling.changes_logic("mutate -mode inv -module a -cell u_uart -port clk_bench_i -portbit 0")


def _outcomes() -> list[Outcome]:
    found = Found(gates.CYCLES, "short seed 1", "12 cycles instead of 11")
    clic = replace(DRAWN, room="hw/irq/clic", number=2)
    return [
        Outcome(DRAWN, found, None, None, 1.0),
        Outcome(clic, None, Proof(True, "induction over any state"), None, 1.0),
        Outcome(clic, None, Proof(False, "differs behind 5 cycles: o1"), "why not", 1.0),
        Outcome(replace(DRAWN, number=3), None, Proof(False, "differs behind 5 cycles: o1"), None, 1.0),
    ]


def test_report(tmp_path: Path) -> None:
    """The score leaves out what is proven to change nothing; what survives is named with its source line."""
    text = report.table(_outcomes())
    rows = {line.split()[0]: line.split()[1:] for line in text.splitlines()}
    assert rows["hw/core"] == ["2", "0", "1", "0", "0", "0", "1", "50.0", "%"]
    assert rows["hw/irq/clic"] == ["2", "0", "0", "0", "0", "1", "1", "0.0", "%"]
    assert rows["all"] == ["4", "0", "1", "0", "0", "1", "2", "33.3", "%"]
    assert "hw/core/rtl/tz_alu.sv:7 inv Y[0] of $1 in u: SURVIVED (differs behind 5 cycles: o1)" in text
    assert "open: why not" in text
    report.write(tmp_path / "drawn.json", _outcomes(), 7)
    written = json.loads((tmp_path / "drawn.json").read_text())
    assert (written["seed"], written["score"]) == (7, 33.3)
    assert written["mutations"][0]["found"]["gate"] == "cycles"
    left = {(one.drawn.config, one.drawn.number, one.drawn.what) for one in _outcomes() if one.survived}
    assert report.survivors(tmp_path / "drawn.json", 7) == left
    with pytest.raises(TrapezeError, match="has no outcomes of seed 8"):
        report.survivors(tmp_path / "drawn.json", 8)


def test_list_of_open_ones(tmp_path: Path) -> None:
    """An entry names a line that exists, and a reason; it covers the mutations of this line alone."""
    assert all(len(entry.reason) > 20 for entry in known_survivors.load())
    (tmp_path / "a.sv").write_text("  assign a = b;\n")
    listed = tmp_path / "open.toml"
    listed.write_text('[[open]]\nfile = "a.sv"\ntext = "assign a = b;"\nreason = "for a reason"\n')
    entries = known_survivors.load(listed, tmp_path)
    assert known_survivors.reason(entries, replace(DRAWN, file="a.sv")) == "for a reason"
    assert known_survivors.reason(entries, replace(DRAWN, file="a.sv", text="assign c = d;")) is None
    for wrong, said in (('text = "assign c;"\nreason = "r"', "no line"), ('text = "assign a = b;"', "each entry has")):
        listed.write_text(f'[[open]]\nfile = "a.sv"\n{wrong}\n')
        with pytest.raises(TrapezeError, match=said):
            known_survivors.load(listed, tmp_path)


DESIGN = """
module top (input clk, input rst_ni, input [15:0] mutsel, input a, input b, output reg y, output reg z,
            output hit, output bare, input [3:0] place, input [7:0] data, output reg [7:0] read);
  // 1: inverts y.  2: the same function in other words.  3: a register that is never seen.
  // 4: a state that no reset leads to.  5: a state that no cycle leads to.
  // 6: what a memory holds.  7: where it is read.  8: where it is not read.
  // 9: what a reset leaves in a register that nothing sees behind a reset.  10: in one that is seen.
  (* keep *) reg unseen;
  reg never, once, twice, fresh, shown, valid;
  reg [7:0] mem[16];
  wire and_1 = a & b;
  assign hit = fresh && valid;
  assign bare = shown;
  always @(posedge clk) begin
    fresh <= rst_ni ? a : (mutsel == 9);
    shown <= rst_ni ? a : (mutsel == 10);
    valid <= rst_ni && b;
  end
  always @(posedge clk) begin
    unseen <= a ^ (mutsel == 3);
    never <= rst_ni && never;
    once <= a;
    twice <= a;
    y <= ((mutsel == 2) ? ~(~a | ~b) : and_1) ^ (mutsel == 1) ^ (mutsel == 4 && never);
    z <= once ^ (mutsel == 5 && once != twice);
    if (a) mem[place] <= data ^ (mutsel == 6);
    else if (b) read <= mem[place ^ (mutsel == 7) ^ (mutsel == 8 && a)];
  end
endmodule
"""


@pytest.fixture(scope="module")
def prover(tmp_path_factory: pytest.TempPathFactory) -> Prover:
    folder = tmp_path_factory.mktemp("prover")
    (folder / "top.v").write_text(DESIGN)
    script = ["read_verilog -sv top.v", "proc", *yosys.memories_outside(folder, "top"), "opt_clean", "dffunmap"]
    tools.yosys(folder, [*script, "simplemap", "techmap", "opt_clean", "aigmap", "write_aiger -ascii -symbols top.aag"])
    circuit = aig.read(folder / "top.aag")
    # A read has 1 bit and the address; a write the address, the enables and the data.
    assert sum(yosys.MEMORY_PORT in name for name in circuit.registers) == 5 + 4 + 8 + 8
    return Prover(circuit, folder)


@pytest.mark.parametrize(
    ("number", "holds", "how"),
    [
        (1, False, "differs behind a reset"),
        (2, True, ""),
        (3, True, ""),
        (4, True, ""),
        (5, True, ""),
        (6, False, "differs behind a reset"),
        (7, False, "differs behind a reset"),
        (8, True, ""),
        (9, True, ""),
        (10, False, "differs behind a reset"),
    ],
)
def test_proofs(prover: Prover, number: int, holds: bool, how: str) -> None:
    """What changes nothing is proven, also where a register differs that nothing sees; the rest is not."""
    proof = prover.prove(number)
    assert (proof.holds, how in proof.how) == (holds, True), proof


def test_and_inverter_graph() -> None:
    """Constants, equal operands and equal nodes fold; what is made of constants alone is what the truth table says."""
    graph = aig.Graph()
    a, b = graph.free(), graph.free()
    assert graph.both(a, aig.TRUE) == graph.both(a, a) == a
    assert graph.both(a, aig.FALSE) == graph.both(a, a ^ 1) == aig.FALSE
    assert graph.both(a, b) == graph.both(b, a)
    assert graph.differ(a, a) == aig.FALSE
    assert graph.choose(aig.TRUE, a, b) == graph.choose(aig.FALSE, b, a) == a
    for values in product((aig.FALSE, aig.TRUE), repeat=3):
        assert graph.differ(graph.differ(*values[:2]), values[2]) == sum(values) % 2
        assert graph.any(values) == max(values)
        assert graph.choose(*values) == values[1 if values[0] else 2]


def test_only_what_counts_is_written(tmp_path: Path) -> None:
    """Inputs, then registers, then conjunctions; a register that the output never depends on is left out."""
    graph = aig.Graph()
    unseen, register, wanted = graph.free(), graph.free(), graph.free()
    gate = graph.both(register, wanted ^ 1)
    aig.write(tmp_path / "a.aig", graph, gate ^ 1, {unseen: gate, register: gate})
    # Variables: 1 `wanted`, 2 `register`, 3 the gate with literal 6: operands 4, 2 less, and 3, another 1 less.
    assert (tmp_path / "a.aig").read_bytes() == b"aig 3 1 1 1 1\n6\n7\n" + bytes([2, 1])


def test_scratch_nodes_are_forgotten() -> None:
    """A node that is made again behind the block is a new one, and what was there before is kept."""
    graph = aig.Graph()
    a, b = graph.free(), graph.free()
    kept = graph.both(a, b)
    with graph.scratch():
        gone = graph.both(kept, graph.free())
        assert graph.both(a, b ^ 1) > gone
    assert graph.both(a, b) == kept
    assert graph.free() == kept + 2
    assert graph.both(a, b ^ 1) == kept + 4


def test_cycle_from_other_values(prover: Prover) -> None:
    """Worked out from another cycle, only what changes, a cycle is what it is when it is worked out as a whole."""
    circuit, graph = prover.circuit, aig.Graph()
    free = [[graph.free() for _ in range(len(circuit.inputs) + len(circuit.registers))] for _ in range(2)]
    inputs = len(circuit.inputs)
    first = circuit.frame(graph, free[0][:inputs], free[0][inputs:])
    for place in range(len(free[0])):
        for one in (free[1][place], aig.TRUE):
            values = [*free[0][:place], one, *free[0][place + 1 :]]
            whole = circuit.frame(graph, values[:inputs], values[inputs:])
            other = circuit.other(graph, first, values[:inputs], values[inputs:])
            assert (other.outputs, other.state) == (whole.outputs, whole.state)


def test_netlist_watches_what_a_program_activates(tmp_path: Path) -> None:
    """Each mutation has a comparison of its own; one that is chosen in another way is an error."""
    body = "  assign _1_ = mutsel == 16'h002a;\n  assign \\u_a.b [3] = _1_ ? _2_ : \\u_c.d ;\n"
    text = activation.watched(body, "mutsel")
    assert text.startswith(body)
    assert "if (!active[42] && (_2_ ^ \\u_c.d )) begin active[42] = 1;" in text
    with pytest.raises(TrapezeError, match="mutation 42 is not chosen"):
        activation.watched(body.replace("?", "+"), "mutsel")
    assert activation.read(tmp_path / "none") == frozenset()
    (tmp_path / "some").write_text("42\n7\n")
    assert activation.read(tmp_path / "some") == {7, 42}


def test_wrong_circuit_is_an_error(tmp_path: Path) -> None:
    """A file that is no circuit is named."""
    (tmp_path / "a.aag").write_text("aig 1 2\n")
    with pytest.raises(TrapezeError, match=r"a\.aag: not a circuit"):
        aig.read(tmp_path / "a.aag")


def test_netlist_takes_the_place_of_the_design() -> None:
    """The proofs leave out what only shows the core, and every unit with a home of its own is drawn from there."""
    assert set(sampling.HOMES.values()) < set(sampling.CONFIGS)
    assert sampling.home("tz_amo") == "duo"
    assert list(equivalence.SECONDS) == sorted(equivalence.SECONDS)
    assert sampling.COUNT < 1 << yosys.SELECT_BITS


def test_part_changes_with_its_key() -> None:
    """The same key gives the same part; many keys reach every mutation."""
    drawn = [replace(DRAWN, number=number) for number in range(1, 21)]
    assert sampling.part(drawn, "a", 3) == sampling.part(drawn, "a", 3)
    reached = {one.number for key in range(200) for one in sampling.part(drawn, str(key), 3)}
    assert reached == set(range(1, 21))


@pytest.mark.slow
def test_handful_is_found() -> None:
    """This commit's handful, of core and CLIC, is found or proven to change nothing; `make mutate` tries all."""

    def choose(drawn: list[Drawn]) -> list[Drawn]:
        return sampling.part([one for one in drawn if one.room.startswith(("hw/core", "hw/irq"))], turn(), PART)

    outcomes = command.run(DRAW, sampling.SEED, ["mcu-fastirq"], 1, QUICK, choose=choose)
    left = [one for one in outcomes if one.survived and one.reason is None]
    assert len(outcomes) == PART
    assert len(left) <= SPARED, report.table(outcomes)
