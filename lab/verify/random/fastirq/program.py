# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Random programs for configurations with fastirq, for lockstep.

A main program and up to three tasks beside it compute something whose result is known beforehand, while interrupts
come at random cycles and nest, chain, change tasks and reach into the frames that the hardware makes. Every program and
every handler fills registers and compares their sum: the exit code says what failed (`layout.Check`), so an error
shows even where RTL and model agree. The last act is to send three bytes by UART: how many handlers were active at once
at the most, and how many frames could not be stored and not be loaded.

| module | holds |
|---|---|
| `layout` | frame, reserved registers, the words at `variables`, the shares of the sources |
| `body` | what handlers do |
| `handlers` | the vector tables' handlers, how they end, and where functions return to |
| `entries` | what is not vectored, and exceptions |
| `main` | values that all blocks of the main program draw; the tasks |
| `blocks`, `stacks`, `frames`, `returns` | what the main program does |
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise

from trapeze.common.edges import Edge
from trapeze.platform import configurations
from verify.random.clic import handlers as clic_handlers
from verify.random.clic.work import MEMORY, MEMORY_BYTES, State, Work
from verify.random.fastirq import layout as fast_layout
from verify.random.fastirq import main as fast_main
from verify.random.fastirq import stacks
from verify.random.fastirq.body import Kit
from verify.random.fastirq.entries import Entries
from verify.random.fastirq.handlers import Handlers
from verify.random.fastirq.layout import TASKS, Check, Layout
from verify.random.fastirq.main import FastMain, Shared, Tasks, compare_mail
from verify.random.instructions.addresses import platform
from verify.random.instructions.asm import Asm
from verify.random.instructions.isa import CORNERS
from verify.random.lockstep import engines
from verify.random.lockstep.engines import Settings
from verify.random.programs import generator
from verify.random.programs.harness_lockstep import Parts, plain

BLOCKS = 60
"""Blocks of a program."""
VARIANTS = (
    *("mcu-fastirq-1bank", "mcu-fastirq-4banks", "mcu-fastirq-shared", "mcu-fastirq-inplace", "mcu-fastirq-sync"),
    "mcu-fastirq-whole",
)
"""Variants in which frames leave in other ways, or lines come in another."""
ROUNDS = 3
"""How often the main program goes over them."""


def settings(rng: random.Random, config: str, blocks: int, tower: bool) -> Settings:
    """Draw circumstances: levels and pulses in bursts, some of them line after line upwards; and wait states."""
    lines = fast_layout.shape(config)[2]
    cycle = rng.randint(300, 700)
    irq: list[Edge] = []
    gap = rng.choice((60, 150, 300, 600))
    while cycle < 250 * blocks * ROUNDS and len(irq) < 1200:
        count = rng.choice((1, 1, 2, 5, 12))
        first = rng.choice((rng.randrange(lines), rng.randrange(min(lines, 12))))
        rises = rng.random() < (0.8 if tower else 0.4)
        gaps = rng.choice(((0, 1, 2, 3), (1, 2, 3, 4, 5, 6, 7, 8), (0, 1, 2, 3, 4, 5, 6, 8, 11, 15, 19, 24, 30)))
        for index in range(count):
            shape = rng.choice(("", ":pulse", ":pulse", f":pulse={rng.randint(2, 40)}", ":pulse=300"))
            line = (index if rises else first) % lines
            irq.append(Edge(line, cycle, shape))
            first = rng.choice((first + 1, rng.randrange(lines), rng.randrange(min(lines, 12))))
            cycle += rng.choice(gaps)
        cycle += rng.randint(1, 2 * gap)
    data_heavy = rng.choice((0, 30)), rng.choice((30, 128, 200))
    instr_heavy = rng.choice((60, 128, 200)), rng.choice((0, 60))
    instr, data = rng.choice(((0, 0), (0, 0), data_heavy, instr_heavy))
    return Settings(tuple(irq), instr, data, rng.randrange(1, 1000))


def _end(main: FastMain) -> None:
    """The end of a round and of the program."""
    layout, last = fast_layout, main.asm.label("last")
    main.work.checksum()
    main.text(f"lw x6, {layout.SUMS}(x3)", "lw x7, 0(x6)")
    main.require("x5", "x7", Check.SUM)
    main.text("addi x6, x6, 4", f"sw x6, {layout.SUMS}(x3)")
    compare_mail(main.kit, [main.named(name) for name in ("x5", "x6", "x7")], 0, Check.MAIL)
    main.text(f"lw x6, {layout.ROUNDS}(x3)", "addi x6, x6, -1", f"sw x6, {layout.ROUNDS}(x3)", f"beqz x6, {last}")
    main.text("j body")
    main.asm.place(last)
    main.off()
    main.text(f"li x6, {main.platform.uart:#x}")
    for place in (layout.DEEPEST_FAST, layout.STORE_FAULTS, layout.LOAD_FAULTS):
        main.text(f"lw x5, {place}(x3)", "sb x5, 0(x6)")
    main.text("li x6, 0x5555", f"li x5, {main.platform.finisher:#x}", "sw x6, 0(x5)", "j .")


