# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""What a wrong design has to pass, and must not: corpus, directed tests, random programs, in this order.

The programs of a configuration are made once, when they are first asked for, whatever the number of wrong designs.
"""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from trapeze.platform import configurations
from verify.dev import directed as firmware
from verify.random import cycles, seeds
from verify.random.lockstep import corpus, engines
from verify.random.lockstep.engines import Engines, Settings, Verdict

BLOCKS = 300
SEEDS = range(9001, 9031)
"""The random programs: always the same ones, so that a result does not depend on the day."""
FURTHER = range(9031, 9131)
"""Further random programs, for mutations that no other gate has found."""
CORPUS, CYCLES, DIRECTED, RANDOM = "corpus", "cycles", "directed", "random"
GATES = (CORPUS, CYCLES, DIRECTED, RANDOM)
"""Names of gates; `cycles`: a program of the corpus or a short random one takes other cycles than were counted."""
BENCHES, PROOFS = "benches", "proofs"
ALL = (*GATES, BENCHES, PROOFS)
"""With those of the room of the wrong source (room_tests.py), which come last."""
_DIRECTED_CYCLES = 3_000_000
_DIRECTED_RESET = 1
"""Seed of what stands in registers without reset when a directed test begins."""
_RANDOM_CYCLES = 2_000_000
_HALTED_CYCLES = 40_000_000
"""Of random programs that a debugger halts: most of the cycles are its own."""


@dataclass(frozen=True)
class Found:
    """What found a mutation.

    Attributes:
        gate: One of `ALL`.
        by: Name of the program.
        how: What it showed, in a few words.
    """

    gate: str
    by: str
    how: str


@dataclass(frozen=True, eq=False)
class Program:
    """A program, and what it has to do in lockstep.

    Attributes:
        gate: `corpus`, `directed` or `random`.
        name: Of the program in its gate.
        elf: It.
        settings: Circumstances of the run.
        uart_in: What the console receives; None: nothing.
        judge: Says what is wrong with a run in which both engines agree to the program's end or to a sleep without
            end, None for nothing.
        cycles: That it takes on the right design, None: not known.
    """

    gate: str
    name: str
    elf: Path
    settings: Settings
    uart_in: Path | None = None
    judge: Callable[[Verdict], str | None] = field(default=lambda verdict: _exit_code(verdict))
    cycles: int | None = None

    def run(self, on: Engines, limit: int | None = None) -> tuple[Found | None, Verdict]:
        """Run it.

        Args:
            on: The engines.
            limit: Cycles, if not those of its settings.
        """
        settings = self.settings if limit is None else limited(self.settings, limit)
        verdict = on.run(self.elf, settings, self.uart_in)
        if verdict.kind != engines.PASS and verdict.code is None:
            return Found(self.gate, self.name, _difference(verdict)), verdict
        if complaint := self.judge(verdict):
            return Found(self.gate, self.name, complaint.partition("\n")[0]), verdict
        if self.cycles is not None and verdict.cycles != self.cycles:
            return Found(CYCLES, self.name, f"{verdict.cycles} cycles instead of {self.cycles}"), verdict
        return None, verdict


def limited(settings: Settings, limit: int) -> Settings:
    """Circumstances of a run that gives up earlier: the simulator refuses interrupts that come later than that."""
    early = tuple(one for one in settings.irq if one.cycle < limit)
    return replace(settings, irq=early, max_cycles=limit)


def _exit_code(verdict: Verdict) -> str | None:
    return f"exit code {verdict.code}" if verdict.code else None


def _difference(verdict: Verdict) -> str:
    if verdict.kind != engines.MISMATCH:
        return verdict.kind
    lines = [line.strip() for line in verdict.report.splitlines() if not line.startswith("hart ")]
    return lines[1] if len(lines) > 1 else verdict.report


class Programs:
    """The programs of a configuration, in the order of the gates.

    Attributes:
        config: Name of the configuration.
        further: Further random programs; None: the usual ones.
    """

    def __init__(self, config: str, folder: Path, further: bool = False) -> None:
        self.config, self._folder = config, folder
        self._made: list[Program] = []
        self._rest = self._random(FURTHER) if further else self._make()
        self._lock = threading.Lock()
        self.further = None if further else Programs(config, folder, further=True)

    def __iter__(self) -> Iterator[Program]:
        place = 0
        while (program := self._at(place)) is not None:
            yield program
            place += 1

    def _at(self, place: int) -> Program | None:
        with self._lock:
            if place == len(self._made):
                program = next(self._rest, None)
                if program is None:
                    return None
                self._made.append(program)
            return self._made[place]

    def _make(self) -> Iterator[Program]:
        for entry in corpus.collect():
            if entry.config == self.config:
                elf = entry.build(self._folder / CORPUS)
                yield Program(CORPUS, entry.name, elf, entry.settings, cycles=entry.cycles)
        for one in cycles.collect(self.config, self._folder / CYCLES):
            yield Program(RANDOM, f"short seed {one.seed}", one.elf, one.settings, cycles=one.cycles)
        config = configurations.load(self.config)
        for test in _directed(self.config):
            yield self._directed(test, config)
        yield from self._random(SEEDS)

    def _random(self, numbers: range) -> Iterator[Program]:
        for seed in numbers:
            program, settings = seeds.make(seed, self.config, BLOCKS)
            settings = replace(settings, max_cycles=_HALTED_CYCLES if settings.halts else _RANDOM_CYCLES)
            elf = engines.assemble(program.text, program.base, self._folder / RANDOM, str(seed))
            yield Program(RANDOM, f"seed {seed}", elf, settings)

    def _directed(self, test: firmware.Directed, config: configurations.Config) -> Program:
        uart_in: Path | None = None
        if test.uart_in:
            uart_in = self._folder / f"{test.name}.txt"
            uart_in.write_text(test.uart_in)
        elf = firmware.build(test, config)
        settings = Settings(irq=test.irq, max_cycles=_DIRECTED_CYCLES, reset_seed=_DIRECTED_RESET)
        return Program(DIRECTED, test.name, elf, settings, uart_in, lambda verdict: _complaint(test, verdict))


def _complaint(test: firmware.Directed, verdict: Verdict) -> str | None:
    return test.complaint(verdict.code or 0, verdict.console.decode(errors="replace"))


@cache
def _directed(config: str) -> list[firmware.Directed]:
    loaded = configurations.load(config)
    if len(loaded.harts) > 1:
        return firmware.collect(firmware.FOLDER / ("uintr" if loaded.first.uintr else "harts"))
    return [test for test in firmware.collect() if config in test.configs and "rtl" in test.engines]


@contextmanager
def programs() -> Iterator[Callable[[str], Programs]]:
    """The programs of configurations by name; their files exist as long as the block is active."""
    made: dict[str, Programs] = {}
    lock = threading.Lock()
    with tempfile.TemporaryDirectory(prefix="trapeze-mutate-") as folder:

        def of(config: str) -> Programs:
            with lock:
                if config not in made:
                    place = Path(folder) / config
                    place.mkdir()
                    made[config] = Programs(config, place)
                return made[config]

        yield of


def try_all(on: Engines, these: Programs) -> Found | None:
    """Run programs until one finds something."""
    for program in these:
        if found := program.run(on)[0]:
            return found
    return None
