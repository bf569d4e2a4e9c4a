# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Programs that a command starts: compilers, simulators, QEMU. None of them outlives the command, however it ends.

Three mechanisms ensure this. A block that an exception leaves ends its program. A signal that ends the command is
passed on to all programs, whichever thread waits. If the command is killed, the kernel sends the programs SIGTERM
(setpriv of util-linux requests that).
"""

from __future__ import annotations

import ctypes
import os
import re
import shutil
import signal
import subprocess
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from types import FrameType
from typing import Any

from trapeze.common import streams

_PATIENCE = 10.0
"""Seconds in which a program that was asked to end has to: a simulator finishes its trace."""

_PR_SET_PDEATHSIG = 1
"""prctl(2)."""

_running: set[subprocess.Popen[Any]] = set()
_ending: list[int] = []
"""The signals that came."""


class Ended(KeyboardInterrupt):
    """A signal ends the command."""


def ending() -> bool:
    """Whether a signal ends the command."""
    return bool(_ending)


def exit_code() -> int:
    """The exit code of a command that a signal ended, as a shell has it."""
    return 128 + (_ending[0] if _ending else signal.SIGINT)


@cache
def _tie() -> tuple[str, ...]:
    """What stands before a command so that the program ends with this one."""
    setpriv = shutil.which("setpriv")
    return (setpriv, "--pdeathsig", "TERM", "--") if setpriv else ()


def _ask_all(number: int) -> None:
    for process in list(_running):
        if process.poll() is None:
            process.send_signal(number)


def _on_signal(number: int, frame: FrameType | None) -> None:
    del frame
    again = bool(_ending)
    _ending.append(number)
    _ask_all(signal.SIGKILL if again else number)
    # Some ignore it: QEMU does when it sleeps not.
    late = threading.Timer(_PATIENCE, _ask_all, [signal.SIGKILL])
    late.daemon = True
    late.start()
    raise Ended


def end_by_signals() -> None:
    """From here on SIGINT and SIGTERM end what runs and raise `Ended`; a second one ends it at once."""
    for number in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _on_signal)


def end_with_parent() -> None:
    """Have the kernel end this process with the one that started it: for workers of a pool."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


def find(name: str) -> str:
    """The file of a program.

    Raises:
        FileNotFoundError: there is none.
    """
    place = shutil.which(name)
    if place is None or not os.access(place, os.X_OK):
        raise FileNotFoundError(2, "No such program", name)
    return place


def open_files(names: Sequence[object]) -> list[int]:
    """The open files among names that say their numbers, as a shell does for `<(…)`: a program has to inherit them."""
    found = [re.fullmatch(r"/(?:dev|proc/self)/fd/(\d+)", str(name)) for name in names]
    return [int(one[1]) for one in found if one and int(one[1]) > 2 and streams.is_open(int(one[1]))]


@contextmanager
def started(command: Sequence[str], **options: Any) -> Iterator[subprocess.Popen[Any]]:
    """A program that runs while the block does; the options are those of `subprocess.Popen`.

    Raises:
        FileNotFoundError: there is no such program.
        Ended: the command is ending.
    """
    if _ending:
        raise Ended
    options["pass_fds"] = (*options.get("pass_fds", ()), *open_files(command))
    with subprocess.Popen([*_tie(), find(command[0]), *command[1:]], **options) as process:
        _running.add(process)
        try:
            yield process
        except BaseException:
            _end(process)
            raise
        finally:
            _running.discard(process)


def _end(process: subprocess.Popen[Any]) -> None:
    """Ask a program to end, unless it was asked, and see that it does."""
    if process.poll() is None and not _ending:
        process.terminate()
    try:
        process.wait(_PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()


def run(
    command: Sequence[str],
    *,
    given: str | bytes | None = None,
    capture_output: bool = False,
    timeout: float | None = None,
    check: bool = False,
    **options: Any,
) -> subprocess.CompletedProcess[Any]:
    """`subprocess.run` for a program that does not outlive this one; `given` is its standard input.

    Raises:
        FileNotFoundError: there is no such program.
        subprocess.TimeoutExpired: it took longer and was killed.
        subprocess.CalledProcessError: it failed, with `check`.
    """
    if given is not None:
        options["stdin"] = subprocess.PIPE
    if capture_output:
        options |= {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with started(command, **options) as process:
        try:
            out, complaints = process.communicate(given, timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
    done = subprocess.CompletedProcess(list(command), process.returncode, out, complaints)
    if check:
        done.check_returncode()
    return done


_NAMES_AN_ERROR = re.compile(r"(?i:\b(?:error|fatal|abort|killed|cannot|no such))|Error\b")


def reason(code: int, said: str, most: int = 8) -> str:
    """Why a program failed: the signal that ended it, and what it said of errors, or else its last lines.

    Args:
        code: Its exit code, negative for a signal.
        said: Its output.
        most: Lines of it to keep.
    """
    lines = [line for line in said.splitlines() if line.strip()]
    kept = [line for line in lines if _NAMES_AN_ERROR.search(line)][:most] or lines[-most:]
    how = f"killed by {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
    return "\n".join([how, *kept])
