# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The fixed part of a program for lockstep: start, trap handlers and end, as assembly text in pieces.

Nothing is logged or hashed here: lockstep compares every retired instruction. The handlers only keep the program
going. One register, the *cursor*, points at free frames of the handlers and is never written by the program.

Exceptions return to the next instruction, after a fetch fault to the address in the link register. After a load or
store that faults, a store of 32 bits directly behind it is skipped, too, so that it shows if the store was executed
nevertheless. As in `harness`, the word after an `ecall` may be a command in the shape of `lui x0, N`: N = 1 returns to
machine mode, N = 2 to user mode. The timer's handler arms it again, so WFI always ends if MTIE is set. Handlers of
interrupts may be interrupted themselves and may trap.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass, replace

from verify.random.instructions.addresses import Platform
from verify.random.instructions.asm import NAMES, Asm
from verify.random.instructions.isa import Base

DIRECT_ENTRIES = 6
"""Direct trap entries: trap_d0 and so on, at any multiple of four; trap_vec is the vectored one."""
FRAME_BYTES = 32
MAX_FRAMES = 1024


@dataclass(frozen=True)
class Parts:
    """A program in parts that can be left out one by one; every line is complete in itself.

    Attributes:
        start: from reset to the first block.
        blocks: the random part, run through from the first to the last.
        end: what follows the last block.
        functions: out-of-line code.
        handler: trap entries and handlers.
        data: the data bank.
    """

    start: tuple[str, ...]
    blocks: tuple[tuple[str, ...], ...]
    end: tuple[str, ...]
    functions: tuple[tuple[str, ...], ...]
    handler: tuple[str, ...]
    data: tuple[str, ...]

    def text(self) -> str:
        """The assembly file."""
        code = [*self.start, *self.handler, "body:", *(line for block in self.blocks for line in block), *self.end]
        code += [line for function in self.functions for line in function]
        head = [".option norelax", ".option norvc", *NAMES]
        return "\n".join([*head, *_with_options(code), *_with_options(self.data)]) + "\n"

    def with_data(self, data: Iterable[str]) -> Parts:
        """The same with another data bank."""
        return replace(self, data=tuple(data))


def is_compressed(line: str) -> bool:
    """Whether a line is a compressed instruction by name."""
    return line.startswith("\tc.")


def _with_options(lines: Iterable[str]) -> list[str]:
    """Lines with compression switched on around compressed instructions only, so that the assembler never chooses."""
    made: list[str] = []
    compressed = False
    for line in lines:
        if line.startswith(".option"):
            continue
        wanted = is_compressed(line) or (compressed and line.endswith(":"))
        if wanted != compressed:
            made.append(".option rvc" if wanted else ".option norvc")
            compressed = wanted
        made.append(line)
    return [*made, ".option norvc"] if compressed else made


def plain(lines: Iterable[str]) -> tuple[str, ...]:
    """Lines without the switches for compression, which `Parts.text` sets by itself."""
    return tuple(line for line in lines if not line.startswith(".option"))


@dataclass(frozen=True)
class Setup:
    """What differs between the harnesses of two programs.

    Attributes:
        base: integer base.
        cursor: number of the register that points at the handlers' frames.
        link: number of the register that a fetch fault returns to.
        mstatus: value of mstatus when the first block begins.
        mie: value of mie then.
        registers: initial values of x1 and up (the cursor's is ignored).
    """

    base: Base
    cursor: int
    link: int
    mstatus: int
    mie: int
    registers: tuple[int, ...]


