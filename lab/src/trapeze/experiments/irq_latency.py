# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Interrupt latency at every phase of a background loop.

The firmware marks the loop with markers 2 and 3. One run without interrupts finds these cycles; a sweep then runs the
firmware once for each cycle between them, the line raised in that cycle. Every one of these runs has to take the
interrupt exactly once and to end as the others do, or there is no figure at all.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from trapeze import simulator
from trapeze.errors import TrapezeError
from trapeze.experiments import Case, Experiment
from trapeze.records import MARKER_WINDOW_BEGIN, MARKER_WINDOW_END, METRICS, Run, SweepRun
from trapeze.results import Row
from trapeze.simulator import Options, Progress

MAX_CYCLES = 2_000_000
"""Of one run: far more than any takes, so that a hang ends."""

QUICK_PHASES = 64


@dataclass(frozen=True)
class Window:
    """The cycles in which the line is raised, both ends included."""

    first: int
    last: int

    def quick(self) -> Window:
        """The first cycles only."""
        return Window(self.first, min(self.last, self.first + QUICK_PHASES - 1))


def find_window(run: Run, name: str) -> Window:
    """Where the background loop is: from the retirement of marker 2 to the cycle before marker 3 executes.

    Raises:
        TrapezeError: the run failed, or the markers are not there, each once and in this order.
    """
    if run.reason != "exit" or run.code != 0:
        raise TrapezeError(f"{name}: without interrupts the firmware ends by {run.reason}, code {run.code}", 1)
    begins = [marker.tr for marker in run.markers if marker.n == MARKER_WINDOW_BEGIN]
    ends = [marker.tx for marker in run.markers if marker.n == MARKER_WINDOW_END]
    if len(begins) != 1 or len(ends) != 1 or ends[0] <= begins[0]:
        raise TrapezeError(
            f"{name}: the firmware must pass marker {MARKER_WINDOW_BEGIN} and then marker {MARKER_WINDOW_END}, each "
            f"once; it passed them {len(begins)} and {len(ends)} times",
            exit_code=1,
        )
    return Window(begins[0], ends[0] - 1)


def _complaint(run: SweepRun, console: int | str) -> str | None:
    """What is wrong with a run of the sweep, None if nothing is."""
    if run.taken_count != 1:
        return f"the interrupt was taken {run.taken_count} times"
    if run.reason != "exit" or run.exit != 0:
        return f"the firmware ended by {run.reason}, code {run.exit}"
    if run.tf is None or run.tx is None or run.tr is None:
        return "the handler or its marker was not reached"
    if run.console_crc != console:
        return "the console said something else than in the first phase"
    return None


def verify(run: Run, window: Window, name: str) -> tuple[SweepRun, ...]:
    """The runs of a sweep, every one checked.

    Raises:
        TrapezeError: a phase is missing or a run went wrong; names the first cycle and how many there are.
    """
    runs = run.sweep or ()
    phases = [one.t0 for one in runs]
    if phases != list(range(window.first, window.last + 1)):
        raise TrapezeError(f"{name}: the sweep does not cover cycles {window.first} to {window.last}", exit_code=1)
    wrong = [(one.t0, text) for one in runs if (text := _complaint(one, runs[0].console_crc))]
    if wrong:
        cycle, text = wrong[0]
        raise TrapezeError(f"{name}: raised in cycle {cycle}: {text} ({len(wrong)} of {len(runs)} phases)", exit_code=1)
    return runs


def sweep(
    case: Case,
    experiment: Experiment,
    quick: bool = False,
    progress: Progress | None = None,
    wait: tuple[int, int, int] = (0, 0, 0),
) -> tuple[SweepRun, ...]:
    """Build the firmware, find the window and sweep it.

    Args:
        case: Row of the experiment.
        experiment: It.
        quick: Only the first phases.
        progress: Called with phases done, of how many.
        wait: Chances of a wait state on instruction and data port, in 1/256, and the seed.

    Raises:
        TrapezeError: anything went wrong in any phase.
    """
    elf = case.firmware(experiment.name)
    options = Options(max_cycles=MAX_CYCLES, wait_instr=wait[0], wait_data=wait[1], seed=wait[2])
    window = find_window(simulator.measure(elf, case.config, options).run, case.id)
    if quick:
        window = window.quick()
    spec = f"{experiment.line}@{window.first}..{window.last}"
    outcome = simulator.measure(elf, case.config, replace(options, sweep=spec), progress)
    return verify(outcome.run, window, case.id)


def measure(case: Case, experiment: Experiment, quick: bool, progress: Progress) -> list[Row]:
    """The rows of one case: one for each metric."""
    runs = sweep(case, experiment, quick, progress)
    rows = []
    for metric in experiment.metrics.values():
        values = [value for run in runs if (value := run.distance(metric.name)) is not None]
        rows.append(Row.of(values, engine="rtl", unit=metric.unit, **case.row(metric.name)))
    return rows


def check(experiment: Experiment) -> None:
    """Refuse an experiment file this cannot measure.

    Raises:
        TrapezeError: a metric that is not a latency.
    """
    if strange := set(experiment.metrics) - set(METRICS):
        raise TrapezeError(f"experiment {experiment.name}: '{sorted(strange)[0]}' is not one of {', '.join(METRICS)}")
