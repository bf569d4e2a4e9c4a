# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""cocotb bench of tz_xbar and tz_sram."""

from __future__ import annotations

import os
import random
from typing import Any

import cocotb
from cocotb.triggers import FallingEdge, RisingEdge
from obi import ObiPort, reset

BANK_0, BANK_1, DEVICE = 0x0000, 0x1000, 0x2000
MAX_REFUSED = 3
SWAP = 0x21
FETCH_DEVICE = os.environ.get("DEVICE_IS_MEMORY") == "1"
LATE = os.environ.get("LATE") == "1"
DEFAULT = os.environ.get("DEFAULT") == "1"
NOWHERE = not (DEFAULT and FETCH_DEVICE)  # there are addresses that a fetch finds nothing at


async def start_all(dut: Any) -> tuple[ObiPort, ObiPort, ObiPort]:
    """Reset the design; returns the data, the fetch and the frame port."""
    dut.slow_gnt_i.value = 1
    ports = ObiPort(dut, "a_"), ObiPort(dut, "b_"), ObiPort(dut, "c_")
    await reset(dut)
    return ports


async def start(dut: Any) -> tuple[ObiPort, ObiPort]:
    """Reset the design; returns the data and the fetch port."""
    return (await start_all(dut))[:2]


def region(address: int) -> str:
    """Name of the region of an address, by the map of the test top."""
    if address < 0x400:
        return "bank 0"
    if 0x1000 <= address < 0x1400:
        return "bank 1"
    return "device" if DEFAULT or 0x2000 <= address < 0x2100 else "none"


def write_memory(memory: dict[int, int], address: int, be: int, data: int) -> None:
    """Write the enabled bytes of a word."""
    mask = sum(0xFF << (8 * lane) for lane in range(4) if be >> lane & 1)
    memory[address] = (memory.get(address, 0) & ~mask) | (data & mask)


@cocotb.test()
async def priority_and_parallel_banks(dut: Any) -> None:
    """Different banks serve both ports in one cycle; in the same bank data goes first and fetch waits."""
    data, fetch = await start(dut)
    for fetch_address, fetch_granted in ((BANK_1, not LATE), (BANK_0, False), (0x8000_0000, NOWHERE or not LATE)):
        data.ask(BANK_0)
        fetch.ask(fetch_address)
        await FallingEdge(dut.clk_i)
        assert data.granted
        assert fetch.granted == fetch_granted
        await RisingEdge(dut.clk_i)
        data.idle()
        await FallingEdge(dut.clk_i)
        assert data.answered
        assert fetch.answered == fetch_granted
        if not fetch_granted:
            assert fetch.granted
        await RisingEdge(dut.clk_i)
        fetch.idle()
        await RisingEdge(dut.clk_i)


@cocotb.test()
async def errors(dut: Any) -> None:
    """Unmapped addresses, and fetches from a device, are answered with an error in the next cycle; or by the device."""
    data, fetch = await start(dut)
    for address in (0x400, 0xFFC, 0x1400, 0x2100, 0x1000_0000, 0x8000_0000, 0xFFFF_FFFC):
        for port in (data, fetch):
            answer = await port.access(address)
            error = bool(address & 4) if DEFAULT and (port is data or FETCH_DEVICE) else True
            late = int(LATE and not NOWHERE and port is fetch)
            assert (answer.error, answer.grant_cycles, answer.answer_cycles) == (error, late, 1)
            assert error or answer.data == ~address & 0xFFFF_FFFF
        assert (await data.access(address, write=True)).error == (not DEFAULT or bool(address & 4))
    answer = await fetch.access(DEVICE)
    assert answer.error is not FETCH_DEVICE
    assert not (await data.access(DEVICE)).error
    assert (await data.access(DEVICE + 4)).error
    await data.write(BANK_0 + 0x3FC, 0x12345678)
    assert await data.read(BANK_0 + 0x3FC) == 0x12345678


@cocotb.test()
async def atomic_operations_reach_memories_only(dut: Any) -> None:
    """An atomic request to a device is an error in the next cycle; a bank sees privilege, initiator and operation."""
    data, _ = await start(dut)
    answer = await data.access(DEVICE, write=True, atop=SWAP)
    assert (answer.error, answer.grant_cycles, answer.answer_cycles) == (not FETCH_DEVICE, 0, 1)
    assert not (await data.access(BANK_1, write=True, atop=SWAP)).error
    for privilege, initiator in ((3, 0), (0, 0), (0, 0x04), (3, 0x3E)):
        data.privilege, data.initiator = privilege, initiator
        data.ask(BANK_0, write=True, atop=SWAP)
        await FallingEdge(dut.clk_i)
        assert data.granted
        assert int(dut.bank_sees_o.value) == privilege << 12 | initiator << 6 | SWAP
        await RisingEdge(dut.clk_i)
        data.idle()


@cocotb.test()
async def a_shown_request_is_not_overtaken(dut: Any) -> None:
    """Check that a fetch that waits at a slow subordinate keeps its place when data asks later."""
    if not FETCH_DEVICE:
        return
    data, fetch = await start(dut)
    dut.slow_gnt_i.value = 0
    fetch.ask(DEVICE)
    for _ in range(1 + LATE):
        await RisingEdge(dut.clk_i)
    data.ask(DEVICE + 8)
    await RisingEdge(dut.clk_i)
    dut.slow_gnt_i.value = 1
    await FallingEdge(dut.clk_i)
    assert fetch.granted
    assert not data.granted
    await RisingEdge(dut.clk_i)
    fetch.idle()
    await FallingEdge(dut.clk_i)
    assert data.granted
    assert fetch.answered
    await RisingEdge(dut.clk_i)
    data.idle()
    await RisingEdge(dut.clk_i)


