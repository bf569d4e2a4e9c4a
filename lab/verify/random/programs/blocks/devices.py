# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Accesses to the UART, the clock and the latency measurement at random, for lockstep.

Lockstep knows the value of each register in each cycle, so these accesses come in any order and at any distance. At
their end the program can go on: the divisor latches are hidden, the clock is small, and no block of random data waits
to be read, because no handler would end its interrupt.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from verify.random.instructions.addresses import Platform
from verify.random.programs.blocks.data import alu
from verify.random.programs.blocks.lockstep import interrupts_off, interrupts_on
from verify.random.programs.context import Context

_DLAB, _LOOPBACK, _FIFOS = 0x80, 0x10, 1
_ACK = 4
_WORDS = 16

_UART_READ = ("rbr", "rbr", "rbr", "lsr", "lsr", "lsr", "iir", "iir", "msr", "ier", "lcr", "mcr", "scr")
_CLOCK_READS = ((0, "lw"), (4, "lw"), (0, "lw"), (4, "lw"), (2, "lw"), (1, "lhu"), (7, "lbu"), (3, "lh"))
_BENCH_PARTS = (
    "regs0",
    "regs0",
    "regs1",
    "regs1",
    "random",
    "random",
    "timer",
    "timer",
    "samples0",
    "samples1",
    "stress",
)


@dataclass(frozen=True)
class Emitter:
    """How accesses get into a program.

    Attributes:
        rng: the source.
        platform: the machine.
        text: takes lines.
        pointer: a register for the address.
        value: one for data.
        pause: emits instructions that take some cycles, or none.
    """

    rng: random.Random
    platform: Platform
    text: Callable[..., None]
    pointer: str
    value: str
    pause: Callable[[], None]

    def store(self, offset: int, value: int, op: str = "sw") -> None:
        """Store a value at an offset from the pointer."""
        self.text(f"li {self.value}, {value:#x}", f"{op} {self.value}, {offset}({self.pointer})")

    def load(self, offset: int, op: str = "lw") -> None:
        """Load from there."""
        self.text(f"{op} {self.value}, {offset}({self.pointer})")

    def point(self, address: int) -> None:
        """Set the pointer."""
        self.text(f"li {self.pointer}, {address:#x}")


def uart(to: Emitter) -> None:
    """The UART: bytes sent, in loop-back received, every register read and written."""
    rng = to.rng
    offset = {name: address - to.platform.uart for name, address in to.platform.uart_registers.items()}
    to.point(to.platform.uart)
    if rng.random() < 0.5:
        to.store(offset["mcr"], _LOOPBACK | rng.getrandbits(4), "sb")
    if rng.random() < 0.5:
        control = rng.choice((0, _FIFOS, _FIFOS)) | rng.choice((0, 2, 4, 6)) | rng.getrandbits(2) << 6
        to.store(offset["fcr"], control, "sb")
    for _ in range(rng.randint(2, 12)):
        draw = rng.random()
        if draw < 0.3:
            for _ in range(rng.choice((1, 1, 2, 3, 5, 18))):
                to.store(offset["thr"], rng.getrandbits(8), "sb")
        elif draw < 0.75:
            name = rng.choice(_UART_READ)
            to.load(offset[name], rng.choice(("lb", "lbu")))
        elif draw < 0.8:
            to.load(offset["lcr"], "lhu")  # with mcr, which is in the next word
        elif draw < 0.84:
            to.store(offset["ier"], 0, "sb")
            to.store(offset["lcr"], _DLAB | rng.getrandbits(7), "sb")
            for latch in ("dll", "dlm"):
                to.store(offset[latch], rng.getrandbits(8), "sb")
                to.load(offset[latch], "lbu")
            to.store(offset["lcr"], rng.getrandbits(7), "sb")
        else:
            name, bits = rng.choice((("ier", 4), ("ier", 4), ("mcr", 5), ("lcr", 7), ("scr", 8)))
            to.store(offset[name], rng.getrandbits(bits), "sb")
        to.pause()
    if rng.random() < 0.7:
        to.store(offset["mcr"], 0, "sb")


def clock(to: Emitter) -> None:
    """Both halves of mtime, read and written at any width; interrupts are off, because the timer may run wild."""
    rng = to.rng
    to.point(to.platform.mtime)
    for _ in range(rng.randint(1, 6)):
        draw = rng.random()
        if draw < 0.5:
            to.load(*rng.choice(_CLOCK_READS))
        elif draw < 0.75:
            to.store(0, rng.choice((0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFF8, 0xFFFFFFE0, rng.getrandbits(32))))
        else:
            upper = rng.choice((rng.getrandbits(32), 0xFFFFFFFF))
            to.store(*rng.choice(((4, upper, "sw"), (4, upper, "sw"), (2, 0xFFFF, "sh"), (2, 5, "sw"))))
        to.pause()
    to.store(0, rng.randrange(50_000))  # first, for no carry comes behind it
    to.store(4, 0)


