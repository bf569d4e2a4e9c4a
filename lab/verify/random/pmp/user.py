# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The user half of random programs with memory protection: interrupts that user mode handles, wherever its sp is.

Half of the programs of a configuration with user-level interrupts have it. Their sources are machine mode's or user
mode's, and change sides; blocks enter pieces by `uret` or `mret` with any level, threshold and enable bit; pieces reach
the user view, where a row opens it. Handlers and tables stand with the pieces, in code that rows may take away. A frame
that is refused ends UIE, so that the program goes on.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from trapeze.platform import isa
from trapeze.platform.isa import Csr
from verify.random.clic.handlers import Controller
from verify.random.fastirq.layout import Layout
from verify.random.instructions import levels
from verify.random.instructions.levels import USER

URET, EURET = isa.URET.match, isa.EURET.match
ENABLE, NEST = isa.Ufastirq.ENABLE, isa.Ufastirq.NEST
UIE, UPIE = 1, 16
"""Bits of ustatus."""
UPIE_OF_CAUSE, UPIL = 1 << 27, 16
"""ucause: upie, and the lowest bit of upil."""
MODE = 0xC0
"""clicintattr.mode of machine mode."""
ATTR, EDGE = 2, 2
"""The byte of a source's word that is clicintattr, and its bit for edges."""
CONFIGURATION = 8 | 1 << 4 | 8 << 24
"""mcliccfg: all of ctl is level, in both modes, and attr.mode counts."""
VIEW = 0x8000
"""From machine mode's view of the controller to user mode's."""
HANDLERS = 5


