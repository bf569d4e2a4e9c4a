# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Trap entries of random programs for fastirq: interrupts that are not vectored, and exceptions.

An exception has no fresh bank and perhaps no stack. Its handler uses x4 and words at `variables`, and only where
nothing is wrong with sp sometimes the stack; it leaves by mret, to the next instruction.
"""

from __future__ import annotations

from verify.random.clic.handlers import ENTRIES, RECOVER
from verify.random.fastirq import layout as at
from verify.random.fastirq.body import Body, Kit
from verify.random.fastirq.handlers import Handlers
from verify.random.fastirq.layout import EMRET, FAILURE, MPIE, MPP, Check

_FETCH_FAULT, _CALL_FROM_USER, _STORE_FAULT, _LOAD_FAULT = 1, 8, 24, 25


class Entries:
    """Emits fast_entry0 and so on, and what they lead to."""

    def __init__(self, kit: Kit, handlers: Handlers) -> None:
        self._kit, self._rng, self._asm, self._handlers = kit, kit.rng, kit.asm, handlers

    def _text(self, *lines: str) -> None:
        self._asm.text(*lines)

    def _entry(self, index: int) -> None:
        kit, rng, asm = self._kit, self._rng, self._asm
        # The subroutine that serves a source uses x5 and x6; functions that are called use everything.
        body = Body(kit)
        asm.text(".balign 64, 0")
        asm.place(f"fast_entry{index}")
        away = asm.label("interrupt")
        self._text("csrr x4, mcause", f"bltz x4, {away}", f"j fast_exception{rng.randrange(2)}")
        asm.place(away)
        for _ in range(rng.choice((0, 0, 2, 4))):
            body.touch()
        kind = ("direct", "xnxti", "jalxnxti")[index % 3]
        if kind == "direct":
            self._serve()
            body.deeper()
            body.fill()
            for _ in range(rng.randint(1, 4)):
                body.act()
            body.check(Check.HANDLER)
            body.shallower()
        else:
            self._ask(kind, body)
        if rng.random() < 0.3:
            body.touch_all()
        self._handlers.tail(body)
        self._text(f".4byte {EMRET:#x}")

    def _serve(self) -> None:
        self._text("csrr x5, mcause", "slli x5, x5, 20", "srli x5, x5, 20", "jal x1, clic_serve_edge")

    def _ask(self, kind: str, body: Body) -> None:
        """Serve until nothing qualifies; at least what the trap was for."""
        rng, asm = self._rng, self._asm
        a, b = body.a, body.b
        again, first, served = asm.label("again"), asm.label("first"), asm.label("served")
        if kind == "jalxnxti":
            self._text("mv x1, x0", "csrrw x1, jalmnxti, x1", f"beqz x1, {first}", f"j {served}")
        else:
            ask = rng.choice(
                (
                    (f"csrrsi {a}, mnxti, 8",),
                    (f"csrrsi {a}, mnxti, 8",),
                    (f"csrrci {a}, mnxti, 8", "csrsi mstatus, 8"),
                    (f"csrrsi {a}, mnxti, 2",),
                )
            )
            self._text(*ask, f"beqz {a}, {first}")
            asm.place(again)
            self._text(f"lw {b}, 0({a})", f"jalr x1, 0({b})", *ask, f"bnez {a}, {again}", f"j {served}")
        asm.place(first)
        # Where MIE was set above another interrupt may have come, but not gone to mtvec with the same level.
        self._text("csrr x5, mcause", "bgez x5, 1f", "slli x5, x5, 20", "srli x5, x5, 20", "jal x1, clic_serve_edge")
        self._text("1:")
        asm.place(served)

    # --- exceptions

    def _simple(self) -> None:
        """With three words at `variables`."""
        asm = self._asm
        names = ("table", "store", "load", "next", "leave", "astray")
        fault, store, load, next_one, leave, astray = (asm.label(name) for name in names)
        asm.place("fast_exception0")
        self._text(f"sw x5, {at.SLOTS}(x3)", f"sw x6, {at.SLOTS + 4}(x3)", "slli x5, x4, 1", f"bltz x5, {fault}")
        # No branch leads to a place without code.
        self._text("andi x5, x4, 31", f"li x6, {_FETCH_FAULT}", f"beq x5, x6, {astray}", f"li x6, {_STORE_FAULT}")
        self._text(f"beq x5, x6, {store}")
        self._text(
            f"li x6, {_LOAD_FAULT}", f"beq x5, x6, {load}", f"li x6, {_CALL_FROM_USER}", f"bne x5, x6, {next_one}"
        )
        self._text(f"li x6, {MPP | MPIE:#x}", "csrw mcause, x6", "csrrw sp, mscratch, sp")
        asm.place(next_one)
        self._text("csrr x5, mepc", "addi x5, x5, 4", "csrw mepc, x5")
        asm.place(leave)
        self._text(f"lw x6, {at.SLOTS + 4}(x3)", f"lw x5, {at.SLOTS}(x3)", "mret")

        asm.place(astray)
        self._text(f"li x4, {Check.LOST}", "j fail")

        asm.place(store)
        self._count(at.STORE_FAULTS)
        self._text(f"j {leave}")

        asm.place(load)
        self._count(at.LOAD_FAULTS)
        self._text(f"addi sp, x3, {at.GOOD_FRAME}", f"j {leave}")

        # A table entry that could not be fetched: the context is sound, or the program said where to go on.
        asm.place(fault)
        recover = asm.label("recover")
        self._text(f"lw x6, {at.SLOTS + 4}(x3)", f"lw x5, {at.SLOTS}(x3)", f"lw x4, {RECOVER}(x3)")
        self._text(f"bnez x4, {recover}", "la x4, fast_table0", "csrw mtvt, x4")
        if self._rng.random() < 0.5:
            self._text(f"addi x4, x4, {4 * self._kit.sources.fault}", "csrw mepc, x4", "mret")
        else:
            self._text(f".4byte {EMRET:#x}")
        asm.place(recover)
        self._text("csrw mepc, x4", f"li x4, {MPP | MPIE:#x}", "csrw mcause, x4", "mret")

    def _count(self, place: int) -> None:
        """Count a fault of a frame whose address mtval must lie in."""
        self._text(f"lw x5, {place}(x3)", "addi x5, x5, 1", f"sw x5, {place}(x3)", "csrr x5, mtval")
        self._text(f"lw x6, {at.BAD_FRAME}(x3)", "sub x5, x5, x6", f"sltiu x6, x5, {4 * self._kit.layout.words}")
        self._text("andi x5, x5, 3", "sltiu x5, x5, 1", "and x5, x5, x6", "li x6, 1")
        self._kit.require("x5", "x6", Check.ADDRESS)

    def _interruptible(self) -> None:
        """On the stack, with interrupts on if they were; what concerns frames or the mode goes the simple way."""
        kit, rng, asm = self._kit, self._rng, self._asm
        simple = asm.label("simple")
        asm.place("fast_exception1")
        self._text("slli x4, x4, 1", f"bltz x4, {simple}", "csrr x4, mcause", "andi x4, x4, 31", "addi x4, x4, -24")
        self._text("sltiu x4, x4, 2", f"bnez x4, {simple}")
        for code in (_CALL_FROM_USER, _FETCH_FAULT):
            self._text("csrr x4, mcause", "andi x4, x4, 31", f"addi x4, x4, -{code}", f"beqz x4, {simple}")
        body = Body(kit, (kit.mail,), owns_frame=False)
        used = (*body.work.registers, *(int(name[1:]) for name in (body.a, body.b, body.c)))
        if body.stack_copy:
            used += (body.stack_copy,)
        size = (4 * len(used) + 8 + 15) // 16 * 16
        mepc, mcause = size - 8, size - 4
        self._text(f"addi sp, sp, -{size}", *(f"sw x{number}, {4 * at_}(sp)" for at_, number in enumerate(used)))
        self._text(f"csrr {body.a}, mepc", f"addi {body.a}, {body.a}, 4", f"sw {body.a}, {mepc}(sp)")
        self._text(f"csrr {body.a}, mcause", f"sw {body.a}, {mcause}(sp)")
        self._pin(body, 1)
        # Only where they were on: the program may have turned fastirq off meanwhile.
        locked = asm.label("locked")
        self._text(f"lw {body.a}, {mcause}(sp)", f"slli {body.a}, {body.a}, 4", f"bgez {body.a}, {locked}")
        self._text("csrsi mstatus, 8")
        asm.place(locked)
        body.fill()
        for _ in range(rng.randint(1, 3)):
            body.work.some(3)
        body.check(Check.EXCEPTION)
        self._text("csrci mstatus, 8")
        self._pin(body, -1)
        self._text(f"lw {body.a}, {mepc}(sp)", f"csrw mepc, {body.a}", f"lw {body.a}, {mcause}(sp)")
        self._text(f"csrw mcause, {body.a}", *(f"lw x{number}, {4 * at_}(sp)" for at_, number in enumerate(used)))
        self._text(f"addi sp, sp, {size}", "mret")
        asm.place(simple)
        self._text("csrr x4, mcause", "j fast_exception0")

    def _pin(self, body: Body, amount: int) -> None:
        """Keep handlers from changing what was interrupted, or no longer."""
        self._text(f"lw {body.a}, {at.CURRENT}(x3)", f"lw {body.b}, {at.PIN}({body.a})")
        self._text(f"addi {body.b}, {body.b}, {amount}", f"sw {body.b}, {at.PIN}({body.a})")

    def _failure(self) -> None:
        self._asm.place("fast_lost")
        self._text(f"li x4, {Check.LOST}")
        self._asm.place("fail")
        self._text("csrci mstatus, 8", f"ori x4, x4, {FAILURE}", "slli x4, x4, 16", "li x5, 0x3333", "or x4, x4, x5")
        self._text(f"li x5, {self._kit.platform.finisher:#x}", "sw x4, 0(x5)", "j .")

    def emit(self) -> None:
        """All of it."""
        for index in range(ENTRIES):
            self._entry(index)
        self._simple()
        self._interruptible()
        self._failure()
