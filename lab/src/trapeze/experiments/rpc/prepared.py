# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The scheme `fast`: calls of prepared jobs, without the kernel, in cycles of engine `timed`.

Empty calls (`empty`), with an idle Linux and with one that other programs keep busy. Then products of matrices, whose
overhead is what the paper's Table 3 has, where a row has sizes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from trapeze.common import paths
from trapeze.common.errors import TrapezeError
from trapeze.common.jobs import Progress
from trapeze.experiment_files import Case, Experiment
from trapeze.experiments.rpc import break_even, empty, parts
from trapeze.experiments.rpc.runs import METRIC, STRESS, Program, calls
from trapeze.linux import image, kernel, layout
from trapeze.results.rows import Row
from trapeze.simulation import building, simulator
from trapeze.simulation.records import Run

SCHEME = "fast"
OWN = ("empty",)
OF_PRODUCTS = ("program", "job", "function", "sizes")
TRIALS = 3
WAYS = ("fresh", "kept")
"""As bench/rpc/prepared.c has them: the factors are new in each call, or those of the call before."""

OVERHEAD = "overhead-cycles"


def is_of(case: Case) -> bool:
    """Whether a row of the file is of this scheme."""
    return case.labels.get("scheme") == SCHEME


def lacking(case: Case) -> list[str]:
    """The keys that a row of this scheme still needs."""
    asked = (*OWN, *(OF_PRODUCTS if any(one in case.own for one in OF_PRODUCTS) else ()))
    return [one for one in asked if one not in case.own]


def row_of(case: Case, experiment: Experiment, under: str, metric: str, values: Sequence[float], **labels: str) -> Row:
    """A figure of a size, with the published one, if the file has one by that name."""
    own = case.own.get("in_cycles", {})
    figures = own.get("overheads" if metric == OVERHEAD else "of_sizes", {})
    size = labels.get("size", "") if labels.get("name") == WAYS[0] else ""
    known = figures.get(size, {"value": None, "source": None})
    fields = case.row(metric) | {
        "id": f"{case.id}/{under}",
        "labels": {**case.labels, **labels},
        "published": known["value"],
        "source": known["source"],
    }
    return Row.of(values, engine=building.TIMED, unit=experiment.metrics[metric].unit, **fields)


def products(case: Case, experiment: Experiment, run: Run) -> Iterator[Row]:
    """Rows of products, by size, and from which size on a call is worth it.

    Raises:
        TrapezeError: calls are missing.
    """
    each, sizes, of_size = calls(run), case.own["sizes"], TRIALS * len(WAYS)
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
            yield row_of(case, experiment, name, METRIC, by_way[word][size], **labels)
            yield row_of(case, experiment, name, OVERHEAD, [one.overhead for one in some], **labels)
    yield from break_even.own_rows(case, experiment, own, METRIC)
    for word in WAYS:
        yield from break_even.row(case, experiment, by_way[word], own, name=word)


def _image(case: Case, words: Sequence[object], files: Sequence[Path], append: str = "") -> Path:
    return image.build(case.config, " ".join(map(str, words)), list(files), append=append)


def _empty_calls(case: Case, experiment: Experiment, quick: bool, progress: Progress, runs: int) -> Iterator[Row]:
    """Rows of the calls of a job that does nothing."""
    sources, own = paths.BENCH / experiment.name, case.own["empty"]
    processor, server = own.get("processor", 0), case.firmware(experiment.name)
    with simulator.scratch() as folder:
        stress, program, job = folder / "stress", folder / "empty", folder / "empty.job"
        parts.program([paths.ROOT / STRESS], stress)
        parts.program([sources / own["program"]], program)
        parts.job(case.config, [sources / own["job"]], job)
        for done, (load, how) in enumerate(own["loads"].items(), 1):
            count = own["quick"] if quick else how.get("calls", own["calls"])
            words = [
                f"/bin/{program.name}",
                f"/bin/{job.name}",
                count,
                own["burst"],
                own["gap"],
                how["wait"],
                processor,
            ]
            if how.get("stress"):
                words += [f"/bin/{stress.name}", how["stress"]]
            built = _image(case, words, [program, job, stress], own.get("append", ""))
            of = empty.Empty(Program(built, server, case), experiment, empty.caller(case.config, processor))
            yield from of.rows(f"empty/{load}", count, load=load, wait=how["wait"])
            progress(done, runs)


def _products(case: Case, experiment: Experiment) -> Iterator[Row]:
    """Rows of products of matrices."""
    sources, server = paths.BENCH / experiment.name, case.firmware(experiment.name)
    function = sources / case.own["function"]
    with simulator.scratch() as folder:
        product, dgemm, here, there = (folder / name for name in ("prepared", "dgemm.job", "here.o", "there.o"))
        parts.program(["-c", parts.NAMED, function], here)
        parts.program([sources / case.own["program"], here], product)
        parts.job(case.config, ["-c", parts.NAMED, function], there)
        parts.job(case.config, [sources / case.own["job"], there], dgemm)
        words = [f"/bin/{product.name}", f"/bin/{dgemm.name}", *case.own["sizes"]]
        yield from products(case, experiment, Program(_image(case, words, [product, dgemm]), server, case).record())


def measure(case: Case, experiment: Experiment, quick: bool, progress: Progress) -> list[Row]:
    """The rows of one case.

    Raises:
        TrapezeError: there is no kernel, a program failed, or calls did something else.
    """
    kernel.build(several_harts=len(layout.supervisors(case.config)) > 1)  # first: its packages have the compiler
    has_products = "sizes" in case.own
    runs = len(case.own["empty"]["loads"]) + int(has_products)
    found = list(_empty_calls(case, experiment, quick, progress, runs))
    if has_products:
        found += _products(case, experiment)
        progress(runs, runs)
    return found
