# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""A cell beside Linux: a program in supervisor mode on a hart of its own, under the hypervisor (fw/hypervisor)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile

from trapeze.common import processes
from trapeze.common.errors import TrapezeError
from trapeze.firmware import compiler, toolchain_file
from trapeze.platform.configurations import Config

PLIC_SOURCES = ("app_probe",)
"""Regions of a memory map that are the cell's, with their interrupts; fw/hypervisor/src/cells.c has the same ones."""

TICKS = 100
"""Of the scheduler in a second."""

MOST_VCPUS = 4
"""Virtual harts of Linux, as many as the kernel has."""

DELEGATED, INJECTED = "delegated", "injected"
INTERRUPTS = (DELEGATED, INJECTED)
"""How interrupts of the cell's devices come to it: from the hardware, or by the hypervisor."""


@dataclass(frozen=True)
class Cell:
    """The cell of an image.

    Attributes:
        program: Its ELF (`trapeze cc --cell`).
        interrupts: One of `INTERRUPTS`.
        vcpus: Virtual harts of Linux on its hart; the cell has one on its own. A scheduler gives them time, and the
            hypervisor injects all interrupts. 0: harts are not shared.
    """

    program: Path
    interrupts: str = DELEGATED
    vcpus: int = 0

    def check(self, config: Config) -> None:
        """Refuse what cannot be a cell.

        Raises:
            TrapezeError: the platform has no hart or no devices for one, or the program is not linked for it.
        """
        if self.interrupts not in INTERRUPTS:
            raise TrapezeError(f"linux: --cell-interrupts {self.interrupts}: choices: {', '.join(INTERRUPTS)}")
        if not 0 <= self.vcpus <= MOST_VCPUS:
            raise TrapezeError(f"linux: --vcpus {self.vcpus}: Linux can have 1 to {MOST_VCPUS} virtual harts")
        compiler.cell_hart(config)
        needed = ("plic", "ring", "uart1", *PLIC_SOURCES)
        if missing := [name for name in needed if config.platform.find(name) is None]:
            raise TrapezeError(f"--cell: configuration {config.name}: its map has no {missing[0]}; amp-2 has one")
        if "zbb" not in config.harts[compiler.cell_hart(config)].extensions:
            raise TrapezeError(
                f"--cell: configuration {config.name}: its harts for Linux lack zbb; add it to isa.extensions"
            )
        base, size = compiler.place_of_cell(config, "memory")
        try:
            with self.program.open("rb") as file:
                elf = ELFFile(file)
                parts = [one for one in elf.iter_segments() if one["p_type"] == "PT_LOAD" and one["p_memsz"]]
                width, entry, machine = elf.elfclass, elf["e_entry"], elf["e_machine"]
        except FileNotFoundError:
            raise TrapezeError(f"linux: --cell {self.program}: no such file") from None
        except (OSError, ELFError) as error:
            raise TrapezeError(f"linux: --cell {self.program}: not an ELF ({error})") from None
        remedy = f"build it by `trapeze cc --config {config.name} --cell`"
        if machine != "EM_RISCV" or width != 64:
            raise TrapezeError(f"linux: --cell {self.program}: not a program for RV64; {remedy}")
        for one in parts:
            if not (base <= one["p_paddr"] and one["p_paddr"] + one["p_memsz"] <= base + size):
                raise TrapezeError(
                    f"linux: --cell {self.program}: has a part at {one['p_paddr']:#x}; a cell has {base:#x} to "
                    f"{base + size - 1:#x}; {remedy}"
                )
        if entry != base:
            raise TrapezeError(f"linux: --cell {self.program}: begins at {entry:#x}, not at {base:#x}; {remedy}")

    def flat(self, made: Path) -> None:
        """Write the cell's memory, from its beginning on.

        Raises:
            TrapezeError: the tool refuses the program.
        """
        data = toolchain_file.data()
        done = processes.run(
            [data["objcopy"], *data["cell"]["flatten"], str(self.program), str(made)], capture_output=True, text=True
        )
        if done.returncode:
            raise TrapezeError(f"linux: --cell {self.program}: {done.stderr.strip()}")

    def flags(self, config: Config) -> list[str]:
        """What the hypervisor's sources are compiled with."""
        image, room = compiler.place_of_cell(config, "image")
        memory, size = compiler.place_of_cell(config, "memory")
        return [
            "-DSBI_CELLS",
            f"-DCELL_HART={compiler.cell_hart(config)}",
            f"-DCELL_INJECTED={int(self.interrupts == INJECTED)}",
            *(
                [f"-DSBI_VCPUS={self.vcpus}", f"-DSCHEDULE_TICK={config.platform.clocks.timebase // TICKS}"]
                if self.vcpus
                else []
            ),
            f"-DCELL_IMAGE_BASE={image:#x}",
            f"-DCELL_IMAGE_SIZE={room:#x}",
            f"-DCELL_MEMORY_BASE={memory:#x}",
            f"-DCELL_MEMORY_SIZE={size:#x}",
        ]
