# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Atomic operations: AMOs, LR and SC with and without success, and those that are refused.

Programs for QEMU 7.2 leave out what it does otherwise: its SC succeeds if the word has the value that the LR read,
whatever has been stored or trapped in between; a misaligned AMO raises cause 4.
"""

from __future__ import annotations

from collections.abc import Callable

from verify.random.instructions.isa import AMOS
from verify.random.programs.blocks.data import alu
from verify.random.programs.context import Context

Point = Callable[[Context, int], None]
"""Lets a register point at a word for atomic operations."""

_ORDERS = ("", "", ".aq", ".rl", ".aqrl")
_HOT = 4


def width(ctx: Context) -> str:
    """Width of an operation: an SC has that of its LR, else it is free to fail."""
    return ctx.rng.choice((".w", ".d")) if ctx.base.wide else ".w"


def order(ctx: Context, size: str = "") -> str:
    """The end of an atomic instruction's name, with the width `size` if it is given."""
    return (size or width(ctx)) + ctx.rng.choice(_ORDERS)


def private(ctx: Context, pointer: int) -> None:
    """A word in any of the hart's memories, most often one of a few."""
    rng = ctx.rng
    region = rng.choice((ctx.platform.scratch[0], *ctx.platform.scratch))
    size = ctx.base.word
    words = _HOT if rng.random() < 0.6 else (region.end - region.base) // size
    ctx.asm.text(f"li x{pointer}, {region.base + size * rng.randrange(words):#x}")


def amo(ctx: Context, pointer: int) -> None:
    """One AMO on the word at a register."""
    ctx.asm.op(ctx.rng.choice(AMOS) + order(ctx), f"x{ctx.rd()}", f"x{ctx.rs()}", f"(x{pointer})")


def amos(ctx: Context, point: Point = private) -> None:
    """AMOs on one word, some back to back, some with operands that have just been computed or loaded."""
    rng = ctx.rng
    pointer = rng.choice(ctx.free())
    point(ctx, pointer)
    with ctx.hold(pointer):
        for _ in range(rng.randint(1, 4)):
            amo(ctx, pointer)
            if rng.random() < 0.3:
                alu(ctx, 1)
            elif rng.random() < 0.2:
                ctx.asm.op("lw", f"x{ctx.rd()}", f"0(x{pointer})")


def _between(ctx: Context, first: int, second: int, size: str) -> None:
    """What comes between an LR and the SC."""
    rng, asm = ctx.rng, ctx.asm
    draw = rng.random()
    if draw < 0.4:
        asm.text(*["nop"] * rng.randint(0, 12))
    elif draw < 0.55:
        alu(ctx, rng.randint(1, 4))
    elif draw < 0.63:
        asm.op("lr" + order(ctx, size), f"x{ctx.rd()}", f"(x{second})")
    elif draw < 0.7:
        asm.op("lw", f"x{ctx.rd()}", f"0(x{second})")
    elif not ctx.is_lockstep:
        asm.op("fence")
    elif draw < 0.82:
        asm.op(rng.choice(("sb", "sh", "sw")), f"x{ctx.rs()}", f"0(x{rng.choice((first, second))})")
    elif draw < 0.9:
        amo(ctx, second)
    else:
        asm.op(rng.choice(("ecall", "ebreak")))


def reservations(ctx: Context, point: Point = private) -> None:
    """LR and SC in all ways: with and without an LR, at another word, twice, with all sorts of things in between."""
    rng, asm = ctx.rng, ctx.asm
    if ctx.is_async and not ctx.is_lockstep:  # an interrupt in between may show
        retried(ctx, point)
        return
    size = width(ctx)
    first, second = ctx.take(2)
    point(ctx, first)
    point(ctx, second)
    with ctx.hold(first, second):
        for _ in range(rng.randint(1, 3)):
            if rng.random() < 0.9:
                asm.op("lr" + order(ctx, size), f"x{ctx.rd()}", f"(x{first})")
            _between(ctx, first, second, size)
            for _ in range(rng.choice((1, 1, 1, 2))):
                target = first if rng.random() < 0.85 else second
                asm.op("sc" + order(ctx, size), f"x{ctx.rd()}", f"x{ctx.rs()}", f"(x{target})")


def retried(ctx: Context, point: Point = private) -> None:
    """LR and SC until it succeeds."""
    asm = ctx.asm
    size = width(ctx)
    pointer, value, result = ctx.take(3)
    point(ctx, pointer)
    again = asm.label("lrsc")
    asm.place(again)
    with ctx.hold(pointer, value, result):
        asm.op("lr" + order(ctx, size), f"x{value}", f"(x{pointer})")
        asm.op("addi", f"x{value}", f"x{value}", ctx.rng.randint(1, 2047))
        asm.op("sc" + order(ctx, size), f"x{result}", f"x{value}", f"(x{pointer})")
        asm.text(f"bnez x{result}, {again}")


def refused(ctx: Context, point: Point = private) -> None:
    """Atomic operations at misaligned addresses, on devices and on nothing."""
    rng, asm, platform = ctx.rng, ctx.asm, ctx.platform
    pointer = rng.choice(ctx.free())
    if rng.random() < 0.4:
        point(ctx, pointer)
        asm.text(f"addi x{pointer}, x{pointer}, {rng.randint(1, 3)}")
    else:
        address = rng.choice((*platform.devices, rng.choice(platform.any_holes).base))
        asm.text(f"li x{pointer}, {address + rng.choice((0, 0, 1, 2)):#x}")
    with ctx.hold(pointer):
        name = rng.choice(("lr", "sc", *AMOS))
        source = [] if name == "lr" else [f"x{ctx.rs()}"]
        asm.op(name + order(ctx), f"x{ctx.rd()}", *source, f"(x{pointer})")
        if rng.random() < 0.5:
            asm.text("nop")  # the harness skips a store behind an instruction that faults
