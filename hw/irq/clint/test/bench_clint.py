# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""cocotb bench of tz_clint."""

from __future__ import annotations

import os
import random
from typing import Any

import cocotb
from cocotb.triggers import FallingEdge, RisingEdge
from obi import ObiPort, cycles, reset

MSIP, CMP_LO, CMP_HI, TIME_LO, TIME_HI = 0x0, 0x4000, 0x4004, 0xBFF8, 0xBFFC
ALL_ONES = 0xFFFF_FFFF
PRESCALE = int(os.environ.get("MTIME_PRESCALE", "1"))
HARTS = int(os.environ.get("HARTS", "1"))
ALL_LINES = (1 << 16 * HARTS) - 1


async def start(dut: Any) -> ObiPort:
    """Reset the design with quiet inputs."""
    dut.irq_i.value = 0
    dut.irq_ext_i.value = 0
    port = ObiPort(dut)
    await reset(dut)
    return port


@cocotb.test()
async def reset_values(dut: Any) -> None:
    """After reset nothing is pending, mtimecmp is at its maximum and mtime counts from zero."""
    port = await start(dut)
    assert await port.read(TIME_LO) == 0
    assert await port.read(CMP_LO) == ALL_ONES
    assert await port.read(CMP_HI) == ALL_ONES
    assert await port.read(MSIP) == 0
    assert await port.read(TIME_HI) == 0
    for signal in (dut.platform_o, dut.external_o, dut.timer_o, dut.software_o):
        assert int(signal.value) == 0


@cocotb.test()
async def lines_are_one_flip_flop_deep(dut: Any) -> None:
    """Check that a line sampled in cycle t shows at the output in t + 1, every line by itself, pulses included."""
    await start(dut)
    rng = random.Random(2)
    before, before_ext = 0, 0
    for cycle in range(500):
        lines = 1 << (cycle % (16 * HARTS)) if cycle < 64 else rng.randrange(ALL_LINES + 1)
        external = rng.randrange(2)
        dut.irq_i.value, dut.irq_ext_i.value = lines, external
        await FallingEdge(dut.clk_i)
        assert int(dut.platform_o.value) == before
        assert int(dut.external_o.value) == before_ext * ((1 << HARTS) - 1)
        before, before_ext = lines, external
        await RisingEdge(dut.clk_i)


@cocotb.test()
async def software_interrupt(dut: Any) -> None:
    """Bit 0 of msip drives the interrupt in the cycle after the write; the other bits do not exist."""
    port = await start(dut)
    port.ask(MSIP, write=True, data=ALL_ONES)
    await RisingEdge(dut.clk_i)
    port.idle()
    await FallingEdge(dut.clk_i)
    assert int(dut.software_o.value) == 1
    await RisingEdge(dut.clk_i)
    assert await port.read(MSIP) == 1
    await port.write(MSIP, 0, be=0b1110)
    assert await port.read(MSIP) == 1
    await port.write(MSIP, 0, be=0b0001)
    assert await port.read(MSIP) == 0
    await FallingEdge(dut.clk_i)
    assert int(dut.software_o.value) == 0


@cocotb.test()
async def time_counts(dut: Any) -> None:
    """Check that the counter mtime counts one in MTIME_PRESCALE cycles and carries into its high half."""
    port = await start(dut)
    first = await port.read(TIME_LO)
    await cycles(dut, 20 * PRESCALE - 2)
    assert await port.read(TIME_LO) == first + 20
    await port.write(TIME_HI, 6)
    await port.write(TIME_LO, ALL_ONES)
    await cycles(dut, 2 * PRESCALE)
    assert await port.read(TIME_HI) == 7
    assert await port.read(TIME_LO) < 8


@cocotb.test()
async def byte_enables(dut: Any) -> None:
    """Bytes of mtimecmp and mtime can be written one by one."""
    port = await start(dut)
    for address in (CMP_LO, CMP_HI, TIME_HI):
        await port.write(address, 0x11223344)
        for lane in range(4):
            await port.write(address, 0xAABBCCDD, be=1 << lane)
            mask = 0xFF << (8 * lane)
            expected = (0x11223344 & ~mask) | (0xAABBCCDD & mask)
            assert await port.read(address) == expected
            await port.write(address, 0x11223344)


@cocotb.test()
async def holes(dut: Any) -> None:
    """Offsets without a register read as zero, ignore writes, and are not aliases."""
    port = await start(dut)
    for address in (4 * HARTS, 0x10, 0x3FFC, 0x4000 + 8 * HARTS, 0x4FF8, 0x8000, 0xBFF4, 0xC000, 0xFFF8, 0xFFFC):
        await port.write(address, ALL_ONES)
        assert await port.read(address) == 0
    assert await port.read(MSIP) == 0
    assert int(dut.timer_o.value) == 0


