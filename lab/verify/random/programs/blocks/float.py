# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Floating point of a random program: every operation in every rounding mode, flags, NaN boxing, mstatus.FS.

The harness records registers, flags and mode at each trap, so that programs need not read them.
"""

from __future__ import annotations

import struct

from verify.random.programs.context import Context
from verify.random.programs.harness import FS

_MODES = ("rne", "rtz", "rdn", "rup", "rmm", "dyn", "dyn", "dyn")
_ARITHMETIC = ("fadd", "fsub", "fmul", "fdiv")
_FUSED = ("fmadd", "fmsub", "fnmsub", "fnmadd")
_EXACT = ("fsgnj", "fsgnjn", "fsgnjx", "fmin", "fmax")
_BOX = 0xFFFFFFFF << 32
_WORDS = ("w", "wu", "l", "lu")

_SINGLES = (
    *(0x00000000, 0x80000000, 0x00000001, 0x807FFFFF, 0x00800000, 0x3F800000, 0xBF800000, 0x3F7FFFFF, 0x3F800001),
    *(0x7F7FFFFF, 0xFF7FFFFF, 0x7F800000, 0xFF800000, 0x7FC00000, 0xFFC00001, 0x7F800001, 0x4F000000, 0xCF000000),
    *(0x4F7FFFFF, 0x5F000000, 0x5F7FFFFF, 0x3F000000, 0x33800000, 0x4B000001),
)
"""Bits of single precision at the edges: zeros, subnormal numbers, infinities, NaNs, limits of integers."""

_DOUBLES = (
    *(0x0000000000000000, 0x8000000000000000, 0x0000000000000001, 0x800FFFFFFFFFFFFF, 0x0010000000000000),
    *(0x3FF0000000000000, 0xBFF0000000000000, 0x3FEFFFFFFFFFFFFF, 0x3FF0000000000001, 0x7FEFFFFFFFFFFFFF),
    *(0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 0xFFF8000000000001, 0x7FF0000000000001),
    *(0x41DFFFFFFFC00000, 0x41E0000000000000, 0xC1E0000000000000, 0x41EFFFFFFFE00000, 0x43E0000000000000),
    *(0x43F0000000000000, 0x3FE0000000000000, 0x36A0000000000000, 0x380FFFFFF0000000, 0x47EFFFFFF0000000),
)
"""The same of double precision, and limits of single precision."""


def _single(ctx: Context) -> int:
    rng = ctx.rng
    draw = rng.random()
    if draw < 0.4:
        return rng.choice(_SINGLES)
    if draw < 0.7:
        return int(struct.unpack("<I", struct.pack("<f", rng.uniform(-1, 1) * 2.0 ** rng.randrange(-30, 70)))[0])
    return rng.getrandbits(32)


def _double(ctx: Context) -> int:
    rng = ctx.rng
    draw = rng.random()
    if draw < 0.4:
        return rng.choice(_DOUBLES)
    if draw < 0.7:
        return int(struct.unpack("<Q", struct.pack("<d", rng.uniform(-1, 1) * 2.0 ** rng.randrange(-160, 140)))[0])
    return rng.getrandbits(64)


def _bits(ctx: Context) -> int:
    """A register: a double, a single in its box, or one in a box that is none."""
    draw = ctx.rng.random()
    if draw < 0.45:
        return _double(ctx)
    return _single(ctx) | (_BOX if draw < 0.92 else (_BOX & ~(1 << ctx.rng.randrange(32, 64))))


def _operands(ctx: Context, count: int) -> list[str]:
    return [f"f{ctx.rng.randrange(32)}" for _ in range(count)]


def values(ctx: Context) -> None:
    """Give a few floating-point registers values at the edges."""
    temp = ctx.rng.choice(ctx.free())
    for _ in range(ctx.rng.randint(2, 4)):
        ctx.asm.text(f"li x{temp}, {_bits(ctx):#x}")
        ctx.asm.op("fmv.d.x", f"f{ctx.rng.randrange(32)}", f"x{temp}")


def _one(ctx: Context) -> None:
    rng, asm = ctx.rng, ctx.asm
    form, mode = rng.choice(("s", "d")), rng.choice(_MODES)
    draw = rng.random()
    if draw < 0.3:
        asm.op(f"{rng.choice(_ARITHMETIC)}.{form}", *_operands(ctx, 3), mode)
    elif draw < 0.36:
        asm.op(f"fsqrt.{form}", *_operands(ctx, 2), mode)
    elif draw < 0.52:
        asm.op(f"{rng.choice(_FUSED)}.{form}", *_operands(ctx, 4), mode)
    elif draw < 0.64:
        asm.op(f"{rng.choice(_EXACT)}.{form}", *_operands(ctx, 3))
    elif draw < 0.72:
        asm.op(f"{rng.choice(('feq', 'flt', 'fle'))}.{form}", f"x{ctx.rd()}", *_operands(ctx, 2))
    elif draw < 0.76:
        asm.op(f"fclass.{form}", f"x{ctx.rd()}", *_operands(ctx, 1))
    elif draw < 0.84:
        asm.op(f"fcvt.{rng.choice(_WORDS)}.{form}", f"x{ctx.rd()}", *_operands(ctx, 1), mode)
    elif draw < 0.9:
        word = rng.choice(_WORDS)
        rounds = [mode] if form == "s" or word.startswith("l") else []
        asm.op(f"fcvt.{form}.{word}", *_operands(ctx, 1), f"x{ctx.rs()}", *rounds)
    elif draw < 0.94:
        asm.op(*(("fcvt.s.d", *_operands(ctx, 2), mode) if form == "s" else ("fcvt.d.s", *_operands(ctx, 2))))
    else:
        bits = {"s": "w", "d": "d"}[form]
        way = rng.choice((("x", f"x{ctx.rd()}", *_operands(ctx, 1)), ("f", *_operands(ctx, 1), f"x{ctx.rs()}")))
        asm.op(f"fmv.x.{bits}" if way[0] == "x" else f"fmv.{bits}.x", *way[1:])


def arithmetic(ctx: Context) -> None:
    """Operations on whatever the registers hold, some of it new."""
    if ctx.rng.random() < 0.6:
        values(ctx)
    for _ in range(ctx.rng.randint(2, 8)):
        _one(ctx)


def mode(ctx: Context) -> None:
    """Write flags and rounding mode, reserved modes now and then, and look at the flags."""
    rng, asm = ctx.rng, ctx.asm
    draw = rng.random()
    if draw < 0.5:
        asm.op("csrrwi", f"x{ctx.rd()}", "frm", rng.choice((0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 5, 7)))
    elif draw < 0.7:
        asm.op(rng.choice(("csrrwi", "csrrsi", "csrrci")), f"x{ctx.rd()}", "fflags", rng.randrange(32))
    elif draw < 0.8:
        asm.op("csrrw", f"x{ctx.rd()}", "fcsr", f"x{ctx.rs()}")
    for _ in range(rng.randint(1, 3)):
        _one(ctx)
    asm.op("csrrs", f"x{ctx.rd()}", rng.choice(("fflags", "fcsr", "frm")), "x0")
    asm.op("csrrwi", "x0", "frm", rng.randrange(5))


def memory(ctx: Context) -> None:
    """Loads and stores of both formats, compressed ones included, at any alignment."""
    rng, asm = ctx.rng, ctx.asm
    region = rng.choice((ctx.platform.scratch[0], ctx.platform.stack))
    value = rng.randrange(region.base, region.end - 256, rng.choice((1, 8, 8)))
    pointer = rng.choice(ctx.free(8, 15) or ctx.free())
    asm.text(f"li x{pointer}, {value:#x}")
    with ctx.hold(pointer):
        for _ in range(rng.randint(2, 7)):
            way = rng.choice(("l", "s"))
            if ctx.compressed() and 8 <= pointer <= 15:
                asm.op(f"c.f{way}d", f"f{rng.randrange(8, 16)}", f"{8 * rng.randrange(31)}(x{pointer})")
            else:
                asm.op(f"f{way}{rng.choice('wd')}", f"f{rng.randrange(32)}", f"{rng.randrange(248)}(x{pointer})")
            if rng.random() < 0.3:
                _one(ctx)


def off(ctx: Context) -> None:
    """With mstatus.FS off every instruction of F and D is illegal; other states of FS are seen by the harness."""
    if ctx.user:
        return
    temp = ctx.rng.choice(ctx.free())
    ctx.asm.text(f"li x{temp}, {FS:#x}", f"csrc mstatus, x{temp}")
    if ctx.rng.random() < 0.5:
        with ctx.asm.unsure():
            _one(ctx)
            ctx.asm.op("csrrs", f"x{ctx.rd()}", ctx.rng.choice(("fflags", "frm", "fcsr")), "x0")
    ctx.asm.text(f"li x{temp}, {ctx.rng.choice((0x2000, 0x4000, 0x6000)):#x}", f"csrs mstatus, x{temp}")
    # The model calls more states dirty than QEMU does, which the specification leaves open; a write is dirty on both.
    ctx.asm.op("fmv.d.x", *_operands(ctx, 1), f"x{ctx.rs()}")
