# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The page of a run: how fast, how sure, against whom; then each experiment with its charts and tables."""

from __future__ import annotations

import base64
import gzip
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from markupsafe import Markup

from trapeze.experiment_files import ANSWER, Experiment, Metric, row_names
from trapeze.explaining import worst_case
from trapeze.reports import pages, phases
from trapeze.reports.figures import Figure, Rows
from trapeze.reports.pages import Chart
from trapeze.reports.pages.charts import charts
from trapeze.reports.pages.plots import HEIGHT, plot
from trapeze.reports.tables import matrix, number, reproduces, verdict
from trapeze.results.rows import Row

NAME = "index.html"

CARDS = 6
"""Experiments on the first screen."""

FIRST = ("irq-latency", "back-to-back", "context-switch", "preemption")
"""The experiments that a page begins with, as far as they are in the run."""

FEW = 4
"""Edges of a run that the page names."""

TIMELINE_BYTES = 400_000
"""The most bytes of a timeline, compressed, that the page takes in."""

TIMELINE_PACKS = 25
"""By no more than this does a timeline shrink: longer ones need not be tried."""


@dataclass(frozen=True)
class Part:
    """An experiment of a run.

    Attributes:
        experiment: The experiment.
        rows: Its figures.
        figures: What it contributes beyond the charts that all have.
        printed: Its tables as the terminal has them, of `pages.text`.
        drawn: Timelines of worst cases, by row and metric, that are beside the page; those of experiments are in build.
    """

    experiment: Experiment
    rows: Sequence[Row]
    figures: Sequence[Figure]
    printed: Markup
    drawn: Mapping[tuple[str, str], Path] = field(default_factory=dict)


@dataclass(frozen=True)
class Line:
    """A row of a table or a card: a figure, and how it stands to the published one."""

    row: Row
    metric: Metric
    verdict: str

    @property
    def worst(self) -> float:
        """The least favourable value."""
        return self.row.statistics.max if self.metric.better == "lower" else self.row.statistics.min

    @property
    def standing(self) -> str:
        """`better`, `equal`, `worse` of the worst value, `partly` if the median is better; `within`, `none`."""
        if not self.verdict:
            return "none"
        if reproduces(self.row):
            return "within"
        word = self.verdict.split(",")[0]
        return {"better": "better", "equal": "equal", "worse": "worse"}.get(word, "partly")

    @property
    def sure(self) -> str:
        """How sure the figure is."""
        found = self.row.statistics
        if found.n == 1:
            return "one value"
        spread = "always the same" if found.constant else f"{number(found.min)} to {number(found.max)}"
        return f"{spread} in {found.n:,} samples"


def lines(part: Part) -> list[Line]:
    """All figures of an experiment."""
    metrics = part.experiment.metrics
    return [Line(row, metrics[row.metric], verdict(row, metrics[row.metric].better)) for row in part.rows]


@dataclass(frozen=True)
class Headline:
    """An experiment on the first screen.

    Attributes:
        part: The experiment.
        line: The figure that answers its question; without such the first one with a published figure.
        count: How many figures that metric has, where they are answers; 0 where they are measures.
        same: How many of them are as published.
    """

    part: Part
    line: Line
    count: int = 0
    same: int = 0


def headlines(parts: Sequence[Part]) -> list[Headline]:
    """What the first screen says."""
    found = []
    for part in parts:
        every = lines(part)
        compared = [line for line in every if line.row.published is not None]
        wanted = part.experiment.answers
        chosen = [line for line in every if wanted and (line.row.id, line.row.metric) == (wanted.row, wanted.metric)]
        if shown := chosen or compared:
            held = [line for line in compared if line.metric is shown[0].metric and line.metric.unit == ANSWER]
            same = sum(line.standing == "equal" for line in held)
            found.append(Headline(part, shown[0], len(held), same))
    return found[:CARDS]


def standings(parts: Sequence[Part]) -> Counter[str]:
    """How many figures are better, partly better, equal, worse."""
    return Counter(line.standing for part in parts for line in lines(part) if line.standing != "none")


