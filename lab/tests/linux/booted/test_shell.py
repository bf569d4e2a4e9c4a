# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""At a terminal Linux has a shell: keys, Ctrl-C, power-off. Panics, the UART's driver, OpenSBI."""

from __future__ import annotations

import re
import time
from contextlib import AbstractContextManager

import pytest

from trapeze.commandline import cli
from trapeze.linux import image
from trapeze.platform import configurations
from trapeze.simulation import simulator
from trapeze.simulation.simulator import Options
from verify.dev import terminal
from verify.dev.terminal import Terminal


def at_terminal(config: str) -> AbstractContextManager[Terminal]:
    """Boot at a terminal; the image and the engine are there before."""
    image.build(configurations.load(config), None, keys=True)
    return terminal.at_terminal(["linux", "--config", config])


@pytest.mark.parametrize("config", ["app", "amp"])
def test_shell_at_a_terminal(config: str) -> None:
    with at_terminal(config) as shell:
        shell.expect("# ")
        shell.type("echo $((40 + 2))\r")
        shell.expect("\n42")
        shell.expect("# ")
        shell.type("sleep 100000\r")
        shell.expect("100000")
        time.sleep(1)
        shell.type("\x03")
        shell.expect("# ")
        shell.type("echo interrupted $?\r")
        shell.expect("\ninterrupted 130") if config == "amp" else shell.expect("interrupted 130")
        shell.type("poweroff\r")
        shell.expect("Power down")
        assert shell.code() == 0


def test_keys_that_end_the_run() -> None:
    with at_terminal("app") as shell:
        shell.expect("# ")
        shell.type("\x01x")
        shell.expect("SIGINT")
        assert shell.code() == 130


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


def test_a_script_that_does_not_end(capfd: pytest.CaptureFixture[str]) -> None:
    """The limit ends it, with one line that says so and where Linux was."""
    assert cli.dispatch(["linux", "--run", "yes >/dev/null", "--max-cycles", "60000000"]) == 124
    said = capfd.readouterr().err.strip().splitlines()
    assert len(said) == 1, said
    assert "--max-cycles" in said[0]


def test_the_command_line_takes_the_shell(capfd: pytest.CaptureFixture[str]) -> None:
    assert cli.dispatch(["linux", "--run", "expr 6 \\* 7"]) == 0
    assert "\n42" in capfd.readouterr().out.replace("\r", "")


@pytest.mark.parametrize("config", ["app", "amp"])
def test_opensbi_boots_the_kernel(config: str) -> None:
    code, console = run(config, "uname; echo the end", opensbi=True)
    assert code == 0, console
    assert re.search(r"^OpenSBI v1\.", console, re.MULTILINE)
    assert re.search(r"SBI implementation ID=0x1 ", console)
    assert re.search(r"^Linux\nthe end$", console, re.MULTILINE)
