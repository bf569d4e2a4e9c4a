# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""`--statistics`: where the cycles of modelled harts went, as the terminal and a page say it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from trapeze.common import processes
from trapeze.firmware import compiler
from trapeze.reports.pages import cycles
from trapeze.simulation.cycle_causes import Cause, HartCycles
from verify.dev.testing import Trapeze

LOADS = 100
PROGRAM = f"""
	.globl _start
_start:	li t0, 0x80100000
	li t1, {LOADS}
	li t2, 4096
1:	ld t3, (t0)
	add t0, t0, t2
	addi t1, t1, -1
	bnez t1, 1b
	li t1, 0x100000
	li t0, 0x5555
	sw t0, (t1)
9:	wfi
	j 9b
"""
"""Loads from lines that are in no cache, and ends the run."""


@pytest.fixture(scope="module")
def elf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program for hart 0 of `app`."""
    made = tmp_path_factory.mktemp("statistics") / "loads.elf"
    source = made.with_suffix(".S")
    source.write_text(PROGRAM)
    flags = ["-march=rv64imac_zicsr", "-mabi=lp64", "-nostdlib", "-static", "-Wl,-n", "-Wl,-Ttext=0x80000000"]
    processes.run([compiler.gcc(), *flags, str(source), "-o", str(made)], check=True)
    return made


def figures(text: str) -> dict[str, list[str]]:
    """The table, by cause."""
    return {cells[0]: cells[1:] for line in text.splitlines() if len(cells := re.split(r"  +", line.strip())) > 1}


def test_table(trapeze: Trapeze, elf: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    said = trapeze("run", str(elf), "--config", "app", "--engine", "timed", "--statistics", str(page))
    assert said.code == 0
    ended = re.search(r"exit 0 after (\d+) cycles, (\d+) instructions", said.err)
    assert ended is not None
    cycles_, instructions = (f"{int(one):,}" for one in ended.groups())
    assert f"Hart 0: {cycles_} cycles, {instructions} instructions" in said.err
    table = figures(said.err)
    assert table["all"][0] == cycles_
    assert table["instructions"][:2] == [instructions, instructions]
    assert table["data cache misses, loads"][0] == str(LOADS)
    assert table["stores to devices"][0] == "1"
    assert "data cache misses, stores" not in table, "nothing that there was not"
    assert max(map(len, said.err.splitlines())) <= 100
    assert "data cache misses, loads" in page.read_text()


def test_alone_and_in_front(trapeze: Trapeze, elf: Path) -> None:
    """The option needs no value; what stands behind it is an option or nothing."""
    timed = ["--config", "app", "--engine", "timed"]
    for words in ([*timed, "--statistics"], ["--statistics", *timed]):
        assert "Hart 0: " in trapeze("run", str(elf), *words).err


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ([], "the engine 'rtl' does not count where cycles go; use --engine timed"),
        (["--engine", "model"], "the engine 'model' does not count"),
        (["--engine", "timed"], "mcu-clint has no hart whose time is modelled"),
    ],
)
def test_no_statistics(trapeze: Trapeze, elf: Path, words: list[str], why: str) -> None:
    assert why in trapeze("run", str(elf), "--config", "mcu-clint", *words, "--statistics").error


def test_no_statistics_of_linux(trapeze: Trapeze) -> None:
    assert "the engine 'model' does not count" in trapeze("linux", "--run", "true", "--statistics").error


@pytest.mark.parametrize("words", [["--statistics", "page.txt"], ["--statistics=page.txt"], ["--statistics", "page"]])
def test_no_page(trapeze: Trapeze, elf: Path, words: list[str]) -> None:
    error = trapeze("run", str(elf), "--config", "app", "--engine", "timed", *words).error
    assert "--statistics page" in error
    assert "a page's name must end with .html" in error


def test_chart_has_all_cycles() -> None:
    """The parts of a bar are its causes; the smaller ones together."""
    causes = tuple(
        Cause(f"cause {n}", {"machine": 1, "supervisor": 0, "user": n}, {"machine": n + 1, "supervisor": 0, "user": n})
        for n in range(12)
    )
    hart = HartCycles(0, causes)
    drawn = cycles.figure([hart])
    assert drawn.names == ("machine", "user")
    assert list(drawn.series) == [*(f"cause {n}" for n in range(12 - cycles.DRAWN, 12)), cycles.OTHERS]
    sums = [sum(part[1] for values in drawn.series.values() if (part := values[bar])) for bar in range(2)]
    assert sums == [78, 66]