@cocotb.test()
async def random_traffic(dut: Any) -> None:
    """Both ports at random for 10000 cycles against a memory model; every answer in the cycle after its grant."""
    data, fetch = await start(dut)
    rng = random.Random(3)
    memory: dict[int, int] = {}
    for bank in (BANK_0, BANK_1):
        for word in range(0, 64, 4):
            await data.write(bank + word, word)
            memory[bank + word] = word
    wish: dict[ObiPort, tuple[int, bool, int, int] | None] = {data: None, fetch: None}
    expect: dict[ObiPort, tuple[bool, int | None] | None] = {data: None, fetch: None}
    both = 0
    for _ in range(10000):
        slow = rng.random() < 0.4
        dut.slow_gnt_i.value = int(slow)
        for port in (data, fetch):
            if wish[port] is None:
                if rng.random() < 0.8:
                    base = rng.choice((BANK_0, BANK_0, BANK_1, BANK_1, DEVICE, 0x4000))
                    write = port is data and rng.random() < 0.4
                    request = (base + 4 * rng.randrange(16), write, rng.randrange(1, 16), rng.getrandbits(32))
                    wish[port] = request
                    port.ask(request[0], write=request[1], be=request[2], data=request[3])
                else:
                    port.idle()
        await FallingEdge(dut.clk_i)
        granted = []
        for port in (data, fetch):
            expected = expect[port]
            assert port.answered == (expected is not None)
            if expected is not None:
                assert port.error == expected[0]
                if expected[1] is not None:
                    assert port.data == expected[1]
            expect[port] = None
            current = wish[port]
            if current is None:
                continue
            address, write, be, word = current
            where = region(address)
            if where == "device" and port is fetch and not FETCH_DEVICE:
                where = "none"
            if where == "none":
                assert port.granted
            if not port.granted:
                continue
            granted.append(where)
            wish[port] = None
            if where == "none":
                expect[port] = (True, None)
            elif where == "device":
                expect[port] = (bool(address & 4), None if write else ~address & 0xFFFF_FFFF)
            elif write:
                write_memory(memory, address, be, word)
                expect[port] = (False, None)
            else:
                expect[port] = (False, memory[address])
        # With a request of each port at a different memory bank, both are granted.
        if len(granted) == 2:
            both += 1
            assert granted[0] != granted[1] or granted[0] == "none"
        await RisingEdge(dut.clk_i)
    assert both > 1000


async def grants(dut: Any, ports: tuple[ObiPort, ...], wanted: dict[ObiPort, int], write: bool = True) -> list[bool]:
    """One cycle: some ports ask for a word of bank 0, and the frame port reads or writes. Returns who is granted."""
    for port in ports:
        if port in wanted:
            port.ask(BANK_0 + wanted[port], write=write and port is ports[2])
        else:
            port.idle()
    await FallingEdge(dut.clk_i)
    granted = [port in wanted and port.granted for port in ports]
    await RisingEdge(dut.clk_i)
    return granted


@cocotb.test()
async def a_frame_has_its_turn(dut: Any) -> None:
    """Fetches in every cycle: a word of a frame leaves in each fourth, whatever data do in between; a read never."""
    ports = await start_all(dut)
    data, fetch, frame = ports
    seen = [(await grants(dut, ports, {fetch: 4, frame: 64}))[2] for _ in range(40)]
    assert seen == [n % (MAX_REFUSED + 1) == MAX_REFUSED for n in range(40)]
    seen = [(await grants(dut, ports, {fetch: 4, frame: 64}, write=False))[2] for _ in range(40)]
    assert not any(seen)
    await grants(dut, ports, {frame: 64}, write=False)
    # Every pattern of loads and stores in nine cycles: they go first, and the frame at once behind its third refusal.
    for pattern in range(1 << 9):
        refused = 0
        for cycle in range(9):
            busy = bool(pattern >> cycle & 1)
            wanted = {fetch: 4, frame: 64} | ({data: 128} if busy else {})
            turn = refused >= MAX_REFUSED and not busy
            assert await grants(dut, ports, wanted) == [busy, not busy and not turn, turn]
            refused = 0 if turn else refused + 1
        while not (await grants(dut, ports, {fetch: 4, frame: 64}))[2]:
            pass
        await grants(dut, ports, {fetch: 4})


@cocotb.test()
async def late_where_it_is_said(dut: Any) -> None:
    """A fetch or a frame asks a late bank in its second cycle, each one anew. Data, and a miss, do so at once."""
    data, *others = await start_all(dut)
    for port in others:
        for address in (BANK_0, BANK_1, BANK_1 + 4, BANK_1):
            late = LATE and address >= BANK_1
            port.ask(address)
            for asked in [False, True] if late else [True]:
                await FallingEdge(dut.clk_i)
                assert (int(dut.asked_o.value) != 0, port.granted) == (asked, asked)
                await RisingEdge(dut.clk_i)
        if NOWHERE:
            port.ask(0x8000_0000)
            await FallingEdge(dut.clk_i)
            assert port.granted
            await RisingEdge(dut.clk_i)
        # A load that comes with it, or in its second cycle, is granted in the cycle in which it comes.
        for load in (0, 1):
            first = int(LATE)
            granted = []
            port.ask(BANK_1)
            for cycle in range(3):
                if cycle == load:
                    data.ask(BANK_1 + 8)
                else:
                    data.idle()
                if granted:
                    port.idle()
                await FallingEdge(dut.clk_i)
                assert data.granted == (cycle == load)
                granted += [cycle] if port.granted else []
                await RisingEdge(dut.clk_i)
            assert granted == [first + 1 if first == load else first]
            port.idle()
            data.idle()
            await RisingEdge(dut.clk_i)
