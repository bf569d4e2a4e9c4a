# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Blocks of the main program of random programs for fastirq: sources, levels, modes, and fastirq itself.

Between blocks the program is in machine mode at level 0 with interrupts on and fastirq on; sp is in one of its four
stacks, on which nothing is held. Vectored sources stay vectored.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from verify.random.clic import blocks as clic_blocks
from verify.random.clic.blocks import machine_only, plain_work, write_parts
from verify.random.clic.handlers import ENTRIES, FUEL, RECOVER, pack
from verify.random.fastirq import layout as at
from verify.random.fastirq.handlers import TABLES
from verify.random.fastirq.layout import EMRET, ENABLE, MFASTIRQ, MINHV, MPIE, MPP, NEST
from verify.random.fastirq.main import FastMain, Shared, tower_lines


def fuel(main: FastMain, most: int) -> None:
    """How often handlers may raise a source."""
    main.text(f"li x5, {main.rng.randint(0, most)}", f"sw x5, {FUEL}(x3)")


def write_source(main: FastMain) -> None:
    """Write parts of some sources, as far as they may change."""
    choice = main.rng.choice
    write_parts(main, lambda source: main.word(source, choice((0, 1, 1)), choice((0, 1, 1, 1))))


def enable(main: FastMain) -> None:
    """Enable and disable sources, and change nothing else: interrupts that came meanwhile are still pending."""
    rng, clic = main.rng, main.clic
    for _ in range(rng.randint(1, 6)):
        source, offset = main.any_source(), rng.choice((1, 1, 1, 2))
        value = rng.choice((0, 1)) if offset == 1 else main.kit.attributes(source, edge=1)
        main.text(f"li x6, {clic.word(source) + offset:#x}", f"li x5, {value}", "sb x5, 0(x6)")
    main.work.some(3)


def burst(main: FastMain) -> None:
    """Make several sources pending at once, or one behind the other."""
    rng = main.rng
    is_locked = rng.random() < 0.6
    fuel(main, 14)
    if is_locked:
        main.off()
    for source in rng.sample(main.sources.free, min(len(main.sources.free), rng.randint(2, 8))):
        main.pend(source)
    if is_locked:
        main.work.some(3)
        main.on()
    main.work.some(4)


def tower(main: FastMain) -> None:
    """The first platform lines, each above the one before it, so that lines in a row nest."""
    rng, clic = main.rng, main.clic
    main.text(f"li x6, {clic.base:#x}", "li x5, 8", "sb x5, 0(x6)")
    few = main.sources.few
    main.raw(*(main.named(line) for line in tower_lines(main.kit)))
    main.work.some(4)
    fuel(main, 30)
    for source in few:
        if rng.random() < 0.5:
            main.text(f"li x6, {clic.word(source):#x}", "li x5, 1", "sb x5, 0(x6)")
            main.nops(3)


def rungs(main: FastMain) -> None:
    """Raise a source whose handler raises the next one at once, and that the next one."""
    for _ in range(main.rng.randint(1, 3)):
        rung = main.rng.choice(main.sources.rungs[:3])
        main.text(f"li x6, {main.clic.word(rung):#x}", "li x5, 1", "sb x5, 0(x6)")
        main.work.some(2)


def level_bits(main: FastMain) -> None:
    """Change how many bits of ctl are the level, unless levels are to stay apart."""
    if not main.sources.is_tower:
        clic_blocks.level_bits(main)
    main.work.some(2)


def ladder(main: FastMain) -> None:
    """The most levels, with handlers that raise sources above their own level."""
    main.text(f"li x6, {main.clic.base:#x}", "li x5, 8", "sb x5, 0(x6)", "li x5, 40", f"sw x5, {FUEL}(x3)")
    main.pend(ctl=main.rng.randint(1, 40))
    main.work.some(4)


def race(main: FastMain) -> None:
    """Make a source pending, and within a few instructions take it back, mask it, or change what it is."""
    clic = main.clic
    source = main.any_source()
    value = main.word(source, 0, 1, 1, 200)
    main.text(f"li x6, {clic.word(source):#x}", f"li x5, {value:#x}", "sw x5, 0(x6)", "li x5, 1", "li x7, 0xff")
    ends = [
        *("sb x0, 0(x6)", "sb x0, 1(x6)", "sb x0, 3(x6)", "csrw mintthresh, x7", "csrci mstatus, 8", "sh x0, 0(x6)"),
        *("sb x7, 2(x6)", "sb x5, 2(x6)", "csrr x7, mnxti", "lbu x7, 0(x6)", "lw x7, 0(x6)"),
        *(f"csrci {MFASTIRQ:#x}, {NEST}", f"csrsi {MFASTIRQ:#x}, {NEST}", "fence.i"),
    ]
    if source not in main.sources.vectored:
        ends += ["sb x0, 2(x6)", "sw x0, 0(x6)"]
    clic_blocks.raise_and_end(main, ends)


