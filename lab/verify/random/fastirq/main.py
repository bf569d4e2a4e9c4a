# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""What the blocks of random programs for fastirq emit into, and the tasks that run beside the main program."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from trapeze.platform.isa import Pmpcfg
from verify.random.clic import main as clic_main
from verify.random.clic.handlers import Controller, pack
from verify.random.fastirq import layout as at
from verify.random.fastirq.body import Body, Kit
from verify.random.fastirq.handlers import Handlers
from verify.random.fastirq.layout import ENABLE, MPIE, MPP, NEST, TASK_BYTES, TASKS, Check, Layout, Sources

_TEMPS = re.compile(r"\bx([567])\b")


@dataclass(frozen=True)
class Shared(Controller):
    """The controller as blocks for the CLIC see it.

    Attributes:
        shares: who has which source.
        only_callable: they may configure only sources that need not be vectored.
    """

    shares: Sources
    only_callable: bool

    @property
    def free(self) -> Sequence[int]:
        """Sources that may be configured."""
        return self.shares.callable if self.only_callable else self.shares.free

    @property
    def wake(self) -> int:
        """Ends WFI."""
        return self.shares.wake

    @property
    def fault(self) -> int:
        """Made pending while the vector table is elsewhere."""
        return self.shares.fault

    @staticmethod
    def of(sources: Sources, only_callable: bool = False) -> Shared:
        """What is shared by the handlers of a program."""
        clic = sources.clic
        known = clic.base, clic.first, clic.sources, clic.ctl_bits, clic.first_line, clic.user
        return Shared(*known, sources, only_callable)


@dataclass
class FastMain(clic_main.Main):
    """What blocks emit into: they write x5 to x7 for the three registers in which nothing is held.

    Attributes:
        kit: what all code shares.
        handlers: of the table.
        temps: the registers that x5 to x7 stand for.
    """

    kit: Kit
    handlers: Handlers
    temps: tuple[int, int, int]

    @property
    def sources(self) -> Sources:
        """Who has which source."""
        return self.kit.sources

    @property
    def layout(self) -> Layout:
        """Layout of frames."""
        return self.kit.layout

    def named(self, line: str) -> str:
        """A line with the registers that are meant."""
        return _TEMPS.sub(lambda found: f"x{self.temps[int(found[1]) - 5]}", line)

    def text(self, *lines: str) -> None:
        """Emit lines that name x5 to x7 for the temporary registers."""
        self.asm.text(*(self.named(line) for line in lines))

    def raw(self, *lines: str) -> None:
        """Emit lines as they are."""
        self.asm.text(*lines)

    def require(self, first: str, second: str, code: Check) -> None:
        """The program fails unless two temporary registers are equal."""
        self.kit.require(self.named(first), self.named(second), code)

    def any_source(self) -> int:
        """A source that may be configured; rather one of a few, so that they meet."""
        free = self.clic.free
        few = [number for number in self.sources.few if number in free]
        return self.rng.choice(few if few and self.rng.random() < 0.6 else list(free))

    def word(self, source: int, ip: int, ie: int, edge: float = 0.75, ctl: int | None = None) -> int:
        """What may be written to a source."""
        return pack(ip, ie, self.kit.attributes(source, edge), self.control() if ctl is None else ctl)

    def pend(self, source: int | None = None, ctl: int | None = None) -> None:
        """Make a source pending."""
        source = self.any_source() if source is None else source
        value = self.word(source, 1, 1, 1, ctl)
        self.text(f"li x6, {self.clic.word(source):#x}", f"li x5, {value:#x}", "sw x5, 0(x6)")

    def stack(self) -> int:
        """An address in one of the four stacks, with room on both sides."""
        region = at.STACKS + self.rng.randrange(4) * at.STACK_BYTES
        return region + at.STACK_BYTES - 512 - 16 * self.rng.randrange(32)

    def pin(self, value: int) -> None:
        """1: handlers leave this program's registers and stack alone; 0: they need not."""
        self.text(f"li x5, {value}", f"sw x5, {TASKS + at.PIN}(x3)")

    def to_user_stack(self) -> None:
        """sp for user mode, and what mscratch holds meanwhile; with interrupts off."""
        self.raw("csrw mscratch, sp")
        self.text("la x5, user_stack")
        self.raw(self.named("mv sp, x5"))

    def become(self, mpp: int, mpie: bool, level: int) -> None:
        """mret to the next instruction; from user mode an ecall leads back, with sp as it was."""
        if mpp == 0:
            self.off()
            self.to_user_stack()
        super().become(mpp, mpie, level)

    def fastirq(self) -> None:
        """Settings of mfastirq, on."""
        self.text(f"la x5, {self.kit.control()}", f"csrw {at.MFASTIRQ:#x}, x5")

    def only_level(self, below: int) -> None:
        """With interrupts off: only sources with ctl above `below` come through."""
        self.text(f"li x6, {self.clic.base:#x}", "li x5, 8", "sb x5, 0(x6)", f"li x5, {below}", "csrw mintthresh, x5")


