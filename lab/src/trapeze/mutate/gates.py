# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""What a wrong design has to pass, and must not: corpus, directed tests, random programs, in this order."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from trapeze.dev import directed as firmware
from trapeze.platform import configurations
from trapeze.random import seeds
from trapeze.random.lockstep import corpus, engines
from trapeze.random.lockstep.engines import Engines, Settings
from trapeze.random.programs import generator

BLOCKS = 300
SEEDS = range(9001, 9031)
"""The random programs: always the same ones, so that a result does not depend on the day."""
_DIRECTED_CYCLES = 3_000_000
_RANDOM_CYCLES = 2_000_000


@dataclass(frozen=True)
class Found:
    """What found a mutation.

    Attributes:
        gate: `corpus`, `directed` or `random`.
        by: name of the program.
        how: what it showed, in a few words.
    """

    gate: str
    by: str
    how: str


Gate = Callable[[Engines, Path], Found | None]


def corpus_gate(on: Engines, folder: Path) -> Found | None:
    """The corpus, in lockstep."""
    for entry in corpus.collect():
        if entry.config != on.config:
            continue
        verdict = entry.run(on, folder)
        if not verdict.passed:
            return Found("corpus", entry.name, _how(verdict))
    return None


@cache
def _directed(config: str) -> list[firmware.Directed]:
    if len(configurations.load(config).harts) > 1:
        return firmware.collect(firmware.FOLDER / "harts")
    return [test for test in firmware.collect() if config in test.configs and "rtl" in test.engines]


def directed_gate(on: Engines, folder: Path) -> Found | None:
    """The directed tests, in lockstep and judged by their own exit code and console."""
    config = configurations.load(on.config)
    for test in _directed(on.config):
        elf = firmware.build(test, config)
        text = folder / "uart_in"
        text.write_text(test.uart_in)
        settings = Settings(irq=test.irq, max_cycles=_DIRECTED_CYCLES)
        verdict = on.run(elf, settings, ["--uart-in", str(text)] if test.uart_in else [])
        if verdict.kind != engines.PASS:
            return Found("directed", test.path.name, _how(verdict))
        if complaint := test.complaint(verdict.code or 0, verdict.console.decode(errors="replace")):
            return Found("directed", test.path.name, complaint.partition("\n")[0])
    return None


@cache
def _program(seed: int, config: str) -> tuple[generator.Program, Settings]:
    program, settings = seeds.make(seed, config, BLOCKS)
    return program, replace(settings, max_cycles=_RANDOM_CYCLES)


def random_gate(on: Engines, folder: Path) -> Found | None:
    """Random programs, in lockstep."""
    for seed in SEEDS:
        program, settings = _program(seed, on.config)
        verdict = on.run(engines.assemble(program.text, program.base, folder), settings)
        if not verdict.passed:
            return Found("random", f"seed {seed}", _how(verdict))
    return None


GATES: tuple[Gate, ...] = (corpus_gate, directed_gate, random_gate)


def _how(verdict: engines.Verdict) -> str:
    if verdict.kind == engines.MISMATCH:
        lines = [line.strip() for line in verdict.report.splitlines() if not line.startswith("hart ")]
        return lines[1] if len(lines) > 1 else verdict.report
    return f"exit code {verdict.code}" if verdict.kind == engines.PASS else verdict.kind


def try_all(on: Engines, gates: tuple[Gate, ...] = GATES) -> Found | None:
    """Go through the gates until one finds something."""
    with tempfile.TemporaryDirectory(prefix="trapeze-mutate-") as name:
        for gate in gates:
            if found := gate(on, Path(name)):
                return found
    return None
