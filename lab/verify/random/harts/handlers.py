# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Interrupt handlers of programs for several harts: they count, race for shared words, and read mail.

fastirq saves contexts, so a handler is a function. Exceptions come only from refused atomic operations, ecall and
ebreak. Their handler returns behind the instruction, which has 32 bits.
"""

from __future__ import annotations

from verify.random.clic.handlers import pack
from verify.random.fastirq.layout import EMRET, ENABLE, MFASTIRQ, MFRAME, NEST
from verify.random.harts import kit as kit_of
from verify.random.harts import layout
from verify.random.harts.kit import Kit
from verify.random.harts.layout import NUMBER, SHARED, Counter
from verify.random.programs.blocks.data import alu

ROUTINES = 10
"""Handlers of platform lines: handler0 and so on."""
SOFTWARE, TIMER = 3, 7
"""Sources of the CLINT."""
CALLER = (1, 5, 6, 7, *range(10, 18), *range(28, 32))
"""Registers that handlers may change."""


def _end(kit: Kit) -> None:
    ways = (("ret",), ("ret",), (f".4byte {EMRET:#x}",), (f"csrw {MFRAME:#x}, sp", "nop", f".4byte {EMRET:#x}"))
    kit.text(*kit.ctx.rng.choice(ways))


def _routine(kit: Kit, index: int) -> None:
    """The handler of some lines."""
    ctx, rng = kit.ctx, kit.ctx.rng
    ctx.asm.place(f"handler{index}")
    with ctx.hold(1):
        steps = [kit_of.races, kit_of.amos, kit_of.reservations, kit_of.refused, kit_of.software, kit_of.timer]
        weights = [6, 4, 4, 1, 2, 1]
        kit_of.increment(kit, rng.choice((Counter.HANDLED, Counter.HANDLED_LRSC)))
        for step in rng.choices(steps, weights, k=rng.randint(0, 3)):
            step(kit)
        alu(ctx, rng.randint(0, 4))
        _end(kit)


def _software(kit: Kit) -> None:
    """Read the mail, if there is one."""
    ctx = kit.ctx
    ctx.asm.place("handler_software")
    with ctx.hold(1):
        pointer, value, temp = kit.take(3)
        none = ctx.asm.label("none")
        kit.text(f"li {pointer}, {ctx.platform.msip:#x}", f"sh2add {pointer}, {NUMBER}, {pointer}")
        kit.text(f"sw x0, 0({pointer})", "fence o, r", f"sh3add {pointer}, {NUMBER}, {SHARED}")
        kit.text(f"lw {value}, {layout.FULL}({pointer})", f"beqz {value}, {none}", "fence r, r")
        kit.text(f"lw {value}, {layout.MAIL}({pointer})")
        kit.count(Counter.MAIL, value, temp)
        kit.text("fence rw, w", f"sw x0, {layout.FULL}({pointer})")
        ctx.asm.place(none)
        _end(kit)


def _timer(kit: Kit) -> None:
    """Off, and sometimes on again."""
    ctx, rng = kit.ctx, kit.ctx.rng
    ctx.asm.place("handler_timer")
    with ctx.hold(1):
        pointer, value = kit.take(2)
        kit.text(f"li {pointer}, {ctx.platform.mtimecmp:#x}", f"sh3add {pointer}, {NUMBER}, {pointer}")
        kit.text(f"li {value}, -1", f"sw {value}, 4({pointer})")
        if rng.random() < 0.5:
            kit_of.increment(kit, Counter.HANDLED)
        _end(kit)


def _entry(kit: Kit, first: int) -> None:
    """Exceptions, and interrupts that are not vectored."""
    asm = kit.ctx.asm
    kit.text(".balign 64")
    asm.place("entry")
    kit.text("addi sp, sp, -16", "sw x5, 0(sp)", "csrr x5, mcause", "bltz x5, entry_interrupt")
    kit.text("csrr x5, mepc", "addi x5, x5, 4", "csrw mepc, x5", "lw x5, 0(sp)", "addi sp, sp, 16", "mret")
    asm.place("entry_interrupt")
    kit.text("addi sp, sp, 16", "slli x5, x5, 20", "srli x5, x5, 20", f"li x6, {first:#x}", "sh2add x5, x5, x6")
    kit.text("sb x0, 0(x5)")
    with kit.ctx.hold(1):
        kit_of.increment(kit, Counter.HANDLED)
        _end(kit)


def emit(kit: Kit, first: int) -> None:
    """All of them; `first` is the address of the CLIC's word of source 0."""
    _entry(kit, first)
    kit.text(".balign 4")
    kit.ctx.asm.place("link")
    kit.text(f".4byte {EMRET:#x}")
    _software(kit)
    _timer(kit)
    for index in range(ROUTINES):
        _routine(kit, index)


def tables(kit: Kit, hart: int) -> list[str]:
    """The vector table of a hart, and what its CLIC's sources are: words for the data bank."""
    rng, shape = kit.ctx.rng, kit.shape
    vectors = [f"handler{rng.randrange(ROUTINES)}" for _ in range(shape.sources)]
    vectors[SOFTWARE], vectors[TIMER] = "handler_software", "handler_timer"
    words = [0] * shape.sources
    for source in (SOFTWARE, TIMER):
        words[source] = pack(0, 1, 1, rng.randint(1, 254))
    for source in range(shape.first_line, shape.first_line + shape.lines):
        vectored = rng.random() < 0.8
        is_edge = not vectored or rng.random() < 0.6
        words[source] = pack(0, 1, vectored | 2 * is_edge, rng.randint(1, 254))
    lines = ["\t.balign 1024", f"table{hart}:", *(f"\t.4byte {name}" for name in vectors)]
    return [*lines, f"sources{hart}:", *(f"\t.4byte {word:#x}" for word in words)]


def start(kit: Kit, hart: int, clic: int, first: int) -> list[str]:
    """What a hart does with its controller before its first block; uses x5 to x7."""
    nest = kit.ctx.rng.choice((0, NEST, NEST))
    lines = ["la x5, entry", "csrw mtvec, x5", f"la x5, table{hart}", "csrw mtvt, x5"]
    lines += [f"la x5, link + {ENABLE | nest}", f"csrw {MFASTIRQ:#x}, x5"]
    lines += [f"li x5, {clic:#x}", "li x6, 8", "sb x6, 0(x5)"]
    lines += [f"la x5, sources{hart}", f"li x6, {first:#x}", f"li x7, {first + 4 * kit.shape.sources:#x}"]
    lines += ["1: lw x10, 0(x5)", "sw x10, 0(x6)", "addi x5, x5, 4", "addi x6, x6, 4", "bne x6, x7, 1b"]
    return lines
