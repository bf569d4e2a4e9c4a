# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Derives from each assertion the covers that show it to be more than its antecedent.

An assertion is empty if its antecedent is never true. An example is `!taken || level > mil` where nothing is ever
taken. Each expression is taken apart by its operators:

    a || b       a is the antecedent: cover !a, and take b apart
    a && b       both are properties: take each apart
    s ? a : b    cover s and take a apart, cover !s and take b apart
    !(a && b)    treated as !a || !b; !(a || b) as !a && !b

`if` in front of an immediate assertion and `disable iff` are antecedents, too. What remains is a consequent. Its cover
is reached if there is a run in which the consequent alone decides whether the assertion holds. The cover of `Name_A` is
`Name_A_C`; several consequents have `Name_A_C1`, `Name_A_C2`, ...

This works on the RTLIL text that `read_slang` makes, in which every operator is a cell. Lemmas, whose names begin with
`Lemma` or end with `_L`, get no covers: they only help to prove other assertions, which have covers of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

Term = tuple[str, str, bool]
"""A signal, its width, and whether the cover needs it true or false."""

LEMMA = re.compile(r"(?:^|[.\\])Lemma\w*$|_L$")
TRUE = "1'1"
KEEP = "attribute \\keep 1"
"""Attribute of added cells. Without it Yosys would leave out cells that are constant and cells that are equal."""


@dataclass
class Cell:
    """A cell of RTLIL."""

    kind: str
    name: str
    source: str = ""
    parameters: dict[str, str] = field(default_factory=dict)
    ports: dict[str, str] = field(default_factory=dict)


def _cells(lines: list[str]) -> Iterator[Cell]:
    """The cells of a module's text."""
    source, cell = "", None
    for line in lines:
        first, _, rest = line.strip().partition(" ")
        if cell is None:
            if first == "attribute" and rest.startswith("\\src "):
                source = line.strip()
            elif first == "cell":
                kind, name = rest.split(" ", 1)
                cell, source = Cell(kind, name, source), ""
            elif first != "attribute":
                source = ""
        elif first == "end":
            yield cell
            cell = None
        elif first in ("parameter", "connect"):
            name, value = rest.removeprefix("signed ").split(" ", 1)
            (cell.parameters if first == "parameter" else cell.ports)[name] = value


class _Module:
    """A module: the cells that drive its unnamed wires, and the covers that are added to it."""

    def __init__(self, lines: list[str], number: int) -> None:
        cells = list(_cells(lines))
        self.drivers = {cell.ports["\\Y"]: cell for cell in cells if "\\Y" in cell.ports}
        self.checks = [cell for cell in cells if cell.kind == "$check" and cell.parameters["\\FLAVOR"] == '"assert"']
        self.number = number
        self.added: list[str] = []

    def _driver(self, signal: str) -> Cell | None:
        """The cell that computes an unnamed signal; None for a named signal, which is not taken apart."""
        cell = self.drivers.get(signal) if signal.startswith("$") else None
        return cell if cell is not None and cell.parameters.get("\\Y_WIDTH", "1") == "1" else None

    def consequents(self, signal: str, true: bool, excuses: tuple[Term, ...]) -> Iterator[tuple[Term, ...]]:
        """Terms that must be true for each consequent of `signal` (not `true`: of its negation) to decide alone."""
        cell = self._driver(signal)
        if cell is None or cell.kind not in ("$logic_not", "$logic_or", "$logic_and", "$mux"):
            yield excuses
            return
        left, right = cell.ports["\\A"], cell.ports.get("\\B", "")
        if cell.kind == "$logic_not":
            yield from self.consequents(left, not true, excuses)
        elif cell.kind == "$mux":
            yield from self.consequents(right, true, (*excuses, (cell.ports["\\S"], "1", True)))
            yield from self.consequents(left, true, (*excuses, (cell.ports["\\S"], "1", False)))
        elif (cell.kind == "$logic_or") == true:
            yield from self.consequents(right, true, (*excuses, (left, cell.parameters["\\A_WIDTH"], not true)))
        else:
            yield from self.consequents(left, true, excuses)
            yield from self.consequents(right, true, excuses)

    def _cell(self, kind: str, parameters: dict[str, str], ports: dict[str, str]) -> str:
        """Add a cell whose output is a new wire; return the wire's name."""
        self.number += 1
        wire = f"$antecedent${self.number}"
        self.added += [f"wire {wire}", f"cell {kind} $antecedents${self.number}"]
        self.added += [f"parameter \\{name} {value}" for name, value in parameters.items()]
        self.added += [f"connect \\{name} {signal}" for name, signal in (ports | {"Y": wire}).items()]
        self.added.append("end")
        return wire

    def _all(self, terms: tuple[Term, ...]) -> str:
        """A signal that is true where every term has the value that it needs."""
        said = TRUE
        for signal, width, true in terms:
            sizes = {"A_WIDTH": width, "A_SIGNED": "0", "Y_WIDTH": "1"}
            term = signal if true else self._cell("$logic_not", sizes, {"A": signal})
            sizes |= {"A_WIDTH": width if true else "1", "B_WIDTH": "1", "B_SIGNED": "0"}
            said = self._cell("$logic_and", sizes, {"A": term, "B": said})
        return said

    def cover(self, check: Cell) -> None:
        """Add the covers of an assertion."""
        antecedents = dict.fromkeys(self.consequents(check.ports["\\A"], True, ()))
        antecedents = [terms for terms in antecedents if terms or check.ports["\\EN"] != TRUE]
        for index, terms in enumerate(antecedents, 1):
            said = self._all(terms)
            number = str(index) if len(antecedents) > 1 else ""
            self.added += [KEEP, check.source, f"cell $check {check.name}_C{number}"]
            for name, value in (check.parameters | {"\\FLAVOR": '"cover"'}).items():
                self.added.append(f"parameter {name} {value}")
            for name, signal in (check.ports | {"\\A": said}).items():
                self.added.append(f"connect {name} {signal}")
            self.added.append("end")


def covered(rtlil: str) -> str:
    """The text of the design with covers for all its assertions."""
    lines: list[str] = []
    module: list[str] = []
    number = 0
    for line in rtlil.splitlines():
        if line.startswith("module "):
            module = []
        elif line == "end":
            one = _Module(module, number)
            for check in one.checks:
                if check.name.startswith("\\") and not LEMMA.search(check.name.removesuffix("_A")):
                    one.cover(check)
            lines += one.added
            number = one.number
        elif line.lstrip().startswith("cell $check "):
            lines.append(KEEP)
        module.append(line)
        lines.append(line)
    return "\n".join(line for line in lines if line) + "\n"
