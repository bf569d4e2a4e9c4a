# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""What of T2 is hardware, hypervisor, operating system and user: Equation 1 of the Latencies IP paper, from records.

A part of the run is seen again with a trace. Each cycle of a sample belongs to the instruction that it brings to its
retirement, and that to who it is of.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from trapeze.platform.configurations import Config
from trapeze.simulation import simulator
from trapeze.simulation.options import Options
from trapeze.simulation.traces import Record, Retired, Taken, functions, read

HARDWARE, HYPERVISOR, OS, USER = "hardware", "hypervisor", "os", "user"
PARTS = (HARDWARE, HYPERVISOR, OS, USER)
"""`hardware`: from the rise of the interrupt until the first handler's first instruction, with an instruction that did
not end. `hypervisor`: machine mode below a cell. `user`: the program's own handler. `os`: all else, the HAL."""

OWN = ("data_ready_connected", "data_ready", "read_last")
"""Functions of the program's handler (bench/probe/measure.c) that T2 knows."""

MACHINE = 3

SAMPLES = 16
"""How many samples are seen again, from the first one on."""

BEFORE = 50
"""Cycles that the trace begins before them."""


@dataclass(frozen=True)
class Sample:
    """A sample of T2: from the rise of `data_ready` to that of `read_done`."""

    begin: int
    end: int


def split(trace: Sequence[Record], sample: Sample, own: Sequence[range], below: bool, retires: int) -> dict[str, int]:
    """The cycles of each part of a sample.

    Args:
        trace: Of the hart that measures.
        sample: The sample.
        own: Addresses of the program's handler.
        below: Machine mode is a hypervisor's.
        retires: Cycles from an instruction's execution to the one that a trace gives it.
    """
    taken = next((one.cycle for one in trace if isinstance(one, Taken) and one.cycle >= sample.begin), sample.end)
    parts, at, entered = dict.fromkeys(PARTS, 0), sample.begin, False
    for one in trace:
        cycle = min(one.cycle - (retires if isinstance(one, Retired) else 0), sample.end)
        if not isinstance(one, Retired) or cycle <= at:
            continue
        if not entered and cycle > taken:  # the handler's first instruction has a cycle, and what was before is entry
            parts[HARDWARE] += cycle - 1 - at
            at, entered = cycle - 1, True
        if not entered:
            parts[HARDWARE] += cycle - at
        elif below and one.mode == MACHINE:
            parts[HYPERVISOR] += cycle - at
        else:
            parts[USER if any(one.pc in where for where in own) else OS] += cycle - at
        at = cycle
        if at == sample.end:
            break
    return parts


def measure(
    first: Path, config: Config, options: Options, elf: Path, hart: int, samples: Sequence[Sample]
) -> dict[str, list[int]]:
    """The cycles of each part, sample by sample.

    Args:
        first: The program of hart 0.
        config: The platform.
        options: Of the run that is seen again.
        elf: The program that measures.
        hart: Its hart.
        samples: Of that run.
    """
    own = [where for where, name in functions(elf) if name in OWN]
    supervisor = config.harts[hart].supervisor
    with simulator.scratch() as folder:
        made = folder / "trace.jsonl"
        part = replace(
            options, trace=made, trace_from=max(0, samples[0].begin - BEFORE), max_cycles=samples[-1].end + BEFORE
        )
        simulator.watch(first, config, part)
        with made.open() as lines:
            trace = list(read(lines, hart=hart))
    cycles = [one.cycle for one in trace]
    found: dict[str, list[int]] = {name: [] for name in PARTS}
    for sample in samples:
        # Records are in the order of their cycles, but for one or two.
        window = trace[max(0, bisect_left(cycles, sample.begin) - 4) : bisect_left(cycles, sample.end + 4) + 4]
        below = supervisor and len(config.harts) > 1
        for name, value in split(window, sample, own, below, 0 if supervisor else 1).items():
            found[name].append(value)
    return found
