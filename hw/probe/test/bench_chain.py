# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""cocotb bench of timer, generator and probes together, and of the first two alone."""

from __future__ import annotations

import json
import os
import random
from pathlib import Path
from typing import Any

import cocotb
from cocotb.triggers import FallingEdge, RisingEdge
from obi import ObiPort, cycles, reset
from words import xorshift

WORDS, CYCLES = int(os.environ["WORDS"]), int(os.environ["CYCLES"])
BLOCKS = json.loads(Path(os.environ["REGISTERS"]).read_text())["blocks"]
SAMPLES, PROBES, GENERATOR, TIMER = (0x0000, 0x2000), (0x1000, 0x3000), 0x4000, 0x5000
PROBE_MAX, PROBE_MIN = 0x18, 0x1C
DATA, STATUS, CONTROL, SEED = (GENERATOR + offset for offset in (0x0, 0x4, 0x8, 0xC))
ENABLE, START, ACK = 1, 2, 4
READY, BUSY, OVERRUN = 1, 2, 4
ONE_SHOT, PULSE = 2, 4


def timer(index: int, register: str) -> int:
    """Address of a register of a timer."""
    return TIMER + 0x10 * index + {"control": 0, "period": 4, "count": 8, "status": 12}[register]


class Rises:
    """Notes the cycle of every rise of a signal."""

    def __init__(self, dut: Any, signal: Any, offset: int = 0) -> None:
        self.cycles: list[int] = []
        self.high = 0
        self.now = 0
        cocotb.start_soon(self._watch(dut, signal, offset))

    async def _watch(self, dut: Any, signal: Any, bit: int) -> None:
        before = 0
        while True:
            await FallingEdge(dut.clk_i)
            value = int(signal.value) >> bit & 1
            if value and not before:
                self.cycles.append(self.now)
            before = value
            self.high += value
            self.now += 1

    @property
    def gaps(self) -> list[int]:
        """Clocks between the rises."""
        return [late - early for early, late in zip(self.cycles, self.cycles[1:], strict=False)]


async def start(dut: Any) -> ObiPort:
    """Reset the design."""
    port = ObiPort(dut)
    await reset(dut)
    await cycles(dut, 1)
    return port


@cocotb.test()
async def registers(dut: Any) -> None:
    """Each register of generator and timer has its value after reset and keeps what can be written."""
    port = await start(dut)
    for base, block in ((GENERATOR, "random"), (TIMER, "timers")):
        for register in BLOCKS[block]["registers"]:
            for index in range(register.get("count", 1)):
                address = base + register["offset"] + index * register.get("stride", 0)
                assert await port.read(address) == register["reset"], register["name"]
                mask = 0
                for field in register["fields"]:
                    # Enabling starts things, and status.expired is only cleared by a write.
                    if field["access"] == "rw" and field["name"] not in ("enable", "expired"):
                        mask |= ((1 << field["width"]) - 1) << field["lsb"]
                for value in (0xFFFF_FFFF, 0x5A5A_A5A6, 0x1234_5678):
                    await port.write(address, value & mask)
                    assert await port.read(address) == value & mask or not mask, register["name"]
    for address in (GENERATOR + 0x10, GENERATOR + 0xFFC, timer(3, "control"), TIMER + 0xFF0):
        await port.write(address, 0xFFFF_FFFF)
        assert await port.read(address) == 0
    await port.write(SEED, 0)
    assert await port.read(SEED) == 1


@cocotb.test()
async def block_of_words(dut: Any) -> None:
    """A block is the words that follow the seed, ready after the stated time, and gone when read or acknowledged."""
    port = await start(dut)
    ready, done = Rises(dut, dut.data_irq_o), Rises(dut, dut.read_done_o)
    await port.write(SEED, 0x1234)
    expected = xorshift(0x1234)
    assert await port.read(DATA) == 0
    for count in range(1, 4):
        await port.write(CONTROL, START)
        assert await port.read(STATUS) & (READY | BUSY)
        while not (await port.read(STATUS)) & READY:
            pass
        assert await port.read(STATUS) == READY | WORDS << 16
        for left in range(WORDS, 0, -1):
            assert int(dut.data_irq_o.value) == 1
            assert await port.read(STATUS) == READY | left << 16
            assert await port.read(DATA) == next(expected)
        assert int(dut.data_irq_o.value) == 0
        assert await port.read(STATUS) == 0
        assert await port.read(DATA) == 0
        assert (len(ready.cycles), done.high) == (count, count)

    # A block that is not read in time makes the generator ignore the next start, and say so.
    await port.write(CONTROL, START)
    await cycles(dut, CYCLES)
    await port.write(CONTROL, START)
    assert await port.read(STATUS) == READY | OVERRUN | WORDS << 16
    await port.write(CONTROL, ACK)
    assert await port.read(STATUS) == 0
    assert int(dut.data_irq_o.value) == 0
    for _ in range(WORDS):
        next(expected)
    await port.write(CONTROL, START)
    await cycles(dut, CYCLES)
    assert await port.read(DATA) == next(expected)
    assert done.high == 3 + (WORDS == 1)


