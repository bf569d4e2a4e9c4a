# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Back-to-back interrupts: from the end of one handler to the start of the next, at every phase of a background loop.

The firmware runs the loop in rounds that begin a fixed number of cycles apart, and ends after the first round without
an interrupt. One run finds the window, one the distance of the rounds; the last one raises two lines together in each
round, one cycle later in each. Every round has to show both handlers, one behind the other, or there is no figure.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from trapeze import simulator
from trapeze.errors import TrapezeError
from trapeze.experiments import Case, Experiment
from trapeze.experiments.irq_latency import Window, find_window
from trapeze.records import MARKER_HANDLER, MARKER_WINDOW_BEGIN, MARKER_WINDOW_END, Marker, Run
from trapeze.results import Row
from trapeze.simulator import Options, Progress

MARKER_HANDLER_END = 5
MAX_CYCLES = 20_000_000
METRICS = ("gap",)

ROUND = (
    MARKER_WINDOW_BEGIN,
    *(MARKER_HANDLER, MARKER_HANDLER_END),
    *(MARKER_HANDLER, MARKER_HANDLER_END),
    MARKER_WINDOW_END,
)
"""The markers of a round, in order."""


def _raised(line: int, cycles: Sequence[int]) -> tuple[str, ...]:
    """Both lines, for one cycle, in each of these cycles."""
    return tuple(f"{one}@{cycle}:pulse" for cycle in cycles for one in (line, line - 1))


def _run(elf: Path, case: Case, line: int, cycles: Sequence[int]) -> Run:
    run = simulator.measure(elf, case.config, Options(irq=_raised(line, cycles), max_cycles=MAX_CYCLES)).run
    if run.reason != "exit" or run.code != 0:
        raise TrapezeError(f"{case.id}: with {len(cycles)} pairs the firmware ends by {run.reason}, code {run.code}", 1)
    return run


def rounds(run: Run, count: int, name: str) -> list[tuple[Marker, ...]]:
    """The markers of each round with interrupts.

    Raises:
        TrapezeError: a round shows something else than two handlers inside the window.
    """
    markers = run.markers[: count * len(ROUND)]
    parts = [markers[start : start + len(ROUND)] for start in range(0, len(markers), len(ROUND))]
    for number, part in enumerate(parts):
        if tuple(marker.n for marker in part) != ROUND:
            raise TrapezeError(f"{name}: round {number} passes markers {[marker.n for marker in part]}", exit_code=1)
    if len(parts) != count or len(run.markers) != count * len(ROUND) + 2:
        raise TrapezeError(f"{name}: {len(run.markers)} markers do not make {count} rounds and one without", 1)
    return parts


def gaps(parts: Sequence[Sequence[Marker]], raised: Sequence[int], window: Window, name: str) -> list[int]:
    """The figure of each round.

    Raises:
        TrapezeError: the rounds do not cover the window, one cycle each.
    """
    phases = [cycle - part[0].tr for cycle, part in zip(raised, parts, strict=True)]
    if phases != list(range(window.last - window.first + 1)):
        raise TrapezeError(f"{name}: the rounds do not begin a fixed number of cycles apart", exit_code=1)
    return [part[3].tx - part[2].tx for part in parts]


def measure(case: Case, experiment: Experiment, quick: bool, progress: Progress) -> list[Row]:
    """The row of one case."""
    elf = case.firmware(experiment.name)
    line = experiment.line
    window = find_window(_run(elf, case, line, ()), case.id)
    if quick:
        window = window.quick()
    progress(1, 3)
    begins = [marker.tr for marker in _run(elf, case, line, (window.first,)).markers if marker.n == MARKER_WINDOW_BEGIN]
    if len(begins) != 2:
        raise TrapezeError(f"{case.id}: with one pair of interrupts there are {len(begins)} rounds, not 2", 1)
    progress(2, 3)
    apart = begins[1] - begins[0]
    raised = [cycle + number * apart for number, cycle in enumerate(range(window.first, window.last + 1))]
    parts = rounds(_run(elf, case, line, raised), len(raised), case.id)
    progress(3, 3)
    values = gaps(parts, raised, window, case.id)
    return [
        Row.of(values, engine="rtl", unit=metric.unit, **case.row(metric.name))
        for metric in experiment.metrics.values()
    ]


def check(experiment: Experiment) -> None:
    """Refuse an experiment file this cannot measure.

    Raises:
        TrapezeError: another metric than the gap, or no line below the one named.
    """
    if strange := set(experiment.metrics) - set(METRICS):
        raise TrapezeError(f"experiment {experiment.name}: '{sorted(strange)[0]}' is not one of {', '.join(METRICS)}")
    if experiment.line < 1:
        raise TrapezeError(f"experiment {experiment.name}: line must be 1 or more: the line below it is raised too")
