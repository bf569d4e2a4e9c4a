# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Calls of Linux that run a job on the hart beside: the Saturn paper's Tables 1, 2 and 3, in instructions and cycles.

One run has all calls between markers, each three times. Stages are those of the second call of the first size, seen
again in two runs that are traced: up to where the job begins to compute, and from where it ends. All that is done on
engine `model`, whose cycles are instructions, and again on engine `timed`, whose cycles are those of the clock.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from trapeze.common import paths
from trapeze.common.errors import TrapezeError
from trapeze.common.files import replacing
from trapeze.common.jobs import Progress
from trapeze.experiment_files import Case, Experiment
from trapeze.experiments.rpc import break_even, messages, parts, prepared
from trapeze.experiments.rpc.calls import Call, pairs
from trapeze.experiments.rpc.critical_path import (
    BESIDE,
    LINUX,
    MARKER_COMPUTE,
    MARKER_COMPUTE_END,
    MARKER_RUN,
    MARKER_RUN_END,
    STAGES,
    Bell,
    Region,
    Step,
    steps,
    totals,
)
from trapeze.experiments.rpc.places import of as places_of
from trapeze.experiments.rpc.timeline import Places, reason, timeline, waits
from trapeze.explaining import worst_case
from trapeze.linux import image, kernel, layout
from trapeze.platform.configurations import Config
from trapeze.results.rows import Row
from trapeze.simulation import building, simulator
from trapeze.simulation.options import Options
from trapeze.simulation.records import Run
from trapeze.simulation.traces import Record, read

MARKER_OPEN, MARKER_OPEN_END = 10, 11
MARKER_MMAP, MARKER_MMAP_END = 12, 13
MARKER_PAGE, MARKER_PAGE_END = 14, 15
TRIALS = 3
SPLIT = 1
"""Trial whose stages are shown: the first one finds nothing where it was."""

CALLS = {
    "open": (MARKER_OPEN, MARKER_OPEN_END, 1),
    "mmap": (MARKER_MMAP, MARKER_MMAP_END, 2),
    "mmap-single": (MARKER_PAGE, MARKER_PAGE_END, 20),
}
"""Calls of Table 1: markers around each, and how many are one figure."""

COLD = "mmap-cold"
"""The first trial of `mmap` by itself, where there are caches."""


@dataclass(frozen=True)
class Counted:
    """What is counted: on which engine, in turns of how many instructions, and the metrics of it and the overhead."""

    engine: str
    turn: int | None
    metric: str
    overhead: str
    published: str | None = None
    """Where rows of the file have the published figures; None: beside everything else."""


COUNTED = (
    Counted("model", 1, "instructions", "overhead"),
    Counted(building.TIMED, None, "cycles", "overhead-cycles", "in_cycles"),
)
METRICS = (*(metric for one in COUNTED for metric in (one.metric, one.overhead)), break_even.BREAK_EVEN)
OWN = ("program", "job", "function", "sizes")
MARGIN = 100
"""Cycles of a traced run before and after the examined part."""

MAX_CYCLES = 400_000_000
DOUBLE = 8


@dataclass(frozen=True)
class Built:
    """What is run: the image that boots, the server of hart 1, and the bytes of the job's file."""

    image: Path
    server: Path
    job_bytes: int

    def options(self, counted: Counted) -> Options:
        """Options of a run; the model's harts execute one instruction in turn, so that cycles are those of the path."""
        return Options(
            max_cycles=MAX_CYCLES,
            engine=counted.engine,
            others=(self.server,),
            last_hart=LINUX,
            turn=counted.turn,
        )


def build(case: Case, experiment: Experiment) -> Built:
    """Compile program, job, server and image.

    Raises:
        TrapezeError: there is no kernel here and none can be built, or a part does not compile.
    """
    kernel.build()  # first: its packages have the compiler of programs, too
    server = case.firmware(experiment.name)
    sources = paths.BENCH / experiment.name
    of_program, of_job, function = (sources / case.own[name] for name in ("program", "job", "function"))
    names = " ".join(map(str, case.own["sizes"]))
    with simulator.scratch() as folder:
        calls, here, made, there = (folder / name for name in ("calls", "here.o", "dgemm.job", "there.o"))
        parts.program(["-c", parts.NAMED, function], here)
        parts.program([of_program, here], calls)
        parts.job(case.config, ["-c", parts.NAMED, function], there)
        parts.job(case.config, [of_job, there], made)
        script = f"/bin/{calls.name} /bin/{made.name} {names}"
        return Built(image.build(case.config, script, [calls, made]), server, made.stat().st_size)


def plain_calls(run: Run, begin: int, end: int, together: int) -> list[int]:
    """Cycles of calls, from the `ecall` to its return, several together as one figure."""
    each = [last - first - 1 for first, last in pairs(run, LINUX, begin, end)]
    return [sum(each[at : at + together]) for at in range(0, len(each), together)]