class _Handlers:
    """Emits the trap entries and handlers, with details drawn at random."""

    def __init__(self, rng: random.Random, setup: Setup, platform: Platform) -> None:
        self._rng = rng
        self._platform = platform
        self._asm = Asm(setup.base)
        others = [n for n in range(5, setup.base.registers) if n not in (setup.cursor, setup.link)]
        first, second = rng.sample(others, 2)
        self._a, self._b, self._c = f"x{first}", f"x{second}", f"x{setup.cursor}"
        self._link = f"x{setup.link}"

    def _text(self, *lines: str) -> None:
        self._asm.text(*lines)

    def _work(self, most: int) -> None:
        """Something to be in the middle of: arithmetic and memory accesses on the saved registers."""
        a, b, c = self._a, self._b, self._c
        choices = (
            *(f"divu {a}, {b}, {a}", f"rem {b}, {a}, {b}", f"mul {a}, {a}, {b}", f"add {a}, {a}, {b}"),
            *(f"sw {a}, 16({c})", f"lw {b}, 16({c})", f"lh {a}, 19({c})", f"sw {b}, 18({c})", f"csrr {a}, mip"),
            *(f"csrr {b}, mstatus", f"csrrw {a}, mscratch, {a}", "fence", f"csrr {a}, minstret"),
        )
        self._text(*self._rng.choices(self._asm.base.known(choices), k=self._rng.randint(0, most)))

    def _save(self) -> None:
        self._text(f"sw {self._a}, 0({self._c})", f"sw {self._b}, 4({self._c})")

    def _leave(self) -> None:
        self._text(f"lw {self._b}, 4({self._c})", f"lw {self._a}, 0({self._c})", "mret")

    def _entries(self) -> None:
        rng = self._rng
        for index in range(DIRECT_ENTRIES):
            self._text(".balign 4", *["nop"] * rng.randrange(8))
            self._asm.place(f"trap_d{index}")
            self._save()
            self._work(3)
            self._text("j trap_common")
        self._text(".balign 128")
        self._asm.place("trap_vec")
        self._text(*(f"j trap_v{index}" for index in range(32)))
        for index in range(32):
            if rng.random() < 0.3:
                self._asm.half(0x0001) if self._asm.base.compressed else self._text("nop")
            self._asm.place(f"trap_v{index}")
            self._save()
            self._work(2)
            if index >= 16 and rng.random() < 0.5:
                self._leave()
            else:
                self._text("j trap_common")

    def _exceptions(self) -> None:
        a, b = self._a, self._b
        asm = self._asm
        asm.place("trap_common")
        self._text(f"csrr {a}, mcause", f"bltz {a}, trap_interrupt", f"addi {b}, {a}, -1", f"bnez {b}, trap_skip")
        self._text(f"csrw mepc, {self._link}", "j trap_leave")
        asm.place("trap_skip")
        self._text(f"csrr {b}, mepc")
        if asm.base.compressed:
            self._text(f"lhu {a}, 0({b})", f"andi {a}, {a}, 3", f"addi {a}, {a}, -3")
            self._text(f"addi {b}, {b}, 2", f"bnez {a}, trap_next")
        self._text(f"addi {b}, {b}, {2 if asm.base.compressed else 4}")
        asm.place("trap_next")
        self._text(f"csrw mepc, {b}", f"csrr {a}, mcause", f"addi {a}, {a}, -5", f"andi {a}, {a}, -3")
        self._text(f"beqz {a}, trap_access", f"csrr {a}, mcause", f"addi {a}, {a}, -8", f"andi {a}, {a}, -4")
        self._text(f"bnez {a}, trap_leave", f"lhu {a}, 0({b})", f"lhu {b}, 2({b})", f"slli {b}, {b}, 16")
        self._text(f"or {b}, {b}, {a}", f"slli {a}, {b}, 20", f"srli {a}, {a}, 20", f"addi {a}, {a}, -0x37")
        self._text(f"bnez {a}, trap_leave", f"srli {b}, {b}, 12", f"li {a}, 0x21800", f"csrc mstatus, {a}")
        self._text(f"addi {b}, {b}, -2", f"beqz {b}, trap_leave", f"li {a}, 0x1800", f"csrs mstatus, {a}")
        asm.place("trap_leave")
        self._leave()
        asm.place("trap_access")
        self._text(f"lhu {a}, 0({b})", f"andi {a}, {a}, 0x7f", f"addi {a}, {a}, -0x23", f"bnez {a}, trap_leave")
        self._text(f"addi {b}, {b}, 4", f"csrw mepc, {b}", "j trap_leave")

    def _interrupts(self) -> None:
        rng, asm, platform = self._rng, self._asm, self._platform
        a, b, c = self._a, self._b, self._c
        asm.place("trap_interrupt")
        # 3 software, 7 timer, 11 external, 16 and up platform lines.
        self._text(f"andi {b}, {a}, 16", f"bnez {b}, trap_platform", f"andi {b}, {a}, 4", f"bnez {b}, trap_timer")
        self._text(f"andi {b}, {a}, 8", f"bnez {b}, trap_external")
        self._text(f"li {b}, {platform.msip:#x}", f"sw x0, 0({b})", "j trap_nest")
        asm.place("trap_external")
        self._text(f"li {b}, {platform.uart:#x}", f"lbu {a}, {platform.uart_iir - platform.uart}({b})")
        self._text(f"sb x0, {platform.uart_ier - platform.uart}({b})")
        self._text("j trap_nest")
        asm.place("trap_timer")
        self._text(f"li {b}, {platform.mtime:#x}", f"lw {a}, 0({b})", f"addi {a}, {a}, {rng.randint(600, 2047)}")
        self._text(f"li {b}, {platform.mtimecmp:#x}", f"sw {a}, 0({b})", f"sw x0, 4({b})")
        asm.place("trap_platform")
        self._text(f"andi {b}, {a}, {rng.choice((0, 1, 2, 4, 3, 8))}", f"bnez {b}, trap_leave")
        asm.place("trap_nest")
        self._text(f"csrr {a}, mepc", f"sw {a}, 8({c})", f"csrr {a}, mstatus", f"sw {a}, 12({c})")
        self._text(f"addi {c}, {c}, {FRAME_BYTES}", "csrsi mstatus, 8")
        self._work(6)
        if rng.random() < 0.3:
            kind = rng.choice(("ecall", "ebreak", ".2byte 0", ".2byte 0x9002"))
            self._text(kind if asm.base.compressed else kind.replace(".2byte", ".4byte"))
        self._work(2)
        self._text("csrci mstatus, 8", f"addi {c}, {c}, -{FRAME_BYTES}", f"lw {a}, 12({c})", f"csrw mstatus, {a}")
        self._text(f"lw {b}, 8({c})", f"csrw mepc, {b}", "j trap_leave")

    def lines(self) -> tuple[str, ...]:
        """All of it."""
        self._entries()
        self._exceptions()
        self._interrupts()
        return plain(self._asm.lines)


