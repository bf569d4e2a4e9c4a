# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Boards at pseudo-terminals: the simulator, and one in Python that does wrong what it is told to."""

from __future__ import annotations

import os
import re
import select
import subprocess
import sys
import threading
import tty
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from trapeze.firmware import compiler
from trapeze.platform import configurations

BUILT_FOR = compiler.note(configurations.load("mcu-fastirq"))


@contextmanager
def simulated(elf: Path, config: str) -> Iterator[str]:
    """The port of a simulated board."""
    command = [sys.executable, "-m", "trapeze", "run", str(elf), "--config", config, "--uart", "pty"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        try:
            name = None
            for said in process.stderr or ():
                if name := re.search(r"the console is (/dev/\S+);", said):
                    break
            if name is None:
                raise RuntimeError("the simulator ended before it named its terminal")
            yield name[1]
        finally:
            process.terminate()


def line(text: str, version: int = 1) -> bytes:
    """A line of the protocol."""
    whole = f"tzprobe {version} {text}"
    return f"\n@{whole} *{zlib.crc32(whole.encode()):08x}\n".encode()


def answer(number: str, samples: int, stress: str, right: int = 1) -> list[bytes]:
    """The lines of a good answer: sample i of T1 is 32, of T2 100 + i."""
    made = [line(f"begin number={number} samples={samples} stress={stress} clock=25000000 {BUILT_FOR}")]
    for test, values in (("t1", [32] * samples), ("t2", [100 + i for i in range(samples)])):
        for first in range(0, samples, 16):
            words = " ".join(f"{value:04x}" for value in values[first : first + 16])
            made.append(line(f"{test} first={first} {words}"))
    made.append(line("count wrong=0"))
    return [*made, line(f"end right={right} lines={len(made) - 1}")]


Reply = Callable[[list[bytes], int], Sequence[bytes]]
"""Makes of the lines of a good answer what the board sends to its request of this number, counted from 0."""


@contextmanager
def pretended(reply: Reply, before: bytes = b"") -> Iterator[str]:
    """The port of a board in Python, which has said something before."""
    host, peer = os.openpty()
    tty.setraw(peer)
    stop = threading.Event()

    def serve() -> None:
        received, asked = b"", 0
        os.write(host, before)
        while not stop.is_set():
            if not select.select([host], [], [], 0.05)[0]:
                continue
            received += os.read(host, 1000)
            while found := re.search(rb"measure number=(\d+) samples=(\d+) stress=(\d+) \*[0-9a-f]{8}\n", received):
                received = received[found.end() :]
                good = answer(found[1].decode(), int(found[2]), found[3].decode())
                for one in reply(good, asked):
                    os.write(host, one)
                asked += 1

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield os.ttyname(peer)
    finally:
        stop.set()
        thread.join()
        os.close(host)
        os.close(peer)
