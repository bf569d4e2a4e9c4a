# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""`trapeze run --budget`: the interrupt that took too long, run again with a trace, and why.

The simulation is deterministic, so the second run is the first one, only watched.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from rich.text import Text

from trapeze.common.console import err, table
from trapeze.explaining import gates, why
from trapeze.platform.configurations import Config
from trapeze.simulation import records, simulator
from trapeze.simulation.records import Run
from trapeze.simulation.simulator import Options
from trapeze.simulation.traces import functions, read

PATIENCE = 10_000
"""Cycles from the edge that are looked at where no marker comes."""

SEARCH = 1_000_000
"""Cycles from the edge, beyond the budget, in which the marker is looked for."""

MAX_CYCLES = 1_000_000_000
"""Of a run without --max-cycles."""

SHOWN = 100
"""Lines of a trace at either end that are worth reading."""


def _alone(options: Options, cycle: int) -> Options:
    """The run in which an interrupt was late: of a sweep that one in which the line rises in a cycle."""
    if options.sweep is None:
        return options
    return replace(options, sweep=None, irq=(*options.irq, options.sweep.at(cycle)))


def _print(causes: Sequence[why.Cause], lines: Sequence[str], title: str) -> None:
    console = err()
    console.print(Text.from_markup(f"[bold]{title}[/]"))
    parts = table("part", ">cycles", "what")
    for cause in causes:
        parts.add_row(cause.part, str(cause.cycles), cause.what)
    console.print(parts, "")
    left_out = len(lines) - 2 * SHOWN
    if left_out > 0:
        lines = [*lines[:SHOWN], f"... {left_out} lines, which --trace FILE.log has ...", *lines[-SHOWN:]]
    for line in lines:
        console.print(line.expandtabs(8), markup=False, soft_wrap=True)


def _swept(run: Run) -> int:
    """The cycle in which the line of a sweep rose in the run that ended it."""
    return run.sweep[-1].t0 if run.sweep else 0


def _until(options: Options, end: int) -> Options:
    """A run up to a cycle, and the lines that rise in it."""
    return replace(options, max_cycles=end, irq=tuple(one for one in options.irq if one.cycle < end))


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
    if options.budget is None or run.late is None:
        raise ValueError("there is no budget to report on")
    hart, line, cycle = run.late
    alone = replace(_alone(options, _swept(run)), trace=None, trace_from=None, trace_to=None, budget=None, gdb=None)
    limit = cycle + max(SEARCH, min(options.budget, MAX_CYCLES))
    found = simulator.watch(elf, config, _until(alone, min(limit, options.max_cycles or MAX_CYCLES))).run
    stamps = next((one for one in found.interrupts if (one.hart, one.line, one.t0) == run.late), None)
    if stamps is None:
        return  # the program ended before, which the simulator has said
    end = stamps.tx if stamps.tx is not None else min(found.cycles - 1, cycle + PATIENCE)
    alone = _until(alone, end + 2)
    if options.sweep is not None and options.trace is not None:
        simulator.watch(
            elf, config, replace(alone, trace=options.trace, trace_from=options.trace_from, trace_to=options.trace_to)
        )
    with simulator.scratch() as folder:
        listing, trace = folder / "trace.log", folder / "trace.jsonl"
        for path in (listing, trace):
            simulator.watch(elf, config, replace(alone, trace=path, trace_from=why.beginning(cycle)))
        lines = listing.read_text().splitlines()
        with trace.open() as file:
            known = list(read(file, hart=hart))
    source = gates.source(config, hart, line, why.beginning(cycle) == 0)
    programs = (elf, *options.others)
    named = functions(programs[hart] if hart < len(programs) else elf)
    whose = f" of hart {hart}" if run.harts > 1 else ""
    title = f"line {line}{whose}, raised in cycle {cycle}"
    shown = why.excerpt(lines, replace(stamps, tx=end))
    if stamps.tx is None:
        fate = records.FATES[stamps.fate]
        causes = why.so_far(stamps, known, named, end, source)
        _print(causes, shown, f"{title}: no marker reached, the first {end - cycle} cycles: {fate}")
    else:
        causes = why.explain(stamps, known, named, source=source)
        _print(causes, shown, f"{title}: {end - cycle} cycles, budget {options.budget}")
