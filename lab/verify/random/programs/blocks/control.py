# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Control flow of a random program: branches, bounded loops, jump chains, calls.

Wrong paths hold instructions that would show if they were executed: illegal words, stores, writes to registers.
"""

from __future__ import annotations

from collections.abc import Callable

from verify.random.instructions.addresses import Region
from verify.random.instructions.isa import BRANCHES
from verify.random.programs.blocks.data import alu, memory
from verify.random.programs.context import Context

Body = Callable[[Context], None]


def _condition(ctx: Context, target: str) -> None:
    """A conditional branch whose outcome the generator does not know."""
    short = ctx.rng.randrange(8, 16)
    if ctx.compressed():
        ctx.asm.op(ctx.rng.choice(("c.beqz", "c.bnez")), f"x{short}", target)
        return
    first, second = ctx.rs(), ctx.rs()
    if ctx.rng.random() < 0.15:
        second = first
    ctx.asm.op(ctx.rng.choice(BRANCHES), f"x{first}", f"x{second}", target)


def _poison(ctx: Context) -> None:
    """Something that must not be executed."""
    draw = ctx.rng.random()
    if draw < 0.3:
        ctx.asm.half(0)
    elif draw < 0.5:
        ctx.asm.word(ctx.rng.getrandbits(25) << 7 | 0x7F)
    elif draw < 0.6:
        ctx.asm.text("ebreak")
    elif draw < 0.7:
        ctx.asm.text(f"sw x0, {4 * ctx.rng.randrange(8)}(x{ctx.cursor})")
    else:
        with ctx.asm.unsure():
            alu(ctx, 1)


def branch(ctx: Context) -> None:
    """A forward branch over a few instructions, after something it depends on."""
    asm, rng = ctx.asm, ctx.rng
    over = asm.label()
    alu(ctx, rng.randint(0, 2))
    _condition(ctx, over)
    with asm.unsure():
        for _ in range(rng.randint(1, 4)):
            if rng.random() < 0.2:
                memory(ctx)
            elif rng.random() < 0.15:
                _condition(ctx, over)
            else:
                alu(ctx, 1)
    asm.place(over)


def skip(ctx: Context) -> None:
    """An unconditional jump or an always-taken branch over what would show if executed."""
    asm, rng = ctx.asm, ctx.rng
    over = asm.label()
    draw = rng.random()
    if draw < 0.2:
        asm.op(rng.choice(("beq", "bge", "bgeu")), *[f"x{ctx.rs()}"] * 2, over)
    elif draw < 0.6:
        asm.op("jal", f"x{ctx.rd()}", over)
    elif draw < 0.8 or ctx.link != 1 or 1 in ctx.locked:
        asm.op("c.j", over)
    elif ctx.base.wide:
        asm.op("jal", "x1", over)
    else:
        asm.op("c.jal", over)
    for _ in range(rng.randint(1, 3)):
        _poison(ctx)
    asm.place(over)


def never(ctx: Context) -> None:
    """A branch that is never taken, to a place that would show."""
    bad, good = ctx.asm.label(), ctx.asm.label()
    register = ctx.rs()
    ctx.asm.op(ctx.rng.choice(("bne", "blt", "bltu")), f"x{register}", f"x{register}", bad)
    alu(ctx, 1)
    ctx.asm.op("jal", "x0", good)
    ctx.asm.place(bad)
    _poison(ctx)
    ctx.asm.place(good)


def loop(ctx: Context, body: Body) -> None:
    """A counted backward loop around other blocks."""
    asm, rng = ctx.asm, ctx.rng
    if len(ctx.free()) < 9:
        return
    count = rng.randint(2, max(2, min(60, 600 // ctx.repeat)))
    counter = rng.choice(ctx.free(8, 15) or ctx.free())
    asm.text(f"li x{counter}, {count}")
    again = asm.label("loop")
    asm.place(again)
    ctx.repeat *= count
    ctx.depth += 1
    with ctx.hold(counter):
        for _ in range(rng.randint(1, 3)):
            body(ctx)
    ctx.depth -= 1
    ctx.repeat //= count
    # Bodies can be longer than a branch reaches: the assembler would rewrite it, so jump back over it.
    done = asm.label()
    if 8 <= counter <= 15 and ctx.compressed():
        asm.op("c.addi", f"x{counter}", -1)
        asm.op("c.beqz", f"x{counter}", done)
    else:
        asm.op("addi", f"x{counter}", f"x{counter}", -1)
        asm.op("beq", f"x{counter}", "x0", done)
    asm.op("jal", "x0", again)
    asm.place(done)


def tight_loop(ctx: Context) -> None:
    """A loop of a few instructions closed by a backward branch."""
    asm, rng = ctx.asm, ctx.rng
    counter, limit = ctx.take(2)
    name, setup, limit_value = rng.choice(
        (
            ("bne", 0, rng.randint(1, 20)),
            ("blt", -rng.randint(1, 20), rng.randint(1, 10)),
            ("bltu", 0, rng.randint(1, 20)),
            ("bge", -30, -30 + 9),
            ("bgeu", 1, 12),
        )
    )
    down = name in ("bge", "bgeu")
    start, end = (limit_value, setup) if down else (setup, limit_value)
    asm.text(f"li x{counter}, {start}", f"li x{limit}, {end}")
    again = asm.label("tight")
    asm.place(again)
    ctx.repeat *= 30
    with ctx.hold(counter, limit):
        alu(ctx, rng.randint(1, 4))
    ctx.repeat //= 30
    asm.op("addi", f"x{counter}", f"x{counter}", -1 if down else 1)
    asm.op(name, f"x{counter}", f"x{limit}", again)


def chain(ctx: Context) -> None:
    """Pieces of code in shuffled order, linked by jumps of every kind in both directions."""
    asm, rng = ctx.asm, ctx.rng
    pieces = [asm.label("piece") for _ in range(rng.randint(2, 5))]
    done = asm.label("done")
    order = list(range(len(pieces)))
    rng.shuffle(order)
    _jump(ctx, pieces[0])
    for index in order:
        _poison(ctx)
        asm.place(pieces[index])
        alu(ctx, rng.randint(0, 3))
        _jump(ctx, pieces[index + 1] if index + 1 < len(pieces) else done)
    _poison(ctx)
    asm.place(done)


def _jump(ctx: Context, target: str) -> None:
    """Go to `target` by jal, c.j, a register jump (with an offset and an odd address), or a branch."""
    asm, rng = ctx.asm, ctx.rng
    draw = rng.random()
    if draw < 0.25:
        asm.op("jal", f"x{ctx.rd()}", target)
    elif draw < 0.4:
        asm.op("c.j", target)
    elif draw < 0.5:
        asm.op("beq", "x0", "x0", target)
    else:
        register = rng.choice(ctx.free())
        offset = 0 if rng.random() < 0.4 else ctx.imm12()
        odd = rng.random() < 0.3  # jalr clears bit 0 of the sum
        asm.text(f"la x{register}, {target} - ({offset}) + {int(odd)}")
        if offset == 0 and ctx.compressed():
            if rng.random() < 0.5 and 1 in ctx.free() and register != 1:
                asm.op("c.jalr", f"x{register}")
            else:
                asm.op("c.jr", f"x{register}")
        else:
            with ctx.hold(*(() if rng.random() < 0.3 else (register,))):
                rd = ctx.rd()
            asm.op("jalr", f"x{rd}", f"{offset}(x{register})")


def half_word_target(ctx: Context) -> None:
    """For cores without C: jumps, and branches if they are taken, to half-word addresses trap and write no link."""
    rng, asm = ctx.rng, ctx.asm
    for _ in range(rng.randint(1, 3)):
        offset = rng.choice((2, 6, -2, -6, 4 * rng.randrange(-400, 400) + 2))
        draw = rng.random()
        if draw < 0.3:
            upper = (
                (offset >> 20 & 1) << 19 | (offset >> 1 & 0x3FF) << 9 | (offset >> 11 & 1) << 8 | offset >> 12 & 0xFF
            )
            asm.word(upper << 12 | ctx.rd() << 7 | 0x6F)
        elif draw < 0.7:
            high, low = (offset >> 12 & 1) << 6 | offset >> 5 & 0x3F, offset & 0x1E | offset >> 11 & 1
            funct3, first, second = rng.choice((0, 1, 4, 5, 6, 7)), ctx.rs(), ctx.rs()
            asm.word(high << 25 | second << 20 | first << 15 | funct3 << 12 | low << 7 | 0x63)
        else:
            register, here = rng.choice(ctx.free()), asm.label("half")
            asm.text(f"la x{register}, {here} + {rng.choice((2, 3, offset))}")
            asm.place(here)
            asm.op("jalr", f"x{ctx.rd()}", f"0(x{register})")


def call(ctx: Context, body: Body) -> None:
    """Call an out-of-line function, a leaf or one with a stack frame."""
    asm, rng = ctx.asm, ctx.rng
    if ctx.in_function or ctx.link in ctx.locked or len(ctx.free()) < 10:
        return
    name = asm.label("func")
    draw = rng.random()
    temp = rng.choice([number for number in ctx.free() if number != ctx.link])
    framed = rng.random() < 0.5 and 2 in ctx.free() and ctx.link != 2
    if framed:
        frames: Region = ctx.platform.frames
        asm.text(f"li sp, {rng.randrange(frames.base + 64, frames.end, 16):#x}")
        temp = rng.choice([number for number in ctx.free() if number not in (ctx.link, 2)])
    if draw < 0.4:
        asm.op("jal", f"x{ctx.link}", name)
    else:
        asm.text(f"la x{temp}, {name}")
        if ctx.link == 1 and ctx.compressed():
            asm.op("c.jalr", f"x{temp}")
        else:
            asm.op("jalr", f"x{ctx.link}", f"0(x{temp})")
    _function(ctx, name, framed, body)


def _function(ctx: Context, name: str, framed: bool, body: Body) -> None:
    """Emit the function into the list of deferred code."""
    outer = ctx.asm
    asm = ctx.asm = outer.child()
    ctx.in_function = True
    try:
        asm.place(name)
        if framed:
            asm.op("addi", "sp", "sp", -32)
            width, place = ("d", "24(sp)") if ctx.base.wide else ("w", "28(sp)")
            asm.op(f"c.s{width}sp" if ctx.compressed() else f"s{width}", f"x{ctx.link}", place)
            with ctx.hold(2):
                alu(ctx, ctx.rng.randint(0, 2))
                asm.op("sw", f"x{ctx.rs()}", "16(sp)" if ctx.base.wide else "24(sp)")
            with ctx.hold(2):
                body(ctx)
            asm.op(f"c.l{width}sp" if ctx.compressed() else f"l{width}", f"x{ctx.link}", place)
            asm.op("addi", "sp", "sp", 32)
        else:
            with ctx.hold(ctx.link):
                body(ctx)
        if ctx.compressed():
            asm.op("c.jr", f"x{ctx.link}")
        else:
            asm.op("jalr", "x0", f"0(x{ctx.link})")
    finally:
        ctx.asm = outer
        ctx.in_function = False
        outer.adopt(asm)
    ctx.functions.append(asm.lines)
