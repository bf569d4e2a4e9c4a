# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Handlers of random programs for the CLIC: trap entries, the vector table's functions, and what serves a source.

Whatever is configured meanwhile, a handler leaves every register as it was and makes progress: a source that is pending
by its level is disabled, an edge is claimed or cleared, the timer is armed anew. So a program comes to its end.

The vector table's functions are handlers and functions at once, since a source may be vectored or not at any time: with
mstatus.MIE clear they were entered as handlers and leave by mret; with it set they were called, and return.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from trapeze.platform.hart import CTL_BITS
from verify.random.instructions.addresses import Platform
from verify.random.instructions.asm import Asm

SMALL = 24
"""With fewer sources none of those with a wire is reserved."""
ENTRIES = 6
"""Trap entries: clic_entry0 and so on, at multiples of 64."""
STUBS = 12
"""Functions of the vector table: clic_stub0 and so on."""
FUEL, DEPTH, DEEPEST, RECOVER = 0, 4, 8, 12
"""Words at `variables`: how often handlers may still raise a source; handlers that run now, and at most; where to go on
after a table fetch that failed."""

_FRAME = 64
_CAUSE, _EPC, _THRESHOLD, _SAVED = 16, 20, 24, 28
"""Places in a frame; x1, x5 and x6 are at 0, 4 and 8, further registers from _SAVED on."""


@dataclass(frozen=True)
class Controller:
    """What programs know of the CLIC.

    Attributes:
        base: of its registers.
        first: address of the word of source 0.
        sources: how many there are.
        ctl_bits: implemented bits of each ctl.
        first_line: source of platform line 0.
        user: sources may be user mode's.
        free: numbers of sources that programs configure as they like.
        wake: number of the source that ends WFI.
        fault: number of the source that is made pending while the vector table is elsewhere.
    """

    base: int
    first: int
    sources: int
    ctl_bits: int
    first_line: int
    user: bool

    @property
    def _is_small(self) -> bool:
        return self.sources < SMALL

    @property
    def free(self) -> Sequence[int]:
        """All but the timer's, which lie below, and the two reserved ones."""
        return range(12, self.sources if self._is_small else self.sources - 2)

    @property
    def wake(self) -> int:
        """The second highest, or one without a wire."""
        return 10 if self._is_small else self.sources - 2

    @property
    def fault(self) -> int:
        """The highest, or one without a wire."""
        return 6 if self._is_small else self.sources - 1

    @property
    def highest(self) -> int:
        """The highest ctl of any source but `wake` and `fault`; whatever the level bits, its level is below 255."""
        return 253 if self.ctl_bits == CTL_BITS else 0xFF - (1 << CTL_BITS - self.ctl_bits)

    def ctl(self, wish: int) -> int:
        """That, or what is wished."""
        return min(wish, self.highest)

    @property
    def table_alignment(self) -> int:
        """What a table of handlers is aligned to: its size, rounded up to a power of two."""
        return max(256, 1 << (4 * self.sources - 1).bit_length())

    def word(self, source: int) -> int:
        """Address of a source's registers: ip, ie, attr, ctl."""
        return self.first + 4 * source


def pack(ip: int, ie: int, attr: int, ctl: int) -> int:
    """The word of a source."""
    return ip | ie << 8 | attr << 16 | ctl << 24


