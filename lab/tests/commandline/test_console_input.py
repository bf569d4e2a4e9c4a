# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Somebody at the other end of the console: a terminal, standard input, a pseudo-terminal."""

from __future__ import annotations

import os
import re
import select
import subprocess
import sys
import termios
import time
import tty
from pathlib import Path

import pytest

from trapeze.firmware import toolchain
from trapeze.platform import configurations as config
from verify.dev import terminal
from verify.dev.testing import Trapeze

ENGINES = ("rtl", "model")
ECHO = """\
#include <stdio.h>
#include <trapeze/console.h>

int main(void)
{
\tint c;

\tconsole_puts("ready\\n");
\tdo {
\t\tc = console_getc();
\t\tprintf("<%d>", c);
\t} while (c != 'q');
\treturn 7;
}
"""
LISTENS = """\
#include <stddef.h>
#include <trapeze/console.h>
#include <trapeze/irq.h>
#include <trapeze/map.h>
#include <trapeze/uart.h>

static volatile int last;

static void on_byte(void *arg)
{
\t(void)arg;
\tfor (int c = console_try_getc(); c >= 0; c = console_try_getc()) {
\t\tlast = c;
\t\tconsole_putc((char)c);
\t}
}

int main(void)
{
\tirq_connect(IRQ_EXTERNAL, on_byte, NULL);
\tirq_enable(IRQ_EXTERNAL);
\t*(volatile unsigned char *)(CONSOLE_UART_BASE + TRAPEZE_UART_IER_OFFSET) = 1;
\tirq_unlock_all();
\tconsole_puts("ready\\n");
\twhile (last != 'q') {
\t\t__asm__ volatile("wfi");
\t}
\treturn 7;
}
"""
DEAF = """\
#include <trapeze/console.h>

int main(void)
{
\tconsole_puts("ready\\n");
\tfor (;;) {
\t\t__asm__ volatile("wfi");
\t}
}
"""


def build(folder: Path, text: str) -> Path:
    """A program for mcu-clint."""
    source = folder / "main.c"
    source.write_text(text)
    return toolchain.build(config.load("mcu-clint"), [source], folder / "echo.elf")


def words(elf: Path, engine: str, *more: str) -> list[str]:
    return ["run", str(elf), "--config", "mcu-clint", "--engine", engine, "--max-cycles", str(10**12), *more]


@pytest.mark.parametrize("engine", ENGINES)
def test_typed_at_a_terminal(tmp_path: Path, engine: str) -> None:
    with terminal.at_terminal(words(build(tmp_path, ECHO), engine)) as shell:
        shell.expect("ready")
        shell.type("a")
        shell.expect("<97>")  # before a line is whole, and nothing is echoed by the terminal
        shell.type("\x1a\r")  # Ctrl-Z stops nothing, Enter ends a line
        shell.expect("<26><10>")
        shell.type("q")
        shell.expect("exit 7")
        assert shell.code() == 7


@pytest.mark.parametrize("engine", ENGINES)
def test_a_program_that_sleeps_between_keys(tmp_path: Path, engine: str) -> None:
    with terminal.at_terminal(words(build(tmp_path, LISTENS), engine)) as shell:
        shell.expect("ready")
        time.sleep(0.5)
        shell.type("x")
        shell.expect("x")
        time.sleep(0.5)
        shell.type("q")
        shell.expect("exit 7")
        assert shell.code() == 7


def test_ctrl_c_ends_a_run_that_is_typed_at(tmp_path: Path) -> None:
    with terminal.at_terminal(words(build(tmp_path, LISTENS), "model")) as shell:
        shell.expect("ready")
        shell.expect("sleeps until the console receives something")
        shell.type("\x03")
        shell.expect("SIGINT")
        assert shell.code() == 130


def test_keys_that_wake_nobody_end_it(tmp_path: Path) -> None:
    with terminal.at_terminal(words(build(tmp_path, DEAF), "model")) as shell:
        shell.expect("Ctrl-C ends the run")  # a key before that is read while the program still runs
        shell.type("x")
        shell.expect("waits for an interrupt that cannot come")
        assert shell.code() == 122


