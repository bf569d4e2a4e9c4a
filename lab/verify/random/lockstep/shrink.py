# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Cutting a failing program down: interrupts and wait states, blocks, then single lines, as long as it still fails.

What a cut leaves need not make sense, it only has to fail as before; what does not assemble does not fail.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from trapeze.common.errors import TrapezeError
from verify.random.instructions.isa import Base
from verify.random.lockstep import engines
from verify.random.lockstep.engines import Engines, Settings, Verdict
from verify.random.programs.harness_lockstep import Parts

Item = TypeVar("Item")
Fails = Callable[[Parts, Settings], bool]
"""Whether a program still fails as it did."""

_FIRST = re.compile(r"disagree after \d+ instructions\n(?:hart \d+:\n)?\s+([^:\n]*)")
_CYCLE = re.compile(r"^leader:\s+(?:\d+\s+)?(\d+) [USM?] ", re.MULTILINE)
_NUMBER = re.compile(r"\d+")


def reduced(items: Sequence[Item], fails: Callable[[tuple[Item, ...]], bool]) -> tuple[Item, ...]:
    """Leave out as many items as possible, large runs first.

    Args:
        items: a sequence that fails.
        fails: whether a part of it still does.

    Returns:
        A sequence that fails, and does not without any single one of its items (as `fails` sees it).
    """
    kept = tuple(items)
    if kept and fails(()):
        return ()
    size = max(1, len(kept) // 2)
    while kept:
        before, index = len(kept), 0
        while index < len(kept):
            candidate = kept[:index] + kept[index + size :]
            if len(candidate) < len(kept) and fails(candidate):
                kept = candidate
            else:
                index += size
        if size == 1 and len(kept) == before:
            break
        size = max(1, size // 2)
    return kept


def signature(verdict: Verdict) -> str:
    """What kind of failure it is: the first field that differs, without numbers."""
    found = _FIRST.search(verdict.report)
    return f"{verdict.kind} {_NUMBER.sub('', found[1]) if found else ''}"


@dataclass(frozen=True)
class Still:
    """The usual `Fails`: the same kind of failure, and if there is a sound leader, none with that.

    Attributes:
        bad: engines that fail.
        good: engines that do not; None if there are none.
        base: integer base of the program.
        wanted: signature of the failure.
        folder: for the files of the attempts.
    """

    bad: Engines
    good: Engines | None
    base: Base
    wanted: str
    folder: Path

    def __call__(self, parts: Parts, settings: Settings) -> bool:
        """Build and run."""
        try:
            elf = engines.assemble(parts.text(), self.base, self.folder, "attempt")
            verdict = self.bad.run(elf, settings)
            if self.good is None:
                return signature(verdict) == self.wanted
            return verdict.kind in (engines.MISMATCH, engines.HANG) and self.good.run(elf, settings).passed
        except TrapezeError:
            return False


def bounded(settings: Settings, verdict: Verdict) -> Settings:
    """Limit the run to slightly more than the failure needs, so that attempts that never end are short."""
    found = _CYCLE.search(verdict.report)
    if found is None:
        return settings
    cycle = int(found[1])
    irq = tuple(one for one in settings.irq if one.cycle <= cycle)
    return replace(settings, irq=irq, max_cycles=2 * cycle + 2000)


def _lines(lines: tuple[str, ...], fails: Callable[[tuple[str, ...]], bool]) -> tuple[str, ...]:
    """Cut single lines, but never a fence.i: code that was not fetched anew may run either way."""
    numbered = tuple(enumerate(lines))
    fixed = {index for index, line in numbered if line.strip().startswith("fence.i")}

    def whole(kept: tuple[tuple[int, str], ...]) -> tuple[str, ...]:
        chosen = {index for index, _ in kept} | fixed
        return tuple(line for index, line in numbered if index in chosen)

    movable = tuple(entry for entry in numbered if entry[0] not in fixed)
    return whole(reduced(movable, lambda kept: fails(whole(kept))))


class _Cutter:
    """A program on its way down."""

    def __init__(self, parts: Parts, settings: Settings, fails: Fails) -> None:
        self.parts, self.settings, self._fails = parts, settings, fails

    def circumstances(self) -> None:
        """Fewer interrupts, no wait states, zeros at the start."""
        zeros = replace(self.settings, reset_seed=0)
        if zeros != self.settings and self._fails(self.parts, zeros):
            self.settings = zeros
        now = self.settings
        for calm in (replace(now, wait_instr=0, wait_data=0), replace(now, wait_instr=0), replace(now, wait_data=0)):
            if calm != self.settings and self._fails(self.parts, calm):
                self.settings = calm
                break
        irq = reduced(self.settings.irq, lambda kept: self._fails(self.parts, replace(self.settings, irq=kept)))
        self.settings = replace(self.settings, irq=irq)

    def blocks(self) -> None:
        """Whole blocks; then they are one."""
        kept = reduced(self.parts.blocks, lambda some: self._holds(replace(self.parts, blocks=some)))
        self.parts = replace(self.parts, blocks=(tuple(line for block in kept for line in block),))

    def functions(self) -> None:
        """Whole functions; then they are one."""
        kept = reduced(self.parts.functions, lambda some: self._holds(replace(self.parts, functions=some)))
        self.parts = replace(self.parts, functions=(tuple(line for function in kept for line in function),))

    def lines(self, make: Callable[[Parts, tuple[str, ...]], Parts], lines: tuple[str, ...]) -> None:
        """Single lines; `make` puts what is left of them in their place."""
        self.parts = make(self.parts, _lines(lines, lambda kept: self._holds(make(self.parts, kept))))

    def _holds(self, parts: Parts) -> bool:
        return self._fails(parts, self.settings)


def shrink(parts: Parts, settings: Settings, fails: Fails, everything: bool) -> tuple[Parts, Settings]:
    """Cut a program down.

    Args:
        parts: a program that fails.
        settings: its circumstances.
        fails: says whether a smaller one does.
        everything: cut start, handlers and data too; only sensible if `fails` sees to it that the program still ends.

    Returns:
        A small program and its circumstances.
    """
    cutter = _Cutter(parts, settings, fails)
    cutter.circumstances()
    cutter.blocks()
    cutter.functions()
    cutter.circumstances()
    for _ in range(2 if everything else 1):
        cutter.lines(lambda whole, kept: replace(whole, blocks=(kept,)), cutter.parts.blocks[0])
        cutter.lines(lambda whole, kept: replace(whole, functions=(kept,)), cutter.parts.functions[0])
        if everything:
            cutter.lines(lambda whole, kept: replace(whole, handler=kept), cutter.parts.handler)
            cutter.lines(lambda whole, kept: replace(whole, data=kept), cutter.parts.data)
            cutter.lines(lambda whole, kept: replace(whole, start=kept), cutter.parts.start)
    cutter.circumstances()
    return cutter.parts, cutter.settings
