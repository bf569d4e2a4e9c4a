# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Conditions for a figure of a sweep over a window: every phase, and in each phase the interrupt exactly once."""

from __future__ import annotations

from collections.abc import Sequence

from trapeze.common.errors import TrapezeError
from trapeze.experiments.measured_window import Window
from trapeze.simulation.records import FATES, MARKED, Run, SweepRun


def _complaint(run: SweepRun, console: int, marked: bool) -> str | None:
    """What is wrong with a run of the sweep, None if nothing is."""
    if run.taken_count != 1:
        return f"the interrupt was taken {run.taken_count} times"
    if run.reason != "exit" or run.exit != 0:
        return f"the firmware ended by {run.reason}" + ("" if run.exit is None else f", code {run.exit}")
    if marked and (run.tf is None or run.tx is None or run.tr is None):
        return "the handler or its marker was not reached" + ("" if run.fate == MARKED else f": {FATES[run.fate]}")
    if run.console_crc != console:
        return "the console said something else than in the first phase"
    return None


def verify(run: Run, window: Window, name: str, marked: bool = True) -> tuple[SweepRun, ...]:
    """The runs of a sweep, every one checked.

    Args:
        run: The whole sweep.
        window: The cycles that it has to cover.
        name: Of the case, for messages.
        marked: Whether the handler has its marker.

    Raises:
        TrapezeError: a phase is missing or a run went wrong; names the first cycle and how many there are.
    """
    runs = run.sweep or ()
    phases = [one.t0 for one in runs]
    if phases != list(range(window.first, window.last + 1)):
        raise TrapezeError(f"{name}: the sweep does not cover cycles {window.first} to {window.last}", exit_code=1)
    wrong = [(one.t0, text) for one in runs if (text := _complaint(one, runs[0].console_crc, marked))]
    if wrong:
        cycle, text = wrong[0]
        raise TrapezeError(f"{name}: raised in cycle {cycle}: {text} ({len(wrong)} of {len(runs)} phases)", exit_code=1)
    return runs


def complete(values: Sequence[int | None], metric: str, name: str) -> list[int]:
    """All values of a row.

    Raises:
        TrapezeError: some are missing; names the metric and how many there are.
    """
    known = [value for value in values if value is not None]
    if len(known) != len(values):
        raise TrapezeError(f"{name}: {len(values) - len(known)} of {len(values)} phases have no {metric}", exit_code=1)
    return known