@cocotb.test()
async def timer_periods(dut: Any) -> None:
    """Interval and one-shot, level and pulse: expiries are one period apart, from one clock up."""
    port = await start(dut)
    for index in range(3):
        for period in (1, 2, 3, 17):
            rises = Rises(dut, dut.timer_irq_o, index)
            await port.write(timer(index, "period"), period)
            await port.write(timer(index, "control"), ENABLE | PULSE)
            await cycles(dut, 60)
            await port.write(timer(index, "control"), PULSE)
            await cycles(dut, 2)
            assert (rises.high > 50) if period == 1 else set(rises.gaps) == {period}
            assert await port.read(timer(index, "status")) == 1
            await port.write(timer(index, "status"), 1)
            assert await port.read(timer(index, "status")) == 0

    rises = Rises(dut, dut.timer_irq_o, 1)
    await port.write(timer(1, "period"), 9)
    await port.write(timer(1, "control"), ENABLE | ONE_SHOT)
    await cycles(dut, 40)
    assert len(rises.cycles) == 1
    assert await port.read(timer(1, "control")) == ONE_SHOT
    assert int(dut.timer_irq_o.value) == 0b010
    await port.write(timer(1, "status"), 0)
    assert int(dut.timer_irq_o.value) == 0b010
    await port.write(timer(1, "status"), 1)
    assert int(dut.timer_irq_o.value) == 0

    # A count beyond a new period expires at once; a period of 0 is a very long one.
    await port.write(timer(2, "period"), 0)
    await port.write(timer(2, "control"), ENABLE)
    await cycles(dut, 50)
    count = await port.read(timer(2, "count"))
    assert 50 <= count < 60
    assert await port.read(timer(2, "status")) == 0
    await port.write(timer(2, "period"), 20)
    await cycles(dut, 1)
    assert await port.read(timer(2, "status")) == 1
    assert await port.read(timer(2, "count")) < 20


@cocotb.test()
async def expiry_to_the_clock(dut: Any) -> None:
    """The first expiry is one period after the cycle in which the enabling write is accepted."""
    port = await start(dut)
    for period in (1, 2, 25):
        await port.write(timer(0, "period"), period)
        port.ask(timer(0, "control"), write=True, data=ENABLE | PULSE | ONE_SHOT)
        accepted = expired = None
        for cycle in range(60):
            await FallingEdge(dut.clk_i)
            if accepted is None and int(dut.u_timer.write.value):
                accepted = cycle
            if expired is None and int(dut.timer_irq_o.value) & 1:
                expired = cycle
            granted = port.granted
            await RisingEdge(dut.clk_i)
            if granted:
                port.idle()
        assert accepted is not None
        assert expired == accepted + period + 1


@cocotb.test()
async def both_latencies(dut: Any) -> None:
    """T1 is the generator's time in every measurement. T2 is the time until the last word is read."""
    port = await start(dut)
    rng = random.Random(4)
    ready, done = Rises(dut, dut.data_irq_o), Rises(dut, dut.read_done_o)
    for base in PROBES:
        await port.write(base, 3)
    await port.write(CONTROL, ENABLE)
    await port.write(timer(0, "period"), CYCLES + 12 * WORDS + 200)
    await port.write(timer(0, "control"), ENABLE | PULSE)
    rounds = 20
    for _ in range(rounds):
        while not int(dut.data_irq_o.value):
            await RisingEdge(dut.clk_i)
        await cycles(dut, rng.randrange(100))
        for _ in range(WORDS):
            await port.read(DATA)
    await port.write(timer(0, "control"), PULSE)  # as a level it would rise now, since the timer has expired
    expected = [end - begin for begin, end in zip(ready.cycles, done.cycles, strict=True)]
    await cycles(dut, 20)
    for base in PROBES:
        assert await port.read(base) == 1 | rounds << 16
    assert await port.read(PROBES[0] + PROBE_MAX) == CYCLES
    assert await port.read(PROBES[0] + PROBE_MIN) == CYCLES
    assert [await port.read(SAMPLES[1] + 4 * index) for index in range(rounds)] == expected
    assert await port.read(PROBES[1] + PROBE_MAX) == max(expected)
    assert await port.read(PROBES[1] + PROBE_MIN) == min(expected)
    response = await port.access(SAMPLES[0], write=True)
    assert response.error
    response = await port.access(0x6000)
    assert response.error
