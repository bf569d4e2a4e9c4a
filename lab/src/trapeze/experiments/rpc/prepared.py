# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The scheme `fast`: calls of prepared jobs, without the kernel, in cycles of engine `timed`.

Empty calls by the ten thousand, with an idle Linux and with one that other programs keep busy: their distribution, the
parts of the median call, and what made the longest one long. Then products of matrices, whose overhead is what the
paper's Table 3 has.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from trapeze.common import paths
from trapeze.common.errors import TrapezeError
from trapeze.common.files import replacing
from trapeze.common.jobs import Progress
from trapeze.experiment_files import Case, Experiment
from trapeze.experiments.rpc import break_even, parts, places
from trapeze.experiments.rpc.calls import Call
from trapeze.experiments.rpc.critical_path import (
    BESIDE,
    LINUX,
    MARKER_COMPUTE,
    MARKER_COMPUTE_END,
    MARKER_RUN,
    MARKER_RUN_END,
)
from trapeze.experiments.rpc.timeline import timeline
from trapeze.explaining import worst_case
from trapeze.linux import image, kernel
from trapeze.results.rows import Row
from trapeze.simulation import building, simulator
from trapeze.simulation.records import Run
from trapeze.simulation.simulator import Options
from trapeze.simulation.traces import Record, Retired, Taken, read

SCHEME = "fast"
OWN = ("empty", "program", "job", "function", "sizes")
TRIALS = 3
WAYS = ("fresh", "kept")
"""As bench/rpc/prepared.c has them: the factors are new in each call, or those of the call before."""

METRIC, OVERHEAD = "cycles", "overhead-cycles"
MAX_CYCLES = 20_000_000_000
MARGIN = 300
"""Cycles of a traced run before and after the longest call."""

STRESS = "linux/programs/stress.c"


def is_of(case: Case) -> bool:
    """Whether a row of the file is of this scheme."""
    return case.labels.get("scheme") == SCHEME


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

    def record(self) -> Run:
        """Of a run.

        Raises:
            TrapezeError: the program failed.
        """
        outcome = simulator.measure(self.image, self.case.config, self.options)
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


def reason(records: Sequence[Record], call: Call, usual: Call) -> str:
    """Why a call took longer than another one: its parts that are longer, and what interrupted it."""
    longer = {name: took - usual.stages[name] for name, took in call.stages.items() if took > usual.stages[name]}
    said = [f"{name} {took} longer" for name, took in sorted(longer.items(), key=lambda one: -one[1])]
    # The job's own doorbell takes the other hart to the job, and back: in every call.
    interrupts = sorted(interruptions(records, call).items(), key=lambda one: -one[1])
    said += [f"{name} {took}" for name, took in interrupts]
    return "; ".join(said)


