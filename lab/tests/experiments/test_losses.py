# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The figures of what is lost under a monitor: from rows made up."""

from __future__ import annotations

from trapeze import experiment_files
from trapeze.experiments.iterations.report import figures
from trapeze.reports.figures import Rows, draw
from trapeze.reports.pages.plots import plot
from trapeze.results.rows import Row

PUBLISHED = {"compute": 0.0, "irq-disable": 91.0, "irq-restore": 91.0}
LOST = {
    "paper": {"compute": 0.5, "irq-disable": 85.0, "irq-restore": 93.0},
    "soft": {"irq-disable": -50.0, "irq-restore": 33.0},
}


def rows() -> list[Row]:
    return [
        Row.of(
            [value],
            id=f"{scheme}/{test}",
            config="mcu-user",
            engine="rtl",
            labels={"scheme": scheme, "test": test},
            metric="loss",
            unit="%",
            published=PUBLISHED[test],
            source="the paper",
        )
        for scheme, tests in LOST.items()
        for test, value in tests.items()
    ]


def test_figures_of_the_file() -> None:
    experiment = experiment_files.load("user-mode")
    computation, calls = figures(experiment, rows())
    assert isinstance(computation, Rows)
    assert isinstance(calls, Rows)
    assert (computation.names, calls.names) == (("compute",), ("irq-disable", "irq-restore"))
    assert computation.series == {"paper": ((0, 0.5),)}
    assert calls.series == {"paper": ((0, 85), (0, 93)), "soft": ((0, -50), (0, 33))}
    assert calls.published == (91, 91)
    assert calls.source == "the paper"
    assert "Figure 3" in draw(calls, 80).plain
    # A gain goes to the left of the axis, which has room for it.
    assert plot(calls)["layout"]["xaxis"]["range"][0] < -50
    assert plot(computation)["layout"]["xaxis"]["range"][0] == 0


def test_every_test_with_a_published_loss_is_in_a_figure() -> None:
    own = experiment_files.load("user-mode").own
    assert {test for one in own["figures"] for test in one["tests"]} == set(own["losses"])
    assert figures(experiment_files.load("compute"), []) == []
