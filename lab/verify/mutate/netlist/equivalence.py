# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Proof that a mutation changes nothing: no output of the SoC in any cycle, whatever its inputs and memories hold.

ABC, which is part of Yosys, proves it on the product of both designs: they have the same inputs, and one output says
that something differs. Both begin in the same state, which may be any state, with a cycle in reset with the mutation
off. From then on the mutation is on, and inputs are free, also further resets. If the structure of the circuit already
shows that nothing can differ, ABC is not called. It first merges registers that are the same in all cycles (`lcorr`,
induction). Then it asks whether something can differ in any state at all (`iprove`, SAT), and last whether it can in a
reachable one (`pdr`, property directed reachability).

Signals for simulation are not compared: retirement records, claims, observation, timers ahead. A mutation that changes
only these is no mutation of hardware. Memories are outside: writes to them and addresses of reads are compared like
outputs, and the data of reads are free.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from trapeze.synth import tools
from verify.mutate.netlist import aig
from verify.mutate.netlist.aig import Circuit, Frame, Graph
from verify.mutate.netlist.yosys import MEMORY_PORT, SELECT

SECONDS = (2, 20)
"""Seconds for reachability in the simple proof, and in the one for what is left at the end."""

_RESET = "rst_ni"
_SHOWN = re.compile(r"(rvfi|irq_event|observe|timer_ahead)_o(\[|$)")
_STILL = re.compile(r"inspect_i(\[|$)")
"""A debugger's question, which it asks while the clock stands."""


_GATE = "module gate (input a, b, output y); assign y = a & b; endmodule\n"
"""Something for Yosys to hand to ABC: it takes a circuit of its own there and back."""
_SCRIPT = """write_blif gate.blif
read_aiger product.aig
lcorr
write_aiger merged.aig
comb
cone -O 0
iprove
write_status any.txt
read_aiger merged.aig
pdr -T {seconds}
write_status reachable.txt
read_blif gate.blif
strash
map
"""
_PROVEN, _DIFFERS = "snl_UNSAT", "snl_SAT"
"""First words of ABC's status."""


@dataclass(frozen=True)
class Proof:
    """What is known of a mutation.

    Attributes:
        holds: Nothing changes.
        how: In words: what the proof rests on, or what differs.
    """

    holds: bool
    how: str


@dataclass(frozen=True)
class _Sound:
    """The right design in the product.

    Attributes:
        graph: Of all literals.
        started: The register that is 0 in the first cycle alone.
        power: A literal for each register of the design: what it holds before the first cycle.
        registers: A literal for each, for all later cycles.
        inputs: A literal for each input.
        frame: One cycle.
    """

    graph: Graph
    started: int
    power: list[int]
    registers: list[int]
    inputs: list[int]
    frame: Frame

    def before(self, place: int, register: int) -> int:
        """What a register holds before a cycle, given the literal for all but the first one."""
        return self.graph.choose(self.started, register, self.power[place])


@dataclass
class Prover:
    """Asks for the mutations of one circuit.

    Attributes:
        circuit: The SoC with all mutations, of which its input `mutsel` chooses one.
        folder: For ABC.
    """

    circuit: Circuit
    folder: Path

    def prove(self, number: int, seconds: int = SECONDS[-1]) -> Proof:
        """Try to prove that a mutation changes nothing.

        Args:
            number: It.
            seconds: Of reachability; what comes before it has limits of its own.

        Raises:
            TrapezeError: ABC failed.
        """
        with self._sound.graph.scratch():
            if not self._write_product(number):
                return Proof(True, "the same circuit")
        (self.folder / "gate.v").write_text(_GATE)
        (self.folder / "prove.abc").write_text(_SCRIPT.format(seconds=seconds))
        for name in ("any.txt", "reachable.txt"):
            (self.folder / name).unlink(missing_ok=True)
        tools.yosys(self.folder, ["read_verilog gate.v", "techmap", "abc -script prove.abc"])
        anywhere, reachable = ((self.folder / name).read_text().split() for name in ("any.txt", "reachable.txt"))
        if anywhere[0] == _PROVEN:
            return Proof(True, "induction over pairs of registers")
        if reachable[0] == _PROVEN:
            return Proof(True, "reachability")
        if reachable[0] == _DIFFERS:
            return Proof(False, "differs behind a reset")
        return Proof(False, f"no answer in {seconds} s of reachability")

    @cached_property
    def _sound(self) -> _Sound:
        graph, names = Graph(), self.circuit.inputs
        started = graph.free()
        power, registers = ([graph.free() for _ in self.circuit.registers] for _ in range(2))
        inputs = [aig.FALSE if name.startswith(f"{SELECT}[") or _STILL.match(name) else graph.free() for name in names]
        inputs = [graph.both(started, one) if name == _RESET else one for name, one in zip(names, inputs, strict=True)]
        state = [graph.choose(started, *both) for both in zip(registers, power, strict=True)]
        return _Sound(graph, started, power, registers, inputs, self.circuit.frame(graph, inputs, state))

    def _write_product(self, number: int) -> bool:
        """Write `product.aig`; False: nothing differs, by the structure of the circuit alone."""
        sound, circuit = self._sound, self.circuit
        inputs = list(sound.inputs)
        for place, name in enumerate(circuit.inputs):
            if name.startswith(f"{SELECT}["):
                bit = int(name[len(SELECT) + 1 : -1])
                inputs[place] = sound.started if number >> bit & 1 else aig.FALSE
        # Registers of the mutated design that are not those of the right one, until it is all that differ.
        apart: dict[int, int] = {}
        state = [sound.before(place, one) for place, one in enumerate(sound.registers)]
        while True:
            wrong = circuit.other(sound.graph, sound.frame, inputs, state)
            pairs = enumerate(zip(sound.frame.state, wrong.state, strict=True))
            new = [place for place, (a, b) in pairs if a != b and place not in apart]
            if not new:
                break
            for place in new:
                apart[place] = sound.graph.free()
                state[place] = sound.before(place, apart[place])
        bad = self._differ(wrong)
        nexts = dict(zip(sound.registers, sound.frame.state, strict=True))
        nexts |= {one: wrong.state[place] for place, one in apart.items()} | {sound.started: aig.TRUE}
        if bad == aig.FALSE:
            return False
        aig.write(self.folder / "product.aig", sound.graph, bad, nexts)
        return True

    def _differ(self, wrong: Frame) -> int:
        """Whether outputs differ, or registers that hold what a memory is asked and told, but in the first cycle."""
        graph, sound, circuit = self._sound.graph, self._sound, self.circuit
        outputs = zip(circuit.outputs, sound.frame.outputs, wrong.outputs, strict=True)
        seen = [(a, b) for name, a, b in outputs if not _SHOWN.match(name)]
        registers = zip(circuit.registers, sound.frame.state, wrong.state, strict=True)
        seen += [(a, b) for name, a, b in registers if MEMORY_PORT in name]
        return graph.both(sound.started, graph.any(graph.differ(a, b) for a, b in seen if a != b))
