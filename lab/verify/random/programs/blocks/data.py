# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Straight-line parts of a random program: arithmetic, loads and stores, code that is copied and executed."""

from __future__ import annotations

from verify.random.instructions.addresses import Region
from verify.random.instructions.isa import SHIFT_IMM, SHIFT_IMM_64
from verify.random.programs.context import Context

_DIVIDES = ("div", "divu", "rem", "remu")
_ALU16 = (
    *("c.addi", "c.li", "c.lui", "c.srli", "c.srai", "c.andi", "c.sub", "c.xor", "c.or", "c.and"),
    *("c.slli", "c.mv", "c.add", "c.nop", "c.addi4spn", "hint"),
)
_MULTIPLIES = ("mul", "mulh", "mulhsu", "mulhu")


def _alu32(ctx: Context) -> None:
    rng, asm = ctx.rng, ctx.asm
    draw = rng.random()
    if draw < 0.12 and ctx.base.known(_DIVIDES):
        asm.op(rng.choice(_DIVIDES + _MULTIPLIES), *_registers(ctx, 3))
    elif draw < 0.5:
        asm.op(ctx.instruction(ctx.base.r_type), *_registers(ctx, 3))
    elif draw < 0.6 and ctx.base.known(ctx.base.unary):
        asm.op(rng.choice(ctx.base.unary), *_registers(ctx, 2))
    elif draw < 0.8:
        asm.op(rng.choice(ctx.base.i_type), *_registers(ctx, 2), ctx.imm12())
    elif draw < 0.92:
        _shift(ctx)
    else:
        value = rng.choice((0, 1, 0x7FFFF, 0x80000, 0xFFFFF, rng.randrange(1 << 20)))
        # Not lui x0: behind an ecall that is a command to the trap handler.
        asm.op(rng.choice(("lui", "auipc")), f"x{ctx.rd(zero=False)}", value)


def _shift(ctx: Context) -> None:
    """A shift by an immediate amount."""
    rng, asm = ctx.rng, ctx.asm
    if ctx.base.wide and rng.random() < 0.3:
        asm.op(rng.choice(SHIFT_IMM_64), *_registers(ctx, 2), rng.choice((0, 1, 31, rng.randrange(32))))
    elif ctx.base.wide:
        amount = rng.choice((0, 1, 31, 32, 33, 63, rng.randrange(64)))
        asm.op(ctx.instruction((*SHIFT_IMM, "slli.uw")), *_registers(ctx, 2), amount)
    else:
        asm.op(ctx.instruction(SHIFT_IMM), *_registers(ctx, 2), rng.choice((0, 1, 31, rng.randrange(32))))


def _registers(ctx: Context, count: int) -> list[str]:
    """Operands rd, rs1 and perhaps rs2; all equal, or rd equal to a source, more often than chance has it."""
    sources = [ctx.rs() for _ in range(count - 1)]
    if ctx.rng.random() < 0.1:
        sources = [sources[0]] * (count - 1)
    rd = ctx.rd()
    if ctx.rng.random() < 0.15 and sources[-1] in ctx.free():
        rd = sources[-1]
    return [f"x{rd}", *(f"x{number}" for number in sources)]