@pytest.mark.parametrize("ends", ["exit", "killed"])
def test_the_terminal_is_as_it_was(tmp_path: Path, ends: str) -> None:
    elf = build(tmp_path, ECHO)
    host, peer = os.openpty()
    before = termios.tcgetattr(peer)
    command = [sys.executable, "-m", "trapeze", *words(elf, "model")]
    process = subprocess.Popen(command, stdin=peer, stdout=peer, stderr=peer)
    seen = b""
    while b"ready" not in seen:
        assert select.select([host], [], [], 60)[0], seen
        seen += os.read(host, 1000)
    assert termios.tcgetattr(peer)[3] & (termios.ICANON | termios.ECHO) == 0
    if ends == "exit":
        os.write(host, b"q")
        assert process.wait(60) == 7
    else:
        child = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()[0]
        os.kill(int(child), 9)
        assert process.wait(60) == 137
    assert termios.tcgetattr(peer) == before
    os.close(host)
    os.close(peer)


@pytest.mark.parametrize("engine", [*ENGINES, "lockstep"])
def test_standard_input_that_is_a_pipe(tmp_path: Path, engine: str) -> None:
    elf = build(tmp_path, ECHO)
    command = [sys.executable, "-m", "trapeze", *words(elf, engine)]
    piped = subprocess.run([*command, "--uart-in", "-"], input=b"aq", capture_output=True, check=False)
    (tmp_path / "keys").write_text("aq")
    read = subprocess.run([*command, "--uart-in", str(tmp_path / "keys")], capture_output=True, check=False)
    assert (piped.stdout, piped.returncode) == (b"ready\n<97><113>", 7), piped.stderr
    assert (piped.stdout, piped.stderr, piped.returncode) == (read.stdout, read.stderr, read.returncode)


def test_nobody_at_standard_input(tmp_path: Path) -> None:
    """A pipe that nothing comes through, and nobody reads without being asked to."""
    command = [sys.executable, "-m", "trapeze", *words(build(tmp_path, DEAF), "model")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.wait(60) == 122


@pytest.mark.parametrize("engine", ENGINES)
def test_pseudo_terminal(tmp_path: Path, engine: str) -> None:
    elf = build(tmp_path, ECHO)
    command = [sys.executable, "-m", "trapeze", *words(elf, engine, "--uart", "pty")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        name = None
        while name is None:
            line = process.stderr.readline()
            assert line
            name = re.search(r"the console is (/dev/\S+);", line)
        peer = os.open(name[1], os.O_RDWR | os.O_NOCTTY)
        tty.setraw(peer, termios.TCSANOW)  # the default drops what the program has written already
        seen = b""
        for send, until in ((b"", b"ready\n"), (b"a\r", b"<97><13>"), (b"q", b"<113>")):
            os.write(peer, send)
            while not seen.endswith(until):
                assert select.select([peer], [], [], 60)[0], seen
                piece = os.read(peer, 1000)
                assert piece, f"the run has ended: {process.poll()}, after {seen!r}"
                seen += piece
        os.close(peer)
        out, complaints = process.communicate(timeout=60)
    assert (process.returncode, out) == (7, ""), complaints


def test_bad_input(trapeze: Trapeze, tmp_path: Path) -> None:
    base = ("run", build(tmp_path, ECHO), "--config", "mcu-clint")
    for more, message in (
        (("--uart", "tcp"), "--uart 'tcp': not known; use --uart pty, or leave it out"),
        (("--uart", "pty", "--uart-in", "x"), "use one of them"),
        (("--uart", "pty", "--sweep", "3@1..2"), "--uart pty is for one run, and --sweep makes many"),
        (("--uart", "pty", "--engine", "lockstep"), "--uart pty is for one run, and lockstep runs two engines"),
    ):
        said = trapeze(*base, *more)
        assert (said.code, message in said.error) == (2, True), said.error
