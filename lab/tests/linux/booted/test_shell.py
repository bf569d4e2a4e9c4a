# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""At a terminal Linux has a shell: keys, Ctrl-C, power-off. Panics, the UART's driver, OpenSBI."""

from __future__ import annotations

import re
import time
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from trapeze.commandline import cli
from trapeze.linux import image
from trapeze.platform import configurations
from trapeze.simulation import simulator
from trapeze.simulation.options import Options
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


def run(config: str, script: str, *, shelled: bool = False, opensbi: bool = False) -> tuple[int, str]:
    """Exit code and console of a script."""
    loaded = configurations.load(config)
    options = Options(max_cycles=400_000_000, engine="model", last_hart=0 if len(loaded.harts) > 1 else None)
    done = simulator.watch(image.build(loaded, script, shelled=shelled, opensbi=opensbi), loaded, options)
    return done.exit_code, done.console.decode(errors="replace").replace("\r", "")


def test_script_of_the_shell() -> None:
    code, console = run("app", "ls /; ps; echo $((6 * 7)) | cat; test -d /nothing", shelled=True)
    assert code == 1, console
    assert re.search(r"^bin +dev +init +proc", console, re.MULTILINE)
    assert re.search(r"^ +1 0 +/init$", console, re.MULTILINE)
    assert re.search(r"^42$", console, re.MULTILINE)


SCRIPT = r"""
cd /tmp
(true &)
sleep 0.1
ps -o stat | grep -c Z; x='a  b'
echo "$x" > f
cat f; ls
sh -c 'kill -9 $$'; echo killed $?
echo LONG | wc -c
set -- WORDS; echo $#
/bin/says.sh one 'two three'
exit 77
"""


@pytest.mark.parametrize("config", ["app", "amp"])
def test_script_has_a_shells_meaning(config: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Folders, quotes, variables, long lines, many words, scripts of the user's; no orphan is left as a zombie."""
    says = tmp_path / "says.sh"
    says.write_text('#!/bin/sh\necho "$# of $0: $2"\n')
    says.chmod(0o755)
    script = SCRIPT.replace("LONG", "x" * 9000).replace("WORDS", "w " * 500)
    assert cli.dispatch(["linux", "--config", config, "--add", str(says), "--run", script]) == 77
    console = capfd.readouterr().out.replace("\r", "").splitlines()
    said = [line for line in console if not line.startswith("[")]
    assert said == ["0", "a  b", "f", "Killed", "killed 137", "9001", "500", "2 of /bin/says.sh: two three"]


def test_system_and_popen(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "asks.c"
    source.write_text(
        "#include <stdio.h>\n#include <stdlib.h>\nint main(void) {\n"
        'char text[40] = ""; const int code = system("exit 3") >> 8; FILE *const f = popen("echo piped", "r");\n'
        'fgets(text, sizeof(text), f); pclose(f); printf("%d %s", code, text); return 4; }\n'
    )
    assert cli.dispatch(["cc", "--linux", str(source), "-o", str(tmp_path / "asks")]) == 0
    assert cli.dispatch(["linux", "--add", str(tmp_path / "asks"), "--run", "asks"]) == 4
    assert "\n3 piped\n" in capfd.readouterr().out.replace("\r", "")


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
    ends = [line for line in said if not line.startswith("trapeze: building ")]
    assert len(ends) == 1, said
    assert "--max-cycles" in ends[0]


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
