# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""`trapeze compare`: what changed between two result files, in the terminal and as a page."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.text import Text

from trapeze import experiment_files
from trapeze.common import output
from trapeze.common.console import fitted, out, table
from trapeze.common.errors import TrapezeError
from trapeze.reports import pages
from trapeze.reports.pages import Chart
from trapeze.reports.tables import number
from trapeze.results import store
from trapeze.results.differences import Difference, RowName, differences, kept_apart
from trapeze.results.rows import Row
from trapeze.results.statistics import Statistics

VERDICTS = {"partly": "mixed", "equal": "other samples", "none": "other conditions"}
"""Words for standings that have another name inside."""

DRAWN = 40
"""Changes in a chart, the largest."""


@dataclass(frozen=True)
class Change:
    """A figure that has changed.

    Attributes:
        id: Of the row.
        metric: What was measured.
        unit: Of the statistics.
        better: What is good: `lower` or `higher`.
        before: The one sample.
        after: The other.
        apart: Whether they were measured under conditions that are not the same.
    """

    id: str
    metric: str
    unit: str
    better: str
    before: Statistics
    after: Statistics
    apart: bool = False

    def _worst(self, found: Statistics) -> float:
        return found.max if self.better == "lower" else found.min

    @property
    def worst_before(self) -> float:
        """The least favourable value of the first file."""
        return self._worst(self.before)

    @property
    def worst_after(self) -> float:
        """The least favourable value of the second file."""
        return self._worst(self.after)

    @property
    def percent(self) -> float | None:
        """Change of the median, or of the mean where the medians are equal; None from zero."""
        old, new = self.before.p50, self.after.p50
        if old == new:
            old, new = self.before.mean, self.after.mean
        return 100 * (new - old) / old if old else None

    @property
    def change(self) -> str:
        """The change as text."""
        return "-" if self.percent is None else f"{self.percent:+.1f} %"

    @property
    def standing(self) -> str:
        """`better` or `worse` if no statistic contradicts, else `partly`; `equal` if only the samples differ.

        `none` where it is neither, since the conditions are others.
        """
        if self.apart:
            return "none"
        sign = 1 if self.better == "lower" else -1
        pairs = [
            (self.worst_before, self.worst_after),
            (self.before.p50, self.after.p50),
            (self.before.mean, self.after.mean),
        ]
        signs = {(sign * new > sign * old) - (sign * new < sign * old) for old, new in pairs} - {0}
        return {frozenset(): "equal", frozenset({-1}): "better", frozenset({1}): "worse"}.get(
            frozenset(signs), "partly"
        )

    @property
    def verdict(self) -> str:
        """The standing in words."""
        return VERDICTS.get(self.standing, self.standing)


@dataclass(frozen=True)
class Comparison:
    """Two results, row by row.

    Attributes:
        changes: The figures that have changed.
        same: How many rows are equal to the last sample.
        gone: Rows of the first one only.
        new: Rows of the second one only.
        conditions: What they were measured with that is not the same.
    """

    changes: tuple[Change, ...]
    same: int
    gone: tuple[str, ...]
    new: tuple[str, ...]
    conditions: tuple[Difference, ...] = ()

    @property
    def summary(self) -> str:
        """In one sentence."""
        counts = {
            word: sum(one.verdict == word for one in self.changes) for word in ("better", "worse", *VERDICTS.values())
        }
        said = ", ".join(f"{count} {word}" for word, count in counts.items() if count)
        return (
            f"{len(self.changes)} of {len(self.changes) + self.same} figures changed"
            f"{f' ({said})' if said else ''}; {len(self.gone)} only before, {len(self.new)} only after"
        )


def _directions(names: str) -> dict[str, str]:
    """What is good, by metric, as the experiments say that a file names."""
    known = set(experiment_files.names())
    metrics = [
        metric for name in names.split("+") if name in known for metric in experiment_files.load(name).metrics.values()
    ]
    return {metric.name: metric.better for metric in metrics}


def _name(row: Row) -> str:
    return f"{row.id} {row.metric}"


