# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Blocks of the main program of random programs for fastirq: registers, stack, frames that fault."""

from __future__ import annotations

from collections.abc import Callable

from verify.random.clic import blocks as clic_blocks
from verify.random.clic import devices as clic_devices
from verify.random.clic.handlers import pack
from verify.random.clic.work import State
from verify.random.fastirq import blocks, frames, returns
from verify.random.fastirq import layout as at
from verify.random.fastirq.handlers import TABLES
from verify.random.fastirq.layout import EMRET, MFRAME, MPIE, MPP, Check
from verify.random.fastirq.main import FastMain, compare_mail
from verify.random.instructions import arithmetic


def parade(main: FastMain) -> None:
    """Write every register, one after the other, again and again, while interrupts come."""
    rng, registers = main.rng, list(main.work.registers)
    rng.shuffle(registers)
    count, again = rng.randint(1, 6), main.asm.label("parade")
    if rng.random() < 0.7:
        main.pend()
    main.text(f"li x7, {count}")
    main.asm.place(again)
    plan: list[tuple[int, str, int]] = []
    for register in registers:
        name = rng.choice(("addi", "xori"))
        plan.append((register, name, rng.randint(-2048, 2047)))
        main.raw(f"{name} x{register}, x{register}, {plan[-1][2]}")
    main.text("addi x7, x7, -1", f"bnez x7, {again}")

    def step(state: State) -> None:
        for _ in range(count):
            for register, name, value in plan:
                before = state.registers[register]
                state.registers[register] = arithmetic.IMMEDIATE[name](before, value & arithmetic.MASK)

    main.work.steps.append(step)


def hold(main: FastMain) -> None:
    """Registers stay what they are over a stretch that does not write them."""
    rng, asm = main.rng, main.asm
    main.work.checksum()
    main.text("mv x6, x5")
    for _ in range(rng.randint(1, 4)):
        draw = rng.random()
        if draw < 0.5:
            source = main.any_source()
            value = main.word(source, 1, 1, 1)
            main.text(f"li x7, {main.clic.word(source):#x}", f"li x5, {value:#x}", "sw x5, 0(x7)")
        elif draw < 0.7:
            again = asm.label("again")
            main.text(f"li x7, {rng.randint(2, 40)}")
            asm.place(again)
            main.text("addi x7, x7, -1", f"bnez x7, {again}")
        elif draw < 0.85:
            register = rng.choice(main.work.registers)
            main.text(f"sw x3, {at.SPARE}(x3)", f"lw x7, {at.SPARE}(x3)", "divu x7, x7, x7")
            main.raw(f"mv x{register}, x{register}")
        else:
            main.text(rng.choice(("ecall", "ebreak", ".4byte 0", "csrr x7, mepc", "fence.i")))
        main.nops(4)
    main.work.checksum()
    main.require("x5", "x6", Check.HOLD)


def stack_in_flight(main: FastMain) -> None:
    """sp written in every way while interrupts come; always the top of some stack."""
    rng = main.rng
    for _ in range(rng.randint(1, 5)):
        top = main.stack()
        known = f"li x5, {top:#x}"
        slot = rng.choice((at.GOOD_SP, at.GOOD_SP, at.GOOD_FRAME + rng.randint(1, 3)))
        ways: tuple[tuple[str, ...], ...] = (
            (known, "mv sp, x5"),
            (known, f"sw x5, {slot}(x3)", f"lw sp, {slot}(x3)"),
            (known, f"sw x5, {slot}(x3)", f"lw sp, {slot}(x3)"),
            (f"addi sp, sp, -{16 * rng.randint(1, 30)}",),
            (f"li x5, {rng.choice((0x4000, 0x8000, 0xC000)):#x}", "xor sp, sp, x5"),
            (known, "csrw mscratch, x5", "csrrw sp, mscratch, sp"),
            (f"li sp, {top:#x}",),
            (f"li x5, {top >> 4:#x}", "slli sp, x5, 4"),
            (known, "li x7, 1", "mul sp, x5, x7"),
            (known, "li x7, 1", "divu sp, x5, x7"),
            (known, "addi x5, x5, 64", "addi sp, x5, -64"),
        )
        *before, last = rng.choice(main.asm.base.ways(ways))
        main.text(*before)
        if rng.random() < 0.7:
            source = main.any_source()
            value = main.word(source, 1, 1, 1)
            # x5 and x7 are in use.
            main.text(f"li x6, {main.clic.word(source):#x}", f"sw x5, {at.SPARE}(x3)", f"li x5, {value:#x}")
            main.text("sw x5, 0(x6)", f"lw x5, {at.SPARE}(x3)")
            main.nops(3)
        main.text(last)
        main.nops(3)
    main.text(f"li x5, {main.stack():#x}", "mv sp, x5")


