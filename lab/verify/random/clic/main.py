# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""What the blocks of random programs for the CLIC emit into, and what they draw alike."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from verify.random.clic import work as clic_work
from verify.random.clic.handlers import Controller
from verify.random.instructions.addresses import Platform
from verify.random.instructions.asm import Asm


@dataclass
class Main:
    """What blocks emit into.

    Attributes:
        rng: draws everything.
        asm: the text.
        work: the part with known results.
        clic: the controller.
        platform: the machine.
    """

    rng: random.Random
    asm: Asm
    work: clic_work.Work
    clic: Controller
    platform: Platform

    def text(self, *lines: str) -> None:
        """Emit lines."""
        self.asm.text(*lines)

    def any_source(self) -> int:
        """A source that may be configured; rather one of a few, so that they meet."""
        first, free = self.clic.first_line, self.clic.free
        few = [number for number in range(first, first + 12) if number in free] or free
        return self.rng.choice(few if self.rng.random() < 0.5 else free)

    def control(self) -> int:
        """A ctl that no reserved source has."""
        rng = self.rng
        return self.clic.ctl(rng.choice((rng.randrange(254), rng.choice((0, 1, 63, 64, 127, 128, 191, 192, 253)))))

    def attributes(self, edge: float = 0.7) -> int:
        """Vectored or not, level or edge, either polarity, and bits that cannot be written."""
        rng = self.rng
        trigger = int(rng.random() < edge) | 2 * int(rng.random() < 0.3)
        return int(rng.random() < 0.5) | trigger << 1 | rng.choice((0, 0, 0xC0, 0x38, rng.randrange(0, 256, 8)))

    def off(self) -> None:
        """Interrupts off."""
        self.text("csrci mstatus, 8")

    def on(self) -> None:
        """Interrupts on."""
        self.text("csrsi mstatus, 8")

    @contextmanager
    def locked(self) -> Iterator[None]:
        """With interrupts off."""
        self.off()
        yield
        self.on()

    def become(self, mpp: int, mpie: bool, level: int) -> None:
        """mret to the next instruction."""
        here = self.asm.label("here")
        cause = mpp << 28 | mpie << 27 | level << 16
        self.text(f"li x5, {cause:#x}", "csrw mcause, x5", f"la x5, {here}", "csrw mepc, x5", "mret")
        self.asm.place(here)

    def nops(self, most: int) -> None:
        """A few."""
        self.text(*["nop"] * self.rng.randint(0, most))