def _alu16(ctx: Context) -> bool:
    """Emit a compressed arithmetic instruction; False if the one drawn needs a register that is in use."""
    rng, asm = ctx.rng, ctx.asm
    if ctx.base.wide and rng.random() < 0.15:
        return _alu16_wide(ctx)
    name = rng.choice(_ALU16)
    if name == "hint" and not ctx.base.compressed:
        return False
    small = rng.choice((-32, -1, 1, 31, rng.randrange(-32, 32)))
    if name in ("c.addi", "c.li"):
        asm.op(name, f"x{ctx.rd(zero=False)}", small or 1)
    elif name == "c.lui":
        candidates = [number for number in ctx.free() if number != 2]
        asm.op(name, f"x{rng.choice(candidates)}", rng.choice((1, 31, 0xFFFE0, 0xFFFFF, rng.randrange(1, 32))))
    elif name == "c.slli":
        asm.op(name, f"x{ctx.rd(zero=False)}", rng.choice((1, 31, rng.randrange(1, 32))))
    elif name in ("c.mv", "c.add"):
        rd = ctx.rd(zero=False)
        asm.op(name, f"x{rd}", f"x{ctx.rs(zero=False) or 1}")
    elif name == "c.nop":
        asm.op(name)
    elif name == "hint":
        asm.half(*_hint16(ctx))
    else:
        short = ctx.short()
        if short is None:
            return False
        if name == "c.addi4spn":
            asm.op(name, f"x{short}", "sp", rng.choice((4, 1020, 4 * rng.randrange(1, 256))))
        elif name == "c.andi":
            asm.op(name, f"x{short}", small)
        elif name in ("c.srli", "c.srai"):
            asm.op(name, f"x{short}", rng.choice((1, 31, rng.randrange(1, 32))))
        else:
            asm.op(name, f"x{short}", f"x{ctx.short_source()}")
    return True


def _alu16_wide(ctx: Context) -> bool:
    """The same, of instructions that only RV64 has."""
    rng, asm = ctx.rng, ctx.asm
    name = rng.choice(("c.addiw", "c.addw", "c.subw", "c.slli", "c.srli", "c.srai"))
    if name in ("c.addiw", "c.slli"):
        operand = rng.randrange(-32, 32) if name == "c.addiw" else rng.randrange(1, 64)
        asm.op(name, f"x{ctx.rd(zero=False)}", operand)
        return True
    short = ctx.short()
    if short is None:
        return False
    asm.op(name, f"x{short}", rng.randrange(1, 64) if name in ("c.srli", "c.srai") else f"x{ctx.short_source()}")
    return True


def _hint16(ctx: Context) -> list[int]:
    """A compressed HINT: code points with rd = x0 or a zero immediate that must do nothing."""
    rng = ctx.rng
    register = rng.randrange(1, ctx.base.registers)
    imm = rng.randrange(1, 32)
    return [
        rng.choice(
            (
                0x0001 | imm << 2,  # c.nop imm
                0x0001 | register << 7,  # c.addi rd, 0
                0x4001 | imm << 2,  # c.li x0, imm
                0x6001 | imm << 2,  # c.lui x0, imm
                0x8002 | register << 2,  # c.mv x0, rs2
                0x9002 | register << 2,  # c.add x0, rs2
                0x0002 | imm << 2,  # c.slli x0, imm
                0x0002 | register << 7,  # c.slli rd, 0
                0x8001 | (register & 7) << 7,  # c.srli rd', 0
                0x8401 | (register & 7) << 7,  # c.srai rd', 0
            )
        )
    ]


def alu(ctx: Context, count: int) -> None:
    """Arithmetic on whatever the registers hold."""
    for _ in range(count):
        if not (ctx.compressed() and _alu16(ctx)):
            _alu32(ctx)


def corner(ctx: Context) -> None:
    """Arithmetic on corner-case operands."""
    first, second = ctx.take(2)
    ctx.asm.text(f"li x{first}, {ctx.value():#x}", f"li x{second}, {ctx.value():#x}")
    for name in ctx.rng.sample(ctx.base.known(ctx.base.r_type), 6):
        pair = ctx.rng.choice(((first, second), (second, first), (first, first), (second, 0), (0, first)))
        with ctx.hold(first, second):
            ctx.asm.op(name, f"x{ctx.rd()}", f"x{pair[0]}", f"x{pair[1]}")
    for target, source in ((second, first), (first, second)) if ctx.base.known(ctx.base.unary) else ():
        ctx.asm.op(ctx.rng.choice(ctx.base.unary), f"x{target}", f"x{source}")


