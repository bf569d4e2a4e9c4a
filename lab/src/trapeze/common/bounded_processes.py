# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Programs that may want more memory or time than there is: solvers, synthesis, compilers of whole designs.

Each of them has a limit of memory and one of processor time. A process that reaches a limit ends with an error, and the
machine keeps working. The limits of the processes that run at a time fit into memory together, whichever commands have
started them. The kernel enforces the limits for each process (setrlimit(2)): of private memory that it may write
(`RLIMIT_DATA`), because the WebAssembly builds of Yosys reserve far more than they use, and of processor time
(`RLIMIT_CPU`), so that other work on the machine does not count.
"""

from __future__ import annotations

import fcntl
import os
import resource
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from trapeze.common import processes
from trapeze.common.errors import TrapezeError

MOST = 8 << 30
"""Bytes for one program, however much the machine has."""

SHARE = 0.8
"""Part of the machine's memory, for all heavy programs together."""

AT_LEAST = 2
"""So many have a place, whatever the machine: its memory is divided by it."""

COMPILE_SECONDS = 1800
"""Seconds of processor time for one compiler of a design."""

SYNTHESIS_SECONDS = 3600
"""For one run of a synthesis."""

PROOF_SECONDS = 7200
"""For one solver."""

_WAIT = 0.2
"""Seconds between two looks for a place."""

_GRACE = 5
"""Seconds of a processor in which a program that met its limit has to end."""

_NO_MEMORY = ("out of memory", "cannot allocate memory", "std::bad_alloc", "memory exhausted", "memoryerror")
_NO_TIME = ("cpu time limit exceeded",)


def machine() -> int:
    """Bytes of memory that this machine has."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def memory(of_machine: int | None = None) -> int:
    """Bytes that one heavy program may have: 8 GiB, or less on a machine with less than 20."""
    whole = machine() if of_machine is None else of_machine
    return min(MOST, int(SHARE * whole / AT_LEAST))


def places(of_machine: int | None = None) -> int:
    """How many heavy programs may run at a time: as many as memory holds and there are processors, but one."""
    whole = machine() if of_machine is None else of_machine
    return max(1, min(os.cpu_count() or 1, int(SHARE * whole / memory(whole))))


def _locks() -> Path:
    """Where the places are, the same for all of a user's checkouts."""
    folder = Path(tempfile.gettempdir()) / f"trapeze-places-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder


def _take(folder: Path) -> IO[str] | None:
    """A place that is free."""
    for number in range(places()):
        file = (folder / str(number)).open("w")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.close()
            continue
        return file
    return None


@contextmanager
def place() -> Iterator[None]:
    """Wait for a place, and keep it while the block runs. A process that ends gives its place back."""
    folder = _locks()
    while (held := _take(folder)) is None:
        if processes.ending():
            raise processes.Ended
        time.sleep(_WAIT)
    with held:
        yield


@contextmanager
def limited(seconds: int, beside: int = 1) -> Iterator[None]:
    """What this process starts in the block has the limits, and a place.

    Args:
        seconds: Of a processor.
        beside: Programs of the block that run at a time and share its memory.
    """
    used = int(time.process_time()) + 1  # so far, which counts for this process
    wanted = {resource.RLIMIT_DATA: memory() // beside, resource.RLIMIT_CPU: used + seconds}
    before = {kind: resource.getrlimit(kind) for kind in wanted}
    with place():
        for kind, value in wanted.items():
            hard = before[kind][1]
            resource.setrlimit(kind, (value if hard == resource.RLIM_INFINITY else min(value, hard), hard))
        try:
            yield
        finally:
            for kind, limits in before.items():
                resource.setrlimit(kind, limits)


def command(words: Sequence[str], seconds: int, beside: int = 1) -> list[str]:
    """The command with its limits; `place` has to be kept while it runs.

    Args:
        words: The command.
        seconds: Of a processor, for each process that it starts.
        beside: Programs that it starts at a time and that share its memory.
    """
    return ["prlimit", f"--data={memory() // beside}", f"--cpu={seconds}:{seconds + _GRACE}", "--", *words]


def complaint(name: str, code: int, said: str, seconds: int, beside: int = 1) -> str | None:
    """Says that a program that failed did so because it met a limit; None if it did not.

    Args:
        name: Of the program.
        code: Its exit code.
        said: What it said.
        seconds: Its limit.
        beside: As for `command`.
    """
    text = said.lower()
    if code == 0:
        return None
    if code in (-signal.SIGXCPU, 128 + signal.SIGXCPU) or any(words in text for words in _NO_TIME):
        return f"{name} met its limit of time, {seconds} s of a processor"
    if any(words in text for words in _NO_MEMORY):
        each = memory() // beside / (1 << 30)
        return (
            f"{name} met its limit of memory, {each:.1f} GiB; a machine with more memory has a higher one, up to 8 GiB"
        )
    return None


def run(words: Sequence[str], seconds: int, **options: Any) -> subprocess.CompletedProcess[Any]:
    """`processes.run` of a heavy program, in its place and with its limits; its output is captured as text.

    Raises:
        TrapezeError: it met a limit.
        FileNotFoundError: there is no such program.
        subprocess.TimeoutExpired: it took longer than `timeout` and was killed.
    """
    processes.find(words[0])
    with place():
        done = processes.run(command(words, seconds), capture_output=True, text=True, **options)
    met = complaint(Path(words[0]).name, done.returncode, done.stdout + done.stderr, seconds)
    if met is not None:
        raise TrapezeError(met, exit_code=1)
    return done
