# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""What blocks and handlers of several harts emit into, and the accesses that both make."""

from __future__ import annotations

from dataclasses import dataclass

from verify.random.clic.work import Work
from verify.random.harts import layout
from verify.random.harts.layout import NUMBER, OWN, SCRAMBLED, SHARED, Check, Counter, Shape
from verify.random.instructions.isa import LOADS, STORES
from verify.random.programs.blocks import atomic
from verify.random.programs.blocks.data import alu
from verify.random.programs.context import Context

_OWN = 0.3
"""Share of the atomic operations that go to banks of the hart's own."""


@dataclass
class Kit:
    """What code of one hart is emitted into.

    Attributes:
        ctx: registers and text; interrupt handlers have a context of their own.
        work: what the hart computes beside; None in handlers.
        shape: the platform.
    """

    ctx: Context
    work: Work | None
    shape: Shape

    def text(self, *lines: str) -> None:
        """Emit lines."""
        self.ctx.asm.text(*lines)

    def take(self, count: int) -> list[str]:
        """Names of different registers to be written."""
        return [f"x{number}" for number in self.ctx.take(count)]

    def word(self) -> int:
        """The offset of a word that all harts use."""
        rng = self.ctx.rng
        return layout.ARENA + 4 * rng.randrange(layout.HOT_WORDS if rng.random() < 0.6 else layout.ARENA_WORDS)

    def point(self, ctx: Context, number: int) -> None:
        """Let a register point at a word that all harts use: always the same, or another one each time."""
        rng, pointer = ctx.rng, f"x{number}"
        if self.work is None or rng.random() < 0.6:
            self.text(f"addi {pointer}, {SHARED}, {self.word()}")
        else:
            mask = 4 * rng.choice((layout.HOT_WORDS - 1, layout.ARENA_WORDS - 1))
            self.text(f"andi {pointer}, {SCRAMBLED}, {mask}", f"add {pointer}, {pointer}, {SHARED}")

    def point_anywhere(self, ctx: Context, number: int) -> None:
        """Let a register point at such a word, or at a word of the hart's own banks, which no other hart accesses."""
        if ctx.rng.random() < _OWN:
            atomic.private(ctx, number)
        else:
            self.point(ctx, number)

    def fail(self, check: int) -> None:
        """End the run."""
        code = (layout.FAILURE + check) << 16 | 0x3333
        self.text(f"li x5, {self.ctx.platform.finisher:#x}", f"li x6, {code:#x}", "sw x6, 0(x5)", "j .")

    def require(self, first: str, second: str, check: Check) -> None:
        """Two registers are equal."""
        good = self.ctx.asm.label("good")
        self.text(f"beq {first}, {second}, {good}")
        self.fail(check)
        self.ctx.asm.place(good)

    def count(self, which: Counter, value: str, temp: str) -> None:
        """Add a register to the hart's own counter: at once, as handlers come between."""
        if self.work is None:
            self.text(f"addi {temp}, {OWN}, {4 * which}", f"amoadd{atomic.order(self.ctx)} x0, {value}, ({temp})")
        else:
            place = f"{4 * which}({OWN})"
            self.text(f"lw {temp}, {place}", f"add {temp}, {temp}, {value}", f"sw {temp}, {place}")


def races(kit: Kit) -> None:
    """Loads and stores of all sizes in words that all harts use."""
    ctx, rng = kit.ctx, kit.ctx.rng
    for _ in range(rng.randint(1, 6)):
        name = rng.choice((*LOADS, *STORES, "lw", "sw", "sw"))
        size = (LOADS | STORES)[name]
        place = rng.randrange(4 - size + 1)  # within a word: an access in two words may have another hart's in between
        if rng.random() < 0.3:
            pointer = ctx.rng.choice(ctx.free())
            kit.point(ctx, pointer)
            with ctx.hold(pointer):
                register = ctx.rd() if name in LOADS else ctx.rs()
                ctx.asm.op(name, f"x{register}", f"{place}(x{pointer})")
        else:
            register = ctx.rd() if name in LOADS else ctx.rs()
            ctx.asm.op(name, f"x{register}", f"{kit.word() + place}({SHARED})")
        if rng.random() < 0.3:
            alu(ctx, 1)
        if rng.random() < 0.1:
            ctx.asm.op(rng.choice(("fence", "fence.i", "fence rw, w", "fence r, rw", "fence.tso")))


