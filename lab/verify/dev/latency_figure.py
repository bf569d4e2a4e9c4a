# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The figure on the book's first page: interrupt latency of each scheme, and what was published for it.

The values are those that the tests of `irq-latency` hold each phase against (`histograms`): what `make bench` measures.
"""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass

from trapeze import experiment_files
from trapeze.experiment_files import row_names
from verify.dev import histograms

EXPERIMENT = "irq-latency"
ABI = "ilp32"

WIDTH, NAMES, LINE, BAR, HEAD = 720, 90, 30, 18, 8
"""Pixels: the drawing, the names on its left, from bar to bar, a bar, above the first."""

ROOM = 60
"""Behind the longest bar or mark, for its figure."""


@dataclass(frozen=True)
class Bar:
    """A scheme: the cycles of its worst phase, those that were published, and what its name means."""

    name: str
    worst: float
    published: float
    meaning: str


def bars() -> list[Bar]:
    """The schemes, of one ABI, in the program that all are measured in."""
    experiment = experiment_files.load(EXPERIMENT)
    metric = next(iter(experiment.metrics))
    known = histograms.expected(EXPERIMENT)
    found = []
    for case in experiment.cases:
        scheme, _, abi = case.id.partition("/")
        if abi == ABI and scheme == case.labels["scheme"] and metric in case.published:
            meaning = dict(row_names.words(experiment, scheme)).get(scheme, "")
            found.append(Bar(scheme, max(known[case.id][metric]), case.published[metric].value, meaning))
    return found


def draw(shown: Sequence[Bar]) -> str:
    """The figure as HTML: an SVG in the colours of the page around it, and what it shows."""
    scale = (WIDTH - NAMES - ROOM) / max(max(bar.worst, bar.published) for bar in shown)
    parts = []
    for place, bar in enumerate(shown):
        top, middle = HEAD + place * LINE, HEAD + place * LINE + BAR // 2
        mark = NAMES + bar.published * scale
        parts.append(
            f"<g><title>{html.escape(f'{bar.name}: {bar.meaning}')}</title>"
            f'<text x="{NAMES - 8}" y="{middle}" text-anchor="end" dominant-baseline="central">{bar.name}</text>'
            f'<rect x="{NAMES}" y="{top}" width="{bar.worst * scale:.1f}" height="{BAR}" class="ours"/>'
            f'<text x="{NAMES + 6}" y="{middle}" dominant-baseline="central" class="value">{bar.worst:g}</text>'
            f'<line x1="{mark:.1f}" x2="{mark:.1f}" y1="{top - 3}" y2="{top + BAR + 3}" class="published"/>'
            f'<text x="{mark + 6:.1f}" y="{middle}" dominant-baseline="central">{bar.published:g}</text></g>'
        )
    height = HEAD + len(shown) * LINE
    best = min(shown, key=lambda bar: bar.worst)
    said = (
        f"Cycles from the pin to the first instruction from which C may be called, {ABI}: the bar is our worst phase, "
        f"the line what was published. With {best.name} {best.worst:g}, published {best.published:g}."
    )
    return (
        f'<figure class="latency"><svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{html.escape(said)}">'
        f"{''.join(parts)}</svg><figcaption>{html.escape(said)}</figcaption></figure>"
    )


def on_first_page(text: str) -> str:
    """The README with the figure in front of its first block of commands.

    Raises:
        ValueError: it has none.
    """
    head, fence, rest = text.partition("\n```\n")
    if not fence:
        raise ValueError("README.md: no block of commands to put the latency figure in front of")
    return f"{head}\n{draw(bars())}\n{fence}{rest}"
