# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Preemption: what an interrupt controller does in given situations, as the firmware observes it.

The firmware plays every scenario, prints a line `NAME yes` or `NAME no` for each, and exits with 0 if it could. A row's
label `test` names the scenario; its value is 1 for yes. All rows of one firmware share one build and one run.
"""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path

from trapeze.common import paths
from trapeze.common.errors import TrapezeError, choices
from trapeze.common.files import once
from trapeze.common.jobs import Progress
from trapeze.experiment_files import Case, Experiment
from trapeze.firmware import toolchain
from trapeze.platform.configurations import Config
from trapeze.results.rows import Row
from trapeze.simulation import conditions, simulator
from trapeze.simulation.conditions import Noted
from trapeze.simulation.options import Options

MAX_CYCLES = 5_000_000
METRICS = ("holds",)
LABEL = "test"
_LINE = re.compile(rb"([\w-]+) (yes|no)")


def parse(console: bytes, name: str) -> dict[str, bool]:
    """What the firmware found, by scenario.

    Raises:
        TrapezeError: a line that is something else, the same scenario twice, or none at all.
    """
    found: dict[str, bool] = {}
    for line in console.splitlines():
        match = _LINE.fullmatch(line)
        if match is None or match[1].decode() in found:
            raise TrapezeError(f"{name}: the firmware said {line.decode(errors='replace')!r}, which is no finding", 1)
        found[match[1].decode()] = match[2] == b"yes"
    if not found:
        raise TrapezeError(f"{name}: the firmware found nothing", 1)
    return found


@once
def _play(
    elf: Path, config: Config, sources: tuple[Path, ...], options: tuple[str, ...]
) -> tuple[dict[str, bool], Noted]:
    toolchain.build(config, sources, elf, options)
    with conditions.noting() as under:
        outcome = simulator.measure(elf, config, Options(max_cycles=MAX_CYCLES))
    if outcome.run.reason != "exit" or outcome.run.code != 0:
        raise TrapezeError(f"{config.name}: the firmware ended by {outcome.run.how}", 1)
    return parse(outcome.console, config.name), under


def image(case: Case, experiment: str) -> Path:
    """Where the firmware of a row is, which it shares with all rows of the same sources and options."""
    sources = [os.path.relpath(source, paths.ROOT) for source in case.sources]
    key = hashlib.sha256("\0".join([*sources, *case.options]).encode()).hexdigest()[:8]
    return paths.BUILD / "bench" / experiment / f"{case.config.name}-{key}.elf"


def measure(case: Case, experiment: Experiment, quick: bool, progress: Progress) -> list[Row]:
    """The row of one case. There is nothing to leave out for `quick`."""
    del quick
    found, under = _play(image(case, experiment.name), case.config, case.sources, case.options)
    conditions.note(under)
    progress(1, 1)
    test = case.labels.get(LABEL, "")
    if test not in found:
        raise TrapezeError(f"{case.id}: the firmware has no scenario '{test}'; {choices(test, found)}", 1)
    return [
        Row.of([int(found[test])], engine="rtl", unit=metric.unit, **case.row(metric.name))
        for metric in experiment.metrics.values()
    ]


def check(experiment: Experiment) -> None:
    """Refuse an experiment file this cannot measure.

    Raises:
        TrapezeError: another metric than `holds`, or a row without a scenario.
    """
    experiment.allow_metrics(METRICS)
    if lacking := [case.id for case in experiment.cases if LABEL not in case.labels]:
        raise TrapezeError(f"experiment {experiment.name}: {lacking[0]}: label '{LABEL}' is missing")