def compare_mail(kit: Kit, registers: Sequence[str], task: int, code: Check) -> None:
    """Check a task's mail register: it must be the sum of what the handlers recorded, which may change meanwhile."""
    a, b, c = registers
    again = kit.asm.label("mail")
    place = TASKS + task * TASK_BYTES + at.MAIL
    kit.asm.place(again)
    kit.asm.text(f"lw {a}, {place}(x3)", f"mv {b}, x{kit.mail}", f"lw {c}, {place}(x3)", f"bne {a}, {c}, {again}")
    kit.require(a, b, code)


@dataclass
class Tasks:
    """Programs that run beside the main one, each with its own stack and its own sum.

    Attributes:
        kit: what all code shares.
        users: for each task beside the main program, whether it runs in user mode.
        mails: first value of each one's mail register, the main program's first.
    """

    kit: Kit
    users: tuple[bool, ...]
    mails: tuple[int, ...]

    def _task(self, index: int) -> None:
        kit, rng, asm = self.kit, self.kit.rng, self.kit.asm
        is_user = self.users[index - 1]
        body = Body(kit, (kit.mail,), owns_frame=False)
        body.work.registers = (*body.work.registers, *kit.layout.callee)
        asm.place(f"fast_task{index}")
        body.fill()
        again = asm.label("task")
        asm.place(again)
        for _ in range(rng.randint(1, 6)):
            self._step(body, is_user)
        body.check(Check.TASK)
        compare_mail(kit, (body.a, body.b, body.c), index, Check.TASK_MAIL)
        if not is_user:
            asm.text("csrsi mstatus, 8")
        address = kit.sources.clic.word(kit.sources.switch)
        asm.text(f"li {body.a}, {address:#x}", f"li {body.b}, 1", f"sb {body.b}, 0({body.a})")
        asm.text(*["nop"] * rng.randint(0, 4), f"j {again}")

    def _step(self, body: Body, is_user: bool) -> None:
        """Something that leaves all registers but three as they were."""
        rng, text = self.kit.rng, self.kit.asm.text
        first, second = (f"x{rng.choice(body.work.registers)}" for _ in range(2))
        value = rng.randint(-2048, 2047)
        ways: list[tuple[str, ...]] = [
            (f"xori {first}, {first}, {value}", f"divu {body.a}, {second}, {first}", f"xori {first}, {first}, {value}"),
            (f"addi sp, sp, -16\n\tsw {first}, 4(sp)\n\tlw {first}, 4(sp)\n\taddi sp, sp, 16",),
            (f"addi sp, sp, -16\n\tsw {first}, 5(sp)\n\tlw {first}, 5(sp)\n\taddi sp, sp, 16",),
            (
                f"mv {body.a}, {first}",
                f"mv {first}, {body.b}",
                f"mul {body.c}, {body.a}, {second}",
                f"mv {first}, {body.a}",
            ),
            (f"li {body.a}, {rng.randint(2, 30)}\n1:\taddi {body.a}, {body.a}, -1\n\tbnez {body.a}, 1b",),
            ("ebreak",),
            (".4byte 0",),
        ]
        if not is_user:
            ways += [("csrsi mstatus, 8",), (f"csrr {body.a}, mstatus",), ("ecall",), (f"csrw mscratch, {first}",)]
        text(*rng.choice(self.kit.asm.base.ways(ways)))

    def emit(self) -> None:
        """All of them."""
        for index in range(1, len(self.users) + 1):
            self._task(index)

    def words(self) -> list[str]:
        """The words at `variables` that describe tasks, as the main program starts."""
        count = len(self.users) + 1
        lines = []
        for index in range(at.MOST_TASKS):
            is_user = 0 < index < count and self.users[index - 1]
            values: list[str | int] = [0] * (TASK_BYTES // 4)
            if index < count:
                following = (index + 1) % count
                values[at.NEXT // 4] = f"variables + {TASKS + following * TASK_BYTES}"
                values[at.MAIL // 4] = self.mails[index]
                values[at.MOVES // 4] = int(index == 0)
                values[at.SP // 4] = f"task_frame{index}" if index else 0
                values[at.MSCRATCH // 4] = f"task_user{index}" if is_user else 0
            lines.append("\t.4byte " + ", ".join(str(value) for value in values))
        return lines

    def stacks(self) -> list[str]:
        """Their stacks, each with the frame that it begins by."""
        layout, lines = self.kit.layout, ["\t.balign 16"]
        for index in range(1, len(self.users) + 1):
            is_user = self.users[index - 1]
            lines += ["\t.skip 0x4000", f"task_user{index}:"] if is_user else []
            lines += ["\t.skip 0x4000", f"task_frame{index}:"]
            before = layout.offset(self.kit.mail)
            lines += [f"\t.skip {before}", f"\t.4byte {self.mails[index]:#x}", f"\t.skip {layout.mepc - before - 4}"]
            lines += [f"\t.4byte fast_task{index}, {(0 if is_user else MPP) | MPIE:#x}"]
            lines += [f"\t.skip {layout.size - 4 * layout.words + 16}"]
        return [*lines, "\t.skip 0x4000", "user_stack:", "\t.skip 64"]


def tower_lines(kit: Kit) -> list[str]:
    """Configure the few, edge-triggered, each above the one before it; with x5 and x6."""
    few = kit.sources.few
    step = kit.rng.randint(1, 250 // len(few))
    lines = []
    for index, source in enumerate(few):
        shv = 1 if source in kit.sources.vectored else kit.rng.choice((0, 1))
        value = pack(0, 1, shv | 2, 1 + index * step)
        lines += [f"li x6, {kit.sources.clic.word(source):#x}", f"li x5, {value:#x}", "sw x5, 0(x6)"]
    return lines


def open_all(rows: int) -> list[str]:
    """Opens memory for user mode by the last of so many rows of memory protection; nothing without any."""
    if not rows:
        return []
    word, byte = divmod(rows - 1, 4)
    open_row = (Pmpcfg.A_NAPOT | Pmpcfg.R | Pmpcfg.W | Pmpcfg.X) << 8 * byte
    return ["li x5, -1", f"csrw pmpaddr{rows - 1}, x5", f"li x5, {open_row:#x}", f"csrw pmpcfg{word}, x5"]


def start(kit: Kit, rounds: int, rows: int) -> list[str]:
    """From reset to the first block, without the registers of the work; `rows`: of memory protection."""
    sources = kit.sources
    lines = [*open_all(rows), "la x3, variables", f"li sp, {at.STACKS + at.STACK_BYTES - 512:#x}"]
    lines += ["la x5, fast_entry0", "csrw mtvec, x5", "la x5, fast_table0", "csrw mtvt, x5"]
    lines += [f"la x5, fast_link0 + {ENABLE | kit.rng.choice((0, NEST))}", f"csrw {at.MFASTIRQ:#x}, x5"]
    lines += [f"li x5, {rounds}", f"sw x5, {at.ROUNDS}(x3)", "la x5, sums", f"sw x5, {at.SUMS}(x3)"]
    lines += [f"addi x5, x3, {TASKS}", f"sw x5, {at.CURRENT}(x3)", "li x5, 3"]
    for source in sorted((*sources.own_frames, sources.special)):
        lines += [f"li x6, {sources.clic.word(source) + 2:#x}", "sb x5, 0(x6)"]
    levels = dict(zip(sources.rungs, sorted(kit.rng.sample(range(1, 254), len(sources.rungs))), strict=True))
    levels |= {sources.switch: kit.rng.choice((1, 3, 60, 250)), sources.skip: kit.rng.randint(1, 253)}
    for source, ctl in levels.items():
        lines += [f"li x6, {sources.clic.word(source):#x}", f"li x5, {pack(0, 1, 3, ctl):#x}", "sw x5, 0(x6)"]
    lines += [f"li x6, {sources.clic.base:#x}", "li x5, 8", "sb x5, 0(x6)"]
    return [*lines, *(tower_lines(kit) if sources.is_tower else [])]
