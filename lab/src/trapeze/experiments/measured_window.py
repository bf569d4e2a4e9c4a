# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The window of a background loop: the cycles in which interrupts are raised."""

from __future__ import annotations

from dataclasses import dataclass

from trapeze.common.errors import TrapezeError
from trapeze.simulation.records import MARKER_WINDOW_BEGIN, MARKER_WINDOW_END, Run

QUICK_PHASES = 64


@dataclass(frozen=True)
class Window:
    """The cycles in which the line is raised, both ends included."""

    first: int
    last: int

    @property
    def length(self) -> int:
        """How many cycles it has."""
        return self.last - self.first + 1

    def quick(self) -> Window:
        """The first cycles only."""
        return Window(self.first, min(self.last, self.first + QUICK_PHASES - 1))


def find_window(run: Run, name: str) -> Window:
    """Where the background loop is: from the retirement of marker 2 to the cycle before marker 3 executes.

    Raises:
        TrapezeError: the run failed, or the markers are not there, each once and in this order.
    """
    if run.reason != "exit" or run.code != 0:
        raise TrapezeError(f"{name}: without interrupts the firmware ends by {run.how}", 1)
    begins = [marker.tr for marker in run.markers if marker.n == MARKER_WINDOW_BEGIN]
    ends = [marker.tx for marker in run.markers if marker.n == MARKER_WINDOW_END]
    if len(begins) != 1 or len(ends) != 1 or ends[0] <= begins[0]:
        raise TrapezeError(
            f"{name}: the firmware must pass marker {MARKER_WINDOW_BEGIN} and then marker {MARKER_WINDOW_END}, each "
            f"once; it passed them {len(begins)} and {len(ends)} times",
            exit_code=1,
        )
    return Window(begins[0], ends[0] - 1)
