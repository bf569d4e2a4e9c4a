# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The page of `--statistics`: where the cycles of modelled harts went."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

from trapeze.reports import pages
from trapeze.reports.figures import Rows
from trapeze.reports.pages.plots import plot
from trapeze.simulation.cycle_causes import MODES, HartCycles
from trapeze.simulation.records import Run

DRAWN = 6
"""Causes with a part of each bar, those that took most; the chart has a colour for one more, which is all others."""

OTHERS = "all others"


def figure(harts: Sequence[HartCycles]) -> Rows:
    """A bar for each hart and privilege, with a part for each cause."""
    bars = [(hart, mode) for hart in harts for mode in MODES if any(one.cycles[mode] for one in hart.causes)]
    took: dict[str, int] = {}
    for hart in harts:
        for one in hart.causes:
            took[one.name] = took.get(one.name, 0) + one.all_cycles
    drawn = sorted(took, key=lambda name: -took[name])[:DRAWN]
    series = {
        name: tuple(
            (0.0, float(sum(one.cycles[mode] for one in hart.causes if one.name == name))) for hart, mode in bars
        )
        for name in took
        if name in drawn and took[name]
    }
    rest = tuple(
        (0.0, float(sum(one.cycles[mode] for one in hart.causes if one.name not in drawn))) for hart, mode in bars
    )
    several = len(harts) > 1
    return Rows(
        "Cycles by privilege",
        "cycles",
        tuple(f"hart {hart.hart}, {mode}" if several else mode for hart, mode in bars),
        series | ({OTHERS: rest} if any(last for _, last in rest) else {}),
        stacked=True,
    )


def write(path: Path, record: Run, config: str, command: Sequence[str]) -> Path:
    """Write the page.

    Args:
        path: Where to.
        record: Of the run; it has a hart with statistics.
        config: Name of the configuration.
        command: What was run.

    Raises:
        TrapezeError: it cannot be written.
    """
    facts = [
        ("program", record.elf),
        ("configuration", config),
        ("engine", record.engine),
        ("command", shlex.join(command)),
        ("end", record.how),
    ]
    return pages.write(
        path,
        "cycles.html.j2",
        title=f"Trapeze: where the cycles of {record.elf} went",
        chart_of=plot(figure(record.statistics)),
        harts=record.statistics,
        modes=MODES,
        facts_of=facts,
    )
