# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Common parts of the benches of tz_clic: the design beside the reference model, and random accesses."""

from __future__ import annotations

import os
import random
from typing import Any

from clic_model import CONFIG, SOURCES, USER_VIEW, Access, Clic, Offer
from cocotb.triggers import FallingEdge, RisingEdge
from obi import MACHINE, ObiPort, reset

COUNT = int(os.environ["NUM_SOURCES"])
CTL_BITS = int(os.environ["CTL_BITS"])
PIPELINED = bool(int(os.environ["TREE_PIPELINE"]))
USER = bool(int(os.environ["USER_IRQ"]))
LATENCY = 1 + PIPELINED
"""Cycles from the sample of a wire to the offer."""
CYCLES = int(os.environ["CYCLES"])
IE, SHV, EDGE, NEGATIVE, MACHINE_ATTR = 1 << 8, 1 << 16, 1 << 17, 1 << 18, 3 << 22
MODES = 1 << 4
"""Value of mcliccfg with nmbits = 1."""


class Bench:
    """The design and the model, side by side."""

    def __init__(self, dut: Any) -> None:
        self.dut = dut
        self.model = Clic(COUNT, CTL_BITS, PIPELINED, USER)
        self.wires = 0
        self.expect_read: int | None = None
        self.answer = False
        self.waiting: Access | None = None
        self.dut.irq_i.value = 0
        self.dut.claim_valid_i.value = 0
        self.dut.claim_clear_i.value = 0
        self.port = ObiPort(dut)

    @property
    def offer(self) -> Offer | None:
        """The model's offer of this cycle."""
        return self.model.offer()

    async def cycle(self, claim: bool = False, clear: bool = False, access: Access | None = None) -> Offer | None:
        """Run one cycle, compare offer and bus response, and return what was offered in it.

        An access that is not granted is repeated in the next cycle, instead of the access that was meant for that
        cycle.
        """
        dut, port = self.dut, self.port
        access = self.waiting or access
        offer = self.model.offer()
        dut.irq_i.value = self.wires
        dut.claim_valid_i.value = int(claim)
        dut.claim_clear_i.value = int(clear)
        port.idle()
        if access is not None:
            port.ask(access.offset, write=access.data is not None, be=access.enables, data=access.data or 0)
        await FallingEdge(dut.clk_i)
        assert bool(int(dut.offer_valid_o.value)) == (offer is not None), f"expected {offer}"
        if offer is not None:
            shown = Offer(
                int(dut.offer_id_o.value),
                int(dut.offer_level_o.value),
                bool(int(dut.offer_shv_o.value)),
                int(dut.offer_prv_o.value) != MACHINE,
            )
            assert shown == offer
        granted = self.model.grants(access)
        assert port.granted == granted or access is None
        assert port.answered == self.answer
        if self.answer:
            assert not port.error
            assert self.expect_read is None or port.data == self.expect_read
        self.waiting, access = (None, access) if granted else (access, None)
        self.answer = access is not None
        self.expect_read = self.model.read(access.offset) if access is not None and access.data is None else None
        self.model.step(self.wires, claim, clear, access)
        await RisingEdge(dut.clk_i)
        return offer

    async def idle(self, cycles: int) -> None:
        """Let some cycles pass."""
        for _ in range(cycles):
            await self.cycle()

    async def configure(self, source: int, *flags: int, ctl: int = 255) -> None:
        """Write the whole word of a source."""
        await self.write(Access(SOURCES + 4 * source, data=sum(flags) | ctl << 24))

    async def write(self, access: Access) -> None:
        """Write, and wait until the next access is granted at once."""
        await self.cycle(access=access)
        while self.waiting or (PIPELINED and self.model.writing):
            await self.cycle()

    async def read(self, offset: int) -> int:
        """Read a word; the comparison with the model is done by `cycle`."""
        await self.cycle(access=Access(offset))
        while self.waiting:
            await self.cycle()
        await self.cycle()
        return self.model.read(offset)


async def start(dut: Any) -> Bench:
    """Reset the design with quiet inputs."""
    bench = Bench(dut)
    await reset(dut)
    return bench


def random_access(rng: random.Random, used: list[int]) -> Access:
    """A random read or write, with any byte enables, mostly of sources that are in use."""
    where = rng.random()
    if where < 0.06:
        offset = CONFIG
    elif where < 0.1:
        offset = 4 * rng.randrange(0x2000)
    else:
        offset = SOURCES + 4 * rng.choice(used)
    if USER and rng.random() < 0.3:
        offset |= USER_VIEW
    enables = rng.choice((1, 2, 4, 8, 3, 12, 15, 15, rng.randrange(1, 16)))
    if rng.random() < 0.3:
        return Access(offset, enables)
    data = rng.getrandbits(32)
    if rng.random() < 0.5:
        data |= IE
    if rng.random() < 0.3:
        data = data & 0xFFFFFF | rng.choice((0, 0, 1, 127, 128, 255)) << 24
    if offset & ~USER_VIEW == CONFIG and rng.random() < 0.5:
        data = data & ~(15 << 24 | 15) | 8 << 24 | 8
    if offset == CONFIG and rng.random() < 0.7:
        data |= MODES
    return Access(offset, enables, data)
