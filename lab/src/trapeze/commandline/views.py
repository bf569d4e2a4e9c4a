# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""What `trapeze run` shows of its figures beside the lines in the terminal: a result file, CSV, a page.

All of them contain the same rows. The worst case of each line and of each span is run again, so that they give its
reason; the page has its timeline, too.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from trapeze.commandline import masked_report
from trapeze.common import output
from trapeze.common.console import err
from trapeze.common.errors import TrapezeError
from trapeze.experiment_files import Answer, Experiment, Metric, StageOf
from trapeze.explaining import rerun, worst_case
from trapeze.explaining.rerun import Rerun, WorstCase
from trapeze.reports import pages, tables
from trapeze.reports.pages import run as run_page
from trapeze.results import spreadsheet, store
from trapeze.results.rows import Row
from trapeze.simulation import records
from trapeze.simulation.records import Run

NAME = "run"
"""`experiment` of the results."""

SPANS = "spans"
"""The section of the page with the spans."""

MEANS: Mapping[str, str] = {
    "cycles": "the whole run",
    "instructions": "retired in the whole run",
    "taken": "how often the line's interrupt was taken",
    "span": "from the one event to the other",
    masked_report.METRIC: "interrupts were masked: how, by which function, until which one let them in",
} | {
    name: f"from the edge until {one['means']}"
    for name, one in tomllib.loads(Path(records.__file__).with_name("metrics.toml").read_text()).items()
}
"""What each metric of a run is."""

ORDER = ("latency", "span", masked_report.METRIC, "first-fetch", "entry", "retire", "taken", "cycles", "instructions")
"""Order of metrics on the page, the most important first."""

STAGES = (
    StageOf("controller", "entry"),
    StageOf("trap entry", "first-fetch", "entry"),
    StageOf("fetch and save", "latency", "first-fetch"),
    StageOf("retire", "retire", "latency"),
)
"""The parts of a latency (design, section 4)."""


Timelines = Mapping[tuple[str, str], Path]
"""Timelines of worst cases, stored with the page: by row and metric."""


@dataclass(frozen=True)
class Views:
    """What is written of a run.

    Attributes:
        json: Result file.
        csv: The same rows as CSV.
        html: Folder of a page.
        masked: Whether the stretches in which interrupts were masked are looked for, and are rows, too.
    """

    json: Path | None = None
    csv: Path | None = None
    html: Path | None = None
    masked: bool = False

    @property
    def any(self) -> bool:
        """Whether there is one."""
        return self.masked or self.json is not None or self.csv is not None or self.html is not None

    def files(self) -> dict[str, Path | None]:
        """What is written, by option."""
        page = self.html and self.html / run_page.NAME
        return {"--json": self.json, "--csv": self.csv, "--html": page}

    def prepare(self) -> None:
        """Refuse outputs that cannot be written, before the run.

        Raises:
            TrapezeError: names it.
        """
        output.check_writable(self.json)
        output.check_writable(self.csv)
        output.make_folder(self.html)

    def write(self, result: Mapping[str, Any], rows: Sequence[Row], timelines: Timelines) -> None:
        """Write all views.

        Raises:
            TrapezeError: one cannot be written.
        """
        if self.json is not None:
            store.write(self.json, result)
        if self.csv is not None:
            output.write_atomic(self.csv, spreadsheet.text(rows))
        if self.html is not None:
            err().print(f"Page: {_page(self.html, result, rows, timelines)}", markup=False, soft_wrap=True)


def _part(name: str, question: str, rows: Sequence[Row], timelines: Timelines) -> run_page.Part:
    """A section of the page; its card has the least favourable figure of its first metric."""
    metrics = {
        row.metric: Metric(row.metric, MEANS[row.metric], row.unit, "lower")
        for row in sorted(rows, key=lambda row: ORDER.index(row.metric))
    }
    first = next(iter(metrics))
    worst = max((row for row in rows if row.metric == first), key=lambda row: row.statistics.max)
    experiment = Experiment(
        name=name,
        question=question,
        kind=NAME,
        on_request=True,
        metrics=metrics,
        cases=(),
        context=(),
        stages=STAGES if all(one.to in metrics for one in STAGES) else (),
        answers=Answer(worst.id, first),
    )
    printed = pages.text(partial(tables.show, experiment=experiment, rows=rows))
    shown = {(row.id, row.metric): timelines[key] for row in rows if (key := (row.id, row.metric)) in timelines}
    return run_page.Part(experiment, rows, (), printed, shown)


def _page(folder: Path, result: Mapping[str, Any], rows: Sequence[Row], timelines: Timelines) -> Path:
    """The spans first: they are what was asked for; then what every run has."""
    programs = " and ".join(dict.fromkeys(one["elf"]["name"] for one in result["runs"]))
    asked = [row for row in rows if row.metric == "span"]
    others = [row for row in rows if row.metric != "span"]
    events = "; ".join(f"{row.labels['name']} from {row.more['from']} to {row.more['to']}" for row in asked)
    parts = [_part(SPANS, f"What was asked for: {events}.", asked, timelines)] if asked else []
    parts += [_part(NAME, f"What {programs or 'the program'} took.", others, timelines)] if others else []
    return run_page.write(folder, result, parts, quick=False)


def _cases(record: Run, watched: Rerun, rows: Sequence[Row]) -> Iterator[tuple[Row, WorstCase]]:
    """The rows that have a worst case which can be seen again."""
    if record.engine == "model" or not watched.possible:  # the model has no cycles
        return
    for row in rows:
        if row.metric == "latency":
            hart, line = int(row.labels.get("hart", 0)), int(row.labels["line"])
            case = rerun.worst_interrupt(watched, record, hart, line)
        elif row.metric == "span":
            place = next(at for at, one in enumerate(watched.options.spans) if one.name == row.labels["name"])
            case = rerun.worst_span(watched, record, place)
        else:
            continue
        if case is not None:
            yield row, case


def explained(
    record: Run, watched: Rerun, rows: Sequence[Row], html: Path | None, asked: bool = True
) -> tuple[list[Row], Timelines]:
    """The rows with the reason of their worst case as a label, and the timelines that are beside the page.

    Args:
        record: The run.
        watched: The same, to be made again.
        rows: Of it.
        html: Folder of the page.
        asked: Whether the rows are written; if not, only spans get a reason, which the terminal has, too, and only
            where that takes no longer than some seconds.
    """
    found = {id(row): row for row in rows}
    timelines = {}
    for row, case in _cases(record, watched, rows):
        if not asked and (row.metric != "span" or case.end > rerun.NEAR):
            continue
        with _told(row):
            reason = rerun.explain(watched, case, html)
            found[id(row)] = replace(row, labels={**row.labels, worst_case.LABEL: reason})
            if html is not None:
                timelines[row.id, row.metric] = html / case.name
    return list(found.values()), timelines


@contextmanager
def _told(row: Row) -> Iterator[None]:
    """A reason that cannot be found costs no figure; it is said."""
    try:
        yield
    except TrapezeError as error:
        err().print(f"trapeze: {row.id} {row.metric}: no reason of the worst case: {error}", soft_wrap=True)
