# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Returns of random programs for fastirq by frames that the program itself writes, in states that are rare else.

The frame of an interrupt says what was interrupted: a mode, a level, an address. A frame that software writes may
contain any values, and emret follows docs/fastirq.md: a return to user mode clears MPRV and the threshold; with minhv
the address is that of a table entry, which is a word, whatever the low bits of mepc are.
"""

from __future__ import annotations

from verify.random.clic.handlers import RECOVER
from verify.random.fastirq.layout import EMRET, MFRAME, MINHV, MPIE, MPP
from verify.random.fastirq.main import FastMain

_MPRV = 1 << 17
_INTERRUPT = 1 << 31
_UNUSED = 0xF << 12 | 7 << 24
"""Bits of mcause in which nothing is."""


def _cause(main: FastMain, mpp: int) -> int:
    """A word for mcause in a frame: everything drawn but the mode. Modes that are not there are user mode."""
    rng = main.rng
    fields = (rng.choice((0, _INTERRUPT)), rng.choice((0, MPIE)), rng.choice((0, 0, rng.randrange(256))) << 16)
    mode = MPP if mpp else rng.choice((0, 0, 0, 1 << 28, 2 << 28))
    return mode | sum(fields) | rng.choice((0, 11, rng.randrange(4096))) | rng.choice((0, 0, _UNUSED))


def _state(main: FastMain) -> None:
    """What a return to user mode ends and one to machine mode leaves."""
    rng = main.rng
    if rng.random() < 0.6:
        main.text(f"li x5, {_MPRV:#x}", "csrs mstatus, x5")
    if rng.random() < 0.6:
        main.text(f"li x5, {rng.choice((255, 1, rng.randrange(256)))}", "csrw mintthresh, x5")
    if rng.random() < 0.4:
        main.pend()


def _frame(main: FastMain, cause: int, target: str) -> None:
    """Write the frame below sp, in some order, announced by mframe or not; `target`: loads mepc into x5."""
    rng, layout = main.rng, main.layout
    main.raw(f"addi sp, sp, -{layout.size}")
    first, _, _ = main.temps
    lines: list[tuple[str, ...]] = [
        (f"sw x{number}, {layout.offset(number)}(sp)",) for number in layout.caller if number != first
    ]
    lines += [(main.named(target), main.named(f"sw x5, {layout.mepc}(sp)"))]
    lines += [(main.named(f"li x5, {cause:#x}"), main.named(f"sw x5, {layout.mcause}(sp)"))]
    rng.shuffle(lines)
    hint = rng.choice((None, None, rng.randrange(len(lines) + 1)))
    for index, some in enumerate(lines):
        if index == hint:
            main.raw(f"csrw {MFRAME:#x}, sp")
        main.raw(*some)
    if hint == len(lines):
        main.raw(f"csrw {MFRAME:#x}, sp", *["nop"] * rng.choice((0, 5, 30)))


def _look(main: FastMain) -> None:
    """What the return has left in the CSRs; then the state between blocks again."""
    main.off()
    main.text(*(f"csrr x5, {name}" for name in ("mstatus", "mcause", "mepc", "mintstatus", "mintthresh")))
    main.text(f"li x5, {_MPRV:#x}", "csrc mstatus, x5", "csrw mintthresh, x0", f"sw x0, {RECOVER}(x3)")
    main.become(3, True, 0)


def by_own_frame(main: FastMain) -> None:
    """emret by a frame that the program has written, to an instruction or through a table entry, good or bad."""
    rng, asm = main.rng, main.asm
    mpp, by_table = rng.choice((3, 0)), rng.random() < 0.5
    is_bad = by_table and rng.random() < 0.2
    back, word = asm.label("back"), asm.label("word")
    odd = 2 if asm.base.compressed else 4
    main.off()
    main.text(f"la x5, {back}", f"sw x5, {RECOVER}(x3)")
    if mpp == 0:
        main.text("la x5, user_stack", "csrw mscratch, x5")
    if is_bad:
        target = f"li x5, {rng.choice((0x90000000, 0, main.platform.uart)) + rng.randrange(4):#x}"
    elif by_table:
        target = f"la x5, {word} + {rng.randrange(4)}"
    else:
        target = f"la x5, {back} + {rng.randrange(odd)}"
    _frame(main, _cause(main, mpp) | (MINHV if by_table else 0), target)
    _state(main)
    main.text(*["nop"] * rng.choice((0, 0, 1, 20)), f".4byte {EMRET:#x}", ".balign 4, 0")
    asm.place(word)
    main.text(f".4byte {back} + {rng.randrange(odd)}")
    if asm.base.compressed and rng.random() < 0.7:
        main.text(".2byte 0")  # the instruction behind is at an odd half-word
    asm.place(back)
    if mpp == 0:
        main.raw("csrrw sp, mscratch, sp" if is_bad else "ecall")
    _look(main)