class Handlers:
    """Emits all handlers, with details drawn at random."""

    def __init__(
        self, rng: random.Random, asm: Asm, clic: Controller, platform: Platform, registers: tuple[int, ...]
    ) -> None:
        self._rng = rng
        self._asm = asm
        self._clic = clic
        self._platform = platform
        self._registers = registers

    def _text(self, *lines: str) -> None:
        self._asm.text(*lines)

    # --- frames

    def _open(self) -> tuple[int, ...]:
        """Save what is used; returns further registers that may be used."""
        extra = tuple(self._rng.sample(self._registers, self._rng.randint(1, 4)))
        self._text(f"addi sp, sp, -{_FRAME}", "sw x1, 0(sp)", "sw x5, 4(sp)", "sw x6, 8(sp)")
        self._text(*(f"sw x{register}, {_SAVED + 4 * index}(sp)" for index, register in enumerate(extra)))
        return extra

    def _close(self, extra: tuple[int, ...], leave: str) -> None:
        self._text(*(f"lw x{register}, {_SAVED + 4 * index}(sp)" for index, register in enumerate(extra)))
        self._text("lw x6, 8(sp)", "lw x5, 4(sp)", "lw x1, 0(sp)", f"addi sp, sp, {_FRAME}", leave)

    def _deeper(self) -> None:
        over = self._asm.label("deep")
        self._text("la x6, variables", f"lw x5, {DEPTH}(x6)", "addi x5, x5, 1", f"sw x5, {DEPTH}(x6)")
        self._text(f"lw x1, {DEEPEST}(x6)", f"bgeu x1, x5, {over}", f"sw x5, {DEEPEST}(x6)")
        self._asm.place(over)

    def _shallower(self) -> None:
        self._text("la x6, variables", f"lw x5, {DEPTH}(x6)", "addi x5, x5, -1", f"sw x5, {DEPTH}(x6)")

    # --- random actions of handlers

    def _fill(self, extra: tuple[int, ...], most: int) -> None:
        """Something to be in the middle of; uses x5, x6 and `extra`."""
        rng = self._rng
        for _ in range(rng.randint(0, most)):
            a, b = (f"x{rng.choice((*extra, 5, 6))}" for _ in range(2))
            choices = (
                *(f"divu {a}, {b}, {a}", f"rem {b}, {a}, {b}", f"mul {a}, {a}, {b}", f"add {a}, {a}, {b}"),
                *(f"sw {a}, 56(sp)", f"lw {b}, 56(sp)", f"lh {a}, 59(sp)", f"sw {b}, 57(sp)", f"lbu {b}, 18(sp)"),
                *(
                    f"csrr {a}, mcause",
                    f"csrr {a}, mintstatus",
                    f"csrr {b}, mstatus",
                    f"csrr {a}, mnxti",
                    "fence",
                    "nop",
                ),
                *(f"csrrw {a}, mscratch, {b}", f"csrrw {a}, mscratchcsw, {b}", f"csrrw {b}, mscratchcswl, {a}"),
                *(f"csrr {a}, mintthresh", f"csrr {a}, mepc"),
            )
            self._text(rng.choice(self._asm.base.known(choices)))

    def _configure(self) -> None:
        """Write some register of some source, so that nothing becomes enabled or pending by it."""
        rng, clic = self._rng, self._clic
        field = rng.choice((1, 2, 2, 3, 3, 0, 4))
        if field == 4:
            self._text(f"li x6, {clic.base:#x}", f"li x5, {rng.randrange(16)}", "sb x5, 0(x6)")
            return
        value = {0: 0, 1: 0, 2: rng.randrange(256), 3: clic.ctl(rng.randrange(254))}[field]
        self._text(f"li x6, {clic.word(rng.choice(clic.free)) + field:#x}", f"li x5, {value}", "sb x5, 0(x6)")

    def _raise(self) -> None:
        """Make a source pending while there is fuel, often one a little above the present level."""
        rng, clic, over = self._rng, self._clic, self._asm.label("dry")
        address, attributes = clic.word(rng.choice(clic.free)), rng.choice((2, 3, 6, 7))
        self._text("la x6, variables", f"lw x5, {FUEL}(x6)", f"beqz x5, {over}", "addi x5, x5, -1")
        self._text(f"sw x5, {FUEL}(x6)")
        if rng.random() < 0.6:
            self._text("csrr x5, mintstatus", "srli x5, x5, 24", f"addi x5, x5, {rng.randint(1, 24)}")
            self._text(f"li x6, {clic.highest}")
            if self._asm.base.has("minu"):
                self._text("minu x5, x5, x6")
            else:
                below = self._asm.label("below")
                self._text(f"bltu x5, x6, {below}", "mv x5, x6")
                self._asm.place(below)
            self._text("slli x5, x5, 24", f"li x6, {pack(1, 1, attributes, 0):#x}", "or x5, x5, x6")
        else:
            self._text(f"li x5, {pack(1, 1, attributes, clic.ctl(rng.choice((253, 240, rng.randrange(254))))):#x}")
        self._text(f"li x6, {address:#x}", "sw x5, 0(x6)")
        self._asm.place(over)

    def _interruptible(self, extra: tuple[int, ...]) -> None:
        """A stretch with interrupts on, perhaps behind a threshold; mcause and mepc must have been saved."""
        rng = self._rng
        is_masked = rng.random() < 0.25
        if rng.random() < 0.8:
            self._raise()
        if is_masked:
            self._text(
                "csrr x5, mintthresh", f"sw x5, {_THRESHOLD}(sp)", f"li x5, {rng.randrange(256)}", "csrw mintthresh, x5"
            )
        self._text("csrsi mstatus, 8")
        self._fill(extra, 6)
        if rng.random() < 0.2:
            self._text(rng.choice(("ecall", "ebreak", ".4byte 0")))
        if rng.random() < 0.4:
            self._configure()
        if rng.random() < 0.4:
            self._raise()
        self._fill(extra, 3)
        self._text("csrci mstatus, 8")
        if is_masked:
            self._text(f"lw x5, {_THRESHOLD}(sp)", "csrw mintthresh, x5")

    # --- serving

    def _service(self) -> None:
        """clic_serve: x5 is the source; what makes it pending goes away. clic_serve_edge: an edge too."""
        asm, platform, rng = self._asm, self._platform, self._rng
        for name, clears in (("clic_serve", False), ("clic_serve_edge", True)):
            asm.place(name)
            timer, uart, edge = asm.label("timer"), asm.label("uart"), asm.label("edge")
            self._text("addi x6, x5, -7", f"beqz x6, {timer}", "addi x6, x5, -11", f"beqz x6, {uart}")
            self._text("slli x5, x5, 2", f"li x6, {self._clic.first:#x}", "add x6, x6, x5", "lbu x5, 2(x6)")
            self._text("andi x5, x5, 2", f"bnez x5, {edge}", "sb x0, 1(x6)", "ret")
            asm.place(edge)
            self._text("sb x0, 0(x6)" if clears else "nop", "ret")
            asm.place(timer)
            self._text(f"li x6, {platform.mtime:#x}", "lw x5, 0(x6)")
            self._text(f"li x6, {rng.randint(3000, 12000)}", "add x5, x5, x6")  # longer than a handler takes
            self._text(f"li x6, {platform.mtimecmp:#x}", "sw x5, 0(x6)")
            self._text(*((f"li x6, {self._clic.word(7):#x}", "sb x0, 0(x6)") if clears else ()), "ret")
            asm.place(uart)
            self._text(f"li x6, {platform.uart_ier:#x}", "sb x0, 0(x6)")
            self._text(*((f"li x6, {self._clic.word(11):#x}", "sb x0, 0(x6)") if clears else ()), "ret")

    def _stub(self, index: int) -> None:
        asm, rng = self._asm, self._rng
        called = asm.label("called")
        self._text(*(() if rng.random() < 0.5 else (".balign 4, 0",)))
        asm.place(f"clic_stub{index}")
        extra = self._open()
        self._text("csrr x5, mstatus", "andi x5, x5, 8", f"bnez x5, {called}")
        self._text("csrr x5, mcause", f"sw x5, {_CAUSE}(sp)", "csrr x6, mepc", f"sw x6, {_EPC}(sp)")
        self._deeper()
        self._fill(extra, 3)
        self._text(f"lhu x5, {_CAUSE}(sp)", "jal x1, clic_serve")
        if rng.random() < 0.8:
            self._interruptible(extra)
        self._shallower()
        self._text(f"lw x5, {_EPC}(sp)", "csrw mepc, x5", f"lw x5, {_CAUSE}(sp)", "csrw mcause, x5")
        self._close(extra, "mret")
        asm.place(called)
        self._fill(extra, 4)
        self._text("csrr x5, mcause", "slli x5, x5, 20", "srli x5, x5, 20", "jal x1, clic_serve")
        if rng.random() < 0.5:
            self._raise()
        self._fill(extra, 4)
        self._close(extra, "ret")

    def _chain(self, kind: str) -> None:
        """Serve by xnxti or jalxnxti until nothing qualifies; at least what the trap was for."""
        asm, rng = self._asm, self._rng
        again, served, first = asm.label("again"), asm.label("served"), asm.label("first")
        if kind == "jalxnxti":
            self._text("mv x1, x0")
            if rng.random() < 0.5:
                asm.op("c.nop")
            self._text("csrrw x1, jalmnxti, x1", f"bnez x1, {served}")
        else:
            ask = rng.choice(
                (
                    ("csrrsi x5, mnxti, 8",),
                    ("csrrci x5, mnxti, 8", "csrsi mstatus, 8"),
                    ("csrrsi x5, mnxti, 2", "csrsi mstatus, 8"),
                    (f"lw x6, {_CAUSE}(sp)", "andi x6, x6, -32", "ori x6, x6, 8", "csrrs x5, mnxti, x6"),
                )
            )
            self._text(*ask, f"beqz x5, {first}")
            asm.place(again)
            self._text("lw x5, 0(x5)", "jalr x1, 0(x5)", *ask, f"bnez x5, {again}", f"j {served}")
        asm.place(first)
        self._text(f"lhu x5, {_CAUSE}(sp)", "slli x5, x5, 20", "srli x5, x5, 20", "jal x1, clic_serve_edge")
        asm.place(served)
        self._text("csrci mstatus, 8")

    def _entry(self, index: int) -> None:
        asm, rng = self._asm, self._rng
        exception, leave = asm.label("exception"), asm.label("leave")
        self._text(".balign 64, 0")
        asm.place(f"clic_entry{index}")
        extra = self._open()
        self._text("csrr x5, mcause", f"sw x5, {_CAUSE}(sp)", "csrr x6, mepc", f"sw x6, {_EPC}(sp)")
        self._text(f"bgez x5, {exception}")
        self._deeper()
        kind = ("direct", "xnxti", "jalxnxti")[index % 3]
        self._fill(extra, 2)
        if kind == "direct":
            self._text(f"lhu x5, {_CAUSE}(sp)", "jal x1, clic_serve_edge")
            if rng.random() < 0.8:
                self._interruptible(extra)
        else:
            if rng.random() < 0.5:
                self._raise()
            self._chain(kind)
        self._shallower()
        asm.place(leave)
        self._text(f"lw x5, {_EPC}(sp)", "csrw mepc, x5", f"lw x5, {_CAUSE}(sp)", "csrw mcause, x5")
        self._close(extra, "mret")
        asm.place(exception)
        self._exception(leave)

    def _exception(self, leave: str) -> None:
        """x5 is mcause, x6 is mepc. A call from user mode returns to machine mode, others to the next instruction."""
        asm, clic = self._asm, self._clic
        fault = asm.label("fault")
        self._text("slli x1, x5, 1", f"bltz x1, {fault}", "addi x6, x6, 4", f"sw x6, {_EPC}(sp)")
        self._text("andi x5, x5, 0xf", "addi x5, x5, -8", f"bnez x5, {leave}", "li x5, 0x38000000")
        self._text(f"sw x5, {_CAUSE}(sp)", f"j {leave}")
        asm.place(fault)
        # The interrupted context is lost: go on where the program said.
        self._text("la x5, clic_table", "csrw mtvt, x5", "la x5, variables", f"lw x6, {RECOVER}(x5)")
        self._text(f"li x5, {clic.word(clic.fault):#x}", "sh x0, 0(x5)")
        self._text(f"sw x6, {_EPC}(sp)", "li x5, 0x38000000", f"sw x5, {_CAUSE}(sp)", f"j {leave}")

    def emit(self) -> None:
        """All of it."""
        for index in range(ENTRIES):
            self._entry(index)
        for index in range(STUBS):
            self._stub(index)
        self._service()

    def table(self) -> list[str]:
        """The vector table, for the data bank; bit 0 of an entry is not there."""
        rng = self._rng
        names = [f"clic_stub{rng.randrange(STUBS)}" for _ in range(self._clic.sources)]
        entries = (f"\t.4byte {name} + {rng.choice((0, 0, 1))}" for name in names)
        return [f".balign {self._clic.table_alignment}", "clic_table:", *entries]