def _changes(
    before: Mapping[str, Row], after: Mapping[str, Row], directions: Mapping[str, str], apart: Collection[RowName]
) -> Iterator[Change]:
    for name, old in before.items():
        new = after.get(name)
        if new is None:
            continue
        if new.unit != old.unit:
            raise TrapezeError(f"row '{name}' is in {old.unit} before and in {new.unit} after: not to be compared")
        if new.statistics == old.statistics:
            continue
        better = directions.get(old.metric, "lower")  # those of `trapeze run` are in no experiment
        yield Change(
            old.id, old.metric, old.unit, better, old.statistics, new.statistics, (old.id, old.metric) in apart
        )


def compare(before: Mapping[str, Any], after: Mapping[str, Any]) -> Comparison:
    """Two result objects.

    Raises:
        TrapezeError: a row has another unit, or no row is in both.
    """
    old = {_name(row): row for row in map(Row.of_json, before["rows"])}
    new = {_name(row): row for row in map(Row.of_json, after["rows"])}
    both = [name for name in old if name in new]
    if not both:
        raise TrapezeError("no row is in both files: compare results of the same experiments")
    found = differences(before, after)
    apart = kept_apart(found, [(old[name].id, old[name].metric) for name in both])
    changes = tuple(_changes(old, new, _directions(before["experiment"]) | _directions(after["experiment"]), apart))
    return Comparison(
        changes,
        len(both) - len(changes),
        tuple(name for name in old if name not in new),
        tuple(name for name in new if name not in old),
        tuple(found),
    )


def _lost(result: Mapping[str, Any]) -> list[str]:
    """The rows that are missing because they failed."""
    return [f"{one['row']} ({one['error'].splitlines()[0]})" for one in result.get("failed", ())]


def _chart(changes: Sequence[Change]) -> Chart | None:
    known = [one for one in changes if one.percent]
    if not known:
        return None
    shown = sorted(known, key=lambda one: abs(one.percent or 0), reverse=True)[:DRAWN]
    names = [f"{one.id} {one.metric}" for one in shown]
    return pages.bars(
        "change of the median (of the mean where it stayed), per cent",
        names,
        [
            {
                "name": "change",
                "x": [one.percent for one in shown],
                "texttemplate": "%{x:+.1f} %",
                "textposition": "auto",
            }
        ],
        showlegend=False,
    )


def run(before_file: Path, after_file: Path, html: Path | None = None) -> None:
    """Print the changes, and write a page of them if one is named.

    Raises:
        TrapezeError: malformed input, or a page that cannot be written.
    """
    if html is not None:
        pages.require_page(html)
        output.check_writable(html)
        output.check_distinct({"the earlier result": before_file, "the later result": after_file}, {"--html": html})
    before, after = store.load(before_file), store.load(after_file)
    found = compare(before, after)
    console = out()
    if found.conditions:
        console.print(Text("Not the same conditions", style="bold"))
        conditions = table("what", "before", "after", "rows")
        for other in found.conditions:
            conditions.add_row(other.what, other.before, other.after, other.where)
        console.print(conditions, "")
    if found.changes:
        listing = table("row", "metric", ">median", ">now", ">worst", ">now", ">change", "verdict")
        for one in found.changes:
            values = (one.before.p50, one.after.p50, one.worst_before, one.worst_after)
            listing.add_row(one.id, one.metric, *map(number, values), one.change, one.verdict)
        console.print(*fitted(console, listing), "")
    alone = [
        *(("Only before", found.gone), ("Only after", found.new)),
        *(("Failed before", _lost(before)), ("Failed after", _lost(after))),
    ]
    for title, names in alone:
        if names:
            console.print(f"{title}: {', '.join(names)}", "")
    console.print(found.summary)
    if html is not None:
        pages.write(
            html,
            "compare.html.j2",
            title="Trapeze: what changed",
            summary=found.summary,
            drawn=_chart(found.changes),
            changes=found.changes,
            conditions=found.conditions,
            alone=[(title, names) for title, names in alone if names],
            before=[("file", before_file.name), *pages.provenance(before)],
            after=[("file", after_file.name), *pages.provenance(after)],
        )
        console.print(f"Page: {html}", soft_wrap=True)
