# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Blocks for lockstep only: what the specification leaves to the platform, and what depends on time.

The platform's choices are those of `docs/core.md`; both engines must make them alike: WARL and WLRL fields take any
value here, counters are read and written anywhere, interrupts come at any time, trap entries lie at any legal address.
"""

from __future__ import annotations

from trapeze.platform.isa import Csr
from verify.random.instructions.isa import BRANCHES, CSR_OPS, LOADS, STORES
from verify.random.programs.blocks import csr
from verify.random.programs.blocks.data import alu
from verify.random.programs.blocks.trap import READ_ONLY_CSRS
from verify.random.programs.context import CMD_MACHINE, Context
from verify.random.programs.harness_lockstep import DIRECT_ENTRIES

_WRITABLE = (
    *(Csr.MSTATUS, Csr.MISA, Csr.MIE, Csr.MCOUNTEREN, Csr.MSTATUSH, Csr.MENVCFG, Csr.MENVCFGH, Csr.MCOUNTINHIBIT),
    *(Csr.MSCRATCH, Csr.MEPC, Csr.MCAUSE, Csr.MTVAL, Csr.MIP),
    *(Csr.MSTATUS, Csr.MSCRATCH, Csr.MEPC, Csr.MCAUSE, Csr.MTVAL, Csr.MCYCLE, Csr.MINSTRET, Csr.MCYCLEH, Csr.MINSTRETH),
)
_READABLE = (*_WRITABLE, *READ_ONLY_CSRS, Csr.MCONFIGPTR)
_TIMER = 0x80
_MULTIPLY = ("mul", "mulh", "mulhsu", "mulhu", "div", "divu", "rem", "remu")


def interrupts_off(ctx: Context) -> None:
    """Interrupts off, in machine mode."""
    ctx.asm.op("csrrci", "x0", "mstatus", csr.MIE)


def interrupts_on(ctx: Context) -> None:
    """Back to the base line of machine mode: MPRV and TW off, some interrupts enabled, the timer among them."""
    rng = ctx.rng
    temp = rng.choice(ctx.free())
    mask = rng.choice((0xFFFF0000, 0xFFFF0000, rng.getrandbits(16) << 16)) | rng.choice((0x888, 0x80)) | _TIMER
    ctx.asm.text(f"li x{temp}, 0x220000", f"csrc mstatus, x{temp}", f"li x{temp}, {mask:#x}", f"csrw mie, x{temp}")
    if rng.random() < 0.9:
        ctx.asm.op("csrrsi", "x0", "mstatus", csr.MIE)


def _number(ctx: Context, numbers: tuple[int, ...]) -> int:
    """Draw a CSR, now and then one of those that read as zero."""
    rng = ctx.rng
    if rng.random() < 0.1:
        return rng.choice((Csr.MCYCLE, Csr.MCYCLEH, Csr.MCOUNTINHIBIT)) + rng.randrange(3, 32)
    return rng.choice(numbers)


def any_csr(ctx: Context) -> None:
    """Any CSR instruction on any CSR with any value; only mtvec keeps pointing at an entry."""
    if ctx.user:
        return
    rng, asm = ctx.rng, ctx.asm
    interrupts_off(ctx)
    for _ in range(rng.randint(2, 8)):
        name = rng.choice(CSR_OPS)
        number = _number(ctx, _WRITABLE)
        if rng.random() < 0.4:
            asm.text(f"li x{rng.choice(ctx.free())}, {ctx.value():#x}")
        source = str(rng.randrange(32)) if name.endswith("i") else f"x{ctx.rs()}"
        asm.op(name, f"x{ctx.rd()}", f"{number:#x}", source)
        if rng.random() < 0.5:
            asm.op("csrrs", f"x{ctx.rd()}", f"{rng.choice((number, _number(ctx, _READABLE))):#x}", "x0")
        if rng.random() < 0.15:
            asm.op(rng.choice(("ecall", "ebreak", "c.ebreak")))
    interrupts_on(ctx)


def counters(ctx: Context) -> None:
    """Counters read, written and inhibited, with instructions between that must be counted."""
    if ctx.user:
        return
    rng, asm = ctx.rng, ctx.asm
    for _ in range(rng.randint(2, 6)):
        draw = rng.random()
        number = rng.choice((Csr.MINSTRET, Csr.MINSTRETH, Csr.MINSTRET, Csr.MCYCLE, Csr.MCYCLEH))
        if draw < 0.35:
            temp = rng.choice(ctx.free())
            asm.text(f"li x{temp}, {rng.choice((0xFFFFFFFE, 0xFFFFFFF0, 0xFFFFFFFF, 0, ctx.value())):#x}")
            asm.op("csrrw", f"x{ctx.rd()}", f"{number:#x}", f"x{temp}")
        elif draw < 0.5:
            name = rng.choice(("csrrwi", "csrrsi", "csrrci"))
            asm.op(name, f"x{ctx.rd()}", "mcountinhibit", rng.choice((0, 1, 4, 5)))
        elif draw < 0.6:
            asm.op("ecall")
        else:
            alu(ctx, rng.randint(0, 3))
        for _ in range(rng.randint(0, 2)):
            asm.op(
                "csrrs",
                f"x{ctx.rd()}",
                f"{rng.choice((Csr.MINSTRET, Csr.MINSTRETH, Csr.INSTRET, Csr.INSTRETH, Csr.MCYCLE)):#x}",
                "x0",
            )
    asm.op("csrrwi", "x0", "mcountinhibit", 0)


def entry(ctx: Context) -> None:
    """Move the trap entry; with the bits of a vectored base that are forced to zero."""
    if ctx.user:
        return
    rng, asm = ctx.rng, ctx.asm
    register = rng.choice(ctx.free())
    if rng.random() < 0.5:
        asm.text(f"la x{register}, trap_vec + {1 + 2 * rng.randrange(64)}")
    else:
        asm.text(f"la x{register}, trap_d{rng.randrange(DIRECT_ENTRIES)} + {rng.choice((0, 2))}")
    asm.op("csrrw", f"x{ctx.rd()}", "mtvec", f"x{register}")
    asm.op("csrrs", f"x{ctx.rd()}", "mtvec", "x0")
    if rng.random() < 0.5:
        asm.op(rng.choice(("ecall", "ebreak")))


def any_return(ctx: Context) -> None:
    """mret with any MPP, MPIE, MPRV and TW, and what it leaves in mstatus."""
    if ctx.user:
        return
    rng, asm = ctx.rng, ctx.asm
    temp = rng.choice(ctx.free())
    place = asm.label("ret")
    interrupts_off(ctx)
    bits = (0x80, 0x800, 0x1000, 0x20000, 0x200000)
    asm.text(f"li x{temp}, {sum(bit for bit in bits if rng.random() < 0.5):#x}")
    asm.op("csrrw", f"x{ctx.rd()}", "mstatus", f"x{temp}")
    if rng.random() < 0.5:
        asm.op("csrrs", f"x{ctx.rd()}", "mstatus", "x0")
    odd = rng.randrange(2)  # bit 0 of mepc does not exist
    asm.text(f"la x{temp}, {place} + {odd}", f"csrw mepc, x{temp}")
    asm.op("mret")
    asm.half(0)
    asm.place(place)
    alu(ctx, rng.randint(0, 2))
    with asm.unsure():
        asm.op(rng.choice(("csrrs", "csrrc")), f"x{ctx.rd()}", rng.choice(("mstatus", "instret", "mcause")), "x0")
    asm.op("ecall")
    asm.text(f"lui x0, {CMD_MACHINE}")
    asm.op("csrrs", f"x{ctx.rd()}", "mstatus", "x0")
    interrupts_on(ctx)


def timer(ctx: Context) -> None:
    """Let the timer fire soon; read back what is in the CLINT."""
    rng, asm = ctx.rng, ctx.asm
    pointer, temp = ctx.take(2)
    asm.text(f"li x{pointer}, {ctx.platform.mtime:#x}", f"lw x{temp}, 0(x{pointer})")
    asm.text(f"addi x{temp}, x{temp}, {rng.choice((0, 1, 3, 10, 20, 40, 80, rng.randint(5, 400)))}")
    if rng.random() < 0.1:
        asm.text(f"sw x{temp}, 0(x{pointer})")
    asm.text(f"li x{pointer}, {ctx.platform.mtimecmp:#x}", f"sw x{temp}, 0(x{pointer})", f"sw x0, 4(x{pointer})")
    if rng.random() < 0.3:
        asm.text(f"lw x{temp}, {rng.choice((0, 4))}(x{pointer})")
    alu(ctx, rng.randint(0, 3))


def software(ctx: Context) -> None:
    """Make the software interrupt pending, and perhaps not."""
    rng, asm = ctx.rng, ctx.asm
    pointer, temp = ctx.take(2)
    value = rng.choice((1, 1, 1, 0, 0xFFFFFFFE, 0xFFFFFFFF))
    asm.text(f"li x{pointer}, {ctx.platform.msip:#x}", f"li x{temp}, {value:#x}")
    asm.op(rng.choice(("sw", "sw", "sh", "sb")), f"x{temp}", f"0(x{pointer})")
    if rng.random() < 0.3:
        asm.text(f"lw x{temp}, 0(x{pointer})")
        asm.text(f"csrr x{temp}, mip") if not ctx.user else None


def external(ctx: Context) -> None:
    """Let the UART ask for attention, or use its scratch register."""
    rng, asm = ctx.rng, ctx.asm
    pointer, temp = ctx.take(2)
    platform = ctx.platform
    asm.text(f"li x{pointer}, {platform.uart:#x}")
    if rng.random() < 0.5:
        asm.text(f"li x{temp}, {rng.choice((2, 2, 1, 3))}")
        asm.text(f"sb x{temp}, {platform.uart_ier - platform.uart}(x{pointer})")
    else:
        offset = platform.uart_scr - platform.uart
        asm.text(f"sb x{ctx.rs()}, {offset}(x{pointer})", f"lbu x{temp}, {offset}(x{pointer})")


def wait(ctx: Context) -> None:
    """WFI with the timer on its way, with interrupts on or off."""
    rng, asm = ctx.rng, ctx.asm
    if ctx.user:
        timer(ctx)
        asm.op("wfi")
        return
    temp = rng.choice(ctx.free())
    is_off = rng.random() < 0.4
    if is_off:
        interrupts_off(ctx)
    asm.text(f"li x{temp}, {_TIMER:#x}", f"csrs mie, x{temp}")
    timer(ctx)
    asm.op("wfi")
    if is_off:
        alu(ctx, rng.randint(0, 2))
        asm.op("csrrsi", f"x{ctx.rd()}", "mstatus", csr.MIE)


def interrupt(ctx: Context) -> None:
    """An interrupt at a place that the specification fixes, in machine mode; anywhere, in user mode."""
    (software if ctx.user else csr.interrupt)(ctx)


def divisions(ctx: Context) -> None:
    """Divisions back to back, to be interrupted, some with operands that have just been loaded."""
    rng, asm = ctx.rng, ctx.asm
    if not ctx.base.known(_MULTIPLY):
        asm.op(rng.choice(_MULTIPLY), f"x{ctx.rd()}", f"x{ctx.rs()}", f"x{ctx.rs()}")  # none exists
        return
    pointer = rng.choice(ctx.free())
    asm.text(f"li x{pointer}, {ctx.platform.scratch[0].base + 4 * rng.randrange(64):#x}")
    with ctx.hold(pointer):
        for _ in range(rng.randint(2, 5)):
            first, second = ctx.rs(), ctx.rs()
            if rng.random() < 0.4:
                first = ctx.rd(zero=False)
                asm.op(rng.choice(tuple(LOADS)), f"x{first}", f"{rng.randrange(256)}(x{pointer})")
            if rng.random() < 0.5:
                first, second = second, first
            asm.op(rng.choice(_MULTIPLY), f"x{ctx.rd()}", f"x{first}", f"x{second}")


def late(ctx: Context) -> None:
    """Loads whose data are needed at once, by every kind of instruction and in either operand."""
    rng, asm = ctx.rng, ctx.asm
    pointer, value, other = ctx.take(3)
    base = ctx.platform.scratch[0].base + rng.randrange(512)
    asm.text(f"li x{pointer}, {base:#x}")
    with ctx.hold(pointer, value, other):
        for _ in range(rng.randint(1, 4)):
            name = rng.choice(("lw", "lw", *LOADS))
            if rng.random() < 0.4:
                asm.op(rng.choice(tuple(LOADS)), f"x{other}", f"{rng.randrange(1024)}(x{pointer})")
            asm.op(name, f"x{value}", f"{rng.randrange(1024)}(x{pointer})")
            for _ in range(rng.randint(1, 2)):
                _use(ctx, pointer, value, other)


def _use(ctx: Context, pointer: int, value: int, other: int) -> None:
    """One instruction that reads `value`, which a load is about to bring."""
    rng, asm = ctx.rng, ctx.asm
    pair = [f"x{value}", f"x{rng.choice((other, other, value, pointer, ctx.rs()))}"]
    rng.shuffle(pair)
    draw = rng.random()
    if draw < 0.35:
        name = ctx.instruction(("add", "sub", "xor", "sltu", "sh2add", "andn", "ror", "max", *_MULTIPLY))
        asm.op(name, f"x{ctx.rd()}", *pair)
    elif draw < 0.5:
        asm.op(rng.choice(tuple(STORES)), f"x{value}", f"{rng.randrange(1024)}(x{pointer})")
    elif draw < 0.65:
        over = asm.label("late")
        asm.op(rng.choice(BRANCHES), *pair, over)
        with asm.unsure():
            alu(ctx, 1)
        asm.place(over)
    elif draw < 0.75:  # an address that has just been loaded
        offset = 4 * rng.randrange(64)
        asm.op("sw", f"x{pointer}", f"{offset}(x{pointer})")
        asm.op("lw", f"x{value}", f"{offset}(x{pointer})")
        if rng.random() < 0.5:
            asm.op(rng.choice(tuple(LOADS)), f"x{value}", f"{rng.randrange(1024)}(x{value})")
        else:
            asm.op(rng.choice(tuple(STORES)), f"x{rng.choice((value, other))}", f"{rng.randrange(1024)}(x{value})")
    elif draw < 0.85:
        place = asm.label("loaded")
        # Without C sometimes a half-word address: the jump traps, and so does the instruction behind it.
        half = " + 2" if not ctx.base.compressed and rng.random() < 0.3 else ""
        asm.text(f"la x{other}, {place}{half}")
        asm.op("sw", f"x{other}", f"0(x{pointer})")
        asm.op("lw", f"x{value}", f"0(x{pointer})")
        asm.op("jalr", f"x{ctx.rd()}", f"0(x{value})")
        asm.half(0)
        asm.place(place)
    elif not ctx.user:
        asm.op(rng.choice(("csrrw", "csrrs", "csrrc")), f"x{ctx.rd()}", "mscratch", f"x{value}")
    else:
        asm.op("addi", f"x{ctx.rd()}", f"x{value}", ctx.imm12())


def _reserved_half(ctx: Context) -> int:
    """A compressed encoding that RV32C reserves or leaves to extensions that are absent."""
    rng = ctx.rng
    register, low, three = rng.randrange(1, ctx.base.registers), rng.randrange(32), rng.randrange(8)
    return rng.choice(
        (
            *(0x9001 | three << 7 | low << 2, 0x9401 | three << 7 | low << 2),  # c.srli, c.srai by 32 and more
            *(0x1002 | register << 7 | low << 2, 0x9C01 | three << 7 | low << 2),  # c.slli likewise, c.subw and others
            *(0x0000 | three << 2, 0x6001 | register << 7, 0x4002 | low << 2, 0x8002),  # zero immediate, rd = x0
            *(rng.choice((1, 3, 4, 5, 7)) << 13 | rng.getrandbits(11) << 2, 0x2002 | register << 7 | low << 2),
            *(0x6002 | register << 7 | low << 2, 0xA002 | rng.getrandbits(11) << 2, 0xE002 | rng.getrandbits(11) << 2),
        )
    )


def any_word(ctx: Context) -> None:
    """Any encoding of the arithmetic opcodes: instructions are executed, other words trap."""
    rng, asm = ctx.rng, ctx.asm
    for _ in range(rng.randint(1, 4)):
        if rng.random() < 0.4:
            asm.half(_reserved_half(ctx))
            continue
        funct7 = rng.choice((rng.getrandbits(7), 0, 1, 0x20, 0x10, 0x05, 0x30, 0x24, 0x34, 0x14, 0x04))
        rest = funct7 << 25 | rng.getrandbits(5) << 20 | ctx.rs() << 15 | rng.getrandbits(3) << 12 | ctx.rd() << 7
        asm.word(rest | rng.choice((0x13, 0x33)))


def system_word(ctx: Context) -> None:
    """Words of the SYSTEM opcode that are no instruction here: supervisor fences and returns, hypervisor, reserved."""
    rng = ctx.rng
    word = rng.choice((0x12000073, 0x10200073, 0x00200073, 0x16000073, 0x18000073, 0x7B200073, 0x30200073 | 1 << 15))
    if rng.random() < 0.5:
        word = rng.getrandbits(17) << 15 | 0x4073 | rng.getrandbits(5) << 7
    ctx.asm.word(word)


def upper_registers(ctx: Context) -> None:
    """On RV32E, instructions that name x16 and above; on RV32I others."""
    if ctx.base.registers != 16:
        any_word(ctx)
        return
    rng = ctx.rng
    rd, rs1, rs2 = (rng.choice((16, 17, 24, 31, 0, 5)) for _ in range(3))
    if max(rd, rs1, rs2) < 16:
        rs2 = 16
    shapes = ((0x33, 0), (0x33, 4), (0x03, 2), (0x23, 2), (0x63, 0), (0x67, 0), (0x13, 0), (0x73, 1))
    opcode, funct3 = rng.choice(shapes)
    if opcode not in (0x33, 0x23, 0x63):  # rs2 is no register there
        rd, rs2 = (rd, rs2) if max(rd, rs1) >= 16 else (16, rs2)
    if opcode in (0x23, 0x63):  # nor rd
        rs1 = rs1 if max(rs1, rs2) >= 16 else 16
    word = rs2 << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode
    if rng.random() < 0.3:
        upper = rng.choice((16, 17, 31))
        ctx.asm.half(rng.choice((0x0005 | upper << 7, 0x4001 | upper << 7, 0x8006 | upper << 7, 0xC002 | upper << 2)))
    else:
        ctx.asm.word(word)


def any_fault(ctx: Context) -> None:
    """Accesses outside all regions at any alignment, narrow ones to the host port, and fetches from devices."""
    rng, asm = ctx.rng, ctx.asm
    pointer = rng.choice(ctx.free())
    if rng.random() < 0.1:
        asm.text(f"li x{pointer}, {ctx.platform.finisher:#x}")
        other = rng.choice([number for number in ctx.free() if number != pointer])
        asm.op(rng.choice(("sb", "lb", "lbu")), f"x{other}", f"0(x{pointer})")
    elif rng.random() < 0.7 or ctx.link in ctx.locked or pointer == ctx.link:
        regions = (*ctx.platform.any_holes, *ctx.platform.aligned_holes)
        region = rng.choice(regions)
        address = rng.choice((region.base, region.end - 4, rng.randrange(region.base, region.end - 4)))
        name = rng.choice((*LOADS, *STORES))
        asm.text(f"li x{pointer}, {address:#x}")
        if rng.random() < 0.3:
            asm.op("lw", f"x{rng.choice([n for n in ctx.free() if n != pointer])}", f"0(x{ctx.cursor})")
        second = rng.choice([number for number in ctx.free() if number != pointer])
        asm.text(f"li x{second}, {ctx.platform.scratch[0].base + 4 * rng.randrange(500):#x}")
        with ctx.hold(second, pointer):
            asm.op(name, f"x{ctx.rd() if name in LOADS else ctx.rs()}", f"0(x{pointer})")
            # The handler passes over a store here; what the memory holds must not have changed.
            asm.op(rng.choice((*STORES, "lw")), f"x{pointer}", f"0(x{second})")
        if rng.random() < 0.7:
            asm.op("lw", f"x{pointer}", f"0(x{second})")
    else:
        asm.text(f"li x{pointer}, {rng.choice(ctx.platform.devices) + rng.choice((0, 2)):#x}")
        asm.op("jalr", f"x{ctx.link}", f"0(x{pointer})")
