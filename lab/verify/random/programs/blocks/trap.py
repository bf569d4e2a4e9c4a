# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Exceptions and privilege changes of a random program.

Excluded because QEMU 7.2 differs from the specification: the supervisor fences (sfence.vma, hfence) without
supervisor mode, which QEMU executes in machine mode; mstatus.MPRV across a return to user mode, which QEMU does not
clear (privileged specification 3.1.6.1); registers above x15 on RV32E, which QEMU implements. Excluded because the
specification leaves them to custom or future extensions of the platform: CSR numbers 0x7C0 to 0x7FF, the CLIC's.
"""

from __future__ import annotations

from trapeze.platform.isa import Csr
from verify.random.instructions.isa import is_legal16, is_legal32
from verify.random.instructions.isa64 import is_legal16_64, is_legal32_64
from verify.random.programs.blocks import supervisor as supervisor_blocks
from verify.random.programs.blocks.data import alu
from verify.random.programs.context import CMD_MACHINE, CMD_SUPERVISOR, CMD_USER, Context

_ILLEGAL_SYSTEM = (0x10200073, 0x00200073, 0x7B200073, 0x70200073, 0x000000F3, 0x00008073, 0x00100173, 0x30208073)
_ABSENT_CSRS = (
    *(0x000, 0x001, 0x002, 0x003, 0x005, 0x008, 0x015, 0x100, 0x104, 0x105, 0x106, 0x140, 0x141, 0x142, 0x143, 0x144),
    *(
        0x14D,
        0x180,
        0x200,
        0x280,
        0x600,
        0x680,
        Csr.MSECCFG,
        Csr.MSECCFGH,
        0x5C0,
        0x8C0,
        0x9C0,
        0xC20,
        0xC21,
        0xCC0,
        0xDA0,
        0xE11,
    ),
)
_PRESENT_CSRS_64 = (0x001, 0x002, 0x003, 0x100, 0x104, 0x105, 0x106, 0x140, 0x141, 0x142, 0x143, 0x144, 0x180)
"""CSRs of F, and of supervisor mode."""
READ_ONLY_CSRS = (
    Csr.CYCLE,
    Csr.INSTRET,
    Csr.CYCLEH,
    Csr.INSTRETH,
    Csr.MVENDORID,
    Csr.MARCHID,
    Csr.MIMPID,
    Csr.MHARTID,
)
_MACHINE_CSRS = (
    Csr.MSTATUS,
    Csr.MISA,
    Csr.MIE,
    Csr.MTVEC,
    Csr.MCOUNTEREN,
    Csr.MCOUNTINHIBIT,
    Csr.MSCRATCH,
    Csr.MEPC,
    Csr.MCAUSE,
    Csr.MTVAL,
    Csr.MIP,
    Csr.MCYCLE,
    Csr.MINSTRET,
    Csr.MHARTID,
)


def illegal_word(ctx: Context) -> tuple[int, bool]:
    """Draw an illegal encoding.

    Returns:
        The encoding and whether it is a 32-bit one.
    """
    rng = ctx.rng
    if ctx.base.wide:
        return _illegal_wide(ctx)
    if rng.random() < 0.35:
        while is_legal16(half := rng.choice((0, rng.getrandbits(16))) & 0xFFFF) or half & 3 == 3:
            pass
        return half, False
    if rng.random() < 0.25:
        return rng.choice((*_ILLEGAL_SYSTEM, rng.getrandbits(17) << 15 | 0x4073 | rng.getrandbits(5) << 7)), True
    while True:
        opcode = rng.choice((0x03, 0x0F, 0x13, 0x23, 0x33, 0x63, 0x67, 0x3F, 0x7F, rng.getrandbits(5) << 2 | 3))
        word = rng.getrandbits(25) << 7 | opcode
        if rng.random() < 0.05:
            word = rng.choice((0xFFFFFFFF, 0x0000001F, 0xFFFF001F))
        if not is_legal32(word, ctx.base.atomic) and word & 0x7F != 0x73:
            return word, True


def _illegal_wide(ctx: Context) -> tuple[int, bool]:
    """The same for RV64 with F, D and supervisor mode."""
    rng = ctx.rng
    draw = rng.random()
    if draw < 0.3:
        while is_legal16_64(half := rng.choice((0, rng.getrandbits(16), rng.getrandbits(11) << 2 | 0x8000))):
            pass
        return half, False
    if draw < 0.5:
        return rng.choice((*_ILLEGAL_SYSTEM[1:], rng.getrandbits(17) << 15 | 0x4073 | rng.getrandbits(5) << 7)), True
    while True:
        word = rng.getrandbits(25) << 7 | rng.getrandbits(5) << 2 | 3
        if rng.random() < 0.05:
            word = rng.choice((0xFFFFFFFF, 0x0000001F, 0xFFFF001F))
        if not is_legal32_64(word):
            return word, True


def illegal(ctx: Context) -> None:
    """One or two illegal encodings, right behind what may still be in the pipeline."""
    for _ in range(ctx.rng.choice((1, 1, 2))):
        word, is_long = illegal_word(ctx)
        if is_long:
            ctx.asm.word(word)
        else:
            ctx.asm.half(word)


def breakpoint_(ctx: Context) -> None:
    """ebreak or c.ebreak."""
    ctx.asm.op("c.ebreak" if ctx.compressed() else "ebreak")


def ecall(ctx: Context) -> None:
    """An environment call that returns to the same mode: a checkpoint."""
    ctx.asm.op("ecall")
    if ctx.rng.random() < 0.3:
        command = CMD_SUPERVISOR if ctx.supervisor else CMD_USER if ctx.user else CMD_MACHINE
        ctx.asm.text(f"lui x0, {command}")


def data_fault(ctx: Context) -> None:
    """Loads and stores into holes, next to ones that succeed."""
    rng, asm = ctx.rng, ctx.asm
    pointer = rng.choice(ctx.free())
    is_load = rng.random() < 0.5
    name = rng.choice(tuple(ctx.base.loads if is_load else ctx.base.stores))
    address = ctx.hole((ctx.base.loads | ctx.base.stores)[name])
    offset = ctx.imm12() if rng.random() < 0.5 else 0
    asm.text(f"li x{pointer}, {(address - offset) & ctx.base.mask:#x}")
    with ctx.hold(*(() if rng.random() < 0.3 else (pointer,))):
        register = ctx.rd() if is_load else ctx.rs()
        if rng.random() < 0.3:
            alu(ctx, 1) if pointer in ctx.locked else None
    if 8 <= pointer <= 15 and 8 <= register <= 15 and offset == 0 and name in ("lw", "sw"):
        asm.op(f"c.{name}", f"x{register}", f"0(x{pointer})")
    else:
        asm.op(name, f"x{register}", f"{offset}(x{pointer})")


def edge_fault(ctx: Context) -> None:
    """A load or store whose second part lies behind the end of a bank.

    Whether the first part of such a store is performed is left open (unprivileged specification 2.6), so the word is
    rewritten afterwards.
    """
    rng, asm = ctx.rng, ctx.asm
    pointer = rng.choice(ctx.free())
    edge = rng.choice(ctx.platform.edges)
    name = rng.choice(("lh", "lhu", "lw", "sh", "sw", *(("lwu", "ld", "sd") if ctx.base.wide else ())))
    size = (ctx.base.loads | ctx.base.stores)[name]
    back = rng.randint(1, size - 1)
    asm.text(f"li x{pointer}, {edge - 4:#x}")
    with ctx.hold(pointer):
        asm.op(name, f"x{ctx.rd() if name in ctx.base.loads else ctx.rs()}", f"{4 - back}(x{pointer})")
        asm.op("sw", f"x{ctx.rs()}", f"0(x{pointer})")
        if name == "sd":
            asm.op("sw", f"x{ctx.rs()}", f"-4(x{pointer})")


def fetch_fault(ctx: Context) -> None:
    """Jump into a hole, or to an instruction that straddles the end of a bank."""
    rng, asm = ctx.rng, ctx.asm
    if ctx.link in ctx.locked:
        return
    temp = rng.choice([number for number in ctx.free() if number != ctx.link])
    if rng.random() < 0.25:
        address = rng.choice(ctx.platform.edges) - 2
        data = rng.choice([number for number in ctx.free() if number not in (ctx.link, temp)])
        low = rng.choice((0x0013, 0x006F, 0x0063, 0x0067, 0x0073, 0x0003, 0x0023, 0xFFFF))
        asm.text(f"li x{temp}, {address:#x}", f"li x{data}, {low:#x}")
        asm.op("sh", f"x{data}", f"0(x{temp})")
        asm.op("fence.i")
    else:
        asm.text(f"li x{temp}, {ctx.hole(4) & ~1:#x}")
    draw = rng.random()
    if draw < 0.4:
        asm.op("jalr", f"x{ctx.link}", f"0(x{temp})")
        return
    back = asm.label("back")
    asm.text(f"la x{ctx.link}, {back}")
    if draw < 0.55 and not ctx.user:
        asm.op("csrrci", "x0", "mstatus", 8)
        asm.op("csrrw", "x0", "mepc", f"x{temp}")
        asm.text(f"li x{temp}, 0x1880", f"csrs mstatus, x{temp}")
        asm.op("mret")
    elif draw < 0.7:
        asm.op("c.jr", f"x{temp}")
    else:
        with ctx.hold(ctx.link):
            asm.op("jalr", f"x{ctx.rd()}", f"0(x{temp})")
    asm.word(0x0000000B)
    asm.place(back)


def edge_code(ctx: Context) -> None:
    """Execute the last instruction of a bank: a return, or one that runs on into the hole."""
    rng, asm = ctx.rng, ctx.asm
    if ctx.link in ctx.locked:
        return
    temp, data = rng.sample([number for number in ctx.free() if number != ctx.link], 2)
    edge = rng.choice(ctx.platform.edges)
    back = 0x8002 | ctx.link << 7  # c.jr
    word, start = rng.choice(
        (
            (back << 16 | 0x0001, edge - 4),
            (back << 16 | 0x0001, edge - 2),
            (0x00000067 | ctx.link << 15, edge - 4),
            (0x00010001, edge - 4),
            (0x00010001, edge - 2),
            (0x00000013, edge - 4),
            (0x00130001, edge - 4),
        )
    )
    asm.text(f"li x{temp}, {edge - 4:#x}", f"li x{data}, {word:#x}")
    asm.op("sw", f"x{data}", f"0(x{temp})")
    asm.text("fence.i", f"addi x{temp}, x{temp}, {start - edge + 4}")
    asm.op("jalr", f"x{ctx.link}", f"0(x{temp})")


def csr_fault(ctx: Context) -> None:
    """CSR instructions that are illegal: absent, read-only, or (from user mode) machine CSRs."""
    rng, asm = ctx.rng, ctx.asm
    kinds = ("absent", "read-only", "machine") if ctx.user else ("absent", "read-only")
    kind = rng.choice(kinds)
    if kind == "read-only":
        name = rng.choice(("csrrw", "csrrs", "csrrc", "csrrwi", "csrrsi", "csrrci"))
        # QEMU 7.2 lets a set or clear pass if the register happens to hold 0; the cursor never does.
        register = ctx.rs() if name == "csrrw" else ctx.cursor
        source = str(rng.randrange(1, 32)) if name.endswith("i") else f"x{register}"
        with asm.unsure():
            asm.op(name, f"x{ctx.rd()}", f"{rng.choice(READ_ONLY_CSRS):#x}", source)
        return
    absent = tuple(one for one in _ABSENT_CSRS if not (ctx.base.wide and one in _PRESENT_CSRS_64))
    number = rng.choice(_MACHINE_CSRS if kind == "machine" else absent)
    name = rng.choice(("csrrw", "csrrs", "csrrc"))
    with asm.unsure():
        asm.op(name, f"x{ctx.rd()}", f"{number:#x}", f"x{ctx.rs()}")


def machine_only(ctx: Context) -> None:
    """mret in user mode is illegal, and so is wfi while mstatus.TW is set."""
    if ctx.user:
        with ctx.asm.unsure():
            ctx.asm.op("wfi" if ctx.timeout_wait else "mret")
    else:
        illegal(ctx)


def to_user(ctx: Context) -> None:
    """Leave machine mode by mret, or by the handler."""
    asm, rng = ctx.asm, ctx.rng
    if ctx.user:
        return
    if ctx.base.supervisor:
        _to_lower(ctx)
        return
    temp = rng.choice(ctx.free())
    asm.text(f"li x{temp}, 0x888", f"csrs mie, x{temp}")
    ctx.timeout_wait = rng.random() < 0.3
    asm.text(f"li x{temp}, 0x200000", f"{'csrs' if ctx.timeout_wait else 'csrc'} mstatus, x{temp}")
    if rng.random() < 0.4:
        asm.op("ecall")
        asm.text(f"lui x0, {CMD_USER}")
    else:
        place = asm.label("user")
        asm.op("csrrci", "x0", "mstatus", 8)
        asm.text(f"li x{temp}, 0x21880", f"csrc mstatus, x{temp}")
        if ctx.is_async or rng.random() < 0.5:  # MPIE has a known value, whatever interrupts did to it
            asm.text(f"li x{temp}, 0x80", f"csrs mstatus, x{temp}")
        asm.text(f"la x{temp}, {place}", f"csrw mepc, x{temp}")
        asm.op("mret")
        asm.word(0x0000000B)
        asm.place(place)
    ctx.user = True


def _to_lower(ctx: Context) -> None:
    """Leave machine mode where there is supervisor mode: to it or to user mode, with addresses translated or not."""
    asm, rng = ctx.asm, ctx.rng
    temp = rng.choice(ctx.free())
    asm.text(f"li x{temp}, 0x888", f"csrs mie, x{temp}")
    supervisor, translated = rng.random() < 0.5, rng.random() < 0.8
    ctx.timeout_wait, ctx.guarded = rng.random() < 0.3, rng.random() < 0.2
    settings = supervisor_blocks.settings(ctx)
    asm.op("csrrci", "x0", "mstatus", 8)
    asm.text(f"li x{temp}, {supervisor_blocks.SETTINGS | 0x21880:#x}", f"csrc mstatus, x{temp}")
    asm.text(f"li x{temp}, {settings:#x}", f"csrs mstatus, x{temp}")
    supervisor_blocks.enter(ctx, temp, supervisor, translated)
    if rng.random() < 0.4:
        asm.op("ecall")
        asm.text(f"lui x0, {CMD_SUPERVISOR if supervisor else CMD_USER}")
    else:
        place = asm.label("lower")
        way = rng.choice(("m", "s"))
        previous = {"m": 0x800, "s": 0x100}[way] if supervisor else 0
        asm.text(f"li x{temp}, 0x1900", f"csrc mstatus, x{temp}", f"li x{temp}, {previous | 0xA0:#x}")
        asm.text(f"csrs mstatus, x{temp}", f"la x{temp}, {place}", f"csrw {way}epc, x{temp}")
        asm.op(f"{way}ret")
        asm.word(0x0000000B)
        asm.place(place)
    ctx.user, ctx.supervisor, ctx.translated = True, supervisor, translated


def to_machine(ctx: Context) -> None:
    """Come back to machine mode by an ecall."""
    if not ctx.user:
        return
    ctx.asm.op("ecall")
    ctx.asm.text(f"lui x0, {CMD_MACHINE}")
    ctx.user = ctx.supervisor = ctx.translated = False
