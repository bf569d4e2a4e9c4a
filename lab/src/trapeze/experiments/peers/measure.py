# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Other open cores beside ours: area, LUTs, frequency through the same flow, latency, speed in the same harness."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import partial

from rich.console import Console
from rich.text import Text

from trapeze.common import jobs
from trapeze.common.console import fitted, progress, table
from trapeze.common.errors import TrapezeError
from trapeze.common.jobs import Progress
from trapeze.experiment_files import Case, Experiment
from trapeze.experiments.peers import harness
from trapeze.reports import tables
from trapeze.results.rows import Row
from trapeze.synth import designs, ecp5, generic, peers
from trapeze.synth.command import NOTE
from trapeze.synth.designs import Design

MEASURED = ("latency", "latency-divides", "iteration")
METRICS = ("area", "transistor-area", "lut4", "flip-flops", "fmax", *MEASURED)


def seeds(experiment: Experiment, quick: bool) -> range:
    """The placements: one without a name, since each takes minutes; none with --quick, and no synthesis either."""
    number = 0 if quick else ecp5.SEEDS if experiment.named else 1
    return range(1, number + 1)


def peer(case: Case) -> str | None:
    """The name of the other core of a row, None for ours."""
    said: str | None = case.own.get("hardware", {}).get("peer")
    return said


def device(case: Case) -> str:
    """The ECP5 part that the core of a row is placed on."""
    return str(case.own.get("hardware", {}).get("device", ecp5.SMALL))


def bare(case: Case) -> Design:
    """The core of a case."""
    name = peer(case)
    return peers.design(name) if name else designs.core(case.config)


def in_pins(case: Case) -> Design:
    """The core of a case with flip-flops at its pins."""
    name = peer(case)
    return peers.in_pins(name) if name else ecp5.in_pins(designs.core(case.config))


def harness_name(case: Case) -> str | None:
    """Name of a case's core in the harness, which has no CLIC; None for a core that is not simulated."""
    if name := peer(case):
        return None if fpga_only(case) or peers.find(name).silicon_only else name
    return None if case.config.first.has_clic else harness.OURS


def fpga_only(case: Case) -> bool:
    """Whether the core of a case is the form for FPGAs of another one, which has the same cycles."""
    name = peer(case)
    return name is not None and peers.find(name).fpga_only


def prepare(cases: Sequence[Case], experiment: Experiment, quick: bool) -> None:
    """Synthesize and place everything, several at a time; the answers are in the cache then."""
    work: list[Callable[[], object]] = []
    asked = seeds(experiment, quick)
    if asked:
        work += [partial(ecp5.cells, in_pins(case)) for case in cases]
        # Behind all of those: a placement waits for its cells.
        work += [partial(ecp5.frequency, in_pins(case), seed, device(case)) for seed in asked for case in cases]
        gates = [case for case in cases if not fpga_only(case)]
        work += [partial(generic.whole, bare(case)) for case in gates]
        work += [partial(generic.transistor_ge, bare(case)) for case in gates if experiment.named]
    work += [partial(harness.measure, name) for case in cases if (name := harness_name(case)) is not None]
    with progress() as display:
        task = display.add_task("peers synthesis")
        jobs.together(work, lambda done, total: display.update(task, completed=done, total=total))


def measure(case: Case, experiment: Experiment, quick: bool, advance: Progress) -> list[Row]:
    """The rows of one core; with `quick` those of its simulation only."""
    values: dict[str, tuple[str, Sequence[float]]] = {}
    if asked := seeds(experiment, quick):
        pins = in_pins(case)
        cells = asdict(ecp5.cells(pins))
        values = {
            "lut4": ("ecp5", [cells["lut4"]]),
            "flip-flops": ("ecp5", [cells["flip_flops"]]),
            "fmax": ("ecp5", [ecp5.frequency(pins, seed, device(case)) for seed in asked]),
        }
        if not fpga_only(case):
            values["area"] = ("generic", [round(generic.whole(bare(case)).ge)])
            if experiment.named:
                values["transistor-area"] = ("generic", [round(generic.transistor_ge(bare(case)))])
    if (name := harness_name(case)) is not None:
        found = harness.measure(name)
        if found["checksum"] != harness.measure(harness.OURS)["checksum"]:
            raise TrapezeError(f"{case.id}: the program's checksum is not that of our own core", exit_code=1)
        values |= {metric: ("rtl", found[metric]) for metric in MEASURED}
    rows = []
    for metric, (engine, sample) in values.items():
        fields = case.row(metric)
        fields["labels"] = {**fields["labels"], "block": "core"}
        if other := peer(case):
            fields |= {"config": other, "labels": {**fields["labels"], "scheme": "clint", "abi": "ilp32"}}
        rows.append(Row.of(sample, engine=engine, unit=experiment.metrics[metric].unit, **fields))
    advance(1, 1)
    return rows


def show(console: Console, experiment: Experiment, rows: Sequence[Row]) -> None:
    """Print one table: a line for each core, frequency as the best placement and the median."""
    tables.show_question(console, experiment, rows)
    for metric in experiment.metrics.values():
        console.print(Text.from_markup(f"[bold]{metric.name}[/], {metric.unit}: {metric.what}"))
    placed = any(row.metric == "fmax" for row in rows)
    measured = {row.metric for row in rows}
    columns = {"area": ">GE", "transistor-area": ">by trans.", "lut4": ">LUT4", "flip-flops": ">FF"}
    names = {name: column for name, column in columns.items() if name in measured}
    places = [">fmax best", ">median"] if placed else []
    made = table("core", *names.values(), *places, ">latency", ">with divides", ">iteration")
    found = {(row.id, row.metric): row.statistics for row in rows}
    for core in dict.fromkeys(row.id for row in rows):
        cells = [tables.number(one.p50) if (one := found.get((core, name))) else "" for name in names]
        if placed:
            cells += [f"{found[core, 'fmax'].max:.1f}", f"{found[core, 'fmax'].p50:.1f}"]
        for name in MEASURED[:2]:
            one = found.get((core, name))
            cells.append("" if one is None else f"{one.min:g}-{one.max:g}")
        iteration = found.get((core, "iteration"))
        cells.append("" if iteration is None else tables.number(iteration.mean))
        made.add_row(core, *cells)
    console.print(*fitted(console, made), "")
    known = [row for row in rows if row.published is not None]
    tables.show_metrics(console, list(experiment.metrics.values()), known)
    tables.show_sources(console, experiment, rows)
    console.print(NOTE, "", soft_wrap=True)


def check(experiment: Experiment) -> None:
    """Refuse an experiment file this cannot measure.

    Raises:
        TrapezeError: other metrics, or a peer that does not exist.
    """
    experiment.require_metrics(METRICS)
    for case in experiment.cases:
        if (name := peer(case)) is not None:
            peers.find(name)
