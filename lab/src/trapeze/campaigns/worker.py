# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""What a worker of a cluster does: a chunk of runs, one after the other, each in a process of the simulator."""

from __future__ import annotations

import hashlib
import json
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import trapeze
from trapeze.campaigns import delivery
from trapeze.common import processes
from trapeze.common.errors import TrapezeError
from trapeze.simulation import records, simulator

METRIC = "latency"
"""Of `records.METRICS`: what is kept of each line."""

FILES = ("engine", "follow", "platform")
"""Fields of a request that are files; `programs` is a list of them."""

NOT_STARTED = (126, 127)
"""Exit codes of a program that does not start, as shells, setpriv and the loader of libraries have them."""

STOPPED = "signal"
"""How a run ends that somebody stopped, as by Ctrl-C: that says nothing of its case, and is not kept."""


CODE = ("campaigns", "common", "simulation")
"""Parts of the package that make runs of requests and records of runs."""


@cache
def code() -> str:
    """The SHA-256 of the sources of `CODE` here: another version may read a request or a record in another way."""
    package = Path(trapeze.__file__).parent
    digest = hashlib.sha256()
    for file in sorted(file for part in CODE for file in (package / part).rglob("*.py")):
        digest.update(f"{file.relative_to(package)}\n".encode() + file.read_bytes())
    return digest.hexdigest()


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
        simulator: The one of them that makes the runs.
        code: `code()` of who made it.
    """

    runs: Sequence[Work]
    files: Mapping[str, str]
    simulator: str
    code: str = field(default_factory=lambda: code())


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


@dataclass(frozen=True)
class Lacks:
    """A chunk that cannot be made yet: those of its files that the worker's machine has not."""

    paths: Sequence[str]


def work(chunk: Chunk) -> Made | Lacks:
    """Make the runs of a chunk, with the files of this machine that have the right content, wherever they are.

    Raises:
        TrapezeError: this is another version than the command, or the simulator does not start here, or a signal
            stopped it.
    """
    if chunk.code != code():
        raise TrapezeError("a worker has another version of trapeze; give all machines the same one, and start it anew")
    begun = time.monotonic()
    found = {path: delivery.find(Path(path), sha256) for path, sha256 in chunk.files.items()}
    places = {path: str(place) for path, place in found.items() if place is not None}
    if lacking := [path for path in chunk.files if path not in places]:
        return Lacks(lacking)
    with simulator.scratch() as folder:
        place = _Place(folder, places, chunk.simulator)
        ends = [place.run(one) for one in chunk.runs]
    return Made(ends, time.monotonic() - begun)


class _Place:
    """Where the runs of a chunk are made: all use the same two files, since making and removing some takes longer."""

    def __init__(self, folder: Path, files: Mapping[str, str], program: str) -> None:
        self._files = files
        self._record = folder / "run.json"
        self._command = [files[program], *simulator.command_of(folder, {}, self._record)[1:], "--quiet"]
        self._request = Path(self._command[1])

    def _here(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """A request with the paths of this machine."""
        moved: dict[str, Any] = {name: self._files[request[name]] for name in FILES if name in request}
        return {**request, **moved, "programs": [self._files[one] for one in request["programs"]]}

    def _said(self, text: str) -> str:
        """What the simulator says, with the paths of the machine that asked: the same text wherever it runs."""
        for asked, here in self._files.items():
            text = text.replace(here, asked)
        return text.replace(str(self._request), "request").strip()

    def run(self, one: Work) -> Ended:
        """Make a run."""
        self._request.write_text(json.dumps(self._here(one.request)))
        self._record.write_bytes(b"")
        done = processes.run(
            self._command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
        )
        said = self._said(done.stderr) if done.returncode else ""
        if self._record.stat().st_size == 0:
            if done.returncode in NOT_STARTED:
                raise TrapezeError(f"the simulator does not start on a worker: {said}")
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