def tables(part: Part) -> list[tuple[Metric, list[Line]]]:
    """The figures of each metric."""
    found = lines(part)
    grouped = [
        (metric, [line for line in found if line.metric is metric]) for metric in part.experiment.metrics.values()
    ]
    return [(metric, some) for metric, some in grouped if some]


def timelines(part: Part) -> dict[tuple[str, str], str]:
    """Links to the timelines of worst cases, by row and metric; in the page itself, compressed, if they are short."""
    found = {key: path.name for key, path in part.drawn.items()}
    for row in part.rows:
        path = part.drawn.get((row.id, row.metric))
        if path is None and worst_case.LABEL in row.labels:
            path = worst_case.find_timeline(part.experiment.name, row.id, row.metric)
        if path is not None and path.stat().st_size < TIMELINE_PACKS * TIMELINE_BYTES:
            packed = gzip.compress(path.read_bytes(), mtime=0)
            if len(packed) <= TIMELINE_BYTES:
                found[row.id, row.metric] = f"data:application/gzip;base64,{base64.b64encode(packed).decode()}"
    return found


def meanings(part: Part) -> dict[str, str]:
    """What the words in the names of the rows mean."""
    return row_names.meanings(part.experiment, dict.fromkeys(row.id for row in part.rows))


def _phases(rows: Sequence[Row]) -> list[Chart]:
    """The latencies of a sweep over the cycle of the edge."""
    return [
        figure | {"layout": figure["layout"] | {"height": HEIGHT}}
        for row in rows
        if row.metric == "latency" and (figure := phases.plot(row)) is not None
    ]


def _drawn(part: Part) -> list[Chart]:
    # An experiment that draws the published figures itself does it better than one chart for each metric.
    own = any(isinstance(figure, Rows) and figure.published for figure in part.figures)
    # A distribution of what is always the same draws nothing.
    drawn = [chart for figure in part.figures if (chart := plot(figure))["data"]]
    common = [*charts(part.experiment, part.rows, own), *_phases(part.rows)]
    return [*drawn, *common] if own else [*common, *drawn]


def _under(run: Mapping[str, Any]) -> dict[str, str]:
    """The conditions of a run of the simulator, as cells of a table."""
    edges = [f"sweep {swept}" for swept in (run.get("outer"), run["sweep"]) if swept]
    edges += [f"stimulus {one['spec']}" for one in run.get("stimuli", ())]
    if run["irq_count"]:
        more = f" and {run['irq_count'] - FEW:,} more" if run["irq_count"] > FEW else ""
        edges.append(", ".join(run["irq"][:FEW]) + more)
    waits = f"fetch {run['wait_instr']}/256, data {run['wait_data']}/256, seed {run['seed']}"
    return {
        "rows": ", ".join(run["rows"]),
        "config": run["config"],
        "engine": run["engine"],
        "firmware": f"{run['elf']['name']} {run['elf']['sha256'][:12]}",
        "edges": "; ".join(edges) or "none",
        "waits": waits if run["wait_instr"] or run["wait_data"] else "none",
    }


def write(folder: Path, result: Mapping[str, Any], parts: Sequence[Part], quick: bool) -> Path:
    """Write the page.

    Args:
        folder: Where to; the page is `NAME` in it.
        result: The result object of the run.
        parts: Its experiments.
        quick: Whether it was a quick run, which the page then says.

    Returns:
        The page.

    Raises:
        TrapezeError: it cannot be written.
    """
    parts = sorted(parts, key=lambda part: [*FIRST, part.experiment.name].index(part.experiment.name))
    return pages.write(
        folder / NAME,
        "run.html.j2",
        title="Trapeze: " + ", ".join(part.experiment.name for part in parts),
        quick=quick,
        cards=headlines(parts),
        standings=standings(parts),
        misses=[(part, line) for part in parts for line in lines(part) if line.standing in ("worse", "partly")],
        parts=[(part, tables(part), _drawn(part), timelines(part)) for part in parts],
        meanings=meanings,
        explained=row_names.explained,
        words=row_names.words,
        matrix=matrix,
        answer=ANSWER,
        provenance=pages.provenance(result),
        failed=result["failed"],
        runs=[_under(one) for one in result["runs"]],
    )