def jobs(run: Run) -> list[Call]:
    """The calls that ran jobs, in their order.

    Raises:
        TrapezeError: some did not end, or ran none.
    """
    calls = pairs(run, LINUX, MARKER_RUN, MARKER_RUN_END)
    computed = pairs(run, BESIDE, MARKER_COMPUTE, MARKER_COMPUTE_END)
    if len(calls) != len(computed):
        raise TrapezeError(f"{len(calls)} calls ran {len(computed)} jobs", 1)
    found = [Call(begin, *inside, end) for (begin, end), inside in zip(calls, computed, strict=True)]
    for one in found:
        if not one.begin < one.compute < one.computed < one.end:
            raise TrapezeError(f"the call of cycle {one.begin} does not enclose its job", 1)
    return found


def regions(n: int, job_bytes: int) -> list[Region]:
    """What bench/rpc/calls.c hands to a job: code, two factors, the product, the size."""
    factor = Region(n * n * DOUBLE)
    product = Region(n * n * DOUBLE, read=False, write=True)
    return [Region(job_bytes, write=True, code=True), factor, factor, product, Region(DOUBLE)]


def doorbells(config: Config) -> list[Bell]:
    """Each hart's: of the mailbox, where its other side rings it, or of the CLINT."""
    platform = config.platform
    side = platform.find(layout.MAILBOX)
    if side is not None and side.peer is not None:
        registers = json.loads(paths.REGISTERS.read_text())["blocks"]["mailbox_side"]["registers"]
        ring = next(one["offset"] for one in registers if one["name"] == "ring")
        return [Bell(one.base + ring) for one in (platform.region(side.peer), side)]
    return [Bell(platform.region("clint").base + 4 * hart) for hart in range(len(config.harts))]


@dataclass(frozen=True)
class Seen:
    """A program that is run again to see a part of it."""

    built: Built
    config: Config
    counted: Counted

    def part(self, begin: int, end: int) -> Iterator[Record]:
        """What both harts do in a part of the run."""
        with simulator.scratch() as folder:
            path = folder / "trace.jsonl"
            options = self.built.options(self.counted)
            part = replace(options, trace=path, trace_from=begin - MARGIN, max_cycles=end + MARGIN)
            simulator.watch(self.built.image, self.config, part)
            with path.open() as lines:
                yield from (one for one in read(lines, since=begin - 1) if one.cycle <= end + 1)

    def without_computation(self, call: Call) -> list[Record]:
        """Work of both harts in a call, without the computation."""
        return [*self.part(call.begin, call.compute), *self.part(call.computed, call.end)]

    def path(self, records: Sequence[Record], call: Call, n: int) -> list[Step]:
        """The path of a call.

        Raises:
            TrapezeError: the call goes another way, or stages do not add up to it.
        """
        cached = "zicbom" in self.config.harts[BESIDE].extensions
        found = steps(records, doorbells(self.config), regions(n, self.built.job_bytes), cached)
        if (whole := sum(totals(found).values())) != call.cycles:
            what = self.counted.metric
            raise TrapezeError(f"stages add up to {whole} {what}, the call has {call.cycles}", 1)
        return found


def draw(case: Case, experiment: Experiment, seen: Seen, call: Call, places: Places) -> str:
    """Write the timeline of a call of the last size beside the firmware, and report the cost of its stages."""
    size = case.own["sizes"][-1]
    records = list(seen.part(call.begin, call.end))
    path = seen.path(records, call, size)
    elf = case.elf(experiment.name)
    metric = seen.counted.metric
    with replacing(worst_case.timeline(elf.with_stem(f"{elf.stem}-size-{size}"), metric)) as made:
        made.write_text(timeline(records, path, places, metric))
    return ", ".join(f"{stage} {cycles}" for stage, cycles in totals(path).items() if cycles)


