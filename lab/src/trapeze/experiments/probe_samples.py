# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Samples of the latency probes: as the firmware prints them, and as the host saw the same signals.

The firmware (bench/probe, bench/probe-scenarios) reads the probes' RAMs and prints the samples, checked by a CRC, and a
table of its own. The simulator records in which cycles the signals rose that the probes are connected to.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from trapeze.common.errors import TrapezeError
from trapeze.results.statistics import summarize
from trapeze.simulation.records import Run

TESTS = {"t1": ("timer_irq", "data_ready"), "t2": ("data_ready", "read_done")}
"""The signals whose rises begin and end each latency."""

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


def compare(report: Report, run: Run, name: str, block: str = "") -> dict[str, tuple[int, ...]]:
    """Hold every sample of the probes against the rises of the signals, whose names begin with `block`.

    Returns:
        The cycles between the rises, by test.

    Raises:
        TrapezeError: the first one that differs, or how many there are on each side.
    """
    tests = {test: (f"{block}{begin}", f"{block}{end}") for test, (begin, end) in TESTS.items()}
    if lacking := {signal for pair in tests.values() for signal in pair} - set(run.signals):
        raise TrapezeError(
            f"{name}: the record has no signal '{sorted(lacking)[0]}'; use --engine rtl or timed", exit_code=1
        )
    host = {}
    for test, (begin, end) in tests.items():
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


def retirements(run: Run, name: str, block: str = "", exact: bool = True) -> tuple[int, ...]:
    """Cycles from the end of each T2 to the retirement of the marker behind the load of the last word.

    Raises:
        TrapezeError: there is not one for each, or of an `exact` hart they are not all at the same distance. On a
            modelled one the marker may have to be fetched.
    """
    retired = [marker.tr for marker in run.markers if marker.n == MARKER_LAST_WORD]
    done = run.signals[f"{block}read_done"]
    if len(retired) != len(done):
        raise TrapezeError(f"{name}: {len(done)} blocks were read, but the marker passed {len(retired)} times", 1)
    distances = tuple(after - before for after, before in zip(retired, done, strict=True))
    for number, distance in enumerate(distances):
        if exact and distance != distances[0]:
            raise TrapezeError(
                f"{name}: t2: sample {number}: the instruction behind the last load retired {distance} cycles after "
                f"the end of T2, that of sample 0 {distances[0]} cycles",
                exit_code=1,
            )
    return distances
