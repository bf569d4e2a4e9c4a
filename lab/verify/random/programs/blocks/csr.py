# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""CSR traffic and interrupts of a random program, in machine mode with interrupts off unless said otherwise.

Only CSRs and fields are used whose behaviour the specification fixes and QEMU 7.2 follows. Excluded:
mstatus fields other than MIE, MPIE, MPP (values 0 and 3), MPRV and TW, and bit 0 of mepc, which QEMU stores although
it implements neither (privileged specification 3.1.6, 3.1.14); mtvec modes above 1 and vectored bases below the
platform's 128-byte alignment (3.1.7, WARL); mcause values that are no cause (3.1.15, WLRL); interrupt-enable bits
of absent interrupts, which QEMU stores (3.1.9); the bits of mcounteren and mcountinhibit beyond CY and IR (3.1.11,
3.1.12); counters under mcountinhibit, which QEMU 7.2 miscounts; identification CSRs; cycle and time.
"""

from __future__ import annotations

from verify.random.programs.blocks.data import alu
from verify.random.programs.context import Context
from verify.random.programs.harness import DIRECT_ENTRIES, FS

MIE = 8
_CSRS = ("mscratch", "mepc", "mtval", "mcause", "mstatus", "mcounteren", "mcountinhibit", "mtvec", "mie")
_CAUSES = (0, 1, 2, 3, 4, 5, 6, 7, 8, 11, 0x80000003, 0x80000007, 0x8000000B)
_CAUSES_64 = (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 15, 1 << 63 | 1, 1 << 63 | 3, 1 << 63 | 7, 1 << 63 | 9)


def _traffic(ctx: Context, csr: str, values: tuple[int, ...], clear: int) -> None:
    """Reads, writes, sets and clears of a CSR.

    Args:
        ctx: generator state.
        csr: its name.
        values: values to write, or to set in a cleared CSR; the CSR keeps the last value.
        clear: the mask within which any bits may be cleared after a write.
    """
    rng, asm = ctx.rng, ctx.asm
    temp = rng.choice(ctx.free())
    with ctx.hold(temp):
        for _ in range(rng.randint(1, 4)):
            value = rng.choice(values)
            draw = rng.random()
            if value < 32 and draw < 0.3:
                asm.op("csrrwi", f"x{ctx.rd()}", csr, value)
            elif draw < 0.6:
                asm.text(f"li x{temp}, {value:#x}")
                asm.op("csrrw", f"x{ctx.rd()}", csr, f"x{temp}")
            elif draw < 0.8:
                asm.op("csrrwi", f"x{ctx.rd()}", csr, 0)
                if value < 32:
                    asm.op("csrrsi", f"x{ctx.rd()}", csr, value)
                else:
                    asm.text(f"li x{temp}, {value:#x}")
                    asm.op("csrrs", f"x{ctx.rd()}", csr, f"x{temp}")
            else:
                asm.text(f"li x{temp}, {value & clear:#x}")
                asm.op("csrrc", f"x{ctx.rd()}", csr, f"x{temp}")
                asm.op("csrrci", f"x{ctx.rd()}", csr, clear & rng.choice((0, 31, rng.randrange(32))))
            if rng.random() < 0.5:
                asm.op(rng.choice(("csrrs", "csrrc")), f"x{ctx.rd()}", csr, "x0")
            if rng.random() < 0.3:
                alu(ctx, 1)
    # csrrw with rd = rs1 swaps.
    asm.text(f"li x{temp}, {values[-1]:#x}")
    asm.op("csrrw", f"x{temp}", csr, f"x{temp}")


def _known(ctx: Context) -> None:
    """Turn interrupts off and give what they may have changed a known value."""
    temp = ctx.rng.choice(ctx.free())
    ctx.asm.op("csrrci", "x0", "mstatus", MIE)
    ctx.asm.text(f"li x{temp}, 0x1880", f"csrs mstatus, x{temp}")
    ctx.asm.text("csrw mepc, x0", "csrw mcause, x0", "csrw mtval, x0")


def _restore(ctx: Context) -> None:
    """Back to the machine-mode base line: MPRV and TW off, interrupts on in asynchronous programs."""
    temp = ctx.rng.choice(ctx.free())
    ctx.asm.text(f"li x{temp}, 0x220000", f"csrc mstatus, x{temp}")
    if ctx.base.floating and ctx.rng.random() < 0.95:
        ctx.asm.text(f"li x{temp}, {FS:#x}", f"csrs mstatus, x{temp}")
    if ctx.is_async:
        ctx.asm.op("csrrsi", "x0", "mstatus", MIE)


def csr(ctx: Context) -> None:
    """Traffic on one machine CSR."""
    if ctx.user:
        return
    rng = ctx.rng
    _known(ctx)
    which = rng.choice(_CSRS)
    if which in ("mscratch", "mtval"):
        _traffic(ctx, which, tuple(ctx.value() for _ in range(4)), ctx.base.mask)
    elif which == "mepc":
        _traffic(ctx, which, tuple(ctx.value() & ~1 for _ in range(4)), ctx.base.mask)
    elif which == "mcause":
        _causes(ctx)
    elif which == "mstatus":
        bits = (0x80, 0x1800, 0x20000, 0x200000) if ctx.is_async else (0x8, 0x80, 0x1800, 0x20000, 0x200000)
        values = [sum(bit for bit in bits if rng.random() < 0.5) for _ in range(4)]
        _traffic(ctx, which, (*values, 0x1880), rng.choice((0x80, 0x1800, 0x220080)) & ~0x8)
    elif which == "mcounteren":
        _traffic(ctx, which, tuple(rng.sample((5, 4, 1, 0), 4)), 5)
    elif which == "mcountinhibit":
        _traffic(ctx, which, (5, 4, 1, 0), 5)
    elif which == "mtvec":
        _vector(ctx)
    elif not ctx.is_async:
        _traffic(ctx, which, (0x888, 0x808, 0x80, 0x8, 0), 0x888)
        _pending(ctx)
    if rng.random() < 0.3:  # a trap right behind the write
        ctx.asm.op(rng.choice(("ecall", "ebreak")))
    _restore(ctx)


def _causes(ctx: Context) -> None:
    temp = ctx.rng.choice(ctx.free())
    for _ in range(ctx.rng.randint(1, 3)):
        value = ctx.rng.choice(_CAUSES_64 if ctx.base.wide else _CAUSES)
        ctx.asm.text(f"li x{temp}, {value:#x}")
        ctx.asm.op("csrrw", f"x{ctx.rd()}", "mcause", f"x{temp}")
        ctx.asm.op("csrrs", f"x{ctx.rd()}", "mcause", "x0")


def _pending(ctx: Context) -> None:
    """mip: nothing pending; the machine bits are read-only."""
    temp = ctx.rng.choice(ctx.free())
    ctx.asm.text(f"li x{temp}, 0x888", f"csrs mip, x{temp}", f"csrc mip, x{temp}", f"csrr x{temp}, mip")
    ctx.asm.op("andi", f"x{temp}", f"x{temp}", 0x88)


def _vector(ctx: Context) -> None:
    """Write and read mtvec, then leave it at one of the entries."""
    rng, asm = ctx.rng, ctx.asm
    values = tuple((ctx.value() & ~0x7F) | 1 if rng.random() < 0.4 else ctx.value() & ~3 for _ in range(3))
    temp = rng.choice(ctx.free())
    with ctx.hold(temp):
        for value in values:
            asm.text(f"li x{temp}, {value:#x}")
            asm.op("csrrw", f"x{ctx.rd()}", "mtvec", f"x{temp}")
            asm.op("csrrs", f"x{ctx.rd()}", "mtvec", "x0")
    entry = rng.choice(("trap_vec + 1", *(f"trap_d{index}" for index in range(DIRECT_ENTRIES))))
    asm.text(f"la x{temp}, {entry}")
    asm.op("csrrw", f"x{temp}", "mtvec", f"x{temp}")


def mret_status(ctx: Context) -> None:
    """What mret does to mstatus, seen by a read after it; MPIE is clear, so interrupts stay off."""
    if ctx.user:
        return
    temp = ctx.rng.choice(ctx.free())
    _known(ctx)
    ctx.asm.text(f"li x{temp}, 0x80", f"csrc mstatus, x{temp}")
    _mret_here(ctx, temp)
    ctx.asm.op("csrrs", f"x{ctx.rd()}", "mstatus", "x0")
    _restore(ctx)


def counters_from_user(ctx: Context) -> None:
    """In user mode a counter can be read only if mcounteren says so; the value itself is discarded."""
    if ctx.user:
        name = ctx.rng.choice(("cycle", "instret", "cycleh", "instreth"))
        register = ctx.rd()
        with ctx.asm.unsure():
            ctx.asm.op("csrrs", f"x{register}", name, "x0")
        ctx.asm.text(f"li x{register}, {ctx.value():#x}")


def _arm(ctx: Context, which: str, pointer: int, temp: int) -> None:
    """Make interrupts pending and wait until mip shows them; interrupts are off."""
    asm = ctx.asm
    if which != "timer":
        asm.text(f"li x{pointer}, {ctx.platform.msip:#x}", f"li x{temp}, 1")
        asm.op("sw", f"x{temp}", f"0(x{pointer})")
    if which != "software":
        asm.text(f"li x{pointer}, {ctx.platform.mtimecmp:#x}", f"sw x0, 0(x{pointer})", f"sw x0, 4(x{pointer})")
    mask = {"software": 8, "timer": 128, "both": 136}[which]
    wait = asm.label("wait")
    asm.place(wait)
    asm.text(f"csrr x{temp}, mip", f"andi x{temp}, x{temp}, {mask}", f"addi x{temp}, x{temp}, {-mask}")
    asm.text(f"bnez x{temp}, {wait}")


def interrupt(ctx: Context) -> None:
    """Take interrupts at an instruction that the specification fixes: the one after they become enabled."""
    if ctx.user:
        user_interrupt(ctx)
        return
    rng, asm = ctx.rng, ctx.asm
    pointer, temp = ctx.take(2)
    _known(ctx)
    which = rng.choice(("software", "timer", "both"))
    _arm(ctx, which, pointer, temp)
    asm.text(f"li x{temp}, 0x888")
    way = rng.choice(("mstatus", "mie", "mret"))
    if way == "mie":
        asm.op("csrrsi", "x0", "mstatus", MIE)
        asm.op("csrrs", "x0", "mie", f"x{temp}")
    else:
        asm.op("csrrs", "x0", "mie", f"x{temp}")
        if rng.random() < 0.5:  # waking needs mie, not mstatus.MIE
            asm.op("wfi")
            with ctx.hold(temp):
                alu(ctx, rng.randint(0, 1))
        if way == "mstatus":
            asm.op("csrrsi", f"x{ctx.rd()}", "mstatus", MIE)
        else:
            _mret_here(ctx, temp)
    alu(ctx, rng.randint(1, 3))
    asm.op("csrrci", "x0", "mstatus", MIE)
    asm.text(f"li x{temp}, 0x888", f"csrc mie, x{temp}")
    _restore(ctx)


def _mret_here(ctx: Context, temp: int) -> None:
    """mret to the next instruction, in machine mode."""
    place = ctx.asm.label("mret")
    ctx.asm.text(f"la x{temp}, {place}", f"csrw mepc, x{temp}")
    ctx.asm.op("mret")
    ctx.asm.half(0)
    ctx.asm.place(place)


def user_interrupt(ctx: Context) -> None:
    """A jump to itself in user mode, left by an interrupt whose arrival is up to the machine."""
    asm, rng = ctx.asm, ctx.rng
    if not ctx.user or ctx.repeat > 8:
        return
    pointer, temp = ctx.take(2)
    if rng.random() < 0.5:
        asm.text(f"li x{pointer}, {ctx.platform.msip:#x}", f"li x{temp}, 1")
        asm.text(f"sw x{temp}, 0(x{pointer})")
    else:
        asm.text(f"li x{pointer}, {ctx.platform.mtime:#x}", f"lw x{temp}, 0(x{pointer})")
        asm.text(f"addi x{temp}, x{temp}, 400", f"li x{pointer}, {ctx.platform.mtimecmp:#x}")
        asm.text(f"sw x{temp}, 0(x{pointer})", f"li x{temp}, 0", f"sw x{temp}, 4(x{pointer})")
        if rng.random() < 0.5:
            asm.op("wfi")
    asm.text("j .")
    asm.text(f"li x{temp}, 0")
