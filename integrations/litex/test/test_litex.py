# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""LiteX's BIOS on Trapeze in its simulation: its prompt, its commands, a program with interrupts of the timer."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from trapeze.common import paths
from verify.dev import litex

BUILD = paths.BUILD / "litex"
PROGRAM = litex.PACKAGE / "test" / "program"
RAM = 0x4000_0000
ROM = 0x8000_0000
PROMPT = "litex\x1b[0m> "

pytestmark = pytest.mark.slow


class Console:
    """The terminal of a simulation."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self._said = bytearray()
        self._seen = 0
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        while chunk := os.read(self._process.stdout.fileno(), 4096):
            self._said += chunk

    def expect(self, text: str, seconds: float = 120) -> str:
        """Wait for a text; what was said from the last one on, this one included."""
        end = time.monotonic() + seconds
        while (at := self._said.find(text.encode(), self._seen)) < 0:
            over = self._process.poll() is not None and not self._reader.is_alive()
            assert not over, f"ended before {text!r}: {self._said[-3000:].decode()}"
            assert time.monotonic() < end, f"no {text!r} but {self._said[self._seen :].decode()[-3000:]!r}"
            time.sleep(0.02)
        part = self._said[self._seen : at + len(text)].decode()
        self._seen = at + len(text)
        return part

    def type(self, text: str) -> None:
        """As on a keyboard."""
        assert self._process.stdin is not None
        self._process.stdin.write(text.encode())
        self._process.stdin.flush()


@contextmanager
def simulation(python: Path, folder: Path, *options: str | Path) -> Iterator[Console]:
    """LiteX's simulation, compiled and started in a folder."""
    with subprocess.Popen(
        [python.parent / "trapeze_litex_sim", "--non-interactive", *options],
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    ) as process:
        try:
            yield Console(process)
        finally:
            os.killpg(process.pid, signal.SIGKILL)


@pytest.fixture
def booted(python: Path, tmp_path: Path) -> Callable[[str], Iterator[Console]]:
    """A variant with a program in its memory."""

    @contextmanager
    def boot(variant: str) -> Iterator[Console]:
        options = ["--cpu-variant", variant, "--integrated-main-ram-size", "0x10000", "--opt-level", "O1"]
        litex.run([python.parent / "trapeze_litex_sim", *options, "--no-compile-gateware"], tmp_path)
        program = tmp_path / "program"
        shutil.copytree(PROGRAM, program)
        site = next((python.parents[1] / "lib").glob("python3*")) / "site-packages"
        demo = site / "litex" / "soc" / "software" / "demo"
        shutil.copy(demo / "linker.ld", program)
        build = tmp_path / "build" / "sim"
        objects = ["OBJECTS=crt0.o main.o", "demo.bin"]
        litex.run(["make", "-f", demo / "Makefile", f"BUILD_DIR={build}", *objects], program)
        with simulation(python, tmp_path, *options, "--ram-init", program / "demo.bin") as console:
            yield console

    return boot


def test_bridge(python: Path) -> None:
    """Of the ports, the most important one; no access that changes; the bus released; in Migen's simulation."""
    litex.run([python, litex.PACKAGE / "test" / "bridge.py"], BUILD)


@pytest.mark.parametrize("variant", ["clic", "fastirq", "clint", "fastirq_inplace"])
def test_bios(booted: Callable[[str], Iterator[Console]], tmp_path: Path, variant: str) -> None:
    """The BIOS comes to its prompt and answers, and boots a program that lives on interrupts."""
    with booted(variant) as console:
        start = console.expect("Press Q or ESC", 400)
        assert "BIOS CRC passed" in start
        assert "Trapeze @ 1MHz" in start
        console.type("Q")
        console.expect(PROMPT)
        console.type("ident\r")
        assert "Ident: LiteX Simulation" in console.expect(PROMPT)
        console.type(f"crc {RAM:#x} 256\r")
        image = (tmp_path / "program" / "demo.bin").read_bytes()
        assert f"CRC32: {zlib.crc32(image[:256]):08x}" in console.expect(PROMPT)

        console.type(f"boot {RAM:#x}\r")
        said = console.expect("program: say something")
        for line in (
            "masked: pending, 0 ticks",
            "cleared: pending 0",
            "50 ticks, many rounds, 0 wrong",
            "period right",
            "mask right",
            "4 of 4 interrupts kept all registers",
            "disabled spurious irq",
            "masked by LiteX",
        ):
            assert line in said, said
        console.type("x")
        console.expect("program: heard x")
        # Two cycles for each, and one for each eight; a few more or less by where the eight begin.
        cycles = int(console.expect(" cycles for 65 words").split()[-5])
        assert 136 <= cycles <= 140, cycles
        assert "exception 1 at f0000000" in console.expect("***\n")
