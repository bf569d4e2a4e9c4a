# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""What is around the debug module: a debugger at the JTAG pins, harts at the debug memory, a system bus."""

from __future__ import annotations

import os
import random
from typing import Any

import cocotb
from cocotb.triggers import FallingEdge, RisingEdge
from debug_words import READ, WRITE
from fake_hart import Bus, Hart
from jtag import Jtag
from obi import REQUEST, RESPONSE, reset

HARTS, EMBEDDED = int(os.environ["HARTS"]), bool(int(os.environ["EMBEDDED"]))

DATA0, DATA1, CONTROL, STATUS, HARTINFO, HAWINDOW = 0x04, 0x05, 0x10, 0x11, 0x12, 0x15
ABSTRACTCS, COMMAND, AUTO, PROGBUF0, PROGBUF1, AUTHDATA, CS2 = 0x16, 0x17, 0x18, 0x20, 0x21, 0x30, 0x32
SBCS, SBADDRESS, SBDATA, HALTSUM = 0x38, 0x39, 0x3C, 0x40

ACTIVE, NDMRESET, CLEAR_RESET_HALT, SET_RESET_HALT = 1, 2, 4, 8
HASEL, ACK_RESET, HART_RESET, RESUME, HALT = 1 << 26, 1 << 28, 1 << 29, 1 << 30, 1 << 31
ANY_HALTED, ALL_HALTED, ANY_RUNNING, ALL_RUNNING = (1 << bit for bit in (8, 9, 10, 11))
ANY_UNAVAILABLE, ALL_UNAVAILABLE, ANY_ABSENT, ALL_ABSENT = (1 << bit for bit in (12, 13, 14, 15))
ANY_ACK, ALL_ACK, ANY_RESET, ALL_RESET, PENDING = (1 << bit for bit in (16, 17, 18, 19, 24))
IMPEBREAK, AUTHENTICATED, AUTH_BUSY, HAS_RESET_HALT = 1 << 22, 1 << 7, 1 << 6, 1 << 5
BUSY_COMMAND = 1 << 12
INCREMENT = 1 << 19
BUSY_ERROR, NOT_SUPPORTED, EXCEPTION, HALT_RESUME = 1, 2, 3, 4
SB_BUSY_ERROR, SB_ON_ADDRESS, SB_INCREMENT, SB_ON_DATA = 1 << 22, 1 << 20, 1 << 16, 1 << 15
DMCS2_RESUME, DMCS2_WRITE = 1 << 11, 2


class SystemBus:
    """Memory behind the manager port of system bus access: random delays, an error from 0x9000_0000 on."""

    def __init__(self, dut: Any) -> None:
        self._dut = dut
        self._request = REQUEST.signal(dut, "bus_req_o")
        self._response = RESPONSE.signal(dut, "bus_rsp_i")
        self._rng = random.Random(5)
        self.bytes: dict[int, int] = {}
        self.accesses: list[tuple[int, bool, int]] = []
        self.stuck = False
        cocotb.start_soon(self._serve())

    async def _serve(self) -> None:
        answer: int | None = None
        delay = 0
        while True:
            give = answer is not None and delay == 0
            grant = not self.stuck and answer is None and self._rng.random() < 0.5
            self._response.value = (answer or 0) if give else RESPONSE.pack(gnt=int(grant))
            if give:
                answer = None
            delay = max(delay - 1, 0)
            await FallingEdge(self._dut.clk_i)
            if grant and REQUEST.member(self._request, "req"):
                answer, delay = self._access(), self._rng.randrange(3)
            await RisingEdge(self._dut.clk_i)

    def _access(self) -> int:
        address, lanes = REQUEST.member(self._request, "addr"), REQUEST.member(self._request, "be")
        write, data = REQUEST.member(self._request, "we"), REQUEST.member(self._request, "wdata")
        self.accesses.append((address, bool(write), lanes))
        read = 0
        for lane in range(4):
            if lanes >> lane & 1:
                if write:
                    self.bytes[address + lane] = data >> 8 * lane & 255
                read |= self.bytes.get(address + lane, 0) << 8 * lane
        return RESPONSE.pack(rvalid=1, err=int(address >= 0x9000_0000), rdata=read)


class Bench:
    """Everything around the design."""

    def __init__(self, dut: Any) -> None:
        self.dut = dut
        self.jtag = Jtag(dut)
        self.bus = Bus(dut)
        self.system = SystemBus(dut)
        self.harts: list[Hart] = []
        self.read, self.write = self.jtag.read, self.jtag.write

    def authenticate(self, yes: bool, busy: bool = False, data: int = 0) -> None:
        """What the authentication hook says."""
        self.dut.auth_i.value = int(yes) << 33 | int(busy) << 32 | data

    async def start(self, harts: bool = True) -> None:
        """Reset; with harts they run."""
        self.authenticate(True)
        self.dut.unavailable_i.value = 0
        self.dut.hart_reset_i.value = 0
        await reset(self.dut)
        if harts:
            self.harts = [Hart(self.bus, number, EMBEDDED) for number in range(HARTS)]
        await self.jtag.reset()
        await self.write(CONTROL, ACTIVE)

    async def control(self, value: int, hart: int = 0) -> None:
        """Write dmcontrol, with a hart selected."""
        await self.write(CONTROL, value | hart << 16 | ACTIVE)

    async def status(self) -> int:
        """Read dmstatus."""
        return await self.read(STATUS)

    async def until(self, mask: int) -> int:
        """Read dmstatus until all these bits are set."""
        for _ in range(20):
            value = await self.status()
            if value & mask == mask:
                return value
        raise AssertionError(f"dmstatus {value:#x} never had {mask:#x}")

    async def halt(self, hart: int = 0) -> None:
        """Halt a hart, and withdraw the request."""
        await self.control(HALT, hart)
        await self.until(ALL_HALTED)
        await self.control(0, hart)

    async def idle(self) -> int:
        """Wait until the command has ended; returns cmderr, and clears it."""
        for _ in range(20):
            value = await self.read(ABSTRACTCS)
            if not value & BUSY_COMMAND:
                error = value >> 8 & 7
                if error:
                    await self.write(ABSTRACTCS, error << 8)
                return error
        raise AssertionError("the command does not end")

    async def command(self, value: int) -> int:
        """Run a command; returns cmderr."""
        await self.write(COMMAND, value)
        return await self.idle()

    async def get(self, register: int) -> int:
        """Read a register of the hart."""
        assert await self.command(READ | register) == 0
        return await self.read(DATA0)

    async def put(self, register: int, value: int) -> None:
        """Write a register of the hart."""
        await self.write(DATA0, value)
        assert await self.command(WRITE | register) == 0


async def begin(dut: Any, harts: bool = True) -> Bench:
    """Build the bench and start it."""
    bench = Bench(dut)
    await bench.start(harts)
    return bench
