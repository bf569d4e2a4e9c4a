# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Random programs for configurations with a CLIC, for lockstep.

A main program computes something whose result is known beforehand, and meanwhile configures the CLIC at random;
platform lines move at random cycles. Handlers nest, chain and return. The main program goes over its blocks several
times and compares its registers with what they must be: exit code 1 if an interrupt disturbed them. Its last act is to
send one byte by UART: how many handlers were active at once at the most.

| module | holds |
|---|---|
| `work` | the computation and its result |
| `handlers` | trap entries, the vector table's functions |
| `blocks` | what the main program does |
| `main` | the values that its blocks draw |
"""

from __future__ import annotations

import json
import random
from collections import Counter
from functools import cache
from itertools import pairwise

from trapeze.common import paths
from trapeze.common.edges import Edge
from trapeze.platform import configurations
from verify.random.clic import blocks as clic_blocks
from verify.random.clic import handlers as clic_handlers
from verify.random.clic.handlers import Controller
from verify.random.clic.main import Main
from verify.random.clic.work import MEMORY, MEMORY_BYTES, State, Work
from verify.random.instructions.addresses import platform
from verify.random.instructions.asm import Asm
from verify.random.instructions.isa import CORNERS
from verify.random.lockstep import engines
from verify.random.lockstep.engines import Settings
from verify.random.programs import generator
from verify.random.programs.harness_lockstep import Parts, plain

BLOCKS = 150
"""Blocks of a program."""
VARIANTS = ("mcu-clic-pipelined",)
"""Variants in which offers come in other cycles."""
ROUNDS = 6
"""How often the main program goes over them."""
_STATE = ("sp", 3, 4)
"""Stack pointer; pointer to the sums; rounds to come."""


@cache
def controller(config: str) -> Controller:
    """The CLIC of a configuration, in the generated memory map."""
    blocks = json.loads(paths.REGISTERS.read_text())["blocks"]
    first = next(one["offset"] for one in blocks["clic"]["registers"] if one["name"] == "irq_ip")
    loaded = configurations.load(config)
    base, hart = loaded.platform.region("clic").base, loaded.first
    return Controller(base, base + first, hart.sources, hart.ctl_bits, hart.line_base, hart.user)


def settings(rng: random.Random, lines: int, blocks: int) -> Settings:
    """Draw circumstances: levels and pulses in bursts, and wait states."""
    cycle = rng.randint(100, 400)
    irq: list[Edge] = []
    gap = rng.choice((60, 150, 150, 400))
    while cycle < 100 * blocks * ROUNDS and len(irq) < 1500:
        for _ in range(rng.choice((1, 1, 2, 5, 12))):
            shape = rng.choice(("", ":pulse", ":pulse", f":pulse={rng.randint(2, 40)}", ":pulse=300"))
            irq.append(Edge(rng.choice((rng.randrange(lines), rng.randrange(4, 12) % lines)), cycle, shape))
            cycle += rng.choice((0, 0, 1, 2, 3, 7, 15, 30))
        cycle += rng.randint(1, 2 * gap)
    data_heavy = rng.choice((0, 30)), rng.choice((30, 128, 200))
    instr_heavy = rng.choice((60, 128, 200)), rng.choice((0, 60))
    instr, data = rng.choice(((0, 0), (0, 0), data_heavy, instr_heavy))
    return Settings(tuple(irq), instr, data, rng.randrange(1, 1000))


def _start(state: State, rng: random.Random) -> list[str]:
    table_pointer, rounds = _STATE[1], _STATE[2]
    lines = ["la sp, stack_end", f"la x{table_pointer}, sums", f"li x{rounds}, {ROUNDS}"]
    lines += [f"la x5, clic_entry{rng.randrange(clic_handlers.ENTRIES)}", "csrw mtvec, x5"]
    lines += ["la x5, clic_table", "csrw mtvt, x5"]
    lines += [f"li x{register}, {value:#x}" for register, value in state.registers.items()]
    return [*lines, "csrsi mstatus, 8"]


def _end(work: Work, finisher: int, uart: int) -> Asm:
    """The end of a round and of the program."""
    asm = Asm(work.base)
    table_pointer, rounds = _STATE[1], _STATE[2]
    work_end = Work(random.Random(0), asm, work.registers)
    work_end.checksum()
    asm.text(f"lw x6, 0(x{table_pointer})", "beq x5, x6, 1f", "csrci mstatus, 8", "li x6, 0x13333", "j 3f", "1:")
    asm.text(f"addi x{table_pointer}, x{table_pointer}, 4", f"addi x{rounds}, x{rounds}, -1", f"beqz x{rounds}, 2f")
    asm.text("j body", "2:", "csrci mstatus, 8", "la x6, variables", f"lw x5, {clic_handlers.DEEPEST}(x6)")
    asm.text(f"li x6, {uart:#x}", "sb x5, 0(x6)", "li x6, 0x5555", "3:", f"li x5, {finisher:#x}", "sw x6, 0(x5)", "j .")
    return asm


def _words(label: str, values: list[int]) -> list[str]:
    rows = [", ".join(f"{value:#x}" for value in values[index : index + 8]) for index in range(0, len(values), 8)]
    return [f"{label}:", *(f"\t.4byte {row}" for row in rows)]


def generate(seed: int, config: str, blocks: int = BLOCKS) -> generator.Program:
    """Make a program.

    Args:
        seed: any non-negative integer.
        config: platform configuration.
        blocks: size.
    """
    base, machine, clic = engines.base_of(config), platform(), controller(config)
    rng = random.Random(f"clic/{seed}/{base.registers}/{blocks}")
    registers = tuple(rng.sample(range(8, base.registers), min(10, base.registers - 8)))
    handler = Asm(base)
    handlers = clic_handlers.Handlers(rng, handler, clic, machine, tuple(range(8, min(base.registers, 16))))
    handlers.emit()
    asm = handler.child()
    asm.adopt(handler)
    work = Work(rng, asm, registers)
    main = Main(rng, asm, work, clic, machine)
    state = State(
        {register: rng.choice((rng.choice(CORNERS), rng.getrandbits(32))) for register in registers},
        bytearray(rng.randbytes(MEMORY_BYTES)),
    )
    names = list(clic_blocks.WEIGHTS)
    weights = [weight for _, weight in clic_blocks.WEIGHTS.values()]
    starts = [0]
    for _ in range(blocks):
        starts.append(len(asm.lines))
        clic_blocks.WEIGHTS[rng.choices(names, weights)[0]][0](main)
        work.some(4)
    starts.append(len(asm.lines))

    start = ['\t.section .text.start, "ax"', "\t.globl _start", "_start:"]
    start += [f"\t{line}" for line in _start(state.copy(), rng)] + ["\tj body", "\t.text"]
    end = _end(work, machine.finisher, machine.uart)
    data = ["\t.data", *handlers.table(), *_words("variables", [0, 0, 0, 0])]
    data += _words(MEMORY, [int.from_bytes(state.memory[at : at + 4], "little") for at in range(0, MEMORY_BYTES, 4)])
    total = Work(rng, Asm(base), registers).checksum()
    sums = []
    for _ in range(ROUNDS):
        work.run(state)
        sums.append(total(state))
    data += _words("sums", sums)
    data += ["\t.bss", "\t.balign 16", "\t.skip 0x8000", "stack_end:"]
    parts = Parts(
        start=tuple(start),
        blocks=tuple(plain(asm.lines[first:last]) for first, last in pairwise(starts)),
        end=plain(end.lines),
        functions=(),
        handler=plain(handler.lines),
        data=tuple(data),
    )
    return generator.Program(seed, base, generator.Options(blocks, lockstep=True), parts.text(), Counter(), parts)


def make(seed: int, config: str, blocks: int = BLOCKS) -> tuple[generator.Program, Settings]:
    """The program of a seed and its circumstances."""
    return generate(seed, config, blocks), circumstances(seed, config, blocks)


def circumstances(seed: int, config: str, blocks: int = BLOCKS) -> Settings:
    """The circumstances alone."""
    return settings(random.Random(f"clic/{seed}/settings"), configurations.load(config).first.lines, blocks)
