# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Every command of docs/howto/linux-beside-your-firmware.md, in order, and what the page says that it prints."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from itertools import groupby
from pathlib import Path

import pytest

from trapeze.commandline import cli
from trapeze.common import paths, processes
from trapeze.dev.examples import commands, expected, write_files
from trapeze.dev.terminal import PATIENCE, at_terminal
from trapeze.linux import image
from trapeze.platform import configurations

PAGE = paths.ROOT / "docs" / "howto" / "linux-beside-your-firmware.md"
SHELL = "./trapeze linux"
PORT = "3333"


def wanted() -> list[str]:
    """Those of the page, without what is in its programs."""
    text = re.sub(r"```c\n.*?```", "", PAGE.read_text(), flags=re.DOTALL)
    return re.findall(r"^    (\S.*)$", text, re.MULTILINE)


def debugged(command: str, session: list[str]) -> str:
    """What GDB says of a session with a run that waits for it."""
    words = [sys.executable, "-m", "trapeze", *shlex.split(command.replace(PORT, "0"))[1:]]
    with processes.started(words, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as run:
        assert run.stderr is not None
        symbols = run.stderr.readline().rpartition(": ")[2].strip()
        port = run.stderr.readline().rpartition(":")[2].strip()
        asked = [one.removeprefix("(gdb) ").replace(PORT, port) for one in session[1:]]
        gdb = session[0].replace("VMLINUX", symbols).split()
        typed = [word for one in asked for word in ("-ex", one)]
        said = processes.run(
            [gdb[0], "-nx", "-batch", *typed, *gdb[1:]], capture_output=True, text=True, timeout=PATIENCE
        )
        assert run.wait(PATIENCE) == 0, said.stdout
    return str(said.stdout)


@pytest.mark.skipif(shutil.which("gdb-multiarch") is None, reason="gdb-multiarch is missing")
def test_the_page(tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    write_files(PAGE, tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(paths.LAB / "src"))
    of_gdb = [list(group) for is_gdb, group in groupby(commands(PAGE), lambda one: "gdb" in one) if is_gdb]
    others = [one for one in commands(PAGE) if "gdb" not in one]
    assert (others[0], len(of_gdb), bool(wanted())) == (SHELL, 1, True)
    image.build(configurations.load("app"), None, keys=True)
    with at_terminal(shlex.split(SHELL)[1:]) as shell:
        shell.expect("# ")
        shell.type("poweroff\r")
        assert shell.code() == 0
    for command in others[1:]:
        assert cli.dispatch(shlex.split(command)[1:]) == expected(PAGE, command), command
    console = capfd.readouterr().out.replace("\r", "")
    place = 0
    for line in wanted():
        found = console.find(line, place)
        assert found >= 0, f"{line}\n{console[place:]}"
        place = found + len(line)
    for session in of_gdb:
        said = debugged(session[0], session[1:])
        assert re.search(r"^Breakpoint 1, 0x\w+ in run_init_process", said, re.MULTILINE), said
        assert re.search(r"^#1 .* in kernel_init", said, re.MULTILINE), said
