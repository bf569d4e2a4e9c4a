# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""A terminal for tests: runs `trapeze` as the user at a keyboard does."""

from __future__ import annotations

import os
import pty
import select
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from trapeze.common import paths

PATIENCE = 300
"""Seconds for what a terminal is expected to show."""


class Terminal:
    """A terminal at which a command runs."""

    def __init__(self, descriptor: int, process: int) -> None:
        self.process = process
        self._descriptor = descriptor
        self._shown = b""

    def type(self, keys: str) -> None:
        """Type."""
        os.write(self._descriptor, keys.encode())

    def expect(self, text: str) -> str:
        """Wait until it shows a text. Returns the output before it, and discards the output up to it.

        Raises:
            AssertionError: the text does not appear; the message contains the output.
        """
        end = time.monotonic() + PATIENCE
        while text.encode() not in self._shown:
            if time.monotonic() > end:
                raise AssertionError(self._shown.decode(errors="replace"))
            if select.select([self._descriptor], [], [], 1)[0]:
                try:
                    self._shown += os.read(self._descriptor, 4096)
                except OSError:  # the process has ended
                    if text.encode() not in self._shown:
                        raise AssertionError(self._shown.decode(errors="replace")) from None
        before, _, self._shown = self._shown.partition(text.encode())
        return before.decode(errors="replace")

    def code(self) -> int:
        """Exit code of the process, at its end."""
        return os.waitstatus_to_exitcode(os.waitpid(self.process, 0)[1])


@contextmanager
def at_terminal(words: Sequence[str]) -> Iterator[Terminal]:
    """Run `trapeze` with these words at a terminal of its own."""
    process, descriptor = pty.fork()
    if process == 0:
        command = [sys.executable, "-m", "trapeze", *words]
        os.execve(sys.executable, command, os.environ | {"PYTHONPATH": str(paths.LAB / "src")})  # noqa: S606 the child of a terminal becomes the command
    try:
        yield Terminal(descriptor, process)
    finally:
        os.close(descriptor)
