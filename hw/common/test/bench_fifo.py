# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""cocotb bench of tz_fifo: random traffic against a queue."""

from __future__ import annotations

import random
from collections import deque
from typing import Any

import cocotb
from cocotb.triggers import FallingEdge, RisingEdge
from obi import reset


@cocotb.test()
async def random_traffic(dut: Any) -> None:
    """Order, full, empty, clear and count match a queue, at low and high rates on either side."""
    rng = random.Random(1)
    for signal in (dut.clear_i, dut.valid_i, dut.data_i, dut.ready_i):
        signal.value = 0
    await reset(dut)
    depth = 1 << (len(dut.count_o) - 1)
    queue: deque[int] = deque()
    seen_full = seen_empty = 0
    for cycle in range(6000):
        push_rate, pop_rate = ((0.9, 0.3), (0.3, 0.9), (0.5, 0.5))[cycle // 500 % 3]
        push, pop, clear = rng.random() < push_rate, rng.random() < pop_rate, rng.random() < 0.01
        word = rng.randrange(256)
        dut.valid_i.value, dut.data_i.value, dut.ready_i.value, dut.clear_i.value = push, word, pop, clear
        await FallingEdge(dut.clk_i)
        assert int(dut.count_o.value) == len(queue)
        assert int(dut.ready_o.value) == (len(queue) < depth)
        assert int(dut.valid_o.value) == bool(queue)
        full = len(queue) == depth
        seen_full += full
        seen_empty += not queue
        if queue:
            assert int(dut.data_o.value) == queue[0]
            if pop:
                queue.popleft()
        if push and not full:
            queue.append(word)
        if clear:
            queue.clear()
        await RisingEdge(dut.clk_i)
    assert seen_full > 100
    assert seen_empty > 100
