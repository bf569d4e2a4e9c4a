# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Empty calls of prepared jobs: how they are distributed, their parts, and what made the longest one long.

Times are those of spans between markers, of which a run counts how often each came.
So there may be any number of calls.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from trapeze.common.errors import TrapezeError
from trapeze.common.files import replacing
from trapeze.experiment_files import Experiment
from trapeze.experiments.rpc import places
from trapeze.experiments.rpc.calls import Call
from trapeze.experiments.rpc.critical_path import (
    BESIDE,
    MARKER_COMPUTE,
    MARKER_COMPUTE_END,
    MARKER_RUN,
    MARKER_RUN_END,
    marker,
)
from trapeze.experiments.rpc.runs import METRIC, Program, reason
from trapeze.experiments.rpc.timeline import timeline
from trapeze.explaining import worst_case
from trapeze.platform.configurations import Config
from trapeze.results.rows import Row
from trapeze.simulation import building
from trapeze.simulation.events import Event, Span
from trapeze.simulation.records import Run
from trapeze.simulation.traces import Record

WHOLE = "call"
STAGES = ("to-job", "job", "from-job")


def caller(config: Config, processor: int) -> int:
    """The hart that is a processor of Linux, by Linux' counting.

    Raises:
        TrapezeError: Linux has no such processor.
    """
    harts = config.platform.supervisors
    if not 0 <= processor < len(harts):
        raise TrapezeError(f"processor: {processor}: Linux on {config.name} has 0 to {len(harts) - 1}")
    return harts[processor]


def spans(hart: int) -> list[Span]:
    """The call of a hart, and its stages."""
    of = [(hart, MARKER_RUN), (BESIDE, MARKER_COMPUTE), (BESIDE, MARKER_COMPUTE_END), (hart, MARKER_RUN_END)]
    ends = [Event(f"marker:{one}:{number}", "marker", one, number) for one, number in of]
    stages = zip(STAGES, ends, ends[1:], strict=False)
    return [Span(WHOLE, ends[0], ends[-1]), *(Span(name, begin, end) for name, begin, end in stages)]


def times(run: Run, count: int) -> dict[str, list[int]]:
    """Cycles of the calls of a run, and of their stages, ascending.

    The markers themselves are not counted: a call is from behind its first one to before its last one.

    Raises:
        TrapezeError: there were other calls than `count`, or one did not run a job once.
    """
    found: dict[str, list[int]] = {}
    for span in run.spans:
        less = 1 if span.name in (WHOLE, STAGES[-1]) else 0
        found[span.name] = [cycles - less for cycles, times in span.histogram for _ in range(times)]
        if span.open or span.missed or len(found[span.name]) != count:
            said = f"{len(found[span.name])} times, {span.open} did not end, {span.missed} began in another one"
            raise TrapezeError(f"{count} calls, and {span.name} {said}", 1)
    return found


def longest_of(run: Run) -> tuple[int, int]:
    """Cycles of the markers around the longest call.

    Raises:
        TrapezeError: there is none.
    """
    around = next(one.worst for one in run.spans if one.name == WHOLE)
    if around is None:
        raise TrapezeError("no call ended", 1)
    return around


@dataclass(frozen=True)
class Empty:
    """Empty calls of a program.

    Attributes:
        program: That calls.
        experiment: Of the rows.
        hart: That calls.
    """

    program: Program
    experiment: Experiment
    hart: int

    def why(self, name: str, around: tuple[int, int], usual: Mapping[str, int]) -> str:
        """What made the longest call long; writes its timeline."""
        case, (begin, end) = self.program.case, around
        records: Sequence[Record] = self.program.part(Call(begin, begin, begin, end))
        job = [marker(records, BESIDE, number) for number in (MARKER_COMPUTE, MARKER_COMPUTE_END)]
        longest = Call(begin, job[0], job[1], end, self.hart)
        where = places.of(self.program.image, self.program.server, case.config)
        elf = case.elf(self.experiment.name)
        with replacing(worst_case.timeline(elf.with_stem(f"{elf.stem}-{name.replace('/', '-')}"), METRIC)) as made:
            made.write_text(timeline(records, longest.path, where, METRIC))
        return reason(records, longest, usual)

    def rows(self, name: str, count: int, **labels: str) -> Iterator[Row]:
        """All calls, and their stages.

        Raises:
            TrapezeError: the program failed, or calls did something else.
        """
        case, run = self.program.case, self.program.record(spans(self.hart))
        found = times(run, count)
        usual = {stage: found[stage][count // 2] for stage in STAGES}
        worst = {worst_case.LABEL: self.why(name, longest_of(run), usual)}
        for span, values in found.items():
            own = {"test": "empty", **worst} if span == WHOLE else {"test": "stage", "stage": span}
            fields = case.row(METRIC) | {
                "id": f"{case.id}/{name}" if span == WHOLE else f"{case.id}/{name}/{span}",
                "labels": {**case.labels, **own, **labels},
            }
            yield Row.of(values, engine=building.TIMED, unit=self.experiment.metrics[METRIC].unit, **fields)
