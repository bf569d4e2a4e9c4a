# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""A board at a serial port: asked for measurements until it has answered, or it is clear that it will not."""

from __future__ import annotations

import errno
import os
import random
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import serial

from trapeze.common.errors import TrapezeError
from trapeze.onboard import lines
from trapeze.onboard.lines import Damaged, Foreign, Line, Splitter
from trapeze.onboard.report import Answer, Report, Request

ATTEMPTS = 3
"""How often a board is asked whose answer loses something on its way, or that starts again."""

QUIET_S = 2.0
"""Seconds without a line after which a board is asked once more, unless it measures."""

LOOK_S = 0.1
"""Seconds that one look at the port takes at most."""

SHOWN = 40
"""Characters that are shown of what something else says."""

PAGE = "docs/howto/measure-a-board.md"

Progress = Callable[[int], None]
"""Called with how many samples have come."""


def _refused(port: Path, error: Exception) -> TrapezeError:
    number = getattr(error, "errno", None)
    if number in (errno.EACCES, errno.EPERM):
        why = "no permission; become a member of the port's group, such as dialout"
    elif number in (errno.EBUSY, errno.EWOULDBLOCK) or "lock" in str(error):
        why = "another program uses it; close that, such as a terminal"
    else:
        reason = os.strerror(number).lower() if isinstance(number, int) else str(error)
        why = f"cannot be used as a serial port: {reason}; name another one"
    return TrapezeError(f"{port}: {why}")


def _require_port(port: Path) -> None:
    """Refuse what is no terminal, before anything is changed in it.

    Raises:
        TrapezeError: says what it is.
    """
    try:
        mode = port.stat().st_mode
    except FileNotFoundError:
        raise TrapezeError(
            f"{port}: no such port; connect the board, or name another one: ls /dev/ttyUSB* /dev/ttyACM*"
        ) from None
    except OSError as error:
        raise _refused(port, error) from None
    if not stat.S_ISCHR(mode):
        raise TrapezeError(f"{port}: is no serial port; name one, such as /dev/ttyUSB0")


