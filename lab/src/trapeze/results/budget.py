# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""`trapeze check`: measured figures against a user's budgets.

A budget file is TOML: a table per row id and metric, a limit per statistic. A number is the most that is allowed, but
for `n`, the size of the sample, where it is the least. A table says both ways.

    ["clint/ilp32".latency]
    max = 33
    jitter = 4.5
    mean = { min = 4, max = 33 }
    n = 497
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trapeze.common.errors import TrapezeError, choices
from trapeze.common.schema import load_toml

EXAMPLE = 'write for example ["clint/ilp32".latency] and below it max = 33'
_UNREAL = 1e18
"""No figure is as large; infinity and what is no number are not below it."""

SAMPLE = "n"
"""The statistic that a plain number limits from below: samples must not get lost."""

STATISTICS = ("min", "p50", "p99", "p99.9", "max", "mean", "stdev", "jitter", SAMPLE)
SIDES = ("min", "max")


@dataclass(frozen=True)
class Limit:
    """What is allowed of one statistic of a row, in the row's unit.

    Attributes:
        row: Its id.
        metric: Its metric.
        statistic: One of `STATISTICS`.
        value: The last value that is allowed.
        least: Whether more is allowed; else less is.
    """

    row: str
    metric: str
    statistic: str
    value: float
    least: bool = False

    @property
    def sign(self) -> str:
        """How the figure has to compare."""
        return ">=" if self.least else "<="


@dataclass(frozen=True)
class Verdict:
    """One limit and what was measured, in `unit`."""

    limit: Limit
    unit: str
    measured: float

    @property
    def kept(self) -> bool:
        """Whether the figure is within its limit."""
        return self.measured >= self.limit.value if self.limit.least else self.measured <= self.limit.value


def _table(value: object, where: str) -> dict[str, Any]:
    if not isinstance(value, dict) or not value:
        raise TrapezeError(f"{where}: must be a table; {EXAMPLE}")
    return value


def _number(value: object, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < _UNREAL:
        raise TrapezeError(f"{where}: the limit must be a number, not {value!r}")
    return float(value)


def _sides(value: object, statistic: str, where: str) -> dict[str, float]:
    """The limits of a statistic, by `SIDES`."""
    if not isinstance(value, dict):
        return {"min" if statistic == SAMPLE else "max": _number(value, where)}
    if not value:
        raise TrapezeError(f"{where}: holds no limit; write for example {{ min = 4, max = 33 }}")
    for side in value:
        if side not in SIDES:
            raise TrapezeError(f"{where}: unknown limit '{side}'; {choices(side, SIDES)}")
    sides = {side: _number(limit, f"{where}.{side}") for side, limit in value.items()}
    if len(sides) == len(SIDES) and sides["min"] > sides["max"]:
        raise TrapezeError(f"{where}: no figure is at least {sides['min']:g} and at most {sides['max']:g}")
    return sides


def load(path: Path) -> list[Limit]:
    """The limits of a file.

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
                for side, value in _sides(limit, statistic, where).items():
                    budgets.append(Limit(row, metric, statistic, value, side == "min"))
    return budgets


def junit(verdicts: Sequence[Verdict], result: Mapping[str, Any]) -> str:
    """Verdicts as JUnit XML: a test case for each budget, its class the row."""
    from junitparser import Failure, JUnitXml, TestCase, TestSuite

    suite = TestSuite(f"trapeze {result['experiment']}")
    suite.timestamp = result["created"]
    suite.add_property("commit", result["commit"] or "unknown")
    for one in verdicts:
        limit = one.limit
        name = f"{limit.metric} {limit.statistic} {limit.sign} {limit.value:g} {one.unit}".rstrip()
        case = TestCase(name, classname=limit.row)
        if not one.kept:
            measured = f"measured {one.measured:g} {one.unit}".rstrip()
            case.result = [
                Failure(f"{measured}, budget {limit.value:g}", "UnderBudget" if limit.least else "OverBudget")
            ]
        suite.add_testcase(case)
    document = JUnitXml()
    document.add_testsuite(suite)
    document.update_statistics()
    return str(document.tostring().decode()) + "\n"


def check(budgets: Sequence[Limit], result: dict[str, Any], name: str) -> list[Verdict]:
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
    for limit in budgets:
        found = rows.get((limit.row, limit.metric))
        if found is None:
            known = [f"{some_id} {some_metric}" for some_id, some_metric in rows]
            wanted = f"{limit.row} {limit.metric}"
            raise TrapezeError(f"{name}: has no row and metric '{wanted}'; {choices(wanted, known)}")
        unit = "" if limit.statistic == SAMPLE else found["unit"]
        verdicts.append(Verdict(limit, unit, float(found[limit.statistic])))
    return verdicts
