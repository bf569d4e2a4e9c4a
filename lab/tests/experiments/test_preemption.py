# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The experiment preemption: what it reads, and every scenario on the real hardware."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from trapeze import experiment_files
from trapeze.common.errors import TrapezeError
from trapeze.experiments.preemption import measure as preemption
from trapeze.results import store
from verify.dev.testing import Trapeze


def test_parse() -> None:
    assert preemption.parse(b"by-level yes\nhighest-id no\n", "x") == {"by-level": True, "highest-id": False}


@pytest.mark.parametrize(
    ("console", "says"),
    [(b"", "found nothing"), (b"level maybe\n", "'level maybe', which is no finding"), (b"a yes\na no\n", "'a no'")],
)
def test_no_findings(console: bytes, says: str) -> None:
    with pytest.raises(TrapezeError, match=says):
        preemption.parse(console, "x")


def test_refuses() -> None:
    experiment = experiment_files.load("preemption")
    bare = replace(experiment.cases[0], labels={})
    with pytest.raises(TrapezeError, match="label 'test' is missing"):
        preemption.check(replace(experiment, cases=(bare,)))
    with pytest.raises(TrapezeError, match="'gap' is not one of holds"):
        preemption.check(replace(experiment, metrics=experiment_files.load("back-to-back").metrics))
    strange = replace(experiment.cases[0], labels={"test": "vertikal"})
    with pytest.raises(TrapezeError, match="no scenario 'vertikal'; did you mean 'vertical'"):
        preemption.measure(strange, experiment, False, lambda *_: None)


def test_bench(trapeze: Trapeze, tmp_path: Path) -> None:
    """Every row of the paper's tables comes out as they say; the CLIC does whatever else is asked."""
    path = tmp_path / "r.json"
    assert trapeze("bench", "preemption", "--json", path).code == 0
    rows = store.load(path)["rows"]
    assert len(rows) > 35
    for row in rows:
        if row["published"] is not None:
            assert row["max"] == row["published"], row["id"]
        elif row["id"].endswith("/clic"):
            assert row["max"] == 1, row["id"]
