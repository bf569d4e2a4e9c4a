# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Calls of prepared jobs in the experiment rpc: how they are split, and why one was long."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from trapeze import experiment_files
from trapeze.common.errors import TrapezeError
from trapeze.experiments.rpc import break_even, empty, measure, messages, prepared, runs
from trapeze.experiments.rpc.calls import Call
from trapeze.experiments.rpc.critical_path import (
    BESIDE,
    LINUX,
    MARKER_COMPUTE,
    MARKER_COMPUTE_END,
    MARKER_RUN,
    MARKER_RUN_END,
)
from trapeze.experiments.rpc.timeline import Places
from trapeze.platform import configurations
from trapeze.simulation.traces import Record, Retired, Taken

CALL = Call(100, 400, 410, 601)


def run(*markers: tuple[int, int, int]) -> Any:
    """The record of a run with markers: hart, number, cycle."""
    return SimpleNamespace(markers=[SimpleNamespace(hart=hart, n=n, tx=tx) for hart, n, tx in markers])


WHOLE = [(LINUX, MARKER_RUN, 100), (BESIDE, MARKER_COMPUTE, 400), (BESIDE, MARKER_COMPUTE_END, 410)]


def test_a_call_is_its_stages() -> None:
    assert runs.calls(run(*WHOLE, (LINUX, MARKER_RUN_END, 601))) == [CALL]
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
        runs.calls(run(*twice))
    with pytest.raises(TrapezeError, match="does not enclose its job"):
        runs.calls(run(*WHOLE, (LINUX, MARKER_RUN_END, 405)))


def test_why_a_call_was_long() -> None:
    long = Call(100, 400, 410, 3601)
    records: list[Record] = [
        Taken(50, "timer", epc=0x10, hart=LINUX),  # before it
        Retired(90, 0x10, "nop", "", hart=LINUX),
        Taken(420, "timer", epc=0x20, hart=LINUX),
        Retired(1000, 0x20, "nop", "", hart=BESIDE),  # another hart's
        Retired(3400, 0x20, "lw", "", hart=LINUX),
        Taken(150, "line 11", epc=0x30, hart=BESIDE),
    ]
    assert runs.interruptions(records, long) == {"hart 0: timer": 2980, "hart 1: line 11": 3451}
    assert runs.reason(records[:-1], long, CALL.stages) == "from-job 3000 longer; hart 0: timer 2980"


def test_rows_of_the_scheme_say_what_they_need() -> None:
    experiment = experiment_files.load("rpc")
    measure.check(experiment)
    fast = [case for case in experiment.cases if prepared.is_of(case)]
    assert [case.id for case in fast] == ["fast", "fast-isolated", "fast-dsp"]
    for lost, said in (("empty", "empty"), ("job", "job")):
        bare = replace(fast[0], own={key: value for key, value in fast[0].own.items() if key != lost})
        with pytest.raises(TrapezeError, match=f"fast: {said} is missing"):
            measure.check(replace(experiment, cases=(bare,)))


def spans(*histograms: tuple[tuple[int, int], ...], **counts: int) -> Any:
    """The record of a run of empty calls, by stages; the whole first."""
    names = [one.name for one in empty.spans(LINUX)]
    fields = {"open": 0, "missed": 0, "worst": (5, 9), **counts}
    each = [SimpleNamespace(name=name, histogram=one, **fields) for name, one in zip(names, histograms, strict=True)]
    return SimpleNamespace(spans=each)


def test_times_of_empty_calls_are_those_of_their_markers() -> None:
    """As `Call` has them: a call of markers 100, 400, 410, 601 takes 500 cycles."""
    each = (((501, 2), (601, 1)), ((300, 3),), ((10, 3),), ((191, 2), (291, 1)))
    assert empty.times(spans(*each), 3) == {
        "call": [500, 500, 600],
        "to-job": [300] * 3,
        "job": [10] * 3,
        "from-job": [190, 190, 290],
    }
    assert empty.longest_of(spans(*each)) == (5, 9)
    for counts, said in (({"open": 1}, "1 did not end"), ({"missed": 2}, "2 began in another one")):
        with pytest.raises(TrapezeError, match=said):
            empty.times(spans(*each, **counts), 3)
    with pytest.raises(TrapezeError, match="4 calls, and call 3 times"):
        empty.times(spans(*each), 4)


def test_which_hart_calls() -> None:
    assert [empty.caller(configurations.load("amp-2"), processor) for processor in (0, 1)] == [0, 2]
    with pytest.raises(TrapezeError, match="processor: 1: Linux on amp has 0 to 0"):
        empty.caller(configurations.load("amp"), 1)


def test_from_which_size_a_call_is_faster() -> None:
    """By a straight line between sizes: the first whole size at which the call is faster, not as fast."""
    own = {4: [100] * 3, 8: [1000, 1000, 9000], 16: [8000] * 3}
    calls = {16: [5000] * 3, 8: [2000, 1, 2000], 4: [900] * 3}
    assert break_even.from_which(calls, own) == 11, "-1000 at 8, 3000 at 16: zero at 10"
    assert break_even.from_which({**calls, 4: [99] * 3}, own) == 11, "what is faster below a slower one does not count"
    assert break_even.from_which({size: [0] * 3 for size in own}, own) == 4
    assert break_even.from_which({size: [9000] * 3 for size in own}, own) is None
    assert break_even.from_which({8: [1001], 9: [1999]}, {8: [1000], 9: [2000]}) == 9
    with pytest.raises(TrapezeError, match="1 products on hart 0, not 3 of each of 2 sizes"):
        break_even.here(run((LINUX, break_even.MARKER_HERE, 1), (LINUX, break_even.MARKER_HERE_END, 9)), [10, 20])


def test_trips_of_messages_by_size() -> None:
    """Those that warm up are left out, of each size."""
    of_size = messages.FIRST + 2
    each = [Call(at, at + 1, at + 2, at + 3) for at in range(of_size * len(messages.SIZES))]
    found = messages.by_size(each, 2)
    assert {size: [one.begin for one in some] for size, some in found.items()} == {
        16: [16, 17],
        64: [34, 35],
        256: [52, 53],
        496: [70, 71],
    }
    with pytest.raises(TrapezeError, match="71 trips in the record, not 18 of each of 4 sizes; make fewer"):
        messages.by_size(each[1:], 2)


def test_cycles_by_function_leave_out_sleep() -> None:
    where = Places([], [(range(0x100, 0x200), "handler")], [], range(0x1000))
    records = [
        Retired(90, 0x100, "nop", "", hart=LINUX),  # before the trip
        Retired(103, 0x10, "nop", "", hart=LINUX),
        Retired(104, 0x14, "wfi", "", hart=LINUX),
        Retired(150, 0x500, "nop", "", hart=BESIDE),
        Retired(400, 0x100, "csrr", "", hart=LINUX),
        Retired(420, 0x104, "lw", "", hart=LINUX),
    ]
    assert messages.by_function(records, CALL, where) == {"firmware": 4, "handler": 21}


def test_a_row_of_messages_says_what_it_needs() -> None:
    experiment = experiment_files.load("rpc")
    (case,) = (case for case in experiment.cases if messages.is_of(case))
    for bare in (replace(case, sources=()), replace(case, config=configurations.load("amp-dsp"))):
        with pytest.raises(TrapezeError, match="rpmsg: config and sources: messages need a mailbox and a service"):
            measure.check(replace(experiment, cases=(bare,)))
    with pytest.raises(TrapezeError, match="rpmsg: messages is missing"):
        measure.check(replace(experiment, cases=(replace(case, own={}),)))
