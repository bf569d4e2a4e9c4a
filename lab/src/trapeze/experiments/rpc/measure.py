# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Calls of Linux that run a job on the hart beside, in instructions: the Saturn paper's Tables 1, 2 and 3.

One run has all calls between markers, each three times. Stages are those of the second call of the first size, seen
again in two runs that are traced: up to where the job begins to compute, and from where it ends.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from trapeze.common import paths, processes
from trapeze.common.errors import TrapezeError
from trapeze.common.files import replacing
from trapeze.common.jobs import Progress
from trapeze.experiment_files import Case, Experiment
from trapeze.experiments.rpc.critical_path import (
    BESIDE,
    LINUX,
    MARKER_COMPUTE,
    MARKER_COMPUTE_END,
    MARKER_RUN,
    MARKER_RUN_END,
    STAGES,
    Region,
    Step,
    steps,
    totals,
)
from trapeze.experiments.rpc.timeline import Functions, Places, reason, timeline
from trapeze.explaining import worst_case
from trapeze.firmware import job
from trapeze.linux import image, kernel, program
from trapeze.platform.configurations import Config
from trapeze.results.rows import Row
from trapeze.simulation import building, simulator
from trapeze.simulation.events import Program
from trapeze.simulation.records import Run
from trapeze.simulation.simulator import Options
from trapeze.simulation.traces import Record, functions, read

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

METRICS = ("instructions", "overhead")
OWN = ("program", "job", "function", "sizes")
MARGIN = 100
"""Cycles of a traced run before and after the examined part."""

MAX_CYCLES = 400_000_000
INCLUDE = [f"-I{paths.FIRMWARE / 'hal' / 'include'}", f"-I{paths.ROOT / 'regs' / 'gen' / 'c'}"]
STRICT = ["-O2", "-Wall", "-Wextra", "-Werror"]
NAMED = "-Dmain=dgemm_here"
DOUBLE = 8


@dataclass(frozen=True)
class Call:
    """A call that ran a job: cycles of its markers, and of those of the job."""

    begin: int
    compute: int
    computed: int
    end: int

    @property
    def instructions(self) -> int:
        """From the `ecall` to the last one before its return."""
        return self.end - self.begin - 1

    @property
    def overhead(self) -> float:
        """Share of what is not computation, in per cent."""
        return 100 * (1 - (self.computed - self.compute) / self.instructions)


@dataclass(frozen=True)
class Built:
    """What is run: the image that boots, the server of hart 1, and the bytes of the job's file."""

    image: Path
    server: Path
    job_bytes: int

    def options(self) -> Options:
        """Options of a run; the harts execute one instruction in turn, so that cycles are those of the path."""
        return Options(max_cycles=MAX_CYCLES, engine="model", others=(self.server,), last_hart=LINUX, turn=1)


def _compile(command: Sequence[str], what: str) -> None:
    done = processes.run(command, capture_output=True, text=True)
    if done.returncode:
        raise TrapezeError(f"{what} does not build:\n{done.stderr.strip()}", 1)


def _job(config: Config, options: Sequence[str], what: str) -> None:
    if job.command(config, options):
        raise TrapezeError(f"{what} does not build", 1)


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
        _compile(program.command_line(["-c", NAMED, *STRICT, str(function), "-o", str(here)]), function.name)
        words = [*INCLUDE, *STRICT, str(of_program), str(here), "-o", str(calls)]
        _compile(program.command_line(words), of_program.name)
        _job(case.config, ["-c", NAMED, *STRICT, str(function), "-o", str(there)], function.name)
        _job(case.config, [*INCLUDE, *STRICT, str(of_job), str(there), "-o", str(made)], of_job.name)
        script = f"/bin/{calls.name} /bin/{made.name} {names}"
        return Built(image.build(case.config, script, [calls, made]), server, made.stat().st_size)


