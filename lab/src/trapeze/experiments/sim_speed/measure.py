# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Speed of the simulator: simulated cycles for each second of processor time, without a trace and with each kind.

The time is the processor time of the simulator's one thread, start-up included, so that other load on the machine
disturbs little. Rounds measure all kinds one after the other; ratios are taken within a round, medians over rounds.
"""

from __future__ import annotations

import resource
from pathlib import Path

from trapeze.common.errors import TrapezeError
from trapeze.common.jobs import Progress
from trapeze.experiment_files import Case, Experiment
from trapeze.results.rows import Row
from trapeze.simulation import building, simulator
from trapeze.simulation.options import Options

PLAIN = "none"
CYCLES = {PLAIN: 8_000_000, "log": 400_000, "json": 400_000, "fst": 200_000}
"""Simulated cycles of one run, by trace kind: about as many seconds for each."""

ROUNDS = 5
QUICK_ROUNDS = 1


def _processor_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _speed(elf: Path, case: Case, kind: str, folder: Path) -> float:
    """Simulated cycles a second of one run."""
    trace = None if kind == PLAIN else folder / f"trace.{kind}"
    options = Options(max_cycles=CYCLES[kind], trace=trace)
    building.engine(case.config, options.waves)
    before = _processor_seconds()
    outcome = simulator.measure(elf, case.config, options)
    seconds = _processor_seconds() - before
    if outcome.run.cycles < CYCLES[kind] // 2:
        raise TrapezeError(f"{case.id}: the firmware ended after {outcome.run.cycles} cycles, too few to time", 1)
    return outcome.run.cycles / seconds


def measure(case: Case, experiment: Experiment, quick: bool, progress: Progress) -> list[Row]:
    """The rows of one case: speed by trace kind, and each tracing speed as a share of the plain one."""
    elf = case.firmware(experiment.name)
    rounds = QUICK_ROUNDS if quick else ROUNDS
    speeds: dict[str, list[float]] = {kind: [] for kind in CYCLES}
    done = 0
    with simulator.scratch() as folder:
        for _ in range(rounds):
            for kind in CYCLES:
                speeds[kind].append(round(_speed(elf, case, kind, folder)))
                done += 1
                progress(done, rounds * len(CYCLES))
    rows = []
    for kind, values in speeds.items():
        base = case.row("speed")
        fields = base | {
            "id": f"{case.id}/{kind}",
            "labels": {**case.labels, "trace": kind},
            "published": base["published"] if kind == PLAIN else None,
            "source": base["source"] if kind == PLAIN else None,
        }
        rows.append(Row.of(values, engine="rtl", unit=experiment.metrics["speed"].unit, **fields))
    for kind in speeds:
        if kind != PLAIN:
            shares = [round(part / whole, 4) for part, whole in zip(speeds[kind], speeds[PLAIN], strict=True)]
            fields = case.row("share") | {"id": f"{case.id}/{kind}", "labels": {**case.labels, "trace": kind}}
            rows.append(Row.of(shares, engine="rtl", unit=experiment.metrics["share"].unit, **fields))
    return rows


def check(experiment: Experiment) -> None:
    """Refuse an experiment file this cannot measure.

    Raises:
        TrapezeError: the metrics are not `speed` and `share`.
    """
    experiment.require_metrics(("speed", "share"))
