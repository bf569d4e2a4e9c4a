# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Litmus tests of the memory model: two threads of a few instructions, and their allowed outcomes.

A test is written once, in the notation of the literature, one string for each thread, statements separated by `;`:

    x = 1               store
    r0 = x              load
    r0 = amoadd x 1     AMO: r0 gets the old value; without `r0 =` nobody does
    r0 = lr x           load-reserved
    r1 = sc x r0+1      store-conditional; r1 is 0 if it succeeded, else 1
    fence               fence rw, rw

From it come the firmware that runs it on two harts at every offset of their phases (`firmware`), and the outcomes that
two memory models allow (`Litmus.outcomes`), found by trying every order of the statements: none is typed in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations

from trapeze.common import paths

VARIABLES = ("x", "y")
REGISTERS = ("r0", "r1")
_STATEMENT = re.compile(
    r"(?P<var>[xy]) = (?P<store>[123])|(?P<rd>r[01]) = (?P<load>[xy])"
    r"|(?:(?P<ro>r[01]) = )?amoadd (?P<amo>[xy]) (?P<add>[123])"
    r"|(?P<rl>r[01]) = lr (?P<lr>[xy])|(?P<rs>r[01]) = sc (?P<sc>[xy]) (?P<from>r[01])\+1|(?P<fence>fence)"
)

Outcome = tuple[int, ...]
"""Final values of REGISTERS, then of VARIABLES."""


@dataclass(frozen=True)
class Statement:
    """One memory access or fence.

    Attributes:
        kind: `store`, `load`, `amo`, `lr`, `sc` or `fence`.
        variable: What it accesses; empty for a fence.
        value: What it stores or adds.
        register: What it writes; empty for a store and a fence.
        source: The register that an `sc` stores the increment of.
    """

    kind: str
    variable: str = ""
    value: int = 0
    register: str = ""
    source: str = ""


def parse(thread: str) -> tuple[Statement, ...]:
    """The statements of a thread.

    Raises:
        ValueError: one of them is none.
    """
    found = []
    for text in (part.strip() for part in thread.split(";")):
        match = _STATEMENT.fullmatch(text)
        if match is None:
            raise ValueError(f"not a statement of a litmus test: {text!r}")
        if match["fence"]:
            found.append(Statement("fence"))
        elif match["var"]:
            found.append(Statement("store", match["var"], int(match["store"])))
        elif match["load"]:
            found.append(Statement("load", match["load"], register=match["rd"]))
        elif match["amo"]:
            found.append(Statement("amo", match["amo"], int(match["add"]), match["ro"] or ""))
        elif match["lr"]:
            found.append(Statement("lr", match["lr"], register=match["rl"]))
        else:
            found.append(Statement("sc", match["sc"], register=match["rs"], source=match["from"]))
    return tuple(found)


@dataclass(frozen=True)
class Litmus:
    """One test: its name in the literature, and its two threads."""

    name: str
    threads: tuple[str, str]

    def outcomes(self, model: str) -> set[Outcome]:
        """The allowed outcomes.

        Args:
            model: `sc`: each thread in program order, all interleaved (sequential consistency); an `sc` succeeds if its
                reservation is held. `rvwmo`: as well with two accesses of a thread the other way round, where they are
                to different variables, no fence is between them and neither needs what the other one reads
                (Unprivileged ISA, RVWMO, preserved program order); any `sc` may fail.
        """
        first, second = (parse(thread) for thread in self.threads)
        return {
            outcome
            for one in _orders(first, model)
            for other in _orders(second, model)
            for whole in _interleavings(one, other)
            for outcome in _execute(whole, spurious=model == "rvwmo")
        }


def _ordered(first: Statement, second: Statement) -> bool:
    """Whether two accesses of a thread happen in program order in any case."""
    return first.variable == second.variable or (second.source != "" and second.source == first.register)


