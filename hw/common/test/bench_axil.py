# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""cocotb bench of tz_obi_axil and tz_axil_demux: random accesses of two memories that stall; the checkers watch."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from typing import Any

import cocotb
from cocotbext.axi import AxiLiteBus, AxiLiteRam
from obi import ObiPort, cycles, reset

REGIONS = ((0x10000, 0x10000), (0x30000, 0x1000))
NOWHERE = (0x0, 0xFFFC, 0x20000, 0x31000, 0xFFFF_FFFC)


def memories(dut: Any, rate: float, seed: int) -> list[AxiLiteRam]:
    """Two memories whose channels stall at random."""
    found = []
    for index, (_, size) in enumerate(REGIONS):
        bus = AxiLiteBus.from_prefix(dut, f"m{index}")
        ram = AxiLiteRam(bus, dut.clk_i, dut.rst_ni, reset_active_level=False, size=size)
        write, read = ram.write_if, ram.read_if
        channels = (write.aw_channel, write.w_channel, write.b_channel, read.ar_channel, read.r_channel)
        for number, channel in enumerate(channels):
            channel.set_pause_generator(_coin(random.Random(seed * 100 + index * 10 + number), rate))
        found.append(ram)
    return found


def _coin(rng: random.Random, rate: float) -> Iterator[bool]:
    for _ in itertools.count():
        yield rng.random() < rate


@cocotb.test()
@cocotb.parametrize(rate=[0.0, 0.3, 0.8])
async def random_accesses(dut: Any, rate: float) -> None:
    """Bytes arrive at their address only, reads return them, and an address without a memory is an error."""
    rng = random.Random(int(rate * 10))
    rams = memories(dut, rate, 1)
    port = ObiPort(dut)
    await reset(dut)
    expected: list[dict[int, int]] = [{}, {}]
    for ram, (_, size) in zip(rams, REGIONS, strict=True):
        ram.write(0, bytes(size))
    slowest = 0
    for _ in range(700):
        if rng.random() < 0.1:
            response = await port.access(rng.choice(NOWHERE), write=rng.random() < 0.5)
            assert response.error
            continue
        index = rng.randrange(2)
        base, size = REGIONS[index]
        offset = rng.choice((rng.randrange(0, size, 4), 4 * rng.randrange(8), size - 4))
        if rng.random() < 0.5:
            data, enables = rng.getrandbits(32), rng.randrange(1, 16)
            response = await port.access(base + offset, write=True, be=enables, data=data)
            for lane in range(4):
                if enables >> lane & 1:
                    expected[index][offset + lane] = data >> 8 * lane & 0xFF
        else:
            response = await port.access(base + offset)
            word = sum(expected[index].get(offset + lane, 0) << 8 * lane for lane in range(4))
            assert response.data == word
        assert not response.error
        assert response.answer_cycles == 1
        slowest = max(slowest, response.grant_cycles)
        if rng.random() < 0.3:
            await cycles(dut, rng.randrange(1, 4))
    for ram, (_, size), held in zip(rams, REGIONS, expected, strict=True):
        assert ram.read(0, size) == bytes(held.get(at, 0) for at in range(size))
    assert (slowest < 8) == (rate == 0)


@cocotb.test()
async def reset_on_the_way(dut: Any) -> None:
    """A reset in the middle of accesses leaves a bridge that works."""
    rng = random.Random(9)
    memories(dut, 0.4, 2)
    port = ObiPort(dut)
    await reset(dut)
    for when in range(24):
        port.ask(0x10000, write=bool(when % 2), data=when)
        await cycles(dut, 1 + when // 2)
        port.idle()
        await reset(dut, clock=False)
        await cycles(dut, rng.randrange(1, 6))
        await port.write(0x10010, when)
        assert await port.read(0x10010) == when
