# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Turns: in ten that follow each other each test runs, and what is listed are tests that there are."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from trapeze.common import paths
from trapeze.common.errors import TrapezeError
from trapeze.platform import configurations
from verify.dev import turns
from verify.dev.turns import PERIOD, STANDING, Candidate, Period

LISTED: dict[str, Period] = {"a.py::test_dear": 10, "a.py::test_dear_one": 4, "b.py": "waves"}
TESTS = [
    *(Candidate(f"a.py::test_dear[{number}]") for number in range(27)),
    *(Candidate(f"a.py::test_dear_one[{number}]") for number in range(9)),
    *(Candidate(f"{file}::test_random[{name}]", name) for file in ("a.py", "b.py") for name in configurations.names()),
    *(Candidate(f"a.py::test_dear[{name}]", name) for name in configurations.names()),
    Candidate("a.py::test_cheap"),
]


def _due(turn: int) -> set[str]:
    chosen = turns.due(TESTS, turn, LISTED)
    return {test.name for test, now in zip(TESTS, chosen, strict=True) if now}


@pytest.mark.parametrize("first", [0, 7, 740_001])
def test_each_test_comes_in_any_ten_turns(first: int) -> None:
    """But for engines with waves of those that have none in `make test`: variants."""
    never = {test.name for test in TESTS if test.name.startswith("b.py")}
    never -= {f"b.py::test_random[{name}]" for name in configurations.names(variants=False)}
    assert set().union(*map(_due, range(first, first + PERIOD))) == {test.name for test in TESTS} - never


def test_parts_are_equal() -> None:
    alike = [Candidate(f"a.py::test_dear[{number}]") for number in range(27)]
    sizes = [sum(turns.due(alike, turn, LISTED)) for turn in range(PERIOD)]
    assert (min(sizes), max(sizes), sum(sizes)) == (2, 3, 27)


def test_a_folder_comes_in_one_turn() -> None:
    inside = [Candidate(f"dear/{file}.py::test_{number}") for file in "abc" for number in range(5)]
    sizes = [sum(turns.due(inside, turn, {"dear/": 10})) for turn in range(PERIOD)]
    assert sorted(sizes) == [0] * (PERIOD - 1) + [len(inside)]


def test_what_is_always_due() -> None:
    always = set.intersection(*map(_due, range(PERIOD)))
    assert "a.py::test_cheap" in always
    assert {f"a.py::test_random[{name}]" for name in STANDING} <= always
    assert not any(name.startswith("a.py::test_dear[") for name in always)


@pytest.mark.parametrize("turn", range(PERIOD))
def test_few_engines_are_built(turn: int) -> None:
    due = turns.configurations_due(turn)
    others = len(configurations.names()) - len(STANDING)
    assert len(due) == len(set(due)) <= len(STANDING) + -(-others // PERIOD)
    assert set(due) <= set(configurations.names())


def test_turn_goes_up_with_each_commit(tmp_path: Path) -> None:
    """Without commits it is the day's."""
    day = turns.number(tmp_path)
    git = ["git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@b.c"]
    subprocess.run([*git, "init", "-q"], check=True)
    for number in (1, 2):
        subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "x"], check=True)
        assert turns.number(tmp_path) == day + number


@pytest.mark.parametrize("value", ["1", "11", '"often"', "true", "2.5"])
def test_wrong_number_of_turns(tmp_path: Path, value: str) -> None:
    path = tmp_path / "turns.toml"
    path.write_text(f'"a.py" = {value}\n')
    with pytest.raises(TrapezeError, match=r"'a\.py': must be a number of turns from 2 to 10, or 'waves'"):
        turns.periods(path)


def test_what_is_listed_exists() -> None:
    """A test that is renamed would come in each turn."""
    for entry in turns.periods():
        file, _, name = entry.partition("::")
        assert (paths.ROOT / file).exists(), entry
        assert not name or f"def {name.partition('[')[0]}" in (paths.ROOT / file).read_text(), entry


def test_pytest_runs_what_is_due(tmp_path: Path) -> None:
    (tmp_path / "test_a.py").write_text(
        "import pytest\n"
        "@pytest.mark.parametrize('config', ['mcu-clint', 'mcu-fastirq-256', 'mcu-clint-m'])\n"
        "def test_it(config): pass\n"
    )
    turn = next(number for number in range(PERIOD) if "mcu-fastirq-256" in turns.configurations_due(number))
    command = [sys.executable, "-m", "pytest", "-p", "verify.dev.turns", "-p", "no:cacheprovider", "-v"]
    done = subprocess.run(
        [*command, "--turn", str(turn), str(tmp_path)], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert "2 passed, 1 deselected" in done.stdout
    assert "mcu-clint-m" not in done.stdout


def test_entries_of_one_test_fall_into_several_turns() -> None:
    """Else one turn in ten would have all that is dearest."""
    listed: dict[str, Period] = {f"{letter}.py": PERIOD for letter in "abcdefghijklmnopqrstuvwxyz"}
    tests = [Candidate(f"{name}::test_it") for name in listed]
    sizes = [sum(turns.due(tests, turn, listed)) for turn in range(PERIOD)]
    assert sum(sizes) == len(tests)
    assert max(sizes) <= len(tests) // 3
