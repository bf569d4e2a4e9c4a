# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""What no reset reaches starts with any values, registers and memory without a program, and no figure depends on it."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from trapeze import experiment_files
from trapeze.commandline import bench
from trapeze.platform import configurations
from trapeze.results import store
from trapeze.simulation import power_up, simulator
from verify.dev import directed
from verify.dev.testing import Trapeze
from verify.random import seeds
from verify.random.lockstep.engines import Settings

SHOWS = r"""#include <stdio.h>
int main(void) {
  unsigned saved;
  __asm__ volatile("mv %0, s11" : "=r"(saved));
  printf("%08x %08x\n", saved, *(volatile unsigned *)0x80040000);
  return 0;
}
"""
"""s11 is a register that neither start-up code nor main() has written; the address holds no program."""

LATENCIES = experiment_files.load("irq-latency")
CASES = ("clint/ilp32", "fastirq/ilp32")
SEEDS = (0, 1, 77_777)


def test_values_follow_from_the_seed(trapeze: Trapeze, firmware: Callable[[str], Path]) -> None:
    """Zeros without a seed; with one values that are the same each time and other ones for another seed."""
    elf = firmware(SHOWS)
    said: dict[int | None, str] = {}
    for seed in (None, 0, 1, 2, 1):
        words = [] if seed is None else ["--reset-seed", seed]
        run = trapeze("run", elf, "--config", "mcu-clint", *words)
        assert run.code == 0
        assert said.setdefault(seed, run.out) == run.out
    assert said[None] == said[0] == "00000000 00000000\n"
    for shown in zip(*(said[seed].split() for seed in (0, 1, 2)), strict=True):
        assert len(set(shown)) == len(shown)


def test_lockstep_learns_them(trapeze: Trapeze, firmware: Callable[[str], Path]) -> None:
    """The model does not have the RTL's registers: it takes each from the first instruction that reads it."""
    elf = firmware(SHOWS)
    alone, both = (
        trapeze("run", elf, "--config", "mcu-clint", "--engine", engine, "--reset-seed", 9)
        for engine in ("rtl", "lockstep")
    )
    assert (both.code, both.out) == (0, alone.out), both.err


def test_model_has_none(trapeze: Trapeze, firmware: Callable[[str], Path]) -> None:
    said = trapeze("run", firmware(SHOWS), "--config", "mcu-clint", "--engine", "model", "--reset-seed", 1)
    assert said.code == 2
    assert "--reset-seed" in said.error


def test_result_names_the_seed(trapeze: Trapeze, firmware: Callable[[str], Path], tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    assert trapeze("run", firmware(SHOWS), "--config", "mcu-clint", "--reset-seed", 3, "--json", path).code == 0
    found = store.load(path)
    assert found["runs"][0]["reset_seed"] == 3
    assert "--reset-seed 3" in found["command"]


@pytest.mark.parametrize("name", CASES)
def test_cycles_do_not_depend_on_it(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Latencies of an experiment, phase by phase, with several seeds."""
    case = next(case for case in LATENCIES.cases if case.id == name)
    plain = simulator.request
    found = []
    for seed in SEEDS:
        monkeypatch.setattr(simulator, "request", lambda *given, seed=seed: plain(*given) | {"reset_seed": seed})
        rows = bench.measure(replace(LATENCIES, cases=(replace(case, quick=True),)), quick=True).rows
        found.append([row.to_json() for row in rows])
    assert found[0]
    assert found.count(found[0]) == len(SEEDS)


def test_random_programs_have_one_each() -> None:
    """It follows from the program's seed, so the command that repeats the program repeats it."""
    first, again, other = (seeds.make(seed, "mcu-clint", 10)[1].reset_seed for seed in (1, 1, 2))
    assert first == again
    assert len({0, first, other}) == 3
    assert Settings.parse(str(Settings(reset_seed=5))) == Settings(reset_seed=5)


def test_directed_tests_name_it(tmp_path: Path) -> None:
    """The command in the message of a directed test that fails gives the same failure."""
    path = tmp_path / "x.c"
    path.write_text('/* trapeze-test\nsummary: x\nuart_in: "q"\n*/\nint main(void) { return 3; }\n')
    said = directed.run_rtl(directed.read(path), configurations.load("mcu-clint"), (0, 0, 0))
    assert said is not None
    assert "exit code 3, expected 0" in said
    words = shlex.split(said.partition("again: ")[2])
    assert words[words.index("--reset-seed") + 1] == str(power_up.of_today("x", "mcu-clint", 0, 0, 0))
    assert Path(words[words.index("--uart-in") + 1]).read_text() == "q"
