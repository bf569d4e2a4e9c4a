# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Seeded random programs: the same seed, base and options always give the same text."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import pairwise

from verify.random.instructions.addresses import Platform, platform
from verify.random.instructions.asm import Asm
from verify.random.instructions.isa import CORNERS, Base
from verify.random.programs import harness, harness_supervisor
from verify.random.programs import harness_lockstep as lockstep
from verify.random.programs.blocks import atomic as blocks_atomic
from verify.random.programs.blocks import control as blocks_control
from verify.random.programs.blocks import csr as blocks_csr
from verify.random.programs.blocks import data as blocks_data
from verify.random.programs.blocks import devices as blocks_devices
from verify.random.programs.blocks import float as blocks_float
from verify.random.programs.blocks import lockstep as blocks_lockstep
from verify.random.programs.blocks import supervisor as blocks_supervisor
from verify.random.programs.blocks import trap as blocks_trap
from verify.random.programs.context import Context

Block = Callable[[Context], None]


@dataclass(frozen=True)
class Options:
    """What a program is like.

    Attributes:
        blocks: number of top-level blocks; about 12 static and 100 dynamic instructions each.
        is_async: made to be interrupted at any cycle by platform lines: they are enabled nearly everywhere.
        weights: relative frequency by block name, replacing the default of that block; 0 leaves it out.
        lockstep: for two engines that are compared at every instruction, with what QEMU does otherwise.
    """

    blocks: int = 600
    is_async: bool = False
    weights: tuple[tuple[str, int], ...] = ()
    lockstep: bool = field(default=False, repr=False)


@dataclass(frozen=True)
class Program:
    """A generated program.

    Attributes:
        seed: it came from.
        base: integer base it is for.
        options: it was made with.
        text: assembly.
        counts: static occurrences by mnemonic of what every run executes.
        parts: the text in parts, of programs for lockstep.
    """

    seed: int
    base: Base
    options: Options
    text: str
    counts: Counter[str]
    parts: lockstep.Parts | None = None


def _alu_block(ctx: Context) -> None:
    blocks_data.alu(ctx, ctx.rng.randint(2, 12))


def _fence(ctx: Context) -> None:
    ctx.asm.op(ctx.rng.choice(("fence", "fence.i")))


def _loop(ctx: Context) -> None:
    blocks_control.loop(ctx, _inner)


def _call(ctx: Context) -> None:
    blocks_control.call(ctx, _inner)


def _round_trip(ctx: Context) -> None:
    """User mode and back."""
    was_user = ctx.user
    (blocks_trap.to_machine if was_user else blocks_trap.to_user)(ctx)
    _inner(ctx)
    (blocks_trap.to_user if was_user else blocks_trap.to_machine)(ctx)


def _switch(ctx: Context) -> None:
    (blocks_trap.to_machine if ctx.user else blocks_trap.to_user)(ctx)


WEIGHTS: dict[str, tuple[Block, int]] = {
    "alu": (_alu_block, 30),
    "corner": (blocks_data.corner, 12),
    "memory": (blocks_data.memory, 22),
    "stack": (blocks_data.stack, 8),
    "branch": (blocks_control.branch, 16),
    "skip": (blocks_control.skip, 8),
    "never": (blocks_control.never, 4),
    "tight_loop": (blocks_control.tight_loop, 6),
    "chain": (blocks_control.chain, 8),
    "loop": (_loop, 10),
    "call": (_call, 8),
    "fence": (_fence, 2),
    "copied_code": (blocks_data.copied_code, 2),
    "patched_code": (blocks_data.patched_code, 3),
    "minstret": (blocks_data.minstret, 2),
    "illegal": (blocks_trap.illegal, 4),
    "breakpoint": (blocks_trap.breakpoint_, 2),
    "ecall": (blocks_trap.ecall, 3),
    "data_fault": (blocks_trap.data_fault, 4),
    "edge_fault": (blocks_trap.edge_fault, 2),
    "fetch_fault": (blocks_trap.fetch_fault, 3),
    "edge_code": (blocks_trap.edge_code, 3),
    "csr_fault": (blocks_trap.csr_fault, 3),
    "machine_only": (blocks_trap.machine_only, 1),
    "csr": (blocks_csr.csr, 10),
    "mret_status": (blocks_csr.mret_status, 2),
    "counters_from_user": (blocks_csr.counters_from_user, 2),
    "interrupt": (blocks_csr.interrupt, 3),
    "round_trip": (_round_trip, 2),
    "switch": (_switch, 3),
}
"""Block name to emitter and default weight."""

