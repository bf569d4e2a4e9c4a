# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""A cell beside Linux: a program in supervisor mode on a hart of its own, under the hypervisor (fw/hypervisor)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile

from trapeze.common import paths, processes
from trapeze.common.errors import TrapezeError
from trapeze.firmware import compiler, toolchain_file
from trapeze.platform.configurations import Config

HEADER = paths.FIRMWARE / "hal" / "include" / "trapeze" / "cell.h"
"""What cells and the hypervisor agree on, for programs of both."""

TICKS = 100
"""Of the scheduler in a second."""

MOST_VCPUS = 4
"""Virtual harts of Linux, as many as the kernel has."""

DELEGATED, INJECTED = "delegated", "injected"
INTERRUPTS = (DELEGATED, INJECTED)
"""How interrupts of the cell's devices come to it: from the hardware, or by the hypervisor."""


def devices() -> list[str]:
    """Regions of a memory map that are the cell's, with their interrupts of the PLIC: `cell` in `fw/toolchain.yaml`."""
    found: list[str] = toolchain_file.data()["cell"]["devices"]
    return found


def shared_page() -> tuple[int, int]:
    """Offset in the ring and size of the page that Linux and the cell share, as `trapeze/cell.h` says them.

    Raises:
        TrapezeError: the header does not say them.
    """
    text = HEADER.read_text()
    found = [
        re.search(rf"^#define\s+{name}\s+(0x[0-9a-f]+)$", text, re.MULTILINE)
        for name in ("TRAPEZE_CELL_PAGE", "TRAPEZE_CELL_PAGE_BYTES")
    ]
    offset, size = (int(one[1], 16) if one else None for one in found)
    if offset is None or size is None:
        raise TrapezeError(f"{HEADER}: no number for TRAPEZE_CELL_PAGE or TRAPEZE_CELL_PAGE_BYTES")
    return offset, size


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
        needed = ("plic", "ring", "uart1", *devices())
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
            f"-DCELL_DEVICES(EACH)={' '.join(f'EACH({name.upper()})' for name in devices())}",
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
