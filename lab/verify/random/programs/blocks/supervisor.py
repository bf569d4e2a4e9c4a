# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Supervisor mode and Sv39 of a random program: entries that change, accesses that fault, the CSRs of the mode.

Left out because QEMU 7.2 differs, or because the specification leaves the result open: an AMO whose load or store would
fault, which QEMU checks as a load first; an entry that leads to a table at an address without memory, for which QEMU
raises a page fault; an entry that is changed without a fence, whose change may be visible or not; a fetch of supervisor
mode from a page of user mode with SUM set, which QEMU allows after a load from it; an SC that fails, which may set A
and D; an access across two pages of which one has no memory and the other no entry, where either may be reported; TSR
if supervisor mode has a trap handler, because that returns.
"""

from __future__ import annotations

from verify.random.instructions.isa import AMOS
from verify.random.programs.context import Context
from verify.random.programs.harness_supervisor import (
    ALIAS_OFFSET,
    ALL,
    CODE,
    COUNT,
    PAGES,
    SV39,
    A,
    D,
    G,
    R,
    U,
    V,
    W,
    X,
)

_SUM, _MXR, _TVM, _TW, _MPRV = 1 << 18, 1 << 19, 1 << 20, 1 << 21, 1 << 17
SETTINGS = _SUM | _MXR | _TVM | _TW
"""What of mstatus is drawn before machine mode is left."""
_MEGAPAGE = PAGES + 0x200000
_LAST = COUNT - 1
"""The page that may lead to where there is no memory."""
_FAR = (0x4000000000, 0x8000000040000000, 0xFFFFFFC000000000, 0xFFFFFFBFFFFFF000, 0x100000000, 0x40010000, 0x400FF000)
"""Addresses that no entry maps, or that are none."""


def settings(ctx: Context) -> int:
    """Draw SUM and MXR; TW and TVM as the context says."""
    ctx.sum = ctx.rng.random() < 0.4
    value = (_SUM if ctx.sum else 0) | (_MXR if ctx.rng.random() < 0.4 else 0)
    return value | (_TW if ctx.timeout_wait else 0) | (_TVM if ctx.guarded else 0)


def enter(ctx: Context, temp: int, supervisor: bool, translated: bool) -> None:
    """Machine mode chooses the page table, and where traps of supervisor mode go."""
    asm = ctx.asm
    with ctx.hold(temp):
        other = ctx.rng.choice(ctx.free())
    asm.text(f"la x{temp}, supervisor_trap", f"la x{other}, saved")
    if translated:
        move = ctx.rng.choice(ctx.free())
        while move in (temp, other):
            move = ctx.rng.choice(ctx.free())
        asm.text(f"li x{move}, {ALIAS_OFFSET:#x}", f"add x{temp}, x{temp}, x{move}", f"add x{other}, x{other}, x{move}")
    asm.text(f"csrw stvec, x{temp}", f"csrw sscratch, x{other}")
    _root(ctx, temp, other, ("root_s" if supervisor else "root_u") if translated else None)


def _root(ctx: Context, temp: int, other: int, root: str | None) -> None:
    """Write satp and fence."""
    if root is None:
        ctx.asm.text("csrw satp, x0")
    else:
        ctx.asm.text(f"la x{temp}, {root}", f"srli x{temp}, x{temp}, 12", f"li x{other}, {SV39:#x}")
        ctx.asm.text(f"or x{temp}, x{temp}, x{other}", f"csrw satp, x{temp}")
    ctx.asm.op("sfence.vma")


def _flags(ctx: Context) -> int:
    """Flags of an entry: most often of a page that can be used, else anything."""
    rng = ctx.rng
    if rng.random() < 0.5:
        return (ALL | rng.choice((0, U)) | rng.choice((0, 0, G))) & ~rng.choice((0, A, D, A | D, W | D, X, R | W | D))
    return rng.getrandbits(8) | (V if rng.random() < 0.8 else 0)


def _address(ctx: Context, page: int, size: int) -> int:
    """Where an access goes: into a page, across its end, or astray."""
    rng = ctx.rng
    draw = rng.random()
    start = PAGES + 4096 * page
    if draw < 0.12:
        return rng.choice(_FAR)
    if draw < 0.2:
        return _MEGAPAGE + 64 + 8 * rng.randrange(400)
    if draw < 0.3 and size > 1 and page < _LAST - 1:
        return start + 4096 - rng.randrange(1, size)
    return start + 64 + rng.randrange(4096 - 64 - size) // size * size


def _access(ctx: Context, page: int, usable: bool) -> None:
    """One access of any kind."""
    rng, asm = ctx.rng, ctx.asm
    pointer = rng.choice(ctx.free())
    choices = [*ctx.base.loads, *ctx.base.stores, "flw", "fld", "fsw", "fsd", "lr.w", "lr.d"]
    name = rng.choice(choices)
    if usable and rng.random() < 0.4:
        name, width = rng.choice((*AMOS, "sc")), rng.choice((".w", ".d"))
        address = PAGES + 4096 * page + 64 + 8 * rng.randrange(400)
        asm.text(f"li x{pointer}, {address:#x}")
        with ctx.hold(pointer):
            if name == "sc":  # one that fails may set A and D or not
                asm.op(f"lr{width}", f"x{ctx.rd()}", f"(x{pointer})")
            asm.op(name + width, f"x{ctx.rd()}", f"x{ctx.rs()}", f"(x{pointer})")
        return
    size = {"w": 4, "d": 8}[name[-1]] if name[0] == "f" or "." in name else (ctx.base.loads | ctx.base.stores)[name]
    address = _address(ctx, page, size)
    offset = 0
    if "." in name:
        address &= -size
    elif rng.random() < 0.5:
        offset = rng.choice((-8, 8, 16, 2047, -2048))
    asm.text(f"li x{pointer}, {(address - offset) & ctx.base.mask:#x}")
    with ctx.hold(pointer):
        register = (
            f"f{rng.randrange(32)}" if name[0] == "f" else f"x{ctx.rs() if name in ctx.base.stores else ctx.rd()}"
        )
        asm.op(name, register, f"(x{pointer})" if "." in name else f"{offset}(x{pointer})")


def _fetch(ctx: Context, page: int) -> None:
    """Jump to a page, whose first instruction comes back."""
    rng, asm = ctx.rng, ctx.asm
    if ctx.link in ctx.locked or not ctx.user or (ctx.supervisor and ctx.sum):
        return
    temp = rng.choice([number for number in ctx.free() if number != ctx.link])
    address = PAGES + 4096 * page + CODE if rng.random() < 0.7 else rng.choice(_FAR)
    asm.text(f"li x{temp}, {address:#x}")
    asm.op("jalr", f"x{ctx.link}", f"0(x{temp})")


def _change(ctx: Context, page: int, place: int, temp: int, entry: int) -> None:
    """Write an entry and fence.

    Args:
        ctx: the generator's state.
        page: whose entry; COUNT for that of the page of 2 MiB.
        place: register that holds the entry's address thereafter.
        temp: another one.
        entry: flags.
    """
    rng, asm = ctx.rng, ctx.asm
    symbol = f"leaves + {8 * page}" if page < COUNT else "middle + 8"
    asm.text(f"la x{place}, {symbol}")
    if ctx.translated:
        asm.text(f"li x{temp}, {ALIAS_OFFSET:#x}", f"add x{place}, x{place}, x{temp}")
    draw = rng.random()
    if page == COUNT:
        physical = rng.choice((0x80000000, 0x80000000, 0x80001000, 0x90000000))
        # What programs store there by another way is left alone.
        entry = (entry & ~W) | (0 if entry & (R | X) else R)
        asm.text(f"li x{temp}, {physical >> 2 | entry:#x}")
    elif draw < 0.7 or page < _LAST:
        asm.text(f"la x{temp}, pages + {4096 * rng.choice((page, page, page, rng.randrange(COUNT)))}")
        asm.text(f"srli x{temp}, x{temp}, 2", f"ori x{temp}, x{temp}, {entry}")
    else:
        physical = rng.choice((0x90000000, ctx.platform.imem.end, 0x0))
        high = rng.choice((0, 0, 1 << 54, 1 << 60, 1 << 63, 1 << 61))
        asm.text(f"li x{temp}, {physical >> 2 | entry | high:#x}")
    asm.op("sd", f"x{temp}", f"0(x{place})")
    draw = rng.random()
    if draw < 0.4:
        asm.op("sfence.vma")
        return
    asm.text(f"li x{temp}, {PAGES + 4096 * page if page < COUNT else _MEGAPAGE:#x}")
    if draw < 0.7 and not entry & G:
        asm.op("sfence.vma", f"x{temp}", "x0")
    else:
        asm.op("sfence.vma", "x0", "x0")


def page(ctx: Context) -> None:
    """Change an entry where the mode can, access the page in all ways, and look at the entry's A and D."""
    rng, asm = ctx.rng, ctx.asm
    number = rng.randrange(COUNT)
    if ctx.user and not ctx.translated:
        return
    if ctx.user and (not ctx.supervisor or ctx.guarded):
        for _ in range(rng.randint(1, 4)):
            _access(ctx, number, False) if rng.random() < 0.8 else _fetch(ctx, number)
        return
    place, temp = ctx.take(2)
    with ctx.hold(place, temp):
        # More than once, so that a translation that has been used is forgotten.
        for _ in range(rng.choice((1, 2, 3)) if ctx.user else 1):
            changed = rng.choice((number, number, number, number, COUNT))
            _change(ctx, changed, place, temp, _flags(ctx))
            if not ctx.user:
                _by_machine(ctx, number, temp)
            for _ in range(rng.randint(1, 4) if ctx.user else 0):
                _access(ctx, number, False) if rng.random() < 0.8 else _fetch(ctx, number)
            asm.op("ld", f"x{ctx.rd()}", f"0(x{place})")
        if ctx.user and rng.random() < 0.5:
            asm.text(f"la x{temp}, pages + {4096 * number}", f"srli x{temp}, x{temp}, 2")
            asm.text(
                f"ori x{temp}, x{temp}, {V | R | W | rng.choice((0, A, A | D))}", f"la x{place}, leaves + {8 * number}"
            )
            with ctx.hold(place, temp):
                move = rng.choice(ctx.free())
            asm.text(f"li x{move}, {ALIAS_OFFSET:#x}", f"add x{place}, x{place}, x{move}")
            asm.op("sd", f"x{temp}", f"0(x{place})")
            asm.op("sfence.vma")
            for _ in range(rng.randint(1, 3)):
                _access(ctx, number, True)
            asm.op("ld", f"x{ctx.rd()}", f"0(x{place})")