LOCKSTEP_WEIGHTS: dict[str, tuple[Block, int]] = {
    **{name: entry for name, entry in WEIGHTS.items() if name != "minstret"},
    "interrupt": (blocks_lockstep.interrupt, 3),
    "any_csr": (blocks_lockstep.any_csr, 10),
    "counters": (blocks_lockstep.counters, 4),
    "entry": (blocks_lockstep.entry, 3),
    "any_return": (blocks_lockstep.any_return, 5),
    "timer": (blocks_lockstep.timer, 4),
    "software": (blocks_lockstep.software, 4),
    "external": (blocks_lockstep.external, 2),
    "uart": (blocks_devices.block(blocks_devices.uart, is_masked=False), 4),
    "clock": (blocks_devices.block(blocks_devices.clock, is_masked=True), 3),
    "bench": (blocks_devices.block(blocks_devices.bench, is_masked=True), 3),
    "wait": (blocks_lockstep.wait, 2),
    "divisions": (blocks_lockstep.divisions, 8),
    "late": (blocks_lockstep.late, 14),
    "any_word": (blocks_lockstep.any_word, 4),
    "system_word": (blocks_lockstep.system_word, 2),
    "upper_registers": (blocks_lockstep.upper_registers, 3),
    "any_fault": (blocks_lockstep.any_fault, 4),
}
"""The same for programs for lockstep."""

ATOMIC_WEIGHTS: dict[str, tuple[Block, int]] = {
    "amos": (blocks_atomic.amos, 12),
    "reservations": (blocks_atomic.reservations, 14),
    "retried": (blocks_atomic.retried, 4),
}
"""The same beside them, with the A extension; `refused` for lockstep alone."""

FLOAT_WEIGHTS: dict[str, tuple[Block, int]] = {
    "float": (blocks_float.arithmetic, 40),
    "float_mode": (blocks_float.mode, 14),
    "float_memory": (blocks_float.memory, 14),
    "float_off": (blocks_float.off, 4),
}
"""The same beside them, with F and D."""

SUPERVISOR_WEIGHTS: dict[str, tuple[Block, int]] = {
    "page": (blocks_supervisor.page, 40),
    "supervisor_csr": (blocks_supervisor.csr, 6),
    "sret": (blocks_supervisor.returns, 3),
}
"""The same beside them, with supervisor mode."""

WIDE_WEIGHTS: dict[str, tuple[Block, int]] = {"half_word_target": (blocks_control.half_word_target, 5)}
"""The same beside them, for lockstep without the C extension."""

_TRAPPING = {
    *(
        "illegal",
        "breakpoint",
        "ecall",
        "data_fault",
        "edge_fault",
        "fetch_fault",
        "edge_code",
        "csr_fault",
        "machine_only",
    ),
    *("interrupt", "round_trip", "counters_from_user"),
    *("any_csr", "any_return", "wait", "upper_registers", "system_word", "any_fault", "entry", "refused"),
    *("half_word_target", "float_mode", "float_off", "page", "supervisor_csr", "sret"),
}
_STRUCTURED = {"loop", "call", "round_trip"}


def _table(ctx: Context) -> dict[str, tuple[Block, int]]:
    table = LOCKSTEP_WEIGHTS if ctx.is_lockstep else WEIGHTS
    if ctx.is_lockstep and not ctx.base.compressed:
        table = table | WIDE_WEIGHTS
    if ctx.base.floating:
        table = table | FLOAT_WEIGHTS
    if ctx.base.supervisor:
        table = table | SUPERVISOR_WEIGHTS
    if not ctx.base.atomic:
        return table
    refused = {"refused": (blocks_atomic.refused, 4)} if ctx.is_lockstep else {}
    return {**table, **ATOMIC_WEIGHTS, **refused}


def _pick(ctx: Context, weights: dict[str, int]) -> Block:
    names = list(weights)
    return _table(ctx)[ctx.rng.choices(names, [weights[name] for name in names])[0]][0]


def _inner(ctx: Context) -> None:
    """One block inside another: no lasting mode change, few traps where code repeats, limited depth."""
    weights = {name: weight for name, (_, weight) in _table(ctx).items() if name != "switch"}
    if ctx.repeat > 6:
        weights = {name: weight for name, weight in weights.items() if name not in _TRAPPING}
    if ctx.depth >= 2 or ctx.in_function:
        weights = {name: weight for name, weight in weights.items() if name not in _STRUCTURED}
    ctx.depth += 1
    _pick(ctx, weights)(ctx)
    ctx.depth -= 1


