# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Both latencies of the Latencies IP paper, measured twice: by the probes on the chip and by the host.

The firmware (bench/probe) reads the probes' RAMs and prints the samples, checked by a CRC, and a table of its own. The
simulator records in which cycles the signals rose that the probes are connected to. There is a figure only if every
sample agrees with the signals, to the cycle, and the firmware's table with its samples.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from trapeze.common.errors import TrapezeError
from trapeze.common.jobs import Progress
from trapeze.experiment_files import Case, Experiment
from trapeze.experiments import probe_file as definition
from trapeze.experiments import probe_rows
from trapeze.experiments.probe_samples import MARKER_LAST_WORD, check_table, compare, parse, retirements
from trapeze.explaining import worst_case
from trapeze.explaining.worst_case import MeasuredSpan
from trapeze.results.rows import Row
from trapeze.simulation import simulator
from trapeze.simulation.options import Options
from trapeze.simulation.records import Run

MAX_CYCLES = 100_000_000
METRICS = ("latency", "time", "agreed", "retired")
LOADS = ("idle", "stress")


@dataclass(frozen=True)
class Measured:
    """One run.

    Attributes:
        samples: Cycles as the probes measured them, by test.
        host: The same as the host measured them.
        retired: Cycles from the end of each T2 to the retirement of the instruction behind the last load.
    """

    samples: Mapping[str, tuple[int, ...]]
    host: Mapping[str, tuple[int, ...]]
    retired: tuple[int, ...]


def evaluate(console: bytes, run: Run, case: Case) -> Measured:
    """Everything that one run has to show.

    Raises:
        TrapezeError: the firmware failed or found something wrong, or probe and host do not agree.
    """
    if run.reason != "exit":
        raise TrapezeError(f"{case.id}: the firmware ended by {run.reason}", exit_code=1)
    report = parse(console, case.id)
    if run.code != 0:
        counts = ", ".join(f"{key} {value}" for key, value in report.counts.items())
        raise TrapezeError(f"{case.id}: the firmware ended with code {run.code}: {counts}", exit_code=1)
    asked = definition.probe(case)
    wanted = asked.samples if asked else 0
    if len(report.samples["t1"]) != wanted:
        raise TrapezeError(f"{case.id}: {len(report.samples['t1'])} samples, not {wanted}", exit_code=1)
    check_table(report, case.id)
    return Measured(report.samples, compare(report, run, case.id), retirements(run, case.id))


def reasons(case: Case, elf: Path, run: Run) -> dict[str, str]:
    """Where the cycles of each test's worst sample went, with its timeline; from its first signal to a marker.

    T1 is the time of the random data generator, and all samples are the same. T2 ends with the load of the last word,
    in front of marker 7.
    """
    options = Options(max_cycles=MAX_CYCLES)
    ends = [marker.tx for marker in run.markers if marker.n == MARKER_LAST_WORD]
    spans = [MeasuredSpan(first, last, options) for first, last in zip(run.signals["data_ready"], ends, strict=True)]
    begin, end = run.signals["timer_irq"][0], run.signals["data_ready"][0]
    worst_case.draw(case, elf, options, begin, end, worst_case.timeline(elf, "t1"))
    alone = f"cycles {begin} to {end}: the random data generator's own time, in which no instruction takes part"
    return {"t1": alone, "t2": worst_case.explain_span(case, elf, spans, "t2")}


def rows(case: Case, experiment: Experiment, measured: Measured, why: Mapping[str, str] | None = None) -> list[Row]:
    """The rows of one run: each test and metric; `why`: the reasons of worst cases, by test."""
    seen: dict[str, dict[str, Sequence[float]]] = {
        test: {"agreed": [int(ours == theirs) for ours, theirs in zip(cycles, measured.host[test], strict=True)]}
        for test, cycles in measured.samples.items()
    }
    seen["t2"]["retired"] = measured.retired
    made = probe_rows.rows(case, experiment, measured.samples, seen)
    return [
        replace(row, labels={**row.labels, worst_case.LABEL: why[row.labels["test"]]})
        if why is not None and row.metric == "latency" and row.labels["test"] in why
        else row
        for row in made
    ]


def measure(case: Case, experiment: Experiment, quick: bool, progress: Progress) -> list[Row]:
    """The rows of one case. Every run is whole, also with `quick`."""
    del quick
    asked = definition.probe(case)
    if asked is None:
        raise TrapezeError(f"{case.id}: has no 'probe'")
    settings = (f"-DSAMPLES={asked.samples}U", f"-DSTRESS={asked.stress}U")
    elf = replace(case, options=(*case.options, *settings)).firmware(experiment.name)
    outcome = simulator.measure(elf, case.config, Options(max_cycles=MAX_CYCLES))
    progress(1, 1)
    measured = evaluate(outcome.console, outcome.run, case)
    return rows(case, experiment, measured, reasons(case, elf, outcome.run))


def check(experiment: Experiment) -> None:
    """Refuse an experiment file this cannot measure.

    Raises:
        TrapezeError: another metric, no clock, no sampling, or a row whose settings are missing or not its label's.
    """
    name = f"experiment {experiment.name}"
    experiment.allow_metrics(METRICS)
    for key in ("clock", "sampling"):
        if experiment.own.get(key) is None:
            raise TrapezeError(f"{name}: '{key}' is missing")
    for case in experiment.cases:
        asked = definition.probe(case)
        if asked is None:
            raise TrapezeError(f"{name}: {case.id}: 'probe' is missing; write for example {{samples: 400, stress: 0}}")
        load = LOADS[asked.stress > 0]
        if case.labels.get("load") != load:
            raise TrapezeError(f"{name}: {case.id}: with stress {asked.stress} the label 'load' must be '{load}'")
