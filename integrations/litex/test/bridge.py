# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The bridge from the core's ports to Wishbone, in Migen's simulation; run by test_litex.py where LiteX is."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from litex.soc.interconnect import wishbone
from migen import Cat, Module, Signal, run_simulation
from trapeze_litex.core import RELEASES, Bridge, Port

CYCLES = 3000
REQ, ADDR = 69, 32
"""Bits of a request."""


class Top(Module):  # type: ignore[misc]
    """Three ports and a bus."""

    def __init__(self) -> None:
        """Connect them."""
        self.bus = wishbone.Interface(data_width=32, address_width=32, addressing="word")
        self.ports = [Port() for _ in range(3)]
        self.submodules += self.ports
        self.taken, self.answered = Signal(3), Signal(3)
        self.comb += self.taken.eq(Cat(*(port.taken for port in self.ports)))
        self.comb += self.answered.eq(Cat(*(port.answered for port in self.ports)))
        self.submodules.bridge = Bridge([(port, port.req) for port in self.ports], self.bus)


def watch(top: Top, eagerness: list[float], seed: int) -> Iterator[Any]:
    """Requests as eager as named, acknowledges at random; each cycle is checked. What a port asks for is a random word.

    What is driven is there from the next edge on, so in each round outputs belong to the inputs of the round before.
    """
    chance = random.Random(seed)  # no secrets
    wanted: list[int | None] = [None] * 3
    acknowledge, due, held, row, served = 0, None, None, 0, 0
    for _ in range(CYCLES):
        assert (yield top.answered) == (0 if due is None else 1 << due), "an answer comes behind its grant"
        due = None
        taken = yield top.taken
        if (yield top.bus.cyc):
            owner = wanted.index((yield top.bus.adr))
            assert (yield top.bus.stb)
            assert row < RELEASES, "the bus is never released"
            assert held in (None, owner), "an access changed before its acknowledge"
            assert held == owner or all(word is None for word in wanted[:owner]), "a more important port waits"
            assert taken == acknowledge << owner, "a grant is an acknowledge"
            held = owner
            if acknowledge:
                wanted[owner], due, held = None, owner, None
                row += 1
                served += 1
        else:
            assert held is None, "an access was given up"
            assert row == RELEASES or wanted == [None] * 3, "the bus is free, and somebody waits"
            assert taken == 0
            row = 0
        for number, port in enumerate(top.ports):
            if wanted[number] is None and chance.random() < eagerness[number]:
                wanted[number] = chance.randrange(1 << 30)
            word = wanted[number]
            yield port.request.eq(0 if word is None else (1 << REQ) | (word << (ADDR + 2)))
        acknowledge = int(chance.random() < 0.5)
        yield top.bus.ack.eq(acknowledge)
        yield
    assert served > CYCLES // 5, served


if __name__ == "__main__":
    for seed, eagerness in enumerate(([1, 0, 0], [0, 0, 1], [0.1, 0.2, 1], [0.4, 0.4, 0.4], [1, 1, 1])):
        top = Top()
        run_simulation(top, watch(top, eagerness, seed))
    print("right")
