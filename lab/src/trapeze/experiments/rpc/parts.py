# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Compiles what the experiment runs: Linux programs, and jobs for the hart beside."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from trapeze.common import paths, processes
from trapeze.common.errors import TrapezeError
from trapeze.firmware import job as jobs
from trapeze.linux import program as programs
from trapeze.platform.configurations import Config

INCLUDE = [f"-I{paths.FIRMWARE / 'hal' / 'include'}", f"-I{paths.ROOT / 'regs' / 'gen' / 'c'}"]
STRICT = ["-O2", "-Wall", "-Wextra", "-Werror"]
NAMED = "-Dmain=dgemm_here"
"""For the function of a job, which a program and the job's own main() call."""


def _words(words: Sequence[str | Path], made: Path) -> list[str]:
    return [*INCLUDE, *STRICT, *map(str, words), "-o", str(made)]


def program(words: Sequence[str | Path], made: Path) -> None:
    """Compile a Linux program, or with `-c` a part of one.

    Raises:
        TrapezeError: it does not compile.
    """
    done = processes.run(programs.command_line(_words(words, made)), capture_output=True, text=True)
    if done.returncode:
        raise TrapezeError(f"{made.name} does not build:\n{done.stderr.strip()}", 1)


def job(config: Config, words: Sequence[str | Path], made: Path) -> None:
    """Compile a job, or with `-c` a part of one.

    Raises:
        TrapezeError: it does not compile.
    """
    if jobs.command(config, _words(words, made)):
        raise TrapezeError(f"{made.name} does not build", 1)
