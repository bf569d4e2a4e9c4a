# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Standard input, output and error of a command that was started without some of them, as services may be."""

from __future__ import annotations

import errno
import os
import sys
from typing import Literal, TextIO


def is_open(descriptor: int) -> bool:
    """Whether a file descriptor is open."""
    try:
        os.fstat(descriptor)
    except OSError as error:
        return error.errno != errno.EBADF
    return True


def _stream(descriptor: int, mode: Literal["r", "w"]) -> TextIO:
    return open(descriptor, mode, closefd=False)


def stand_in() -> None:
    """Put something in the place of standard streams that are not there.

    Otherwise the next file that the command or a program of its opens would be standard output. Input is at its end.
    Writing to output fails, as it has to, since what was asked for goes nowhere; to error it is lost.
    """
    for descriptor, flags in ((0, os.O_RDONLY), (1, os.O_RDONLY), (2, os.O_WRONLY)):
        if is_open(descriptor):
            continue
        nowhere = os.open(os.devnull, flags)
        os.dup2(nowhere, descriptor)
        if nowhere != descriptor:
            os.close(nowhere)
    # Python has none where there was no descriptor when it began.
    if sys.stdin is None:
        sys.stdin = _stream(0, "r")
    if sys.stdout is None:
        sys.stdout = _stream(1, "w")
    if sys.stderr is None:
        sys.stderr = _stream(2, "w")