def _words(label: str, values: list[int]) -> list[str]:
    rows = [", ".join(f"{value:#x}" for value in values[index : index + 8]) for index in range(0, len(values), 8)]
    return [f"{label}:", *(f"\t.4byte {row}" for row in rows)]


def _data(main: FastMain, tasks: Tasks, clic_table: list[str], state: State) -> list[str]:
    """The data bank: tables, `variables`, what the work begins with, its sums, and the tasks' stacks."""
    lines = ["\t.data", *main.handlers.tables()]
    lines += [f"\t.balign {main.sources.alignment}", *clic_table[1:]]
    lines += ["\t.balign 16", "variables:", f"\t.skip {TASKS}", *tasks.words()]
    lines += _words(MEMORY, [int.from_bytes(state.memory[at : at + 4], "little") for at in range(0, MEMORY_BYTES, 4)])
    total = Work(main.rng, Asm(main.work.base), main.work.registers).checksum()
    sums = []
    for _ in range(ROUNDS):
        main.work.run(state)
        sums.append(total(state))
    return [*lines, *_words("sums", sums), *tasks.stacks()]


def generate(
    seed: int, config: str, blocks: int = BLOCKS, kinds: Mapping[str, tuple[stacks.Block, int]] = stacks.WEIGHTS
) -> generator.Program:
    """Make a program.

    Args:
        seed: any non-negative integer.
        config: platform configuration.
        blocks: size.
        kinds: of blocks that it draws from, with their weights.
    """
    base, machine = engines.base_of(config), platform()
    rng = random.Random(f"fast/{seed}/{fast_layout.shape(config)}/{base.registers}/{blocks}")
    layout, sources = Layout.of(base), fast_layout.sources(rng, config, fast_layout.is_tower(seed, config))
    rows = configurations.load(config).first.regions
    mail, *temps = rng.sample(layout.caller, 4)
    callee = rng.sample(layout.callee, rng.randint(1, len(layout.callee))) if layout.callee else []
    registers = tuple(number for number in (*layout.caller, *callee) if number not in (mail, *temps))

    code = Asm(base)
    kit = Kit(rng, code, layout, sources, machine, mail)
    handlers = Handlers(kit)
    handlers.emit()
    Entries(kit, handlers).emit()
    extra = tuple(range(8, min(base.registers, 16)))
    slow = clic_handlers.Handlers(rng, code, Shared.of(sources, only_callable=True), machine, extra)
    slow.emit()
    users = tuple(rng.random() < 0.4 for _ in range(rng.randrange(fast_layout.MOST_TASKS)))
    tasks = Tasks(kit, users, tuple(rng.getrandbits(32) for _ in range(len(users) + 1)))
    tasks.emit()

    asm = code.child()
    asm.adopt(code)
    work = Work(rng, asm, registers, temps[0])
    three = temps[0], temps[1], temps[2]
    main = FastMain(rng, asm, work, Shared.of(sources), machine, replace(kit, asm=asm), handlers, three)
    state = State(
        {register: rng.choice((rng.choice(CORNERS), rng.getrandbits(32))) for register in registers},
        bytearray(rng.randbytes(MEMORY_BYTES)),
    )
    emitters, weights = zip(*kinds.values(), strict=True)
    starts = [0]
    for _ in range(blocks):
        starts.append(len(asm.lines))
        rng.choices(emitters, weights)[0](main)
        work.some(3)
    starts.append(len(asm.lines))
    end = asm.child()
    _end(replace(main, asm=end, work=Work(rng, end, registers, temps[0]), kit=replace(kit, asm=end)))

    start = ['\t.section .text.start, "ax"', "\t.globl _start", "_start:"]
    start += [f"\t{line}" for line in fast_main.start(kit, ROUNDS, rows)]
    start += [f"\tli x{register}, {value:#x}" for register, value in state.registers.items()]
    start += [f"\tli x{mail}, {tasks.mails[0]:#x}", "\tcsrsi mstatus, 8", "\tj body", "\t.text"]
    parts = Parts(
        start=tuple(start),
        blocks=tuple(plain(asm.lines[first:last]) for first, last in pairwise(starts)),
        end=plain(end.lines),
        functions=(),
        handler=plain(code.lines),
        data=tuple(_data(main, tasks, slow.table(), state)),
    )
    return generator.Program(seed, base, generator.Options(blocks, lockstep=True), parts.text(), Counter(), parts)


def make(seed: int, config: str, blocks: int = BLOCKS) -> tuple[generator.Program, Settings]:
    """The program of a seed and its circumstances."""
    return generate(seed, config, blocks), circumstances(seed, config, blocks)


def circumstances(seed: int, config: str, blocks: int = BLOCKS) -> Settings:
    """The circumstances alone."""
    return settings(random.Random(f"fast/{seed}/settings"), config, blocks, fast_layout.is_tower(seed, config))