@dataclass
class Board:
    """A board.

    Attributes:
        port: Where it is.
        line: The open port.
        baud: Of the line.
        patience: Seconds without a line of the board after which it is given up.
        foreign: How many bytes came that are no lines of a board.
        last: The last of them.
        damaged: How many lines came whose checksum is wrong.
        starts: How often its program said that it has started.
    """

    port: Path
    line: serial.Serial
    baud: int
    patience: float
    splitter: Splitter = field(default_factory=Splitter)
    foreign: int = 0
    last: bytes = b""
    damaged: int = 0
    starts: int = 0

    def measure(self, samples: int, stress: int, progress: Progress) -> Report:
        """Have it measure, and get what it measured.

        Raises:
            TrapezeError: it did not answer, or not well.
        """
        answer = Answer(Request(random.SystemRandom().randrange(1, 1 << 31), samples, stress))
        for _ in range(ATTEMPTS):
            if (found := self._attempt(answer, progress)) is not None:
                return found
        raise TrapezeError(
            f"{self.port}: of each of {ATTEMPTS} answers something got lost, or the board started again meanwhile; see "
            f"to its cable and its supply, and that --baud {self.baud} is the board's",
            exit_code=1,
        )

    def _attempt(self, answer: Answer, progress: Progress) -> Report | None:
        """Ask once, and listen until the answer is there; None: something of it got lost."""
        answer.begun = None
        self._ask(answer.request)
        heard = asked = time.monotonic()
        while True:
            for said in self._listen():
                if isinstance(said, Foreign):
                    self._note(said.text)
                    continue
                if isinstance(said, Damaged):  # the end of the answer says how many lines there have to be
                    self.damaged += 1
                    continue
                self._require_understood(said)
                words = [*said.words]
                if words[:1] == ["measure"]:
                    self._note(b"an echo of what this command sends")
                    continue
                if words[:1] == ["ready"]:  # no answer: a board that starts again and again says it for ever
                    self.starts += 1
                else:
                    heard = time.monotonic()
                if words[:1] == ["ready"] and answer.begun is not None:
                    return None
                if answer.begins(words):
                    answer.begin(words)
                elif words[:1] == ["end"] and answer.begun is not None:
                    return answer.ended(words)
                elif words and answer.begun is not None:
                    answer.take(words)
                    progress(answer.come)
            now = time.monotonic()
            if now - heard > self.patience:
                raise self._silent(answer)
            if now - max(heard, asked) > min(QUIET_S, self.patience) and answer.begun is None:
                self._ask(answer.request)
                asked = now
            if now - heard > QUIET_S and answer.come:
                return None

    def _listen(self) -> list[lines.Said]:
        with self._gone():
            received = self.line.read(max(1, self.line.in_waiting))
            return self.splitter.take(received)

    def _ask(self, request: Request) -> None:
        with self._gone():
            self.line.write(lines.written(*request.words()))

    @contextmanager
    def _gone(self) -> Iterator[None]:
        """What the port says when the board is unplugged, as an error."""
        try:
            yield
        except (serial.SerialException, OSError):
            raise TrapezeError(f"{self.port}: the port has gone; connect the board and try again", 1) from None

    def _note(self, text: bytes) -> None:
        self.foreign += len(text)
        self.last = text

    def _require_understood(self, said: Line) -> None:
        """Refuse another version of the protocol, and a board that refuses.

        Raises:
            TrapezeError: says which.
        """
        if said.version != lines.VERSION:
            raise TrapezeError(
                f"{self.port}: the board's program speaks version {said.version} of the protocol, and this command "
                f"version {lines.VERSION}; build the program anew ({PAGE})",
                exit_code=1,
            )
        if said.words[:1] == ("refused",):
            raise TrapezeError(
                f"{self.port}: the board's program refuses to measure this ({' '.join(said.words[1:])}); ask for fewer "
                f"samples, or build the program anew ({PAGE})",
                exit_code=1,
            )

    def _silent(self, answer: Answer) -> TrapezeError:
        """The board has said nothing for too long."""
        seconds = f"{self.patience:g} s"
        if answer.begun is not None:
            total = answer.request.samples * len(answer.samples)
            why = (
                f"the answer stopped after {answer.come} of {total} samples, and nothing came for {seconds}; reset the "
                "board, or allow more time with --timeout"
            )
        elif self.starts:
            why = (
                f"the board says that it has started ({self.starts} times), but does not answer for {seconds}; see "
                "that what is sent arrives at its receiving pin, and to its supply"
            )
        elif self.damaged:
            why = (
                f"{self.damaged} lines came with wrong checksums, and no whole one for {seconds}; see to the cable, "
                f"and that --baud {self.baud} is the board's"
            )
        elif self.foreign or self.splitter.unfinished:
            last = (self.splitter.unfinished or self.last).decode("ascii", "replace").strip()[-SHOWN:]
            why = (
                f"something else talks there ({last!r}), and no board's program answered for {seconds}; load the "
                f"program ({PAGE}), and see that --baud {self.baud} is the board's"
            )
        else:
            why = (
                f"nothing came for {seconds}; reset the board, see that its program is the one of {PAGE} and that "
                f"--baud {self.baud} is the board's"
            )
        return TrapezeError(f"{self.port}: {why}", exit_code=1)


@contextmanager
def opened(port: Path, baud: int, patience: float) -> Iterator[Board]:
    """The board at a port, which is as it was afterwards.

    Raises:
        TrapezeError: there is no such port, or it cannot be used.
    """
    _require_port(port)
    line = serial.Serial(baudrate=baud, timeout=LOOK_S, write_timeout=patience)
    line.port = str(port)
    line.exclusive = True
    try:
        line.open()
    except (serial.SerialException, OSError, ValueError) as error:
        raise _refused(port, error) from None
    try:
        yield Board(port, line, baud, patience)
    finally:
        with suppress(OSError, serial.SerialException):
            line.close()