def claim(main: FastMain) -> None:
    """xnxti with effect, of sources that are not vectored."""
    main.off()
    clic_blocks.claim(replace(main, clic=Shared.of(main.sources, only_callable=True)))


def call_all(main: FastMain) -> None:
    """Call the handlers of all that qualify by jalxnxti or xnxti, as functions."""
    rng, asm, layout = main.rng, main.asm, main.layout
    main.off()
    main.pin(1)
    main.raw(*(f"sw x{number}, {at.AREA + 4 * index}(x3)" for index, number in enumerate(layout.caller)))
    if rng.random() < 0.7:
        source = rng.choice(main.sources.callable)
        value = pack(1, 1, 2, main.control())
        main.text(f"li x6, {main.clic.word(source):#x}", f"li x5, {value:#x}", "sw x5, 0(x6)")
        main.nops(3)
    cause = MPP | rng.choice((0, 0, rng.randrange(256))) << 16
    main.text(f"li x5, {cause:#x}", "csrw mcause, x5")
    if rng.random() < 0.5:
        main.raw("csrrw x1, jalmnxti, x1")
    else:
        again, done = asm.label("again"), asm.label("done")
        asm.place(again)
        main.raw("csrrsi x10, mnxti, 8", f"beqz x10, {done}", "lw x11, 0(x10)", "jalr x1, 0(x11)", f"j {again}")
        asm.place(done)
    main.off()
    main.raw(*(f"lw x{number}, {at.AREA + 4 * index}(x3)" for index, number in enumerate(layout.caller)))
    main.pin(0)
    main.become(3, True, 0)


def user_mode(main: FastMain, *more: Callable[[FastMain], None]) -> None:
    """Work in user mode, where every interrupt comes through, and back; `more` are blocks that may run there."""
    rng = main.rng
    main.off()
    if rng.random() < 0.4:
        main.text(f"li x5, {rng.randrange(256)}", "csrw mintthresh, x5")
    main.become(0, rng.random() < 0.5, rng.choice((0, 0, 0, rng.randrange(256))))
    blocks = (plain_work, plain_work, write_source, machine_only, _user_stack, next_task, rungs, *more)
    blocks += (clic_blocks.user_registers,) * (2 * main.clic.user)
    for _ in range(rng.randint(0, 8)):
        rng.choice(blocks)(main)
    if rng.random() < 0.3:
        main.pend()
    main.text("ecall", "csrr x5, mintthresh")


def _user_stack(main: FastMain) -> None:
    """What has to do with sp and fastirq in user mode."""
    main.raw(
        main.rng.choice(
            (
                "addi sp, sp, -16\n\tsw x0, 0(sp)\n\taddi sp, sp, 16",
                f".4byte {EMRET:#x}",
                "ebreak",
                main.named(f"csrr x5, {MFASTIRQ:#x}"),
                main.named("mv x5, sp\n\taddi sp, sp, -64\n\tmv sp, x5"),
                main.named("li x5, 0x40\n\tsub sp, sp, x5\n\tadd sp, sp, x5"),
            )
        )
    )


def registers(main: FastMain) -> None:
    """Any value into the CSRs that matter; the next trap overwrites what is not put back."""
    with main.locked():
        clic_blocks.any_registers(main)
        main.text(f"la x5, fast_table{main.rng.randrange(TABLES)}", "csrw mtvt, x5", "csrw mstatus, x0")
        main.fastirq()


def entry(main: FastMain) -> None:
    """Move the trap entry; the low bits read as 3 whatever is written."""
    where = f"fast_entry{main.rng.randrange(ENTRIES)} + {main.rng.randrange(64)}"
    main.text(f"la x5, {where}", "csrrw x6, mtvec, x5", "csrr x6, mtvec")


def table(main: FastMain) -> None:
    """Another vector table, or another handler in one, with interrupts on."""
    rng = main.rng
    if rng.random() < 0.6:
        main.text(f"la x5, fast_table{rng.randrange(TABLES)}", "csrrw x6, mtvt, x5")
        return
    source = main.any_source()
    main.text(f"la x6, fast_table{rng.randrange(TABLES)} + {4 * source}")
    main.text(f"la x5, {main.handlers.name(source, rng.randrange(TABLES))}", "sw x5, 0(x6)", "fence.i")


