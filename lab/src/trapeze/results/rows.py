# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Rows of result files: one figure with its spread, and rows that are not there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from trapeze.results.statistics import Statistics, summarize

SPAN_FIELDS = ("from", "to", "open", "missed", "unwoken", "worst")
"""Fields of a span: its events, starts that never ended, starts while one was open, interrupts that were served
without a wake of the task in which it ends, and where its longest one lies."""

PHASES = "phases"
"""Field of a sweep: what each of its runs took, by the cycle of its edge."""

CLOCKED = "us"
"""Field of a run with --clock: the statistics in microseconds."""

MORE = (*SPAN_FIELDS, PHASES, CLOCKED)
"""Fields that only some rows have."""


@dataclass(frozen=True)
class Row:
    """One figure with its spread.

    Attributes:
        id: With `metric` unique in a file.
        config: Configuration it was measured on.
        engine: Engine it was measured on.
        metric: What was measured.
        unit: Of every statistic.
        statistics: The sample.
        labels: See the schema for the keys in use.
        published: The figure it is held against.
        source: Where that was published.
        more: What rows of this metric say beside that, see `MORE`.
    """

    id: str
    config: str
    engine: str
    metric: str
    unit: str
    statistics: Statistics
    labels: Mapping[str, str] = field(default_factory=dict)
    published: float | None = None
    source: str | None = None
    more: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, values: Sequence[float], **fields: Any) -> Row:
        """A row from a sample."""
        return cls(statistics=summarize(values), **fields)

    @classmethod
    def of_json(cls, value: Mapping[str, Any]) -> Row:
        """A row of a result file."""
        names = ("id", "config", "engine", "metric", "unit", "labels", "published", "source")
        more = {name: value[name] for name in MORE if name in value}
        return cls(statistics=Statistics.of_fields(value), more=more, **{name: value[name] for name in names})

    def to_json(self) -> dict[str, object]:
        """The row as an object of a result file."""
        return {
            "id": self.id,
            "config": self.config,
            "engine": self.engine,
            "labels": dict(self.labels),
            "metric": self.metric,
            "unit": self.unit,
            **self.statistics.fields(),
            "published": self.published,
            "source": self.source,
            **self.more,
        }


@dataclass(frozen=True)
class Failure:
    """A row of an experiment that was asked for and is not there, and why."""

    experiment: str
    row: str
    error: str

    def to_json(self) -> dict[str, str]:
        """As in a result file."""
        return {"experiment": self.experiment, "row": self.row, "error": self.error}