def _pairs(run: Run, hart: int, begin: int, end: int) -> list[tuple[int, int]]:
    """Cycles of the markers around each of several calls.

    Raises:
        TrapezeError: one of them did not return.
    """
    begins = [one.tx for one in run.markers if (one.hart, one.n) == (hart, begin)]
    ends = [one.tx for one in run.markers if (one.hart, one.n) == (hart, end)]
    if len(begins) != len(ends) or not begins:
        raise TrapezeError(f"marker {begin} of hart {hart}: {len(begins)} times, and marker {end} {len(ends)} times", 1)
    return list(zip(begins, ends, strict=True))


def plain_calls(run: Run, begin: int, end: int, together: int) -> list[int]:
    """Instructions of calls, from the `ecall` to its return, several together as one figure."""
    each = [last - first - 1 for first, last in _pairs(run, LINUX, begin, end)]
    return [sum(each[at : at + together]) for at in range(0, len(each), together)]


def jobs(run: Run) -> list[Call]:
    """The calls that ran jobs, in their order.

    Raises:
        TrapezeError: some did not end, or ran none.
    """
    calls = _pairs(run, LINUX, MARKER_RUN, MARKER_RUN_END)
    computed = _pairs(run, BESIDE, MARKER_COMPUTE, MARKER_COMPUTE_END)
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


def _doorbells(config: Config) -> list[int]:
    """The address of each hart's, in the CLINT."""
    return [config.platform.region("clint").base + 4 * hart for hart in range(len(config.harts))]


def _trace(built: Built, config: Config, begin: int, end: int) -> Iterator[Record]:
    """What both harts do in a part of the run."""
    with simulator.scratch() as folder:
        path = folder / "trace.jsonl"
        part = replace(built.options(), trace=path, trace_from=begin - MARGIN, max_cycles=end + MARGIN)
        simulator.watch(built.image, config, part)
        with path.open() as lines:
            yield from (one for one in read(lines, since=begin - 1) if one.cycle <= end + 1)


def trace(built: Built, config: Config, call: Call) -> list[Record]:
    """Work of both harts in a call, without the computation."""
    return [*_trace(built, config, call.begin, call.compute), *_trace(built, config, call.computed, call.end)]


def path_of(records: Sequence[Record], built: Built, config: Config, call: Call, n: int) -> list[Step]:
    """The path of a call.

    Raises:
        TrapezeError: the call goes another way, or stages do not add up to it.
    """
    found = steps(records, _doorbells(config), regions(n, built.job_bytes))
    if (whole := sum(totals(found).values())) != call.instructions:
        raise TrapezeError(f"stages add up to {whole} instructions, the call has {call.instructions}", 1)
    return found


def _kernel() -> Functions:
    """Linux' functions, and labels, as its parts in assembly have no types, by address."""
    symbols = Program(kernel.build().symbols).symbols
    first = symbols["_text"].address  # what is below are constants
    found = {one.address: name for name, one in symbols.items() if one.address >= first and name[0] not in "$."}
    return [(range(at, end), found[at]) for at, end in pairwise(sorted(found))]


def _places(built: Built, config: Config) -> Places:
    memory = config.platform.region("dram")
    return Places(
        _kernel(),
        functions(built.image),
        functions(built.server),
        range(memory.base, memory.end),
    )


def draw(case: Case, experiment: Experiment, built: Built, call: Call, places: Places) -> str:
    """Write the timeline of a call of the last size beside the firmware, and report the cost of its stages."""
    size = case.own["sizes"][-1]
    records = list(_trace(built, case.config, call.begin, call.end))
    path = path_of(records, built, case.config, call, size)
    elf = case.elf(experiment.name)
    with replacing(worst_case.timeline(elf.with_stem(f"{elf.stem}-size-{size}"), "instructions")) as made:
        made.write_text(timeline(records, path, places))
    return ", ".join(f"{stage} {instructions}" for stage, instructions in totals(path).items() if instructions)


def _row(case: Case, experiment: Experiment, metric: str, values: Sequence[float], **labels: str) -> Row:
    """A figure, with the published one, if there is one."""
    figures = {"stage": "of_stages", "size": "calls" if metric == "instructions" else "overheads"}
    of: Mapping[str, Any] = case.own.get(figures.get(labels["test"], "calls"), {})
    name = labels.get("stage") or labels.get("size") or labels["test"]
    known = of.get(name, {"value": None, "source": None})
    fields = case.row(metric) | {
        "id": "/".join([case.id, *dict.fromkeys((labels["test"], name))]),
        "labels": {**case.labels, **labels},
        "published": known["value"],
        "source": known["source"],
    }
    return Row.of(values, engine="model", unit=experiment.metrics[metric].unit, **fields)


