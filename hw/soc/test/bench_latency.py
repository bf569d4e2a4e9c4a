# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""cocotb bench of the latency measurement in the SoC: from the bus matrix to each of its blocks, and stress.

Addresses are those of the memory map. The blocks by themselves are tested in hw/probe.
"""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cocotb
from cocotb.triggers import FallingEdge, RisingEdge
from obi import ObiPort, cycles, reset
from words import xorshift

BLOCKS = json.loads(Path(os.environ["REGISTERS"]).read_text())["blocks"]
DEPTH = int(os.environ["DEPTH"])
REGIONS = json.loads(Path(os.environ["MEMORY_MAP"]).read_text())["regions"]
REGION = {region["name"]: region for region in REGIONS}
PART = {part["name"]: part for part in REGION["probe"]["parts"]}
BANKS = tuple((REGION[name]["base"], REGION[name]["size"]) for name in ("imem", "dmem", "smem"))
WORDS, CYCLES = 16, 32
TIMER_EVENT, DATA_EVENT, DONE_EVENT = 1, 2, 4
WRITE_ENABLE, CLEAR = 1, 2
STRESS_SEED = 0xC0FFEE


def address(part: str, register: str, index: int = 0) -> int:
    """Address of a register of a part of the region."""
    block = BLOCKS[PART[part]["block"]]["registers"]
    one = next(one for one in block if one["name"] == register)
    return int(PART[part]["base"] + one["offset"] + index * one.get("stride", 0))


async def start(dut: Any) -> tuple[ObiPort, ObiPort]:
    """Reset the design; returns the data and the fetch port."""
    ports = ObiPort(dut, "a_"), ObiPort(dut, "b_")
    await reset(dut)
    return ports


class Stress:
    """Notes what the stress generator asks for."""

    def __init__(self, dut: Any) -> None:
        self.granted: list[int] = []
        self.cycles = 0
        cocotb.start_soon(self._watch(dut))

    async def _watch(self, dut: Any) -> None:
        while True:
            await FallingEdge(dut.clk_i)
            self.cycles += 1
            if int(dut.stress_req_o.value):
                self.granted.append(int(dut.stress_addr_o.value))

    def banks(self) -> list[int]:
        """The bank of each access; one outside memory fails the test."""
        return [next(n for n, (base, size) in enumerate(BANKS) if base <= one < base + size) for one in self.granted]


@cocotb.test()
async def registers(dut: Any) -> None:
    """Every register of every part is where the map has it, with its value after reset."""
    data, _ = await start(dut)
    reached = 0
    for part in PART.values():
        if part["block"] is None:
            continue
        for register in BLOCKS[part["block"]]["registers"]:
            if part["block"] == "probe" and register["offset"] >= 0x20:
                continue  # the parameter of this register is off
            for index in range(register.get("count", 1)):
                assert await data.read(address(part["name"], register["name"], index)) == register["reset"]
                reached += 1
    assert reached == 2 * 5 + 4 + 12 + 4
    for part in ("samples0", "samples1"):
        assert (await data.access(PART[part]["base"] + 4 * (DEPTH - 1))).error is False
    # Each block is read at an address of its own.
    words = {
        address("regs0", "alarm_lat"): 0x1111,
        address("regs1", "alarm_lat"): 0x2222,
        address("random", "seed"): 0x3333_0000,
        address("timer", "channel_period", 2): 0x4444_0000,
        address("stress", "seed"): 0x5555_0000,
        address("stress", "banks"): 5,
    }
    for where, word in words.items():
        await data.write(where, word)
    for where, word in words.items():
        assert await data.read(where) == word


@cocotb.test()
async def errors(dut: Any) -> None:
    """Parts of a word, holes, and writes of samples are bus errors and change nothing; fetches do not get there."""
    data, fetch = await start(dut)
    seed = address("random", "seed")
    await data.write(seed, 0x1234_5678)
    for be in range(1, 15):
        for write in (False, True):
            answer = await data.access(seed, write=write, be=be, data=0xFFFF_FFFF)
            assert (answer.error, answer.answer_cycles) == (True, 1)
        assert await data.read(seed) == 0x1234_5678
    ends = [part["base"] + part["size"] for part in PART.values()]
    for hole in (*(end for end in ends if end not in {part["base"] for part in PART.values()}), ends[-1] + 0xFFC):
        assert (await data.access(hole)).error
        assert (await data.access(hole, write=True)).error
    for part in ("samples0", "samples1"):
        assert (await data.access(PART[part]["base"], write=True)).error
    assert (await fetch.access(seed)).error
    assert await data.read(seed) == 0x1234_5678


async def block(data: ObiPort, expected: Iterator[int]) -> None:
    """Wait for a block of the generator and read it."""
    while not await data.read(address("random", "status")) & 1:
        pass
    await data.write(address("timer", "channel_status"), 1)
    for _ in range(WORDS):
        assert await data.read(address("random", "data")) == next(expected)


@cocotb.test()
async def measurement(dut: Any) -> None:
    """T1 is the generator's delay, and T2 that between the events on the pins, block by block."""
    data, _ = await start(dut)
    rises: dict[int, list[int]] = {TIMER_EVENT: [], DATA_EVENT: [], DONE_EVENT: []}

    async def watch() -> None:
        before, now = 0, 0
        while True:
            await FallingEdge(dut.clk_i)
            value = int(dut.event_o.value)
            assert int(dut.irq_o.value) == (value & DATA_EVENT) // DATA_EVENT
            for event, found in rises.items():
                if value & event & ~before:
                    found.append(now)
            before, now = value, now + 1

    cocotb.start_soon(watch())
    expected = xorshift(0xABCD)
    await data.write(address("random", "seed"), 0xABCD)
    await data.write(address("random", "control"), 1)
    for part in ("regs0", "regs1"):
        await data.write(address(part, "control"), WRITE_ENABLE | CLEAR)
    await data.write(address("timer", "channel_period"), 400)
    await data.write(address("timer", "channel_control"), 1)
    rng = random.Random(1)
    blocks = 6
    for _ in range(blocks):
        await block(data, expected)
        await cycles(dut, rng.randrange(40))
    await data.write(address("timer", "channel_control"), 0)
    await cycles(dut, 20)
    assert [len(found) for found in rises.values()] == [blocks] * 3
    t1 = [late - early for early, late in zip(rises[TIMER_EVENT], rises[DATA_EVENT], strict=True)]
    t2 = [late - early for early, late in zip(rises[DATA_EVENT], rises[DONE_EVENT], strict=True)]
    assert t1 == [CYCLES] * blocks
    for probe, latencies in (("0", t1), ("1", t2)):
        assert await data.read(address(f"regs{probe}", "control")) == WRITE_ENABLE | blocks << 16
        samples = [await data.read(PART[f"samples{probe}"]["base"] + 4 * i) for i in range(min(blocks, DEPTH))]
        assert samples == latencies[:DEPTH]
        assert await data.read(address(f"regs{probe}", "max")) == max(latencies)
        assert await data.read(address(f"regs{probe}", "min")) == min(latencies)


