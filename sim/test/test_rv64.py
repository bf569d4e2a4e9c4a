# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The model's RV64 hart against QEMU: programs with the same output on both."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from trapeze.simulation import building

HERE = Path(__file__).parent
PREFIX = "riscv64-unknown-elf-"


@pytest.mark.parametrize(
    ("source", "options", "least"),
    [("rv64.S", [], 300), ("rv64.S", ["-s"], 300), ("sv39.S", ["-s"], 3000)],
    ids=["instructions", "instructions with S mode", "privilege and Sv39"],
)
def test_same_output_as_qemu(source: str, options: list[str], least: int, tmp_path: Path) -> None:
    elf, binary = tmp_path / "rv64.elf", tmp_path / "rv64.bin"
    flags = ["-misa-spec=2.2", "-march=rv64imac_zba_zbb_zbs", "-mabi=lp64", "-nostdlib", "-nostartfiles"]
    subprocess.run([f"{PREFIX}gcc", *flags, "-Wl,-Ttext=0x80000000", HERE / source, "-o", elf], check=True)
    subprocess.run([f"{PREFIX}objcopy", "-O", "binary", elf, binary], check=True)
    machine = ["-machine", "virt", "-bios", "none", "-m", "4M", "-nographic", "-cpu", "rv64,zba=on,zbb=on,zbs=on"]
    qemu = subprocess.run(
        ["qemu-system-riscv64", *machine, "-kernel", elf], capture_output=True, stdin=subprocess.DEVNULL, timeout=60
    )
    building.ensure(["rv64-run"])
    model = subprocess.run([building.BUILD / "bin" / "rv64-run", *options, binary], capture_output=True, timeout=60)

    assert (qemu.returncode, model.returncode) == (0, 0), model.stderr
    expected = qemu.stdout.decode().split()
    assert len(expected) > least
    assert model.stdout.decode().split() == expected


def test_what_cannot_be_run_is_said(tmp_path: Path) -> None:
    building.ensure(["rv64-run"])
    run = str(building.BUILD / "bin" / "rv64-run")
    missing = subprocess.run([run, tmp_path / "none"], capture_output=True, text=True)
    assert missing.returncode == 2
    assert missing.stderr.startswith("rv64-run: cannot read program")
