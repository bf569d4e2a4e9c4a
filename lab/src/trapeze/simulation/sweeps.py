# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Sweeps on all cores: a range is split over processes, and their records are put together again.

The runs of a sweep are independent, so the result equals that of one process. A pair of sweeps is one sweep of the
inner line for each cycle of the outer one, in which the outer line rises once.
"""

from __future__ import annotations

import subprocess
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

from trapeze.common import processes
from trapeze.common.edges import EdgeRange
from trapeze.common.jobs import Progress
from trapeze.platform.configurations import Config
from trapeze.simulation import records, simulator
from trapeze.simulation.options import Options
from trapeze.simulation.records import Run, SpanRecord

LEAST = 16
"""Runs that are worth a process."""


@dataclass(frozen=True)
class Swept:
    """A sweep: the simulator's exit code, what it said, and the record.

    Attributes:
        exit_code: Of the first part that failed, or of the command if a signal ended it.
        said: Lines for standard error, of that part.
        run: All runs, after a signal those that were over; None if the simulator refused.
        parts: Processes that it took.
    """

    exit_code: int
    said: str
    run: Run | None
    parts: int


def parts(options: Options, jobs: int) -> list[Options]:
    """The sweeps that one is made of, in order.

    Raises:
        ValueError: it is none.
    """
    if options.sweep is None:
        raise ValueError("no sweep")
    if options.outer is not None:
        outer = options.outer
        return [
            replace(options, outer=None, irq=(*options.irq, outer.at(cycle)))
            for cycle in range(outer.first, outer.last + 1)
        ]
    first, last = options.sweep.first, options.sweep.last
    count = max(1, min(jobs, (last - first + 1) // LEAST))
    ends = [first + (last - first + 1) * part // count for part in range(count + 1)]
    return [replace(options, sweep_part=(begin, end - 1)) for begin, end in pairwise(ends)]


def _together(spans: Sequence[SpanRecord]) -> SpanRecord:
    counts: Counter[int] = Counter()
    for one in spans:
        counts.update(dict(one.histogram))
    ended = [(one.worst[1] - one.worst[0], one) for one in spans if one.worst is not None]
    worst = max(ended, key=lambda pair: pair[0])[1] if ended else spans[0]
    return replace(
        spans[0],
        histogram=tuple(sorted(counts.items())),
        open=sum(one.open for one in spans),
        missed=sum(one.missed for one in spans),
        unwoken=sum(one.unwoken for one in spans),
        worst=worst.worst,
        swept=worst.swept,
        outer=worst.outer,
    )


def _merged(runs: Sequence[Run], failed: int) -> Run:
    """The record of all parts; how it ended is that of part `failed`."""
    return replace(
        runs[failed],
        cycles=sum(run.cycles for run in runs),
        instructions=sum(run.instructions for run in runs),
        sweep=tuple(one for run in runs for one in run.sweep or ()),
        spans=tuple(_together(some) for some in zip(*(run.spans for run in runs), strict=True)),
    )


def _with_outer(run: Run, outer: EdgeRange | None, part: int) -> Run:
    """The record of a part of a pair of sweeps: where the outer line rose in it is known here alone."""
    if outer is None:
        return run
    cycle = outer.first + part
    return replace(
        run,
        sweep=tuple(replace(one, outer=cycle) for one in run.sweep or ()),
        spans=tuple(replace(one, outer=cycle) for one in run.spans),
    )


class _Progress:
    """How many runs of all parts are over."""

    def __init__(self, options: Options, count: int, progress: Progress | None) -> None:
        self._done = [0] * count
        self._total = 1
        for one in (options.sweep, options.outer):
            self._total *= 1 if one is None else one.last - one.first + 1
        self._progress = progress

    def of(self, part: int) -> Progress:
        def note(done: int, total: int) -> None:
            del total
            self._done[part] = done
            if self._progress is not None:
                self._progress(sum(self._done), self._total)

        return note


def _commands(elf: Path, config: Config, made: Sequence[Options], folder: Path) -> Iterator[list[str]]:
    for number, part in enumerate(made):
        words = simulator.command_line(folder, elf, config, part, folder / f"{number}.json")
        yield [*words, "--progress", "--quiet"]


def sweep(elf: Path, config: Config, options: Options, jobs: int, progress: Progress | None = None) -> Swept:
    """Run a sweep, or a pair of them, in up to `jobs` processes at a time.

    Raises:
        Ended: a signal came before the first run was over.
    """
    made = parts(options, jobs)
    count = _Progress(options, len(made), progress)
    with simulator.scratch() as folder:
        commands = list(_commands(elf, config, made, folder))

        def one(number: int) -> tuple[int, str] | None:
            streams = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "stdin": subprocess.DEVNULL}
            try:
                with processes.started(commands[number], text=True, **streams) as process:
                    said = simulator.follow(iter(process.stderr or ()), count.of(number))
            except processes.Ended:
                return None
            return process.returncode, said

        with ThreadPoolExecutor(jobs) as pool:
            parts_made = [pool.submit(one, number) for number in range(len(made))]
            # Simulators that a signal ends write what they have.
            with suppress(processes.Ended):
                wait(parts_made)
        ended = [part.result() for part in parts_made]
        if processes.ending():
            return _cut_short([folder / f"{number}.json" for number in range(len(made))], options)
        runs: list[Run] = []
        failed = None
        for number, (code, said) in enumerate(filter(None, ended)):
            path = folder / f"{number}.json"
            if not path.exists():
                return Swept(code, said, None, len(made))
            runs.append(_with_outer(records.load(path), options.outer, number))
            if code and failed is None:
                failed = number
            if runs[-1].reason == "budget":
                break  # one process would have ended here
        which = len(runs) - 1 if failed is None else failed
        return Swept(*(ended[which] or (0, "")), _merged(runs, which), len(made))


def _cut_short(paths: Sequence[Path], options: Options) -> Swept:
    """A sweep that a signal ended: the runs that were over."""
    found = ((number, records.load(path)) for number, path in enumerate(paths) if path.exists())
    runs = [_with_outer(run, options.outer, number) for number, run in found if run.sweep]
    if not runs:
        raise processes.Ended
    return Swept(processes.exit_code(), "", replace(_merged(runs, 0), reason="signal"), len(paths))
