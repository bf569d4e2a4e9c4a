# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""What a worker of a cluster does: a chunk of runs, one after the other, each in a process of the simulator."""

from __future__ import annotations

import json
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


STOPPED = "signal"
"""How a run ends that somebody stopped, as by Ctrl-C: that says nothing of its case, and is not kept."""


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
        place = _Place(folder)
        ends = [place.run(one) for one in chunk.runs]
    return Made(ends, time.monotonic() - begun)


class _Place:
    """Where the runs of a chunk are made: all use the same two files, since making and removing some takes longer."""

    def __init__(self, folder: Path) -> None:
        self._record = folder / "run.json"
        self._command = [*simulator.command_of(folder, {}, self._record), "--quiet"]
        self._request = Path(self._command[1])

    def run(self, one: Work) -> Ended:
        """Make a run."""
        self._request.write_text(json.dumps(one.request))
        self._record.write_bytes(b"")
        done = processes.run(
            self._command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
        )
        said = done.stderr.replace(str(self._request), "request").strip() if done.returncode else ""
        if self._record.stat().st_size == 0:
            how = f"signal {-done.returncode}" if done.returncode < 0 else "refused"
            return Ended(one.number, how, done.returncode, said=said)
        record = records.load(self._record)
        if record.reason == STOPPED:
            raise TrapezeError("a signal ended the simulator on a worker; what is done is kept, go on with --resume")
        return _ended(one.number, done.returncode, said, record)


def _ended(number: int, code: int, said: str, record: records.Run) -> Ended:
    lines = tuple(_lines(record))
    return Ended(number, record.how, code, record.cycles, record.instructions, lines, said)


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
