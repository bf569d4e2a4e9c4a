# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Back-to-back interrupts: from the end of one handler to the start of the next, and to the interrupted program.

Two lines rise together in every cycle of a background loop, one in each round (`trapeze.experiments.rounds`). If a
round does not show both handlers, one after the other, there is no figure.

Marker 6 stands in many places of the loop. Where the instruction that was interrupted is one, it shows when the program
goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from trapeze.common.errors import TrapezeError
from trapeze.common.jobs import Progress
from trapeze.experiment_files import Case, Experiment
from trapeze.experiments.measured_window import Window
from trapeze.experiments.rounds import Raised, Round, Stage, markers_of, nest, nested, require_lines
from trapeze.explaining import worst_case
from trapeze.results.rows import Row
from trapeze.simulation.records import MARKER_STONE

LATE_PHASES = 8
"""Cycles of the window in which the first of two interrupts comes where the second is late."""

LATE_CYCLES = 24
"""Most cycles from the end of the first handler to the second: more than the return takes."""


Cycles = tuple[int, int]
"""The first one, and the last one."""


def gap(one: Round) -> Cycles:
    """From the end of the first handler, or from when the second line rose if that is later, to marker 1."""
    return max(one.markers[2].tx, one.interrupts[1].t0), one.markers[3].tx


def way_back(one: Round) -> Cycles | None:
    """From the end of the last handler to the interrupted instruction; None if that is not marked."""
    # What xnxti hands out interrupts nothing: then it is the first one that did.
    epc = [interrupt.epc for interrupt in one.interrupts if interrupt.epc is not None]
    if one.after.n != MARKER_STONE or one.after.pc != epc[-1]:
        return None
    return one.markers[-2].tx, one.after.tx


MEASURES: dict[str, Callable[[Round], Cycles | None]] = {"gap": gap, "return": way_back}
"""By metric."""


def _pair(case: Case, first: int, later: int = 0) -> Raised:
    return ((case.line, first), (case.line - 1, first + later))


def late(case: Case) -> bool:
    """Whether the second of two interrupts comes later than the first."""
    return bool(case.own.get("late", False))


def wanted(case: Case, window: Window, trial: Round) -> list[Raised]:
    """What to raise: one round for each cycle of the window; `trial`: what a round with both together showed.

    Where the second line is late, one round for each cycle in which it may rise, at some phases of the window.
    """
    phases = range(window.first, window.last + 1)
    if (inner := nested(case)) is not None:
        return [nest(case, cycle, inner.apart[cycle % len(inner.apart)]) for cycle in phases]
    if not late(case):
        return [_pair(case, cycle) for cycle in phases]
    most = trial.markers[2].tx - trial.interrupts[0].t0 + LATE_CYCLES
    firsts = [window.first + window.length * step // LATE_PHASES for step in range(LATE_PHASES)]
    return [_pair(case, first, later) for first in firsts for later in range(most + 1)]


def check_shapes(found: Sequence[Round], shape: Sequence[int], name: str) -> None:
    """See whether each round passed all handlers in their order.

    Raises:
        TrapezeError: one did not.
    """
    for number, one in enumerate(found):
        if one.shape != shape:
            raise TrapezeError(f"{name}: round {number} passes markers {list(one.shape)}", exit_code=1)


def measure(case: Case, experiment: Experiment, quick: bool, progress: Progress) -> list[Row]:
    """The rows of one case: the gap, unless its interrupts nest, and the return."""
    inner = nested(case)
    shape = markers_of(1, inner.depth - 1) if inner else markers_of(2)

    def trial(first: int) -> Raised:
        return nest(case, first, inner.apart[0]) if inner else _pair(case, first)

    stage = Stage.prepare(case, case.firmware(experiment.name), trial, late(case))
    check_shapes([stage.trial], shape, case.id)
    progress(1, 2)
    window = stage.window.quick() if quick else stage.window
    asked = wanted(case, window, stage.trial)
    found = list(stage.play(asked))
    check_shapes(found, shape, case.id)
    progress(2, 2)

    rows = []
    for name, metric in experiment.metrics.items():
        if inner and name == "gap":
            continue
        spans = [
            stage.again(asked, number, *cycles)
            for number, one in enumerate(found)
            if (cycles := MEASURES[name](one)) is not None
        ]
        explained = case.labelled({worst_case.LABEL: worst_case.explain_span(case, stage.elf, spans, name)})
        values = [one.cycles for one in spans]
        rows.append(Row.of(values, engine="rtl", unit=metric.unit, **explained.row(name)))
    return rows


def check(experiment: Experiment) -> None:
    """Refuse an experiment file this cannot measure.

    Raises:
        TrapezeError: another metric, or no lines below the one named.
    """
    experiment.allow_metrics(MEASURES)
    require_lines(experiment)
    if any(case.line < 1 for case in experiment.cases):
        raise TrapezeError(f"experiment {experiment.name}: line must be 1 or more: the line below it is raised too")
