# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Speed of the engines: instructions a second of processor time on the same program, with QEMU beside them.

The program runs to its end on the model and on QEMU, and for a number of cycles on the RTL and in lockstep; start-up is
included. So is the boot in rows that run Linux (under_linux.py). Rounds measure all engines one after the other; ratios
are taken within a round, medians over rounds.
"""

from __future__ import annotations

import resource
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from trapeze.common import processes
from trapeze.common.errors import TrapezeError
from trapeze.common.jobs import Progress
from trapeze.experiment_files import Case, Experiment
from trapeze.experiments.engine_speed import under_linux
from trapeze.experiments.engine_speed.under_linux import Boot
from trapeze.firmware import toolchain
from trapeze.results.rows import Row
from trapeze.simulation import building, simulator
from trapeze.simulation.options import Options

METRICS = ("speed", "ratio", "instructions", "seconds")

LINUX = "linux"
"""What a row says that runs Linux."""

CYCLES = {"rtl": 6_000_000, "lockstep": 3_000_000}
"""Simulated cycles of one run of the engines too slow to reach the end of the program."""

QEMU_SECONDS = 120
ROUNDS = 5
QUICK_ROUNDS = 1


class Timed(NamedTuple):
    """A run: instructions, and seconds of processor time."""

    instructions: int
    seconds: float

    @property
    def speed(self) -> float:
        """Millions of instructions a second."""
        return round(self.instructions / self.seconds / 1e6, 2)


def _timed(work: Callable[[], int]) -> Timed:
    """Run a process; `work` returns how many instructions it executed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    instructions = work()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return Timed(instructions, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


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


def _of_firmware(case: Case, experiment: Experiment) -> dict[str, Callable[[], int]]:
    """What each engine runs: the program, on QEMU and the model to its end."""
    elf = case.firmware(experiment.name)
    building.engine(case.config)
    whole = _simulated(elf, case, "model")
    return {
        "rtl": lambda: _simulated(elf, case, "rtl"),
        "lockstep": lambda: _simulated(elf, case, "lockstep"),
        "model": lambda: _simulated(elf, case, "model"),
        "qemu": lambda: _on_qemu(elf, case, whole),
    }


def _of_linux(case: Case, experiment: Experiment, boot: Boot) -> dict[str, Callable[[], int]]:
    """The same with a boot of Linux, on the engines that have a hart for it."""
    elf = boot.image(case.config, case.elf(experiment.name).parent)
    whole = under_linux.on_model(elf, case, boot)
    return {
        "model": lambda: under_linux.on_model(elf, case, boot),
        "qemu": lambda: under_linux.on_qemu(elf, case, boot, whole),
    }


def measure(case: Case, experiment: Experiment, quick: bool, progress: Progress) -> list[Row]:
    """The rows of one case: speed of each engine, and each as a multiple of the RTL engine's, where that has run."""
    boot = case.part(LINUX, Boot)
    engines = _of_firmware(case, experiment) if boot is None else _of_linux(case, experiment, boot)
    rounds = QUICK_ROUNDS if quick else ROUNDS
    runs: dict[str, list[Timed]] = {name: [] for name in engines}
    for done in range(rounds):
        for step, (name, work) in enumerate(engines.items()):
            runs[name].append(_timed(work))
            progress(done * len(engines) + step + 1, rounds * len(engines))
    figures = {
        "speed": {name: [one.speed for one in of] for name, of in runs.items()},
        "instructions": {name: [one.instructions / 1e6 for one in of] for name, of in runs.items()},
        "seconds": {name: [round(one.seconds, 3) for one in of] for name, of in runs.items()},
    }
    if slowest := figures["speed"].get("rtl"):
        figures["ratio"] = {
            name: [round(speed / by, 2) for speed, by in zip(speeds, slowest, strict=True)]
            for name, speeds in figures["speed"].items()
        }
    rows = []
    for metric in METRICS:
        for name, values in figures.get(metric, {}).items():
            fields = case.row(metric) | {"id": f"{case.id}/{name}", "labels": {**case.labels, "engine": name}}
            if name != "model":
                fields |= {"published": None, "source": None}
            rows.append(Row.of(values, engine=name, unit=experiment.metrics[metric].unit, **fields))
    return rows


def prepare(cases: Sequence[Case], experiment: Experiment, quick: bool) -> None:
    """Build the engines of every configuration."""
    del experiment, quick
    configs = {case.config.name: case.config for case in cases}
    kinds = {name: ("rtl", "model") if config.has_rtl else ("model",) for name, config in configs.items()}
    targets = [one for name, config in configs.items() for one in building.targets(config, kinds[name])]
    building.ensure(["trapeze-sim", *dict.fromkeys(targets)], configs.values())


def check(experiment: Experiment) -> None:
    """Refuse an experiment file this cannot measure.

    Raises:
        TrapezeError: other metrics than METRICS, or a row that runs Linux on a configuration that does not boot it, or
            firmware on one that has no RTL.
    """
    experiment.require_metrics(METRICS)
    for case in experiment.cases:
        name = f"experiment {experiment.name}: {case.id}: config {case.config.name}"
        if LINUX in case.own and not case.config.first.supervisor:
            raise TrapezeError(f"{name} has no hart that boots Linux; app has one")
        if LINUX not in case.own and not case.config.has_rtl:
            raise TrapezeError(f"{name} has no RTL, which firmware is measured on; mcu-clint has one")
