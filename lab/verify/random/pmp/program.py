# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Random programs for configurations with memory protection, for lockstep: rows change, and everything meets them.

    block (machine mode, in a place that no row takes away): rows, sp, mfastirq, then mret
        └─> piece (user or machine mode, in a place that rows may take away): loads, stores, jumps, rows
                └─> ecall, or a fault that cannot be skipped: the next block

An instruction that faults is skipped, a few hundred times in a block; a fetch that faults ends it. Interrupts come at
random cycles, in the blocks' pieces alone; their frames go wherever sp leads. x3 points at the program's own words and
x4 belongs to exceptions: no piece writes these two.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise

from trapeze.platform import configurations
from trapeze.platform.isa import Csr
from verify.random.clic import program as clic
from verify.random.clic.handlers import Controller, pack
from verify.random.fastirq import layout as fast_layout
from verify.random.fastirq import program as fast
from verify.random.fastirq.layout import EMRET, ENABLE, MFASTIRQ, MPIE, MPP, NEST
from verify.random.instructions.addresses import Platform, platform
from verify.random.instructions.asm import Asm
from verify.random.lockstep import engines
from verify.random.lockstep.engines import Settings
from verify.random.pmp import rows as at
from verify.random.pmp.rows import Kind, Row
from verify.random.pmp.user import CONFIGURATION, VIEW, User
from verify.random.programs import generator
from verify.random.programs.harness_lockstep import Parts, plain

CONFIGS = ("mcu-user", "mcu-user-e")
"""Configurations with memory protection."""
ROWS = 16
"""Programs that change rows need so many."""
BLOCKS = 60
"""Blocks of a program."""
RESUME, FUEL, SLOT, SLOT2 = 0, 4, 8, 12
"""Words at x3: the next block; faults that this one may still have; for handlers."""
HANDLERS = 6
NOWHERE = 0x90000000
"""An address without a device."""
APART = 0x400
"""Bytes between stacks of which none reaches into the other."""
_SAFE_CODE, _SAFE_DATA = 0x40000, 0x2000
_AREA = 0x1000
_MPRV = 1 << 17
_FIRST_LINES = 12


