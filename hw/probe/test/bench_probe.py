# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""cocotb bench of the latency probe, through the ports of tz_latency_probe_axi.

A scoreboard watches both buses in every cycle and compares the answer to each read with the reference model.
"""

from __future__ import annotations

import json
import os
import random
from collections import Counter
from pathlib import Path
from typing import Any

import cocotb
from axil import SLVERR
from probe_model import (
    ALARM_LAT,
    BREAK_ALARM,
    BREAK_MAX,
    CLEAR,
    CONTROL,
    HISTOGRAM,
    LAST,
    MAX,
    MIN,
    RECORDING,
    SCALE,
    SQUARES_LO,
    SUM_LO,
    WE,
)
from scoreboard import OFFSETS, PARAMETERS, Bench, start

REGISTERS = Path(os.environ["REGISTERS"])


def exists(register: dict[str, Any]) -> bool:
    """Whether a register of the map is in this variant of the design."""
    name = register["name"]
    if name.startswith("histogram"):
        return PARAMETERS.bins > 0
    return PARAMETERS.moments or not name.startswith(("sum", "squares"))


@cocotb.test()
async def every_register(dut: Any) -> None:
    """Each register of the map has its value after reset, keeps what can be written, and nothing else."""
    bench = Bench(dut)
    await bench.start()
    blocks = json.loads(REGISTERS.read_text())["blocks"]
    registers = [one for one in blocks["probe"]["registers"] if exists(one)]
    assert len(registers) >= 5
    for register in registers:
        assert await bench.registers.read(register["offset"]) == register["reset"], register["name"]
    for register in registers:
        mask = 0
        for one in register["fields"]:
            if one["access"] == "rw" and (PARAMETERS.break_output or not one["name"].startswith("break")):
                mask |= ((1 << one["width"]) - 1) << one["lsb"]
        if register["offset"] == ALARM_LAT:
            mask &= PARAMETERS.most
        for value in (0xFFFF_FFFF, 0xA5A5_5A5A, 0):
            await bench.registers.write(register["offset"], value)
            while bench.model.sweep:
                await bench.cycles(1)
            assert await bench.registers.read(register["offset"]) == value & mask, register["name"]


@cocotb.test()
async def exact_latencies(dut: Any) -> None:
    """Each latency, from one clock up, is the time between the rises. The samples are in the order of measurement."""
    bench = await start(dut)
    latencies = [*range(1, min(PARAMETERS.most, 20) + 1), 3, 1, min(PARAMETERS.most, 37), 2]
    for latency in latencies:
        await bench.measure(latency)
        assert await bench.registers.read(LAST) == latency
    assert await bench.registers.read(MAX) == max(latencies)
    assert await bench.registers.read(MIN) == min(latencies)
    assert (await bench.status())["num"] == len(latencies)
    for index, latency in list(enumerate(latencies))[: PARAMETERS.depth]:
        assert await bench.samples.read(4 * index) == latency
    await bench.check_all()


@cocotb.test()
async def long_levels_are_one_edge(dut: Any) -> None:
    """Only rises count: inputs may stay high, also through a reset, and fall in any order."""
    bench = Bench(dut)
    dut.irq_in.value = 1
    await bench.start()
    await bench.control(WE | CLEAR)
    await bench.cycles(20)
    await bench.pulse("ack_in")
    await bench.cycles(20)
    assert (await bench.status())["num"] == 0
    dut.irq_in.value = 0
    await bench.cycles(2)
    dut.irq_in.value = 1
    await bench.cycles(3)
    dut.ack_in.value = 1
    await bench.cycles(30)
    dut.irq_in.value = 0
    dut.ack_in.value = 0
    await bench.cycles(2)
    status = await bench.status()
    assert (status["num"], status["missed"]) == (1, 0)
    assert await bench.registers.read(LAST) == 3


@cocotb.test()
async def missed_and_spurious(dut: Any) -> None:
    """Interrupts under way or under recording count as missed, acknowledges of nothing are ignored."""
    bench = await start(dut)
    limit = (1 << PARAMETERS.missed_width) - 1
    await bench.pulse("ack_in")
    await bench.pulse("irq_in")
    await bench.cycles(1)
    await bench.pulse("irq_in")
    await bench.pulse("ack_in")
    await bench.cycles(RECORDING)
    await bench.pulse("ack_in")
    status = await bench.status()
    assert (status["num"], status["missed"]) == (1, min(1, limit))
    assert await bench.registers.read(LAST) == 3

    # Both rise at once: the acknowledge does not belong to this interrupt.
    dut.irq_in.value = 1
    dut.ack_in.value = 1
    await bench.cycles(1)
    dut.irq_in.value = 0
    dut.ack_in.value = 0
    await bench.cycles(4)
    await bench.pulse("ack_in")
    await bench.cycles(RECORDING)
    assert await bench.registers.read(LAST) == min(5, PARAMETERS.most)

    # Edges are missed from the cycle of the acknowledge until the recording ends.
    for distance in range(RECORDING + 3):
        before = (await bench.status())["missed"]
        await bench.pulse("irq_in")
        await bench.cycles(1)
        dut.ack_in.value = 1
        await bench.cycles(distance)
        dut.irq_in.value = 1
        await bench.cycles(1)
        dut.irq_in.value = 0
        dut.ack_in.value = 0
        await bench.cycles(1)
        await bench.pulse("ack_in")
        await bench.cycles(2 * RECORDING)
        missed = (await bench.status())["missed"]
        assert missed == min(before + (distance <= RECORDING), limit)
    for _ in range(limit + 2):
        await bench.pulse("irq_in")
        await bench.cycles(1)
    assert (await bench.status())["missed"] == limit
    await bench.control(WE | CLEAR)
    assert (await bench.status())["missed"] == 0


@cocotb.test()
async def saturation(dut: Any) -> None:
    """The largest latency is exact; a longer one is recorded as the largest, and says so."""
    most = PARAMETERS.most
    bench = await start(dut)
    if most > 1 << 16:
        await bench.measure(5000)
        assert (await bench.status())["overflow"] == 0
        return
    await bench.measure(most - 1)
    await bench.measure(most)
    assert (await bench.status())["overflow"] == 0
    assert await bench.registers.read(LAST) == most
    await bench.measure(most + 1)
    assert (await bench.status())["overflow"] == 1
    assert await bench.registers.read(LAST) == most
    await bench.measure(1)
    status = await bench.status()
    assert (status["overflow"], status["num"]) == (1, 4)
    assert await bench.registers.read(MAX) == most
    await bench.control(WE | CLEAR)
    assert (await bench.status())["overflow"] == 0


@cocotb.test()
async def full_ram(dut: Any) -> None:
    """A full RAM keeps its samples; everything else goes on."""
    bench = await start(dut)
    rng = random.Random(3)
    latencies = [rng.randrange(2, min(PARAMETERS.most, 12)) for _ in range(PARAMETERS.depth)]
    for latency in latencies:
        await bench.measure(latency)
    await bench.measure(1)
    await bench.measure(min(PARAMETERS.most, 40))
    await bench.measure(2)
    assert (await bench.status())["num"] == PARAMETERS.depth + 3
    assert await bench.registers.read(MIN) == 1
    assert await bench.registers.read(MAX) == min(PARAMETERS.most, 40)
    assert await bench.registers.read(LAST) == 2
    for index, latency in enumerate(latencies):
        assert await bench.samples.read(4 * index) == latency
    # The window repeats.
    for index in range(0, 4096 // 4 - PARAMETERS.depth, 61):
        assert await bench.samples.read(4 * (PARAMETERS.depth + index)) == latencies[index % PARAMETERS.depth]
    await bench.control(WE | CLEAR)
    await bench.measure(3)
    assert await bench.samples.read(0) == 3
    assert await bench.samples.read(4) == latencies[1]


@cocotb.test()
async def alarm(dut: Any) -> None:
    """The alarm comes above the limit, stays until cleared, and not before a limit is written."""
    bench = await start(dut)
    limit = min(PARAMETERS.most - 1, 9)
    await bench.measure(limit + 1)
    assert (await bench.status())["alarm"] == 0
    await bench.registers.write(ALARM_LAT, limit)
    for latency, expected in ((limit - 1, 0), (limit, 0), (limit + 1, 1), (1, 1)):
        await bench.measure(latency)
        assert (await bench.status())["alarm"] == expected
    await bench.control(WE | CLEAR)
    assert (await bench.status())["alarm"] == 0
    assert await bench.registers.read(ALARM_LAT) == limit
    await bench.measure(limit)
    assert (await bench.status())["alarm"] == 0
    await bench.registers.write(ALARM_LAT, 0)
    await bench.measure(1)
    assert (await bench.status())["alarm"] == 1


@cocotb.test()
async def clear_and_disable(dut: Any) -> None:
    """A clear forgets the past and, without a histogram, not the present; without we nothing is measured."""
    bench = await start(dut)
    await bench.measure(4)
    await bench.pulse("irq_in")
    await bench.registers.write(CONTROL, WE | CLEAR)
    await bench.check_all()
    await bench.pulse("ack_in")
    await bench.cycles(RECORDING)
    assert (await bench.status())["num"] == (0 if PARAMETERS.bins else 1)

    await bench.pulse("irq_in")
    await bench.control(CLEAR)
    await bench.control(WE)
    await bench.pulse("ack_in")
    await bench.cycles(RECORDING)
    assert (await bench.status())["num"] == 0
    await bench.control(0)
    await bench.measure(3)
    status = await bench.status()
    assert (status["we"], status["num"], status["missed"]) == (0, 0, 0)
    await bench.check_all()


@cocotb.test()
async def reset_at_any_time(dut: Any) -> None:
    """A reset in any cycle of a measurement, of its recording, and of bus accesses leaves a probe that works."""
    bench = await start(dut)
    for when in range(16):
        await bench.control(WE | CLEAR)
        await bench.registers.write(ALARM_LAT, 1)
        await bench.measure(2)
        reads = [
            cocotb.start_soon(bench.registers.axi.read(LAST, 4)),
            cocotb.start_soon(bench.samples.axi.read(0, 4)),
            cocotb.start_soon(bench.registers.axi.write(CONTROL, bytes(4))) if when % 3 == 0 else None,
        ]
        cocotb.start_soon(bench.measure(5))
        await bench.cycles(when)
        dut.aresetn.value = 0
        for one in reads:
            if one is not None:
                one.cancel()
        await bench.cycles(14)
        dut.aresetn.value = 1
        await bench.cycles(2)
        while bench.model.sweep:
            await bench.cycles(1)
        status = await bench.status()
        assert status == {"we": 0, "alarm": 0, "overflow": 0, "missed": 0, "num": 0}
        await bench.check_all()
        await bench.control(WE)
        await bench.measure(3)
        assert await bench.registers.read(LAST) == 3
        assert await bench.registers.read(MAX) == 3
        assert (await bench.status())["alarm"] == 0


@cocotb.test()
async def samples_are_read_only(dut: Any) -> None:
    """A write of the samples is refused, and changes nothing."""
    bench = await start(dut)
    await bench.measure(2)
    assert await bench.samples.write_answer(0, 7) == SLVERR
    assert await bench.samples.read(0) == 2


@cocotb.test()
async def edges_alone(dut: Any) -> None:
    """Random edges as dense as they can be, quiet buses: everything is as the model says."""
    bench = await start(dut)
    rng = random.Random(5)
    for chunk in range(40):
        rates = rng.choice((0.05, 0.3, 0.5, 1)), rng.choice((0.05, 0.3, 0.5, 1))
        for _ in range(100):
            dut.irq_in.value = rng.random() < rates[0] / 2
            dut.ack_in.value = rng.random() < rates[1] / 2
            await bench.cycles(1)
        dut.irq_in.value = 0
        dut.ack_in.value = 0
        await bench.check_all()
        if chunk % 8 == 7:
            await bench.control(WE | CLEAR)
    for what, least in {"recorded": 60, "spurious": 100, "together": 5}.items():
        assert bench.seen[what] >= least, bench.seen


async def drive(bench: Bench, rng: random.Random, cycles: int) -> None:
    """Random edges, in phases of different density."""
    for cycle in range(cycles):
        if cycle % 50 == 0:
            raise_rate, ack_rate = rng.choice((0.02, 0.2, 0.5)), rng.choice((0.02, 0.2, 0.5))
        bench.dut.irq_in.value = rng.random() < raise_rate
        bench.dut.ack_in.value = rng.random() < ack_rate
        await bench.cycles(1)


async def use_registers(bench: Bench, rng: random.Random) -> None:
    """Random accesses of s01, without end."""
    while True:
        what = rng.random()
        if what < 0.03:
            await bench.registers.write(CONTROL, rng.choice((WE, WE | CLEAR, WE | BREAK_ALARM | BREAK_MAX, CLEAR, 0)))
            await bench.registers.write(CONTROL, WE | rng.choice((0, BREAK_ALARM, BREAK_MAX)))
        elif what < 0.1:
            await bench.registers.write(ALARM_LAT, rng.choice((0, 3, 10, PARAMETERS.most)))
        elif what < 0.14:
            await bench.registers.write(rng.choice((LAST, MAX, MIN, 4, SCALE, SUM_LO)), rng.choice((0, 1, 2, 31)))
        else:
            await bench.registers.read(rng.choice(OFFSETS))


async def use_samples(bench: Bench, rng: random.Random) -> None:
    """Random accesses of s00, without end."""
    while True:
        if rng.random() < 0.1:
            await bench.samples.write_answer(4 * rng.randrange(1024), rng.getrandbits(32))
        else:
            near = rng.randrange(bench.model.is_now.num + 2)
            await bench.samples.read(4 * rng.choice((near, rng.randrange(1024))) % 4096)


@cocotb.test()
@cocotb.parametrize(stalls=[0.0, 0.3, 0.8])
async def everything_at_once(dut: Any, stalls: float) -> None:
    """Random edges, random accesses of both ports with random stalls: every read is as the model says."""
    bench = await start(dut, WE | CLEAR | BREAK_ALARM | BREAK_MAX)
    await bench.registers.write(ALARM_LAT, 3)
    rng = random.Random(int(stalls * 10) + PARAMETERS.width)
    bench.registers.stall(rng, stalls)
    bench.samples.stall(rng, stalls)
    tasks = [cocotb.start_soon(use_registers(bench, rng)), cocotb.start_soon(use_samples(bench, rng))]
    await drive(bench, rng, 6000)
    for task in tasks:
        task.cancel()
    least = {"recorded": 50, "read s00": 200, "read s01": 200, "sample": 50, "both": 50, "spurious": 100}
    least |= {"read while measuring": 50, "read while recording": 20, "break": 2 if PARAMETERS.break_output else 0}
    for what, count in least.items():
        assert bench.seen[what] >= count, (what, bench.seen)


@cocotb.test(skip=not PARAMETERS.options)
async def options(dut: Any) -> None:
    """Histogram and sums are those of the latencies; the scale takes effect."""
    bench = await start(dut)
    rng = random.Random(7)
    for shift in (0, 2):
        if PARAMETERS.bins:
            await bench.registers.write(SCALE, shift)
        await bench.control(WE | CLEAR)
        latencies = [rng.randrange(1, min(PARAMETERS.most, 90) + 1) for _ in range(40)]
        for latency in latencies:
            await bench.measure(latency)
        total = sum(latencies), sum(latency * latency for latency in latencies)
        if PARAMETERS.moments:
            assert await bench.registers.read(SUM_LO) == total[0]
            assert await bench.registers.read(SQUARES_LO) == total[1]
        if PARAMETERS.bins:
            bins = Counter(min(latency >> shift, PARAMETERS.bins - 1) for latency in latencies)
            for index in range(PARAMETERS.bins):
                assert await bench.registers.read(HISTOGRAM + 4 * index) == bins[index]
            if PARAMETERS.bins < 512:
                assert await bench.registers.read(HISTOGRAM + 4 * PARAMETERS.bins) == 0
        await bench.check_all()


@cocotb.test(skip=not PARAMETERS.break_output)
async def break_output(dut: Any) -> None:
    """Each condition that is enabled pulses once, the first latency is no new maximum."""
    bench = await start(dut)
    await bench.registers.write(ALARM_LAT, 3)
    for control, latencies, pulses in (
        (WE, (1, 2, 5), 0),
        (WE | BREAK_MAX, (3, 4, 4, 5), 2),
        (WE | BREAK_ALARM, (3, 4, 4, 2), 2),
        (WE | BREAK_ALARM | BREAK_MAX, (4, 5, 2), 3),
    ):
        await bench.control(control | CLEAR)
        bench.seen["break"] = 0
        for latency in latencies:
            await bench.measure(latency)
        await bench.cycles(2)
        assert bench.seen["break"] == pulses, control
