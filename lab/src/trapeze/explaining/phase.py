# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Where the cycles of one interrupt of a run went: the run is made again up to its marker, watched.

The simulation is deterministic, so that run is the first one, only watched.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from trapeze.explaining import gates, why
from trapeze.platform.configurations import Config
from trapeze.simulation import simulator
from trapeze.simulation.records import Stamps
from trapeze.simulation.simulator import Options
from trapeze.simulation.traces import Record, functions, read


def until(options: Options, end: int) -> Options:
    """A run up to a cycle, and the lines that rise in it."""
    return replace(options, max_cycles=end, irq=tuple(one for one in options.irq if one.cycle < end))


def program(elf: Path, options: Options, hart: int) -> Path:
    """That of a hart."""
    programs = (elf, *options.others)
    return programs[hart] if hart < len(programs) else elf


def watched(elf: Path, config: Config, options: Options, cycle: int, hart: int, folder: Path) -> list[Record]:
    """The trace of a hart in a run, from before an edge in a cycle on.

    Raises:
        TrapezeError: the simulator failed.
    """
    trace = folder / "trace.jsonl"
    simulator.watch(elf, config, replace(options, trace=trace, trace_from=why.beginning(cycle)))
    with trace.open() as file:
        return list(read(file, hart=hart))


def causes(
    elf: Path, config: Config, options: Options, stamps: Stamps, hart: int, line: int, known: Sequence[Record], end: int
) -> list[why.Cause]:
    """The parts of what an interrupt took, up to its marker, or up to cycle `end` if it has none."""
    source = gates.source(config, hart, line, why.beginning(stamps.t0) == 0)
    named = functions(program(elf, options, hart))
    if stamps.tx is None:
        return why.so_far(stamps, known, named, end, source)
    return why.explain(stamps, known, named, source=source)


def reason(elf: Path, config: Config, options: Options, stamps: Stamps, hart: int, line: int) -> str:
    """Where the cycles of an interrupt with a marker went, in one line.

    Args:
        elf: The firmware.
        config: What it ran on.
        options: Of a run in which the interrupt is the same.
        stamps: Of the interrupt.
        hart: Whose line it is.
        line: The line.

    Raises:
        TrapezeError: the simulator failed.
    """
    end = stamps.tx if stamps.tx is not None else stamps.t0
    alone = until(replace(options, budget=None, gdb=None, spans=()), end + 2)
    with simulator.scratch() as folder:
        known = watched(elf, config, alone, stamps.t0, hart, folder)
    return why.said(causes(elf, config, alone, stamps, hart, line, known, end))
