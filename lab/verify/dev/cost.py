# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Where the time of `make test` went: its phases, each suite, the dearest tests; `build/test/cost.json` keeps all."""

from __future__ import annotations

import json
import time
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from trapeze.common.output import write_atomic

DEAREST = 10
"""Tests that are named."""


def cases(report: Path) -> Iterator[tuple[str, str, float]]:
    """Suite, name and seconds of each test in a JUnit report of pytest; none if there is no report."""
    if not report.exists():
        return
    for case in ElementTree.parse(report).iter("testcase"):  # noqa: S314 (our own file)
        suite = case.get("classname", "").rpartition(".")[0].replace(".", "/")
        yield suite, f"{case.get('classname', '')}::{case.get('name', '')}", float(case.get("time", 0))


@dataclass
class Cost:
    """Seconds by phase, in order, and of tests by suite and name."""

    phases: dict[str, float] = field(default_factory=dict)
    suites: Counter[str] = field(default_factory=Counter)
    tests: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """What the block takes is that of a phase."""
        started = time.monotonic()
        try:
            yield
        finally:
            self.phases[name] = self.phases.get(name, 0) + time.monotonic() - started

    def read(self, report: Path) -> None:
        """Add the tests of a JUnit report of pytest."""
        for suite, name, seconds in cases(report):
            self.suites[suite] += seconds  # type: ignore[assignment]
            self.tests[name] = seconds

    @property
    def dearest(self) -> list[tuple[str, float]]:
        """The tests that took longest."""
        return sorted(self.tests.items(), key=lambda one: -one[1])[:DEAREST]

    def lines(self) -> list[str]:
        """For the end of a run: phases in seconds on the clock, suites and tests in seconds of their worker."""
        return [
            f"on the clock: {_listed(self.phases)}",
            f"suites, seconds of a worker: {_listed(dict(self.suites.most_common()))}",
            *(f"{seconds:6.1f} s  {name}" for name, seconds in self.dearest),
        ]

    def write(self, path: Path) -> None:
        """Keep it, in JSON."""
        kept = {"phases": self.phases, "suites": dict(self.suites.most_common()), "tests": self.tests}
        write_atomic(path, json.dumps(kept, indent=1) + "\n")


def _listed(seconds: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {took:.0f} s" for name, took in seconds.items() if took >= 1)
