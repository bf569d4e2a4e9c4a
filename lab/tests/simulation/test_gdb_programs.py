# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""A program for each hart, at the same addresses: GDB has the names and breakpoints of both."""

from __future__ import annotations

import re
import shlex
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

from trapeze.firmware import toolchain
from trapeze.platform import configurations as config
from trapeze.simulation import simulator
from trapeze.simulation.options import Options

ENGINES = ("rtl", "model")
DEBUG = ("-g", "-O1", "-fno-inline")
SOURCES = {
    "first": """\
volatile int turns, only_first = 11;

void work(int n)
{
	turns += n;
}

int main(void)
{
	for (int i = 0; i < 2000; i++) {
		work(1);
	}
	return only_first - 4;
}
""",
    "second": """\
volatile int fill[100], turns, only_second = 22;

void before(void)
{
	fill[turns % 100] += only_second;
}

void work(int n)
{
	turns += n;
	before();
}

int main(void)
{
	for (;;) {
		work(2);
	}
}
""",
}


class Said(NamedTuple):
    """What GDB and the run printed, and how the run ended."""

    text: str
    complaints: str
    code: int


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """One for each hart of `duo`, with functions of the same names."""
    folder = tmp_path_factory.mktemp("programs")
    elfs = []
    for hart, (name, text) in enumerate(SOURCES.items()):
        source = folder / f"{name}.c"
        source.write_text(text)
        elfs.append(toolchain.build(config.load("duo"), [source], folder / f"{name}.elf", DEBUG, hart=hart))
    return elfs


def debug(programs: list[Path], engine: str, *typed: str) -> Said:
    """Start GDB elsewhere, as the run says, and type commands."""
    first, second = programs
    options = Options(engine=engine, gdb=0, others=(Path(second.name),))
    command = simulator.command_line(first.parent, Path(first.name), config.load("duo"), options)
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, cwd=first.parent
    ) as process:
        assert process.stderr is not None
        line = process.stderr.readline()
        printed = re.search(r"waiting for gdb: (gdb-multiarch .*)$", line.strip())
        assert printed, line
        gdb, *words = shlex.split(printed[1])
        said = subprocess.run(
            [gdb, "-nx", "-batch", "-ex", "set width 0", "-ex", "set confirm off", *words]
            + [word for one in typed for word in ("-ex", one)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=120,
            check=False,
            cwd="/",
        )
        complaints = process.stderr.read()
        process.wait(timeout=60)
    return Said(said.stdout, complaints, process.returncode)


@pytest.mark.parametrize("engine", ENGINES)
def test_names_and_breakpoints_of_both(programs: list[Path], engine: str) -> None:
    said = debug(
        programs,
        engine,
        *("tbreak second.c:main", "continue", "break work", *["continue"] * 20),
        *(
            "delete",
            "thread 1.1",
            "print only_first",
            "print &turns",
            "thread 2.1",
            "print only_second",
            "print &turns",
        ),
        *("print only_first", "kill"),
    )
    addresses = re.findall(r"^\$\d+ = \(volatile int \*\) (0x\w+) <turns>$", said.text, re.MULTILINE)
    assert (len(addresses), len(set(addresses))) == (2, 1), said.text
    stops = re.findall(
        r"^Thread (\d)\.1 .*hit Breakpoint 2\.(\d), work \(n=\D*(\d)\) at \S*?(\w+)\.c:", said.text, re.MULTILINE
    )
    assert (len(stops), set(stops)) == (20, {("1", "1", "1", "first"), ("2", "2", "2", "second")}), said.text
    assert re.search(r"^\$\d+ = 11$", said.text, re.MULTILINE), said.text
    assert re.search(r"^\$\d+ = 22$", said.text, re.MULTILINE), said.text
    assert 'No symbol "only_first" in current context.' in said.text
    assert said.code == 137, said.complaints


@pytest.mark.parametrize("engine", ENGINES)
def test_a_breakpoint_of_one(programs: list[Path], engine: str) -> None:
    """At an address where the other program has code, too; so with a watchpoint on a word that both have."""
    said = debug(
        programs,
        engine,
        *("break second.c:before", "continue", "continue", "print turns", "delete"),
        *("thread 1.1", "watch turns", "continue", "continue", "print turns"),
    )
    assert re.findall(r"^Thread (\d)\.1 .*hit Breakpoint 1, before ", said.text, re.MULTILINE) == ["2", "2"], said.text
    found = re.findall(r"^Thread (\d)\.1 .*hit Hardware watchpoint", said.text, re.MULTILINE)
    assert found == ["1", "1"], said.text
    assert re.search(r"^\$1 = 4$", said.text, re.MULTILINE), said.text


@pytest.mark.parametrize("engine", ENGINES)
def test_the_end(programs: list[Path], engine: str) -> None:
    """The run ends with hart 0's exit code, which GDB is told for one process after the other."""
    said = debug(programs, engine, "continue", "info inferiors", "inferior 2", "continue")
    assert said.text.count("exited with code 07]") == 2, said.text
    assert said.code == 7, said.complaints
    assert "exit 7 of hart 0 after " in said.complaints
    ended = debug(programs, engine, "break main", "continue", "detach inferiors 1 2")
    assert ended.code == 7, ended.text + ended.complaints


@pytest.mark.parametrize("engine", ENGINES)
def test_one_is_let_go(programs: list[Path], engine: str) -> None:
    """Its hart stops no more; the other's does."""
    said = debug(
        programs,
        engine,
        *("tbreak second.c:main", "continue", "break work", "detach inferiors 1", *["continue"] * 5),
        *("delete", "continue"),
    )
    assert re.findall(r"^Thread (\d)\.1 .*hit Breakpoint 2", said.text, re.MULTILINE) == ["2"] * 5, said.text
    assert said.text.count("exited with code 07]") == 1, said.text
    assert said.code == 7, said.complaints
