# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""cocotb bench of tz_memory_port: data, the longest wait, and its turns beside those of the simulator's model."""

from __future__ import annotations

import ctypes
import os
import random
from typing import Any

import cocotb
from cocotb.triggers import FallingEdge, RisingEdge
from obi import ObiPort, reset

TURN = int(os.environ.get("TURN", "1"))
BEATS = 8
DOUBLES = 128
"""8 bytes each, of the memory."""

NOBODY, LINE, WORD = range(3)


class Traffic:
    """Transfers and accesses at random, cycle by cycle; what they read is compared with a copy of the memory."""

    def __init__(self, dut: Any, seed: int) -> None:
        self.dut, self.port, self.rng = dut, ObiPort(dut), random.Random(seed)
        self.copy = [0] * DOUBLES
        self.line: tuple[bool, int, int] | None = None  # write, first double word, number of beats
        self.word: tuple[bool, int, int] | None = None  # write, number of the word, data
        self.beat = self.data = self.waited = self.longest = 0
        self.due: list[tuple[int, int]] = []

    async def cycle(self, line_rate: float, word_rate: float, grant_rate: float) -> tuple[bool, bool, bool, int]:
        """One cycle; whether a transfer asks, for its last beat, whether the tile asks, and who is granted."""
        dut, rng = self.dut, self.rng
        if self.line is None and rng.random() < line_rate:
            beats = rng.choice((BEATS, BEATS, 1))
            self.line, self.beat = (rng.random() < 0.5, rng.randrange(DOUBLES // beats) * beats, beats), 0
            self.data = rng.getrandbits(64)
        if self.word is None and rng.random() < word_rate:
            self.word, self.waited = (rng.random() < 0.5, rng.randrange(2 * DOUBLES), rng.getrandbits(32)), 0
        dut.slow_gnt_i.value = int(rng.random() < grant_rate)
        dut.line_req_i.value = int(self.line is not None)
        write, first, beats = self.line or (False, 0, 1)
        dut.line_we_i.value, dut.line_addr_i.value, dut.line_beats_i.value = int(write), 8 * first, beats - 1
        dut.line_wdata_i.value = self.data
        if self.word is None:
            self.port.idle()
        else:
            self.port.ask(4 * self.word[1], write=self.word[0], data=self.word[2])
        await FallingEdge(dut.clk_i)
        self._answers()
        asks = self.line is not None, self.line is not None and self.beat == beats - 1, self.word is not None
        granted = NOBODY
        if dut.line_gnt_o.value:
            granted = LINE
            assert bool(dut.line_last_o.value) == asks[1]
            self._serve_line(write, first + self.beat)
        if self.word is not None and self.port.granted:
            assert granted == NOBODY
            granted = WORD
            self._serve_word(*self.word)
        elif self.word is not None:
            self.waited += 1
            self.longest = max(self.longest, self.waited)
        await RisingEdge(dut.clk_i)
        return *asks, granted

    def _answers(self) -> None:
        """What was granted in the last cycle is answered in this one."""
        kind, value = self.due.pop() if self.due else (NOBODY, -1)
        assert bool(self.dut.line_rvalid_o.value) == (kind == LINE)
        assert self.port.answered == (kind == WORD)
        if value >= 0:
            assert value == (int(self.dut.line_rdata_o.value) if kind == LINE else self.port.data)

    def _serve_line(self, write: bool, place: int) -> None:
        self.due.append((LINE, -1 if write else self.copy[place]))
        if write:
            self.copy[place] = self.data
        self.beat += 1
        self.data = self.rng.getrandbits(64)
        if self.line is not None and self.beat == self.line[2]:
            self.line = None

    def _serve_word(self, write: bool, number: int, data: int) -> None:
        old, shift = self.copy[number // 2], 32 * (number % 2)
        self.due.append((WORD, -1 if write else old >> shift & 0xFFFFFFFF))
        if write:
            self.copy[number // 2] = old & ~(0xFFFFFFFF << shift) | data << shift
        self.word = None


async def start(dut: Any, seed: int) -> Traffic:
    """Reset the design, and fill its memory with zeros."""
    traffic = Traffic(dut, seed)
    dut.line_req_i.value = 0
    for index in range(DOUBLES):
        dut.mem[index].value = 0
    await reset(dut)
    return traffic


@cocotb.test()
async def data_with_a_slow_memory(dut: Any) -> None:
    """Check what is read, with a memory that often refuses."""
    traffic = await start(dut, 1)
    for rates in ((1, 1, 1), (0.1, 0.5, 0.5), (1, 0.2, 0.7)):
        for _ in range(800):
            await traffic.cycle(*rates)


@cocotb.test()
async def turns_of_the_model(dut: Any) -> None:
    """Check that each cycle goes to whom the simulator's model gives it, and that the longest wait is the bound."""
    model = ctypes.CDLL(os.environ["TURNS_LIBRARY"])
    model.turns_reset(TURN)
    traffic = await start(dut, 2)
    for rates in ((1, 1, 1), (0.1, 0.1, 1), (1, 0.1, 1), (0.05, 1, 1), (0.3, 0.3, 1)):
        for _ in range(1000):
            line, last, word, granted = await traffic.cycle(*rates)
            assert model.turns_cycle(line, last, word) == granted
    assert traffic.longest == (min(TURN, BEATS) or BEATS)
