# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""`trapeze check`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from junitparser import JUnitXml

from verify.dev.testing import Trapeze


def budget(folder: Path, text: str) -> Path:
    """A budget file."""
    path = folder / "budget.toml"
    path.write_text(text)
    return path


def test_kept(trapeze: Trapeze, tmp_path: Path, result: Callable[..., Path]) -> None:
    said = trapeze("check", budget(tmp_path, '["clint/ilp32".latency]\nmax = 30\njitter = 0.5\n"p99.9" = 31'), result())
    assert said.code == 0
    assert "3 budgets, 0 exceeded" in said.out


def test_exceeded(trapeze: Trapeze, tmp_path: Path, result: Callable[..., Path]) -> None:
    said = trapeze("check", budget(tmp_path, '["clint/ilp32".latency]\nmax = 29\nmean = 30'), result())
    assert said.code == 1
    assert "EXCEEDED" in said.out
    assert "2 budgets, 1 exceeded" in said.out


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("n = 2", 0),
        ("n = 3", 1),
        ("n = { max = 2 }", 0),
        ("n = { max = 1 }", 1),
        ("min = { min = 29 }", 0),
        ("min = { min = 29.5 }", 1),
        ("max = { min = 30, max = 30 }", 0),
        ("max = { min = 31 }", 1),
        ("max = { max = 29 }", 1),
    ],
)
def test_lower_limits(trapeze: Trapeze, tmp_path: Path, result: Callable[..., Path], text: str, code: int) -> None:
    """Figures that are too good, and samples that got lost, fail a build."""
    said = trapeze("check", budget(tmp_path, f'["clint/ilp32".latency]\n{text}'), result())
    assert said.code == code, said.out
    assert ("UNDERCUT" in said.out or "EXCEEDED" in said.out) == bool(code)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "holds no budget"),
        ("max = ", "not TOML"),
        ("max = 3", "max: must be a table"),
        ('["clint/ilp32"]\nlatency = 3', "latency: must be a table"),
        ('["clint/ilp32".latency]\nmaks = 3', "unknown statistic; did you mean 'max'"),
        ('["clint/ilp32".latency]\nmax = "3"', "must be a number"),
        ('["clint/ilp32".latency]\nmax = true', "must be a number"),
        ('["clint/ilp32".latency]\nmax = inf', "must be a number"),
        ('["clint/ilp32".latency]\nmax = nan', "must be a number"),
        ('["clint/ilp32".latency]\nmean = {}', "holds no limit"),
        ('["clint/ilp32".latency]\nmean = { mim = 3 }', "unknown limit 'mim'; did you mean 'min'"),
        ('["clint/ilp32".latency]\nmean = { min = "3" }', "mean.min: the limit must be a number"),
        ('["clint/ilp32".latency]\nn = { min = 9, max = 3 }', "no figure is at least 9 and at most 3"),
        ('["clint/ilp32".latencies]\nmax = 3', "did you mean 'clint/ilp32 latency'"),
        ('["clint/x".latency]\nmax = 3', "has no row and metric 'clint/x latency'"),
    ],
)
def test_wrong_budgets(trapeze: Trapeze, tmp_path: Path, result: Callable[..., Path], text: str, says: str) -> None:
    said = trapeze("check", budget(tmp_path, text), result())
    assert said.code == 2
    assert says in said.error


def test_wrong_results(trapeze: Trapeze, tmp_path: Path, result: Callable[..., Path]) -> None:
    limits = budget(tmp_path, '["clint/ilp32".latency]\nmax = 30')
    path = result()
    for text, says in {
        "{": "not JSON",
        path.read_text().replace('"rows"', '"rowz"'): "unknown key 'rowz'; did you mean 'rows'",
        path.read_text().replace('"max": 30', '"max": "30"'): "rows.0.max",
        "[]": "is not of type 'object'",
    }.items():
        path.write_text(text)
        said = trapeze("check", limits, path)
        assert said.code == 2
        assert says in said.error
    for missing in (tmp_path / "no.json", tmp_path):
        said = trapeze("check", limits, missing)
        assert said.code == 2
        assert str(missing) in said.error
    assert trapeze("check", tmp_path / "no.toml", result()).code == 2


def test_junit(trapeze: Trapeze, tmp_path: Path, result: Callable[..., Path]) -> None:
    """What a CI server reads."""
    limits = budget(tmp_path, '["clint/ilp32".latency]\nmax = 29\nmin = 29\nn = 100\n')
    path = tmp_path / "out.xml"
    assert trapeze("check", limits, result(), "--junit", path).code == 1
    (suite,) = JUnitXml.fromfile(str(path))
    assert (suite.tests, suite.failures) == (3, 2)
    cases = {case.name: case for case in suite}
    (failure,) = cases["latency max <= 29 cycles"].result
    assert failure.message == "measured 30 cycles, budget 29"
    assert cases["latency min <= 29 cycles"].result == []
    (lost,) = cases["latency n >= 100"].result
    assert (lost.message, lost.type) == ("measured 2, budget 100", "UnderBudget")
    assert {case.classname for case in suite} == {"clint/ilp32"}


def test_junit_that_cannot_be_written(trapeze: Trapeze, tmp_path: Path, result: Callable[..., Path]) -> None:
    limits = budget(tmp_path, '["clint/ilp32".latency]\nmax = 29\n')
    said = trapeze("check", limits, result(), "--junit", "/no/such/folder/x.xml")
    assert said.code == 2
    assert "/no/such/folder" in said.error
    assert said.out == ""