@dataclass(frozen=True)
class Maker:
    """Makes rows of a case."""

    case: Case
    experiment: Experiment

    def row(self, under: str, metric: str, values: Sequence[float], **labels: str) -> Row:
        """A figure, with the published one, if the file has one by that name."""
        own = self.case.own.get("in_cycles", {})
        figures = own.get("overheads" if metric == OVERHEAD else "of_sizes", {})
        size = labels.get("size", "") if labels.get("name") == WAYS[0] else ""
        known = figures.get(size, {"value": None, "source": None})
        fields = self.case.row(metric) | {
            "id": f"{self.case.id}/{under}",
            "labels": {**self.case.labels, **labels},
            "published": known["value"],
            "source": known["source"],
        }
        return Row.of(values, engine=building.TIMED, unit=self.experiment.metrics[metric].unit, **fields)

    def distribution(self, name: str, program: Program, count: int, **labels: str) -> Iterator[Row]:
        """Rows of a program of empty calls: all of them, and their parts.

        Raises:
            TrapezeError: the record does not hold as many; it has at most 16,384 markers of a kind.
        """
        each = program.run()
        if len(each) != count:
            raise TrapezeError(f"{self.case.id}: {name}: {count} calls, and {len(each)} in the record; make fewer", 1)
        usual = sorted(each, key=lambda one: one.cycles)[len(each) // 2]
        longest = max(each, key=lambda one: one.cycles)
        records = program.part(longest)
        said = reason(records, longest, usual)
        elf = self.case.elf(self.experiment.name)
        where = places.of(program.image, program.server, self.case.config)
        with replacing(worst_case.timeline(elf.with_stem(f"{elf.stem}-{name.replace('/', '-')}"), METRIC)) as made:
            made.write_text(timeline(records, longest.path, where, METRIC))
        yield self.row(name, METRIC, [one.cycles for one in each], test="empty", **{worst_case.LABEL: said}, **labels)
        for stage in usual.stages:
            values = [one.stages[stage] for one in each]
            yield self.row(f"{name}/{stage}", METRIC, values, test="stage", stage=stage, **labels)

    def products(self, run: Run) -> Iterator[Row]:
        """Rows of products, by size, and from which size on a call is worth it.

        Raises:
            TrapezeError: calls are missing.
        """
        each, sizes, of_size = calls(run), self.case.own["sizes"], TRIALS * len(WAYS)
        if len(each) != of_size * len(sizes):
            raise TrapezeError(f"{len(each)} jobs, not {of_size} of each of {len(sizes)} sizes", 1)
        own = break_even.here(run, sizes)
        by_way: dict[str, dict[int, list[int]]] = {word: {} for word in WAYS}
        for number, size in enumerate(sizes):
            for way, word in enumerate(WAYS):
                first = number * of_size + way * TRIALS
                some = each[first : first + TRIALS]
                labels = {"test": "size", "size": str(size), "name": word}
                name = f"size/{size}" if way == 0 else f"size/{size}/{word}"
                by_way[word][size] = [one.cycles for one in some]
                yield self.row(name, METRIC, by_way[word][size], **labels)
                yield self.row(name, OVERHEAD, [one.overhead for one in some], **labels)
        yield from break_even.own_rows(self.case, self.experiment, own, METRIC)
        for word in WAYS:
            yield from break_even.row(self.case, self.experiment, by_way[word], own, name=word)


def _image(case: Case, words: Sequence[object], files: Sequence[Path]) -> Path:
    return image.build(case.config, " ".join(map(str, words)), list(files))


def measure(case: Case, experiment: Experiment, quick: bool, progress: Progress) -> list[Row]:
    """The rows of one case.

    Raises:
        TrapezeError: there is no kernel, a program failed, or calls did something else.
    """
    kernel.build()  # first: its packages have the compiler of programs, too
    server = case.firmware(experiment.name)
    sources, own = paths.BENCH / experiment.name, case.own["empty"]
    function = sources / case.own["function"]
    count = own["quick"] if quick else own["calls"]
    maker, runs = Maker(case, experiment), len(own["loads"]) + 1
    found: list[Row] = []
    with simulator.scratch() as folder:
        stress, empty, job, product, dgemm = (
            folder / name for name in ("stress", "empty", "empty.job", "prepared", "dgemm.job")
        )
        here, there = folder / "here.o", folder / "there.o"
        parts.program([paths.ROOT / STRESS], stress)
        parts.program([sources / own["program"]], empty)
        parts.job(case.config, [sources / own["job"]], job)
        parts.program(["-c", parts.NAMED, function], here)
        parts.program([sources / case.own["program"], here], product)
        parts.job(case.config, ["-c", parts.NAMED, function], there)
        parts.job(case.config, [sources / case.own["job"], there], dgemm)
        for done, (load, how) in enumerate(own["loads"].items(), 1):
            each = max(1, int(count * how.get("part", 1)))
            words = [f"/bin/{empty.name}", f"/bin/{job.name}", each, own["burst"], own["gap"], how["wait"]]
            if how.get("stress"):
                words += [f"/bin/{stress.name}", how["stress"]]
            built = Program(_image(case, words, [empty, job, stress]), server, case)
            found += maker.distribution(f"empty/{load}", built, each, load=load, wait=how["wait"])
            progress(done, runs)
        words = [f"/bin/{product.name}", f"/bin/{dgemm.name}", *case.own["sizes"]]
        found += maker.products(Program(_image(case, words, [product, dgemm]), server, case).record())
    progress(runs, runs)
    return found
