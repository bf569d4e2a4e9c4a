# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Programs for several harts: how they are built, litmus tests of the memory model, and a million locked increments."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from trapeze.common import paths, processes
from trapeze.common.errors import TrapezeError
from trapeze.firmware import toolchain
from trapeze.platform import configurations
from trapeze.platform.configurations import Config
from trapeze.simulation import simulator
from trapeze.simulation.conditions import Conditions
from trapeze.simulation.options import Options
from verify.dev import directed, litmus
from verify.dev.litmus import Litmus
from verify.dev.testing import Trapeze

QEMU_SECONDS = 120
PAGE = paths.ROOT / "docs" / "litmus.md"
INCREMENTS = int(os.environ.get("TRAPEZE_INCREMENTS", "20000"))
"""Increments of both harts together, under a spin lock."""

WAITS = [(0, 0, 0), (90, 90, 1)]
"""Chances of wait states for fetches and data accesses, and their seed."""

OFFSETS = 24
"""Cycles that one hart begins before or after the other at most: more than a thread takes."""

UNREACHED = {"CoWW": {(0, 2, 2, 0), (1, 1, 2, 0)}, "LRSC+stores": {(1, 0, 2, 0)}}
"""Outcomes that would need two accesses of one hart between two of the other that follow each other at once: the harts
take turns at a bank, so these do not come."""


def two_harts(name: str = "mcu-clint") -> Config:
    """A platform of two such harts with the A extension, shared memory between them."""
    one = configurations.load(name).changed(extensions=("m", "a", "c", "zba", "zbb", "zbs"))
    second = replace(one.first, hart_id=1)
    return replace(one, name=f"two-{name}", harts=(one.first, second), map="duo")


def build_litmus(config: Config, folder: Path, offsets: int, repeat: int) -> Path:
    """The program of all litmus tests, with hart 1 up to `offsets` cycles before and behind hart 0."""
    for name, text in litmus.firmware().items():
        (folder / name).write_text(text)
    defines = [f"-DFIRST={-offsets}", f"-DLAST={offsets}", f"-DREPEAT={repeat}"]
    sources = [*litmus.SOURCES, folder / "threads.S"]
    return toolchain.build(config, sources, folder / "litmus.elf", [f"-I{folder}", *defines])


def on_qemu(config: Config, elf: Path) -> str:
    """What a program prints on QEMU, which it ends with 0."""
    done = processes.run(toolchain.qemu(config, elf), capture_output=True, timeout=QEMU_SECONDS)
    assert done.returncode == 0, done.stdout
    console: bytes = done.stdout
    return console.decode()


SMP = directed.collect(directed.FOLDER / "harts")


@pytest.mark.parametrize("test", [one for one in SMP if "qemu" in one.engines], ids=lambda one: one.name)
def test_directed_on_qemu(test: directed.Directed) -> None:
    """With one memory for both harts. Their order is QEMU's, and another one each time."""
    for _ in range(3):
        assert directed.run_qemu(test, two_harts()) is None


def test_there_are_tests() -> None:
    assert len(SMP) >= 5


def test_one_hart_is_built_as_ever() -> None:
    command = toolchain.command_line(configurations.load("mcu-fastirq"), ["x.c"])
    assert not [word for word in command if "HARTS" in word or "harts" in word or "__main_hart" in word]


def test_image_of_another_hart(tmp_path: Path) -> None:
    """Hart 1 runs main() and says so; hart 0 initialises and waits."""
    source = tmp_path / "main.c"
    source.write_text("#include <trapeze/hart.h>\nint main(void) { return (int)hart_id() + 6; }\n")
    config = two_harts()
    for hart in (0, 1):
        elf = toolchain.build(config, [source], tmp_path / "x.elf", hart=hart)
        done = processes.run(toolchain.qemu(config, elf), capture_output=True, timeout=QEMU_SECONDS)
        assert done.returncode == hart + 6