def _access(ctx: Context, region: Region, pointer: int, value: int) -> None:
    """One load or store through `pointer`, which holds `value`."""
    rng = ctx.rng
    if rng.random() < 0.55:
        name = rng.choice(tuple(ctx.base.loads))
        address = ctx.target(region, ctx.base.loads[name], value - 2048, value + 2047)
        ctx.asm.op(name, f"x{ctx.rd()}", f"{address - value}(x{pointer})")
    else:
        name = rng.choice(tuple(ctx.base.stores))
        address = ctx.target(region, ctx.base.stores[name], value - 2048, value + 2047)
        ctx.asm.op(name, f"x{ctx.rs()}", f"{address - value}(x{pointer})")


def _access16(ctx: Context, region: Region, pointer: int, value: int) -> None:
    """One c.lw or c.sw through `pointer` (x8 .. x15), if an offset fits."""
    size, width = (8, "d") if ctx.base.wide and ctx.rng.random() < 0.5 else (4, "w")
    offsets = [offset for offset in range(0, 32 * size, size) if region.base <= value + offset <= region.end - size]
    register = ctx.short() if ctx.rng.random() < 0.5 else None
    if not offsets:
        return
    if register is not None:
        ctx.asm.op(f"c.l{width}", f"x{register}", f"{ctx.rng.choice(offsets)}(x{pointer})")
    else:
        ctx.asm.op(f"c.s{width}", f"x{ctx.rng.randrange(8, 16)}", f"{ctx.rng.choice(offsets)}(x{pointer})")


def memory(ctx: Context) -> None:
    """Loads and stores of all sizes and alignments around one pointer, mixed with arithmetic."""
    rng = ctx.rng
    region = rng.choice((*ctx.platform.scratch, ctx.platform.scratch[0], ctx.platform.stack))
    value = rng.randint(region.base, region.end)
    if rng.random() < 0.5:
        value &= ~3
    pointer = rng.choice(ctx.free(8, 15) or ctx.free()) if ctx.compressed() else rng.choice(ctx.free())
    ctx.asm.text(f"li x{pointer}, {value:#x}")
    with ctx.hold(pointer):
        for _ in range(rng.randint(3, 12)):
            if rng.random() < 0.3:
                alu(ctx, 1)
            elif 8 <= pointer <= 15 and ctx.compressed():
                _access16(ctx, region, pointer, value)
            else:
                _access(ctx, region, pointer, value)
        if rng.random() < 0.3:
            _chase(ctx, region, pointer, value)
    if rng.random() < 0.4:  # the pointer is overwritten by the access through it
        name = rng.choice(tuple(ctx.base.loads))
        address = ctx.target(region, ctx.base.loads[name], value - 2048, value + 2047)
        ctx.asm.op(name, f"x{pointer}", f"{address - value}(x{pointer})")


def _chase(ctx: Context, region: Region, pointer: int, value: int) -> None:
    """A pointer that comes from memory, used at once."""
    second = ctx.rng.choice(ctx.free())
    offset = ctx.target(region, ctx.base.word, value - 2048, value + 2047) - value
    width = "d" if ctx.base.wide else "w"
    ctx.asm.op(f"s{width}", f"x{pointer}", f"{offset}(x{pointer})")
    ctx.asm.op(f"l{width}", f"x{second}", f"{offset}(x{pointer})")
    with ctx.hold(second):
        for _ in range(2):
            _access(ctx, region, second, value)