async def timer_at(dut: Any, port: ObiPort, compare: int, now: int) -> int:
    """Set mtime to `now` and mtimecmp to `compare`; count the cycles until the interrupt shows, at most 100."""
    await port.write(CMP_HI, ALL_ONES)
    await port.write(CMP_LO, compare & ALL_ONES)
    await port.write(TIME_HI, now >> 32)
    await port.write(CMP_HI, compare >> 32)
    port.ask(TIME_LO, write=True, data=now & ALL_ONES)
    await RisingEdge(dut.clk_i)
    port.idle()
    for count in range(100):
        await FallingEdge(dut.clk_i)
        if int(dut.timer_o.value) & 1:
            return count
        await RisingEdge(dut.clk_i)
    return 100


@cocotb.test(skip=PRESCALE != 1)
async def timer_interrupt(dut: Any) -> None:
    """Check that the interrupt shows one cycle after mtime reaches mtimecmp, over the whole 64-bit range."""
    port = await start(dut)
    for compare, now, expected in [
        (1000, 1000, 1),
        (1000, 990, 11),
        (1000, 5000, 1),
        (0x1_0000_0000, 0xFFFF_FFFA, 7),
        (0x5_0000_0000, 0x4_FFFF_FFF0, 17),
        (0, 0xFFFF_FFFF_FFFF_0000, 1),
        (0xFFFF_FFFF_0000_0000, 0, 100),
    ]:
        assert await timer_at(dut, port, compare, now) == expected, f"{compare:#x} {now:#x}"
        await RisingEdge(dut.clk_i)


@cocotb.test(skip=PRESCALE != 1)
async def moving_the_comparison_ends_the_interrupt(dut: Any) -> None:
    """Check that a write that moves mtimecmp ahead ends the interrupt in the next cycle and it does not come back."""
    port = await start(dut)
    for address in (CMP_LO, CMP_HI):
        await timer_at(dut, port, 100, 200)
        await RisingEdge(dut.clk_i)
        port.ask(address, write=True, data=ALL_ONES)
        await FallingEdge(dut.clk_i)
        assert int(dut.timer_o.value) == 1
        await RisingEdge(dut.clk_i)
        port.idle()
        for _ in range(20):
            await FallingEdge(dut.clk_i)
            assert int(dut.timer_o.value) == 0
            await RisingEdge(dut.clk_i)


@cocotb.test(skip=HARTS < 2)
async def each_hart_has_its_own_registers(dut: Any) -> None:
    """Check that msip and mtimecmp of a hart are at their offsets and are nothing to another hart."""
    port = await start(dut)
    for hart in range(HARTS):
        await port.write(MSIP + 4 * hart, 1)
        await FallingEdge(dut.clk_i)
        assert int(dut.software_o.value) == 1 << hart
        await RisingEdge(dut.clk_i)
        assert [await port.read(MSIP + 4 * other) for other in range(HARTS)] == [
            int(other == hart) for other in range(HARTS)
        ]
        await port.write(MSIP + 4 * hart, 0)
    for hart in range(HARTS):
        await port.write(CMP_LO + 8 * hart, 0x100 + hart)
        await port.write(CMP_HI + 8 * hart, 0x200 + hart)
    for hart in range(HARTS):
        assert await port.read(CMP_LO + 8 * hart) == 0x100 + hart
        assert await port.read(CMP_HI + 8 * hart) == 0x200 + hart


@cocotb.test(skip=HARTS < 2 or PRESCALE != 1)
async def timers_go_off_one_by_one(dut: Any) -> None:
    """Check that each hart's timer comes at its own time, and a write to one mtimecmp leaves the others alone."""
    port = await start(dut)
    everyone = (1 << HARTS) - 1
    assert int(dut.timer_ahead_o.value) == 0
    for hart in range(HARTS):
        await port.write(CMP_LO + 8 * hart, 60 + 10 * hart)
        await port.write(CMP_HI + 8 * hart, 0)
    assert int(dut.timer_ahead_o.value) == everyone
    now = await port.read(TIME_LO) + 1  # plus one: the data are from the cycle in which the read was granted
    while now < 60 + 10 * HARTS:
        now += 1
        await FallingEdge(dut.clk_i)
        due = [now > 60 + 10 * hart for hart in range(HARTS)]
        assert int(dut.timer_o.value) == sum(one << hart for hart, one in enumerate(due))
        await RisingEdge(dut.clk_i)
    assert int(dut.timer_o.value) == everyone
    port.ask(CMP_HI + 8 * (HARTS - 1), write=True, data=ALL_ONES)
    await RisingEdge(dut.clk_i)
    port.idle()
    await FallingEdge(dut.clk_i)
    assert int(dut.timer_o.value) == everyone >> 1
    assert int(dut.timer_ahead_o.value) == 0
    await RisingEdge(dut.clk_i)
    port.ask(TIME_HI, write=True, data=1)
    await RisingEdge(dut.clk_i)
    port.idle()
    await FallingEdge(dut.clk_i)
    assert int(dut.timer_o.value) == 0  # a write to mtime turns all timer interrupts off for a cycle
    await RisingEdge(dut.clk_i)
    await FallingEdge(dut.clk_i)
    assert int(dut.timer_o.value) == everyone >> 1
    await RisingEdge(dut.clk_i)
