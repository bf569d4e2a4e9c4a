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
from trapeze.simulation.options import Options

LINE = 3
FIRST = 20_000
"""Cycle in which the first round begins: the program is set up."""
PERIOD = 2_000
"""Cycles of a round: more than a background and its handler take."""
ROUNDS = 640
"""More than the background has cycles."""
TIMER = "timer"
"""What arrives from the hart's own timer, `device` and `post` from an edge of the line."""
OPTIONS = (f"-DFIRST={FIRST}U", f"-DPERIOD={PERIOD}U", f"-DROUNDS={ROUNDS}U")


def samples(case: Case, experiment: Experiment) -> list[int]:
    """Cycles from the edge to the handler's first instruction, in each round.

    Raises:
        TrapezeError: the firmware found something wrong, or an interrupt did not reach its handler.
    """
    elf = replace(case, options=(*case.options, *OPTIONS)).firmware(experiment.name)
    programs = [events.Program(elf)] * len(case.config.harts)
    edges: tuple[Edge, ...] = ()
    start = events.signal("mtip")
    if case.own["arrives"] != TIMER:
        edges = tuple(Edge(LINE, FIRST + n * (PERIOD + 1), ":pulse=4") for n in range(ROUNDS))
        start = events.of_hart("edge", str(LINE), 0, programs, "arrives")
    end = events.of_hart("pc", "interrupt_service", 0, programs, "arrives")
    span = events.Span("arrival", start, end)
    run = simulator.measure(elf, case.config, Options(irq=edges, spans=(span,), max_cycles=20_000_000)).run
    if run.reason != "exit" or run.code != 0:
        raise TrapezeError(f"{case.id}: the firmware ended by {run.how}", 1)
    (found,) = run.spans
    values = [cycles for cycles, count in found.histogram for _ in range(count)]
    if len(values) != ROUNDS:
        raise TrapezeError(f"{case.id}: {len(values)} of {ROUNDS} interrupts reached their handler", 1)
    return values