@cocotb.test()
async def stress_rate(dut: Any) -> None:
    """As many accesses as the rate says, in the banks of the mask, the same for the same seed; none when off."""
    data, _ = await start(dut)
    stress = Stress(dut)
    await cycles(dut, 300)
    assert not stress.granted
    assert await data.read(address("stress", "seed")) == 1
    before: dict[int, list[int]] = {}
    for rate, mask in ((255, 7), (128, 5), (128, 5), (26, 2), (255, 0)):
        await data.write(address("stress", "seed"), STRESS_SEED)
        await data.write(address("stress", "banks"), mask)
        stress.granted.clear()
        await data.write(address("stress", "rate"), rate)
        first = stress.cycles
        await cycles(dut, 4000)
        await data.write(address("stress", "rate"), 0)
        seen, banks = list(stress.granted), stress.banks()
        await cycles(dut, 300)
        assert len(seen) == len(stress.granted), "accesses after the end"
        if not mask:
            assert not seen
            continue
        expected = rate / 256 * (stress.cycles - 300 - first)
        assert 0.93 * expected < len(seen) < 1.07 * expected
        for bank in range(3):
            share = banks.count(bank) / len(banks)
            assert abs(share - (mask >> bank & 1) / mask.bit_count()) < 0.05
        assert len(set(seen)) > 0.9 * len(seen)
        shorter = min(len(seen), len(before.setdefault(mask, seen)))
        assert seen[:shorter] == before[mask][:shorter]


