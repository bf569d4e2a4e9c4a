# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""User interrupts: the stages of a made-up record."""

from __future__ import annotations

from dataclasses import replace

import pytest

from trapeze import experiment_files
from trapeze.common.errors import TrapezeError
from trapeze.experiments.user_interrupts import device_interrupts, measure
from trapeze.simulation.records import Claim, Marker, Run
from verify.dev import histograms

STONE = 6


def marker(hart: int, n: int, tx: int, pc: int = 0) -> Marker:
    return Marker(n, tx, tx, tx, pc, hart)


SENDS = (marker(0, 10, 100), marker(0, 11, 106), marker(0, 10, 300), marker(0, 11, 308))
LOOP = (marker(1, 2, 90), marker(1, 1, 117), marker(1, 5, 130), marker(1, STONE, 136, 0x40), marker(1, 3, 200))
BEHIND = (marker(1, 1, 320), marker(1, 5, 330), marker(1, STONE, 340, 0x44))
CLAIMS = (Claim(1, 3, 50, 0), Claim(1, 0, 115, 0x40), Claim(1, 0, 318, 0x48))
RUN = Run(
    "duo-user", "rtl", "a.elf", "exit", 0, 400, 200, (*SENDS, *LOOP, *BEHIND), (), None, None, other_claims=CLAIMS
)


def test_stages() -> None:
    first, second = measure.posts(RUN, "x")
    assert first.stages() == {"send": 5, "delivery": 16, "receive": 2, "return": 6}
    # The marker behind the second handler is not the interrupted instruction.
    assert second.stages() == {"send": 7, "delivery": 19, "receive": 2}
    assert list(measure.inside(RUN, [first, second])) == [first]


@pytest.mark.parametrize("lost", [SENDS[3], LOOP[1], BEHIND[1]])
def test_an_interrupt_that_is_missing(lost: Marker) -> None:
    left = tuple(one for one in RUN.markers if one != lost)
    with pytest.raises(TrapezeError, match=r"x: 2 interrupts sent, \d handlers begun, \d ended"):
        measure.posts(replace(RUN, markers=left), "x")


def test_a_handler_that_nothing_led_to() -> None:
    with pytest.raises(TrapezeError, match="x: the handler of cycle 320 was not entered for the send of 300"):
        measure.posts(replace(RUN, other_claims=CLAIMS[:2]), "x")


def test_a_row_against_none() -> None:
    experiment = experiment_files.load("user-interrupts")
    measure.check(experiment)
    wrong = replace(experiment.cases[0], own={"against": "nothing"})
    with pytest.raises(TrapezeError, match="uintr/idle: against: no row 'nothing'"):
        measure.check(replace(experiment, cases=(wrong,)))


@pytest.mark.slow
@pytest.mark.parametrize(("arrives", "fastest", "slowest"), [("device", 4, 4), ("timer", 4, 4), ("post", 108, 109)])
def test_arrivals(arrives: str, fastest: int, slowest: int) -> None:
    """A device's interrupt and a timer's reach a user thread as fast as machine mode, wherever they interrupt.

    A post leads through code in C, whose cycles are those of one compiler.
    """
    experiment = experiment_files.load("user-interrupts")
    (case,) = (one for one in experiment.cases if one.own.get("arrives") == arrives)
    found = device_interrupts.samples(case, experiment)
    assert len(found) == device_interrupts.ROUNDS
    if arrives == "post" and not histograms.same_compiler():
        assert max(found) - min(found) <= 1
    else:
        assert (min(found), max(found)) == (fastest, slowest)
