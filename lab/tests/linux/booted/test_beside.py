# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Every command of docs/howto/linux-beside-your-firmware.md, in order, and what the page says that it prints."""

from __future__ import annotations

import re
import shlex
from itertools import groupby
from pathlib import Path

import pytest

from trapeze.commandline import cli
from trapeze.common import paths
from trapeze.linux import image, kernel
from trapeze.platform import configurations
from verify.dev import debugger
from verify.dev.examples import commands, expected, write_files
from verify.dev.terminal import at_terminal

PAGE = paths.ROOT / "docs" / "howto" / "linux-beside-your-firmware.md"
SHELL = "./trapeze linux"
GDB_PORT = "3333"


def wanted() -> list[str]:
    """Those of the page, without what is in its programs."""
    text = re.sub(r"```c\n.*?```", "", PAGE.read_text(), flags=re.DOTALL)
    return re.findall(r"^    (\S.*)$", text, re.MULTILINE)


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
    for line in wanted():  # in this order; the kernel's begin with a time, maybe behind a prompt
        found = re.search(rf"^(# )?(\[ *\d+\.\d+\] )?{re.escape(line)}(?!\w)", console, re.MULTILINE)
        assert found, f"{line}\n{console}"
        console = console[found.end() :]
    for session in of_gdb:
        command, started, connected, *typed = (one.removeprefix("(gdb) ") for one in session)
        words = shlex.split(command.replace(f" --gdb {GDB_PORT}", ""))[2:]
        assert connected == f"target remote localhost:{GDB_PORT}"
        said, _ = debugger.session(words, started.split(), typed)
        assert re.search(r"^Breakpoint 1, 0x\w+ in run_init_process", said, re.MULTILINE), said
        assert re.search(r"^#1 .* in kernel_init", said, re.MULTILINE), said
        assert f"Linux version {kernel.package()[1].partition('-')[0]} " in said