def _by_machine(ctx: Context, number: int, temp: int) -> None:
    """Machine mode accesses a page as another mode does, by mstatus.MPRV."""
    rng, asm = ctx.rng, ctx.asm
    supervisor = rng.random() < 0.5
    with ctx.hold(temp):
        other = rng.choice(ctx.free())
    _root(ctx, temp, other, "root_s" if supervisor else "root_u")
    for _ in range(rng.randint(1, 3)):
        clear = _SUM | _MXR | 0x1800 | _MPRV
        value = _MPRV | (0x800 if supervisor else 0) | sum(bit for bit in (_SUM, _MXR) if rng.random() < 0.4)
        asm.op("csrrci", "x0", "mstatus", 8)
        asm.text(
            f"li x{temp}, {clear:#x}", f"csrc mstatus, x{temp}", f"li x{temp}, {value:#x}", f"csrs mstatus, x{temp}"
        )
        _access(ctx, number, False)
        asm.text(f"li x{temp}, {_MPRV:#x}", f"csrc mstatus, x{temp}")


def csr(ctx: Context) -> None:
    """Traffic on the CSRs of supervisor mode that hold what is written, and those that it may not touch."""
    rng, asm = ctx.rng, ctx.asm
    if ctx.user and not ctx.supervisor:
        with asm.unsure():
            asm.op("csrrs", f"x{ctx.rd()}", rng.choice(("sstatus", "satp", "sepc", "stvec", "sie")), "x0")
        return
    temp = rng.choice(ctx.free())
    with ctx.hold(temp):
        for _ in range(rng.randint(1, 3)):
            name = rng.choice(("sepc", "scause", "stval", "sstatus"))
            value = {
                "sepc": ctx.value() & ~1,
                "scause": rng.choice((0, 2, 8, 13, 15, 1 << 63 | 5)),
                "stval": ctx.value(),
                "sstatus": rng.choice((0x20, 0x100, _MXR, 0x120)),
            }[name]
            asm.text(f"li x{temp}, {value:#x}")
            operation = "csrrw" if name != "sstatus" else rng.choice(("csrrs", "csrrc"))
            asm.op(operation, f"x{ctx.rd()}", name, f"x{temp}")
            asm.op("csrrs", f"x{ctx.rd()}", name, "x0")
    with asm.unsure():
        asm.op("csrrs", f"x{ctx.rd()}", rng.choice(("satp", "sie", "sip", "scounteren", "stvec")), "x0")


def returns(ctx: Context) -> None:
    """sret to the next instruction, in supervisor mode; illegal in user mode."""
    asm, rng = ctx.asm, ctx.rng
    if not ctx.user:
        return
    temp = rng.choice(ctx.free())
    place = asm.label("sret")
    if ctx.supervisor:
        asm.text(f"la x{temp}, {place}", f"csrw sepc, x{temp}", f"li x{temp}, 0x100", f"csrs sstatus, x{temp}")
        asm.text(f"li x{temp}, 0x20", f"csr{rng.choice('sc')} sstatus, x{temp}")
    with asm.unsure():
        asm.op("sret")
    asm.place(place)
