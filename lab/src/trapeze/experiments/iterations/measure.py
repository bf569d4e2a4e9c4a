# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Compute: cycles and instructions of one iteration of each kernel, as the firmware counts them.

The firmware prints a line `NAME cycles N instructions M` for each kernel, checks its own results and exits with 0.
`over OTHER` behind it asks for how many per cent more cycles that is than the kernel of an earlier line takes.

Of a program under a monitor, `loss` is how many per cent of its throughput are lost against the same one without it.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from trapeze.common.errors import TrapezeError
from trapeze.common.jobs import Progress
from trapeze.experiment_files import Case, Experiment
from trapeze.experiments.iterations import stretches
from trapeze.explaining import worst_case
from trapeze.results.rows import Row
from trapeze.simulation import simulator
from trapeze.simulation.options import Options
from trapeze.simulation.records import Run

MAX_CYCLES = 100_000_000
OPTIONS = Options(max_cycles=MAX_CYCLES)
METRICS = ("cycles", "call", "instructions", "overhead", "loss")
SAME = {"call": "cycles"}
"""Metrics that are another one by a second name: an experiment of calls says `call`."""

_LINE = re.compile(rb"([\w-]+) +cycles (\d+) instructions (\d+)(?: over (\w+))?")


def parse(console: bytes, name: str) -> dict[str, dict[str, float]]:
    """The figures by kernel and metric; overhead, in per cent, only where the firmware asks for it.

    Raises:
        TrapezeError: a line that is something else or names a kernel that has not been measured, or no line at all.
    """
    figures: dict[str, dict[str, float]] = {}
    for line in console.splitlines():
        found = _LINE.fullmatch(line)
        if found is None:
            raise TrapezeError(f"{name}: the firmware said {line.decode(errors='replace')!r}, which is no figure", 1)
        cycles = int(found[2])
        kernel: dict[str, float] = {"cycles": cycles, "instructions": int(found[3])}
        if found[4] is not None:
            other = figures.get(found[4].decode(), {}).get("cycles")
            if not other:
                said = line.decode(errors="replace")
                raise TrapezeError(f"{name}: the firmware said {said!r}, and there is no such figure before", 1)
            kernel["overhead"] = 100 * (cycles - other) / other
        figures[found[1].decode()] = kernel
    if not figures:
        raise TrapezeError(f"{name}: the firmware printed no figures", 1)
    return figures


def _figures(case: Case, experiment: Experiment) -> tuple[dict[str, dict[str, float]], Path, Run]:
    """The figures of a case, its firmware, and the run.

    Raises:
        TrapezeError: the firmware found something wrong.
    """
    elf = case.firmware(experiment.name)
    outcome = simulator.measure(elf, case.config, OPTIONS)
    run = outcome.run
    if run.reason != "exit" or run.code != 0:
        raise TrapezeError(f"{case.id}: the firmware ended by {run.how}", 1)
    return parse(outcome.console, case.id), elf, run


def _lose(found: dict[str, dict[str, float]], case: Case, experiment: Experiment) -> None:
    """Add to the figures what is lost against the same program without a monitor, in per cent of its throughput."""
    machine, _, _ = _figures(replace(case, id=f"{case.id}/machine", monitor=None), experiment)
    for kernel, figures in found.items():
        figures["loss"] = 100 * (1 - machine[kernel]["cycles"] / figures["cycles"])


def measure(case: Case, experiment: Experiment, quick: bool, progress: Progress) -> list[Row]:
    """The rows of one case: each kernel and metric. There is nothing to leave out for `quick`."""
    del quick
    found, elf, run = _figures(case, experiment)
    losing = "loss" in experiment.metrics
    if losing and case.monitor is not None:
        _lose(found, case, experiment)
    said = stretches.reasons(case, elf, run, OPTIONS, found) if case.rtos is not None and not losing else {}
    comparable = case.labels.get("scheme") in experiment.own.get("comparable", [case.labels.get("scheme")])
    published = experiment.own.get("losses", {}) if comparable else {}
    progress(1, 1)
    rows = []
    for kernel, figures in found.items():
        for metric in experiment.metrics.values():
            name = SAME.get(metric.name, metric.name)
            if name not in figures:
                continue
            fields = case.row(metric.name)
            labels = {**case.labels, "test": kernel}
            if kernel in said and metric.name == "cycles":
                labels[worst_case.LABEL] = said[kernel]
            fields |= {"id": f"{case.id}/{kernel}", "labels": labels}
            if metric.name == "loss" and kernel in published:
                fields |= {"published": published[kernel]["value"], "source": published[kernel]["source"]}
            rows.append(Row.of([figures[name]], engine="rtl", unit=metric.unit, **fields))
    return rows


def check(experiment: Experiment) -> None:
    """Refuse an experiment file this cannot measure.

    Raises:
        TrapezeError: a metric that the firmware does not count.
    """
    experiment.allow_metrics(METRICS)
