# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""`trapeze bench`: runs experiments, prints their tables, writes one result file."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple, Protocol

from markupsafe import Markup
from rich.console import Console

from trapeze import experiments, figures, output, pages, report, results, simulator
from trapeze.console import out, progress
from trapeze.experiments import (
    Case,
    Experiment,
    area,
    area_report,
    back_to_back,
    context_switch,
    engine_speed,
    irq_latency,
    iterations,
    peers,
    peers_figures,
    preemption,
    probe,
    probe_report,
    sim_speed,
)
from trapeze.figures import Figure
from trapeze.pages import run as run_page
from trapeze.results import Row
from trapeze.simulator import Progress
from trapeze.synth import jobs


class Show(Protocol):
    """Prints the tables of an experiment."""

    def __call__(self, console: Console, experiment: Experiment, rows: Sequence[Row]) -> None:
        """Print them, the rows being those of the experiment."""


def _no_figures(experiment: Experiment, rows: Sequence[Row]) -> list[Figure]:
    del experiment, rows
    return []


def _engines(cases: Sequence[Case], experiment: Experiment, quick: bool) -> None:
    """Build the simulator of every configuration."""
    del experiment, quick
    targets = [f"rtl-{name}" for name in dict.fromkeys(case.config.name for case in cases)]
    simulator.ensure(["trapeze-sim", *targets])


class Kind(NamedTuple):
    """A way of measuring.

    It refuses unfit experiments, measures one case, prints tables, contributes figures, prepares all cases. `beside`:
    cases may be measured at the same time, which is wrong where the host's time is the figure.
    """

    check: Callable[[Experiment], None]
    measure: Callable[[Case, Experiment, bool, Progress], list[Row]]
    show: Show = report.show
    figures: Callable[[Experiment, Sequence[Row]], Sequence[Figure]] = _no_figures
    prepare: Callable[[Sequence[Case], Experiment, bool], None] = _engines
    beside: bool = False


KINDS = {
    "back-to-back": Kind(back_to_back.check, back_to_back.measure, beside=True),
    "clic-area": Kind(area.check_clic, area.measure_clic, area_report.show, area_report.clic_figures, area.prepare),
    "context-switch": Kind(context_switch.check, context_switch.measure, beside=True),
    "core-area": Kind(area.check_core, area.measure_core, area_report.show, area_report.core_figures, area.prepare),
    "irq-latency": Kind(irq_latency.check, irq_latency.measure, beside=True),
    "iterations": Kind(iterations.check, iterations.measure, beside=True),
    "peers": Kind(peers.check, peers.measure, peers.show, peers_figures.figures, peers.prepare),
    "preemption": Kind(preemption.check, preemption.measure, beside=True),
    "probe": Kind(probe.check, probe.measure, probe_report.show, probe_report.figures, beside=True),
    "engine-speed": Kind(engine_speed.check, engine_speed.measure),
    "sim-speed": Kind(sim_speed.check, sim_speed.measure),
}


def select(names: Sequence[str]) -> list[Experiment]:
    """The experiments of these names, in this order; without names all that are not on request only.

    Raises:
        TrapezeError: an unknown name, or a file that is wrong.
    """
    chosen = [experiments.load(name) for name in dict.fromkeys(names or experiments.names())]
    chosen = [replace(one, named=bool(names)) for one in chosen if names or not one.on_request]
    for one in chosen:
        KINDS[one.kind].check(one)
    return chosen


def measure(experiment: Experiment, quick: bool) -> list[Row]:
    """All rows of an experiment, with a progress display: of all cases, and of those that are being measured."""
    cases = experiment.chosen(quick)
    kind = KINDS[experiment.kind]
    kind.prepare(cases, experiment, quick)
    found: dict[str, list[Row]] = {}
    with progress() as display:

        def one(case: Case) -> None:
            task = display.add_task(f"{experiment.name} {case.id}", total=None)
            found[case.id] = kind.measure(
                case, experiment, quick, lambda done, total: display.update(task, completed=done, total=total)
            )
            display.remove_task(task)

        every = display.add_task(experiment.name)
        jobs.together(
            [partial(one, case) for case in cases],
            lambda done, total: display.update(every, completed=done, total=total),
            None if kind.beside else 1,
        )
    return [row for case in cases for row in found[case.id]]


def run(names: Sequence[str], quick: bool, json: Path | None, html: Path | None = None) -> None:
    """Run experiments and print them.

    Args:
        names: Of experiments; all without.
        quick: Leave out what takes long.
        json: Result file to write.
        html: Folder for the page of the run; created if it is not there.

    Raises:
        TrapezeError: bad input, a run that went wrong, or a result that cannot be written.
    """
    output.check_writable(json)
    chosen = select(names)
    output.make_folder(html)
    console = out()
    seconds: dict[str, float] = {}
    parts: list[run_page.Part] = []
    for experiment in chosen:
        started = time.monotonic()
        kind = KINDS[experiment.kind]
        rows = measure(experiment, quick)
        drawn = kind.figures(experiment, rows)
        kind.show(console, experiment, rows)
        for figure in drawn:
            console.print(figures.draw(figure, console.width), "")
        printed = pages.text(partial(kind.show, experiment=experiment, rows=rows)) if html else Markup()
        parts.append(run_page.Part(experiment, rows, drawn, printed))
        seconds[experiment.name] = time.monotonic() - started
    result = results.build("+".join(one.name for one in chosen), [row for part in parts for row in part.rows])
    if json is not None:
        results.write(json, result)
    page = run_page.write(html, result, parts, quick) if html else None
    _summary(parts, names, quick, seconds)
    if page is not None:
        console.print(f"Page: {page}", soft_wrap=True)


def _summary(parts: Sequence[run_page.Part], names: Sequence[str], quick: bool, seconds: Mapping[str, float]) -> None:
    """Print each comparison in one line, what took how long, and what was left out."""
    console = out()
    console.rule("[bold]summary[/]", align="left", characters="-")
    for part in parts:
        for line in run_page.lines(part):
            row, found = line.row, line.row.statistics
            if row.published is not None:
                console.print(
                    f"{part.experiment.name} {row.id}: {row.metric} {found.min:g} to {found.max:g} {row.unit}, "
                    f"published {row.published:g}: {line.verdict}"
                )
    total = sum(len(part.rows) for part in parts)
    console.print(f"{len(parts)} experiments, {total} figures, {sum(seconds.values()):.0f} s")
    if len(parts) > 1:
        console.print(", ".join(f"{name} {took:.0f} s" for name, took in seconds.items()))
    if quick:
        console.print("--quick: fewer repetitions, and some rows left out; not figures to quote")
    if brief := [part.experiment.name for part in parts if part.experiment.shortened]:
        console.print(f"In full only by name: {', '.join(brief)}")
    left = [name for name in experiments.names() if not names and experiments.load(name).on_request]
    if left:
        console.print(f"Only by name: {', '.join(left)}")
