# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""State shared by everything that emits a part of a random program.

Purpose: the random source, the registers that may be written, the privilege mode at the current place (known
statically: programs change it only in straight-line code), and the drawing of operands.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from verify.random.instructions.addresses import Platform, Region
from verify.random.instructions.asm import Asm
from verify.random.instructions.isa import CORNERS, CORNERS_64, Base

CMD_MACHINE = 1
CMD_USER = 2
CMD_SUPERVISOR = 3


@dataclass
class Context:
    """Where the generator is.

    Attributes:
        rng: the only source of randomness.
        asm: the body.
        base: integer base.
        platform: addresses.
        cursor: the harness's register; never written.
        link: the register calls and fetch faults return through.
        c_prob: how likely a compressed instruction is drawn where one fits.
        is_async: interrupts may arrive anywhere; what they change (mepc, mcause, mstatus.MPP and MPIE) must not be
            observed while they are enabled.
        is_lockstep: for two engines in lockstep.
        locked: registers that hold something needed further on.
        recent: the last destinations, preferred as sources so that forwarding paths are exercised.
        hidden: a register whose value differs between machines: not to be read (0 for none).
        user: the program is below machine mode here.
        supervisor: ... namely in supervisor mode.
        translated: ... and its addresses are translated.
        guarded: in supervisor mode, mstatus.TVM is set.
        sum: ... mstatus.SUM may be set.
        timeout_wait: in user mode, mstatus.TW is set.
        repeat: how often the code here is executed (product of the loops around it).
        depth: nesting of structured blocks.
        in_function: inside a function body (no further calls, no traps that need the link register).
        functions: deferred out-of-line code.
        templates: lines of code templates in the data bank.
    """

    rng: random.Random
    asm: Asm
    base: Base
    platform: Platform
    cursor: int
    link: int
    c_prob: float
    is_async: bool
    is_lockstep: bool = False
    locked: set[int] = field(default_factory=set)
    recent: deque[int] = field(default_factory=lambda: deque([1, 2], maxlen=4))
    hidden: int = 0
    user: bool = False
    supervisor: bool = False
    translated: bool = False
    guarded: bool = False
    sum: bool = False
    timeout_wait: bool = False
    repeat: int = 1
    depth: int = 0
    in_function: bool = False
    functions: list[list[str]] = field(default_factory=list)
    templates: list[str] = field(default_factory=list)

    def free(self, low: int = 1, high: int = 31) -> list[int]:
        """Registers in low .. high that may be written."""
        top = min(high, self.base.registers - 1)
        return [n for n in range(low, top + 1) if n != self.cursor and n not in self.locked]

    def rd(self, zero: bool = True) -> int:
        """Draw a destination, now and then x0 if `zero` allows it."""
        if zero and self.rng.random() < 0.04:
            return 0
        number = self.rng.choice(self.free())
        self.recent.append(number)
        return number

    def rs(self, zero: bool = True) -> int:
        """Draw a source, often a recent destination, now and then x0 if `zero` allows it."""
        draw = self.rng.random()
        if zero and draw < 0.06:
            return 0
        number = self.rng.choice(self.recent) if draw < 0.5 else self.rng.randrange(1, self.base.registers)
        return number if number != self.hidden else self.cursor

    def instruction(self, names: Sequence[str]) -> str:
        """Draw a mnemonic; of an absent extension, so that it traps, only now and then where little is repeated."""
        name = self.rng.choice(names)
        if self.base.has(name) or (self.is_lockstep and self.repeat <= 6 and self.rng.random() < 0.05):
            return name
        return self.rng.choice(self.base.known(names))

    def short_source(self) -> int:
        """Draw a source of x8 .. x15."""
        return self.rng.choice([number for number in range(8, 16) if number != self.hidden])

    def compressed(self) -> bool:
        """Decide whether a compressed form is used here."""
        return self.rng.random() < self.c_prob

    def short(self) -> int | None:
        """Draw a writable register of x8 .. x15, if there is one."""
        candidates = self.free(8, 15)
        if not candidates:
            return None
        number = self.rng.choice(candidates)
        self.recent.append(number)
        return number

    @contextmanager
    def hold(self, *numbers: int) -> Iterator[None]:
        """Keep registers from being written within this context."""
        added = set(numbers) - self.locked
        self.locked |= added
        try:
            yield
        finally:
            self.locked -= added

    def take(self, count: int) -> list[int]:
        """Draw distinct writable registers (not yet held)."""
        return self.rng.sample(self.free(), count)

    def value(self) -> int:
        """Draw a register's value that is likely to be a corner case."""
        if self.base.wide and self.rng.random() < 0.6:
            return self._wide_value()
        draw = self.rng.random()
        if draw < 0.5:
            return self.rng.choice(CORNERS)
        if draw < 0.7:
            return 1 << self.rng.randrange(32)
        if draw < 0.8:
            return (0xFFFFFFFF << self.rng.randrange(32)) & 0xFFFFFFFF
        return self.rng.getrandbits(32)

    def _wide_value(self) -> int:
        draw = self.rng.random()
        if draw < 0.5:
            return self.rng.choice(CORNERS_64)
        if draw < 0.6:
            return 1 << self.rng.randrange(64)
        if draw < 0.7:
            return (self.base.mask << self.rng.randrange(64)) & self.base.mask
        return self.rng.getrandbits(64)

    def imm12(self) -> int:
        """Draw a 12-bit signed immediate."""
        if self.rng.random() < 0.5:
            return self.rng.choice((0, 1, -1, 2, -2, 3, 4, 7, 8, 31, 32, -32, 127, 255, 1023, -1024, 2047, -2048))
        return self.rng.randrange(-2048, 2048)

    def hole(self, size: int) -> int:
        """Draw an address at which an access of `size` bytes faults alike on both machines."""
        if self.rng.random() < 0.5:
            region = self.rng.choice(self.platform.any_holes)
            return self.rng.choice((region.base, region.end - size, self.rng.randrange(region.base, region.end - 4)))
        region = self.rng.choice(self.platform.aligned_holes)
        return self.rng.randrange(region.base, region.end - 4) // size * size

    def target(self, region: Region, size: int, low: int, high: int) -> int:
        """Draw an address for an access of `size` bytes within `region` and low .. high."""
        low, high = max(low, region.base), min(high, region.end - size)
        address = self.rng.choice((low, high)) if self.rng.random() < 0.1 else self.rng.randint(low, high)
        if self.rng.random() < 0.65 and address // size * size >= low:
            address = address // size * size
        return address
