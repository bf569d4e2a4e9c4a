# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Proof that a mutation changes nothing: no output of the SoC in any cycle, whatever its inputs and memories hold.

By induction over cycles. Claim: the registers of the mutated design are those of the right one, but for some that
differ freely. If that is so before a cycle, then outputs are the same in the cycle, and the claim holds behind it. Each
query begins in a state that the right design can be in: behind some cycles from any state at all, or behind a reset and
fewer cycles. SAT finds an output that differs (no proof), or registers that have to be among those that differ, or
nothing. What is wrong while reset is active alone is asked for apart: registers may differ behind a reset then, and are
the same again one cycle later.

Not compared is what is shown to simulation: retirement records, claims, observation, timers ahead. A mutation that
only they show is no mutation of hardware. Memories are outside: what is written to them and where they are read is
compared like an output, and what is read can be anything.
"""

from __future__ import annotations

import re
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

from verify.mutate.drawn import aig
from verify.mutate.drawn.aig import Circuit, Frame, Graph
from verify.mutate.drawn.netlist import MEMORY_PORT, SELECT

DEPTHS = (0, 2, 5)
"""Of proofs: the more cycles stand in front of the one that is compared, the fewer states it is compared in."""
_SECONDS = 20.0
"""For one query, and for all queries of one depth."""
_MOST = 400
"""Registers that may differ: more are not tried."""

_RESET = "rst_ni"
_SHOWN = re.compile(r"(rvfi|irq_event|observe|timer_ahead)_o(\[|$)")
_STILL = re.compile(r"inspect_i(\[|$)")
"""A debugger's question, which it asks while the clock stands."""


@dataclass(frozen=True)
class Proof:
    """What is known of a mutation.

    Attributes:
        holds: Nothing changes.
        how: In words: what the proof rests on, or what differs.
    """

    holds: bool
    how: str


@dataclass
class _Start:
    """A cycle that is compared, behind others.

    Attributes:
        inputs: Literals of the inputs in the cycle.
        state: Literals of the registers before it.
        sound: The right design's cycle.
    """

    inputs: list[int]
    state: list[int]
    sound: Frame


