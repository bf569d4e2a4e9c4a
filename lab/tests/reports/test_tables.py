# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Verdicts and tables."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from rich.console import Console

from trapeze import experiment_files
from trapeze.common.console import fitted, table
from trapeze.experiment_files import HELD, REPRODUCTION, Metric, row_names
from trapeze.reports.tables import SPARE, metric_table, number, show, verdict
from trapeze.results.rows import Row


def row(values: list[float], published: float | None = 33, metric: str = "latency") -> Row:
    """A row of irq-latency."""
    fields = {"config": "mcu-clint", "engine": "rtl", "unit": "cycles", "published": published, "source": "a paper"}
    return Row.of(values, id="clint/ilp32", metric=metric, **fields)


@pytest.mark.parametrize("width", [60, 80, 150])
def test_no_figure_is_cut_off(width: int) -> None:
    """A narrow terminal shows fewer columns, or a table in parts, and each figure as a whole."""
    metric = Metric("latency", "pin to marker", "cycles", "lower")
    wide = metric_table(metric, [row([12_345_678.25, 22_345_678.75]), row([4, 5], None)])
    text = io.StringIO()
    console = Console(file=text, width=width)
    console.print(*fitted(console, wide, SPARE))
    said = text.getvalue()
    assert "…" not in said
    assert max(len(line.rstrip()) for line in said.splitlines()) <= width
    assert {"22,345,679", "worse,", "jitter"} <= set(said.split())
    assert ("stdev" in said) is (width == 150)


def test_parts_repeat_the_names() -> None:
    text = io.StringIO()
    console = Console(file=text, width=24)
    made = table("row", ">one", ">two", ">three", ">four")
    made.add_row("clint/ilp32", "1,000", "2,000", "3,000", "4,000")
    console.print(*fitted(console, made))
    lines = [line.split() for line in text.getvalue().splitlines()]
    assert lines[::2] == [["row", "one"], ["row", "two"], ["row", "three"], ["row", "four"]]
    assert lines[1::2] == [["clint/ilp32", figure] for figure in ("1,000", "2,000", "3,000", "4,000")]


@pytest.mark.parametrize(
    ("values", "better", "says"),
    [
        ([29, 29, 30], "lower", "better, -12 %"),
        ([29, 29, 40], "lower", "better at p50, -12 %"),
        ([33, 33], "lower", "equal"),
        ([33, 33, 40], "lower", "equal at p50"),
        ([40, 41, 42], "lower", "worse, +24 %"),
        ([40, 41, 42], "higher", "better, +24 %"),
        ([29, 40, 42], "higher", "better at p50, +21 %"),
        ([29, 29, 30], "higher", "worse, -12 %"),
    ],
)
def test_verdict(values: list[float], better: str, says: str) -> None:
    assert verdict(row(values), better) == says


@pytest.mark.parametrize(
    ("value", "says"), [(33, "within 0 %"), (34, "within 4 %"), (30, "within 10 %"), (66, "within 100 %")]
)
def test_what_is_measured_again_is_neither_better_nor_worse(value: float, says: str) -> None:
    again = replace(row([value]), labels={HELD: REPRODUCTION})
    assert {verdict(again, better) for better in ("lower", "higher")} == {says}


def test_reproductions_are_marked_in_the_file() -> None:
    """The neighbours' own figures, and not ours that are held against them."""
    cases = {case.id: case for case in experiment_files.load("peers").cases}
    assert cases["ibex"].row("lut4")["labels"][HELD] == REPRODUCTION
    assert HELD not in cases["trapeze/clic"].row("lut4")["labels"]
    assert HELD not in cases["ibex"].row("latency")["labels"]


def test_answers_are_a_matrix() -> None:
    """A line for each situation, a column for each controller; another answer than the published one says so."""
    experiment = experiment_files.load("preemption")
    rows = [
        Row.of([int(case.labels["test"] != "by-level")], engine="rtl", unit="yes/no", **case.row("holds"))
        for case in experiment.cases
    ]
    text = io.StringIO()
    show(Console(file=text, width=120), experiment, rows)
    lines = [" ".join(line.split()) for line in text.getvalue().splitlines()]
    assert "clint clic xnxti jalxnxti clic-e xnxti-e jalxnxti-e" in lines
    assert "vertical yes yes" in lines
    assert "by-level no no, published yes" in lines
    assert any(line.startswith("horizontal yes, published no yes") for line in lines)
    held = [one for one in rows if one.published is not None]
    same = sum(one.published == one.statistics.p50 for one in held)
    assert f"{same} of {len(held)} published answers are the same; where not, it stands beside ours." in lines
    assert same < len(held)


@pytest.mark.parametrize("name", experiment_files.names())
def test_names_of_rows_are_explained(name: str) -> None:
    """Every word of every row's name has a meaning, numbers apart, and no meaning is without a row."""
    experiment = experiment_files.load(name)
    words = {word: said for case in experiment.cases for word, said in row_names.words(experiment, case.id)}
    assert [word for word, said in words.items() if not said and not word.isdigit()] == []
    assert set(row_names.shared()).isdisjoint(experiment.names) or name == "irq-latency"


def test_names_of_rows_are_taken_in_the_longest_stretches() -> None:
    experiment = replace(experiment_files.load("irq-latency"), names={"a": "one", "a-b": "two", "c": "three"})
    assert row_names.words(experiment, "a-b-a/c-x") == [("a-b", "two"), ("a", "one"), ("c", "three"), ("x", "")]
    assert row_names.explained(experiment, "a-b-a/c-x") == "a-b: two; a: one; c: three"


def test_no_verdict_without_a_published_figure() -> None:
    assert verdict(row([1], None), "lower") == ""


@pytest.mark.parametrize(
    ("value", "text"),
    [(29, "29"), (29.0, "29"), (29.034, "29.03"), (1532000, "1,532,000"), (-1, "-1")],
)
def test_number(value: float, text: str) -> None:
    assert number(value) == text


def test_tables_are_narrow_and_whole() -> None:
    text = io.StringIO()
    experiment = experiment_files.load("irq-latency")
    rows = [row([12345.67, 99999.25], 33333, metric) for metric in experiment.metrics]
    show(Console(file=text, width=100), experiment, rows)
    assert max(map(len, text.getvalue().splitlines())) <= 100
    assert "…" not in text.getvalue()
    assert "12 cycles (CV32RT" in text.getvalue()


def test_columns() -> None:
    made = metric_table(Metric("latency", "a", "cycles", "lower"), [row([1, 2], None)])
    assert [str(column.header) for column in made.columns][:3] == ["row", "n", "min"]
    assert "published" not in [str(column.header) for column in made.columns]