@cocotb.test()
async def stress_counter(dut: Any) -> None:
    """The count is that of the accesses since the rate was written."""
    for rate in (60, 200, 255):
        data, _ = await start(dut)
        stress = Stress(dut)
        await data.write(address("stress", "rate"), rate)
        await cycles(dut, 1000)
        await data.write(address("stress", "banks"), 0)
        await cycles(dut, 100)
        assert await data.read(address("stress", "accesses")) == len(stress.granted) > 100
        await data.write(address("stress", "rate"), 0)
        assert await data.read(address("stress", "accesses")) == 0


@cocotb.test()
async def stress_delays_and_changes_nothing(dut: Any) -> None:
    """Data and fetches wait under stress and only then, and memory keeps what was written."""
    data, fetch = await start(dut)
    rng = random.Random(7)
    memory: dict[int, int] = {}
    waits = []
    for rate in (0, 255, 128):
        await data.write(address("stress", "rate"), rate)
        total = 0
        for _ in range(1500):
            base, size = rng.choice(BANKS)
            where = rng.choice((base, base + size - 128)) + 4 * rng.randrange(32)
            kind = rng.random()
            if kind < 0.4 or where not in memory:
                word = rng.getrandbits(32)
                answer = await data.access(where, write=True, data=word)
                memory[where] = word
            else:
                answer = await (data if kind < 0.7 else fetch).access(where)
                assert answer.data == memory[where]
            assert (answer.error, answer.answer_cycles) == (False, 1)
            total += answer.grant_cycles
        waits.append(total)
    await data.write(address("stress", "rate"), 0)
    await RisingEdge(dut.clk_i)
    for where, word in memory.items():
        assert await data.read(where) == word
    assert waits[0] == 0
    assert waits[1] > waits[2] > 50


@cocotb.test()
async def clock(dut: Any) -> None:
    """The device's clock runs while it has work, and stops within some cycles after that."""
    data, _ = await start(dut)

    async def active() -> list[bool]:
        """Whether the clock runs, in each of the next cycles."""
        seen = []
        for _ in range(100):
            await FallingEdge(dut.clk_i)
            seen.append(bool(int(dut.active_o.value)))
        await RisingEdge(dut.clk_i)
        return seen

    async def rests() -> None:
        """The clock runs for a few cycles, and then stops."""
        seen = await active()
        after = seen.index(False)
        assert 10 < after < 20
        assert not any(seen[after:])

    async def runs_until_read() -> None:
        """The clock runs while a block is made, and while it waits to be read."""
        assert all(await active())
        for _ in range(WORDS):
            await data.read(address("random", "data"))
        await rests()

    assert not any(await active())
    assert (await data.access(address("random", "seed"))).grant_cycles == 3
    await rests()
    await data.write(address("regs0", "control"), WRITE_ENABLE)
    await rests()
    await data.write(address("random", "control"), 3)
    await runs_until_read()
    await data.write(address("stress", "rate"), 1)
    assert all(await active())
    await data.write(address("stress", "rate"), 0)
    await rests()
    # A one-shot timer starts a block.
    await data.write(address("timer", "channel_period"), 150)
    await data.write(address("timer", "channel_control"), 3)
    assert all(await active())
    await runs_until_read()