@dataclass
class Prover:
    """Asks for the mutations of one circuit.

    Attributes:
        circuit: The SoC with all mutations, of which its input `mutsel` chooses one.
        folder: For the solver.
    """

    circuit: Circuit
    folder: Path
    _graph: Graph = field(default_factory=Graph)
    _starts: dict[int, list[_Start]] = field(default_factory=dict)

    def prove(self, number: int, depths: tuple[int, ...] = DEPTHS) -> Proof:
        """Try to prove that a mutation changes nothing.

        Args:
            number: It.
            depths: Cycles of the right design in front of the one that is compared, tried in this order.
        """
        proof = Proof(False, "not tried")
        for depth in depths:
            starts = self._all(depth)
            with self._graph.scratch():
                try:
                    proof = self._induction(number, depth, starts)
                except subprocess.TimeoutExpired:
                    return Proof(False, f"no answer in {_SECONDS:.0f} s behind {depth} cycles")
                if not proof.holds and depth == 0:
                    proof = self._reset_alone(number) or proof
            if proof.holds:
                break
        return proof

    def _inputs(self, number: int, reset: int | None, others: list[int] | None = None) -> list[int]:
        """Literals of the inputs: those given, with a mutation's number; else new ones."""
        literals = []
        for place, name in enumerate(self.circuit.inputs):
            if name.startswith(f"{SELECT}["):
                bit = int(name[len(SELECT) + 1 : -1])
                literals.append(number >> bit & 1)
            elif others is not None:
                literals.append(others[place])
            elif name == _RESET and reset is not None:
                literals.append(reset)
            else:
                literals.append(aig.FALSE if _STILL.match(name) else self._graph.free())
        return literals

    def _cycles(self, state: list[int], resets: list[int]) -> list[int]:
        """The state behind cycles of the right design."""
        for reset in resets:
            state = list(self.circuit.frame(self._graph, self._inputs(0, reset), state).state)
        return state

    def _behind(self, resets: list[int], reset: int | None = None) -> _Start:
        state = self._cycles([self._graph.free() for _ in self.circuit.registers], resets)
        inputs = self._inputs(0, reset)
        return _Start(inputs, state, self.circuit.frame(self._graph, inputs, state))

    def _all(self, depth: int) -> list[_Start]:
        """Behind a reset and fewer cycles than `depth`, and behind so many from any state."""
        if depth not in self._starts:
            resets = [[aig.FALSE, *[aig.TRUE] * more] for more in range(depth)]
            self._starts[depth] = [self._behind(one) for one in (*resets, [aig.TRUE] * depth)]
        return self._starts[depth]

    def _induction(self, number: int, depth: int, starts: list[_Start]) -> Proof:
        loose: set[int] = set()
        settled = 0
        place = 0
        late = time.monotonic() + _SECONDS
        while settled < len(starts):
            if time.monotonic() > late:
                return Proof(False, f"no answer in {_SECONDS:.0f} s behind {depth} cycles")
            found = self._differs(number, starts[place], loose)
            if found is None:
                settled += 1
                place = (place + 1) % len(starts)
                continue
            outputs, registers = found
            if outputs:
                return Proof(False, f"differs behind {depth} cycles: {outputs[0]}")
            loose |= registers
            settled = 0
            if len(loose) > _MOST:
                return Proof(False, f"more than {_MOST} registers differ")
        how = f"induction behind {depth} cycles" if depth else "induction over any state"
        return Proof(True, how + (f", {len(loose)} registers that nothing sees differ" if loose else ""))

    def _reset_alone(self, number: int) -> Proof | None:
        """Try to prove that only cycles in reset set registers otherwise, and that the cycle behind mends them.

        The designs are in the same state, or come out of a reset and some registers differ freely: outputs are the same
        in each cycle from there, with a reset only these registers differ behind it, and without one none.
        """
        loose: set[int] = set()
        try:
            if self._differs(number, self._behind([], aig.TRUE), loose) is not None:
                return None
            begins, lasts = self._behind([], aig.FALSE), self._behind([aig.FALSE], aig.FALSE)
            while (
                found := self._differs(number, begins, set(), loose) or self._differs(number, lasts, loose)
            ) is not None:
                outputs, registers = found
                loose |= registers
                if outputs or len(loose) > _MOST:
                    return None
            if self._differs(number, self._behind([aig.FALSE], aig.TRUE), loose, spared=set()) is not None:
                return None
        except subprocess.TimeoutExpired:
            return None
        return Proof(True, f"only reset sets {len(loose)} registers otherwise, for one cycle in which nothing sees it")

    def _differs(
        self, number: int, start: _Start, loose: set[int], spared: set[int] | None = None
    ) -> tuple[list[str], set[int]] | None:
        """Ask for a difference.

        Args:
            number: The mutation.
            start: The cycle.
            loose: Registers that differ freely before it.
            spared: Registers that may differ behind it; None: the same ones.

        Returns:
            Outputs and registers that differ where there is one. Registers that hold what a memory is asked and told
            are outputs, too.
        """
        graph, circuit = self._graph, self.circuit
        spared = loose if spared is None else spared
        state = [graph.free() if place in loose else one for place, one in enumerate(start.state)]
        wrong = circuit.other(graph, start.sound, self._inputs(number, None, start.inputs), state)
        outputs = {
            name: graph.differ(a, b)
            for name, a, b in zip(circuit.outputs, start.sound.outputs, wrong.outputs, strict=True)
            if a != b and not _SHOWN.match(name)
        }
        registers = {
            place: graph.differ(a, b)
            for place, (a, b) in enumerate(zip(start.sound.state, wrong.state, strict=True))
            if a != b and place not in spared
        }
        values = graph.solve(graph.any([*outputs.values(), *registers.values()]), self.folder, _SECONDS)
        if values is None:
            return None

        def true(literal: int) -> bool:
            return values.get(literal >> 1, False) != bool(literal & 1)

        seen = [name for name, literal in outputs.items() if true(literal)]
        moved = {place for place, literal in registers.items() if true(literal)}
        seen += [circuit.registers[place] for place in moved if MEMORY_PORT in circuit.registers[place]]
        return seen, moved