def _orders(thread: tuple[Statement, ...], model: str) -> Iterator[tuple[Statement, ...]]:
    """The orders in which a model lets a thread's accesses happen; fences are gone."""
    fences = [index for index, one in enumerate(thread) if one.kind == "fence"]
    accesses = [index for index, one in enumerate(thread) if one.kind != "fence"]
    fixed = [
        (early, late)
        for early in accesses
        for late in accesses
        if early < late
        and (model == "sc" or _ordered(thread[early], thread[late]) or any(early < fence < late for fence in fences))
    ]
    for order in permutations(accesses):
        if all(order.index(early) < order.index(late) for early, late in fixed):
            yield tuple(thread[index] for index in order)


def _interleavings(
    one: tuple[Statement, ...], other: tuple[Statement, ...]
) -> Iterator[tuple[tuple[int, Statement], ...]]:
    """All merges of two sequences; each statement with its thread."""
    if not one or not other:
        yield tuple((0, each) for each in one) + tuple((1, each) for each in other)
        return
    for rest in _interleavings(one[1:], other):
        yield ((0, one[0]), *rest)
    for rest in _interleavings(one, other[1:]):
        yield ((1, other[0]), *rest)


def _execute(order: tuple[tuple[int, Statement], ...], spurious: bool) -> set[Outcome]:
    """What one order of accesses comes to; `spurious`: an `sc` that could succeed may also fail."""
    states = [(dict.fromkeys(VARIABLES + REGISTERS, 0), ("", ""))]
    for thread, one in order:
        states = [after for values, held in states for after in _step(thread, one, values, held, spurious)]
    return {tuple(values[name] for name in REGISTERS + VARIABLES) for values, _ in states}


def _step(
    thread: int, one: Statement, values: dict[str, int], held: tuple[str, str], spurious: bool
) -> Iterator[tuple[dict[str, int], tuple[str, str]]]:
    """The states behind one access; `held`: the variable that each thread has a reservation of."""

    def written(value: int, register: dict[str, int]) -> tuple[dict[str, int], tuple[str, str]]:
        left = [("" if name == one.variable else name) for name in held]
        if one.kind == "sc":
            left[thread] = ""
        return values | register | {one.variable: value}, (left[0], left[1])

    if one.kind == "fence":
        yield values, held
    elif one.kind == "store":
        yield written(one.value, {})
    elif one.kind == "amo":
        old = {one.register: values[one.variable]} if one.register else {}
        yield written(values[one.variable] + one.value, old)
    elif one.kind == "sc":
        if held[thread] == one.variable:
            yield written(values[one.source] + 1, {one.register: 0})
        if spurious or held[thread] != one.variable:
            yield values | {one.register: 1}, ("", held[1]) if thread == 0 else (held[0], "")
    else:
        taken = values | {one.register: values[one.variable]}
        mine = one.variable if one.kind == "lr" else held[thread]
        yield taken, (mine, held[1]) if thread == 0 else (held[0], mine)


TESTS = (
    Litmus("MP", ("x = 1; y = 1", "r0 = y; r1 = x")),
    Litmus("MP+fences", ("x = 1; fence; y = 1", "r0 = y; fence; r1 = x")),
    Litmus("SB", ("x = 1; r0 = y", "y = 1; r1 = x")),
    Litmus("SB+fences", ("x = 1; fence; r0 = y", "y = 1; fence; r1 = x")),
    Litmus("LB", ("r0 = x; y = 1", "r1 = y; x = 1")),
    Litmus("LB+fences", ("r0 = x; fence; y = 1", "r1 = y; fence; x = 1")),
    Litmus("R", ("x = 1; y = 1", "y = 2; r0 = x")),
    Litmus("S", ("x = 2; y = 1", "r0 = y; x = 1")),
    Litmus("2+2W", ("x = 1; y = 2", "y = 1; x = 2")),
    Litmus("CoRR", ("x = 1", "r0 = x; r1 = x")),
    Litmus("CoWW", ("x = 1; x = 2", "r0 = x; r1 = x")),
    Litmus("CoRW", ("r0 = x; x = 1", "x = 2")),
    Litmus("CoWR", ("x = 1; r0 = x", "x = 2")),
    Litmus("AMO+AMO", ("r0 = amoadd x 1", "r1 = amoadd x 1")),
    Litmus("AMO+store", ("r0 = amoadd x 1", "x = 2")),
    Litmus("AMO+load", ("x = 1; r0 = amoadd x 1", "r1 = x")),
    Litmus("LB+AMO", ("r0 = amoadd x 1; fence; y = 1", "r1 = y; fence; x = 2")),
    Litmus("LRSC+store", ("r0 = lr x; r1 = sc x r0+1", "x = 2")),
    Litmus("LRSC+stores", ("r0 = lr x; r1 = sc x r0+1", "x = 1; x = 2")),
    Litmus("LRSC+AMO", ("r0 = lr x; r1 = sc x r0+1", "amoadd x 1")),
    Litmus("LRSC+other", ("r0 = lr x; r1 = sc x r0+1", "y = 1")),
)
"""The shapes of two threads and two variables, of one variable (coherence), and those of atomic operations."""

