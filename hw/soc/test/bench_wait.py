# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""cocotb bench of tz_obi_wait; the protocol checkers of the test top watch both sides."""

from __future__ import annotations

import random
from collections import deque
from typing import Any

import cocotb
from cocotb.triggers import FallingEdge, RisingEdge
from obi import ObiPort, reset


async def start(dut: Any, chance: int, seed: int, *, clock: bool = True) -> ObiPort:
    """Reset the design with the given stream."""
    dut.chance_i.value = chance
    dut.seed_i.value = seed
    dut.slow_gnt_i.value = 1
    port = ObiPort(dut)
    await reset(dut, clock=clock)
    return port


async def stream(dut: Any, port: ObiPort, count: int, slow_rate: float = 1.0) -> list[tuple[bool, bool]]:
    """Write then read back at random, as fast as the port takes it; returns (granted, answered) of each cycle."""
    rng = random.Random(4)
    memory: dict[int, int] = {}
    expected: deque[int | None] = deque()
    wish: tuple[int, bool, int] | None = None
    trace = []
    for _ in range(count):
        dut.slow_gnt_i.value = int(rng.random() < slow_rate)
        if wish is None:
            address = 4 * rng.randrange(256)
            wish = (address, address not in memory or rng.random() < 0.3, rng.getrandbits(32))
            port.ask(wish[0], write=wish[1], data=wish[2])
        await FallingEdge(dut.clk_i)
        trace.append((port.granted, port.answered))
        if port.answered:
            word = expected.popleft()
            assert not port.error
            if word is not None:
                assert port.data == word
        if port.granted:
            address, write, data = wish
            expected.append(None if write else memory[address])
            if write:
                memory[address] = data
            wish = None
        await RisingEdge(dut.clk_i)
    port.idle()
    return trace


@cocotb.test()
async def transparent_without_chance(dut: Any) -> None:
    """Check that with chance 0 every request is granted at once and answered in the next cycle."""
    port = await start(dut, 0, 1)
    trace = await stream(dut, port, 500)
    assert all(granted for granted, _ in trace)
    assert all(answered for _, answered in trace[1:])


@cocotb.test()
@cocotb.parametrize(chance=[10, 128, 200, 250], slow_rate=[1.0, 0.5])
async def data_survive(dut: Any, chance: int, slow_rate: float) -> None:
    """Check that order and data are right at any chance, in front of a slow subordinate too."""
    port = await start(dut, chance, chance)
    trace = await stream(dut, port, 1500, slow_rate)
    grants = sum(granted for granted, _ in trace)
    answers = sum(answered for _, answered in trace)
    assert 0 <= grants - answers <= 4
    assert grants > 5


@cocotb.test()
@cocotb.parametrize(seed=[1, 2, 0xFFFF_FFFF])
async def stalls_come_as_often_as_asked(dut: Any, seed: int) -> None:
    """Check that at a small chance, where nothing else limits, the share of stalled cycles is near chance / 256."""
    port = await start(dut, 26, seed)
    trace = await stream(dut, port, 4000)
    stalls = sum(not granted for granted, _ in trace) / len(trace)
    assert 0.07 < stalls < 0.15


@cocotb.test()
async def seed_decides(dut: Any) -> None:
    """Check that a seed always gives the same cycles, another seed others, and that no seed stops the stream."""
    port = await start(dut, 128, 0)
    traces = set()
    for seed in (1, 2, 0x9E37_79B9):
        port = await start(dut, 128, seed, clock=False)
        first = await stream(dut, port, 300)
        port = await start(dut, 128, seed, clock=False)
        assert await stream(dut, port, 300) == first
        assert 50 < sum(granted for granted, _ in first) < 250
        traces.add(tuple(first))
    assert len(traces) == 3
