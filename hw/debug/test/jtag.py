# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""A JTAG adapter: moves the test access port through its states, and makes accesses over dtmcs and dmi."""

from __future__ import annotations

from typing import Any

from cocotb.triggers import Timer

IDCODE, DTMCS, DMI, BYPASS = 0x01, 0x10, 0x11, 0x1F
NOP, READ, WRITE = 0, 1, 2
BUSY = 3
DMI_RESET, HARD_RESET = 1 << 16, 1 << 17
ADDRESS_BITS = 7


class Jtag:
    """Drives tck, tms, tdi, trst. Between calls the port is in Run-Test/Idle, with tck low."""

    def __init__(self, dut: Any, half: int = 17, idle: int = 6) -> None:
        """Half a period of tck in ns, and the cycles in Run-Test/Idle after each scan."""
        self._dut = dut
        self.half = half
        self.idle = idle
        self._ir: int | None = None
        dut.tck_i.value = 0
        dut.tms_i.value = 1
        dut.tdi_i.value = 0
        dut.trst_ni.value = 0

    async def tick(self, tms: int, tdi: int = 0) -> int:
        """One cycle of tck; returns tdo, as it was before the rising edge."""
        self._dut.tck_i.value = 0
        self._dut.tms_i.value = tms
        self._dut.tdi_i.value = tdi
        await Timer(self.half, "ns")
        tdo = int(self._dut.tdo_o.value)
        self._dut.tck_i.value = 1
        await Timer(self.half, "ns")
        return tdo

    async def reset(self) -> None:
        """Test reset by the pin, then Run-Test/Idle."""
        self._dut.trst_ni.value = 0
        await Timer(self.half, "ns")
        self._dut.trst_ni.value = 1
        self._ir = None
        for tms in (1, 1, 1, 1, 1, 0):
            await self.tick(tms)

    async def _shift(self, value: int, width: int) -> int:
        out = 0
        for bit in range(width):
            out |= await self.tick(int(bit == width - 1), value >> bit & 1) << bit
        await self.tick(1)
        await self.tick(0)
        return out

    async def select(self, register: int) -> int:
        """Load the instruction register; returns what was captured there."""
        for tms in (1, 1, 0, 0):
            await self.tick(tms)
        self._ir = register
        return await self._shift(register, 5)

    async def scan(self, register: int | None, value: int, width: int) -> int:
        """Exchange the data register; with None the one that is selected."""
        if register is not None and register != self._ir:
            await self.select(register)
        for tms in (1, 0, 0):
            await self.tick(tms)
        out = await self._shift(value, width)
        for _ in range(self.idle):
            await self.tick(0)
        return out

    async def dtmcs(self, value: int = 0) -> int:
        """Exchange dtmcs."""
        return await self.scan(DTMCS, value, 32)

    async def dmi(self, op: int, address: int = 0, data: int = 0) -> tuple[int, int, int]:
        """Exchange dmi; returns status, address and data of the operation before."""
        out = await self.scan(DMI, address << 34 | data << 2 | op, 34 + ADDRESS_BITS)
        return out & 3, out >> 34, out >> 2 & 0xFFFF_FFFF

    async def write(self, address: int, data: int) -> None:
        """Write a register of the debug module."""
        await self.dmi(WRITE, address, data)
        status, _, _ = await self.dmi(NOP)
        assert status == 0, f"status {status}"

    async def read(self, address: int) -> int:
        """Read a register of the debug module."""
        await self.dmi(READ, address)
        status, answered, data = await self.dmi(NOP)
        assert (status, answered) == (0, address)
        return data
