# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The command line: what it lists, and one line for every mistake."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from trapeze import __version__, experiment_files
from trapeze.commandline import help_text
from trapeze.commandline.cli import app
from trapeze.platform import configurations as config
from verify.dev.testing import Trapeze

COMMANDS = ("bench", "run", "cc", "configs", "show", "check", "doctor")


def test_help_names_every_command(trapeze: Trapeze) -> None:
    said = trapeze("--help")
    assert said.code == 0
    assert all(f"\n  {command} " in said.out for command in COMMANDS)


def test_nothing_asked_for(trapeze: Trapeze) -> None:
    """An overview, and no error; its commands are those of --help, each under a purpose."""
    said = trapeze()
    assert (said.code, said.err) == (0, "")
    assert max(map(len, said.out.splitlines())) <= 100
    every = {one.name or (one.callback and one.callback.__name__) for one in app.registered_commands if not one.hidden}
    listed = [name for names in help_text.PURPOSES.values() for name in names]
    assert sorted(listed) == sorted(filter(None, every))
    for purpose in help_text.PURPOSES:
        assert f"{purpose}:" in said.out
        assert f"\n{purpose}:\n" in trapeze("--help").out


@pytest.mark.parametrize(("line", "offers"), [("trapeze ru", "run"), ("trapeze run --swe", "--sweep")])
def test_completion(tmp_path: Path, line: str, offers: str) -> None:
    """As a shell asks for it."""
    command = tmp_path / "trapeze"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m trapeze "$@"\n')
    command.chmod(0o755)
    script = (
        f'eval "$(trapeze completion bash)"; COMP_WORDS=({line}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1));'
        '_trapeze_completion trapeze; echo "${COMPREPLY[@]}"'
    )
    surroundings = os.environ | {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    done = subprocess.run(["bash", "-c", script], env=surroundings, capture_output=True, text=True, timeout=60)
    assert done.stdout.split() == [offers], done.stderr


def test_list_of_experiments(trapeze: Trapeze) -> None:
    said = trapeze("bench", "--list")
    assert said.code == 0
    assert all(
        re.search(rf"^{name} +(make bench|make bench-silicon|name) ", said.out, re.M)
        for name in experiment_files.names()
    )
    assert [line.split()[0] for line in trapeze("bench", "--list", "rpc").out.splitlines()[:2]] == ["experiment", "rpc"]


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_a_command(trapeze: Trapeze, command: str) -> None:
    said = trapeze(command, "--help")
    assert said.code == 0
    assert f"trapeze {command}" in said.out


def test_version(trapeze: Trapeze) -> None:
    assert trapeze("--version").out == f"trapeze {__version__}\n"


def test_configs(trapeze: Trapeze) -> None:
    said = trapeze("configs")
    assert said.code == 0
    assert all(name in said.out for name in config.names())
    assert max(map(len, said.out.splitlines())) <= 100
    assert said.out.index("what differs") < said.out.index("mcu-fastirq-1bank")


@pytest.mark.parametrize("name", config.names())
def test_show(trapeze: Trapeze, name: str) -> None:
    said = trapeze("show", name)
    assert said.code == 0
    loaded = config.load(name)
    lines = f"{loaded.first.line_base + loaded.first.lines - 1}..{loaded.first.line_base}"
    for part in ("RV32E", "0x80000000", "uart", lines, loaded.first.abi):
        assert part in said.out
    assert ("0x02800000" in said.out) == loaded.first.has_clic
    assert ("spare registers" in said.out) == (loaded.first.scheme == "fastirq")
    assert max(map(len, said.out.splitlines())) <= 100


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["nosuch"], "No such command 'nosuch'"),
        (["--nosuch"], "No such option"),
        (["show"], "Missing argument 'C'; see: trapeze show --help"),
        (["show", "mcu-clnt"], "unknown configuration 'mcu-clnt'; did you mean 'mcu-clint'"),
        (["run"], "Missing argument 'ELF...'"),
        (["run", "x.elf"], "Missing option '--config'"),
        (["run", "x.elf", "--config", "mcu"], "unknown configuration 'mcu'"),
        (["run", "x.elf", "--config", "mcu-clint"], "x.elf: no such file; build one with `trapeze cc"),
        (["run", "x.elf", "--config", "mcu-clint", "--engine", "model"], "x.elf: no such file"),
        (["run", "x.elf", "--config", "mcu-clint", "--engine", "rlt"], "'rlt' is not one of"),
        (["run", "x.elf", "--config", "mcu-clint", "--max-cycles", "0"], "--max-cycles"),
        (["run", "x.elf", "--config", "mcu-clint", "--max-cycles", "many"], "--max-cycles: 'many' is no whole number"),
        (["run", "x.elf", "--config", "mcu-clint", "--wait-data", "256"], "--wait-data"),
        (["run", "x.elf", "--config", "mcu-clint", "--seed", "-1"], "--seed"),
        (["bench", "irq-latenzy"], "unknown experiment 'irq-latenzy'; did you mean 'irq-latency'"),
        (["bench", "--engine", "model"], "measure cycles, which the engine 'model' cannot"),
        (["bench", "--html", "/no/such/folder/x"], "the folder /no/such/folder does not exist"),
        (["bench", "--html", __file__], "is not a folder; name one"),
        (["bench", "--json", "/no/such/folder/x.json"], "the folder /no/such/folder does not exist"),
        (["check", "x.toml"], "Missing argument 'RESULT.json'"),
        (["cc", "main.c"], f"cc: --config is missing; choices: {', '.join(config.names())}"),
        (["cc", "--config"], "cc: --config needs a name"),
        (["cc", "--config", "mcu-clint"], "nothing to compile"),
        (["cc", "--config=mcu-clnt", "main.c"], "unknown configuration 'mcu-clnt'"),
    ],
)
def test_one_line_for_every_mistake(trapeze: Trapeze, arguments: list[str], says: str) -> None:
    said = trapeze(*arguments)
    assert said.code == 2
    assert says in said.error
    assert said.out == ""


