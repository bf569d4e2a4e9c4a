# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The sweeps of `trapeze run`, from its command line to the report."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from trapeze.common.console import err, progress
from trapeze.common.edges import EdgeRange
from trapeze.common.errors import TrapezeError
from trapeze.explaining.rerun import Rerun
from trapeze.platform.configurations import Config
from trapeze.reports import phases
from trapeze.results.rows import PHASES, Row
from trapeze.simulation import first_execution, records, sweeps
from trapeze.simulation.records import SweepRun
from trapeze.simulation.simulator import Options

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
        if found.said:
            err().print(found.said, markup=False, soft_wrap=True)
        if found.run is not None and found.run.reason == "exit":
            err().print(
                f"trapeze-sim: exit {found.run.code} after {found.run.cycles} cycles, {found.run.instructions} "
                "instructions in all runs of the sweep",
                soft_wrap=True,
            )
        return found


def by_phase(runs: Sequence[SweepRun], metric: str) -> dict[str, object]:
    """What each run took, as the field `phases` of a row."""
    return {PHASES: {"from": runs[0].t0, "values": [one.distance(metric) for one in runs]}}


def extremes(elf: Path, config: Config, options: Options, runs: Sequence[SweepRun], found: Sequence[Row]) -> list[str]:
    """The worst and the best phase and why, and what all took over the phase."""
    marked = [one for one in runs if one.distance("latency") is not None]
    if not marked or options.sweep is None:
        return []
    said = []
    chosen = {"worst": max(marked, key=_latency), "best": min(marked, key=_latency)}
    if _latency(chosen["worst"]) == _latency(chosen["best"]):
        chosen = {"every run alike, the first": marked[0]}
    watched = Rerun(elf, config, options)
    for name, one in chosen.items():
        edges = " ".join(f"--irq {edge}" for edge in watched.of(one).options.irq[len(options.irq) :])
        reason = watched.reason(one, options.sweep.hart, options.sweep.line)
        said.append(f"  {name}: {_latency(one)} cycles, {edges}: {reason}")
    over = [row for row in found if row.metric == "latency" and PHASES in row.more]
    for row in over:
        said += phases.chart(row, err().width)
    return said


def _latency(one: records.Stamps) -> int:
    return one.distance("latency") or 0
