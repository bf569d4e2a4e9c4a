# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Lines of the protocol between `trapeze probe` and a board, `@tzprobe VERSION WORD... *CRC32`.

`fw/hal/include/trapeze/probe_report.h` says what each one means.
"""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass

VERSION = 1

MARK = "tzprobe"

LONGEST = 4096
"""Bytes of a line; what is longer is none of the protocol."""

_LINE = re.compile(rb"@(" + MARK.encode() + rb" (\d{1,9}) ([ -)+-~]*)) \*([0-9a-f]{8})\r?$")


@dataclass(frozen=True)
class Line:
    """What a board said in a line that is whole: the version that it speaks, and the words behind it."""

    version: int
    words: tuple[str, ...]


@dataclass(frozen=True)
class Damaged:
    """A line of the protocol that lost something on its way."""


@dataclass(frozen=True)
class Foreign:
    """What something else printed, without its line break."""

    text: bytes


Said = Line | Damaged | Foreign


def written(*words: str) -> bytes:
    """A line for the board. What its receiver may hold of an earlier line does not spoil it."""
    text = " ".join((MARK, str(VERSION), *words))
    return f"\n@{text} *{zlib.crc32(text.encode()):08x}\n".encode()


def understood(line: bytes) -> Said:
    """What a line without its line break is."""
    start = line.rfind(b"@" + MARK[:2].encode())
    if start < 0:
        return Foreign(line)
    found = _LINE.match(line, start)
    if found is None or zlib.crc32(found[1]) != int(found[4], 16):
        return Damaged()
    return Line(int(found[2]), tuple(found[3].decode().split()))


class Splitter:
    """Makes lines of bytes as they come, whatever stands between the lines of the protocol."""

    def __init__(self) -> None:
        self._rest = b""

    @property
    def unfinished(self) -> bytes:
        """What has come of the next line, such as a prompt."""
        return self._rest

    def take(self, received: bytes) -> list[Said]:
        """The lines that are complete now; empty ones are left out."""
        *complete, self._rest = (self._rest + received).split(b"\n")
        self._rest = self._rest[-LONGEST:]
        return [understood(line) for line in complete if line.strip()]
