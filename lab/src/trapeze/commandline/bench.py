# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""`trapeze bench`: runs experiments, prints their tables, writes one result file."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from markupsafe import Markup
from rich.console import Console
from rich.text import Text

from trapeze.commandline.describe import print_listing
from trapeze.common import output
from trapeze.common.console import fitted, out, table
from trapeze.common.errors import TrapezeError
from trapeze.experiments import definition, kinds, measuring
from trapeze.experiments.definition import Experiment, Metric
from trapeze.experiments.measuring import Measured
from trapeze.reports import figures, pages, tables
from trapeze.reports.pages import run as run_page
from trapeze.results import origin, store
from trapeze.results.rows import Failure, Row
from trapeze.simulation.conditions import Conditions

KINDS = kinds.find()


def select(names: Sequence[str], silicon: bool | None = None) -> list[Experiment]:
    """The experiments of these names, in this order; without names all that are not on request only.

    Args:
        names: Of experiments.
        silicon: Without names, those that synthesise alone, or those that do not.

    Raises:
        TrapezeError: an unknown name, a group beside names, or a file that is wrong.
    """
    if names and silicon is not None:
        raise TrapezeError("--group chooses among all experiments; leave it out, or the names")
    chosen = [definition.load(name) for name in dict.fromkeys(names or definition.names())]
    chosen = [replace(one, named=bool(names)) for one in chosen if names or not one.on_request]
    chosen = [one for one in chosen if silicon in (None, KINDS[one.kind].silicon)]
    for one in chosen:
        KINDS[one.kind].check(one)
    return chosen


def show_list(names: Sequence[str]) -> None:
    """Print what there is to measure: experiments, their rows and questions, and which command measures them."""
    console = out()
    listing = table("experiment", "measured by", "rows", "question")
    for one in select(names or definition.names()):
        by = "name" if one.on_request else "make bench-silicon" if KINDS[one.kind].silicon else "make bench"
        listing.add_row(one.name, by, str(len(one.cases)), one.question)
    print_listing(console, listing)


def measure(experiment: Experiment, quick: bool) -> Measured:
    """What there is to measure of an experiment."""
    return measuring.measure(experiment, KINDS[experiment.kind], quick)


@dataclass
class Bench:
    """A run of experiments, as far as it has come.

    Attributes:
        chosen: The experiments.
        quick: What takes long is left out.
        command: That does the same again.
        origin: What measures, and since when.
        parts: What has been measured, by name of the experiment.
    """

    chosen: Sequence[Experiment]
    quick: bool
    command: Sequence[str]
    origin: Mapping[str, Any] = field(default_factory=origin.here)
    parts: dict[str, Measured] = field(default_factory=dict)

    @property
    def failed(self) -> list[Failure]:
        """What was asked for and is not there."""
        return [one for part in self.parts.values() for one in part.failed]

    def result(self) -> dict[str, Any]:
        """The result object. It names what is still to be measured, so that it can be kept at any time."""
        pending = [one for one in self.chosen if one.name not in self.parts]
        runs: dict[Conditions, list[Row]] = {}
        for part in self.parts.values():
            for under, row in part.runs:
                runs.setdefault(under, []).append(row)
        return store.build(
            "+".join(one.name for one in self.chosen),
            [row for part in self.parts.values() for row in part.rows],
            command=self.command,
            runs=runs,
            failed=[*self.failed, *(one for some in pending for one in self._left(some, measuring.PENDING))],
            measured_by=self.origin,
            configs=[case.config for one in self.chosen for case in one.cases],
        )

    def _left(self, experiment: Experiment, why: str) -> Sequence[Failure]:
        return measuring.left(experiment, self.quick, why).failed


def run(
    names: Sequence[str], quick: bool, json: Path | None, html: Path | None = None, silicon: bool | None = None
) -> None:
    """Run experiments, print them and keep what was measured, whatever goes wrong or ends it.

    Args:
        names: Of experiments; all without.
        quick: Leave out what takes long.
        json: Result file to write, and to bring up to date after each experiment.
        html: Folder for the page of the run; created if it is not there.
        silicon: As for `select`.

    Raises:
        TrapezeError: bad input, rows that could not be measured, or a result that cannot be written.
        KeyboardInterrupt: a signal ended it; what had been measured is printed and written.
    """
    output.check_writable(json)
    output.check_distinct({}, {"--json": json, "--html": html and html / "index.html"})
    chosen = select(names, silicon)
    output.make_folder(html)
    group = [] if silicon is None else ["--group", "silicon" if silicon else "simulation"]
    bench = Bench(chosen, quick, ["trapeze", "bench", *dict.fromkeys(names), *group, *["--quick"] * quick])
    console = out()
    seconds: dict[str, float] = {}
    pages_of: list[run_page.Part] = []
    end: KeyboardInterrupt | None = None
    for experiment in chosen:
        started = time.monotonic()
        if end is not None:
            bench.parts[experiment.name] = measuring.left(experiment, quick, measuring.INTERRUPTED)
            continue
        found = bench.parts[experiment.name] = measure(experiment, quick)
        end = found.end
        if found.rows:
            pages_of.append(_show(console, experiment, found, drawn=html is not None))
        _keep(json, bench)
        seconds[experiment.name] = time.monotonic() - started
    result = bench.result()
    if json is not None:
        store.write(json, result)
    page = run_page.write(html, result, pages_of, quick) if html else None
    _summary(pages_of, names, quick, seconds)
    _lost(bench.failed)
    if page is not None:
        console.print(f"Page: {page}", soft_wrap=True)
    if end is not None:
        raise end
    if bench.failed:
        lost = ", ".join(f"{one.experiment} {one.row}" for one in bench.failed)
        raise TrapezeError(f"not measured: {lost}; the other figures are whole", exit_code=1)


