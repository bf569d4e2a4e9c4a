# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""And-inverter graphs: a circuit as Yosys writes it (AIGER, ASCII), cycles of it, and files for ABC (AIGER, binary).

A literal is twice the number of a node, plus 1 where it is inverted; literal 0 is false and 1 is true. Nodes with the
same operands are one node, so what is alike in two frames is not asked for twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from heapq import heappop, heappush
from pathlib import Path

from trapeze.common.errors import TrapezeError

FALSE, TRUE = 0, 1


class Graph:
    """Nodes: free ones, and conjunctions of two literals."""

    def __init__(self) -> None:
        self._operands: list[tuple[int, int] | None] = [None]
        self._known: dict[tuple[int, int], int] = {}

    def free(self) -> int:
        """A new variable."""
        self._operands.append(None)
        return 2 * (len(self._operands) - 1)

    def both(self, a: int, b: int) -> int:
        """The conjunction of two literals."""
        if a > b:
            a, b = b, a
        if a == FALSE or a ^ 1 == b:
            return FALSE
        if a in (TRUE, b):
            return b
        node = self._known.get((a, b))
        if node is None:
            self._operands.append((a, b))
            node = self._known[a, b] = 2 * (len(self._operands) - 1)
        return node

    def differ(self, a: int, b: int) -> int:
        """Whether two literals differ."""
        return self.both(self.both(a, b) ^ 1, self.both(a ^ 1, b ^ 1) ^ 1)

    def any(self, literals: Iterable[int]) -> int:
        """Whether one of the literals is true."""
        none = TRUE
        for literal in literals:
            none = self.both(none, literal ^ 1)
        return none ^ 1

    @contextmanager
    def scratch(self) -> Iterator[None]:
        """Nodes that are made in the block are discarded after it."""
        kept = len(self._operands)
        try:
            yield
        finally:
            for operands in self._operands[kept:]:
                if operands is not None:
                    del self._known[operands]
            del self._operands[kept:]

    def choose(self, condition: int, a: int, b: int) -> int:
        """The one literal where a condition holds, the other where it does not."""
        return self.both(self.both(condition, a) ^ 1, self.both(condition ^ 1, b) ^ 1) ^ 1

    def operands(self, node: int) -> tuple[int, int] | None:
        """Literals of a conjunction; None: the node is a variable, or the constant."""
        return self._operands[node]

    def cone(self, literals: Iterable[int], known: set[int]) -> list[int]:
        """The nodes that literals depend on and that are not known yet, operands first; they are known behind it."""
        order, stack = [], [literal >> 1 for literal in literals]
        while stack:
            node = stack[-1]
            left = [] if node in known else [side >> 1 for side in self._operands[node] or () if side >> 1 not in known]
            if left:
                stack += left
                continue
            stack.pop()
            if node not in known:
                known.add(node)
                order.append(node)
        return order


def write(path: Path, graph: Graph, bad: int, nexts: Mapping[int, int]) -> None:
    """Write what a literal depends on over all cycles as a binary AIGER file, registers beginning with 0.

    Args:
        path: The file.
        graph: Of all literals.
        bad: The file's only output.
        nexts: Of each variable that is a register: the literal that it has behind a cycle. Other variables are inputs.
    """
    known = {0}
    order, waiting = [], [bad]
    while waiting:
        found = graph.cone(waiting, known)
        order += found
        waiting = [nexts[2 * node] for node in found if 2 * node in nexts]
    gates = [node for node in order if graph.operands(node) is not None]
    registers = [node for node in order if 2 * node in nexts]
    inputs = [node for node in order if graph.operands(node) is None and 2 * node not in nexts]
    number = {node: place for place, node in enumerate((0, *inputs, *registers, *gates))}

    def literal(side: int) -> int:
        return 2 * number[side >> 1] + (side & 1)

    text = f"aig {len(number) - 1} {len(inputs)} {len(registers)} 1 {len(gates)}\n"
    text += "".join(f"{literal(nexts[2 * node])}\n" for node in registers) + f"{literal(bad)}\n"
    data = bytearray(text.encode())
    for node in gates:
        larger, smaller = sorted(map(literal, graph.operands(node) or ()), reverse=True)
        for difference in (2 * number[node] - larger, larger - smaller):
            while difference > _LOW:
                data.append(difference & _LOW | _LOW + 1)
                difference >>= 7
            data.append(difference)
    path.write_bytes(data)


