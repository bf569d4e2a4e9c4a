# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Experiment files: which figure answers the question."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from trapeze import experiment_files
from trapeze.common.errors import TrapezeError
from trapeze.experiment_files import Answer
from trapeze.platform import configurations

FILE = """\
schema: trapeze.experiment/1
question: Why?
kind: iterations
metrics: {{cycles: {{what: w, unit: cycles, better: lower}}}}
answers: {answers}
rows: [{{id: O2/ilp32, config: mcu-clint}}]
"""


def load(answers: str, folder: Path) -> experiment_files.Experiment:
    (folder / "mine").mkdir()
    (folder / "mine" / experiment_files.FILE).write_text(FILE.format(answers=answers))
    return experiment_files.load("mine", folder)


@pytest.mark.parametrize("row", ["O2/ilp32", "O2/ilp32/list"])
def test_answer(row: str, tmp_path: Path) -> None:
    """A row of the file, or one of several figures of it."""
    assert load(f"{{row: {row}, metric: cycles}}", tmp_path).answers == Answer(row, "cycles")


@pytest.mark.parametrize(
    ("answers", "says"),
    [
        ("{row: O2/ilp32, metric: cycle}", "answers: unknown metric 'cycle'; did you mean 'cycles'"),
        ("{row: O2/ilp32e, metric: cycles}", "answers: no row 'O2/ilp32e'; did you mean 'O2/ilp32'"),
        ("{row: O2/ilp32}", "metric"),
    ],
)
def test_no_such_answer(answers: str, says: str, tmp_path: Path) -> None:
    with pytest.raises(TrapezeError) as error:
        load(answers, tmp_path)
    assert says in str(error.value)
    assert experiment_files.FILE in str(error.value)


def test_every_experiment_has_an_answer() -> None:
    """But for those whose answer is how many of their figures are as published."""
    without = [name for name in experiment_files.names() if experiment_files.load(name).answers is None]
    assert without == ["preemption"]


@pytest.mark.parametrize("line", [-1, 0, 1])
def test_the_line_of_a_row(line: int, tmp_path: Path) -> None:
    """The last one of the configuration, and those beside it."""
    lines = configurations.load("mcu-fastirq-16").first.lines
    number = lines - 1 + line
    (tmp_path / "mine").mkdir()
    row = f"rows: [{{id: O2/ilp32, config: mcu-fastirq-16, line: {number}}}]"
    text = FILE.format(answers="{row: O2/ilp32, metric: cycles}").replace("iterations", "irq-latency")
    (tmp_path / "mine" / experiment_files.FILE).write_text(re.sub("rows: .*", row, text))
    if line < 1:
        assert experiment_files.load("mine", tmp_path).cases[0].line == number
    else:
        with pytest.raises(TrapezeError, match=f"has lines 0 to {lines - 1} only"):
            experiment_files.load("mine", tmp_path)