def stack(ctx: Context) -> None:
    """Accesses through the stack pointer, compressed ones included."""
    if 2 not in ctx.free():
        return
    rng, asm = ctx.rng, ctx.asm
    region = ctx.platform.stack
    value = rng.randrange(region.base + 512, region.end - 768, 4)
    if rng.random() < 0.15:
        value += rng.randint(1, 3)
    asm.text(f"li sp, {value:#x}")
    with ctx.hold(2):
        for _ in range(rng.randint(3, 8)):
            draw = rng.random()
            if ctx.base.wide and draw < 0.3:
                size, width = rng.choice(((4, "w"), (8, "d")))
                asm.op(f"c.s{width}sp", f"x{ctx.rs()}", f"{size * rng.randrange(256 // size)}(sp)")
            elif ctx.base.wide and draw < 0.6:
                size, width = rng.choice(((4, "w"), (8, "d")))
                asm.op(f"c.l{width}sp", f"x{ctx.rd(zero=False)}", f"{size * rng.randrange(256 // size)}(sp)")
            elif draw < 0.3:
                asm.op("c.swsp", f"x{ctx.rs()}", f"{4 * rng.randrange(64)}(sp)")
            elif draw < 0.6:
                asm.op("c.lwsp", f"x{ctx.rd(zero=False)}", f"{4 * rng.randrange(64)}(sp)")
            elif draw < 0.8:
                step = 16 * rng.choice((-32, -1, 1, 31, rng.randint(1, 31)))
                if region.base <= value + step <= region.end - 256:
                    value += step
                    asm.op("c.addi16sp", "sp", step)
            else:
                alu(ctx, 1)


def copied_code(ctx: Context) -> None:
    """Copy a few instructions to fresh memory, fence.i, call them: self-modifying code in any bank."""
    rng, asm = ctx.rng, ctx.asm
    if ctx.link in ctx.locked:
        return
    source, destination, temp = rng.sample([n for n in ctx.free() if n != ctx.link], 3)
    inner = asm.child()
    outer, ctx.asm = asm, inner
    try:
        with ctx.hold(ctx.link):
            alu(ctx, rng.randint(1, 5))
        inner.op("jalr", "x0", f"0(x{ctx.link})")
    finally:
        ctx.asm = outer
    name = asm.label("template")
    ctx.templates += [".balign 4", f"{name}:", *inner.lines, ".balign 4", ".2byte 1, 1"]
    home = rng.choice(
        (
            ctx.platform.imem.end - 128 + 4 * rng.randrange(4),
            ctx.platform.smem.base + 0x2000 + 4 * rng.randrange(4),
            ctx.platform.dmem.base + 4 * rng.randrange(4),
        )
    )
    asm.text(f"la x{source}, {name}", f"li x{destination}, {home:#x}")
    for offset in range(0, 28, 4):
        asm.op("lw", f"x{temp}", f"{offset}(x{source})")
        asm.op("sw", f"x{temp}", f"{offset}(x{destination})")
    asm.op("fence.i")
    asm.adopt(inner)
    asm.op("jalr", f"x{ctx.link}", f"0(x{destination})")


def patched_code(ctx: Context) -> None:
    """Overwrite the instruction right after a fence.i; the old one would trap."""
    rng, asm = ctx.rng, ctx.asm
    pointer, temp = ctx.take(2)
    rd = rng.choice([n for n in ctx.free() if n not in (pointer, temp)])
    word = rng.randrange(1 << 12) << 20 | ctx.rs() << 15 | rng.choice((0, 4, 6, 7)) << 12 | rd << 7 | 0x13
    place = asm.label("patch")
    asm.text(f"li x{temp}, {word:#x}", f"la x{pointer}, {place}")
    asm.op("sw", f"x{temp}", f"0(x{pointer})")
    asm.op("fence.i")
    asm.place(place)
    asm.word(0x00100073)


def minstret(ctx: Context) -> None:
    """The number of retired instructions between two reads; only without interrupts, in machine mode.

    A read right after a write is not tested here: QEMU 7.2 counts the writing instruction itself, the privileged
    specification (3.1.10) gives the next instruction the written value.
    """
    if ctx.is_async or ctx.user:
        return
    first, second = ctx.rng.sample([number for number in ctx.free() if number != 2], 2)  # c.addi4spn reads sp
    ctx.asm.op("csrrs", f"x{first}", "minstret", "x0")
    ctx.hidden = first
    with ctx.hold(first):
        alu(ctx, ctx.rng.randint(0, 8))
    ctx.hidden = 0
    ctx.asm.op("csrrs", f"x{second}", "minstret", "x0")
    ctx.asm.op("sub", f"x{first}", f"x{second}", f"x{first}")
    ctx.asm.op("sub", f"x{second}", f"x{second}", f"x{second}")
