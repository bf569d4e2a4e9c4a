# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""At a terminal Linux has a shell: keys, Ctrl-C, power-off. Panics, GDB in the kernel, the UART's driver, OpenSBI."""

from __future__ import annotations

import os
import pty
import re
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from trapeze.commandline import cli
from trapeze.common import paths, processes
from trapeze.linux import image, kernel
from trapeze.platform import configurations
from trapeze.simulation import simulator
from trapeze.simulation.simulator import Options

PATIENCE = 120
"""Seconds for what a terminal is expected to show."""


class Terminal:
    """A terminal at which `trapeze linux` runs."""

    def __init__(self, descriptor: int, process: int) -> None:
        self.process = process
        self._descriptor = descriptor
        self._shown = b""

    def type(self, keys: str) -> None:
        """Type."""
        os.write(self._descriptor, keys.encode())

    def expect(self, text: str) -> None:
        """Wait until it shows a text, and forget what is before it."""
        end = time.monotonic() + PATIENCE
        while text.encode() not in self._shown:
            assert time.monotonic() < end, self._shown.decode(errors="replace")
            if select.select([self._descriptor], [], [], 1)[0]:
                try:
                    self._shown += os.read(self._descriptor, 4096)
                except OSError:  # the process has ended
                    assert text.encode() in self._shown, self._shown.decode(errors="replace")
        self._shown = self._shown.partition(text.encode())[2]

    def code(self) -> int:
        """Exit code of the process, at its end."""
        return os.waitstatus_to_exitcode(os.waitpid(self.process, 0)[1])


@contextmanager
def at_terminal(config: str) -> Iterator[Terminal]:
    """Boot at a terminal of its own; the image and the engine are there before."""
    image.build(configurations.load(config), None, keys=True)
    process, descriptor = pty.fork()
    if process == 0:
        source = str(paths.LAB / "src")
        command = [sys.executable, "-m", "trapeze", "linux", "--config", config]
        os.execve(sys.executable, command, os.environ | {"PYTHONPATH": source})  # noqa: S606 the child of a terminal becomes the command
    try:
        yield Terminal(descriptor, process)
    finally:
        os.close(descriptor)


@pytest.mark.parametrize("config", ["app", "amp"])
def test_shell_at_a_terminal(config: str) -> None:
    with at_terminal(config) as terminal:
        terminal.expect("# ")
        terminal.type("echo $((40 + 2))\r")
        terminal.expect("\n42")
        terminal.expect("# ")
        terminal.type("sleep 100000\r")
        terminal.expect("100000")
        time.sleep(1)
        terminal.type("\x03")
        terminal.expect("# ")
        terminal.type("echo interrupted $?\r")
        terminal.expect("\ninterrupted 130") if config == "amp" else terminal.expect("interrupted 130")
        terminal.type("poweroff\r")
        terminal.expect("Power down")
        assert terminal.code() == 0


def test_keys_that_end_the_run() -> None:
    with at_terminal("app") as terminal:
        terminal.expect("# ")
        terminal.type("\x01x")
        terminal.expect("SIGINT")
        assert terminal.code() == 130


def run(config: str, script: str, opensbi: bool = False) -> tuple[int, str]:
    """Exit code and console of a script."""
    loaded = configurations.load(config)
    options = Options(max_cycles=400_000_000, engine="model", last_hart=0 if len(loaded.harts) > 1 else None)
    done = simulator.watch(image.build(loaded, script, opensbi=opensbi), loaded, options)
    return done.exit_code, done.console.decode(errors="replace").replace("\r", "")


def test_script_of_the_shell() -> None:
    code, console = run("app", "ls /; ps; echo $((6 * 7)) | cat; test -d /nothing")
    assert code == 2, console
    assert re.search(r"^bin +dev +init +proc", console, re.MULTILINE)
    assert re.search(r"^ +1 0 +/init$", console, re.MULTILINE)
    assert re.search(r"^42$", console, re.MULTILINE)


def test_panic() -> None:
    code, console = run("app", "exit")
    assert code == 2
    assert "Kernel panic - not syncing: Attempted to kill init!" in console


def test_uart_by_its_interrupt() -> None:
    code, console = run("amp", "cat /proc/interrupts")
    assert code == 0, console
    taken = re.search(r"^ +\d+: +(\d+) +SiFive PLIC +10 .* ttyS0$", console, re.MULTILINE)
    assert taken is not None
    assert int(taken[1]) > 0


@pytest.mark.skipif(shutil.which("gdb-multiarch") is None, reason="gdb-multiarch is missing")
def test_breakpoint_in_the_kernel() -> None:
    config = configurations.load("app")
    elf = image.build(config, "uname")
    command = simulator.command_line(elf, config, Options(engine="model", gdb=0), None)
    with processes.started(command, stderr=subprocess.PIPE, text=True) as simulated:
        assert simulated.stderr is not None
        port = simulated.stderr.readline().rpartition(":")[2].strip()
        asked = ["target remote localhost:" + port, "break run_init_process", "continue", "bt 2", "delete", "continue"]
        words = [word for one in asked for word in ("-ex", one)]
        gdb = ["gdb-multiarch", "-nx", "-batch", *words, str(kernel.build().symbols)]
        said = processes.run(gdb, capture_output=True, text=True, timeout=PATIENCE).stdout
        assert simulated.wait(PATIENCE) == 0
    assert re.search(r"^Breakpoint 1, 0xffffffff8\w+ in run_init_process", said, re.MULTILINE), said
    assert re.search(r"^#1 .* in kernel_init", said, re.MULTILINE), said


def test_the_command_line_takes_the_shell(capfd: pytest.CaptureFixture[str]) -> None:
    assert cli.dispatch(["linux", "--run", "expr 6 \\* 7"]) == 0
    assert "\n42" in capfd.readouterr().out.replace("\r", "")


@pytest.mark.skipif(not image.has_opensbi(), reason="Debian's package opensbi is missing")
@pytest.mark.parametrize("config", ["app", "amp"])
def test_opensbi_boots_the_kernel(config: str) -> None:
    code, console = run(config, "uname; echo the end", opensbi=True)
    assert code == 0, console
    assert re.search(r"^OpenSBI v1\.", console, re.MULTILINE)
    assert re.search(r"SBI implementation ID=0x1 ", console)
    assert re.search(r"^Linux\nthe end$", console, re.MULTILINE)
