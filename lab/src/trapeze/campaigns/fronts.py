# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Which configurations nothing else beats: the Pareto front over latency, area and clock."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Point:
    """A configuration with its figures.

    Attributes:
        name: Of the configuration.
        worst: The longest latency of its runs, cycles.
        area: GE; None: not measured.
        clock: MHz; None: not measured.
    """

    name: str
    worst: int
    area: float | None
    clock: float | None

    @property
    def costs(self) -> tuple[float, ...]:
        """What is better the smaller it is."""
        return (self.worst, *([self.area] if self.area is not None else []), *([-self.clock] if self.clock else []))

    def dominates(self, other: Point) -> bool:
        """Whether it is nowhere worse than another one, and somewhere better: equals do not dominate each other."""
        both = list(zip(self.costs, other.costs, strict=True))
        return all(own <= its for own, its in both) and any(own < its for own, its in both)


@dataclass(frozen=True)
class Judged:
    """A point, and those of the front that dominate it; none: it is of the front."""

    point: Point
    by: tuple[str, ...]


def judged(points: Sequence[Point]) -> list[Judged]:
    """The points of the front, those with the shortest latency first, then the others.

    All have the same figures: area, clock or both.
    """
    found = []
    front = [one for one in points if not any(other.dominates(one) for other in points)]
    for one in points:
        found.append(Judged(one, tuple(other.name for other in front if other.dominates(one))))
    return sorted(found, key=lambda one: (bool(one.by), one.point.costs))
