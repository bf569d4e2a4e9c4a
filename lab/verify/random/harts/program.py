# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Random programs for several harts, for lockstep.

One image runs on all harts. Each goes many times over blocks of its own: work in private memory with a known result,
and races, atomic operations, locks, mails and interrupts with the others; once a round all meet. Whatever the order of
the harts, counters in shared memory must be what the harts have counted, and the sums of their own work what they must
be: else the exit code is 64 and one of `layout.Check`. The last act is to print the counters, see `layout.report`.

| module | holds |
|---|---|
| `layout` | registers, words of shared and private memory, checks |
| `kit` | what code is emitted into; accesses to shared memory that blocks and handlers make |
| `blocks` | what a hart does between two meetings |
| `handlers` | interrupts and exceptions |
| `posts` | programs of another kind: harts that post user interrupts to one another |
"""

from __future__ import annotations

import random
from collections import Counter as Counts
from itertools import pairwise

from trapeze.common.edges import Edge
from verify.random.clic.program import controller
from verify.random.clic.work import MEMORY, MEMORY_BYTES, State, Work
from verify.random.harts import blocks as harts_blocks
from verify.random.harts import handlers, layout
from verify.random.harts.kit import Kit
from verify.random.harts.layout import MEETING, NUMBER, OWN, ROUND, SCRAMBLED, SHARED, Check, Counter, Shape
from verify.random.instructions.addresses import platform
from verify.random.instructions.asm import Asm
from verify.random.instructions.isa import CORNERS
from verify.random.lockstep import engines
from verify.random.lockstep.engines import Settings
from verify.random.programs import generator
from verify.random.programs.blocks.data import alu
from verify.random.programs.context import Context
from verify.random.programs.harness_lockstep import Parts, plain

BLOCKS = 40
"""Blocks of each hart."""
ROUNDS = 40
"""How often a hart goes over them."""
_TOGETHER = 5
"""Before each so many blocks the harts meet, and then do the same."""
_CYCLES = 55
"""A block takes about so many cycles, without wait states."""


def settings(rng: random.Random, config: str, blocks: int) -> Settings:
    """Draw circumstances: levels and pulses in bursts on the lines of all harts, and wait states."""
    shape = layout.shape(config)
    cycle = rng.randint(1500, 3000)
    irq: list[Edge] = []
    gap = rng.choice((150, 300, 600, 1500))
    while cycle < _CYCLES * blocks * ROUNDS and len(irq) < 1500:
        for _ in range(rng.choice((1, 1, 2, 5, 12))):
            form = rng.choice(("", ":pulse", ":pulse", f":pulse={rng.randint(2, 40)}", ":pulse=100"))
            hart, line = rng.randrange(shape.harts), rng.randrange(shape.lines)
            irq.append(Edge(line, cycle, form, hart))
            cycle += rng.choice((0, 0, 1, 2, 3, 7, 15, 30))
        cycle += rng.randint(1, 2 * gap)
    data_heavy = rng.choice((0, 30)), rng.choice((30, 90, 128))
    instr_heavy = rng.choice((30, 60, 128)), rng.choice((0, 60))
    # Many wait states leave little to compare in a second.
    both_heavy = rng.choice((128, 200)), rng.choice((128, 200))
    instr, data = rng.choices(((0, 0), data_heavy, instr_heavy, both_heavy), (12, 4, 4, 1))[0]
    return Settings(tuple(irq), instr, data, rng.randrange(1, 1000))


def _context(rng: random.Random, config: str, asm: Asm, locked: set[int]) -> Context:
    machine = platform()
    return Context(
        rng, asm, engines.base_of(config), machine, 3, 1, rng.choice((0.0, 0.3, 0.6)), True, True, locked=set(locked)
    )


def _functions(rng: random.Random, config: str) -> list[str]:
    """Code for shared memory, one slot each: arithmetic that needs no address."""
    lines = ["\t.balign 64", "functions:"]
    for _ in range(layout.SLOTS):
        asm = Asm(engines.base_of(config))
        ctx = _context(rng, config, asm, set(layout.KEPT) | {1})
        asm.text("addi a0, a0, 1")  # what `change_code` changes
        alu(ctx, rng.randint(1, 10))
        asm.text("ret", ".balign 64")
        lines += asm.lines
    return lines


def _words(label: str, values: list[int]) -> list[str]:
    rows = [", ".join(f"{value:#x}" for value in values[index : index + 8]) for index in range(0, len(values), 8)]
    return [f"{label}:", *(f"\t.4byte {row}" for row in rows)]


def _begin_round(kit: Kit, hart: int) -> None:
    harts_blocks.meet(kit)
    if hart == 0:
        harts_blocks.change_code(kit)
    harts_blocks.meet(kit)
    kit.text("fence.i")


def _end_round(kit: Kit, work: Work, hart: int) -> None:
    """The sum of the work; then again, or on to the end."""
    work.checksum()
    kit.text(f"lw x6, {layout.SUMS}({OWN})", "lw x7, 0(x6)", "addi x6, x6, 4", f"sw x6, {layout.SUMS}({OWN})")
    kit.require(f"x{layout.WORK_TEMP}", "x7", Check.WORK)
    kit.text(f"addi {ROUND}, {ROUND}, -1", f"beqz {ROUND}, finish", f"j body{hart}")


def _finish(kit: Kit) -> None:
    """All mails are read; then the counters must be what all harts have counted."""
    asm, platform_ = kit.ctx.asm, kit.ctx.platform
    asm.place("finish")
    harts_blocks.meet(kit)
    kit.text(f"xori x5, {NUMBER}, 1", f"sh3add x5, x5, {SHARED}", f"1: lw x6, {layout.FULL}(x5)", "bnez x6, 1b")
    harts_blocks.meet(kit)
    kit.text("csrci mstatus, 8")
    for offset in (*(4 * which for which in Counter), layout.RETRIES):
        kit.text(f"lw x5, {offset}({OWN})", f"addi x6, {SHARED}, {layout.TOTALS + offset}", "amoadd.w x0, x5, (x6)")
    harts_blocks.meet(kit)
    kit.text(f"beqz {NUMBER}, 2f", "1: wfi", "j 1b", "2:")
    for which in Counter:
        good = asm.label("counted")
        kit.text(f"lw x5, {layout.counter(which)}({SHARED})", f"lw x6, {layout.TOTALS + 4 * which}({SHARED})")
        kit.text(f"beq x5, x6, {good}")
        kit.fail(Check.COUNTS + which)
        asm.place(good)
    kit.text(f"li x5, {platform_.uart:#x}")
    for index in range(len(layout.REPORT)):
        kit.text(f"lw x6, {layout.TOTALS + 4 * index}({SHARED})", *["sb x6, 0(x5)", "srli x6, x6, 8"] * 4)
    kit.text(f"li x5, {platform_.finisher:#x}", "li x6, 0x5555", "sw x6, 0(x5)", "j .")


def _first_hart(shape: Shape, msip: int) -> list[str]:
    """Hart 0 prepares the shared bank, which starts with any values; the others wait for a word that a reset clears."""
    lines = [f"li x5, {msip:#x}", f"beqz {NUMBER}, prepare", f"sh2add x5, {NUMBER}, x5"]
    lines += ["1: lw x6, 0(x5)", "beqz x6, 1b", "sw x0, 0(x5)", "fence io, rw", "j start1", "prepare:"]
    lines += [f"addi x6, {SHARED}, {layout.WORDS}", f"addi x7, {SHARED}, {layout.PLACES}"]
    lines += ["1: sw x0, 0(x6)", "addi x6, x6, 4", "bne x6, x7, 1b"]
    lines += ["la x6, functions", f"li x7, {shape.shared + layout.CODE:#x}"]
    lines += [f"addi x11, x7, {layout.SLOTS * layout.SLOT_BYTES}", "1: lw x10, 0(x6)", "sw x10, 0(x7)"]
    lines += ["addi x6, x6, 4", "addi x7, x7, 4", "bne x7, x11, 1b", "fence rw, io", "li x6, 1"]
    return lines + [f"sw x6, {4 * hart}(x5)" for hart in range(1, shape.harts)]


def _start(rng: random.Random, kit: Kit, config: str, state: State) -> list[str]:
    shape, clic = kit.shape, controller(config)
    lines = [f"csrr {NUMBER}, mhartid", f"la {OWN}, own", f"li {SHARED}, {shape.shared:#x}"]
    lines += [f"li sp, {kit.ctx.platform.smem.end - 1024:#x}", f"li {ROUND}, {ROUNDS}", f"li {MEETING}, 0"]
    lines += _first_hart(shape, kit.ctx.platform.msip)
    for hart in range(shape.harts):
        lines += [f"start{hart}:"] if hart else []
        lines += [f"addi x5, {NUMBER}, -{hart}", f"bnez x5, start{hart + 1}"] if 0 < hart < shape.harts - 1 else []
        lines += handlers.start(kit, hart, clic.base, clic.first)
        lines += [f"la x5, sums{hart}", f"sw x5, {layout.SUMS}({OWN})", f"li {SCRAMBLED}, {rng.getrandbits(32):#x}"]
        lines += [f"li x{register}, {value:#x}" for register, value in state.registers.items()]
        lines += [f"li x{n}, {rng.choice((rng.choice(CORNERS), rng.getrandbits(32))):#x}" for n in handlers.CALLER]
        lines += ["csrsi mstatus, 8", f"j body{hart}"]
    return lines


def generate(seed: int, config: str, blocks: int = BLOCKS) -> generator.Program:
    """Make a program.

    Args:
        seed: any non-negative integer.
        config: platform configuration, with fastirq, atomic operations and a shared bank.
        blocks: of each hart.
    """
    shape, base = layout.shape(config), engines.base_of(config)
    rng = random.Random(f"harts/{seed}/{shape}/{blocks}")
    code = Asm(base)
    handling = Kit(_context(rng, config, code, set(range(1, 32)) - set(handlers.CALLER)), None, shape)
    handlers.emit(handling, controller(config).first)

    first = State(
        {register: rng.choice((rng.choice(CORNERS), rng.getrandbits(32))) for register in layout.WORK},
        bytearray(rng.randbytes(MEMORY_BYTES)),
    )
    names = list(harts_blocks.WEIGHTS)
    weights = [weight for _, weight in harts_blocks.WEIGHTS.values()]
    together = {index: rng.choice(harts_blocks.TOGETHER) for index in range(0, blocks, _TOGETHER)}
    asm = code.child()
    asm.adopt(code)
    bodies: list[list[list[str]]] = []
    data: list[str] = []
    for hart in range(shape.harts):
        work = Work(rng, asm, layout.WORK, layout.WORK_TEMP)
        kit = Kit(_context(rng, config, asm, set(layout.KEPT)), work, shape)
        starts = [len(asm.lines)]
        asm.place(f"body{hart}")
        _begin_round(kit, hart)
        for index in range(blocks):
            starts.append(len(asm.lines))
            if index in together:
                harts_blocks.together(kit, together[index])
            harts_blocks.WEIGHTS[rng.choices(names, weights)[0]][0](kit)
            work.some(2)
            asm.text(f"rori {SCRAMBLED}, {SCRAMBLED}, 7", f"addi {SCRAMBLED}, {SCRAMBLED}, {rng.randint(1, 2047)}")
        starts.append(len(asm.lines))
        _end_round(kit, work, hart)
        if hart == shape.harts - 1:
            _finish(kit)
        starts.append(len(asm.lines))
        bodies.append([asm.lines[a:b] for a, b in pairwise(starts)])
        state, sums = first.copy(), []
        total = Work(rng, Asm(base), layout.WORK, layout.WORK_TEMP).checksum()
        for _ in range(ROUNDS):
            work.run(state)
            sums.append(total(state))
        data += [*handlers.tables(kit, hart), *_words(f"sums{hart}", sums)]
    start = ['\t.section .text.start, "ax"', "\t.globl _start", "_start:"]
    start += [line if line.endswith(":") else f"\t{line}" for line in _start(rng, kit, config, first)] + ["\t.text"]
    words = [int.from_bytes(first.memory[at : at + 4], "little") for at in range(0, MEMORY_BYTES, 4)]
    parts = Parts(
        start=tuple(start),
        blocks=tuple(plain(block) for block in bodies[0]),
        end=(),
        functions=tuple(plain(block) for body in bodies[1:] for block in body),
        handler=plain(code.lines),
        data=(
            *("\t.data", *_words("scratch", [rng.getrandbits(32) for _ in range(512)])),
            *("own:", f"\t.skip {layout.OWN_BYTES}", *_words(MEMORY, words)),
            *(*data, *plain(_functions(rng, config))),
        ),
    )
    return generator.Program(seed, base, generator.Options(blocks, lockstep=True), parts.text(), Counts(), parts)


def make(seed: int, config: str, blocks: int = BLOCKS) -> tuple[generator.Program, Settings]:
    """The program of a seed and its circumstances."""
    return generate(seed, config, blocks), circumstances(seed, config, blocks)


def circumstances(seed: int, config: str, blocks: int = BLOCKS) -> Settings:
    """The circumstances alone."""
    return settings(random.Random(f"harts/{seed}/settings"), config, blocks)
