# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Calls of prepared jobs in the experiment rpc: how they are split, and why one was long."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from trapeze import experiment_files
from trapeze.common.errors import TrapezeError
from trapeze.experiments.rpc import measure, prepared
from trapeze.experiments.rpc.critical_path import (
    BESIDE,
    LINUX,
    MARKER_COMPUTE,
    MARKER_COMPUTE_END,
    MARKER_RUN,
    MARKER_RUN_END,
)
from trapeze.experiments.rpc.prepared import Call
from trapeze.simulation.traces import Retired, Taken

CALL = Call(100, 400, 410, 601)


def run(*markers: tuple[int, int, int]) -> Any:
    """The record of a run with markers: hart, number, cycle."""
    return SimpleNamespace(markers=[SimpleNamespace(hart=hart, n=n, tx=tx) for hart, n, tx in markers])


WHOLE = [(LINUX, MARKER_RUN, 100), (BESIDE, MARKER_COMPUTE, 400), (BESIDE, MARKER_COMPUTE_END, 410)]


def test_a_call_is_its_stages() -> None:
    assert prepared.calls(run(*WHOLE, (LINUX, MARKER_RUN_END, 601))) == [CALL]
    assert CALL.stages == {"to-job": 300, "job": 10, "from-job": 190}
    assert sum(CALL.stages.values()) == CALL.cycles == 500
    assert [(one.stage, one.hart, one.begin, one.end) for one in CALL.path] == [
        ("to-job", LINUX, 100, 400),
        ("job", BESIDE, 400, 410),
        ("from-job", LINUX, 410, 601),
    ]


def test_a_job_that_runs_twice_is_no_call() -> None:
    twice = [*WHOLE, *WHOLE[1:], (LINUX, MARKER_RUN_END, 601)]
    with pytest.raises(TrapezeError, match="1 began, 2 ran, 2, 1 ended"):
        prepared.calls(run(*twice))
    with pytest.raises(TrapezeError, match="does not enclose its job"):
        prepared.calls(run(*WHOLE, (LINUX, MARKER_RUN_END, 405)))


def test_why_a_call_was_long() -> None:
    long = Call(100, 400, 410, 3601)
    records = [
        Taken(50, "timer", epc=0x10, hart=LINUX),  # before it
        Retired(90, 0x10, "nop", "", hart=LINUX),
        Taken(420, "timer", epc=0x20, hart=LINUX),
        Retired(1000, 0x20, "nop", "", hart=BESIDE),  # another hart's
        Retired(3400, 0x20, "lw", "", hart=LINUX),
        Taken(150, "line 11", epc=0x30, hart=BESIDE),
    ]
    assert prepared.interruptions(records, long) == {"hart 0: timer": 2980, "hart 1: line 11": 3451}
    assert prepared.reason(records[:-1], long, CALL) == "from-job 3000 longer; hart 0: timer 2980"


def test_rows_of_the_scheme_say_what_they_need() -> None:
    experiment = experiment_files.load("rpc")
    measure.check(experiment)
    fast = [case for case in experiment.cases if prepared.is_of(case)]
    assert [case.id for case in fast] == ["fast", "fast-dsp"]
    del fast[0].own["empty"]
    with pytest.raises(TrapezeError, match="fast: empty is missing"):
        measure.check(experiment)
