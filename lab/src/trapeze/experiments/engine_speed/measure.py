# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Speed of the engines: instructions a second of processor time on the same program, with QEMU beside them.

The program runs to its end on the model and on QEMU, and for a number of cycles on the RTL and in lockstep; start-up is
included. Rounds measure all engines one after the other; ratios are taken within a round, medians over rounds.
"""

from __future__ import annotations

import resource
import subprocess
from collections.abc import Callable
from pathlib import Path

from trapeze.common import processes
from trapeze.common.errors import TrapezeError
from trapeze.common.jobs import Progress
from trapeze.experiments.definition import Case, Experiment
from trapeze.firmware import toolchain
from trapeze.results.rows import Row
from trapeze.simulation import simulator
from trapeze.simulation.simulator import Options

CYCLES = {"rtl": 6_000_000, "lockstep": 3_000_000}
"""Simulated cycles of one run of the engines too slow to reach the end of the program."""

QEMU_SECONDS = 120
ROUNDS = 5
QUICK_ROUNDS = 1


def _timed(work: Callable[[], int]) -> float:
    """Millions of instructions a second of processor time; `work` returns how many it executed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    instructions = work()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return instructions / seconds / 1e6


def _simulated(elf: Path, case: Case, engine: str) -> int:
    options = Options(max_cycles=CYCLES.get(engine), engine=engine)
    return simulator.measure(elf, case.config, options).run.instructions


def _on_qemu(elf: Path, case: Case, instructions: int) -> int:
    """Run the whole program on QEMU, as fast as it goes."""
    command = toolchain.qemu(case.config, elf, deterministic=False)
    try:
        done = processes.run(command, capture_output=True, timeout=QEMU_SECONDS, check=False)
    except FileNotFoundError:
        raise TrapezeError(f"{command[0]} not found; `trapeze doctor` says how to get it") from None
    except subprocess.TimeoutExpired:
        raise TrapezeError(f"{case.id}: QEMU did not end within {QEMU_SECONDS} s", 1) from None
    if done.returncode:
        raise TrapezeError(f"{case.id}: the program ended with {done.returncode} on QEMU", 1)
    return instructions


def measure(case: Case, experiment: Experiment, quick: bool, progress: Progress) -> list[Row]:
    """The rows of one case: speed of each engine, and each as a multiple of the RTL engine's."""
    elf = case.firmware(experiment.name)
    whole = _simulated(elf, case, "model")
    engines: dict[str, Callable[[], int]] = {
        "rtl": lambda: _simulated(elf, case, "rtl"),
        "lockstep": lambda: _simulated(elf, case, "lockstep"),
        "model": lambda: _simulated(elf, case, "model"),
        "qemu": lambda: _on_qemu(elf, case, whole),
    }
    rounds = QUICK_ROUNDS if quick else ROUNDS
    speeds: dict[str, list[float]] = {name: [] for name in engines}
    simulator.engine(case.config)
    for done in range(rounds):
        for step, (name, work) in enumerate(engines.items()):
            speeds[name].append(round(_timed(work), 2))
            progress(done * len(engines) + step + 1, rounds * len(engines))
    rows = []
    for metric in ("speed", "ratio"):
        for name, values in speeds.items():
            scale = [1.0] * rounds if metric == "speed" else speeds["rtl"]
            figures = [round(value / by, 2) for value, by in zip(values, scale, strict=True)]
            base = case.row(metric)
            fields = base | {"id": f"{case.id}/{name}", "labels": {**case.labels, "engine": name}}
            if name != "model":
                fields |= {"published": None, "source": None}
            rows.append(Row.of(figures, engine=name, unit=experiment.metrics[metric].unit, **fields))
    return rows


def check(experiment: Experiment) -> None:
    """Refuse an experiment file this cannot measure.

    Raises:
        TrapezeError: the metrics are not `speed` and `ratio`.
    """
    experiment.require_metrics(("speed", "ratio"))
