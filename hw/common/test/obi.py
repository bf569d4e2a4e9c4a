# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Drives one OBI manager port from cocotb: two signals, of the types obi_req_t and obi_rsp_t in obi_pkg.

A cycle runs from rising edge to rising edge. Inputs change right after the rising edge, outputs are sampled at the
falling edge, when combinational paths have settled.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, RisingEdge


class Layout:
    """A packed struct: its members from the most significant one down, with their widths in bits."""

    def __init__(self, **widths: int) -> None:
        self.width = sum(widths.values())
        self._members: dict[str, tuple[int, int]] = {}
        lowest = self.width
        for name, width in widths.items():
            lowest -= width
            self._members[name] = (lowest, (1 << width) - 1)

    def pack(self, **values: int) -> int:
        """Build the struct's bits; a member that is not named is zero."""
        bits = 0
        for name, value in values.items():
            lowest, largest = self._members[name]
            assert 0 <= value <= largest, f"{name} = {value:#x}"
            bits |= value << lowest
        return bits

    def member(self, signal: Any, name: str) -> int:
        """Read a member of a signal of the struct's type."""
        lowest, largest = self._members[name]
        return int(signal.value) >> lowest & largest

    def signal(self, dut: Any, name: str) -> Any:
        """Return a port of the design under test; its width must be the struct's."""
        found = getattr(dut, name)
        assert len(found) == self.width, f"{name} has {len(found)} bits, not {self.width}"
        return found


# obi_req_t and obi_rsp_t of obi_pkg.
REQUEST = Layout(prv=2, mid=6, atop=6, req=1, we=1, be=4, addr=32, wdata=32)
RESPONSE = Layout(exokay=1, gnt=1, rvalid=1, err=1, rdata=32)
MACHINE = 3


@dataclass(frozen=True)
class Response:
    """Answer to an access: data, error flag, and the cycles to the grant and from the grant to the answer."""

    data: int
    error: bool
    grant_cycles: int
    answer_cycles: int


class ObiPort:
    """A manager port of the design under test, `req_i` and `rsp_o` behind a prefix.

    Its accesses have the privilege and the initiator (`mid`) of the attributes.
    """

    def __init__(self, dut: Any, prefix: str = "", initiator: int = 0) -> None:
        self._clock = dut.clk_i
        self._request = REQUEST.signal(dut, f"{prefix}req_i")
        self._response = RESPONSE.signal(dut, f"{prefix}rsp_o")
        self.privilege = MACHINE
        self.initiator = initiator
        self.idle()

    def idle(self) -> None:
        """Show no request."""
        self._request.value = 0

    def ask(self, address: int, *, write: bool = False, be: int = 15, data: int = 0, atop: int = 0) -> None:
        """Put a request on the port; it stays until `idle` or another `ask`."""
        self._request.value = REQUEST.pack(
            prv=self.privilege,
            mid=self.initiator,
            atop=atop,
            req=1,
            we=int(write),
            be=be,
            addr=address & ~3,
            wdata=data,
        )

    @property
    def granted(self) -> bool:
        """The request is accepted in this cycle."""
        return bool(RESPONSE.member(self._response, "gnt"))

    @property
    def answered(self) -> bool:
        """There is a response in this cycle."""
        return bool(RESPONSE.member(self._response, "rvalid"))

    @property
    def error(self) -> bool:
        """The response in this cycle is an error."""
        return bool(RESPONSE.member(self._response, "err"))

    @property
    def exokay(self) -> bool:
        """The response in this cycle says that an LR reserved its word, or that an SC stored."""
        return bool(RESPONSE.member(self._response, "exokay"))

    @property
    def data(self) -> int:
        """Data of the response in this cycle."""
        return RESPONSE.member(self._response, "rdata")

    async def access(
        self, address: int, *, write: bool = False, be: int = 15, data: int = 0, atop: int = 0
    ) -> Response:
        """Run one access to its end; starts and returns right after a rising edge."""
        self.ask(address, write=write, be=be, data=data, atop=atop)
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
