# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Calls by their markers, and those that ran a job."""

from __future__ import annotations

from dataclasses import dataclass

from trapeze.common.errors import TrapezeError
from trapeze.experiments.rpc.critical_path import BESIDE, LINUX, Step
from trapeze.simulation.records import Run


@dataclass(frozen=True)
class Call:
    """Cycles of the markers around a call, and of those of its job; and the hart that calls."""

    begin: int
    compute: int
    computed: int
    end: int
    hart: int = LINUX

    @property
    def cycles(self) -> int:
        """Between the markers around it: of an `ecall`, from there to the last instruction before its return."""
        return self.end - self.begin - 1

    @property
    def overhead(self) -> float:
        """Share of what is not computation, in per cent."""
        return 100 * (1 - (self.computed - self.compute) / self.cycles)

    @property
    def stages(self) -> dict[str, int]:
        """Its parts: to the job's first instruction, the job, and from its last one."""
        before, inside = self.compute - self.begin, self.computed - self.compute
        return {"to-job": before, "job": inside, "from-job": self.cycles - before - inside}

    @property
    def path(self) -> list[Step]:
        """The same for a timeline."""
        times = (self.begin, self.compute, self.computed, self.end)
        harts = (self.hart, BESIDE, self.hart)
        return [Step(*one) for one in zip(self.stages, harts, times, times[1:], strict=False)]


def pairs(run: Run, hart: int, begin: int, end: int) -> list[tuple[int, int]]:
    """Cycles of the markers around each of several calls.

    Raises:
        TrapezeError: one of them did not return.
    """
    begins = [one.tx for one in run.markers if (one.hart, one.n) == (hart, begin)]
    ends = [one.tx for one in run.markers if (one.hart, one.n) == (hart, end)]
    if len(begins) != len(ends) or not begins:
        raise TrapezeError(f"marker {begin} of hart {hart}: {len(begins)} times, and marker {end} {len(ends)} times", 1)
    return list(zip(begins, ends, strict=True))
