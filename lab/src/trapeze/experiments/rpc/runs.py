# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Runs of a Linux program that makes calls, in cycles of engine `timed`: its calls, and why one of them was long."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from trapeze.common.errors import TrapezeError
from trapeze.experiment_files import Case
from trapeze.experiments.rpc.calls import Call
from trapeze.experiments.rpc.critical_path import (
    BESIDE,
    LINUX,
    MARKER_COMPUTE,
    MARKER_COMPUTE_END,
    MARKER_RUN,
    MARKER_RUN_END,
)
from trapeze.simulation import building, simulator
from trapeze.simulation.events import Span
from trapeze.simulation.options import Options
from trapeze.simulation.records import Run
from trapeze.simulation.traces import Record, Retired, Taken, read

METRIC = "cycles"
MAX_CYCLES = 20_000_000_000
MARGIN = 300
"""Cycles of a traced run before and after the longest call."""

STRESS = "linux/programs/stress.c"


def calls(run: Run) -> list[Call]:
    """The calls of a run, in their order.

    Raises:
        TrapezeError: some did not end, ran no job, or ran several.
    """
    wanted = ((LINUX, MARKER_RUN), (BESIDE, MARKER_COMPUTE), (BESIDE, MARKER_COMPUTE_END), (LINUX, MARKER_RUN_END))
    each = {one: [marker.tx for marker in run.markers if (marker.hart, marker.n) == one] for one in wanted}
    counts = [len(found) for found in each.values()]
    if len(set(counts)) != 1 or not counts[0]:
        raise TrapezeError(f"calls and jobs: {counts[0]} began, {counts[1]} ran, {counts[2]}, {counts[3]} ended", 1)
    found = [Call(*one) for one in zip(*each.values(), strict=True)]
    for one in found:
        if not one.begin < one.compute < one.computed < one.end:
            raise TrapezeError(f"the call of cycle {one.begin} does not enclose its job", 1)
    return found


@dataclass(frozen=True)
class Program:
    """An image whose only program makes calls, and the server beside it."""

    image: Path
    server: Path
    case: Case

    @property
    def options(self) -> Options:
        """Of a run."""
        return Options(max_cycles=MAX_CYCLES, engine=building.TIMED, others=(self.server,), last_hart=LINUX)

    def record(self, spans: Sequence[Span] = ()) -> Run:
        """Of a run, in which these are measured.

        Raises:
            TrapezeError: the program failed.
        """
        outcome = simulator.measure(self.image, self.case.config, replace(self.options, spans=tuple(spans)))
        if outcome.exit_code != 0:
            console = outcome.console.decode(errors="replace").replace("\r", "").splitlines()
            raise TrapezeError(f"{self.case.id}: the run ended with {outcome.exit_code}: {' / '.join(console[-3:])}", 1)
        return outcome.run

    def run(self) -> list[Call]:
        """Its calls.

        Raises:
            TrapezeError: the program failed, or calls did something else.
        """
        return calls(self.record())

    def part(self, call: Call) -> list[Record]:
        """What both harts do in a call, in a run of the same program again."""
        with simulator.scratch() as folder:
            path = folder / "trace.jsonl"
            part = replace(self.options, trace=path, trace_from=call.begin - MARGIN, max_cycles=call.end + MARGIN)
            simulator.watch(self.image, self.case.config, part)
            with path.open() as lines:
                return list(read(lines, since=call.begin - MARGIN))


def interruptions(records: Sequence[Record], call: Call) -> dict[str, int]:
    """What took a hart away from a call, and for how many cycles, by hart and interrupt.

    An interrupt ends where its hart is back at the instruction that it came before. The doorbell of the call is none.
    """
    found: dict[str, int] = {}
    for at, one in enumerate(records):
        if not isinstance(one, Taken) or not call.begin < one.cycle < call.end:
            continue
        back = (
            later.cycle
            for later in records[at:]
            if isinstance(later, Retired) and later.hart == one.hart and later.pc == one.epc
        )
        took = min(next(back, call.end), call.end) - one.cycle
        name = f"hart {one.hart}: {one.name}"
        found[name] = found.get(name, 0) + took
    return found


def reason(records: Sequence[Record], call: Call, usual: Mapping[str, int]) -> str:
    """Why a call took longer than others, whose parts take `usual` cycles: parts that are longer, and interrupts."""
    longer = {name: took - usual[name] for name, took in call.stages.items() if took > usual[name]}
    said = [f"{name} {took} longer" for name, took in sorted(longer.items(), key=lambda one: -one[1])]
    # The job's own doorbell takes the other hart to the job, and back: in every call.
    interrupts = sorted(interruptions(records, call).items(), key=lambda one: -one[1])
    said += [f"{name} {took}" for name, took in interrupts]
    return "; ".join(said)
