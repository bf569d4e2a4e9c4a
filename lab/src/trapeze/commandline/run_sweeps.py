# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The sweeps of `trapeze run`, from its command line to the report."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import prod
from pathlib import Path

from trapeze.commandline.spans import UNTIL
from trapeze.common import processes
from trapeze.common.console import err, progress, say
from trapeze.common.edges import EdgeRange
from trapeze.common.errors import TrapezeError
from trapeze.common.limits import MAX_CYCLES
from trapeze.explaining.rerun import Rerun, WorstCase, interrupts_of
from trapeze.platform.configurations import Config
from trapeze.reports import phases
from trapeze.results.rows import PHASES, Row
from trapeze.simulation import first_execution, sweeps
from trapeze.simulation.options import Options
from trapeze.simulation.records import Run, SweepRun

FIRST_LINE = 10.0
"""Seconds after which a sweep without a progress bar prints its progress; the time doubles for each further line."""


@dataclass(frozen=True)
class RequestedSweeps:
    """The sweeps that the command line asks for."""

    ranges: Sequence[str] = ()
    jobs: int | None = None

    def resolve(self, elf: Path, config: Config, options: Options) -> Options:
        """The options with the sweeps, in cycles.

        Raises:
            TrapezeError: one that cannot be, or too many.
        """
        if len(self.ranges) > 2:
            raise TrapezeError(f"--sweep: there are {len(self.ranges)}; give one, or two for pairs of cycles")
        if not self.ranges:
            if self.jobs is not None:
                raise TrapezeError("--jobs is for the runs of --sweep; leave it out")
            return options
        if options.engine == "model":
            raise TrapezeError("--sweep: the model has no cycles in which a line could rise; use --engine rtl")
        find = first_execution.first_cycles(elf, config, options, "--sweep")
        made = [EdgeRange.parse(text, first_cycle=find) for text in self.ranges]
        if len(made) == 2 and (made[0].hart, made[0].line) == (made[1].hart, made[1].line):
            raise TrapezeError(f"--sweep: both raise line {made[0].line}; give two lines, or one range")
        return replace(options, sweep=made[-1], outer=made[0] if len(made) == 2 else None)

    def run(self, elf: Path, config: Config, options: Options) -> sweeps.Swept:
        """Make the runs, and report progress."""
        jobs = self.jobs or len(os.sched_getaffinity(0))
        next_line, pause = time.monotonic() + FIRST_LINE, FIRST_LINE
        with progress() as display:
            task = display.add_task("sweep", total=None)

            def note(done: int, total: int) -> None:
                nonlocal next_line, pause
                display.update(task, completed=done, total=total)
                if not display.console.is_terminal and time.monotonic() >= next_line:
                    pause *= 2
                    next_line += pause
                    err().print(f"trapeze: sweep: {done} of {total} runs")

            found = sweeps.sweep(elf, config, options, jobs, note)
        runs = found.run.sweep or () if found.run is not None else ()
        if processes.ending():
            err().print(f"trapeze: {stopped(found.run, options)}")
        if options.until is None and options.max_cycles != MAX_CYCLES and _all_at_limit(runs):
            # That a firmware does not end is not its failure where the command line says when it is to end.
            say([f"trapeze-sim: --max-cycles {options.max_cycles} ended all {len(runs)} runs of the sweep"])
            return replace(found, exit_code=0, said="")
        if found.said:
            err().print(found.said, markup=False, soft_wrap=True)
        if found.run is not None and found.run.reason == UNTIL:
            say([f"trapeze-sim: --until {options.until} ended all {len(runs)} runs of the sweep"])
        if found.run is not None and found.run.reason == "exit":
            how = f"exit {found.run.code} after {found.run.cycles} cycles, {found.run.instructions} instructions"
            say([f"trapeze-sim: {how} in all runs of the sweep"])
        return found


def stopped(run: Run | None, options: Options) -> str:
    """How far a sweep came that a signal ended."""
    total = prod(one.last - one.first + 1 for one in (options.sweep, options.outer) if one is not None)
    return f"stopped: {len((run and run.sweep) or ())} of {total} runs of the sweep were over"


def _all_at_limit(runs: Sequence[SweepRun]) -> bool:
    return bool(runs) and all(one.reason == "max-cycles" for one in runs)


def by_phase(runs: Sequence[SweepRun], metric: str) -> dict[str, object]:
    """What each run took, as the field `phases` of a row."""
    known = {one.t0: one.distance(metric) for one in runs}  # not of each cycle, if a signal ended the sweep
    return {PHASES: {"from": min(known), "values": [known.get(at) for at in range(min(known), max(known) + 1)]}}


def by_both_phases(
    runs: Sequence[SweepRun], inner: EdgeRange, outer: EdgeRange, metric: str
) -> list[dict[str, object]]:
    """The same of a pair of sweeps: of the inner line and of the outer one, over the cycles of both edges.

    Args:
        runs: Of the pair, as far as they were made.
        inner: The sweep of which each cycle of the outer one has one.
        outer: The other one.
        metric: Which distance.
    """
    known = {(one.outer, one.t0): one for one in runs}

    def of_outer(run: SweepRun) -> int | None:
        other = next((one for one in run.others if outer.raises(one.hart, one.line)), None)
        return None if other is None else other.distance(metric)

    def grid(of: Callable[[SweepRun], int | None]) -> list[list[int | None]]:
        runs_at = [
            [known.get((high, wide)) for wide in range(inner.first, inner.last + 1)]
            for high in range(outer.first, outer.last + 1)
        ]
        return [[None if run is None else of(run) for run in some] for some in runs_at]

    def field(own: EdgeRange, other: EdgeRange, values: Sequence[Sequence[int | None]]) -> dict[str, object]:
        beside = {"hart": other.hart, "line": other.line, "from": other.first}
        return {PHASES: {"from": own.first, "values": [list(one) for one in values], "other": beside}}

    columns = list(zip(*grid(lambda run: run.distance(metric)), strict=True))
    return [field(inner, outer, columns), field(outer, inner, grid(of_outer))]


def extremes(watched: Rerun, record: Run, found: Sequence[Row]) -> list[str]:
    """The worst and the best phase of each line and why, and what all took over the phase."""
    said: list[str] = []
    swept = [one for one in (watched.options.sweep, watched.options.outer) if one is not None]
    for one in swept:
        cases = interrupts_of(watched, record, one.hart, one.line)
        if not cases:
            continue
        chosen = {"worst": max(cases, key=_cycles), "best": min(cases, key=_cycles)}
        if chosen["worst"].cycles == chosen["best"].cycles:
            chosen = {"every run alike, the first": cases[0]}
        whose = f" of hart {one.hart}" if record.harts > 1 else ""
        which = f"line {one.line}{whose}, " if len(swept) > 1 else ""
        for name, case in chosen.items():
            said.append(f"  {which}{name}: {case.cycles} cycles, {case.words}: {watched.reason_of(case)}")
    for row in found:
        if row.metric == "latency" and PHASES in row.more:
            said += phases.chart(row, err().width)
    return said


def _cycles(one: WorstCase) -> int:
    return one.cycles
