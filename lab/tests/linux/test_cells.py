# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Hostile guests of the hypervisor, and the control of a cell: programs in Linux' place and in the cell."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from trapeze.commandline import cli
from trapeze.common import paths, processes
from trapeze.firmware import toolchain
from trapeze.linux import cell as cells
from trapeze.linux import layout
from trapeze.linux.cell import INTERRUPTS, Cell
from trapeze.platform import configurations
from trapeze.simulation import simulator
from trapeze.simulation.options import Options
from verify.dev.supervisor import below

CONFIG = configurations.load("amp-2")

SOURCES = Path(__file__).parent / "cells"
PAGE = paths.FIRMWARE / "hypervisor" / "README.md"

KERNEL = [
    "-march=rv64imac_zicsr_zifencei",
    "-mabi=lp64",
    "-mcmodel=medany",
    "-O2",
    "-ffreestanding",
    "-nostdlib",
    "-static",
]
"""How the program in Linux' place is built."""


@pytest.fixture(scope="module")
def cell(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The cell, which does what the program in Linux' place asks for."""
    elf = tmp_path_factory.mktemp("cell") / "cell.elf"
    return toolchain.build(CONFIG, [SOURCES / "cell.c"], elf, ["-O2"], cell=True)


@pytest.fixture(scope="module")
def beside(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program of hart 1, which sleeps."""
    elf = tmp_path_factory.mktemp("beside") / "beside.elf"
    return toolchain.build(CONFIG, [SOURCES / "beside.c"], elf, ["-O2"])


def run(scenario: str, cell: Cell, beside: Path, folder: Path, engine: str = "model") -> str:
    """A scenario of kernel.c ends well; what the console said."""
    payload = folder / "kernel.elf"
    defines = [f"-DSCENARIO={scenario}", "-DTRAPEZE_SUPERVISOR", "-DTRAPEZE_MAP_AMP"]
    include = [f"-I{paths.ROOT / one}" for one in layout.settings()["firmware"]["include"]]
    words = [
        *KERNEL,
        *defines,
        *include,
        "-Wall",
        "-Wextra",
        "-Werror",
        "-Wl,-n",
        "-Wl,--section-start=.boot=0x80200000",
        "-Wl,-Ttext=0x80201000",
    ]
    source = SOURCES / "kernel.c"
    processes.run(["riscv64-unknown-elf-gcc", *words, str(source), "-o", str(payload)], check=True)
    elf = below(CONFIG, payload, folder, cell)
    turn = 50 if engine == "model" else None
    done = simulator.watch(
        elf, CONFIG, Options(max_cycles=100_000_000, engine=engine, turn=turn, others=(beside,), last_hart=0)
    )
    said = done.console.decode(errors="replace")
    assert done.exit_code == 0, said
    return said


@pytest.fixture(params=INTERRUPTS)
def guest(request: pytest.FixtureRequest, cell: Path) -> Cell:
    """The cell, with both kinds of interrupts."""
    return Cell(cell, request.param)


def test_a_hostile_cell_reaches_nothing_and_can_be_stopped(guest: Cell, beside: Path, tmp_path: Path) -> None:
    """Fails if, for example, priorities of others' sources are open, user mode is emulated, or IPIs go to any hart."""
    run("hostile_cell", guest, beside, tmp_path)


def test_a_hostile_kernel_reaches_nothing_of_the_cell(guest: Cell, beside: Path, tmp_path: Path) -> None:
    """Fails if, for example, the cell's image has no row of its own, or emulation mistakes a register."""
    run("hostile_kernel", guest, beside, tmp_path)


def test_a_cell_starts_anew_however_the_last_one_ended(guest: Cell, beside: Path, tmp_path: Path) -> None:
    """Fails if memory, an interrupt or a claim of the program before is left, or its end is told too early."""
    run("control_cell", guest, beside, tmp_path)


def test_a_cell_takes_its_interrupts(guest: Cell, beside: Path, tmp_path: Path) -> None:
    """Fails if a threshold lets its own priority through."""
    run("one_interrupt", guest, beside, tmp_path)


def test_injected_interrupts_are_as_delegated_ones(cell: Path, beside: Path, tmp_path: Path) -> None:
    """The same random program of the PLIC's registers sees the same; fails if completion does not look at enables."""
    said = []
    for kind in INTERRUPTS:
        folder = tmp_path / kind
        folder.mkdir()
        said += [line for line in run("program", Cell(cell, kind), beside, folder).splitlines() if "program" in line]
    assert len(said) == 2
    assert said[0] == said[1]


@pytest.mark.parametrize(("vcpus", "column"), [(0, 1), (4, 2)])
def test_a_cell_waits_no_longer_than_its_page_says(
    vcpus: int, column: int, cell: Path, beside: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fails if, for example, a tick counts to 150 in memory before it takes the lock. Ticks come 25 times as often."""
    lines = [[cell.strip() for cell in line.split("|")[1:-1]] for line in PAGE.read_text().splitlines()]
    bound = next(int(line[column].strip("*").replace(",", "")) for line in lines if line[:1] == ["**at most**"])
    monkeypatch.setattr(cells, "TICKS", 2_500)
    said = run("bound", Cell(cell, "injected", vcpus), beside, tmp_path, "timed")
    times = {name: int(value) for name, value in re.findall(r"masked by ([a-z A-Z]+): (\d+)", said)}
    assert len(times) == 10
    assert max(times.values()) <= bound, times
    assert (times["a tick"] > 500) == (vcpus > 0), "a tick came, or none"


def test_linux_runs_beside_a_hostile_cell(cell: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The cell attacks while Linux boots, whose devices and timer go on."""
    for kind in INTERRUPTS:
        words = ["--cell", str(cell), "--cell-interrupts", kind, "--run", "cat /proc/uptime; echo still here"]
        capfd.readouterr()
        code = cli.dispatch(["linux", "--config", "amp-2", *words])
        console = capfd.readouterr().out.replace("\r", "").splitlines()
        assert code == 0, console
        assert "still here" in console
        assert "[hart 1] the cell was refused everything" in console
