# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Figures of programs on a kernel that count for themselves (`iterations`): where the cycles went, and a timeline.

Each of these figures is one measurement, so it is its own worst case. What is shown of calls is everything between the
two reads of `mcycle` around them, with the last of it as the timeline; of computation beside the tick one tick.
"""

from __future__ import annotations

import bisect
from collections.abc import Mapping, Sequence
from pathlib import Path

from trapeze.common.errors import TrapezeError
from trapeze.experiment_files import Case
from trapeze.explaining import breakdown, by_task, worst_case
from trapeze.simulation import simulator
from trapeze.simulation.options import Options
from trapeze.simulation.records import Run
from trapeze.simulation.traces import Record, Retired, Taken, functions, read

SHOWN = 600
"""Cycles of a timeline of calls."""

TICKS = 250_000
"""Cycles at the end of a computation in which a tick has to come."""

UNMEASURED = 1
"""Pairs of reads of the counter before the first figure: the empty loop."""

TIMER = "timer"
"""The interrupt of the tick."""


def _trace(case: Case, elf: Path, options: Options, begin: int) -> list[Record]:
    with simulator.scratch() as folder:
        path = folder / "trace.jsonl"
        simulator.watch(elf, case.config, Options(max_cycles=options.max_cycles, trace=path, trace_from=begin))
        with path.open() as lines:
            return list(read(lines, hart=0))


def stretches(trace: Sequence[Record], count: int, name: str) -> list[tuple[int, int]]:
    """Cycles of execution between each two reads of the counter that make a figure.

    Raises:
        TrapezeError: there are not as many as figures.
    """
    reads = [
        one.cycle - 1
        for one in trace
        if isinstance(one, Retired) and one.name == "csrr" and one.operands.endswith(",mcycle")
    ]
    if len(reads) != 2 * (count + UNMEASURED):
        raise TrapezeError(f"{name}: the program reads mcycle {len(reads)} times, for {count} figures", 1)
    return list(zip(reads[2 * UNMEASURED :: 2], reads[2 * UNMEASURED + 1 :: 2], strict=True))


def tick(trace: Sequence[Record], name: str) -> tuple[int, int]:
    """Cycles from a tick's interrupt to the execution of what it interrupted.

    Raises:
        TrapezeError: none comes.
    """
    for at, one in enumerate(trace):
        if isinstance(one, Taken) and one.name == TIMER:
            back = one.epc
            for after in trace[at:]:
                if isinstance(after, Retired) and after.pc == back:
                    return one.cycle, after.cycle - 1
    raise TrapezeError(f"{name}: no tick in the last {TICKS} cycles", 1)


def reasons(
    case: Case, elf: Path, run: Run, options: Options, figures: Mapping[str, Mapping[str, float]]
) -> dict[str, str]:
    """Where the cycles of each kernel's figure went, with its timeline.

    Args:
        case: The row's case.
        elf: Its firmware.
        run: That was measured.
        options: Of this run.
        figures: Of the kernels.

    Raises:
        TrapezeError: the program does not do what it says.
    """
    beside = [name for name, values in figures.items() if "overhead" in values]
    trace = _trace(case, elf, options, max(0, run.cycles - TICKS) if beside else 0)
    if beside:
        shown = {name: tick(trace, case.id) for name in beside}
    else:
        shown = dict(zip(figures, stretches(trace, len(figures), case.id), strict=True))
    named, cycles = functions(elf), [one.cycle for one in trace]
    said = {}
    for name, (begin, end) in shown.items():
        part = trace[: bisect.bisect_right(cycles, end + 1)]
        worst_case.draw(case, elf, options, max(begin, end - SHOWN), end, worst_case.timeline(elf, name))
        what = "one tick" if beside else "all calls"
        where = by_task.sentence(part, breakdown.steps(part, begin, end, named), begin)
        said[name] = f"{what}, cycles {begin} to {end}: {where}"
    return said
