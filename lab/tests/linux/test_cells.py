# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Guests of the hypervisor that try to break out, and the control of a cell: programs in Linux' place and in the cell."""

from __future__ import annotations

from pathlib import Path

import pytest

from trapeze.common import paths, processes
from trapeze.firmware import toolchain
from trapeze.linux import image
from trapeze.linux.cell import INTERRUPTS, Cell
from trapeze.platform import configurations
from trapeze.simulation import simulator
from trapeze.simulation.simulator import Options
from verify.dev.supervisor import below

CONFIG = configurations.load("amp-2")

SOURCES = Path(__file__).parent / "cells"

KERNEL = ["-march=rv64imac_zicsr_zifencei", "-mabi=lp64", "-mcmodel=medany", "-O2", "-ffreestanding", "-nostdlib", "-static"]
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


def run(scenario: str, cell: Cell, beside: Path, folder: Path) -> str:
    """A scenario of kernel.c ends well; what the console said."""
    payload = folder / "kernel.elf"
    defines = [f"-DSCENARIO={scenario}", "-DTRAPEZE_SUPERVISOR", "-DTRAPEZE_MAP_AMP"]
    include = [f"-I{paths.ROOT / one}" for one in image.settings()["firmware"]["include"]]
    words = [*KERNEL, *defines, *include, "-Wall", "-Wextra", "-Werror", "-Wl,-n", "-Wl,--section-start=.boot=0x80200000", "-Wl,-Ttext=0x80201000"]
    source = SOURCES / "kernel.c"
    processes.run(["riscv64-unknown-elf-gcc", *words, str(source), "-o", str(payload)], check=True)
    elf = below(CONFIG, payload, folder, cell)
    done = simulator.watch(elf, CONFIG, Options(max_cycles=100_000_000, engine="model", turn=50, others=(beside,), last_hart=0))
    said = done.console.decode(errors="replace")
    assert done.exit_code == 0, said
    return said


@pytest.mark.parametrize("interrupts", INTERRUPTS)
@pytest.mark.parametrize("scenario", ["hostile_cell", "hostile_kernel", "control_cell", "one_interrupt"])
def test_guests_keep_apart(scenario: str, interrupts: str, cell: Path, beside: Path, tmp_path: Path) -> None:
    run(scenario, Cell(cell, interrupts), beside, tmp_path)


def test_injected_interrupts_are_as_delegated_ones(cell: Path, beside: Path, tmp_path: Path) -> None:
    """The same random program of the PLIC's registers sees the same."""
    said = []
    for kind in INTERRUPTS:
        folder = tmp_path / kind
        folder.mkdir()
        said += [line for line in run("program", Cell(cell, kind), beside, folder).splitlines() if "program" in line]
    assert len(said) == 2
    assert said[0] == said[1]
