# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The bench of the latency probe: the design with two managers, the model, and a scoreboard between them."""

from __future__ import annotations

import json
import os
from collections import Counter
from typing import Any

import cocotb
from axil import Manager, View
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, RisingEdge
from probe_model import (
    ALARM_LAT,
    CLEAR,
    CONTROL,
    HISTOGRAM,
    LAST,
    MAX,
    MIN,
    RECORDING,
    SCALE,
    SQUARES_HI,
    SQUARES_LO,
    SQUARES_MID,
    SUM_HI,
    SUM_LO,
    WE,
    Parameters,
    Probe,
)

SETTINGS = json.loads(os.environ["PROBE_PARAMETERS"])
PARAMETERS = Parameters(
    SETTINGS["WIDTH"],
    SETTINGS["DEPTH"],
    SETTINGS["MISSED_WIDTH"],
    SETTINGS["HISTOGRAM_BINS"],
    bool(SETTINGS["MOMENTS"]),
    bool(SETTINGS["BREAK"]),
)
STATISTICS = [CONTROL, LAST, MAX, MIN, SUM_LO, SUM_HI, SQUARES_LO, SQUARES_MID, SQUARES_HI]
OFFSETS = [*STATISTICS, ALARM_LAT, SCALE, 0x04, 0x0C, 0x38, 0x7FC, HISTOGRAM, HISTOGRAM + 4, HISTOGRAM + 0x7FC]


class Bench:
    """The design, two managers, the model, and the scoreboard between them."""

    def __init__(self, dut: Any) -> None:
        self.dut = dut
        self.model = Probe(PARAMETERS)
        self.seen: Counter[str] = Counter()
        self.samples = Manager(dut, "s00_axi", dut.aclk, dut.aresetn)
        self.registers = Manager(dut, "s01_axi", dut.aclk, dut.aresetn)
        self._views = View(dut, "s00_axi"), View(dut, "s01_axi")
        self._expected: list[list[tuple[int, int | None]]] = [[], []]
        dut.irq_in.value = 0
        dut.ack_in.value = 0

    async def start(self) -> None:
        """Start the clock and the scoreboard, and reset."""
        cocotb.start_soon(Clock(self.dut.aclk, 10, unit="ns").start())
        self.dut.aresetn.value = 0
        cocotb.start_soon(self._watch())
        await self.cycles(3)
        self.dut.aresetn.value = 1
        await self.cycles(1)

    async def _watch(self) -> None:
        s00, s01 = self._views
        while True:
            await FallingEdge(self.dut.aclk)
            if not int(self.dut.aresetn.value):
                self.model.reset()
                self.model.irq, self.model.ack = bool(int(self.dut.irq_in.value)), bool(int(self.dut.ack_in.value))
                self._expected = [[], []]
                continue
            assert bool(int(self.dut.break_out.value)) == self.model.break_output
            self.seen["break"] += self.model.break_output
            for view, queue, read in ((s00, 0, self.model.sample), (s01, 1, self.model.read)):
                # Tests for an answer before a request: if there is no cycle between them, the answer belongs to the
                # read before.
                if (data := view.answered) is not None:
                    address, expected = self._expected[queue].pop(0)
                    assert expected is None or data == expected, f"s0{queue} {address:#x}: {data:#x} {expected:#x}"
                    self.seen[f"read s0{queue}"] += 1
                    self.seen["sample"] += not queue and expected is not None
                if (address := view.asked) is not None:
                    self._expected[queue].append((address, read(address)))
                    if queue:
                        self.seen["read while measuring"] += self.model.elapsed is not None
                    else:
                        self.seen["read while recording"] += self.model.rest > 0
            self.seen["both"] += bool(self._expected[0]) and bool(self._expected[1])
            irq, ack = bool(int(self.dut.irq_in.value)), bool(int(self.dut.ack_in.value))
            spurious = ack and not self.model.ack and self.model.elapsed is None
            self.seen["spurious"] += spurious
            self.seen["together"] += spurious and irq and not self.model.irq
            num = self.model.is_now.num
            self.model.step(irq, ack, s01.written)
            self.seen["recorded"] += self.model.is_now.num > num

    async def cycles(self, count: int) -> None:
        """Let cycles pass."""
        for _ in range(count):
            await RisingEdge(self.dut.aclk)

    async def pulse(self, name: str) -> None:
        """Raise irq_in or ack_in for a cycle."""
        signal = getattr(self.dut, name)
        signal.value = 1
        await RisingEdge(self.dut.aclk)
        signal.value = 0

    async def measure(self, latency: int) -> None:
        """Make a measurement of this many clocks, and wait for its recording."""
        await self.pulse("irq_in")
        await self.cycles(latency - 1)
        await self.pulse("ack_in")
        await self.cycles(RECORDING)

    async def control(self, value: int) -> None:
        """Write the control register, and wait for what it starts."""
        await self.registers.write(CONTROL, value)
        while self.model.sweep:
            await self.cycles(1)

    async def status(self) -> dict[str, int]:
        """Read the control register and take it apart."""
        word = await self.registers.read(CONTROL)
        return {
            "we": word & 1,
            "alarm": word >> 2 & 1,
            "overflow": word >> 3 & 1,
            "missed": word >> 8 & 0xFF,
            "num": word >> 16,
        }

    async def check_all(self) -> None:
        """Read everything once; the scoreboard compares."""
        for offset in OFFSETS:
            await self.registers.read(offset)
        for index in range(min(PARAMETERS.bins, 8)):
            await self.registers.read(HISTOGRAM + 4 * index)
        for index in range(min(PARAMETERS.depth, 12)):
            await self.samples.read(4 * index)


async def start(dut: Any, control: int = WE | CLEAR) -> Bench:
    """Reset the design and write its control register."""
    bench = Bench(dut)
    await bench.start()
    await bench.control(control)
    return bench
