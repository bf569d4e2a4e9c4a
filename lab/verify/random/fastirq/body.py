# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""What handlers of random programs for fastirq do between their first instruction and their last.

A handler fills registers with values, works on them, and compares their sum at the end; in between it lets itself be
interrupted, raises and configures sources, and reaches into its own frame at any width. Whatever it does to the frame
leaves the interrupted program's values, or is written down where that program looks.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from verify.random.clic.handlers import FUEL, pack
from verify.random.clic.work import State, Work
from verify.random.fastirq import layout as at
from verify.random.fastirq.layout import EMRET, ENABLE, MFASTIRQ, MFRAME, NEST, Check, Layout, Sources
from verify.random.instructions.addresses import Platform
from verify.random.instructions.asm import Asm

LINKS = 8
"""Places for mfastirq.link: fast_link0 and so on."""
_LOADS = {1: ("lb", "lbu"), 2: ("lh", "lhu"), 4: ("lw",)}
_STORES = {1: "sb", 2: "sh", 4: "sw"}
_EXCEPTIONS = ("ecall", "ebreak", ".4byte 0", "csrr x0, 0x3ff")


@dataclass(frozen=True)
class Kit:
    """What everything that emits code shares.

    Attributes:
        rng: draws everything.
        asm: the text.
        layout: of frames.
        sources: of the CLIC.
        platform: the machine.
        mail: register of the program that handlers add to by way of its frame.
    """

    rng: random.Random
    asm: Asm
    layout: Layout
    sources: Sources
    platform: Platform
    mail: int

    def attributes(self, source: int, edge: float = 0.75) -> int:
        """Attributes of a source, as it may be configured."""
        rng = self.rng
        shv = 1 if source in self.sources.own_frames else int(rng.random() < 0.5)
        trigger = int(rng.random() < edge) | 2 * int(rng.random() < 0.3)
        return shv | trigger << 1 | rng.choice((0, 0, 0xC0, 0x38))

    def require(self, first: str, second: str, code: Check) -> None:
        """The program fails unless two registers are equal."""
        good = self.asm.label("good")
        self.asm.text(f"beq {first}, {second}, {good}", f"li x4, {code}", "j fail")
        self.asm.place(good)

    def control(self) -> str:
        """A value for mfastirq that keeps it on, as an expression for `la`."""
        rng = self.rng
        return f"fast_link{rng.randrange(LINKS)} + {ENABLE | rng.choice((0, NEST, NEST, NEST))}"