def generate(seed: int, base: Base, options: Options = Options(), machine: Platform | None = None) -> Program:
    """Make a program.

    Args:
        seed: any non-negative integer.
        base: integer base.
        options: size and kind.
        machine: addresses; the repository's memory map by default.

    Returns:
        The program; unless it is for lockstep, its text needs the symbol VERBOSE defined as 0 or 1 on the assembler's
        command line.
    """
    machine = machine or platform()
    rng = random.Random(f"{seed}/{base.registers}/{options}{'/lockstep' if options.lockstep else ''}")
    cursor = rng.randrange(1, base.registers)
    link = 1 if cursor != 1 else 5
    if rng.random() < 0.25:
        link = rng.choice([n for n in range(1, base.registers) if n not in (cursor, 2)])
    ctx = Context(
        rng=rng,
        asm=Asm(base),
        base=base,
        platform=machine,
        cursor=cursor,
        link=link,
        c_prob=rng.choice((0.0, 0.25, 0.5, 0.8)),
        is_async=options.is_async or options.lockstep,
        is_lockstep=options.lockstep,
    )
    blocks = _blocks(ctx, options)
    return (_for_lockstep if options.lockstep else _for_any)(ctx, seed, options, blocks)


def _blocks(ctx: Context, options: Options) -> list[list[str]]:
    """The random part, block by block."""
    rng = ctx.rng
    weights = {name: weight for name, (_, weight) in _table(ctx).items()} | dict(options.weights)
    starts = [0]
    for index in range(options.blocks):
        starts.append(len(ctx.asm.lines))
        _pick(ctx, weights)(ctx)
        if index % 16 == 15 and not options.lockstep:
            blocks_trap.ecall(ctx)
        if index % 4 == 3:
            register = rng.choice(ctx.free())
            ctx.asm.text(f"li x{register}, {ctx.value():#x}")
    starts.append(len(ctx.asm.lines))
    blocks_trap.to_machine(ctx)
    ctx.asm.text("csrci mstatus, 8", "ecall")
    if not options.lockstep:
        ctx.asm.text("j finish")
    starts.append(len(ctx.asm.lines))
    return [ctx.asm.lines[first:last] for first, last in pairwise(starts)]


def _registers(ctx: Context) -> tuple[int, ...]:
    rng = ctx.rng
    return tuple(
        rng.choice((rng.choice(CORNERS), rng.getrandbits(ctx.base.xlen))) for _ in range(ctx.base.registers - 1)
    )


def _for_any(ctx: Context, seed: int, options: Options, blocks: list[list[str]]) -> Program:
    """A program that observes itself, for any machine."""
    rng = ctx.rng
    body = [line for block in blocks for line in block]
    for lines in ctx.functions:
        body += lines
    setup = harness.Setup(
        base=ctx.base,
        cursor=ctx.cursor,
        link=ctx.link,
        seed=rng.getrandbits(32),
        vectored=rng.random() < 0.5,
        mstatus=0x8 if options.is_async or rng.random() < 0.5 else 0,
        mie=0xFFFF0000 if options.is_async else 0,
        registers=_registers(ctx),
    )
    if ctx.base.supervisor:
        harness_supervisor.check_fits(ctx.platform)
        setup = replace(
            setup,
            prepare=harness_supervisor.prepare(rng, ctx.link),
            out_of_line=harness_supervisor.handler(ctx.cursor, ctx.link),
            tables=harness_supervisor.tables(),
            observed=harness_supervisor.OBSERVED,
            mstatus=setup.mstatus | harness.FS,
        )
    text = harness.render(setup, ctx.platform, body, ctx.templates)
    return Program(seed, ctx.base, options, text, ctx.asm.counts)


def _for_lockstep(ctx: Context, seed: int, options: Options, blocks: list[list[str]]) -> Program:
    """A program that is observed."""
    setup = lockstep.Setup(ctx.base, ctx.cursor, ctx.link, mstatus=8, mie=0xFFFF0888, registers=_registers(ctx))
    parts = lockstep.parts(ctx.rng, setup, ctx.platform, blocks, ctx.functions, ctx.templates)
    return Program(seed, ctx.base, options, parts.text(), ctx.asm.counts, parts)