def bench(to: Emitter) -> None:
    """The latency measurement: timers, blocks of random data, what the probes say of them; interrupts are off."""
    rng = to.rng
    parts = to.platform.bench
    timer, data = parts["timer"], parts["random"]
    if rng.random() < 0.7:  # something to measure
        for probe in ("regs0", "regs1"):
            to.point(parts[probe])
            to.store(0x10, rng.choice((0, 31, 32, 33, rng.getrandbits(8))))
            to.store(0, rng.choice((1, 3)))
        to.point(data)
        to.store(0x8, 1)
        to.point(timer)
        to.store(0x4, rng.choice((1, 2, 7, 30, 60, 90, rng.randint(20, 300))))
        to.store(0x0, rng.choice((1, 3, 5, 5, 7)))
    rng.choices((_accesses, _measurements, _expiries), (6, 2, 2))[0](to)
    to.point(timer)
    for channel in range(3):
        to.store(16 * channel, rng.choice((0, 0, 0, 2, 4)))
    to.point(parts["stress"])
    to.store(0, 0)
    to.load(4)
    to.point(data)
    to.store(8, _ACK)


def _accesses(to: Emitter) -> None:
    """To any register, at any time."""
    for _ in range(to.rng.randint(3, 12)):
        _bench_access(to)
        to.pause()


def _measurements(to: Emitter) -> None:
    """Complete latencies of probe 1, each the first behind a clear: a block is made, and read sooner or later."""
    rng, parts = to.rng, to.platform.bench
    for _ in range(2):
        to.point(parts["regs1"])
        to.store(0, 3)
        to.point(parts["random"])
        to.store(8, 1)
        to.point(parts["timer"])
        to.store(4, rng.randint(1, 20))
        to.store(12, 1)
        to.store(0, 3)
        to.point(parts["random"])
        for _ in range(rng.randint(8, 20)):
            to.load(4)
            to.pause()
        for _ in range(_WORDS):
            to.load(0)
        to.point(parts["regs1"])
        for offset in (0, 0x14, 0x18, 0x1C):
            to.load(offset)


def _expiries(to: Emitter) -> None:
    """A timer that expires while its status is cleared and read."""
    rng = to.rng
    to.point(to.platform.bench["timer"])
    channel = 16 * rng.randrange(3)
    to.store(channel + 4, rng.randint(4, 24))
    to.store(channel, rng.choice((1, 1, 5)))
    for _ in range(rng.randint(4, 12)):
        to.store(channel + 12, 1)
        to.load(channel + 12)
        to.pause()


def _bench_access(to: Emitter) -> None:
    rng = to.rng
    part = rng.choice(_BENCH_PARTS)
    to.point(to.platform.bench[part])
    is_store = rng.random() < 0.3
    if part.startswith("samples"):
        to.load(4 * rng.choice((0, 0, 1, 2, rng.randrange(256))))
    elif part == "random" and not is_store:
        for _ in range(rng.choice((1, 1, _WORDS, _WORDS + 1))):
            to.load(rng.choice((0, 0, 0, 0, 0, 0, 0, 4)))
        to.load(rng.choice((4, 12)))
    elif part == "random":
        to.store(*rng.choice(((8, rng.getrandbits(3)), (8, 3), (12, rng.getrandbits(32)), (12, 0))))
    elif part.startswith("regs"):
        offset = rng.choice((0, 0x10, 0x14, 0x18, 0x1C))
        _access(to, offset, rng.choice((1, 3, 3, 2, 0)) if offset == 0 else rng.getrandbits(6), is_store)
    elif part == "timer":
        channel, offset = 16 * rng.randrange(3), rng.choice((0, 4, 8, 12))
        values = {0: rng.getrandbits(3), 4: rng.randint(1, 80), 8: 5, 12: 1}
        _access(to, channel + offset, values[offset], is_store)
    else:
        offset = rng.choice((0, 4, 8, 12))
        _access(to, offset, rng.choice((0, 20, 90)), is_store and offset == 0)


def _access(to: Emitter, offset: int, value: int, is_store: bool) -> None:
    if is_store:
        to.store(offset, value)
    else:
        to.load(offset)


def _emitter(ctx: Context, pointer: int, value: int) -> Emitter:
    def pause() -> None:
        alu(ctx, ctx.rng.choice((0, 0, 0, 1, 3, 20)))

    return Emitter(ctx.rng, ctx.platform, ctx.asm.text, f"x{pointer}", f"x{value}", pause)


def block(what: Callable[[Emitter], None], *, is_masked: bool) -> Callable[[Context], None]:
    """A block of a program that makes accesses; `is_masked`: with interrupts off, so in machine mode."""

    def emit(ctx: Context) -> None:
        if is_masked and ctx.user:
            return
        if is_masked:
            interrupts_off(ctx)
        pointer, value = ctx.take(2)
        with ctx.hold(pointer, value):
            what(_emitter(ctx, pointer, value))
        if is_masked:
            interrupts_on(ctx)

    return emit
