# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Where the time of a run went."""

from __future__ import annotations

import json
from pathlib import Path

from verify.dev.cost import DEAREST, Cost

CASE = '<testcase classname="lab.tests.dev.test_{0}" name="test_it[{1}]" time="{1}"/>'


def test_cost(tmp_path: Path) -> None:
    report = tmp_path / "pytest.xml"
    every = "".join(CASE.format(name, seconds) for name in "ab" for seconds in range(1, 9))
    report.write_text(f"<testsuites><testsuite>{every}</testsuite></testsuites>")
    cost = Cost()
    with cost.phase("suites"):
        cost.read(report)
    cost.phases = {"lint": 61.2, "suites": 100.4}
    lines = cost.lines()
    assert lines[0] == "on the clock: lint 61 s, suites 100 s"
    assert lines[1] == "suites, seconds of a worker: lab/tests/dev 72 s"
    assert len(lines) == 2 + DEAREST
    assert lines[2] == "   8.0 s  lab.tests.dev.test_a::test_it[8]"
    cost.write(tmp_path / "cost.json")
    kept = json.loads((tmp_path / "cost.json").read_text())
    assert kept["suites"] == {"lab/tests/dev": 72}
    assert len(kept["tests"]) == 16


def test_no_report(tmp_path: Path) -> None:
    """As where pytest could not begin."""
    cost = Cost()
    cost.read(tmp_path / "none.xml")
    assert cost.lines() == ["on the clock: ", "suites, seconds of a worker: "]