@dataclass(frozen=True)
class Rows:
    """Makes rows of what was counted."""

    case: Case
    experiment: Experiment
    counted: Counted

    def row(self, metric: str, values: Sequence[float], figures: str, **labels: str) -> Row:
        """A figure, with the published one, if there is one among these."""
        own = self.case.own
        of: Mapping[str, Any] = own.get(self.counted.published, {}) if self.counted.published else own
        name = labels.get("stage") or labels.get("size") or labels["test"]
        known = of.get(figures, {}).get(name, {"value": None, "source": None})
        fields = self.case.row(metric) | {
            "id": "/".join([self.case.id, *dict.fromkeys((labels["test"], name))]),
            "labels": {**self.case.labels, **labels},
            "published": known["value"],
            "source": known["source"],
        }
        return Row.of(values, engine=self.counted.engine, unit=self.experiment.metrics[metric].unit, **fields)

    def calls(self, run: Run) -> Iterator[Row]:
        """Of the calls that run no job."""
        for test, (begin, end, together) in CALLS.items():
            values = plain_calls(run, begin, end, together)
            yield self.row(self.counted.metric, values, "calls", test=test)
            if f"{test}-cold" == COLD and self.counted.engine == building.TIMED:
                yield self.row(self.counted.metric, values[:1], "calls", test=COLD)

    def stages(self, path: Sequence[Step], places: Places) -> Iterator[Row]:
        """Of the stages of a call."""
        for stage, cycles in totals(path).items():
            labels = {"test": "stage", "stage": stage, "size": str(self.case.own["sizes"][0])}
            said = [reason(path, stage, places)]
            if self.counted.engine == building.TIMED:
                said.append(waits(path, stage))
            if text := "; ".join(filter(None, said)):
                labels[worst_case.LABEL] = text
            yield self.row(self.counted.metric, [cycles], "of_stages", **labels)

    def sizes(self, each: Sequence[Call], longest: str) -> Iterator[Row]:
        """Of the calls that ran jobs.

        Raises:
            TrapezeError: calls are missing.
        """
        sizes = self.case.own["sizes"]
        if len(each) != TRIALS * len(sizes):
            raise TrapezeError(f"{len(each)} jobs, not {TRIALS} of each of {len(sizes)} sizes", 1)
        for number, size in enumerate(sizes):
            some = each[number * TRIALS : (number + 1) * TRIALS]
            labels = {"test": "size", "size": str(size)}
            shown = {worst_case.LABEL: longest} if size == sizes[-1] else {}
            values = [one.cycles for one in some]
            yield self.row(self.counted.metric, values, "of_sizes", **labels, **shown)
            yield self.row(self.counted.overhead, [one.overhead for one in some], "overheads", **labels)


def _count(seen: Seen, case: Case, experiment: Experiment, places: Places) -> Iterator[Row]:
    """The rows of one engine.

    Raises:
        TrapezeError: the program failed, or calls did something else.
    """
    built, counted = seen.built, seen.counted
    outcome = simulator.measure(built.image, case.config, built.options(counted))
    if outcome.exit_code != 0:
        console = outcome.console.decode(errors="replace").replace("\r", "").splitlines()
        raise TrapezeError(f"{case.id}: the run ended with {outcome.exit_code}: {' / '.join(console[-3:])}", 1)
    each = jobs(outcome.run)
    call = each[SPLIT]
    path = seen.path(seen.without_computation(call), call, case.own["sizes"][0])
    longest = max(each[-TRIALS:], key=lambda one: one.cycles)
    said = draw(case, experiment, seen, longest, places)
    made = Rows(case, experiment, counted)
    yield from made.calls(outcome.run)
    yield from made.stages(path, places)
    yield from made.sizes(each, said)
    if counted.engine == building.TIMED:
        sizes = case.own["sizes"]
        own = break_even.here(outcome.run, sizes)
        calls = {size: [one.cycles for one in each[at * TRIALS :][:TRIALS]] for at, size in enumerate(sizes)}
        yield from break_even.own_rows(case, experiment, own, counted.metric)
        yield from break_even.row(case, experiment, calls, own)


def measure(case: Case, experiment: Experiment, quick: bool, progress: Progress) -> list[Row]:
    """The rows of one case; `quick` makes fewer calls of prepared jobs, and sends fewer messages.

    Raises:
        TrapezeError: there is no kernel, the program failed, or calls did something else.
    """
    if prepared.is_of(case):
        return prepared.measure(case, experiment, quick, progress)
    if messages.is_of(case):
        return messages.measure(case, experiment, quick, progress)
    built = build(case, experiment)
    places = places_of(built.image, built.server, case.config)
    found: list[Row] = []
    for done, counted in enumerate(COUNTED, 1):
        found += _count(Seen(built, case.config, counted), case, experiment, places)
        progress(done, len(COUNTED))
    return found


def prepare(cases: Sequence[Case], experiment: Experiment, quick: bool) -> None:
    """Build the engine of every configuration."""
    del experiment, quick
    engines = [one.engine for one in COUNTED]
    of_cases = [target for case in cases for target in building.targets(case.config, engines)]
    building.ensure(["trapeze-sim", *dict.fromkeys(of_cases)], [case.config for case in cases])


def check(experiment: Experiment) -> None:
    """Refuse an experiment file this cannot measure.

    Raises:
        TrapezeError: another metric, a row without its programs, a stage that there is not, a platform without jobs.
    """
    experiment.require_metrics(METRICS)
    for case in experiment.cases:
        name = f"experiment {experiment.name}: {case.id}"
        if messages.is_of(case):
            messages.check(case, name)
            continue
        missing = prepared.lacking(case) if prepared.is_of(case) else [one for one in OWN if one not in case.own]
        if missing:
            raise TrapezeError(f"{name}: {missing[0]} is missing")
        if not layout.has_jobs(case.config) or case.rtos is None:
            raise TrapezeError(f"{name}: config and rtos: jobs need a hart beside Linux and a server on it")
        of_stages = {**case.own.get("of_stages", {}), **case.own.get("in_cycles", {}).get("of_stages", {})}
        if strange := of_stages.keys() - set(STAGES):
            raise TrapezeError(f"{name}: of_stages: '{sorted(strange)[0]}' is not one of {', '.join(STAGES)}")