def test_doctor(trapeze: Trapeze) -> None:
    said = trapeze("doctor")
    assert said.code == 0, said.out
    assert "riscv64-unknown-elf" in said.out
    # What is installed on first use may be missing, but then it is said.
    assert said.out.rstrip().endswith("nothing is missing") != ("missing, installed on first use: " in said.out)


def test_doctor_says_what_comes_on_first_use(trapeze: Trapeze, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """It is no failure, and not nothing either; words are those of the distribution."""
    (tmp_path / "packages.txt").write_text("rtos  cargo-web  no-such-cargo  sources\n")
    (tmp_path / "requirements.lock").write_text("")
    (tmp_path / "os-release").write_text("NAME=Fedora\nID=fedora\n")
    monkeypatch.setattr("trapeze.common.paths.LAB", tmp_path)
    monkeypatch.setattr("trapeze.common.packages.RELEASE", tmp_path / "os-release")
    said = trapeze("doctor")
    assert said.code == 0
    assert "dnf install cargo" in " ".join(said.out.split())
    assert said.out.splitlines()[-1] == "missing, installed on first use: no-such-cargo"
    assert "nothing is missing" not in said.out


def test_doctor_finds_what_is_missing(trapeze: Trapeze, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "packages.txt").write_text("run  no-such-package  no-such-tool  nothing\n")
    (tmp_path / "requirements.lock").write_text("no-such-distribution==1.0\nnumpy==0.0\n")
    monkeypatch.setattr("trapeze.common.paths.LAB", tmp_path)
    said = trapeze("doctor")
    assert said.code == 1
    assert "apt-get install no-such-package" in " ".join(said.out.split())
    assert "3 missing: no-such-tool, no-such-distribution, numpy" in said.out
