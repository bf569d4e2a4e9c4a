# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Programs of supervisor mode in the kernel's place, for tests of the firmware below Linux."""

from __future__ import annotations

from pathlib import Path

from trapeze.common import processes
from trapeze.linux import image
from trapeze.linux.cell import Cell
from trapeze.platform.configurations import Config


def assembled(text: str, base: int, to: Path) -> Path:
    """A program in assembly, linked to an address."""
    source = to.with_suffix(".S")
    source.write_text(text)
    flags = ["-march=rv64imac_zicsr", "-mabi=lp64", "-nostdlib", "-static", "-Wl,-n", f"-Wl,-Ttext={base:#x}"]
    processes.run(["riscv64-unknown-elf-gcc", *flags, str(source), "-o", str(to)], check=True)
    return to


def below(config: Config, program: str | Path, folder: Path, cell: Cell | None = None) -> Path:
    """The firmware with a program of supervisor mode: assembly or an ELF; with a `cell` the hypervisor, too."""
    payload = program if isinstance(program, Path) else assembled(program, 0x8020_0000, folder / "supervisor.elf")
    binary, nothing, elf = folder / "supervisor.bin", folder / "nothing", folder / "image.elf"
    processes.run(["riscv64-unknown-elf-objcopy", "-O", "binary", str(payload), str(binary)], check=True)
    nothing.write_bytes(bytes(8))
    parts = {"SBI_KERNEL": binary, "SBI_DEVICE_TREE": nothing, "SBI_INITRD": nothing}
    if cell is not None:
        parts[image.CELL_FILE] = folder / "cell.bin"
        cell.flat(parts[image.CELL_FILE])
    image.link(elf, config, parts, cell=cell)
    return elf
