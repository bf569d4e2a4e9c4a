# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Drives one OBI manager port, flattened into `<name>_req_i`, `<name>_gnt_o` and so on, from cocotb.

A cycle runs from rising edge to rising edge. Inputs change right after the rising edge, outputs are sampled at the
falling edge, when combinational paths have settled.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, RisingEdge


@dataclass(frozen=True)
class Response:
    """Answer to an access: data, error flag, and the cycles to the grant and from the grant to the answer."""

    data: int
    error: bool
    grant_cycles: int
    answer_cycles: int


class ObiPort:
    """A manager port of the design under test."""

    def __init__(self, dut: Any, name: str = "obi") -> None:
        self._clock = dut.clk_i
        self._get = {s: getattr(dut, f"{name}_{s}_o") for s in ("gnt", "rvalid", "err", "rdata")}
        self._set = {s: getattr(dut, f"{name}_{s}_i") for s in ("req", "we", "be", "addr", "wdata")}
        self.idle()

    def idle(self) -> None:
        """Ask for nothing."""
        for signal in self._set.values():
            signal.value = 0

    def ask(self, address: int, *, write: bool = False, be: int = 15, data: int = 0) -> None:
        """Put a request on the port; it stays until `idle` or another `ask`."""
        self._set["req"].value = 1
        self._set["we"].value = int(write)
        self._set["be"].value = be
        self._set["addr"].value = address & ~3
        self._set["wdata"].value = data

    @property
    def granted(self) -> bool:
        """The request is accepted in this cycle."""
        return bool(int(self._get["gnt"].value))

    @property
    def answered(self) -> bool:
        """There is a response in this cycle."""
        return bool(int(self._get["rvalid"].value))

    @property
    def error(self) -> bool:
        """The response in this cycle is an error."""
        return bool(int(self._get["err"].value))

    @property
    def data(self) -> int:
        """Data of the response in this cycle."""
        return int(self._get["rdata"].value)

    async def access(self, address: int, *, write: bool = False, be: int = 15, data: int = 0) -> Response:
        """Run one access to its end; starts and returns right after a rising edge."""
        self.ask(address, write=write, be=be, data=data)
        grant = 0
        await FallingEdge(self._clock)
        while not self.granted:
            grant += 1
            assert grant < 10000, "no grant"
            await FallingEdge(self._clock)
        await RisingEdge(self._clock)
        self.idle()
        answer = 1
        await FallingEdge(self._clock)
        while not self.answered:
            answer += 1
            assert answer < 10000, "no answer"
            await FallingEdge(self._clock)
        response = Response(self.data, self.error, grant, answer)
        await RisingEdge(self._clock)
        return response

    async def read(self, address: int) -> int:
        """Read a word and return it; an error response fails the test."""
        response = await self.access(address)
        assert not response.error, f"error response at {address:#x}"
        return response.data

    async def write(self, address: int, data: int, be: int = 15) -> None:
        """Write a word; an error response fails the test."""
        response = await self.access(address, write=True, be=be, data=data)
        assert not response.error, f"error response at {address:#x}"

    async def read_byte(self, address: int) -> int:
        """Read a byte and return it; an error response fails the test."""
        lane = address & 3
        response = await self.access(address, be=1 << lane)
        assert not response.error, f"error response at {address:#x}"
        return (response.data >> (8 * lane)) & 0xFF

    async def write_byte(self, address: int, data: int) -> None:
        """Write a byte; an error response fails the test."""
        lane = address & 3
        await self.write(address, data << (8 * lane), 1 << lane)


async def reset(dut: Any, *, clock: bool = True) -> None:
    """Start the clock if asked, hold the reset for three cycles; returns right after the edge that begins cycle 0."""
    if clock:
        cocotb.start_soon(Clock(dut.clk_i, 10, unit="ns").start())
    dut.rst_ni.value = 0
    for _ in range(3):
        await RisingEdge(dut.clk_i)
    dut.rst_ni.value = 1


async def cycles(dut: Any, count: int = 1) -> None:
    """Let `count` clock cycles pass."""
    for _ in range(count):
        await RisingEdge(dut.clk_i)