def push_and_pop(main: FastMain) -> None:
    """Data on the stack, at once where a frame has just been."""
    rng = main.rng
    main.pin(1)
    size = 16 * rng.randint(1, 8)
    values = [rng.getrandbits(32) for _ in range(rng.randint(1, min(6, size // 4)))]
    if rng.random() < 0.6:
        main.pend()
        main.nops(5)
    places = rng.sample(range(size // 4), len(values))
    main.raw(f"addi sp, sp, -{size}")
    for place, value in zip(places, values, strict=True):
        main.text(f"li x5, {value:#x}", f"sw x5, {4 * place}(sp)")
    if rng.random() < 0.6:
        main.pend()
    main.work.some(3)
    for place, value in zip(places, values, strict=True):
        main.text(f"lw x5, {4 * place}(sp)", f"li x6, {value:#x}")
        main.require("x5", "x6", Check.STACK)
    main.raw(f"addi sp, sp, {size}")
    main.pin(0)


def mail(main: FastMain) -> None:
    """The register that handlers add to by way of the frame."""
    amount = main.rng.randint(0, 2047)
    if main.rng.random() < 0.5:
        main.pend()
    main.raw(f"addi x{main.kit.mail}, x{main.kit.mail}, {amount}")
    main.work.some(2)
    main.raw(f"addi x{main.kit.mail}, x{main.kit.mail}, {-amount}")
    compare_mail(main.kit, [main.named(name) for name in ("x5", "x6", "x7")], 0, Check.MAIL)


def spin(main: FastMain) -> None:
    """A loop that ends by a handler that changes mepc in its frame."""
    asm = main.asm
    again = asm.label("spin")
    main.text("csrw mintthresh, x0", f"la x5, {again}", f"sw x5, {at.SPIN_FIRST}(x3)", "addi x5, x5, 8")
    main.text(f"sw x5, {at.SPIN_LAST}(x3)", f"li x5, {main.clic.word(main.sources.skip):#x}", "li x6, 1")
    asm.place(again)
    main.text("sb x6, 0(x5)", "csrsi mstatus, 8", f"j {again}")
    main.text(f"sw x0, {at.SPIN_FIRST}(x3)", f"sw x0, {at.SPIN_LAST}(x3)")


def bad_stack(main: FastMain) -> None:
    """An interrupt while sp leads, wholly or in part, to no memory, or is not aligned."""
    rng, asm, layout = main.rng, main.asm, main.layout
    platform, clic, special = main.platform, main.clic, main.sources.special
    span = 4 * layout.words
    draw = rng.random()
    whole = is_part = False
    if draw < 0.25:
        frame = rng.choice((0x90000000, 0xFFFFF000, platform.imem.end, 0x80180000, 0x80210000)) + 4 * rng.randrange(64)
        whole = True
    elif draw < 0.5:
        frame = rng.choice((platform.imem.end, platform.dmem.end, platform.smem.end)) - 4 * rng.randrange(
            1, layout.words
        )
        is_part = True
    elif draw < 0.75:
        frame = platform.smem.base - 4 * rng.randrange(1, layout.words)
        is_part = True
    else:
        frame = main.stack()
    bad = frame + layout.size + (rng.randint(1, 3) if not whole and not is_part else rng.choice((0, 0, 1, 2, 3)))
    good_words = [
        frame + offset
        for offset in range(0, span, 4)
        if any(one.base <= frame + offset < one.end for one in (platform.imem, platform.dmem, platform.smem))
    ]
    handler, resume, over = asm.label("special"), asm.label("resume"), asm.label("over")
    main.raw(f"j {over}", ".balign 4, 0")
    asm.place(handler)
    _special(main, good_words)
    asm.place(over)
    main.off()
    main.only_level(254)
    main.text(f"la x6, {handler}")
    for index in range(TABLES):
        main.text(f"la x5, fast_table{index} + {4 * special}", "sw x6, 0(x5)")
    main.text("fence.i", f"li x5, {frame & ~3:#x}", f"sw x5, {at.BAD_FRAME}(x3)", f"li x5, {bad:#x}")
    main.text(f"sw x5, {at.GOOD_SP}(x3)", f"sw sp, {at.REAL_SP}(x3)", f"sw x0, {at.DONE}(x3)")
    main.text(f"lw x5, {at.STORE_FAULTS}(x3)", f"sw x5, {at.SPARE}(x3)")
    main.text(f"la x5, {resume}", f"sw x5, {at.GOOD_FRAME + layout.mepc}(x3)")
    main.text(f"li x5, {MPP | MPIE:#x}", f"sw x5, {at.GOOD_FRAME + layout.mcause}(x3)")
    for register in layout.caller:
        main.raw(f"sw x{register}, {at.GOOD_FRAME + layout.offset(register)}(x3)")
    value = pack(0, 1, rng.choice((3, 7)), 255)
    main.text(f"li x6, {clic.word(special):#x}", f"li x5, {value:#x}", "sw x5, 0(x6)", "li x5, 1")
    main.raw(f"lw sp, {at.GOOD_SP}(x3)")
    main.on()
    main.text("sb x5, 0(x6)")
    again = asm.label("again")
    asm.place(again)
    main.text(f"lw x7, {at.DONE}(x3)", f"beqz x7, {again}")
    asm.place(resume)
    main.raw(f"lw sp, {at.REAL_SP}(x3)")
    main.off()
    main.text(f"li x6, {clic.word(special):#x}", "sh x0, 0(x6)", "csrw mintthresh, x0")
    main.on()


def _special(main: FastMain, good_words: list[int]) -> None:
    """The handler of `bad_stack`. Nothing preempts it; it must not use the stack."""
    rng, asm, layout = main.rng, main.asm, main.layout
    caller = list(layout.caller)
    rng.shuffle(caller)
    a, b, c = (f"x{number}" for number in caller[:3])
    text = main.raw
    text(f"li {a}, 1", f"sw {a}, {at.DONE}(x3)")
    kind = rng.choice(("at once", "later", "wait", "other frame", "touch", "leave"))
    if kind == "later":
        text(*["nop"] * rng.randint(0, 40))
        if rng.random() < 0.5 and asm.base.has("divu"):
            text(f"li {a}, 7", f"divu {b}, {a}, {a}")
    if kind in ("wait", "other frame"):
        again, seen = asm.label("again"), asm.label("seen")
        text(f"li {c}, {rng.choice((1, 5, 60))}")
        asm.place(again)
        text(f"lw {a}, {at.STORE_FAULTS}(x3)", f"lw {b}, {at.SPARE}(x3)", f"bne {a}, {b}, {seen}")
        text(f"addi {c}, {c}, -1", f"bnez {c}, {again}")
        asm.place(seen)
    if kind == "touch" and good_words:
        text(f"li {a}, {rng.choice(good_words):#x}", f"lw {b}, 0({a})", f"sw {b}, 0({a})")
    if kind == "leave":
        text(*["nop"] * rng.randint(0, 30), f"addi sp, x3, {at.GOOD_FRAME}")
    if kind == "other frame":
        _through_other_frame(main)
    text(f".4byte {EMRET:#x}")


def _through_other_frame(main: FastMain) -> None:
    """A return from one place of a handler to another, by a frame that it made; then sp is what it was."""
    rng, asm, layout = main.rng, main.asm, main.layout
    go_on = asm.label("go_on")
    values = {register: rng.getrandbits(32) for register in layout.caller}
    a, b = (f"x{number}" for number in rng.sample(layout.caller, 2))
    announce = f"addi {a}, x3, {at.OTHER_FRAME}", f"csrw {MFRAME:#x}, {a}"
    if rng.random() < 0.4:
        main.raw(*announce)
    for register, value in values.items():
        main.raw(f"li {a}, {value:#x}", f"sw {a}, {at.OTHER_FRAME + layout.offset(register)}(x3)")
    main.raw(f"la {a}, {go_on}", f"sw {a}, {at.OTHER_FRAME + layout.mepc}(x3)", f"li {a}, {MPP | 255 << 16:#x}")
    main.raw(f"sw {a}, {at.OTHER_FRAME + layout.mcause}(x3)", f"sw sp, {at.AREA}(x3)")
    if rng.random() < 0.4:
        main.raw(*announce, *["nop"] * rng.choice((0, 3, 30)))
    main.raw(f"addi sp, x3, {at.OTHER_FRAME}", f".4byte {EMRET:#x}")
    asm.place(go_on)
    total = 0
    main.raw(f"mv {a}, x0")
    for register in (number for number in layout.caller if f"x{number}" not in (a, b)):
        main.raw(f"add {a}, {a}, x{register}")
        total += values[register]
    main.raw(f"li {b}, {total & arithmetic.MASK:#x}")
    main.kit.require(a, b, Check.FRAME)
    main.raw(f"lw sp, {at.AREA}(x3)")


def user_mode(main: FastMain) -> None:
    """Work in user mode."""
    blocks.user_mode(main, parade, push_and_pop, mail)


Block = Callable[[FastMain], None]

WEIGHTS: dict[str, tuple[Block, int]] = {
    "plain_work": (clic_blocks.plain_work, 12),
    "parade": (parade, 14),
    "hold": (hold, 10),
    "stack_in_flight": (stack_in_flight, 14),
    "push_and_pop": (push_and_pop, 8),
    "mail": (mail, 6),
    "spin": (spin, 3),
    "next_task": (blocks.next_task, 6),
    "bad_stack": (bad_stack, 6),
    "blind_stores": (frames.blind_stores, 10),
    "overlap": (frames.overlap, 4),
    "write_source": (blocks.write_source, 16),
    "enable": (blocks.enable, 12),
    "burst": (blocks.burst, 10),
    "tower": (blocks.tower, 8),
    "rungs": (blocks.rungs, 10),
    "ladder": (blocks.ladder, 4),
    "race": (blocks.race, 10),
    "level_bits": (blocks.level_bits, 3),
    "threshold": (clic_blocks.threshold, 5),
    "locked_work": (clic_blocks.locked_work, 4),
    "read_back": (clic_blocks.read_back, 3),
    "misaligned": (clic_blocks.misaligned, 1),
    "ask": (clic_blocks.ask, 3),
    "claim": (blocks.claim, 4),
    "call_all": (blocks.call_all, 5),
    "user_mode": (user_mode, 12),
    "reserved": (clic_blocks.reserved, 2),
    "swap": (clic_blocks.swap, 2),
    "registers": (blocks.registers, 3),
    "entry": (blocks.entry, 4),
    "table": (blocks.table, 4),
    "control": (blocks.control, 8),
    "classic": (blocks.classic, 4),
    "wait": (clic_blocks.wait, 3),
    "timer": (clic_devices.timer, 3),
    "software": (clic_devices.software, 2),
    "external": (clic_devices.external, 2),
    "a_device": (clic_devices.a_device, 4),
    "bad_table": (blocks.bad_table, 4),
    "fetch_again": (blocks.fetch_again, 4),
    "by_own_frame": (returns.by_own_frame, 8),
}
"""Block name to emitter and weight."""
