# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Where two runs of one program part in time: two lists of (cycle, address), an instruction each.

The cost of an instruction is the cycles from the commit before it to its own. Costs are summed by function, by basic
block and by instruction; what differs most is said first.
"""

from __future__ import annotations

import bisect
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from trapeze.common.errors import TrapezeError

SIZES = (2, 4)
"""Lengths of instructions: what is so far behind another one follows it without a jump."""


@dataclass(frozen=True)
class Trace:
    """Commits of a run in their order: two lists of the same length."""

    cycles: Sequence[int]
    addresses: Sequence[int]

    def __len__(self) -> int:
        return len(self.cycles)

    def part(self, first: int, last: int) -> Trace:
        """The commits from one to before another."""
        return Trace(self.cycles[first:last], self.addresses[first:last])

    def since(self, address: int, what: str) -> Trace:
        """What begins with the first commit of an address.

        Raises:
            TrapezeError: there is none.
        """
        return self.part(self.position(address, what), len(self))

    def position(self, address: int, what: str, begin: int = 0) -> int:
        """Where an address is committed first.

        Raises:
            TrapezeError: nowhere.
        """
        for index in range(begin, len(self)):
            if self.addresses[index] == address:
                return index
        raise TrapezeError(f"the trace never comes to {what} ({address:#x})")


def read(path: Path) -> Trace:
    """A trace from a file of lines `CYCLE ADDRESS`, decimal and hexadecimal; more words of a line are left alone.

    Raises:
        TrapezeError: names the line that is none.
    """
    cycles, addresses = array("Q"), array("Q")
    try:
        with path.open() as file:
            for number, line in enumerate(file, 1):
                try:
                    cycle, address = line.split()[:2]
                    cycles.append(int(cycle))
                    addresses.append(int(address, 16))
                except ValueError:
                    raise TrapezeError(f"{path}: line {number}: not a cycle and an address") from None
    except OSError as error:
        raise TrapezeError(f"{path}: {error.strerror}") from None
    return Trace(cycles, addresses)


@dataclass(frozen=True)
class Symbols:
    """Functions of a program, by address."""

    entry: int
    starts: Sequence[int]
    names: Sequence[str]

    @classmethod
    def of(cls, elf: Path) -> Symbols:
        """Those of an ELF file: its labels in code."""
        found: dict[int, str] = {}
        with elf.open("rb") as file:
            whole = ELFFile(file)
            code = {index for index, one in enumerate(whole.iter_sections()) if one["sh_flags"] & 4}
            for table in whole.iter_sections():
                if not isinstance(table, SymbolTableSection):
                    continue
                for symbol in table.iter_symbols():
                    if symbol["st_shndx"] in code and symbol.name and not symbol.name.startswith((".", "$")):
                        found.setdefault(symbol["st_value"], symbol.name)
            entry = whole["e_entry"]
        places = sorted(found)
        return cls(entry, places, [found[place] for place in places])

    def function(self, address: int) -> str:
        """The name of the function that an address is in; its address if there is none before it."""
        index = bisect.bisect_right(self.starts, address) - 1
        return self.names[index] if index >= 0 else hex(address)

    def place(self, address: int) -> str:
        """An address as a function and an offset."""
        index = bisect.bisect_right(self.starts, address) - 1
        return f"{self.names[index]}+{address - self.starts[index]:#x}" if index >= 0 else hex(address)

    def address(self, name: str) -> int:
        """Where a function begins.

        Raises:
            TrapezeError: there is none.
        """
        if name not in self.names:
            raise TrapezeError(f"the program has no function '{name}'")
        return self.starts[self.names.index(name)]


@dataclass
class Cost:
    """Cycles that something took in both runs, and how often it was executed."""

    times: int = 0
    first: int = 0
    second: int = 0

    @property
    def difference(self) -> int:
        """Cycles that the second run took more."""
        return self.second - self.first

    def add(self, first: int, second: int, times: int = 1) -> None:
        """Count cycles of one execution, or of a part of one that `times` does not count again."""
        self.times += times
        self.first += first
        self.second += second


@dataclass
class Comparison:
    """What two runs took.

    Attributes:
        instructions: How many both executed.
        parted: The addresses of the first two instructions that are not the same, None if there are none.
        total: Of everything.
        functions: By name.
        blocks: By the address of their first instruction.
        steps: By address of an instruction.
        pairs: By how much more the second run took for an instruction: how often that was so.
        block_of: By address of an instruction: the first one of its block.
    """

    instructions: int
    parted: tuple[int, int] | None
    total: Cost = field(default_factory=Cost)
    functions: dict[str, Cost] = field(default_factory=lambda: defaultdict(Cost))
    blocks: dict[int, Cost] = field(default_factory=lambda: defaultdict(Cost))
    steps: dict[int, Cost] = field(default_factory=lambda: defaultdict(Cost))
    pairs: dict[int, Counter[int]] = field(default_factory=lambda: defaultdict(Counter))
    block_of: dict[int, int] = field(default_factory=dict)


def _same(first: Trace, second: Trace) -> int:
    """How many instructions both begin with."""
    least = min(len(first), len(second))
    for index in range(least):
        if first.addresses[index] != second.addresses[index]:
            return index
    return least


def _leaders(addresses: Iterable[int]) -> set[int]:
    """Where basic blocks begin, as far as they were executed: targets of jumps, and what stands behind a jump."""
    found, ends = set(), set()
    known = set()
    before: int | None = None
    for address in addresses:
        known.add(address)
        if before is None or address - before not in SIZES:
            found.add(address)
            if before is not None:
                ends.add(before)
        before = address
    return found | {end + size for end in ends for size in SIZES if end + size in known}


def compare(first: Trace, second: Trace, symbols: Symbols) -> Comparison:
    """Sum the costs of both runs, as long as they execute the same instructions.

    Raises:
        TrapezeError: they have not two instructions in common.
    """
    same = _same(first, second)
    if same < 2:
        raise TrapezeError("the traces have no two instructions in common; are they of the same program?")
    parted = None
    if same < min(len(first), len(second)):
        parted = first.addresses[same], second.addresses[same]
    found = Comparison(same, parted)
    leaders = _leaders(first.addresses[:same])
    block = first.addresses[0]
    found.blocks[block].times = 1
    names: dict[int, str] = {}
    for index in range(1, same):
        address = first.addresses[index]
        if address in leaders:
            block = address
        costs = (
            first.cycles[index] - first.cycles[index - 1],
            second.cycles[index] - second.cycles[index - 1],
        )
        name = names.setdefault(block, symbols.function(block))
        for cost in (found.total, found.functions[name], found.steps[address]):
            cost.add(*costs)
        found.blocks[block].add(*costs, times=address == block)
        found.pairs[address][costs[1] - costs[0]] += 1
        found.block_of[address] = block
    return found


def _percent(cost: Cost) -> str:
    return f"{100 * cost.difference / cost.first:+.2f} %" if cost.first else "-"


def report(found: Comparison, symbols: Symbols, most: int = 10) -> list[str]:
    """Lines for people: the total, functions, and the blocks that differ most with their instructions."""
    total = found.total
    lines = [
        f"{found.instructions} instructions, {total.first} and {total.second} cycles: "
        f"{total.difference:+d}, {_percent(total)}"
    ]
    if found.parted:
        where = " and ".join(symbols.place(one) for one in found.parted)
        lines.append(f"behind them the runs part, to {where}")

    def worst(one: Cost) -> int:
        return -abs(one.difference)

    lines += ["", "function, instructions, cycles, cycles, difference"]
    for name, cost in sorted(found.functions.items(), key=lambda one: worst(one[1]))[:most]:
        lines.append(
            f"  {name:32} {cost.times:10} {cost.first:10} {cost.second:10} {cost.difference:+9} {_percent(cost):>10}"
        )
    lines += ["", "blocks: executions, cycles each; then instructions, and the differences that come most often"]
    for block, cost in sorted(found.blocks.items(), key=lambda one: worst(one[1]))[:most]:
        if not cost.difference:
            break
        times = max(cost.times, 1)
        lines.append(
            f"  {symbols.place(block):32} {cost.times:10} {cost.first / times:10.2f} {cost.second / times:10.2f} "
            f"{cost.difference:+9}"
        )
        for address in sorted(one for one, of in found.block_of.items() if of == block):
            step = found.steps[address]
            common = ", ".join(f"{more:+d}: {count}" for more, count in found.pairs[address].most_common(4))
            lines.append(
                f"    {address:x} {step.times:10} {step.first / step.times:8.2f} {step.second / step.times:8.2f} "
                f"{step.difference:+9}  {common}"
            )
    return lines
