# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""`trapeze check`: measured figures against a user's budgets.

A budget file is TOML: a table per row id and metric, a limit per statistic.

    ["clint/ilp32".latency]
    max = 33
    jitter = 4.5
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trapeze.errors import TrapezeError, choices
from trapeze.schema import load_toml

EXAMPLE = 'write for example ["clint/ilp32".latency] and below it max = 33'
_UNREAL = 1e18
"""No figure is as large; infinity and what is no number are not below it."""

STATISTICS = ("min", "p50", "p99", "p99.9", "max", "mean", "stdev", "jitter")


@dataclass(frozen=True)
class Verdict:
    """One budget and what was measured; `measured` and `limit` in the row's unit."""

    row: str
    metric: str
    statistic: str
    unit: str
    measured: float
    limit: float

    @property
    def kept(self) -> bool:
        """Whether the figure is within its budget."""
        return self.measured <= self.limit


def _table(value: object, where: str) -> dict[str, Any]:
    if not isinstance(value, dict) or not value:
        raise TrapezeError(f"{where}: must be a table; {EXAMPLE}")
    return value


def load(path: Path) -> list[tuple[str, str, str, float]]:
    """The budgets of a file, each as row id, metric, statistic and limit.

    Raises:
        TrapezeError: the file cannot be read or holds something else.
    """
    raw = load_toml(path)
    if not raw:
        raise TrapezeError(f"{path}: holds no budget; {EXAMPLE}")
    budgets = []
    for row, metrics in raw.items():
        for metric, limits in _table(metrics, f"{path}: {row}").items():
            for statistic, limit in _table(limits, f"{path}: {row}.{metric}").items():
                where = f"{path}: {row}.{metric}.{statistic}"
                if statistic not in STATISTICS:
                    raise TrapezeError(f"{where}: unknown statistic; {choices(statistic, STATISTICS)}")
                if isinstance(limit, bool) or not isinstance(limit, int | float) or not abs(limit) < _UNREAL:
                    raise TrapezeError(f"{where}: the limit must be a number, not {limit!r}")
                budgets.append((row, metric, statistic, float(limit)))
    return budgets


def junit(verdicts: Sequence[Verdict], result: Mapping[str, Any]) -> str:
    """Verdicts as JUnit XML: a test case for each budget, its class the row."""
    from junitparser import Failure, JUnitXml, TestCase, TestSuite

    suite = TestSuite(f"trapeze {result['experiment']}")
    suite.timestamp = result["created"]
    suite.add_property("commit", result["commit"] or "unknown")
    for one in verdicts:
        name = f"{one.metric} {one.statistic} <= {one.limit:g} {one.unit}"
        case = TestCase(name, classname=one.row)
        if not one.kept:
            case.result = [Failure(f"measured {one.measured:g} {one.unit}, budget {one.limit:g}", "OverBudget")]
        suite.add_testcase(case)
    document = JUnitXml()
    document.add_testsuite(suite)
    document.update_statistics()
    return str(document.tostring().decode()) + "\n"


def check(budgets: list[tuple[str, str, str, float]], result: dict[str, Any], name: str) -> list[Verdict]:
    """Hold a result against budgets.

    Args:
        budgets: Of `load`.
        result: A result object.
        name: Of the result, for errors.

    Raises:
        TrapezeError: a budget names a row or metric that the result does not have.
    """
    rows = {(row["id"], row["metric"]): row for row in result["rows"]}
    verdicts = []
    for row, metric, statistic, limit in budgets:
        found = rows.get((row, metric))
        if found is None:
            known = [f"{some_id} {some_metric}" for some_id, some_metric in rows]
            wanted = f"{row} {metric}"
            raise TrapezeError(f"{name}: has no row and metric '{wanted}'; {choices(wanted, known)}")
        verdicts.append(Verdict(row, metric, statistic, found["unit"], float(found[statistic]), limit))
    return verdicts
