# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""GDB on Linux for tests: a run of `trapeze linux` that waits for it, and a session with that run."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Sequence

from trapeze.common import processes

PATIENCE = 120
"""Seconds for a session, and for the end of the run after it."""

PORT = "PORT"
"""What a command of a session calls the run's port."""

SYMBOLS = "VMLINUX"
"""What a word of a session calls the file of the kernel's symbols."""


def session(words: Sequence[str], gdb: Sequence[str], typed: Sequence[str]) -> tuple[str, str]:
    """Debug a run of Linux.

    Args:
        words: Of `trapeze linux`, without `--gdb`.
        gdb: GDB and its files.
        typed: What is typed at GDB's prompt.

    Returns: The output of GDB, and that of the run's console.

    Raises:
        AssertionError: the run does not wait for GDB, or does not end well.
    """
    command = [sys.executable, "-m", "trapeze", "linux", *words, "--gdb", "0"]
    found: dict[str, str] = {}
    with processes.started(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as run:
        for line in run.stderr or ():
            if symbols := re.search(r"for GDB: (\S+)$", line):
                found[SYMBOLS] = symbols[1]
            elif port := re.search(r":(\d+)$", line):
                found[PORT] = port[1]
                break
        if found.keys() != {SYMBOLS, PORT}:
            raise AssertionError(f"the run does not wait for GDB: {found}")

        def named(word: str) -> str:
            return word.replace(SYMBOLS, found[SYMBOLS]).replace(PORT, found[PORT])

        asked = [word for one in (f"target remote localhost:{PORT}", *typed) for word in ("-ex", named(one))]
        line = [gdb[0], "-nx", "-batch", *map(named, gdb[1:]), *asked]
        done = processes.run(line, capture_output=True, text=True, timeout=PATIENCE)
        console = run.stdout.read() if run.stdout else ""
        if run.wait(PATIENCE) != 0:
            raise AssertionError(done.stdout + done.stderr + console)
    return done.stdout + done.stderr, console
