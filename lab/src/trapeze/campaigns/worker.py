# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""What a worker of a cluster does: a chunk of runs, one after the other, each in a process of the simulator."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from trapeze.common import processes
from trapeze.common.errors import TrapezeError
from trapeze.simulation import records, simulator
from trapeze.simulation.conditions import Content

METRIC = "latency"
"""Of `records.METRICS`: what is kept of each line."""


@dataclass(frozen=True)
class Work:
    """A run: the number of its case, and the request."""

    number: int
    request: Mapping[str, Any]


@dataclass(frozen=True)
class Chunk:
    """Runs that a worker makes together.

    Attributes:
        runs: Of them, in order.
        files: What they read, by path, with the SHA-256 that it must have.
    """

    runs: Sequence[Work]
    files: Mapping[str, str]


@dataclass(frozen=True)
class Latencies:
    """Of a line: how often its interrupt was taken, and the cycles to its marker."""

    hart: int
    line: int
    taken: int
    least: int | None
    most: int | None


@dataclass(frozen=True)
class Ended:
    """How a run ended, and its figures.

    Attributes:
        number: Of the case.
        how: The reason, and behind `exit` the code.
        code: Exit code of the simulator.
        cycles: None without a record.
        instructions: None without a record.
        lines: Those that rose.
        said: By the simulator, if it failed.
    """

    number: int
    how: str
    code: int
    cycles: int | None = None
    instructions: int | None = None
    lines: tuple[Latencies, ...] = ()
    said: str = ""


@dataclass(frozen=True)
class Made:
    """A chunk that is done: the ends of its runs, and the seconds it took."""

    ends: Sequence[Ended]
    seconds: float


@cache
def _digest(path: str, state: tuple[int, int]) -> str:
    del state
    return Content.of(Path(path)).sha256


def digest(path: Path) -> str:
    """The SHA-256 of a file, which is read once as long as it does not change.

    Raises:
        TrapezeError: it cannot be read.
    """
    try:
        status = path.stat()
    except OSError as error:
        raise TrapezeError(f"{path}: cannot be read: {(error.strerror or str(error)).lower()}") from None
    return _digest(str(path), (status.st_mtime_ns, status.st_size))


def work(chunk: Chunk) -> Made:
    """Make the runs of a chunk.

    Raises:
        TrapezeError: this machine has other files than the one that made the chunk, or lacks them.
    """
    begun = time.monotonic()
    for path, wanted in chunk.files.items():
        if digest(Path(path)) != wanted:
            raise TrapezeError(f"{path}: a worker finds another content there; every machine must see the same files")
    with simulator.scratch() as folder:
        ends = [_run(folder, one) for one in chunk.runs]
    return Made(ends, time.monotonic() - begun)


def _run(folder: Path, one: Work) -> Ended:
    path = folder / "run.json"
    path.unlink(missing_ok=True)
    command = [*simulator.command_of(folder, one.request, path), "--quiet"]
    done = processes.run(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
    )
    Path(command[1]).unlink()
    said = done.stderr.replace(command[1], "request").strip() if done.returncode else ""
    if not path.exists():
        how = f"signal {-done.returncode}" if done.returncode < 0 else "refused"
        return Ended(one.number, how, done.returncode, said=said)
    record = records.load(path)
    return Ended(
        one.number, record.how, done.returncode, record.cycles, record.instructions, tuple(_lines(record)), said
    )


def _lines(record: records.Run) -> list[Latencies]:
    by_line: dict[tuple[int, int], list[records.Interrupt]] = {}
    for one in record.interrupts:
        if one.line is not None:
            by_line.setdefault((one.hart, one.line), []).append(one)
    made = []
    for (hart, line), ones in sorted(by_line.items()):
        values = [value for one in ones if (value := one.distance(METRIC)) is not None]
        taken = sum(one.taken is not None or one.tf is not None for one in ones)
        made.append(Latencies(hart, line, taken, min(values, default=None), max(values, default=None)))
    return made