def control(main: FastMain) -> None:
    """Another link and nest, with interrupts on; or fastirq off for a while in which none can come."""
    rng = main.rng
    draw = rng.random()
    if draw < 0.5:
        main.text(f"la x5, {main.kit.control()}", f"csrrw x6, {MFASTIRQ:#x}, x5", f"csrr x6, {MFASTIRQ:#x}")
    elif draw < 0.7:
        main.text(f"{rng.choice(('csrrsi', 'csrrci'))} x6, {MFASTIRQ:#x}, {NEST}")
    else:
        with main.locked():
            main.text(f"csrci {MFASTIRQ:#x}, {ENABLE}")
            if rng.random() < 0.5:
                main.pend()
            main.text(f".4byte {EMRET:#x}")
            main.work.some(2)
            main.text(f"csrsi {MFASTIRQ:#x}, {ENABLE}")


def classic(main: FastMain) -> None:
    """A stretch without fastirq, with handlers that save everything themselves."""
    rng = main.rng
    main.off()
    main.text(f"la x5, clic_entry{rng.randrange(ENTRIES)}", "csrw mtvec, x5", "la x5, clic_table", "csrw mtvt, x5")
    main.text(f"csrci {MFASTIRQ:#x}, {ENABLE}")
    main.on()
    for _ in range(rng.randint(1, 3)):
        rng.choice((plain_work, write_source, burst, enable))(main)
    main.off()
    main.text(f"la x5, fast_entry{rng.randrange(ENTRIES)}", "csrw mtvec, x5")
    main.text(f"la x5, fast_table{rng.randrange(TABLES)}", "csrw mtvt, x5", f"csrsi {MFASTIRQ:#x}, {ENABLE}")
    main.on()


def no_tables(main: FastMain) -> tuple[int, ...]:
    """Places from which no table entry can be fetched: holes, and devices, which data ports reach."""
    platform = main.platform
    return 0, 0x90000000, main.clic.base, platform.imem.end, 0xFFFFFC00, platform.uart


def bad_table(main: FastMain) -> None:
    """A vectored interrupt whose table entry cannot be fetched: the exception leads to a good one, or back."""
    rng, asm, clic = main.rng, main.asm, main.clic
    main.off()
    main.only_level(254)
    main.text(f"sw x0, {RECOVER}(x3)", f"li x5, {rng.choice(no_tables(main)):#x}", "csrw mtvt, x5")
    value = pack(1, 1, rng.choice((3, 7)), 255)
    main.text(f"li x6, {clic.word(clic.fault):#x}", f"li x5, {value:#x}", "sw x5, 0(x6)")
    main.nops(4)
    main.on()
    again = asm.label("again")
    asm.place(again)
    main.text("lbu x5, 0(x6)", f"bnez x5, {again}")
    main.off()
    main.text(f"la x5, fast_table{rng.randrange(TABLES)}", "csrw mtvt, x5", f"li x6, {clic.word(clic.fault):#x}")
    main.text("sh x0, 0(x6)", "csrw mintthresh, x0")
    main.on()


def fetch_again(main: FastMain) -> None:
    """mret that fetches a table entry, good or bad."""
    rng, asm = main.rng, main.asm
    back, word = asm.label("back"), asm.label("word")
    main.off()
    main.text(f"la x5, {back}", f"sw x5, {RECOVER}(x3)")
    mpp, is_bad = rng.choice((3, 3, 0)), rng.random() < 0.3
    if mpp == 0:
        main.to_user_stack()
    cause = MINHV | mpp << 28 | rng.choice((0, MPIE)) | rng.choice((0, rng.randrange(256))) << 16
    low = rng.randrange(4)
    target = (
        f"li x5, {rng.choice((0x90000000, 0, main.platform.uart)) + low:#x}" if is_bad else f"la x5, {word} + {low}"
    )
    main.text(f"li x6, {cause:#x}", "csrw mcause, x6", target, "csrw mepc, x5", "mret", ".balign 4, 0")
    asm.place(word)
    main.text(f".4byte {back} + {rng.randrange(2 if asm.base.compressed else 4)}")
    asm.place(back)
    if mpp == 0:
        main.raw("csrrw sp, mscratch, sp" if is_bad else "ecall")
    main.off()
    main.text(f"sw x0, {RECOVER}(x3)", "csrr x5, mcause")
    main.become(3, True, 0)


def next_task(main: FastMain) -> None:
    """Let the other tasks run."""
    main.text(f"li x6, {main.clic.word(main.sources.switch):#x}", "li x5, 1", "sb x5, 0(x6)")
    main.work.some(3)
