# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Figures of `peers`: area against frequency and against the worst case, and how far each core's latency spreads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from trapeze import experiment_files
from trapeze.experiment_files import Experiment, Published
from trapeze.reports.figures import Figure, Rows, Scatter
from trapeze.results.rows import Row

OURS = "trapeze/"
"""How the names of our cores begin."""

LATENCIES = {"latency": "without divides", "latency-divides": "with divides in the program"}
"""What was measured in every phase."""

HELD_BY = "irq-latency"
"""The experiment that knows the published latency of a scheme: of the same handler, in the SoC."""


def _published(rows: Sequence[Row]) -> dict[str, Published]:
    """By core, the published latency of its interrupt scheme."""
    known = {
        (case.labels["scheme"], case.labels["abi"]): case.published["latency"]
        for case in reversed(experiment_files.load(HELD_BY).cases)
        if "latency" in case.published
    }
    keys = {row.id: (row.labels["scheme"], row.labels["abi"]) for row in rows}
    return {core: known[key] for core, key in keys.items() if key in known}


def _plane(title: str, across: Mapping[str, float], up: Mapping[str, float], axes: tuple[str, str]) -> list[Figure]:
    points = [(core, across[core], up[core]) for core in across if core in up]
    groups = {
        "ours": tuple(one for one in points if one[0].startswith(OURS)),
        "others": tuple(one for one in points if not one[0].startswith(OURS)),
    }
    found = {name: group for name, group in groups.items() if group}
    return [Scatter(title, *axes, found)] if len(points) > 1 else []


def figures(experiment: Experiment, rows: Sequence[Row]) -> list[Figure]:
    """The figures that the rows allow: without placements there are no frequencies."""
    metrics = experiment.metrics
    of = {name: {row.id: row.statistics for row in rows if row.metric == name} for name in metrics}
    area = {core: found.p50 for core, found in of["area"].items()}
    axis = f"area, {metrics['area'].unit}"
    drawn = _plane(
        "Area and frequency: up and to the left is better",
        area,
        {core: found.max for core, found in of["fmax"].items()},
        (axis, f"frequency on an ECP5, {metrics['fmax'].unit}"),
    )
    drawn += _plane(
        "Area and worst latency: down and to the left is better",
        area,
        {core: found.max for core, found in of["latency-divides"].items()},
        (axis, f"worst latency, {metrics['latency'].unit}"),
    )
    cores = tuple(of["latency"])
    if cores:
        published = _published([row for row in rows if row.metric == "latency"])
        source = ", ".join(dict.fromkeys(one.source for one in published.values()))
        spans = {
            said: tuple((found.min, found.max) if (found := of[name].get(core)) else None for core in cores)
            for name, said in LATENCIES.items()
        }
        drawn.append(
            Rows(
                f"Latency at every phase, least to most, cycles; published: {source}",
                metrics["latency"].unit,
                cores,
                spans,
                published=tuple(published[core].value if core in published else None for core in cores),
                source=source,
            )
        )
    return drawn