def _show(console: Console, experiment: Experiment, found: Measured, drawn: bool) -> run_page.Part:
    """Print an experiment; `drawn`: for a page, too."""
    kind = KINDS[experiment.kind]
    figures_of = kind.figures(experiment, found.rows)
    kind.show(console, experiment, found.rows)
    for figure in figures_of:
        console.print(figures.draw(figure, console.width), "")
    printed = pages.text(partial(kind.show, experiment=experiment, rows=found.rows)) if drawn else Markup()
    return run_page.Part(experiment, found.rows, figures_of, printed)


def _keep(json: Path | None, bench: Bench) -> None:
    """Write what there is, as a regular file. Where that fails the last time shows it."""
    if json is not None and (json.is_file() or not json.exists()):
        with suppress(TrapezeError):
            store.write(json, bench.result())


def _lost(failed: Sequence[Failure]) -> None:
    """Print what is not there, and why."""
    console = out()
    for one in failed:
        if one.error != measuring.INTERRUPTED:
            console.print(f"FAILED {one.experiment} {one.row}: {one.error}", markup=False, soft_wrap=True)
    interrupted = Counter(one.experiment for one in failed if one.error == measuring.INTERRUPTED)
    if interrupted:
        rows = ", ".join(f"{name} {count} rows" for name, count in interrupted.items())
        console.print(f"Interrupted; not measured: {rows}", soft_wrap=True)


def _summary(parts: Sequence[run_page.Part], names: Sequence[str], quick: bool, seconds: Mapping[str, float]) -> None:
    """Print what took how long, what was left out, the most important table once more, and the totals in one line."""
    console = out()
    console.rule(Text("summary", style="bold"), align="left", characters="-")
    if len(parts) > 1:
        console.print(", ".join(f"{name} {took:.0f} s" for name, took in seconds.items()))
    if quick:
        console.print("--quick: fewer repetitions, and some rows left out; not figures to quote")
    if brief := [part.experiment.name for part in parts if part.experiment.shortened]:
        console.print(f"In full only by name: {', '.join(brief)}")
    left = [name for name in definition.names() if not names and definition.load(name).on_request]
    if left:
        console.print(f"Only by name: {', '.join(left)}")
    if len(parts) > 1 and (most := _most_important(parts)):
        metric, rows = most
        console.print("", Text.from_markup(f"[bold]{metric.name}[/], {metric.unit}: {metric.what}"), sep="\n")
        console.print(*fitted(console, tables.metric_table(metric, rows), tables.SPARE), "")
    console.print(_totals(parts, seconds), soft_wrap=True)


def _most_important(parts: Sequence[run_page.Part]) -> tuple[Metric, list[Row]] | None:
    """The figures of the first metric of the experiment that pages begin with, as far as others are published."""
    by_name = {part.experiment.name: part for part in parts}
    for name in run_page.FIRST:
        if name in by_name:
            metric = next(iter(by_name[name].experiment.metrics.values()))
            rows = [row for row in by_name[name].rows if row.metric == metric.name and row.published is not None]
            return (metric, rows) if rows else None
    return None


def _totals(parts: Sequence[run_page.Part], seconds: Mapping[str, float]) -> str:
    """How many figures there are, and how they stand to the published ones."""
    verdicts = [line.verdict.partition(",")[0] for part in parts for line in run_page.lines(part) if line.verdict]
    count = Counter(verdicts)
    stand = ", ".join(f"{number} {verdict}" for verdict, number in count.most_common())
    held = f", {len(verdicts)} beside a published one ({stand})" if verdicts else ""
    total = sum(len(part.rows) for part in parts)
    experiments = f"{len(parts)} experiment{'s' if len(parts) != 1 else ''}"
    return f"{experiments}, {total} figures{held}, {sum(seconds.values()):.0f} s"