def test_wrong_harts(tmp_path: Path) -> None:
    config = two_harts()
    with pytest.raises(TrapezeError, match="--hart 2: configuration two-mcu-clint has harts 0 to 1"):
        toolchain.command_line(config, ["x.c"], hart=2)
    strange = replace(config, harts=(config.harts[0], replace(config.harts[1], hart_id=5)))
    with pytest.raises(TrapezeError, match="hart 1 has hart_id 5; start-up code for several harts needs"):
        toolchain.command_line(strange, ["x.c"])
    with pytest.raises(TrapezeError, match="needs a map with shmem"):
        toolchain.command_line(replace(config, map="mcu"), ["x.c"])
    source = tmp_path / "x.c"
    source.write_text("#include <trapeze/spin_lock.h>\nint main(void) { return 0; }\n")
    without = replace(config, harts=tuple(replace(hart, extensions=("m", "c")) for hart in config.harts))
    with pytest.raises(TrapezeError, match="spin locks need atomic instructions: build for a configuration with ext"):
        toolchain.build(without, [source], tmp_path / "x.elf")
    source.write_text("#include <trapeze/hart.h>\nTZ_SHARED int x = 3;\nint main(void) { return x; }\n")
    with pytest.raises(TrapezeError, match="only zero initializers are allowed"):
        toolchain.build(config, [source], tmp_path / "x.elf")


WEAK = {
    "MP": (1, 0, 1, 1),
    "SB": (0, 0, 1, 1),
    "LB": (1, 1, 1, 1),
    "R": (0, 0, 1, 2),
    "S": (1, 0, 2, 1),
    "2+2W": (0, 0, 1, 1),
}
"""What RVWMO allows and sequential consistency does not, of the shapes that have such an outcome (r0, r1, x, y)."""


@pytest.mark.parametrize("test", litmus.TESTS, ids=lambda one: one.name)
def test_models(test: Litmus) -> None:
    """The two models differ where the literature says, and only there."""
    strong, weak = test.outcomes("sc"), test.outcomes("rvwmo")
    assert strong <= weak
    extra = {one for one in weak - strong if not test.name.startswith("LRSC")}
    assert extra == ({WEAK[test.name]} if test.name in WEAK else set())


def test_not_a_litmus_test() -> None:
    with pytest.raises(ValueError, match="not a statement"):
        litmus.parse("x = r0")


def test_litmus_on_qemu(tmp_path: Path) -> None:
    """QEMU's harts are threads of the host: any outcome of RVWMO may come, and no other."""
    config = two_harts()
    found, _ = litmus.read(on_qemu(config, build_litmus(config, tmp_path, 8, 20)))
    assert set(found) == {one.name for one in litmus.TESTS}
    for one in litmus.TESTS:
        assert set(found[one.name]) <= one.outcomes("rvwmo"), one.name


def test_more_programs_than_harts(trapeze: Trapeze, tmp_path: Path) -> None:
    programs = [tmp_path / "a.elf", tmp_path / "b.elf"]
    for one in programs:
        one.write_text("")
    said = trapeze("run", *programs, "--config", "mcu-clint")
    assert said.code == 2
    expected = "a program too many; mcu-clint has 1 hart; give at most one for each"
    assert said.err == f"trapeze: error: {programs[1]}: {expected}\n"
    said = trapeze("run", programs[0], tmp_path / "c.elf", "--config", "mcu-clint")
    assert said.code == 2
    assert "c.elf: no such file; build one with" in said.err


def test_conditions_name_every_program(tmp_path: Path) -> None:
    programs = [tmp_path / name for name in ("a.elf", "b.elf")]
    for one in programs:
        one.write_text(one.name)
    alone = Conditions.of(programs[0], "duo", Options()).to_json()
    assert "others" not in alone
    both = Conditions.of(programs[0], "duo", Options(others=(programs[1],))).to_json()
    assert [one["name"] for one in both["others"]] == ["b.elf"]
    assert both["elf"] == alone["elf"]