def _start(rng: random.Random, setup: Setup, platform: Platform) -> list[str]:
    entry = rng.choice(("trap_vec + 1", *(f"trap_d{index}" for index in range(DIRECT_ENTRIES))))
    lines = [f"la x5, {entry}", "csrw mtvec, x5", f"li x5, {platform.mtimecmp:#x}"]
    lines += [f"li x6, {rng.randint(500, 5000)}", "sw x6, 0(x5)", "sw x0, 4(x5)"]
    lines += [f"li x5, {setup.mie:#x}", "csrw mie, x5"]
    lines += [f"li x{n}, {value:#x}" for n, value in enumerate(setup.registers, start=1) if n != setup.cursor]
    other = 5 if setup.cursor != 5 else 6
    lines += [f"la x{setup.cursor}, frames", f"li x{other}, {setup.mstatus:#x}", f"csrw mstatus, x{other}"]
    return lines


def parts(
    rng: random.Random,
    setup: Setup,
    platform: Platform,
    blocks: Iterable[Iterable[str]],
    functions: Iterable[Iterable[str]],
    templates: Iterable[str],
) -> Parts:
    """The whole program.

    Args:
        rng: draws the details of the handlers.
        setup: what the harness needs to know.
        platform: the machine.
        blocks: the random part.
        functions: out-of-line code of the blocks.
        templates: lines for the data bank (code that the blocks copy and execute).
    """
    start = ['\t.section .text.start, "ax"', "\t.globl _start", "_start:"]
    start += [f"\t{line}" for line in _start(rng, setup, platform)] + ["\tj body", "\t.text"]
    end = ["\tcsrw mie, x0", f"\tli x5, {platform.finisher:#x}", "\tli x6, 0x5555", "\tsw x6, 0(x5)", "\tj ."]
    words = [rng.getrandbits(32) for _ in range((platform.scratch[0].end - platform.scratch[0].base) // 4)]
    rows = [", ".join(f"{word:#x}" for word in words[index : index + 8]) for index in range(0, len(words), 8)]
    data = ["\t.data", "scratch:", *(f"\t.4byte {row}" for row in rows), *templates]
    data += ["\t.bss", "\t.balign 4", f"frames: .skip {FRAME_BYTES * MAX_FRAMES}"]
    return Parts(
        start=tuple(start),
        blocks=tuple(plain(block) for block in blocks),
        end=tuple(end),
        functions=tuple(plain(function) for function in functions),
        handler=_Handlers(rng, setup, platform).lines(),
        data=plain(data),
    )
