# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Cycles of programs on Rocket's RTL, and of the same ELF on our model with Rocket's parameters.

Both have to execute as many instructions and come to the same checksum. Linux' first program has to print the same
letters.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from trapeze.common.console import progress
from trapeze.common.errors import TrapezeError
from trapeze.common.jobs import Progress
from trapeze.experiment_files import Case, Experiment
from trapeze.experiments.timing_accuracy import model, programs, rocket
from trapeze.experiments.timing_accuracy.programs import Package, Result
from trapeze.experiments.timing_accuracy.rocket import Memory
from trapeze.results.rows import Row
from trapeze.simulation import building
from trapeze.synth import peers

METRICS = ("cycles", "model-cycles", "error")

OF_LINUX = (*METRICS, "instructions", "model-instructions")
"""The metrics of an experiment that boots Linux. How often its timer interrupts depends on cycles, so it does not
execute as many instructions everywhere."""

PEER = "rocket"

LATENCY = "/latency-"
"""In names of rows whose memory has another latency than the experiment's."""

COUNTED_OTHERWISE = ("/trap-and-return",)
"""Kernels whose instructions are not compared: Rocket counts an ecall among those that retire, the model does not."""


class Figure(NamedTuple):
    """What one program, or one round of a kernel, did.

    Its name behind the row's, cycles, what has to be equal, and of Linux instructions.
    """

    name: str
    cycles: float
    work: tuple[int, ...]
    instructions: int | None = None


def _figures(case: Case, results: Sequence[Result]) -> Iterator[Figure]:
    """The figures of a program's lines."""
    for one in results:
        if programs.kind(case) in programs.OF_KERNELS:
            yield Figure(f"/{one.name}", one.second / one.first, (one.third, one.first))
        elif programs.kind(case) == programs.LINUX:
            phase = "" if one.name == programs.WHOLE else f"/{one.name}"
            yield Figure(phase, one.first, (one.third,), one.second)
        else:
            yield Figure("", one.first, (one.second, one.third))


def _require_same_work(case: Case, rtl: Sequence[Figure], ours: Sequence[Figure], engine: str) -> None:
    """Refuse figures of programs that did not do the same.

    Raises:
        TrapezeError: names the first one.
    """
    other = {one.name: one.work for one in ours}
    what = "letters of the first program" if programs.kind(case) == programs.LINUX else "instructions and result"
    if strange := {one.name for one in rtl} ^ other.keys():
        raise TrapezeError(f"{case.id}{min(strange)}: only one of Rocket and the engine '{engine}' has run it", 1)
    for one in rtl:
        if other[one.name] != one.work and one.name not in COUNTED_OTHERWISE:
            raise TrapezeError(
                f"{case.id}{one.name}: {what} are {one.work} on Rocket, but {other[one.name]} on the engine '{engine}'",
                1,
            )


def latencies(case: Case, experiment: Experiment, quick: bool) -> Iterator[tuple[str, Memory]]:
    """What the name of a row says of the memory, and that memory: the experiment's, and those with other latencies."""
    memory = experiment.part("memory", Memory) or Memory()
    yield "", memory
    if not quick and programs.kind(case) not in programs.OF_KERNELS:
        for one in experiment.own.get("latencies", ()):
            if one != memory.latency:
                yield f"{LATENCY}{one}", replace(memory, latency=one)


def measure(case: Case, experiment: Experiment, quick: bool, advance: Progress) -> list[Row]:
    """The rows of one program: cycles on the RTL, and beside them those of the model where it has any."""
    elf = programs.build(case, experiment.name)
    functional = list(_figures(case, model.execute(elf, case.config)))
    memories = list(latencies(case, experiment, quick))
    rows: list[Row] = []
    for done, (word, memory) in enumerate(memories, 1):
        rows += _with_memory(case, experiment, elf, functional, word, memory)
        advance(done, len(memories))
    return rows


def _with_memory(
    case: Case, experiment: Experiment, elf: Path, functional: Sequence[Figure], word: str, memory: Memory
) -> Iterator[Row]:
    """The rows of one program with one memory; `word` is what their names say of it."""
    rtl = list(_figures(case, rocket.run(elf, memory).results))
    _require_same_work(case, rtl, functional, "model")
    values: dict[tuple[str, str], tuple[str, float]] = {(one.name, "cycles"): ("rtl", one.cycles) for one in rtl}
    values |= {(one.name, "instructions"): ("rtl", one.instructions) for one in rtl if one.instructions is not None}
    if (timed := model.timed(elf, case.config, memory.latency)) is not None:
        ours = list(_figures(case, timed))
        _require_same_work(case, rtl, ours, "timed")
        known = {one.name: one.cycles for one in rtl}
        values |= {(one.name, "model-cycles"): ("timed", one.cycles) for one in ours}
        values |= {(one.name, "error"): ("timed", error(one.cycles, known[one.name])) for one in ours}
        counted = [(one.name, one.instructions) for one in ours if one.instructions is not None]
        values |= {(name, "model-instructions"): ("timed", count) for name, count in counted}
    for (name, metric), (engine, value) in values.items():
        labels = {**case.labels, "peer": PEER, "test": f"{programs.name(case)}{name}", "latency": str(memory.latency)}
        fields = case.row(metric) | {"id": f"{case.id}{word}{name}", "labels": labels}
        yield Row.of([round(value, 3)], engine=engine, unit=experiment.metrics[metric].unit, **fields)


def error(model_cycles: float, cycles: float) -> float:
    """How far the model is off, in percent of the RTL; below 0: it is too fast."""
    return 100 * (model_cycles - cycles) / cycles


def prepare(cases: Sequence[Case], experiment: Experiment, quick: bool) -> None:
    """Download and build Rocket's simulation, and build the model."""
    del quick
    with progress() as display:
        task = display.add_task(f"{experiment.name}: download of Rocket", total=3)
        rocket.sources()
        display.update(task, completed=1, description=f"{experiment.name}: simulation of Rocket")
        rocket.simulation()
        display.update(task, completed=2, description=f"{experiment.name}: the model")
        configs = {case.config.name: case.config for case in cases}
        targets = [one for config in configs.values() for one in building.targets(config, ["model"])]
        building.ensure(["trapeze-sim", *dict.fromkeys(targets)], configs.values())
        display.update(task, completed=3)


def check(experiment: Experiment) -> None:
    """Refuse an experiment file this cannot measure.

    Raises:
        TrapezeError: other metrics, a row without sources, of no known peer, or whose hart is not Rocket's.
    """
    boots = any(programs.kind(case) == programs.LINUX for case in experiment.cases)
    experiment.require_metrics(OF_LINUX if boots else METRICS)
    for case in experiment.cases:
        name = f"experiment {experiment.name}: {case.id}"
        if not case.id.startswith(f"{PEER}/"):
            raise TrapezeError(f"{name}: id: has to begin with '{PEER}/', the core that is measured")
        if not case.sources:
            raise TrapezeError(f"{name}: sources are missing")
        if case.config.first.base != "rv64i":
            raise TrapezeError(f"{name}: config {case.config.name} has no RV64 hart as Rocket; app has one")
        if (package := case.part("package", Package)) is not None:
            peers.find(package.peer)
