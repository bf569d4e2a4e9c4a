# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The page of a campaign: heat maps of pairs of parameters, latencies by configuration, the front, the worst runs."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from trapeze.campaigns import fronts, grids
from trapeze.campaigns.fronts import Judged, Point
from trapeze.campaigns.grids import Cell, Grid, Grids
from trapeze.campaigns.keys import Requests
from trapeze.campaigns.plan import Plan
from trapeze.campaigns.silicon import Silicon
from trapeze.common import paths
from trapeze.reports import pages
from trapeze.reports.figures import Distribution
from trapeze.reports.pages import Chart
from trapeze.reports.pages.plots import HEIGHT, plot
from trapeze.results.statistics import Statistics, summarize_counts
from trapeze.simulation import simulator

NAME = "index.html"

WORST_RUNS = 20
"""Runs whose commands the page has."""

SERIES = 8
"""Configurations whose distributions are drawn: as many as there are colours."""

CELL_PIXELS, AROUND_PIXELS = 34, 150
"""Height of a row of a heat map, and of what is around its rows."""


@dataclass(frozen=True)
class Latencies:
    """Of a configuration.

    Attributes:
        config: Its name.
        runs: How many there are.
        failed: Those of them that failed.
        without: Those that went well and have no latency.
        found: The latencies; None: no run has one.
    """

    config: str
    runs: int
    failed: int
    without: int
    found: Statistics | None


def latencies(plan: Plan, table: pa.Table) -> list[Latencies]:
    """The latencies by configuration, in the order of the file."""
    counted = (
        table.select(["config", "worst", "code"]).group_by(["config", "worst", "code"]).aggregate([([], "count_all")])
    )
    by_config: dict[str, list[Mapping[str, Any]]] = {}
    for row in counted.to_pylist():
        by_config.setdefault(row["config"], []).append(row)
    made = []
    for name, rows in ((name, by_config[name]) for name in plan.chosen if name in by_config):
        counts = [(row["worst"], row["count_all"]) for row in rows if row["worst"] is not None]
        failed = sum(row["count_all"] for row in rows if row["code"])
        without = sum(row["count_all"] for row in rows if not row["code"] and row["worst"] is None)
        runs = sum(row["count_all"] for row in rows)
        made.append(Latencies(name, runs, failed, without, summarize_counts(counts) if counts else None))
    return made


def _said(cell: Cell) -> str:
    if cell.worst is None:
        return "failed" if cell.failed else "none" if cell.runs else ""
    return f"{cell.worst}*" if cell.failed else str(cell.worst)


def heat_map(grid: Grid, limits: tuple[int, int]) -> Chart:
    """A grid as a chart, its colours between two latencies."""
    axis = {"type": "category", "showgrid": False}
    return {
        "data": [
            {
                "type": "heatmap",
                "x": list(grid.across.labels),
                "y": list(grid.down.labels),
                "z": [[cell.worst for cell in cells] for cells in grid.cells],
                "text": [[_said(cell) for cell in cells] for cells in grid.cells],
                "customdata": [
                    [f"{cell.runs:,} runs, {cell.failed:,} failed" for cell in cells] for cells in grid.cells
                ],
                "texttemplate": "%{text}",
                "zmin": limits[0],
                "zmax": limits[1],
                "colorscale": "Blues",
                "reversescale": True,
                "xgap": 2,
                "ygap": 2,
                "hoverongaps": False,
                "colorbar": {"title": {"text": "cycles"}},
                "hovertemplate": f"{grid.down.name} %{{y}}, {grid.across.name} %{{x}}: %{{z}} cycles"
                "<br>%{customdata}<extra></extra>",
            }
        ],
        "layout": {
            "title": {"text": f"worst latency, cycles, by {grid.down.name} and {grid.across.name}"},
            "height": AROUND_PIXELS + CELL_PIXELS * max(3, len(grid.down.labels)),
            "xaxis": {"title": {"text": grid.across.name}, **axis},
            "yaxis": {"title": {"text": grid.down.name}, "autorange": "reversed", **axis},
        },
    }


def _distribution(found: Sequence[Latencies]) -> Chart | None:
    """How often which latency came, of the configurations with the longest one."""
    known = [(one.config, one.found) for one in found if one.found is not None]
    spread = sorted(known, key=lambda one: -one[1].max)[:SERIES]
    if not spread:
        return None
    part = f"; the {len(spread)} of {len(known)} with the longest one" if len(spread) < len(known) else ""
    title = f"how often which latency came{part}"
    chart = plot(Distribution(title, "cycles", {name: statistics.histogram for name, statistics in spread}))
    return chart if chart["data"] else None


