# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""A hart as the debug module needs it: executes the debug memory, an instruction at a time, through the OBI port.

It knows the few instructions that the debug memory has, and `addi`. All others, absent CSRs, registers that RV32E has
not and addresses without memory are exceptions. Outside of debug mode it executes nothing: its pc moves.
"""

from __future__ import annotations

import os
from typing import Any

import cocotb
from cocotb.triggers import Lock, RisingEdge
from obi import ObiPort

from trapeze.platform.isa import Csr

BASE = int(os.environ["BASE"])
HALT, EXCEPTION = BASE, BASE + 0x40
START = 0x8000_0000
PRESENT = (Csr.DCSR, Csr.DPC, Csr.DSCRATCH0, Csr.DSCRATCH1, Csr.MSCRATCH, Csr.MTVEC)
CAUSE_EBREAK, CAUSE_HALTREQ, CAUSE_STEP = 1, 3, 4
STEP = 1 << 2
MASK = 0xFFFF_FFFF


class FaultError(Exception):
    """An instruction raises an exception."""


def signed(value: int, bits: int) -> int:
    """Sign extension."""
    return value - (1 << bits) if value >> (bits - 1) & 1 else value


class Bus:
    """The one port of the debug memory, which harts use in turn, and a memory beside it."""

    def __init__(self, dut: Any) -> None:
        self.dut = dut
        self._port = ObiPort(dut, "mem_")
        self._lock = Lock()
        self.memory: dict[int, int] = {}

    async def access(self, hart: int, address: int, *, fetch: bool = False, data: int | None = None) -> int:
        """Load, or store if there are data."""
        if not 0 <= address - BASE < 0x400:
            if address & 3 or not START <= address < START + 0x1000:
                raise FaultError
            if data is not None:
                self.memory[address] = data
            return self.memory.get(address, 0)
        async with self._lock:
            self._port.initiator = hart << 2 | int(fetch)
            answer = await self._port.access(address, write=data is not None, data=data or 0)
        return answer.data


class Hart:
    """One hart; starts as the clock runs."""

    def __init__(self, bus: Bus, number: int, embedded: bool = False) -> None:
        self._bus = bus
        self._number = number
        self._registers = 16 if embedded else 32
        self.frozen = False
        self.x = [0] * 32
        self.csr: dict[int, int] = {}
        self.debug = False
        self.pc = 0
        self.reset()
        cocotb.start_soon(self._run())

    def reset(self) -> None:
        """Values after reset."""
        self.x = [0] + [0x1000 * self._number + 0x100 + number for number in range(1, 32)]
        self.csr = {int(csr): 0 for csr in PRESENT}
        self.debug = False
        self.pc = START

    @property
    def values(self) -> list[int]:
        """Registers of the program; while the hart waits in debug mode, the debug memory's program has s0."""
        return [*self.x[:8], self.csr[Csr.DSCRATCH0] if self.debug else self.x[8], *self.x[9:]]

    def enter(self, cause: int) -> None:
        """Enter debug mode."""
        self.csr[Csr.DPC] = self.pc
        self.csr[Csr.DCSR] = self.csr[Csr.DCSR] & STEP | cause << 6
        self.debug = True
        self.pc = HALT

    async def _run(self) -> None:
        dut = self._bus.dut
        while True:
            if self.debug and not self.frozen:
                try:
                    await self._execute()
                except FaultError:
                    self.pc = EXCEPTION
                continue
            await RisingEdge(dut.clk_i)
            if self.frozen or self.debug or int(dut.hart_reset_i.value) >> self._number & 1:
                continue
            if int(dut.debug_req_o.value) >> self._number & 1:
                self.enter(CAUSE_HALTREQ)
                continue
            self.pc += 4
            if self.csr[Csr.DCSR] & STEP:
                self.enter(CAUSE_STEP)

    def _register(self, number: int) -> int:
        if number >= self._registers:
            raise FaultError
        return number

    async def _execute(self) -> None:
        """One instruction in debug mode."""
        word = await self._bus.access(self._number, self.pc, fetch=True)
        opcode, funct3 = word & 0x7F, word >> 12 & 7
        rd, rs1, rs2 = word >> 7 & 31, word >> 15 & 31, word >> 20 & 31
        value: int | None = None
        target = self.pc + 4
        if word == 0x0010_0073:  # ebreak
            target = HALT
        elif word == 0x7B20_0073:  # dret
            self.debug = False
            target = self.csr[Csr.DPC]
        elif opcode == 0x73 and funct3 in (1, 2):  # csrrw, csrrs
            csr = word >> 20
            if csr not in self.csr:
                raise FaultError
            value = self.csr[csr]
            if funct3 == 1:
                self.csr[csr] = self.x[self._register(rs1)]
            elif rs1:
                self.csr[csr] |= self.x[self._register(rs1)]
        elif opcode == 0x13 and funct3 == 0:  # addi
            value = self.x[self._register(rs1)] + signed(word >> 20, 12)
        elif opcode == 0x03 and funct3 == 2:  # lw
            address = self.x[self._register(rs1)] + signed(word >> 20, 12) & MASK
            self._register(rd)
            value = await self._bus.access(self._number, address)
        elif opcode == 0x23 and funct3 == 2:  # sw
            address = self.x[self._register(rs1)] + signed(word >> 25 << 5 | rd, 12) & MASK
            await self._bus.access(self._number, address, data=self.x[self._register(rs2)])
        elif opcode == 0x63:
            left, right = (signed(self.x[self._register(number)], 32) for number in (rs1, rs2))
            taken = {0: left == right, 1: left != right, 4: left < right}
            if taken[funct3]:
                distance = word >> 31 << 12 | (word >> 7 & 1) << 11 | (word >> 25 & 63) << 5 | (word >> 8 & 15) << 1
                target = self.pc + signed(distance, 13)
        elif opcode == 0x6F and rd == 0:
            distance = word >> 31 << 20 | (word >> 12 & 255) << 12 | (word >> 20 & 1) << 11 | (word >> 21 & 1023) << 1
            target = self.pc + signed(distance, 21)
        else:
            raise FaultError
        if value is not None and rd:
            self.x[self._register(rd)] = value & MASK
        self.pc = target & MASK
