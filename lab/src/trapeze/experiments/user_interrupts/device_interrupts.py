# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""A device's interrupt and a timer's to a thread in user mode: from the edge to the handler's first instruction.

The program (bench/user-interrupts/arrivals.c) runs a background loop in rounds; in each the edge comes one cycle later,
so that it meets every cycle of the loop and some around it.
"""

from __future__ import annotations

from dataclasses import replace

from trapeze.common.edges import Edge
from trapeze.common.errors import TrapezeError
from trapeze.experiment_files import Case, Experiment
from trapeze.simulation import events, simulator
from trapeze.simulation.simulator import Options

LINE = 3
FIRST = 20_000
"""Cycle in which the first round begins: the program is set up."""
PERIOD = 2_000
"""Cycles of a round: more than a background and its handler take."""
ROUNDS = 640
"""More than the background has cycles."""
STARTS = {"device": f"edge:{LINE}", "timer": "signal:mtip", "post": f"edge:{LINE}"}
"""By what arrives: the event that it begins with."""
OPTIONS = (f"-DFIRST={FIRST}U", f"-DPERIOD={PERIOD}U", f"-DROUNDS={ROUNDS}U")


def samples(case: Case, experiment: Experiment) -> list[int]:
    """Cycles from the edge to the handler's first instruction, in each round.

    Raises:
        TrapezeError: the firmware found something wrong, or an interrupt did not reach its handler.
    """
    elf = replace(case, options=(*case.options, *OPTIONS)).firmware(experiment.name)
    start = STARTS[case.own["arrives"]]
    edges = (
        tuple(Edge(LINE, FIRST + n * (PERIOD + 1), ":pulse=4") for n in range(ROUNDS))
        if start.startswith("edge")
        else ()
    )
    programs = [events.Program(elf)] * len(case.config.harts)
    span = events.Span(
        "arrival", events.parse(start, "arrives", programs), events.parse("pc:interrupt_service", "arrives", programs)
    )
    run = simulator.measure(elf, case.config, Options(irq=edges, spans=(span,), max_cycles=20_000_000)).run
    if run.reason != "exit" or run.code != 0:
        raise TrapezeError(f"{case.id}: the firmware ended by {run.how}", 1)
    (found,) = run.spans
    values = [cycles for cycles, count in found.histogram for _ in range(count)]
    if len(values) != ROUNDS:
        raise TrapezeError(f"{case.id}: {len(values)} of {ROUNDS} interrupts reached their handler", 1)
    return values