@dataclass
class _Maker:
    """Emits a program."""

    rng: random.Random
    asm: Asm
    kind: Kind
    clic: Controller
    machine: Platform
    registers: int
    fast: bool = True
    table: list[Row] = field(default_factory=lambda: [Row(0, 0)] * 16)
    pieces: int = 0
    user: User | None = None
    """Interrupts that user mode handles."""
    nests: bool = False
    """Whether handlers nest. A context whose frame was refused is in its bank then only for a while: the exception for
    the frame ends the block."""

    def text(self, *lines: str) -> None:
        self.asm.text(*lines)

    def chance(self, probability: float) -> bool:
        return self.rng.random() < probability

    # --- places

    @property
    def code(self) -> int:
        """The pieces."""
        return self.machine.imem.base + _SAFE_CODE

    @property
    def area(self) -> int:
        """Data that rows may take away."""
        return self.machine.dmem.base + _SAFE_DATA

    @property
    def stack(self) -> int:
        return self.machine.smem.base + 0x2000

    def places(self) -> list[int]:
        """What rows are put about."""
        rng = self.rng
        code = self.code + 4 * rng.randrange(1 + 24 * max(1, self.pieces))
        return [
            *(self.area + 4 * rng.randrange(_AREA // 4) for _ in range(3)),
            *(self.stack + 4 * rng.randint(-40, 8) for _ in range(3)),
            *(code, code, self.code, self.area, self.machine.dmem.end, self.machine.smem.base, self.machine.uart),
        ]

    def address(self, store: bool) -> int:
        """Where an access goes: about the ends of rows."""
        rng = self.rng
        found = [edge for before, row in pairwise(self.table) for edge in at.edges(row, before.addr)]
        good = [one for one in found if not store or self._may_store(one)]
        if good and self.chance(0.75):
            return rng.choice(good) + rng.choice((-4, -3, -2, -1, 0, 0, 1, 2, 3, 4, rng.randint(-20, 20)))
        others = [self.area + rng.randrange(_AREA), self.stack + rng.randint(-96, 32), 0x90000000, 0xFFFFFFFC]
        if not store:
            others += [
                self.machine.uart_lsr,
                self.code + rng.randrange(2048),
                self.machine.imem.base,
                self.machine.mtime,
            ]
        return rng.choice(others) + rng.choice((0, 0, 1, 2, 3))

    def _may_store(self, address: int) -> bool:
        """Stores do not change code, nor what the program cannot do without."""
        dmem, smem = self.machine.dmem, self.machine.smem
        first, second = dmem.base + _SAFE_DATA + 64, dmem.end + 64
        return first <= address < second or smem.base - 64 <= address < smem.end + 64

    # --- rows

    def write_row(self, row: int, value: Row, way: int = 0) -> None:
        """Write a row with x5 and x6: first one half, then the other one."""
        index, shift = csr_place(row)
        addr = [f"li x5, {value.addr:#x}", f"csrrw x6, {at.csr_addr(row):#x}, x5"]
        cfg = [f"li x5, {0xFF << shift:#x}", f"csrrc x6, {at.csr_cfg(index):#x}, x5"]
        cfg += [f"li x5, {value.cfg << shift:#x}", f"csrrs x6, {at.csr_cfg(index):#x}, x5"]
        self.text(*(cfg + addr if way else addr + cfg))
        self.table[row] = value

    def some_rows(self, most: int) -> None:
        rng = self.rng
        for _ in range(rng.randint(1, most)):
            row = rng.randrange(at.SAFE, 16)
            self.write_row(row, at.draw(rng, self.kind, self.places(), self.table[row - 1].addr), rng.randrange(2))

    def security(self) -> None:
        """Bits of mseccfg; RLB stays, or nothing could be opened any more."""
        if self.kind is Kind.USER:
            return
        value = at.RLB | (at.MML if self.kind is Kind.LOCKDOWN else 0) | self.rng.choice((0, 0, at.MMWP))
        self.text(f"li x5, {value}", f"csrrw x6, {Csr.MSECCFG:#x}, x5", f"csrr x6, {Csr.MSECCFG:#x}")

    # --- the fixed part

    def start(self) -> list[str]:
        machine = self.machine
        code, data = (machine.imem.base, _SAFE_CODE), (machine.dmem.base, _SAFE_DATA)
        first = Asm(self.asm.base)
        first.text("la x3, own", "la x5, entry", "csrw mtvec, x5", "la x5, fast_table", "csrw mtvt, x5")
        config = 8 if self.user is None else CONFIGURATION
        first.text(f"li x6, {self.clic.base:#x}", f"li x5, {config:#x}", "sw x5, 0(x6)")
        for source in range(12, self.clic.sources):
            few = source < self.clic.first_line + _FIRST_LINES
            shv = 1 if self.chance(0.8 if self.user is None else 0.5) else 0
            attr = shv | 2 if self.user is None else self.user.attribute(source, shv | 2)
            value = pack(0, 1, attr, self.rng.randint(1, 250) if few else self.rng.choice((1, 60, 250)))
            first.text(f"li x6, {self.clic.word(source):#x}", f"li x5, {value:#x}", "sw x5, 0(x6)")
        if self.kind is not Kind.USER:
            first.text(f"li x5, {at.RLB}", f"csrw {Csr.MSECCFG:#x}, x5")
        cfg = 0
        for row, one in enumerate(at.safe_rows(self.kind, code, data, (0, 0x80000000))):
            first.text(f"li x5, {one.addr:#x}", f"csrw {at.csr_addr(row):#x}, x5")
            cfg |= one.cfg << 8 * row
            self.table[row] = one
        first.text(f"li x5, {cfg:#x}", f"csrw {at.csr_cfg(0):#x}, x5")
        if self.kind is Kind.LOCKDOWN:
            first.text(f"li x5, {at.RLB | at.MML}", f"csrw {Csr.MSECCFG:#x}, x5")
        return [line for line in first.lines if not line.startswith(".option")]

    def handlers(self) -> None:
        """Entry, exceptions, and the tables' handlers."""
        text, place = self.text, self.asm.place
        text(".balign 64, 0")
        place("entry")
        text("csrr x4, mcause", "bltz x4, interrupt", "slli x4, x4, 1", "bltz x4, resume", "csrr x4, mcause")
        text("andi x4, x4, 31", "sw x5, 8(x3)", "li x5, 24")
        text(f"beq x4, x5, {'resume' if self.nests else 'again'}")
        for code in (1, 8, 11, 25):
            text(f"li x5, {code}", "beq x4, x5, resume")
        text(f"lw x4, {FUEL}(x3)", "addi x4, x4, -1", f"sw x4, {FUEL}(x3)", "bltz x4, resume")
        text("csrr x4, mepc", "addi x4, x4, 4", "csrw mepc, x4")
        place("again")
        if self.user is not None:
            text(f"csrci {Csr.USTATUS:#x}, 1")
        text("csrr x5, mtval", "lw x5, 8(x3)", "mret")
        place("resume")
        text(f"li x4, {_MPRV:#x}", "csrc mstatus, x4", f"li x4, {MPP:#x}", "csrw mcause, x4")
        text(f"lw x4, {RESUME}(x3)", "csrw mepc, x4", "mret")
        place("interrupt")
        text(f"csrr x4, {MFASTIRQ:#x}", f"andi x4, x4, {ENABLE}", "bnez x4, 1f", f"sw x5, {SLOT2}(x3)", "1:")
        text("csrr x4, mcause", "slli x4, x4, 20", "srli x4, x4, 18", f"li x5, {self.clic.first:#x}")
        text("add x4, x4, x5", "sb x0, 0(x4)", f"csrr x4, {MFASTIRQ:#x}", f"andi x4, x4, {ENABLE}", "bnez x4, 2f")
        text(f"lw x5, {SLOT2}(x3)", "mret", f"2: .4byte {EMRET:#x}")
        for index in range(HANDLERS):
            text(".balign 4, 0")
            place(f"fast_handler{index}")
            self._handler(index)
            text(".balign 4, 0")
            place(f"slow_handler{index}")
            text(*["nop"] * index, "mret")
        sources = range(self.clic.sources)
        text(f".balign {self.clic.table_alignment}, 0")
        for kind in ("fast", "slow"):
            text(f".balign {self.clic.table_alignment}, 0")
            place(f"{kind}_table")
            text(*(f".4byte {kind}_handler{self.rng.randrange(HANDLERS)}" for _ in sources))

    def _handler(self, index: int) -> None:
        rng, text = self.rng, self.text
        if index == 1:
            text("li x6, 1", "lw x5, 4(sp)", "sw x5, 4(sp)" if self.kind is Kind.USER else "nop", "lw x5, 2(sp)")
        elif index == 2:
            text(f"li x5, {rng.randint(3, 40)}", "1: addi x5, x5, -1", "bnez x5, 1b")
        elif index == 3:
            row = rng.randrange(at.SAFE, 16)
            word = rng.choice((self.stack, self.area)) >> 2
            text(f"li x5, {word + rng.randint(-32, 32):#x}", f"csrrw x6, {at.csr_addr(row):#x}, x5", "lw x6, 0(sp)")
        elif index == 4:
            cfg, shift = csr_place(rng.randrange(at.SAFE + 1, 16))
            bit = rng.choice((at.READ, at.WRITE, at.TOR))
            way = rng.choice(("csrrs", "csrrc"))
            text(*["nop"] * rng.randint(0, 12))
            text(f"li x5, {bit << shift:#x}", f"{way} x6, {at.csr_cfg(cfg):#x}, x5", "nop")
            if self.nests:
                text("csrsi mstatus, 8")
        elif index == 5:
            text("csrsi mstatus, 8" if self.nests else "nop", *["nop"] * rng.randint(0, 30))
        text(f".4byte {EMRET:#x}")

    # --- blocks

    def block(self, targets: list[str]) -> None:
        """Rows, circumstances, and a jump to a piece."""
        rng, text = self.rng, self.text
        after = self.asm.label("after")
        text(f"la x5, {after}", f"sw x5, {RESUME}(x3)", f"li x5, {rng.choice((3, 30, 200))}", f"sw x5, {FUEL}(x3)")
        if self.chance(0.5):
            for index in range(4):
                mask = 0xFF000000 if index == 0 else 0xFFFFFFFF
                text(f"li x5, {mask:#x}", f"csrrc x6, {at.csr_cfg(index):#x}, x5")
            self.table[at.SAFE :] = [Row(0, row.addr) for row in self.table[at.SAFE :]]
        if self.chance(0.85):
            code, data = (self.code, 0x40000), (self.machine.dmem.base, 1 << 20)
            data = rng.choice((data, (self.machine.dmem.base, 1 << 21)))
            for row, one in zip((14, 15), at.open_rows(rng, self.kind, code, data), strict=True):
                self.write_row(row, one)
        self.some_rows(4)
        if self.chance(0.15):
            self.security()
        if self.chance(0.3):
            self.fast = not self.fast
        value = (ENABLE | rng.choice((0, NEST) if self.nests else (0,))) if self.fast else 0
        text(f"la x5, {'fast' if self.fast else 'slow'}_table", "csrw mtvt, x5")
        text(f"la x5, link + {value}", f"csrw {MFASTIRQ:#x}, x5")
        if self.chance(0.4):
            source = rng.randrange(self.clic.first_line, self.clic.first_line + _FIRST_LINES)
            text(f"li x6, {self.clic.word(source):#x}", "li x5, 1", "sb x5, 0(x6)")
        user = self.chance(0.6)
        mpie = MPIE if self.chance(0.8) else 0
        text(f"li x5, {self.machine_stack():#x}", "csrw mscratch, x5", f"li sp, {self.some_stack():#x}")
        text(f"li x5, {(0 if user else MPP) | mpie:#x}", "csrw mcause, x5")
        target = rng.choice(targets)
        if self.user is not None:
            if self.chance(0.3):
                self.write_row(13, Row(at.READ | at.WRITE | at.NAPOT, at.napot(self.clic.base + VIEW, VIEW)))
            if self.chance(0.3):  # frames that rows allow and the bus refuses
                self.write_row(12, Row(at.READ | at.WRITE | at.NAPOT, at.napot(NOWHERE, 0x1000)))
                text(f"li sp, {NOWHERE + 0x100:#x}")
            text(*(self.user.block(target) if user else ()))
        text(f"la x5, {target}", "csrw mepc, x5", "mret")
        self.asm.place(after)
        text("csrci mstatus, 8", "csrw mintthresh, x0")

    def some_stack(self) -> int:
        """A value for sp: about the ends of rows, at the ends of memory, misaligned."""
        rng = self.rng
        draw = rng.random()
        if draw < 0.6:
            return self.stack + 4 * rng.randint(-24, 24)
        if draw < 0.8:
            return self.area + 512 + rng.randrange(_AREA - 512)
        return rng.choice((self.machine.smem.end, self.machine.smem.base + 40, 0x90000100, self.area + 66, 40))

    def machine_stack(self) -> int:
        """A value for mscratch.

        Words of a frame that was left may or may not have been stored. So machine mode's do not lie in frames of user
        mode, which goes on with them: where it has interrupts this is another stack, or no memory.
        """
        if self.user is None:
            return self.some_stack()
        rng = self.rng
        return self.stack + APART + 4 * rng.randint(-24, 24) if self.chance(0.8) else rng.choice((0x90000100, 40))

    # --- pieces

    def piece(self, index: int, following: list[str]) -> None:
        """Code that rows may take away; `following`: names of the pieces behind it."""
        self.asm.place(f"piece{index}")
        if self.asm.base.compressed and self.chance(0.5):
            self.asm.op("c.nop")
        for _ in range(self.rng.randint(6, 24)):
            self._step(following)
        self.text("ecall")

    def _step(self, following: list[str]) -> None:
        rng, text = self.rng, self.text
        a, b, c = (f"x{number}" for number in rng.sample(range(5, min(16, self.registers)), 3))
        if self.user is not None and self.chance(0.2):
            text(*self.user.step(a, b))
            return
        draw = rng.random()
        if draw < 0.34:
            text(f"li {a}, {self.address(False) & 0xFFFFFFFF:#x}")
            text(f"{rng.choice(('lw', 'lw', 'lh', 'lhu', 'lb', 'lbu'))} {b}, {rng.choice((0, 0, 1, -2, 4))}({a})")
        elif draw < 0.58:
            place = self.address(True) & 0xFFFFFFFF
            text(f"li {a}, {place:#x}", f"{rng.choice(('sw', 'sw', 'sh', 'sb'))} {rng.choice((a, b))}, 0({a})")
        elif draw < 0.66:
            offset = rng.randint(-40, 40)
            text(f"{rng.choice(('lw', 'lh'))} {b}, {offset}(sp)", f"{rng.choice(('sw', 'sh'))} x3, {offset}(sp)")
        elif draw < 0.70:
            self._compressed(a)
        elif draw < 0.75 and following:
            text(f"la {a}, {rng.choice(following[:4])}", f"jr {a}")
        elif draw < 0.77:
            text(f"li {a}, {rng.choice((self.machine.uart, 0x90000000, self.machine.imem.end, 2)):#x}", f"jr {a}")
        elif draw < 0.84:
            self._as_user(a, b)
        elif draw < 0.91:
            row = rng.randrange(at.SAFE, 16)
            saved = list(self.table)
            self.write_row(row, at.draw(rng, self.kind, self.places(), self.table[row - 1].addr), rng.randrange(2))
            if self.chance(0.5):
                self.table = saved  # the accesses behind are about both
            if self.chance(0.5):
                text(f"lw {a}, 0(sp)")
        elif draw < 0.93:
            csrs = (at.csr_cfg(rng.randrange(4)), at.csr_addr(rng.randrange(16)), int(Csr.MSECCFG))
            text(f"csrr {a}, {rng.choice(csrs):#x}")
        elif draw < 0.95:
            text(f"li sp, {self.some_stack():#x}")
        elif draw < 0.97:
            text(rng.choice(("fence.i", "ebreak", ".4byte 0", "fence")))
        elif draw < 0.98 and self.asm.base.has("divu"):
            text(f"divu {a}, {b}, {c}")
        elif "a" in self.asm.base.extensions:
            place = self.address(True) & 0xFFFFFFFC
            text(f"li {a}, {place:#x}", f"{rng.choice(('amoadd.w', 'amoswap.w', 'lr.w'))} {b}, {c}, ({a})")
        else:
            text("csrsi mstatus, 8")

    def _compressed(self, name: str) -> None:
        """What faults has a second one behind it, which is skipped with it."""
        if not self.asm.base.compressed:
            return
        if self.chance(0.6):
            self.text(f"li x9, {self.address(False) & 0xFFFFFFFC:#x}")
            self.asm.op("c.lw", "x8", "0(x9)")
            self.asm.op("c.nop")
        else:
            self.asm.op("c.addi", name, 1)

    def _as_user(self, a: str, b: str) -> None:
        """Accesses from machine mode with the privilege of user mode."""
        self.text(f"li {a}, {_MPRV:#x}", f"csrs mstatus, {a}")
        for _ in range(self.rng.randint(1, 3)):
            store = self.chance(0.4)
            self.text(f"li {b}, {self.address(store) & 0xFFFFFFFF:#x}")
            self.text(f"{'sw' if store else 'lw'} {b}, 0({b})")
        self.text(f"csrc mstatus, {a}")


def csr_place(row: int) -> tuple[int, int]:
    """Which pmpcfg a row is in, and where."""
    return row // 4, 8 * (row % 4)


def generate(seed: int, config: str, blocks: int = BLOCKS) -> generator.Program:
    """Make a program.

    Args:
        seed: any non-negative integer.
        config: platform configuration.
        blocks: size.
    """
    base = engines.base_of(config)
    rng = random.Random(f"pmp/{seed}/{base.registers}/{blocks}")
    kind = rng.choice((Kind.USER, Kind.LOCKS, Kind.LOCKDOWN))
    maker = _Maker(rng, Asm(base), kind, clic.controller(config), platform(), base.registers)
    maker.nests = rng.random() < 0.5
    if configurations.load(config).first.user and seed % 2:
        maker.user = User(rng, maker.clic, fast_layout.Layout.of(base), rng.random() < 0.5)
    start = maker.start()
    maker.handlers()
    handler = maker.asm
    names = [f"piece{index}" for index in range(2 * blocks)]
    maker.pieces = len(names)

    asm = maker.asm = handler.child()
    asm.adopt(handler)
    starts, pieces = [0], []
    code = asm.child()
    for index in range(blocks):
        starts.append(len(asm.lines))
        chosen = names[2 * index : 2 * index + 2]
        maker.block(chosen)
        # The pieces know the rows of their block.
        maker.asm = code
        first = len(code.lines)
        for number in (2 * index, 2 * index + 1):
            maker.piece(number, names[number + 1 :])
        pieces.append(plain(code.lines[first:]))
        maker.asm = asm
    starts.append(len(asm.lines))
    end = [f"\tli x5, {maker.machine.finisher:#x}", "\tli x6, 0x5555", "\tsw x6, 0(x5)", "\tj ."]
    data = ["\t.data", "own:", "\t.skip 32", "\t.balign 0x2000"]
    words = [rng.getrandbits(32) for _ in range(_AREA // 4)]
    data += [f"\t.4byte {', '.join(f'{word:#x}' for word in words[at_ : at_ + 8])}" for at_ in range(0, len(words), 8)]
    users = () if maker.user is None else (plain(maker.user.code()),)
    parts = Parts(
        start=('\t.section .text.start, "ax"', "\t.globl _start", "_start:", *start, "\tj body", "\t.text"),
        blocks=tuple(plain(asm.lines[first:last]) for first, last in pairwise(starts)),
        end=tuple(end),
        functions=(("\t.balign 4, 0", "link:", f"\t.4byte {EMRET:#x}", "\t.balign 0x20000, 0"), *users, *pieces),
        handler=plain(handler.lines),
        data=tuple(data),
    )
    return generator.Program(seed, base, generator.Options(blocks, lockstep=True), parts.text(), Counter(), parts)


def make(seed: int, config: str, blocks: int = BLOCKS) -> tuple[generator.Program, Settings]:
    """The program of a seed and its circumstances."""
    return generate(seed, config, blocks), circumstances(seed, config, blocks)


def circumstances(seed: int, config: str, blocks: int = BLOCKS) -> Settings:
    """The circumstances alone."""
    rng = random.Random(f"pmp/{seed}/settings")
    return fast.settings(rng, config, blocks, fast_layout.is_tower(seed, config))
