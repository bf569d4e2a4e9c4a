# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""`trapeze bench`: runs experiments, prints their tables, writes one result file."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from markupsafe import Markup
from rich.console import Console

from trapeze import experiment_files
from trapeze.commandline import bench_summary
from trapeze.commandline.describe import print_listing
from trapeze.common import output
from trapeze.common.console import out, table
from trapeze.common.errors import TrapezeError
from trapeze.experiment_files import Experiment
from trapeze.experiments import measuring, registry
from trapeze.experiments.measuring import Measured
from trapeze.reports import figures, pages
from trapeze.reports.pages import run as run_page
from trapeze.results import provenance, store
from trapeze.results.rows import Failure, Row
from trapeze.simulation.conditions import Conditions

KINDS = registry.kinds()


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
    chosen = [experiment_files.load(name) for name in dict.fromkeys(names or experiment_files.names())]
    chosen = [replace(one, named=bool(names)) for one in chosen if names or not one.on_request]
    chosen = [one for one in chosen if silicon in (None, KINDS[one.kind].silicon)]
    for one in chosen:
        KINDS[one.kind].check(one)
    return chosen


def show_list(names: Sequence[str]) -> None:
    """List the experiments, their rows and questions, and the command that measures them."""
    console = out()
    listing = table("experiment", "measured by", "rows", "question")
    for one in select(names or experiment_files.names()):
        by = "name" if one.on_request else "make bench-silicon" if KINDS[one.kind].silicon else "make bench"
        listing.add_row(one.name, by, str(len(one.cases)), one.question)
    print_listing(console, listing)


def measure(experiment: Experiment, quick: bool) -> Measured:
    """List the rows and questions of an experiment."""
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
    origin: Mapping[str, Any] = field(default_factory=provenance.here)
    parts: dict[str, Measured] = field(default_factory=dict)

    @property
    def failed(self) -> list[Failure]:
        """Rows that were asked for and could not be measured."""
        return [one for part in self.parts.values() for one in part.failed]

    def result(self) -> dict[str, Any]:
        """The result object. It names the rows that are still to be measured, so that it can be written at any time."""
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
        return measuring.unmeasured(experiment, self.quick, why).failed


def run(
    names: Sequence[str], quick: bool, json: Path | None, html: Path | None = None, silicon: bool | None = None
) -> None:
    """Run experiments, print them and keep what was measured, whatever goes wrong or ends it.

    Args:
        names: Of experiments; all without.
        quick: Leave out measurements that take long.
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
            bench.parts[experiment.name] = measuring.unmeasured(experiment, quick, measuring.INTERRUPTED)
            continue
        found = bench.parts[experiment.name] = measure(experiment, quick)
        end = found.end
        if found.rows:
            pages_of.append(show(console, experiment, found.rows, drawn=html is not None))
        _keep(json, bench)
        seconds[experiment.name] = time.monotonic() - started
    result = bench.result()
    if json is not None:
        store.write(json, result)
    page = run_page.write(html, result, pages_of, quick) if html else None
    left_out = _left_out(chosen, names, quick)
    bench_summary.show(console, pages_of, bench.failed, [*left_out, *_compiled(bench)], seconds)
    if page is not None:
        console.print(f"Page: {page}", soft_wrap=True)
    if end is not None:
        raise end
    if bench.failed:
        lost = ", ".join(f"{one.experiment} {one.row}" for one in bench.failed)
        raise TrapezeError(f"not measured: {lost}; the other figures are whole", exit_code=1)


def show(console: Console, experiment: Experiment, rows: Sequence[Row], drawn: bool) -> run_page.Part:
    """Print an experiment; `drawn`: for a page, too."""
    kind = KINDS[experiment.kind]
    figures_of = kind.figures(experiment, rows)
    kind.show(console, experiment, rows)
    for figure in figures_of:
        console.print(figures.draw(figure, console.width), "")
    printed = pages.text(partial(kind.show, experiment=experiment, rows=rows)) if drawn else Markup()
    return run_page.Part(experiment, rows, figures_of, printed)


def _keep(json: Path | None, bench: Bench) -> None:
    """Write the figures so far, if the result is a regular file. An error here is only reported by the last write."""
    if json is not None and (json.is_file() or not json.exists()):
        with suppress(TrapezeError):
            store.write(json, bench.result())


def _compiled(bench: Bench) -> list[str]:
    """By what the programs were compiled: another compiler makes other code, which takes other cycles."""
    version = bench.origin["tools"].get("riscv-gcc")
    return [f"Programs are compiled by gcc {version}"] if version else []


def _left_out(chosen: Sequence[Experiment], names: Sequence[str], quick: bool) -> list[str]:
    """What was not measured on purpose, each as a line."""
    found = []
    if quick:
        found.append("--quick: fewer repetitions, and some rows left out; not figures to quote")
    if brief := [one.name for one in chosen if one.shortened]:
        found.append(f"Some rows of {', '.join(brief)} are left out unless named: trapeze bench {brief[0]}")
    on_request = [name for name in experiment_files.names() if not names and experiment_files.load(name).on_request]
    if on_request:
        found.append(f"Left out unless named: {', '.join(on_request)}: trapeze bench {on_request[0]}")
    return found
