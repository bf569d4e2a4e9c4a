# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""cocotb bench of tz_amo: two harts with random accesses to a few words, against a memory in Python."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import cocotb
from cocotb.triggers import FallingEdge, RisingEdge
from obi import ObiPort, reset

LR, SC = 0x22, 0x23
MASK = 0xFFFF_FFFF
CORNERS = (0, 1, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF)


def signed(value: int) -> int:
    """Read a word as a signed number."""
    return value - (1 << 32) if value >> 31 else value


COMPUTE: dict[int, Callable[[int, int], int]] = {
    0x21: lambda _, operand: operand,
    0x20: lambda old, operand: (old + operand) & MASK,
    0x24: lambda old, operand: old ^ operand,
    0x28: lambda old, operand: old | operand,
    0x2C: lambda old, operand: old & operand,
    0x30: lambda old, operand: min(old, operand, key=signed),
    0x34: lambda old, operand: max(old, operand, key=signed),
    0x38: min,
    0x3C: max,
}


@dataclass(frozen=True)
class Access:
    """A request: plain with `atop` zero."""

    address: int
    write: bool
    atop: int = 0
    enables: int = 15
    data: int = 0


@dataclass
class Memory:
    """The memory by the specification: accesses happen one after the other, each as a whole."""

    words: dict[int, int]
    reserved: list[int | None] = field(default_factory=lambda: [None, None])
    seen: Counter[str] = field(default_factory=Counter)

    def _write(self, address: int, value: int) -> None:
        self.words[address] = value
        self.reserved = [None if word == address else word for word in self.reserved]

    def access(self, hart: int, access: Access) -> tuple[int | None, bool | None]:
        """Execute an access; returns what must be read and whether `exokay` must be set, or None for any."""
        old = self.words[access.address]
        if access.atop == LR:
            self.reserved[hart] = access.address
            return old, True
        if access.atop == SC:
            success = access.write and self.reserved[hart] == access.address
            if success:
                self._write(access.address, access.data)
            self.reserved[hart] = None
            self.seen["success" if success else "failure"] += 1
            return None, success
        if access.atop:
            self._write(access.address, COMPUTE[access.atop](old, access.data))
            return old, None
        if not access.write:
            return old, None
        mask = sum(0xFF << (8 * lane) for lane in range(4) if access.enables >> lane & 1)
        self._write(access.address, (old & ~mask) | (access.data & mask))
        return None, None


class Port:
    """A hart's port: a request that stays until its grant."""

    def __init__(self, dut: Any, prefix: str, hart: int) -> None:
        self._port = ObiPort(dut, prefix, initiator=hart << 2)
        self.access: Access | None = None
        self.expected: tuple[int | None, bool | None] | None = None

    def show(self) -> None:
        """Drive the request."""
        if self.access is None:
            self._port.idle()
        else:
            access = self.access
            self._port.ask(access.address, write=access.write, atop=access.atop, be=access.enables, data=access.data)

    @property
    def granted(self) -> bool:
        """A request is accepted in this cycle."""
        return self.access is not None and self._port.granted

    def check_answer(self) -> None:
        """Compare the answer that is due in this cycle, or that there is none."""
        assert self._port.answered == (self.expected is not None)
        if self.expected is not None:
            data, exokay = self.expected
            assert not self._port.error
            assert data is None or self._port.data == data
            assert exokay is None or self._port.exokay == exokay
        self.expected = None


def choose(rng: random.Random, words: int, reserved: int | None) -> Access:
    """Choose any access to one of the first words; of a hart with a reservation often the SC that belongs to it."""
    address = 4 * rng.randrange(words)
    if reserved is not None and rng.random() < 0.3:
        return Access(reserved, write=True, atop=SC, data=rng.getrandbits(32))
    data = rng.choice((rng.choice(CORNERS), rng.getrandbits(32)))
    kind = rng.random()
    if kind < 0.25:
        return Access(address, write=False, atop=LR)
    if kind < 0.5:
        return Access(address, write=rng.random() < 0.9, atop=SC, data=data)
    if kind < 0.7:
        return Access(address, write=True, atop=rng.choice(tuple(COMPUTE)), data=data)
    if kind < 0.85:
        return Access(address, write=True, enables=rng.randrange(1, 16), data=data)
    return Access(address, write=False, enables=rng.randrange(1, 16))


async def fill(dut: Any, memory: Memory, port: Port) -> None:
    """Write every word of the model to the bank."""
    for address, value in memory.words.items():
        port.access = Access(address, write=True, data=value)
        port.show()
        await FallingEdge(dut.clk_i)
        assert port.granted
        await RisingEdge(dut.clk_i)
    port.access = None
    port.show()
    await RisingEdge(dut.clk_i)


async def start(dut: Any) -> tuple[Memory, list[Port], random.Random]:
    """Reset the design and fill the memory."""
    rng = random.Random(1)
    dut.bank_gnt_i.value = 1
    dut.elsewhere_i.value = 0
    ports = [Port(dut, "a_", 0), Port(dut, "b_", 1)]
    await reset(dut)
    memory = Memory({4 * word: rng.choice(CORNERS) for word in range(64)})
    await fill(dut, memory, ports[0])
    return memory, ports, rng


@cocotb.test()
@cocotb.parametrize(words=[1, 3, 64], refuse=[0.0, 0.4])
async def random_accesses(dut: Any, words: int, refuse: float) -> None:
    """Every answer equals that of a memory which executes the accesses in the order of their grants."""
    memory, ports, rng = await start(dut)
    for _ in range(6000):
        dut.bank_gnt_i.value = int(rng.random() >= refuse)
        for hart, port in enumerate(ports):
            if port.access is None and rng.random() < 0.7:
                port.access = choose(rng, words, memory.reserved[hart])
            port.show()
        # A hart without a request in this cycle may make a reservation elsewhere.
        elsewhere = [port.access is None and rng.random() < 0.1 for port in ports]
        dut.elsewhere_i.value = elsewhere[0] + 2 * elsewhere[1]
        await FallingEdge(dut.clk_i)
        for hart, port in enumerate(ports):
            port.check_answer()
            if elsewhere[hart]:
                memory.reserved[hart] = None
            if port.granted:
                assert port.access is not None
                port.expected = memory.access(hart, port.access)
                port.access = None
        await RisingEdge(dut.clk_i)
    assert memory.seen["failure"] > 300
    assert memory.seen["success"] > 100


@cocotb.test()
async def cycles_of_each_kind(dut: Any) -> None:
    """No request waits, except in the cycle behind an AMO, in which the AMO's result is written."""
    memory, ports, _ = await start(dut)
    load, store = Access(0, write=False), Access(0, write=True, data=5)
    reserve, conditional = Access(0, write=False, atop=LR), Access(0, write=True, atop=SC)
    amo = Access(4, write=True, atop=0x20, data=1)
    order = [load, store, reserve, conditional, conditional, amo, load, amo, amo, reserve, store, conditional]
    waits = []
    for access in order:
        ports[1].access = access
        ports[1].show()
        wait = 0
        await FallingEdge(dut.clk_i)
        while not ports[1].granted:
            wait += 1
            assert wait < 10, "no grant"
            ports[1].check_answer()
            await RisingEdge(dut.clk_i)
            await FallingEdge(dut.clk_i)
        ports[1].check_answer()
        ports[1].expected = memory.access(1, access)
        waits.append(wait)
        await RisingEdge(dut.clk_i)
    assert waits == [0, 0, 0, 0, 0, 0, 1, 0, 1, 1, 0, 0]
    assert memory.seen == {"success": 1, "failure": 2}
