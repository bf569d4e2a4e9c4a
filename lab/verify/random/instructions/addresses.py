# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The addresses a random program uses, taken from the generated memory map.

Purpose: banks, device registers, the holes in which both the RTL and QEMU raise access faults, and the scratch
regions that loads and stores aim at. All addresses are byte addresses.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from trapeze.common import paths
from trapeze.platform.platform import of_map


@dataclass(frozen=True)
class Region:
    """Bytes base .. end - 1."""

    base: int
    end: int


@dataclass(frozen=True)
class Platform:
    """Everything about the machine that a program has typed into it.

    Attributes:
        imem: instruction bank.
        dmem: data bank.
        smem: stack bank.
        msip: address of the software-interrupt register.
        mtimecmp: address of the low half of the timer compare register.
        mtime: address of the low half of the timer.
        uart: address of the transmit register.
        uart_lsr: address of the line status register.
        uart_ier: address of the interrupt enable register.
        uart_iir: address of the interrupt identification register.
        uart_scr: address of the scratch register.
        uart_registers: addresses of all of the UART's, by name.
        bench: first addresses of the parts of the latency measurement, by name.
        finisher: address of the finisher register.
    """

    imem: Region
    dmem: Region
    smem: Region
    msip: int
    mtimecmp: int
    mtime: int
    uart: int
    uart_lsr: int
    uart_ier: int
    uart_iir: int
    uart_scr: int
    uart_registers: dict[str, int] = field(hash=False)
    bench: dict[str, int] = field(hash=False)
    finisher: int

    @property
    def scratch(self) -> tuple[Region, ...]:
        """Where loads and stores go: the start of dmem and the last bytes of each bank."""
        return (
            Region(self.dmem.base, self.dmem.base + 2048),
            Region(self.dmem.end - 128, self.dmem.end),
            Region(self.smem.end - 128, self.smem.end),
            Region(self.imem.end - 128, self.imem.end),
        )

    @property
    def stack(self) -> Region:
        """Where loads and stores through the stack pointer go."""
        return Region(self.smem.base + 0x1000, self.smem.base + 0x1800)

    @property
    def devices(self) -> tuple[int, ...]:
        """Addresses of device registers, which cannot be fetched from."""
        return (self.msip, self.mtime, self.uart, self.finisher)

    @property
    def frames(self) -> Region:
        """Where functions save their return address: nothing else is stored here."""
        return Region(self.stack.end, self.stack.end + 1024)

    @property
    def edges(self) -> tuple[int, ...]:
        """Ends of banks with a hole behind them; QEMU makes the holes by locked PMP entries."""
        return (self.imem.end, self.dmem.end, self.smem.end)

    @property
    def any_holes(self) -> tuple[Region, ...]:
        """Holes in which an access of any alignment faults alike on both machines."""
        return (
            Region(self.imem.end, self.dmem.base),
            Region(self.dmem.end, self.smem.base),
            Region(self.smem.end, self.smem.base + 0x200000),
        )

    @property
    def aligned_holes(self) -> tuple[Region, ...]:
        """Holes for naturally aligned accesses only: nothing is mapped here in QEMU's virt machine either.

        A misaligned access to unmapped space is excluded because QEMU splits it and reports the aligned address in
        mtval, where the privileged specification (3.1.16) wants the address of the faulting portion.
        """
        return (Region(0, 0x100), Region(0x90000000, 0xA0000000), Region(0xFFFFF000, 0x100000000))


def _register(blocks: dict[str, Any], bases: dict[str, Region], block: str, name: str) -> int:
    for register in blocks[block]["registers"]:
        if register["name"] == name:
            return bases[block].base + int(register["offset"])
    raise KeyError(f"{paths.REGISTERS}: {block} has no register {name}")


@cache
def platform() -> Platform:
    """Read the platform with one hart from the generated memory map.

    Raises:
        OSError: the generated map is missing (make it with regs/generate.py).
        KeyError: a region or register that programs need is not in it.
    """
    placed = of_map("mcu", 1)
    regions = {one.name: Region(one.base, one.end) for one in placed}
    blocks = json.loads(paths.REGISTERS.read_text())["blocks"]
    return Platform(
        imem=regions["imem"],
        dmem=regions["dmem"],
        smem=regions["smem"],
        msip=_register(blocks, regions, "clint", "msip"),
        mtimecmp=_register(blocks, regions, "clint", "mtimecmp_lo"),
        mtime=_register(blocks, regions, "clint", "mtime_lo"),
        uart=_register(blocks, regions, "uart", "thr"),
        uart_lsr=_register(blocks, regions, "uart", "lsr"),
        uart_ier=_register(blocks, regions, "uart", "ier"),
        uart_iir=_register(blocks, regions, "uart", "iir"),
        uart_scr=_register(blocks, regions, "uart", "scr"),
        uart_registers={entry["name"]: regions["uart"].base + entry["offset"] for entry in blocks["uart"]["registers"]},
        bench={part.name: part.base for one in placed if one.name == "probe" for part in one.parts},
        finisher=_register(blocks, regions, "host", "finisher"),
    )
