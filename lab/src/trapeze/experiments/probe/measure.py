# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Both latencies of the Latencies IP paper, measured twice: by the probes on the chip and by the host.

The firmware (bench/probe) reads the probes' RAMs and prints the samples, checked by a CRC, and a table of its own. The
simulator records in which cycles the signals rose that the probes are connected to. There is a figure only if every
sample agrees with the signals, to the cycle, and the firmware's table with its samples.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from trapeze.common.errors import TrapezeError
from trapeze.common.jobs import Progress
from trapeze.experiment_files import Case, Experiment
from trapeze.experiments.probe import definition
from trapeze.explaining import worst_case
from trapeze.explaining.worst_case import MeasuredSpan
from trapeze.results.rows import Row
from trapeze.results.statistics import summarize
from trapeze.simulation import simulator
from trapeze.simulation.records import Run
from trapeze.simulation.simulator import Options

MAX_CYCLES = 100_000_000
METRICS = ("latency", "time", "agreed", "retired")
TESTS = {"t1": ("timer_irq", "data_ready"), "t2": ("data_ready", "read_done")}
"""The signals whose rises begin and end each latency."""

LOADS = ("idle", "stress")
MARKER_LAST_WORD = 7
"""Marker behind the load of the last word."""

COLUMNS = ("n", "min", "max", "mean", "p50", "jitter", "stdev")
"""Columns of the firmware's table, which has two digits behind the point."""

_SAMPLES = re.compile(r"samples (\w+) (\d+)\n((?:[0-9a-f]{4}[ \n])*)crc32 0x([0-9a-f]{8})\n")
_TABLE = re.compile(r"(\w+)" + r" +([\d.]+)" * len(COLUMNS))
_COUNT = re.compile(r"([a-z-]+) (\d+)")


@dataclass(frozen=True)
class Report:
    """What the firmware said.

    Attributes:
        samples: Cycles, by test.
        table: Its statistics of them, by test and column.
        counts: What it counted, by name.
    """

    samples: Mapping[str, tuple[int, ...]]
    table: Mapping[str, Mapping[str, float]]
    counts: Mapping[str, int]


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


def _unreadable(name: str, line: str) -> TrapezeError:
    return TrapezeError(f"{name}: the firmware said {line!r}, which is no part of its report", exit_code=1)


def parse(console: bytes, name: str) -> Report:
    """What the firmware printed.

    Raises:
        TrapezeError: it is not all there, or samples do not fit their number or their checksum.
    """
    text = console.decode(errors="replace")
    samples = {}
    for test, count, words, crc in _SAMPLES.findall(text):
        values = tuple(int(word, 16) for word in words.split())
        if len(values) != int(count):
            raise TrapezeError(f"{name}: {test}: the firmware printed {len(values)} of {count} samples", exit_code=1)
        if zlib.crc32(np.asarray(values, "<u2").tobytes()) != int(crc, 16):
            raise TrapezeError(f"{name}: {test}: the samples do not fit their checksum", exit_code=1)
        samples[test] = values
    heading, *lines = _SAMPLES.sub("", text).splitlines() or [""]
    if set(samples) != set(TESTS) or heading.split()[:1] != ["test"]:
        raise _unreadable(name, heading)
    table: dict[str, dict[str, float]] = {}
    counts: dict[str, int] = {}
    for line in lines:
        if (found := _TABLE.fullmatch(line)) and found[1] in TESTS:
            table[found[1]] = dict(zip(COLUMNS, map(float, found.groups()[1:]), strict=True))
        elif _COUNT.sub("", line).strip() == "":
            counts |= {key: int(value) for key, value in _COUNT.findall(line)}
        else:
            raise _unreadable(name, line)
    if set(table) != set(TESTS):
        raise TrapezeError(f"{name}: the firmware's table is not whole", exit_code=1)
    return Report(samples, table, counts)


def check_table(report: Report, name: str) -> None:
    """Hold the firmware's statistics against those of the laboratory.

    Raises:
        TrapezeError: one is different.
    """
    for test, columns in report.table.items():
        found = summarize(report.samples[test])
        for column, printed in columns.items():
            if abs(printed - getattr(found, column)) > 0.011:
                raise TrapezeError(
                    f"{name}: {test}: the firmware computed {column} {printed:g} and the laboratory "
                    f"{getattr(found, column):g} from the same samples",
                    exit_code=1,
                )


def compare(report: Report, run: Run, name: str) -> dict[str, tuple[int, ...]]:
    """Hold every sample of the probes against the rises of the signals.

    Returns:
        The cycles between the rises, by test.

    Raises:
        TrapezeError: the first one that differs, or how many there are on each side.
    """
    if lacking := {signal for pair in TESTS.values() for signal in pair} - set(run.signals):
        raise TrapezeError(f"{name}: the record has no signal '{sorted(lacking)[0]}'; use --engine rtl", exit_code=1)
    host = {}
    for test, (begin, end) in TESTS.items():
        samples, begins, ends = report.samples[test], run.signals[begin], run.signals[end]
        if not len(samples) == len(begins) == len(ends):
            raise TrapezeError(
                f"{name}: {test}: the probe has {len(samples)} samples, but {begin} rose {len(begins)} times and "
                f"{end} {len(ends)} times",
                exit_code=1,
            )
        for number, (sample, first, last) in enumerate(zip(samples, begins, ends, strict=True)):
            if sample != last - first:
                raise TrapezeError(
                    f"{name}: {test}: sample {number}: the probe says {sample} cycles and the host {last - first} "
                    f"({begin} rose in cycle {first}, {end} in cycle {last})",
                    exit_code=1,
                )
        host[test] = tuple(last - first for first, last in zip(begins, ends, strict=True))
    return host


def retirements(run: Run, name: str) -> tuple[int, ...]:
    """Cycles from the end of each T2 to the retirement of the marker behind the load of the last word.

    Raises:
        TrapezeError: there is not one for each, or they are not all at the same distance.
    """
    retired = [marker.tr for marker in run.markers if marker.n == MARKER_LAST_WORD]
    done = run.signals["read_done"]
    if len(retired) != len(done):
        raise TrapezeError(f"{name}: {len(done)} blocks were read, but the marker passed {len(retired)} times", 1)
    distances = tuple(after - before for after, before in zip(retired, done, strict=True))
    for number, distance in enumerate(distances):
        if distance != distances[0]:
            raise TrapezeError(
                f"{name}: t2: sample {number}: the instruction behind the last load retired {distance} cycles after "
                f"the end of T2, that of sample 0 {distances[0]} cycles",
                exit_code=1,
            )
    return distances


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
    made = []
    for test, cycles in measured.samples.items():
        values: dict[str, Sequence[float]] = {
            "latency": cycles,
            "time": [1000 * value / definition.clock(experiment) for value in cycles],
            "agreed": [int(ours == theirs) for ours, theirs in zip(cycles, measured.host[test], strict=True)],
        }
        if test == "t2":
            values["retired"] = measured.retired
        for name, metric in experiment.metrics.items():
            if name in values:
                labels = {**case.labels, "test": test}
                if name == "latency" and why is not None and test in why:
                    labels[worst_case.LABEL] = why[test]
                fields = case.row(name) | {"id": f"{case.id}/{test}", "labels": labels}
                made.append(Row.of(values[name], engine="rtl", unit=metric.unit, **fields))
    return made


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
