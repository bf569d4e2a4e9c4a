# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Measuring the rows of an experiment, each by itself, so that an error in one does not cost the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Event
from traceback import extract_tb
from typing import NamedTuple, Protocol

from rich.console import Console

from trapeze.common import jobs
from trapeze.common.console import progress
from trapeze.common.errors import TrapezeError
from trapeze.common.jobs import Progress
from trapeze.experiment_files import Case, Experiment
from trapeze.reports import tables
from trapeze.reports.figures import Figure
from trapeze.results.rows import Failure, Row
from trapeze.simulation import building, conditions
from trapeze.simulation.conditions import Conditions

INTERRUPTED = "not measured: interrupted"
PENDING = "not measured yet"

MOMENT = 0.2
"""Seconds after which it is clear whether a row failed by itself or by the signal that ends everything."""


class Show(Protocol):
    """Prints the tables of an experiment."""

    def __call__(self, console: Console, experiment: Experiment, rows: Sequence[Row]) -> None:
        """Print them, the rows being those of the experiment."""


def _no_figures(experiment: Experiment, rows: Sequence[Row]) -> list[Figure]:
    del experiment, rows
    return []


def _engines(cases: Sequence[Case], experiment: Experiment, quick: bool) -> None:
    """Build the simulator of every configuration."""
    del experiment, quick
    targets = [f"rtl-{name}" for name in dict.fromkeys(case.config.name for case in cases)]
    building.ensure(["trapeze-sim", *targets], [case.config for case in cases])


class Kind(NamedTuple):
    """A way of measuring.

    It refuses unfit experiments, measures one case, prints tables, contributes figures, prepares all cases. `beside`:
    cases may be measured at the same time, which is wrong where the host's time is the figure. `silicon`: it
    synthesises.
    """

    check: Callable[[Experiment], None]
    measure: Callable[[Case, Experiment, bool, Progress], list[Row]]
    show: Show = tables.show
    figures: Callable[[Experiment, Sequence[Row]], Sequence[Figure]] = _no_figures
    prepare: Callable[[Sequence[Case], Experiment, bool], None] = _engines
    beside: bool = False
    silicon: bool = False


@dataclass(frozen=True)
class Measured:
    """What was measured of an experiment.

    Attributes:
        rows: In the order of the experiment's file.
        runs: The simulator's runs that rows come from.
        failed: The rows that could not be measured.
        end: The signal that ended it before its time.
    """

    rows: tuple[Row, ...]
    runs: tuple[tuple[Conditions, Row], ...] = ()
    failed: tuple[Failure, ...] = ()
    end: KeyboardInterrupt | None = None


def unmeasured(experiment: Experiment, quick: bool, why: str) -> Measured:
    """An experiment none of whose rows was measured."""
    return Measured((), failed=tuple(Failure(experiment.name, case.id, why) for case in experiment.chosen(quick)))


def _said(error: Exception) -> str:
    """An error as text; of one that nobody foresaw where it came from."""
    if isinstance(error, TrapezeError):
        return str(error)
    where = extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {error} ({Path(where.filename).name}, line {where.lineno})"


def _require_one_firmware(noted: conditions.Noted) -> None:
    """Refuse a row whose firmware has changed between its runs, because it was built again meanwhile.

    Raises:
        TrapezeError: names it.
    """
    files = {under.elf for under in noted}
    for name, count in Counter(elf.name for elf in files).items():
        if count > 1:
            raise TrapezeError(f"{name} changed while it was measured; leave its sources alone and measure again", 1)


def measure(experiment: Experiment, kind: Kind, quick: bool) -> Measured:
    """All rows of an experiment, with a progress display: of all cases, and of those that are being measured."""
    cases = experiment.chosen(quick)
    found: dict[str, tuple[list[Row], conditions.Noted]] = {}
    errors: dict[str, str] = {}
    end, stop = None, Event()
    with progress() as display:

        def one(case: Case) -> None:
            task = display.add_task(f"{experiment.name} {case.id}", total=None)
            try:
                with conditions.noting() as noted:
                    rows = kind.measure(
                        case, experiment, quick, lambda done, total: display.update(task, completed=done, total=total)
                    )
                _require_one_firmware(noted)
                found[case.id] = rows, noted
            except Exception as error:
                if not stop.wait(MOMENT):
                    errors[case.id] = _said(error)
                    line = f"trapeze: {experiment.name} {case.id}: {errors[case.id]}"
                    display.console.print(line, markup=False, soft_wrap=True)
            finally:
                display.remove_task(task)

        try:
            _prepare(experiment, kind, cases, quick)
            every = display.add_task(experiment.name)
            jobs.together(
                [partial(one, case) for case in cases],
                lambda done, total: display.update(every, completed=done, total=total),
                None if kind.beside else 1,
                stop,
            )
        except KeyboardInterrupt as error:
            end = error
    known = [found[case.id] for case in cases if case.id in found]
    return Measured(
        rows=tuple(row for rows, _ in known for row in rows),
        runs=tuple((under, row) for rows, noted in known for under in noted for row in rows),
        failed=tuple(
            Failure(experiment.name, case.id, errors.get(case.id, INTERRUPTED))
            for case in cases
            if case.id not in found
        ),
        end=end,
    )


def _prepare(experiment: Experiment, kind: Kind, cases: Sequence[Case], quick: bool) -> None:
    """Prepare at once what the rows need. An error here occurs again in the rows that need it, and shows there."""
    try:
        kind.prepare(cases, experiment, quick)
    except TrapezeError:
        return