class Body:
    """Emits the body of a handler.

    Attributes:
        a: one of three registers that nothing is held in; `b` and `c` are the others.
        work: what it computes.
        stack_copy: register that holds sp, or 0.
        local: bytes by which sp is below where the handler found it.
    """

    def __init__(self, kit: Kit, keep: Sequence[int] = (), owns_frame: bool = True) -> None:
        self._kit, self._rng, self._asm = kit, kit.rng, kit.asm
        self._owns_frame = owns_frame
        caller = [number for number in kit.layout.caller if number not in keep]
        self._rng.shuffle(caller)
        self.a, self.b, self.c = (f"x{number}" for number in caller[:3])
        rest = caller[3:]
        self.stack_copy = rest.pop() if self._rng.random() < 0.4 else 0
        if self._rng.random() < 0.4:
            rest = rest[: self._rng.randint(1, len(rest))]
        self._caller = rest
        self._callee: list[int] = []
        self.local = 0
        self._state = State({}, bytearray())
        self.work = Work(self._rng, self._asm, tuple(rest), int(self.a[1:]), has_memory=False)

    def text(self, *lines: str) -> None:
        """Emit lines."""
        self._asm.text(*lines)

    def chance(self, probability: float) -> bool:
        """Decide."""
        return self._rng.random() < probability

    # --- stack

    @contextmanager
    def lowered(self, size: int) -> Iterator[None]:
        """With sp so much lower; the lowest and the highest word there have been written."""
        self.text(f"addi sp, sp, -{size}", f"sw sp, {size - 4}(sp)")
        self.local += size
        yield
        self.local -= size
        self.text(f"addi sp, sp, {size}")

    def take(self, register: int) -> None:
        """Work on one more caller-saved register."""
        self._caller.append(register)
        self.work.registers = tuple(self._caller)

    def borrow(self) -> None:
        """Take callee-saved registers too, within `lowered`; they are saved at 0(sp) and up."""
        callee = self._kit.layout.callee
        self._callee = self._rng.sample(callee, self._rng.randint(1, 2)) if callee else []
        for index, register in enumerate(self._callee):
            self.text(f"sw x{register}, {4 * index}(sp)")
        self.work.registers = (*self._caller, *self._callee)

    def give_back(self) -> None:
        """Restore what `borrow` took."""
        for index, register in enumerate(self._callee):
            self.text(f"lw x{register}, {4 * index}(sp)")

    # --- registers

    def fill(self) -> None:
        """Write every register."""
        order = list(self.work.registers)
        self._rng.shuffle(order)
        for register in order:
            value = self._rng.choice((self._rng.getrandbits(32), self._rng.getrandbits(11)))
            self._state.registers[register] = value
            self.text(f"li x{register}, {value:#x}")
        if self.stack_copy:
            self.text(f"mv x{self.stack_copy}, sp")

    def check(self, code: Check) -> None:
        """Compare every register with what it must hold; the code behind `code` is for sp."""
        self.work.run(self._state)
        total = self.work.checksum()
        self.text(f"li {self.b}, {total(self._state):#x}")
        self._kit.require(self.a, self.b, code)
        if self.stack_copy:
            self._kit.require(f"x{self.stack_copy}", "sp", Check(code + 1))

    # --- the frame

    def _reach(self) -> tuple[int, int]:
        """Size and offset from sp of an access to the frame, perhaps across its ends."""
        size = self._rng.choice((1, 2, 4, 4))
        end = 4 * self._kit.layout.words
        offset = self._rng.randint(-3 if self.local else 0, end - 1)
        draw = self._rng.random()
        if draw < 0.5:
            offset -= offset % size
        elif draw < 0.6:
            offset = end - self._rng.randint(1, 3)
        elif draw < 0.7:
            offset = -self._rng.randint(1, 3) if self.local else 0
        if offset < 0 and not self.local:
            offset = 0
        return size, offset + self.local

    def touch(self) -> None:
        """One access to the frame, or two that leave it as it was."""
        rng = self._rng
        if not self.local and rng.random() < 0.15:
            self._across_its_beginning()
            return
        size, offset = self._reach()
        load, store = rng.choice(_LOADS[size]), _STORES[size]
        self.text(f"{load} {self.a}, {offset}(sp)")
        draw = rng.random()
        if draw < 0.4:
            return
        if draw < 0.7:
            for _ in range(rng.randint(1, 2)):
                inner = rng.choice([one for one in (1, 2, 4) if one <= size])
                inside = offset + rng.randint(0, size - inner)
                self.text(f"{_STORES[inner]} {rng.choice(('x0', 'sp', 'x3'))}, {inside}(sp)")
            if rng.random() < 0.3:
                self.text(f"{rng.choice(_LOADS[size])} {self.b}, {offset}(sp)")
        self.text(f"{store} {self.a}, {offset}(sp)")

    def _across_its_beginning(self) -> None:
        """Access the first word, and words below sp, where another frame may be stored at any moment."""
        offset = -self._rng.randint(1, 3)
        if self.chance(0.5):
            self.text(f"sw x0, {offset - 3}(sp)")
        self.text(f"sw x0, -4(sp)\n\tlw {self.a}, {offset}(sp)")
        if self.chance(0.5):
            self.text(f"sw {self.a}, {offset}(sp)")

    def touch_all(self) -> None:
        """Every word, in some order."""
        words = list(range(self._kit.layout.words))
        rng = self._rng
        order = rng.randrange(3)
        if order == 1:
            words.reverse()
        elif order == 2:
            rng.shuffle(words)
        way = rng.choice(("load", "same", "half", "byte", "split"))
        for word in words:
            offset = 4 * word + self.local
            if way == "split":
                offset += rng.randint(1, 3)
                self.text(f"lw {self.a}, {offset}(sp)")
                if rng.random() < 0.5:
                    self.text(f"sw {self.a}, {offset}(sp)")
            elif way == "half":
                offset += rng.randrange(4)
                self.text(f"lh {self.a}, {offset}(sp)", f"sh {self.a}, {offset}(sp)")
            elif way == "byte":
                offset += rng.randrange(4)
                self.text(f"lb {self.a}, {offset}(sp)", f"sb {self.a}, {offset}(sp)")
            else:
                self.text(f"lw {self.a}, {offset}(sp)")
                if way == "same":
                    self.text(f"sw {self.a}, {offset}(sp)")

    def _outermost(self, skip: str) -> None:
        """Go to `skip` unless what was interrupted is a program of level 0 that allows changes; `a`: its task."""
        self.text(f"lw {self.a}, {at.CURRENT}(x3)", f"lw {self.b}, {at.PIN}({self.a})", f"bnez {self.b}, {skip}")
        self.text(f"lbu {self.b}, {self._kit.layout.mcause + 2 + self.local}(sp)", f"bnez {self.b}, {skip}")

    def mail(self) -> None:
        """Add something to a register of the interrupted program by way of its frame."""
        skip = self._asm.label("mail")
        offset = self._kit.layout.offset(self._kit.mail) + self.local
        amount = self._rng.randint(-2048, 2047)
        self._outermost(skip)
        lines = [f"lw {self.b}, {at.MAIL}({self.a})", f"addi {self.b}, {self.b}, {amount}"]
        self.text(*lines, f"sw {self.b}, {at.MAIL}({self.a})", f"lw {self.b}, {offset}(sp)")
        self.text(f"addi {self.b}, {self.b}, {amount}")
        parts = self._rng.choice(((4,), (4,), (2, 2), (1, 1, 1, 1), (1, 2, 1)))
        for index, size in enumerate(parts):
            self.text(f"{_STORES[size]} {self.b}, {offset}(sp)")
            offset += size
            if index + 1 < len(parts):
                self.text(f"srli {self.b}, {self.b}, {8 * size}")
        self._asm.place(skip)

    def recolour(self) -> None:
        """Change what mcause in the frame says about where the interrupt came from, or turn its MPIE off."""
        offset = self._kit.layout.mcause + self.local
        if self.chance(0.7):
            self.text(f"li {self.a}, {self._rng.randrange(256)}", f"sb {self.a}, {offset}(sp)")
        else:
            self.text(f"lbu {self.a}, {offset + 3}(sp)", f"andi {self.a}, {self.a}, -9")
            self.text(f"sb {self.a}, {offset + 3}(sp)")

    def move(self) -> None:
        """Copy the frame to another stack and leave by that one; the interrupted program must not mind."""
        skip, rng = self._asm.label("move"), self._rng
        self._outermost(skip)
        self.text(f"lw {self.b}, {at.MOVES}({self.a})", f"beqz {self.b}, {skip}")
        self.text(f"li {self.b}, {at.STACKS:#x}", f"sub {self.b}, sp, {self.b}", f"srli {self.b}, {self.b}, 16")
        self.text(f"bnez {self.b}, {skip}", f"li {self.b}, {rng.randint(1, 3) * at.STACK_BYTES:#x}")
        self.text(f"xor {self.a}, sp, {self.b}")
        words = list(range(self._kit.layout.words))
        rng.shuffle(words)
        for word in words:
            first, second = f"{4 * word}(sp)", f"{4 * word}({self.a})"
            self.text(f"lw {self.b}, {first}", f"sw {self.b}, {second}")
        self.text(f"mv sp, {self.a}")
        self._asm.place(skip)

    # --- duties

    def deeper(self) -> None:
        """Count this handler on its task's stack."""
        over = self._asm.label("deep")
        self.text(f"lw {self.a}, {at.CURRENT}(x3)", f"lw {self.b}, {at.DEPTH}({self.a})", f"addi {self.b}, {self.b}, 1")
        self.text(f"sw {self.b}, {at.DEPTH}({self.a})", f"lw {self.c}, {at.DEEPEST_FAST}(x3)")
        self.text(f"bgeu {self.c}, {self.b}, {over}", f"sw {self.b}, {at.DEEPEST_FAST}(x3)")
        self._asm.place(over)

    def shallower(self) -> None:
        """Count it no longer."""
        self.text(f"lw {self.a}, {at.CURRENT}(x3)", f"lw {self.b}, {at.DEPTH}({self.a})")
        self.text(f"addi {self.b}, {self.b}, -1", f"sw {self.b}, {at.DEPTH}({self.a})")

    def serve(self, source: int) -> None:
        """What makes a source pending goes away: a level is disabled, the timer armed anew, the UART contented."""
        platform, word = self._kit.platform, self._kit.sources.clic.word(source)
        if source == 7:
            self.text(f"li {self.a}, {platform.mtime:#x}", f"lw {self.b}, 0({self.a})")
            self.text(f"li {self.a}, {self._rng.randint(3000, 12000)}", f"add {self.b}, {self.b}, {self.a}")
            self.text(f"li {self.a}, {platform.mtimecmp:#x}", f"sw {self.b}, 0({self.a})")
        elif source == 11:
            self.text(f"li {self.a}, {platform.uart_ier:#x}", f"sb x0, 0({self.a})")
        elif source >= 12 or source in (3, self._kit.sources.wake):
            over = self._asm.label("edge")
            self.text(f"li {self.a}, {word:#x}", f"lbu {self.b}, 2({self.a})", f"andi {self.b}, {self.b}, 2")
            self.text(f"bnez {self.b}, {over}", f"sb x0, 1({self.a})")
            self._asm.place(over)

    # --- things to do

    def _burn(self, dry: str) -> None:
        """Use up a little of what there is, or go to `dry`."""
        self.text(f"lw {self.a}, {FUEL}(x3)", f"beqz {self.a}, {dry}", f"addi {self.a}, {self.a}, -1")
        self.text(f"sw {self.a}, {FUEL}(x3)")

    def climb(self, rung: int) -> None:
        """Raise one of the rungs, at once or a little later."""
        self.text(f"li {self.a}, {self._kit.sources.clic.word(rung):#x}", f"li {self.b}, 1")
        if self.chance(0.4):
            self.text(*["nop"] * self._rng.randint(1, 14))
        self.text(f"sb {self.b}, 0({self.a})")
        if self.chance(0.7):
            self.text("csrsi mstatus, 8")

    def raise_source(self) -> None:
        """Make a source pending while there is fuel, often one a little above the present level."""
        rng, over = self._rng, self._asm.label("dry")
        sources = self._kit.sources
        source = rng.choice(sources.few if rng.random() < 0.5 and not sources.is_tower else sources.free)
        attributes = self._kit.attributes(source, edge=1)
        self._burn(over)
        if rng.random() < 0.3:
            self.climb(rng.choice(sources.rungs[:2]))
            self._asm.place(over)
            return
        if rng.random() < 0.6:
            self.text(f"csrr {self.a}, mintstatus", f"srli {self.a}, {self.a}, 24")
            self.text(f"addi {self.a}, {self.a}, {rng.randint(1, 24)}", f"li {self.b}, 253")
            self.text(f"minu {self.a}, {self.a}, {self.b}", f"slli {self.a}, {self.a}, 24")
            self.text(f"li {self.b}, {pack(1, 1, attributes, 0):#x}", f"or {self.a}, {self.a}, {self.b}")
        else:
            self.text(f"li {self.a}, {pack(1, 1, attributes, rng.choice((253, 240, rng.randrange(254)))):#x}")
        self.text(f"li {self.b}, {sources.clic.word(source):#x}", f"sw {self.a}, 0({self.b})")
        self._asm.place(over)

    def _configure(self) -> None:
        """Write some register of some source, so that nothing becomes enabled or pending by it."""
        rng, sources = self._rng, self._kit.sources
        field = rng.choice((1, 2, 2, 3, 3, 0, 4))
        if field == 4:
            address, value = sources.clic.base, 8 if sources.is_tower else rng.randrange(16)
        else:
            source = rng.choice(sources.free)
            address = sources.clic.word(source) + field
            value = {0: 0, 1: 0, 2: self._kit.attributes(source), 3: rng.randrange(254)}[field]
        self.text(f"li {self.a}, {address:#x}", f"li {self.b}, {value}", f"sb {self.b}, 0({self.a})")

    def _threshold(self) -> None:
        """Some work behind a threshold."""
        with self.lowered(16):
            self.text(f"csrr {self.a}, mintthresh", f"sw {self.a}, 0(sp)", f"li {self.a}, {self._rng.randrange(256)}")
            self.text(f"csrw mintthresh, {self.a}")
            self.work.some(2)
            self.text(f"lw {self.a}, 0(sp)", f"csrw mintthresh, {self.a}")

    def _memory(self) -> None:
        """Store a register and load it again."""
        rng = self._rng
        with self.lowered(16):
            for _ in range(rng.randint(1, 3)):
                register, offset = rng.choice(self.work.registers), rng.randint(0, 8)
                self.text(f"sw x{register}, {offset}(sp)")
                if rng.random() < 0.3:
                    self.text(f"sh x{register}, {offset}(sp)", f"lbu {self.a}, {offset + 1}(sp)")
                if rng.random() < 0.3:
                    self.text("csrsi mstatus, 8")
                self.text(f"lw x{register}, {offset}(sp)")

    def _exception(self) -> None:
        """One that the handler returns from."""
        if self.chance(0.3):
            region = self._rng.choice(self._kit.platform.any_holes)
            self.text(f"li {self.b}, {self._rng.randrange(region.base, region.end - 4):#x}")
            self.text(f"{self._rng.choice(('lw', 'sw', 'lb', 'sh'))} {self.b}, 0({self.b})")
        else:
            self.text(self._rng.choice(_EXCEPTIONS))

    def _stack_in_flight(self) -> None:
        """sp written in several ways, never to anything but a place for frames."""
        rng = self._rng
        ways = (
            ("addi sp, sp, -16", "addi sp, sp, 16"),
            (f"mv {self.a}, sp", f"addi sp, {self.a}, -32", f"mv sp, {self.a}"),
            (f"li {self.a}, 48", f"sub sp, sp, {self.a}", "addi sp, sp, 48"),
            (f"mv {self.a}, sp", "addi sp, sp, -16", f"sw {self.a}, 0(sp)", "lw sp, 0(sp)"),
            (f"mv {self.a}, sp", "addi sp, sp, -16", f"sw {self.a}, 5(sp)", "lw sp, 5(sp)"),
            (f"li {self.a}, 1", f"mul sp, sp, {self.a}"),
            (f"li {self.a}, 1", f"divu sp, sp, {self.a}"),
        )
        self.text(*rng.choice(self._asm.base.ways(ways)))

    def _control(self) -> None:
        """Another link, another nest; or fastirq off for a while in which nothing can come."""
        draw = self._rng.random()
        if draw < 0.5:
            self.text(f"la {self.a}, {self._kit.control()}", f"csrrw {self.b}, {MFASTIRQ:#x}, {self.a}")
        elif draw < 0.85:
            self.text(f"{self._rng.choice(('csrrsi', 'csrrsi', 'csrrci'))} {self.a}, {MFASTIRQ:#x}, {NEST}")
        else:
            self.text("csrci mstatus, 8", f"csrci {MFASTIRQ:#x}, {ENABLE}")
            if self.chance(0.5):
                self.text(f".4byte {EMRET:#x}")
            self.text("nop", f"csrsi {MFASTIRQ:#x}, {ENABLE}")

    def hint(self) -> None:
        """Announce a frame: this handler's, the next task's, one beside, or none at all."""
        rng = self._rng
        draw = rng.random()
        if draw < 0.5:
            self.text(f"addi {self.a}, sp, {self.local}")
        elif draw < 0.7:
            self.text(f"lw {self.a}, {at.CURRENT}(x3)", f"lw {self.a}, {at.NEXT}({self.a})")
            self.text(f"lw {self.a}, {at.SP}({self.a})")
        elif draw < 0.9:
            self.text(f"addi {self.a}, sp, {self.local + rng.choice((-4, 3, 4, 16, -16, self._kit.layout.size))}")
        else:
            self.text(f"li {self.a}, {rng.choice((0x90000000, 0xFFFFFFF0, rng.getrandbits(32))):#x}")
        way = rng.choice(("csrw {0}, {1}", "csrw {0}, {1}", "csrrs {2}, {0}, {1}", "csrrw {2}, {0}, {1}"))
        self.text(way.format(f"{MFRAME:#x}", self.a, self.b))

    def _look(self) -> None:
        numbers = (
            "mcause",
            "mepc",
            "mstatus",
            "mscratch",
            "mtvec",
            "mintstatus",
            "mnxti",
            "mintthresh",
            "mtvt",
            f"{MFASTIRQ:#x}",
        )
        for _ in range(self._rng.randint(1, 2)):
            self.text(f"csrr {self._rng.choice((self.a, self.b, self.c))}, {self._rng.choice(numbers)}")

    def _switch(self) -> None:
        """Ask for the next task; without end, the main program might never run."""
        address, over = self._kit.sources.clic.word(self._kit.sources.switch), self._asm.label("dry")
        self._burn(over)
        self.text(f"li {self.a}, {address:#x}", f"li {self.b}, 1", f"sb {self.b}, 0({self.a})")
        self._asm.place(over)

    def act(self) -> None:
        """One thing of many."""
        rng = self._rng
        draw = rng.random()
        if draw < 0.3:
            self.work.some(3)
        elif draw < 0.38:
            self.text("csrci mstatus, 8")
        elif draw < 0.52:
            self.text("csrsi mstatus, 8")
        elif draw < 0.64:
            self.raise_source()
        elif draw < 0.70:
            rng.choice((self._configure, self._threshold, self._switch, self._stack_in_flight))()
        elif draw < 0.76:
            self._memory()
        elif draw < 0.79:
            self._exception()
        elif draw < 0.82:
            self._look()
        elif draw < 0.84:
            self._control()
        elif draw < 0.88:
            self.hint()
        elif not self._owns_frame:
            self.work.some(2)
        elif draw < 0.95:
            self.touch()
        elif draw < 0.98:
            self.mail()
        else:
            self.recolour()
