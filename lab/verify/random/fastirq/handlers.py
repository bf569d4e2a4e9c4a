# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The vector table of random programs for fastirq, what its entries lead to, and where functions return to.

Each source has a handler of its own, some have two, one in each of two tables. Handlers of sources that may be other
than vectored are plain functions: xnxti and jalxnxti call them too. All others end in one of many ways and treat the
frame at sp as their own.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from itertools import pairwise

from verify.random.fastirq import layout as at
from verify.random.fastirq.body import LINKS, Body, Kit
from verify.random.fastirq.layout import EMRET, MFASTIRQ, MFRAME, Check

TABLES = 2
"""Vector tables: fast_table0 and so on."""


class Handlers:
    """Emits all of them."""

    def __init__(self, kit: Kit) -> None:
        self._kit, self._rng, self._asm, self._layout = kit, kit.rng, kit.asm, kit.layout
        self._doubled: frozenset[int] = frozenset()

    def _text(self, *lines: str) -> None:
        self._asm.text(*lines)

    # --- ends

    def tail(self, body: Body) -> None:
        """Something that is under way when emret comes; nothing is held in registers any more."""
        a, b = body.a, body.b
        top = 4 * (self._layout.words - 1)
        ways: tuple[tuple[str, ...], ...] = (
            *((), (), ("nop",), ("csrsi mstatus, 8",), ("csrci mstatus, 8",)),
            *((f"lw {a}, 0(sp)",), (f"lw {a}, {top}(sp)", f"sw {a}, {top}(sp)"), (f"lw {b}, 2(sp)",)),
            ("addi sp, sp, -16", "addi sp, sp, 16"),
            (f"mv {a}, sp", "addi sp, sp, -16", f"sw {a}, 0(sp)", "lw sp, 0(sp)"),
            (f"lw {a}, {top - 4}(sp)", f"csrw mepc, {a}"),
            (f"li {a}, 7", f"divu {b}, sp, {a}"),
            (f"li {a}, 7", f"mul {b}, sp, {a}"),
            (f"csrsi {MFASTIRQ:#x}, 2",),
            (f"csrw {MFRAME:#x}, sp",),
            (f"lw {a}, 4(sp)", f"sw {a}, 4(sp)", f"csrw {MFRAME:#x}, sp", *["nop"] * self._rng.randrange(24)),
            (f"lw {a}, 4(sp)", f"csrw {MFRAME:#x}, sp", *["nop"] * self._rng.randrange(24), f"sw {a}, 4(sp)"),
            (f"lh {a}, 3(sp)", f"sh {a}, 3(sp)"),
            (f"csrr {a}, mstatus", f"csrw mstatus, {a}"),
        )
        self._text(*self._rng.choice(self._asm.base.ways(ways)))

    def _by_return(self, _: Body) -> None:
        self._text(self._rng.choice(("ret", "ret", "jalr x0, 0(ra)")))

    def _by_emret(self, body: Body) -> None:
        self.tail(body)
        self._text(f".4byte {EMRET:#x}")

    def _by_link(self, body: Body) -> None:
        self._text(f"csrr {body.a}, {MFASTIRQ:#x}", f"andi {body.a}, {body.a}, -4", f"jr {body.a}")

    def _by_move(self, body: Body) -> None:
        body.move()
        self._by_emret(body)

    def _by_mret(self, body: Body) -> None:
        """Software restores everything: words in any order, some in halves."""
        rng, layout = self._rng, self._layout
        a, b = body.a, body.b
        self._text("csrci mstatus, 8")
        words: list[tuple[int, str]] = [(layout.offset(number), f"x{number}") for number in layout.caller]
        words = [(offset, name) for offset, name in words if name not in (a, b)]
        words += [(layout.mepc, "mepc"), (layout.mcause, "mcause")]
        rng.shuffle(words)
        for offset, name in words:
            target = a if name in ("mepc", "mcause") else name
            if rng.random() < 0.2:
                high, low = f"{rng.choice(('lh', 'lhu'))} {target}, {offset + 2}(sp)", f"lhu {b}, {offset}(sp)"
                self._text(high, low, f"slli {target}, {target}, 16", f"or {target}, {target}, {b}")
            else:
                self._text(f"lw {target}, {offset}(sp)")
            if target != name:
                self._text(f"csrw {name}, {target}")
        for name in rng.sample((a, b), 2):
            self._text(f"lw {name}, {layout.offset(int(name[1:]))}(sp)")
        self._text(f"addi sp, sp, {layout.size}", "csrrw sp, mscratchcsw, sp", "mret")

    def _by_chain(self, body: Body) -> None:
        """Serve pending sources by xnxti or jalxnxti, then emret; mcause must have its value from the entry."""
        a, b, asm = body.a, body.b, self._asm
        self._text("csrci mstatus, 8", f"lw {a}, {self._layout.mcause}(sp)", f"csrw mcause, {a}")
        if self._rng.random() < 0.5:
            self._text("csrrw ra, jalmnxti, ra")
        else:
            again, done = asm.label("again"), asm.label("done")
            asm.place(again)
            self._text(f"csrrsi {a}, mnxti, 8", f"beqz {a}, {done}", f"lw {b}, 0({a})", f"jalr ra, 0({b})")
            if self._rng.random() < 0.5:
                self._text("csrci mstatus, 8", f"lw {a}, {self._layout.mcause}(sp)", f"csrw mcause, {a}")
            self._text(f"j {again}")
            asm.place(done)
        self._by_emret(body)

    # --- handlers

    def handler(self, name: str, source: int) -> None:
        """The handler of a source."""
        kit, rng, asm = self._kit, self._rng, self._asm
        owns = source in kit.sources.own_frames
        rungs = kit.sources.rungs
        following = dict(pairwise(rungs)).get(source)
        ends: list[tuple[Callable[[Body], None], int]] = [(self._by_return, 4)]
        if owns:
            others = ((self._by_emret, 6), (self._by_link, 1), (self._by_mret, 3), (self._by_move, 2))
            ends += [*others, (self._by_chain, 2)]
        end = rng.choices([one for one, _ in ends], [weight for _, weight in ends])[0]
        returns = end == self._by_return
        spills = returns and rng.random() < 0.4
        body = Body(kit, (1,) if returns else (), owns)
        if spills:
            body.take(1)
        if rng.random() < 0.5:
            asm.text(".balign 4, 0")
        asm.place(name)
        if rng.random() < 0.15:
            self._text(f"mv {body.a}, ra")  # ra is new as the first instruction reads it
        counts = owns or rng.random() < 0.3
        is_counted = counts and rng.random() < 0.5
        if is_counted:
            body.deeper()
        if following is not None and rng.random() < 0.9:
            body.climb(following)
        elif rng.random() < 0.2:
            body.raise_source()
        elif rng.random() < 0.2:
            self._text(*["nop"] * rng.randint(1, 18))
        if owns:
            draw = rng.random()
            if draw < 0.3:
                body.touch_all()
            elif draw < 0.6:
                for _ in range(rng.randint(1, 5)):
                    body.touch()
            if rng.random() < 0.2:
                body.mail()
        if counts and not is_counted:
            body.deeper()
        with ExitStack() as stack:
            if spills or rng.random() < 0.5:
                stack.enter_context(body.lowered(16 * rng.randint(1, 3)))
                if spills:
                    self._text("sw ra, 8(sp)")
                if rng.random() < 0.5:
                    body.borrow()
            if owns and body.local and rng.random() < 0.3:
                body.touch_all()
            body.fill()
            steps = rng.randint(1, 5)
            serve = rng.randrange(steps)
            for step in range(steps):
                if step == serve:
                    body.serve(source)
                    if source == kit.sources.skip:
                        self._let_go(body)
                body.act()
            body.check(Check.HANDLER)
            body.give_back()
            if spills:
                self._text("lw ra, 8(sp)")
        if counts:
            body.shallower()
        end(body)

    def _let_go(self, body: Body) -> None:
        """Code that waits in a loop for this handler goes on after the loop."""
        over, layout = self._asm.label("over"), self._layout
        offset = layout.mepc + body.local
        self._text(
            f"lw {body.a}, {offset}(sp)", f"lw {body.b}, {at.SPIN_FIRST}(x3)", f"bltu {body.a}, {body.b}, {over}"
        )
        self._text(
            f"lw {body.b}, {at.SPIN_LAST}(x3)", f"bltu {body.b}, {body.a}, {over}", f"addi {body.b}, {body.b}, 4"
        )
        if self._rng.random() < 0.5:
            self._text(f"sw {body.b}, {offset}(sp)")
        else:
            self._text(f"sh {body.b}, {offset}(sp)", f"srli {body.b}, {body.b}, 16", f"sh {body.b}, {offset + 2}(sp)")
        self._asm.place(over)

    def _next_task(self) -> None:
        """The scheduler: leaves by the frame of the task after this one."""
        kit, rng, asm, layout = self._kit, self._rng, self._asm, self._layout
        body = Body(kit)
        now, then, value = body.a, body.b, body.c
        asm.place("fast_switch")
        if rng.random() < 0.5:
            body.touch_all()
        self._text("csrci mstatus, 8", f"lw {now}, {at.CURRENT}(x3)", f"lw {then}, {at.NEXT}({now})")
        saves = [f"sw x{number}, {at.SAVED + 4 * index}({now})" for index, number in enumerate(layout.callee)]
        loads = [f"lw x{number}, {at.SAVED + 4 * index}({then})" for index, number in enumerate(layout.callee)]
        saves.append(f"sw sp, {at.SP}({now})")
        loads.append(f"lw sp, {at.SP}({then})")
        for number, place in (("mscratch", at.MSCRATCH), ("mintthresh", at.THRESHOLD)):
            saves.append(f"csrr {value}, {number}\n\tsw {value}, {place}({now})")
            loads.append(f"lw {value}, {place}({then})\n\tcsrw {number}, {value}")
        if rng.random() < 0.7:
            loads.append(f"lw {value}, {at.SP}({then})\n\tcsrw {MFRAME:#x}, {value}")
        rng.shuffle(saves)
        rng.shuffle(loads)
        self._text(*saves, f"sw {then}, {at.CURRENT}(x3)", *loads)
        self._text(*(() if rng.random() < 0.5 else ("csrsi mstatus, 8",)), f".4byte {EMRET:#x}")

    def _links(self) -> None:
        """Places for mfastirq.link: the code there runs after every handler that is a function."""
        asm = self._asm
        for index in range(LINKS):
            asm.text(".balign 4, 0")
            asm.place(f"fast_link{index}")
            if index:
                self.tail(Body(self._kit))
            asm.text(f".4byte {EMRET:#x}")

    def emit(self) -> None:
        """All of it."""
        sources = self._kit.sources
        own = self._known()
        self._own = frozenset(own)
        self._doubled = frozenset((*self._rng.sample(own, min(8, len(own))), *sources.rungs))
        for source in own:
            self.handler(f"fast_h{source}_0", source)
            if source in self._doubled:
                self.handler(f"fast_h{source}_1", source)
        self._next_task()
        self._links()

    def _known(self) -> list[int]:
        """Sources with a handler of their own."""
        sources = self._kit.sources
        own = {3, 7, 11, sources.wake, sources.fault, sources.skip, *sources.rungs, *sources.few, *sources.free}
        return sorted(own - {sources.switch})

    def name(self, source: int, table: int) -> str:
        """Where an entry of a table leads to."""
        sources = self._kit.sources
        if source == sources.switch:
            return "fast_switch"
        if source in self._own:
            return f"fast_h{source}_{table if source in self._doubled else 0}"
        return "fast_lost"

    def tables(self) -> list[str]:
        """The tables, for the data bank; bit 0 of an entry is not there."""
        lines = []
        for table in range(TABLES):
            lines += [f".balign {self._kit.sources.alignment}", f"fast_table{table}:"]
            for source in range(self._kit.sources.clic.sources):
                lines.append(f"\t.4byte {self.name(source, table)} + {self._rng.choice((0, 0, 1))}")
        return lines