def amos(kit: Kit) -> None:
    """AMOs on words that all harts use, some on words of the hart's own banks."""
    atomic.amos(kit.ctx, kit.point_anywhere)


def reservations(kit: Kit) -> None:
    """LR and SC of that word, or of two different words."""
    atomic.reservations(kit.ctx, kit.point_anywhere)


def refused(kit: Kit) -> None:
    """Atomic operations at misaligned addresses, on devices and on nothing."""
    atomic.refused(kit.ctx, kit.point)


def increment(kit: Kit, which: Counter) -> None:
    """Count something by an AMO, or by LR and SC."""
    rng = kit.ctx.rng
    pointer, value, temp = kit.take(3)
    kit.text(f"addi {pointer}, {SHARED}, {layout.counter(which)}", f"li {value}, {rng.randint(1, 9)}")
    if which in (Counter.AMO, Counter.HANDLED):
        kit.text(f"amoadd{atomic.order(kit.ctx)} {rng.choice(('x0', temp))}, {value}, ({pointer})")
    else:
        again = kit.ctx.asm.label("again")
        kit.ctx.asm.place(again)
        kit.text(f"lr{atomic.order(kit.ctx)} {temp}, ({pointer})", f"add {temp}, {temp}, {value}")
        kit.text(*["nop"] * rng.randint(0, 3))
        kit.text(f"sc{atomic.order(kit.ctx)} {temp}, {temp}, ({pointer})")
        if kit.work is None:
            kit.text(f"bnez {temp}, {again}")
        else:
            done = kit.ctx.asm.label("done")
            kit.text(f"beqz {temp}, {done}", f"lw {temp}, {layout.RETRIES}({OWN})", f"addi {temp}, {temp}, 1")
            kit.text(f"sw {temp}, {layout.RETRIES}({OWN})", f"j {again}")
            kit.ctx.asm.place(done)
    kit.count(which, value, temp)


def software(kit: Kit) -> None:
    """Raise a software interrupt, most often of another hart, or look at it."""
    rng = kit.ctx.rng
    pointer, value = kit.take(2)
    kit.text(f"mv {pointer}, {NUMBER}" if rng.random() < 0.2 else f"xori {pointer}, {NUMBER}, 1")
    kit.text(f"li {value}, {kit.ctx.platform.msip:#x}", f"sh2add {pointer}, {pointer}, {value}")
    if rng.random() < 0.2:
        kit.text(f"lw {value}, 0({pointer})")
    else:
        kit.text(f"li {value}, {rng.choice((1, 1, 1, 3, 0xFFFFFFFF)):#x}")
        kit.text(f"{rng.choice(('sw', 'sw', 'sh', 'sb'))} {value}, 0({pointer})")


def timer(kit: Kit) -> None:
    """Let this hart's timer fire soon."""
    rng, platform = kit.ctx.rng, kit.ctx.platform
    pointer, value = kit.take(2)
    kit.text(f"li {pointer}, {platform.mtime:#x}", f"lw {value}, 0({pointer})")
    kit.text(f"addi {value}, {value}, {rng.choice((0, 1, 10, 40, 80, rng.randint(5, 400), rng.randint(400, 2000)))}")
    kit.text(f"li {pointer}, {platform.mtimecmp:#x}", f"sh3add {pointer}, {NUMBER}, {pointer}")
    kit.text(f"sw {value}, 0({pointer})", f"sw x0, 4({pointer})")