_LOW = 0x7F
"""Bits of a number in one byte of binary AIGER; the bit above says that more follow."""


@dataclass(frozen=True)
class Frame:
    """A circuit in one cycle, as literals of a graph.

    Attributes:
        outputs: In the order of the circuit's.
        state: Of its registers behind the cycle.
        known: Of all literals of the circuit.
    """

    outputs: tuple[int, ...]
    state: tuple[int, ...]
    known: list[int]


@dataclass(frozen=True)
class Circuit:
    """What an AIGER file says; numbers are variables and literals of the file.

    Attributes:
        inputs: Names, in order.
        registers: Names, in order.
        outputs: Names, in order.
        nexts: Literals of the registers behind a cycle.
        values: Literals of the outputs.
        gates: Literal of each conjunction and of its operands; operands come first.
    """

    inputs: tuple[str, ...]
    registers: tuple[str, ...]
    outputs: tuple[str, ...]
    nexts: tuple[int, ...]
    values: tuple[int, ...]
    gates: tuple[tuple[int, int, int], ...]

    def frame(self, graph: Graph, inputs: Sequence[int], state: Sequence[int]) -> Frame:
        """One cycle.

        Args:
            graph: For the nodes.
            inputs: A literal for each input.
            state: A literal for each register, before the cycle.
        """
        known = [FALSE, TRUE, *(side for one in (*inputs, *state) for side in (one, one ^ 1))]
        both = graph.both
        for place, a, b in self.gates:
            if place != len(known):
                raise TrapezeError("the circuit's gates are not in order", exit_code=1)
            one = both(known[a], known[b])
            known += (one, one ^ 1)
        return Frame(tuple(known[one] for one in self.values), tuple(known[one] for one in self.nexts), known)

    def other(self, graph: Graph, frame: Frame, inputs: Sequence[int], state: Sequence[int]) -> Frame:
        """The same cycle from other inputs and another state: what does not change is not worked out again.

        Its `known` are those of the frame that it was made from.
        """
        known, changed = frame.known, {}
        waiting: list[int] = []

        def change(place: int, one: int) -> None:
            if one != known[2 * place]:
                changed[place] = one
                for gate in self._readers.get(place, ()):
                    heappush(waiting, gate)

        def value(side: int) -> int:
            one = changed.get(side >> 1)
            return known[side] if one is None else one ^ (side & 1)

        for place, one in enumerate((*inputs, *state), 1):
            change(place, one)
        first, last = len(inputs) + len(state) + 1, 0
        while waiting:
            gate = heappop(waiting)
            if gate != last:
                last = gate
                _, a, b = self.gates[gate - first]
                change(gate, graph.both(value(a), value(b)))
        return Frame(tuple(map(value, self.values)), tuple(map(value, self.nexts)), known)

    @cached_property
    def _readers(self) -> dict[int, list[int]]:
        """The gates that each variable is an operand of."""
        readers: dict[int, list[int]] = {}
        for place, a, b in self.gates:
            readers.setdefault(a >> 1, []).append(place >> 1)
            readers.setdefault(b >> 1, []).append(place >> 1)
        return readers


def read(path: Path) -> Circuit:
    """Read a circuit from an ASCII AIGER file with names.

    Raises:
        TrapezeError: it is none.
    """
    lines = iter(path.read_text().splitlines())
    header = next(lines, "").split()
    if header[:1] != ["aag"] or len(header) != _HEADER:
        raise TrapezeError(f"{path}: not a circuit in ASCII AIGER")
    _, inputs, registers, outputs, gates = map(int, header[1:])
    for _ in range(inputs):
        next(lines)
    nexts = tuple(int(next(lines).split()[1]) for _ in range(registers))
    values = tuple(int(next(lines)) for _ in range(outputs))
    conjunctions = []
    for _ in range(gates):
        place, a, b = map(int, next(lines).split())
        conjunctions.append((place, a, b))
    names: dict[str, str] = {}
    for line in lines:
        if line == "c":
            break
        place_of, name = line.split(maxsplit=1)
        names[place_of] = name
    return Circuit(
        tuple(names.get(f"i{k}", f"i{k}") for k in range(inputs)),
        tuple(names.get(f"l{k}", f"l{k}") for k in range(registers)),
        tuple(names.get(f"o{k}", f"o{k}") for k in range(outputs)),
        nexts,
        values,
        tuple(conjunctions),
    )


_HEADER = 6
"""Words of an AIGER header: `aag` and five numbers."""