_STORED = {1: "a4", 2: "a5", 3: "t6"}
_HELD = {"r0": "t4", "r1": "t5"}
_ADDRESS = {"x": "a2", "y": "a3"}


def _assembly(one: Statement) -> str:
    """One statement; a single instruction, but for the addition in front of an `sc`."""
    at, into = f"({_ADDRESS.get(one.variable, '')})", _HELD.get(one.register, "")
    match one.kind:
        case "fence":
            return "fence rw, rw"
        case "store":
            return f"sw {_STORED[one.value]}, 0{at}"
        case "load":
            return f"lw {into}, 0{at}"
        case "amo":
            return f"amoadd.w {into or 'x0'}, {_STORED[one.value]}, {at}"
        case "lr":
            return f"lr.w {into}, {at}"
        case _:
            return f"addi t3, {_HELD[one.source]}, 1\n\tsc.w {into}, t3, {at}"


def _thread(name: str, statements: tuple[Statement, ...]) -> str:
    """A thread as a function of the cycle it begins in and of where its registers go."""
    body = "\n\t".join(_assembly(one) for one in statements)
    written = sorted({one.register for one in statements} - {""})
    kept = "\n\t".join(f"sw {_HELD[register]}, {4 * REGISTERS.index(register)}(a1)" for register in written)
    return f"""
	.globl {name}
{name}:
	la a2, litmus_x
	la a3, litmus_y
	li a4, 1
	li a5, 2
	li t6, 3
	jal t0, litmus_wait
	{body}
	{kept}
	mv a0, t1
	ret
"""


SOURCES = (paths.FIRMWARE / "tests" / "litmus" / "litmus.c", paths.FIRMWARE / "tests" / "litmus" / "wait.S")
"""What all tests share: the loop over offsets, and how a thread begins in its cycle."""


def firmware(tests: tuple[Litmus, ...] = TESTS) -> dict[str, str]:
    """The sources, beside SOURCES, of a program that runs tests on harts 0 and 1, by file name.

    It is built with FIRST and LAST, the cycles by which hart 1 begins later than hart 0, and REPEAT, how often each. It
    prints a line for each outcome: the test, the values of REGISTERS and VARIABLES, how often it came. The last line is
    `late` and the number of threads that did not begin in their cycle.
    """
    names = [(f"litmus_{index}_0", f"litmus_{index}_1") for index in range(len(tests))]
    threads = [
        _thread(name, parse(text))
        for one, pair in zip(tests, names, strict=True)
        for name, text in zip(pair, one.threads, strict=True)
    ]
    listed = [
        f'LITMUS("{one.name}", {one_thread}, {other})' for one, (one_thread, other) in zip(tests, names, strict=True)
    ]
    head = "\t.option norvc\n\t.text\n"
    return {"threads.S": head + "".join(threads), "litmus_tests.h": "\n".join(listed) + "\n"}


def read(console: str) -> tuple[dict[str, dict[Outcome, int]], int]:
    """What the program printed: how often each outcome of each test came, and how many threads were late."""
    found: dict[str, dict[Outcome, int]] = {}
    late = -1
    for line in console.splitlines():
        name, *rest = line.split()
        numbers = [int(word) for word in rest]
        if name == "late":
            late = numbers[0]
        else:
            found.setdefault(name, {})[tuple(numbers[:-1])] = numbers[-1]
    return found, late