@pytest.mark.parametrize("wait", WAITS, ids=str)
@pytest.mark.parametrize("test", SMP, ids=lambda one: one.name)
def test_directed_in_lockstep(test: directed.Directed, wait: tuple[int, int, int]) -> None:
    """With private banks and a shared one; the model follows in the order of the harts' grants."""
    assert directed.run_rtl(test, configurations.load("duo"), wait, engine="lockstep") is None


@pytest.mark.parametrize("test", SMP, ids=lambda one: one.name)
def test_directed_on_the_model(test: directed.Directed) -> None:
    assert directed.run_rtl(test, configurations.load("duo"), WAITS[0], engine="model") is None


@pytest.mark.parametrize("engine", ["rtl", "model"])
def test_litmus_at_every_offset(tmp_path: Path, engine: str) -> None:
    """One access after the other: no outcome but those of sequential consistency, and on the RTL each of them."""
    config = configurations.load("duo")
    elf = build_litmus(config, tmp_path, OFFSETS, 1)
    outcome = simulator.measure(elf, config, Options(engine=engine, max_cycles=directed.MAX_CYCLES))
    assert outcome.exit_code == 0
    found, late = litmus.read(outcome.console.decode())
    assert late == 0
    for one in litmus.TESTS:
        strong = one.outcomes("sc")
        assert set(found[one.name]) <= strong, one.name
        if engine == "rtl":
            assert strong - set(found[one.name]) == UNREACHED.get(one.name, set()), one.name


def test_locked_increments(tmp_path: Path) -> None:
    """TRAPEZE_INCREMENTS=1000000 makes a million of them, in minutes."""
    config = configurations.load("duo")
    source = directed.FOLDER / "harts" / "smp_lock.c"
    options = [f"-I{directed.FOLDER}", f"-DINCREMENTS={INCREMENTS // 2}U"]
    elf = toolchain.build(config, [source], tmp_path / "lock.elf", options)
    outcome = simulator.measure(elf, config, Options(max_cycles=INCREMENTS * 500))
    assert directed.read(source).complaint(outcome.exit_code, outcome.console.decode()) is None


@pytest.mark.parametrize("near", [1, 20000])
@pytest.mark.parametrize("turn", [1, 1000])
def test_harts_that_sleep_in_turns(tmp_path: Path, turn: int, near: int) -> None:
    """Both sleep. One is woken by its alarm and rings the other one, which has not slept beyond that."""
    config = configurations.load("duo")
    source = directed.FOLDER / "harts" / "smp_sleep.c"
    elf = toolchain.build(config, [source], tmp_path / "sleep.elf", [f"-I{directed.FOLDER}", f"-DNEAR={near}U"])
    outcome = simulator.measure(elf, config, Options(max_cycles=2_000_000, engine="model", turn=turn))
    assert directed.read(source).complaint(outcome.exit_code, outcome.console.decode()) is None


def test_table_of_the_manual() -> None:
    """The page of litmus tests names every test, with its threads and what RVWMO allows beyond."""
    rows = {line.split(" | ")[0].removeprefix("| "): line for line in PAGE.read_text().splitlines() if " | `" in line}
    assert list(rows) == [one.name for one in litmus.TESTS]
    for one in litmus.TESTS:
        _, first, second, weak, *_ = rows[one.name].strip("| ").split(" | ")
        assert (first, second) == tuple(f"`{thread}`" for thread in one.threads)
        extra = one.outcomes("rvwmo") - one.outcomes("sc")
        assert (weak == "nothing") == (not extra)
        for outcome in extra:
            values = dict(zip(litmus.REGISTERS + litmus.VARIABLES, outcome, strict=True))
            assert all(f"{name} = {value}" in weak for name, value in values.items() if f"{name} = " in weak)
