# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""AXI4-Lite in benches: a manager of cocotbext-axi that can stall, and a view of what happens on a port in a cycle."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from cocotbext.axi import AxiLiteBus, AxiLiteMaster

OKAY, SLVERR, DECERR = 0, 2, 3


@dataclass(frozen=True)
class Answer:
    """Response to a word access."""

    data: int
    resp: int


class Manager:
    """An AXI4-Lite manager on the signals `<name>_awaddr` and so on."""

    def __init__(self, dut: Any, name: str, clock: Any, reset: Any) -> None:
        self.axi = AxiLiteMaster(AxiLiteBus.from_prefix(dut, name), clock, reset, reset_active_level=False)
        write, read = self.axi.write_if, self.axi.read_if
        self._channels = (write.aw_channel, write.w_channel, write.b_channel, read.ar_channel, read.r_channel)

    def stall(self, rng: random.Random, rate: float) -> None:
        """Stall each channel in a share of the cycles, independently; `rate` 0 ends that."""
        for channel in self._channels:
            if rate == 0:
                channel.clear_pause_generator()
                channel.pause = False
            else:
                channel.set_pause_generator(_coin(random.Random(rng.getrandbits(32)), rate))

    async def read(self, address: int) -> int:
        """Read a word; an error fails the test."""
        answer = await self.read_answer(address)
        assert answer.resp == OKAY, f"response {answer.resp} at {address:#x}"
        return answer.data

    async def read_answer(self, address: int) -> Answer:
        """Read a word, whatever the response is."""
        got = await self.axi.read(address, 4)
        return Answer(int.from_bytes(got.data, "little"), int(got.resp))

    async def write(self, address: int, data: int) -> None:
        """Write a word; an error fails the test."""
        resp = await self.write_answer(address, data)
        assert resp == OKAY, f"response {resp} at {address:#x}"

    async def write_answer(self, address: int, data: int) -> int:
        """Write a word and return the response, whatever it is."""
        return int((await self.axi.write(address, data.to_bytes(4, "little"))).resp)


def _coin(rng: random.Random, rate: float) -> Iterator[bool]:
    while True:
        yield rng.random() < rate


class View:
    """What happens on a port in the present cycle; sample it at the falling edge."""

    def __init__(self, dut: Any, name: str) -> None:
        self._signals = {
            signal: getattr(dut, f"{name}_{signal}")
            for signal in (
                *("awvalid", "awready", "awaddr", "wvalid", "wready", "wdata", "arvalid", "arready", "araddr"),
                *("rvalid", "rready", "rdata"),
            )
        }

    def _on(self, *names: str) -> bool:
        return all(int(self._signals[name].value) for name in names)

    @property
    def written(self) -> tuple[int, int] | None:
        """Address and data of the write that is accepted; both are accepted together."""
        if not self._on("awvalid", "awready"):
            return None
        assert self._on("wvalid", "wready")
        return int(self._signals["awaddr"].value), int(self._signals["wdata"].value)

    @property
    def asked(self) -> int | None:
        """Address of the read that is accepted."""
        return int(self._signals["araddr"].value) if self._on("arvalid", "arready") else None

    @property
    def answered(self) -> int | None:
        """Data of the response that is taken."""
        return int(self._signals["rdata"].value) if self._on("rvalid", "rready") else None