@dataclass
class User:
    """Draws and emits the user half of a program: lines of assembly."""

    rng: random.Random
    clic: Controller
    layout: Layout
    levels: bool
    """Whether some sources are triggered by level. Handlers of machine mode do not mask, so these stay user mode's."""

    def _chance(self, probability: float) -> bool:
        return self.rng.random() < probability

    def attribute(self, source: int, low: int) -> int:
        """Attr of a source: most are user mode's, and of these some are triggered by level."""
        if not self._chance(0.65):
            return low | MODE
        return low & ~EDGE | self.rng.choice((0, 4)) if self._by_level(source) and self._chance(0.5) else low

    def _by_level(self, source: int) -> bool:
        """Whether it may be: then its handler masks it."""
        return self.levels and source % 4 == levels.BY_LEVEL

    def block(self, enter: str) -> list[str]:
        """Circumstances of a piece, and the way into it; `enter`: its name."""
        rng = self.rng
        fast = self._chance(0.7)
        value = (ENABLE | rng.choice((0, NEST))) if fast else rng.choice((0, NEST))
        lines = levels.any_value(USER, rng, "x6", "x5", "") if self._chance(0.3) else []
        lines += [*self._handled("x5", fast, value), f"li x5, {rng.choice((0, 0, 0, 60, 200))}"]
        lines += [
            f"csrw {Csr.UINTTHRESH:#x}, x5",
            f"csrrwi x6, {Csr.USTATUS:#x}, {rng.choice((0, UIE, UIE | UPIE, UPIE))}",
        ]
        if self._chance(0.5):
            source, byte = self._source(), rng.choice((2, 2, 1, 0, 3))
            value = {
                0: rng.randrange(2),
                1: int(self._chance(0.8)),
                2: self.attribute(source, 3),
                3: rng.randrange(256),
            }[byte]
            lines += [f"li x6, {self.clic.word(source) + byte:#x}", f"li x5, {value:#x}", "sb x5, 0(x6)"]
        if self._chance(0.1):
            unlbits = rng.choice((0, 1, 4, 8))
            word = 8 | int(self.levels or self._chance(0.9)) << 4 | unlbits << 24
            lines += [f"li x6, {self.clic.base:#x}", f"li x5, {word:#x}", "sw x5, 0(x6)"]
        if self._chance(0.8):
            cause = rng.choice((UPIE_OF_CAUSE, UPIE_OF_CAUSE, 0)) | rng.choice((0, 0, 0, 40, 255)) << UPIL
            lines += [f"li x5, {cause:#x}", f"csrw {Csr.UCAUSE:#x}, x5", f"la x5, {enter}", f"csrw {Csr.UEPC:#x}, x5"]
            lines.append(f".4byte {URET:#x}")
        return lines

    @staticmethod
    def _handled(a: str, fast: bool, value: int) -> list[str]:
        """Where interrupts of user mode go; `value`: bits of ufastirq."""
        lines = [f"la {a}, user_{'fast' if fast else 'slow'}_table", f"csrw {Csr.UTVT:#x}, {a}"]
        lines += [f"la {a}, user_entry", f"csrw {Csr.UTVEC:#x}, {a}", f"la {a}, user_link + {value}"]
        return [*lines, f"csrw {Csr.UFASTIRQ:#x}, {a}"]

    def _source(self) -> int:
        return self.rng.randrange(self.clic.first_line, self.clic.first_line + 12)

    def view(self) -> int:
        """An address in the user view."""
        rng = self.rng
        places = (self.clic.base + VIEW, self.clic.word(self._source()) + VIEW + rng.randrange(4))
        return rng.choice((*places, places[1]))

    def step(self, a: str, b: str) -> list[str]:
        """A step of a piece."""
        rng = self.rng
        draw = rng.random()
        if draw < 0.3:
            way = rng.choice(("csrrsi", "csrrsi", "csrrci", "csrrwi"))
            return [f"{way} {a}, {Csr.USTATUS:#x}, {rng.choice((UIE, UIE, UPIE, UIE | UPIE))}"]
        if draw < 0.4:
            return [levels.claims(USER, rng, a, b) if self._chance(0.8) else levels.asks(USER, rng, a, "x0")]
        if draw < 0.5:
            return [f"li {a}, {rng.choice((0, 0, 30, 100, 255))}", f"csrrw {b}, {Csr.UINTTHRESH:#x}, {a}"]
        if draw < 0.6:
            fast = self._chance(0.7)
            return levels.user_stretch(rng, a, b, self._handled(a, fast, fast * ENABLE | rng.choice((0, NEST))))
        if draw < 0.62:
            return [rng.choice(levels.reserved(USER))]
        if draw < 0.68:
            return [f"csrrw {a}, {Csr.USCRATCHCSWL:#x}, {b}"]
        if draw < 0.72:
            off = f"csrci {Csr.USTATUS:#x}, {UIE}"
            return [off, *levels.uret(a)] if a == b or self._chance(0.5) else self._euret(a, b)
        return self._view_step(a, b)

    def _view_step(self, a: str, b: str) -> list[str]:
        """A load or store in the user view.

        Stores leave a source edge-triggered. A level-triggered one would stay pending where no handler can mask it, and
        come again after every return, so that the program would not end.
        """
        access = self.rng.choice(("lw", "lb", "sb", "sb", "sw"))
        place = self.view() & (~3 if access in ("lw", "sw") else ~0)
        lines = [f"li {a}, {place:#x}"]
        if access == "sw":
            lines.append(f"li {b}, {self.rng.getrandbits(32) | EDGE << 16:#x}")
        elif access == "sb" and place % 4 == ATTR:
            lines.append(f"ori {b}, {b}, {EDGE}")
        return [*lines, f"{access} {b}, 0({a})"]

    def _euret(self, a: str, b: str) -> list[str]:
        """A return that no interrupt entered for, by a frame whose ucause and uepc the piece has written.

        The contents of a frame that an interrupt has left are unknown, and no record shows the ucause that a core
        loads. If the stores are refused, loads show the words.
        """
        cause = UPIE_OF_CAUSE | self.rng.choice((0, 0, 0, 40, 255)) << UPIL
        lines = [f"andi {b}, sp, -4"]
        for value, offset in ((f"li {a}, {cause:#x}", self.layout.mcause), (f"la {a}, 1f", self.layout.mepc)):
            lines += [value, f"sw {a}, {offset}({b})", f"lw {a}, {offset}({b})"]
        return [*lines, f".4byte {EURET:#x}", "1:"]

    def code(self) -> list[str]:
        """Entry, handlers and tables of user mode, for the beginning of the pieces."""
        rng = self.rng
        lines = [".balign 64, 0", "user_entry:", *levels.entered(rng, "x5", "x6"), f"csrr x5, {Csr.UFASTIRQ:#x}"]
        lines += ["andi x5, x5, 1", "beqz x5, 1f", f".4byte {EURET:#x}", f"1: .4byte {URET:#x}"]
        lines += [".balign 4, 0", "user_link:", f".4byte {EURET:#x}"]
        for index in range(HANDLERS):
            lines += [".balign 4, 0", f"user_fast{index}:", *self._handler(index), f".4byte {EURET:#x}"]
            lines += [".balign 4, 0", f"user_slow{index}:", *["nop"] * index, f".4byte {URET:#x}"]
        for kind, leave in (("fast", EURET), ("slow", URET)):
            lines += [".balign 4, 0", f"user_{kind}{HANDLERS}:", *levels.masked("x5"), f".4byte {leave:#x}"]
        alignment, sources = self.clic.table_alignment, range(self.clic.sources)
        for kind in ("fast", "slow"):
            lines += [f".balign {alignment}, 0", f"user_{kind}_table:"]
            lines += [
                f".4byte user_{kind}{HANDLERS if self._by_level(source) else rng.randrange(HANDLERS)}"
                for source in sources
            ]
        return lines

    def _handler(self, index: int) -> list[str]:
        rng = self.rng
        if index == 1:
            return ["lw x5, 4(sp)", "lw x6, 2(sp)", *(["sw x5, 4(sp)"] if self._chance(0.5) else [])]
        if index == 2:
            return [f"li x5, {rng.randint(3, 40)}", "1: addi x5, x5, -1", "bnez x5, 1b"]
        if index == 3:
            return [*["nop"] * rng.randint(0, 12), f"csrsi {Csr.USTATUS:#x}, 1", *["nop"] * rng.randint(0, 20)]
        if index == 4:
            return [f"li x5, {self.view() & ~3:#x}", "lw x6, 0(x5)", f"csrci {Csr.USTATUS:#x}, 1"]
        return []
