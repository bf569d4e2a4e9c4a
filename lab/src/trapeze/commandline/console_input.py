# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Who is at the other end of the console of `trapeze run`: a file, standard input, a terminal, a pseudo-terminal."""

from __future__ import annotations

import os
import shutil
import sys
import termios
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from trapeze.common.errors import TrapezeError
from trapeze.simulation.options import STANDARD_INPUT, Options
from trapeze.simulation.simulator import scratch

PTY = "pty"
"""The console is a pseudo-terminal."""

LIMIT = 256 << 20
"""Bytes of standard input, as of a file (sim/kernel/input_file.h)."""


@contextmanager
def console(options: Options, *, measures: bool, many: bool) -> Iterator[Options]:
    """The options with what the console receives, while the block runs.

    On a terminal the console receives the keys that are typed, unless an option says otherwise or the run measures
    figures, which must not depend on typing. If standard input is not a terminal it is read to its end first, so that
    such a run is the same each time.

    Args:
        options: Of the command line.
        measures: A figure depends on the run, or something is written of it.
        many: There is more than one run.

    Raises:
        TrapezeError: what was asked for does not go together, or standard input cannot be read.
    """
    if options.uart not in (None, PTY):
        raise TrapezeError(f"--uart '{options.uart}': not known; use --uart {PTY}, or leave it out")
    typed = options.uart_in == STANDARD_INPUT and _is_terminal(sys.stdin)
    if options.uart is not None or typed:
        _check_alone(options, "--uart pty" if options.uart is not None else "--uart-in -", many)
    if options.uart_in is None and options.uart is None and not measures and options.engine != "lockstep":
        if _is_terminal(sys.stdin) and _is_terminal(sys.stdout):
            options = replace(options, uart_in=STANDARD_INPUT)
        yield options
    elif options.uart_in == STANDARD_INPUT and not typed:
        with scratch() as folder:
            yield replace(options, uart_in=_spooled(folder / "stdin"), uart_in_shown=STANDARD_INPUT)
    else:
        yield options


def _is_terminal(stream: object) -> bool:
    try:
        return os.isatty(stream.fileno())  # type: ignore[attr-defined]
    except (AttributeError, OSError, ValueError):
        return False


def _check_alone(options: Options, option: str, many: bool) -> None:
    """Refuse somebody to talk to where the run is made more than once."""
    why = (
        "lockstep runs two engines"
        if options.engine == "lockstep"
        else "--sweep makes many runs"
        if many
        else "--budget runs again to say why"
        if options.budget is not None
        else ""
    )
    if why:
        raise TrapezeError(f"{option} is for one run, and {why}; give the input as a file with --uart-in FILE")


def _spooled(path: Path) -> Path:
    """Standard input up to its end, as a file."""
    try:
        with path.open("wb") as file:
            shutil.copyfileobj(sys.stdin.buffer, file)
    except (AttributeError, OSError, ValueError) as error:
        raise TrapezeError(f"--uart-in -: cannot read standard input: {error}; give a file") from None
    if path.stat().st_size > LIMIT:
        raise TrapezeError(f"--uart-in -: standard input has more than {LIMIT >> 20} MiB; give a smaller one")
    return path


@contextmanager
def terminal_kept() -> Iterator[None]:
    """Behind the block the terminal is as it was, however a program in it that was typed at has ended."""
    try:
        before = termios.tcgetattr(0)
    except (OSError, termios.error):
        yield
        return
    try:
        yield
    finally:
        _restore(before)


def _restore(before: list[Any]) -> None:
    try:
        if not _in_background() and termios.tcgetattr(0) != before:
            termios.tcsetattr(0, termios.TCSANOW, before)
    except (OSError, termios.error):
        return


def _in_background() -> bool:
    """Whether the terminal belongs to another job. A background job that changes its settings would be stopped."""
    try:
        return os.tcgetpgrp(0) != os.getpgrp()
    except OSError:  # a terminal without a foreground job
        return False
