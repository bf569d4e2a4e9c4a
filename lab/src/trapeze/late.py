# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""`trapeze run --budget`: the interrupt that took too long, run again with a trace, and why.

The simulation is deterministic, so the second run is the first one, only watched.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from rich.text import Text

from trapeze import records, simulator, why
from trapeze.config import Config
from trapeze.console import err, table
from trapeze.errors import TrapezeError
from trapeze.records import Run, Stamps
from trapeze.simulator import Options
from trapeze.trace_log import functions, read

PATIENCE = 10_000
"""Cycles from the edge in which the marker has to come for the delay to be explained."""


def culprit(run: Run, budget: int) -> tuple[int, int]:
    """Line and cycle of the edge of the first interrupt over its budget.

    Raises:
        TrapezeError: none is.
    """
    if run.sweep:
        return run.sweep_line or 0, run.sweep[-1].t0
    edges = [one for one in run.interrupts if one.line is not None and (one.tx is None or one.tx - one.t0 > budget)]
    if not edges:
        raise TrapezeError("the run was stopped for its budget, but no interrupt exceeds it", 1)
    first = min(edges, key=lambda one: one.t0)
    return first.line or 0, first.t0


def _cycle(irq: str) -> int:
    """The cycle in which a line rises, of what the simulator has taken: LINE@CYCLE[:SHAPE]."""
    return int(irq.partition("@")[2].partition(":")[0])


def _alone(options: Options, cycle: int) -> Options:
    """The one run of a sweep in which the line rises in a cycle; of other runs the lines that rise in time."""
    if options.sweep is None:
        return replace(options, irq=tuple(one for one in options.irq if _cycle(one) < cycle + PATIENCE))
    line, _, range_and_shape = options.sweep.partition("@")
    _, colon, shape = range_and_shape.partition(":")
    return replace(options, sweep=None, irq=(*options.irq, f"{line}@{cycle}{colon}{shape}"))


def _print(causes: Sequence[why.Cause], lines: Sequence[str], title: str) -> None:
    console = err()
    console.print(Text.from_markup(f"[bold]{title}[/]"))
    parts = table("part", ">cycles", "what")
    for cause in causes:
        parts.add_row(cause.part, str(cause.cycles), cause.what)
    console.print(parts, "")
    for line in lines:
        console.print(line.expandtabs(8), markup=False, soft_wrap=True)


def report(elf: Path, config: Config, options: Options, run: Run) -> None:
    """Run again up to the marker of the interrupt that was late; print where its cycles went, and the trace.

    Args:
        elf: The firmware.
        config: What it ran on.
        options: Of the run. With a sweep, `trace` is written of the run that exceeded the budget.
        run: Its record.

    Raises:
        TrapezeError: the simulator failed.
    """
    if options.budget is None:
        raise ValueError("there is no budget to report on")
    line, cycle = culprit(run, options.budget)
    alone = replace(_alone(options, cycle), budget=None, max_cycles=cycle + PATIENCE, gdb=None)
    if options.sweep is not None and options.trace is not None:
        simulator.measure(elf, config, replace(alone, trace=options.trace))
    with simulator.scratch() as folder:
        trace = folder / "trace.log"
        found = simulator.measure(elf, config, replace(alone, trace=trace, trace_from=None)).run
        stamps = next(one for one in found.interrupts if (one.line, one.t0) == (line, cycle))
        with trace.open() as file:
            lines = file.readlines()
        title = f"line {line}, raised in cycle {cycle}"
        if stamps.tx is None:
            _print([], why.excerpt(lines, _until(stamps, cycle + options.budget)), f"{title}: no marker reached")
        else:
            causes = why.explain(stamps, list(read(lines)), functions(elf))
            took = stamps.tx - stamps.t0
            _print(causes, why.excerpt(lines, stamps), f"{title}: {took} cycles, budget {options.budget}")


def _until(stamps: Stamps, cycle: int) -> Stamps:
    return records.Stamps(stamps.t0, stamps.tf, cycle, cycle, taken=stamps.taken)