def rows(case: Case, experiment: Experiment, run: Run, path: Sequence[Step], places: Places, longest: str) -> list[Row]:
    """All rows, from a run and the path of one of its calls.

    Args:
        case: Of the experiment.
        experiment: The experiment.
        run: With all calls.
        path: Of the one that is split.
        places: What is where.
        longest: What the stages of the longest call of the last size take.

    Raises:
        TrapezeError: calls are missing.
    """
    found = []
    for test, (begin, end, together) in CALLS.items():
        found.append(_row(case, experiment, "instructions", plain_calls(run, begin, end, together), test=test))
    sizes = case.own["sizes"]
    for stage, instructions in totals(path).items():
        labels = {"test": "stage", "stage": stage, "size": str(sizes[0])}
        if said := reason(path, stage, places):
            labels[worst_case.LABEL] = said
        found.append(_row(case, experiment, "instructions", [instructions], **labels))
    each = jobs(run)
    if len(each) != TRIALS * len(sizes):
        raise TrapezeError(f"{len(each)} jobs, not {TRIALS} of each of {len(sizes)} sizes", 1)
    for number, size in enumerate(sizes):
        some = each[number * TRIALS : (number + 1) * TRIALS]
        labels = {"test": "size", "size": str(size)}
        shown = {worst_case.LABEL: longest} if size == sizes[-1] else {}
        values = [one.instructions for one in some]
        found.append(_row(case, experiment, "instructions", values, **labels, **shown))
        found.append(_row(case, experiment, "overhead", [one.overhead for one in some], **labels))
    return found


def measure(case: Case, experiment: Experiment, quick: bool, progress: Progress) -> list[Row]:
    """The rows of one case. There is nothing to leave out for `quick`.

    Raises:
        TrapezeError: there is no kernel, the program failed, or calls did something else.
    """
    del quick
    built = build(case, experiment)
    outcome = simulator.measure(built.image, case.config, built.options())
    if outcome.exit_code != 0:
        console = outcome.console.decode(errors="replace").replace("\r", "").splitlines()
        raise TrapezeError(f"{case.id}: the run ended with {outcome.exit_code}: {' / '.join(console[-3:])}", 1)
    progress(1, 4)
    each, places = jobs(outcome.run), _places(built, case.config)
    call = each[SPLIT]
    path = path_of(trace(built, case.config, call), built, case.config, call, case.own["sizes"][0])
    progress(3, 4)
    longest = max(each[-TRIALS:], key=lambda one: one.instructions)
    said = draw(case, experiment, built, longest, places)
    progress(4, 4)
    return rows(case, experiment, outcome.run, path, places, said)


def prepare(cases: Sequence[Case], experiment: Experiment, quick: bool) -> None:
    """Build the engine of every configuration."""
    del cases, experiment, quick
    building.ensure(["trapeze-sim", building.MODEL])


def check(experiment: Experiment) -> None:
    """Refuse an experiment file this cannot measure.

    Raises:
        TrapezeError: another metric, a row without its programs, a stage that there is not, a platform without jobs.
    """
    experiment.require_metrics(METRICS)
    for case in experiment.cases:
        name = f"experiment {experiment.name}: {case.id}"
        if lacking := [one for one in OWN if one not in case.own]:
            raise TrapezeError(f"{name}: {lacking[0]} is missing")
        if not image.has_jobs(case.config) or case.rtos is None:
            raise TrapezeError(f"{name}: config and rtos: jobs need a hart beside Linux and a server on it")
        if strange := case.own.get("of_stages", {}).keys() - set(STAGES):
            raise TrapezeError(f"{name}: of_stages: '{sorted(strange)[0]}' is not one of {', '.join(STAGES)}")
