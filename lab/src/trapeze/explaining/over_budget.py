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
from trapeze.explaining import breakdown
from trapeze.explaining.rerun import Rerun
from trapeze.platform.configurations import Config
from trapeze.simulation import records, simulator
from trapeze.simulation.records import Run
from trapeze.simulation.simulator import Options

PATIENCE = 10_000
"""Cycles from the edge that are looked at where no marker comes."""

SEARCH = 1_000_000
"""Cycles from the edge, beyond the budget, in which the marker is looked for."""

MAX_CYCLES = 1_000_000_000
"""Of a run without --max-cycles."""

SHOWN = 100
"""Lines of a trace at either end that are worth reading."""


def _print(reasons: Sequence[breakdown.Cause], lines: Sequence[str], title: str) -> None:
    """The trace, and below it, where one looks, the reason."""
    console = err()
    left_out = len(lines) - 2 * SHOWN
    if left_out > 0:
        lines = [*lines[:SHOWN], f"... {left_out} lines, which --trace FILE.log has ...", *lines[-SHOWN:]]
    for line in lines:
        console.print(line.expandtabs(8), markup=False, soft_wrap=True)
    console.print("")
    console.print(Text.from_markup(f"[bold]{title}[/]"))
    parts = table("part", ">cycles", "what")
    for cause in reasons:
        parts.add_row(cause.part, str(cause.cycles), cause.what)
    console.print(parts)


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
    limit = cycle + max(SEARCH, min(options.budget, MAX_CYCLES))
    whole = Rerun(elf, config, replace(options, stamps_of=cycle) if options.stimuli else options)
    alone = whole.of(run.sweep[-1]) if run.sweep else whole  # of a sweep the last run is the late one
    searched = alone.until(min(limit, options.max_cycles or MAX_CYCLES))
    found = simulator.watch(elf, config, searched.options).run
    stamps = next((one for one in found.interrupts if (one.hart, one.line, one.t0) == run.late), None)
    if stamps is None:
        return  # the program ended before, which the simulator has said
    end = stamps.tx if stamps.tx is not None else min(found.cycles - 1, cycle + PATIENCE)
    part = alone.until(end + 2)
    if options.sweep is not None and options.trace is not None:
        traced = replace(part.options, trace=options.trace, trace_from=options.trace_from, trace_to=options.trace_to)
        simulator.watch(elf, config, traced)
    lines = part.listed(breakdown.trace_start(cycle))
    whose = f" of hart {hart}" if run.harts > 1 else ""
    title = f"line {line}{whose}, raised in cycle {cycle}"
    shown = breakdown.excerpt(lines, replace(stamps, tx=end))
    causes = part.causes(stamps, hart, line, end)
    if stamps.tx is None:
        title += f": no marker reached, the first {end - cycle} cycles: {records.FATES[stamps.fate]}"
    else:
        title += f": {end - cycle} cycles, budget {options.budget}"
    _print(causes, shown, title)