def worst_runs(plan: Plan, requests: Requests, table: pa.Table) -> list[dict[str, Any]]:
    """The runs with the longest latencies, the earlier case first among equals, with the commands that repeat them."""
    order = pc.sort_indices(table, sort_keys=[("worst", "descending"), ("number", "ascending")])
    rows = table.take(order[:WORST_RUNS]).to_pylist()
    made = []
    for row in (row for row in rows if row["worst"] is not None):
        case = plan.case(row["number"])
        words = simulator.repeated(requests.elf(case), case.config, plan.options(case))
        command = shlex.join([*shlex.split(paths.COMMAND), *words[1:]])
        waits = grids.waits_text(row["wait_instr"], row["wait_data"])
        made.append(row | {"waits": waits, "command": command})
    return made


def front(found: Sequence[Latencies], silicon: Mapping[str, Silicon]) -> list[Judged]:
    """The configurations that have a latency, if they were synthesized, by the front."""
    return fronts.judged(
        [
            Point(one.config, int(one.found.max), silicon[one.config].area, silicon[one.config].clock)
            for one in found
            if one.found is not None and one.config in silicon
        ]
    )


def _scatter(judged: Sequence[Judged], unit: str) -> Chart:
    """Points by latency and area, or clock where there is no area; the front joined."""
    data: list[dict[str, Any]] = []
    for name, symbol, ones in (
        ("front", "diamond", [one.point for one in judged if not one.by]),
        ("dominated", "circle-open", [one.point for one in judged if one.by]),
    ):
        across = [point.area if point.area is not None else point.clock for point in ones]
        data.append(
            {
                "type": "scatter",
                "mode": "markers",
                "name": name,
                "x": across,
                "y": [point.worst for point in ones],
                "text": [point.name for point in ones],
                "marker": {"symbol": symbol, "size": 12, "line": {"width": 2}},
                "hovertemplate": f"%{{text}}<br>%{{x:,}} {unit}, %{{y}} cycles<extra>{name}</extra>",
            }
        )
    return {
        "data": data,
        "layout": {
            "title": {"text": f"worst latency over {unit}, each configuration a point; diamonds: of the front"},
            "height": HEIGHT,
            "showlegend": True,
            "xaxis": {"title": {"text": unit}, "tickformat": ",~g"},
            "yaxis": {"title": {"text": "worst latency, cycles"}, "rangemode": "tozero"},
        },
    }


def _facts(plan: Plan, about: Mapping[str, Any]) -> list[tuple[str, str]]:
    versions = ", ".join(f"{name} {version}" for name, version in about["versions"].items())
    program = plan.raw["program"]
    line = plan.raw.get("edge")
    phases = f"{plan.phases.start} to {plan.phases[-1]}, step {plan.phases.step}"
    return [
        ("file", str(plan.path)),
        ("program", program.get("elf") or ", ".join(program["sources"])),
        ("cases", f"{plan.count:,} ({plan.product()})" + (f", {about['sample']:,} drawn" if about["sample"] else "")),
        ("line", "none rises" if line is None else f"{line['line']} of hart {line.get('hart', 0)}, in cycles {phases}"),
        ("engine", plan.engine),
        ("versions", versions),
    ]


def _heats(found: Grids) -> list[Chart]:
    return [heat_map(grid, found.limits) for grid in found.shown]


def write(
    folder: Path,
    plan: Plan,
    requests: Requests,
    table: pa.Table,
    about: Mapping[str, Any],
    silicon: Mapping[str, Silicon],
) -> Path:
    """Write the page.

    Args:
        folder: Of the campaign; the page is `NAME` in it.
        plan: The campaign.
        requests: Of its cases.
        table: Of its runs.
        about: What the store says of it.
        silicon: Of its configurations, if the file asks for it.

    Returns:
        The page.

    Raises:
        TrapezeError: it cannot be written.
    """
    found = grids.grids(plan, table)
    by_config = latencies(plan, table)
    judged = front(by_config, silicon)
    units = [unit for name, unit in (("area", "GE"), ("clock", "MHz")) if name in plan.silicon]
    return pages.write(
        folder / NAME,
        "campaign.html.j2",
        title=f"Trapeze: campaign {plan.name}",
        name=plan.name,
        table=table,
        failed=sum(one.failed for one in by_config),
        pairs=found.count,
        heats=_heats(found),
        most_values=grids.MOST_VALUES,
        by_config=by_config,
        distribution=_distribution(by_config),
        judged=judged,
        scatter=_scatter(judged, units[0]) if judged else None,
        silicon=plan.silicon,
        worst=worst_runs(plan, requests, table),
        facts_of=_facts(plan, about),
    )
