# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Figures of what is lost under a monitor, as the experiment's file groups the tests."""

from __future__ import annotations

from collections.abc import Sequence

from trapeze.experiment_files import Experiment
from trapeze.reports.figures import Figure, Rows
from trapeze.results.rows import Row


def _figure(title: str, unit: str, tests: Sequence[str], rows: Sequence[Row]) -> Rows | None:
    """A bar of each scheme for each test, and what was published; None if none of the tests was measured."""
    found = {(row.labels["scheme"], row.labels["test"]): row for row in rows if row.labels.get("test") in tests}
    names = tuple(test for test in tests if any(test == measured for _, measured in found))
    if not names:
        return None
    held = {test: row for (_, test), row in found.items() if row.published is not None}
    return Rows(
        f"{title}, {unit}",
        unit,
        names,
        {
            scheme: tuple(
                (0.0, found[scheme, test].statistics.p50) if (scheme, test) in found else None for test in names
            )
            for scheme in dict.fromkeys(scheme for scheme, _ in found)
        },
        published=tuple(held[test].published if test in held else None for test in names) if held else (),
        source=", ".join(dict.fromkeys(row.source or "" for row in held.values())),
    )


def figures(experiment: Experiment, rows: Sequence[Row]) -> list[Figure]:
    """The figures that the file names, of the metric `loss`; those of which nothing was measured are left out.

    They show the ABI of the first row, which is the one that was published.
    """
    lost = [row for row in rows if row.metric == "loss"]
    lost = [row for row in lost if row.labels.get("abi") == lost[0].labels.get("abi")]
    drawn = (
        _figure(one["title"], experiment.metrics["loss"].unit, one["tests"], lost)
        for one in experiment.own.get("figures", ())
    )
    return [figure for figure in drawn if figure is not None]
