# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""What random programs for fastirq have fixed: the frame, reserved registers, the words at `variables`, sources.

Register x3 points at `variables` in every context, and x4 belongs to trap entries: they use it while interrupts are
off and nothing is saved. No other code reads or writes these two.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from enum import IntEnum
from functools import cache

from trapeze.platform import configurations, isa
from verify.random.clic import program as clic
from verify.random.clic.handlers import Controller
from verify.random.instructions.isa import Base

EMRET = isa.EMRET.match
MFASTIRQ, MFRAME = isa.Csr.MFASTIRQ, isa.Csr.MFRAME
ENABLE, NEST = isa.Mfastirq.ENABLE, isa.Mfastirq.NEST

MPP, MPIE, MINHV = 3 << 28, 1 << 27, 1 << 30
"""Fields of mcause; MPP for machine mode."""

FAILURE = 64
"""Added to what failed: the exit code."""


class Check(IntEnum):
    """What failed."""

    SUM = 1
    """Registers of the main program at the end of a round."""
    HOLD = 2
    """Its registers over a stretch that does not write them."""
    STACK = 3
    """Its data on the stack."""
    MAIL = 4
    """Its mail register."""
    HANDLER = 5
    """Registers of a handler."""
    HANDLER_SP = 6
    """Its sp."""
    TASK = 7
    """Registers of a task."""
    TASK_SP = 8
    """Its sp."""
    TASK_MAIL = 9
    """Its mail register."""
    EXCEPTION = 10
    """Registers of an exception's handler."""
    EXCEPTION_SP = 11
    """Its sp."""
    ADDRESS = 12
    """mtval of a frame's fault."""
    LOST = 13
    """An unexpected interrupt, or a jump to a place without code."""
    FRAME = 14
    """Registers from a frame that a handler made."""


# --- words at `variables`; those of `clic_handlers` come first

CURRENT, SUMS, ROUNDS = 16, 20, 24
"""The task that runs; where the sum of this round is; rounds to come."""
SPIN_FIRST, SPIN_LAST = 28, 32
"""A handler lets code between these addresses go on behind it."""
STORE_FAULTS, LOAD_FAULTS = 36, 40
"""Exceptions for frames so far: cause 24, cause 25."""
DEEPEST_FAST = 44
"""Most handlers of a task that ran at once."""
SLOTS = 48
"""Three words in which exceptions save registers."""
BAD_FRAME, REAL_SP, DONE, GOOD_SP = 60, 64, 68, 72
"""While sp leads to no memory: the frame's address, the sound sp, whether the handler was there; any valid sp."""
SPARE = 76
"""A word for anything, within interrupts off."""
GOOD_FRAME = 80
"""A frame that leads on where a context was lost."""
OTHER_FRAME = 208
"""A frame that leads from a handler into itself."""
AREA = 336
"""Where registers are kept around a call; 32 words."""
TASKS = 464
"""Tasks, one behind the other."""

# --- words of a task

SP, MSCRATCH, THRESHOLD, NEXT, PIN, MAIL, DEPTH, MOVES, SAVED = 0, 4, 8, 12, 16, 20, 24, 28, 32
"""Frame; CSRs; the task after it; not 0: leave its registers and stack alone; what was added to its mail register;
handlers on its stack; whether its stack may be exchanged for another one; callee-saved registers."""
TASK_BYTES = 80
MOST_TASKS = 4

MOST_HANDLERS = 240
"""Sources of one program that have handlers; of more, each program draws others."""

STACKS = 0x80200000
"""Four stacks of 16 KiB for the main program."""
STACK_BYTES = 0x4000


@dataclass(frozen=True)
class Layout:
    """An ABI.

    Attributes:
        caller: registers in a frame, in its order.
        callee: the others that programs use; none where a frame holds all.
        size: by which sp is lowered.
    """

    caller: tuple[int, ...]
    callee: tuple[int, ...]
    size: int

    @property
    def words(self) -> int:
        """Words of a frame."""
        return len(self.caller) + 2

    @property
    def mepc(self) -> int:
        """Its offset."""
        return 4 * len(self.caller)

    @property
    def mcause(self) -> int:
        """Its offset."""
        return self.mepc + 4

    def offset(self, register: int) -> int:
        """Offset of a register in a frame."""
        return 4 * self.caller.index(register)

    @staticmethod
    def of(base: Base) -> Layout:
        """That of an integer base."""
        if base.whole_frames:
            every = tuple(number for number in range(1, base.registers) if number not in (2, 3, 4))
            return Layout(every, (), 64 if base.registers == 16 else 128)
        if base.registers == 16:
            return Layout((1, 5, 6, 7, *range(10, 16)), (8, 9), 48)
        return Layout((1, 5, 6, 7, *range(10, 18), *range(28, 32)), (8, 9, *range(18, 28)), 80)


@dataclass(frozen=True)
class Sources:
    """The CLIC's sources, shared out.

    Attributes:
        clic: the controller.
        numbers: of those from 12 on that have handlers.
        few: sources of the first platform lines, which meet often.
        vectored: sources that are never configured as anything else; their handlers end with emret or mret.
        switch: goes to the next task.
        rungs: each one's handler may raise the next one, whose level is higher.
        is_tower: the few keep levels that rise from one line to the next; so lines in a row nest.
    """

    clic: Controller
    numbers: tuple[int, ...]
    few: tuple[int, ...]
    vectored: frozenset[int]
    switch: int
    rungs: tuple[int, ...]
    is_tower: bool

    skip = 4
    """Lets a program out of its loop by the mepc in its frame."""
    special = 2
    """What its handler does is up to the block that enables it."""
    fault = 6
    """Made pending while the vector table is elsewhere."""
    wake = 10
    """Ends WFI."""

    @property
    def free(self) -> list[int]:
        """Sources that programs configure as they like."""
        kept = (self.switch, *self.rungs, *(self.few if self.is_tower else ()))
        return [number for number in self.numbers if number not in kept]

    @property
    def alignment(self) -> int:
        """Alignment of tables."""
        return max(1024, self.clic.table_alignment)

    @property
    def own_frames(self) -> frozenset[int]:
        """Sources whose handlers may do what they like to the frame at sp, since nobody calls them."""
        return self.vectored | {self.fault, self.skip, *self.rungs}

    @property
    def callable(self) -> list[int]:
        """Free sources whose handlers are functions."""
        return [number for number in self.free if number not in self.vectored]


@cache
def shape(config: str) -> tuple[int, int, int]:
    """Sources, line base and lines of a configuration."""
    loaded = configurations.load(config)
    return loaded.first.sources, loaded.first.line_base, loaded.first.lines


def is_tower(seed: int, config: str) -> bool:
    """Whether the lines of a program are a tower."""
    return shape(config)[2] > 16 and random.Random(f"fast/{seed}/tower").random() < 0.5


def sources(rng: random.Random, config: str, tower: bool) -> Sources:
    """Share the sources out."""
    total, first, lines = shape(config)
    switch = total - 1 if total >= 32 else 5
    # Sources below the lines and beside the timer, msip and the UART have no wire.
    rungs = tuple(number for number in (0, 1, 5, 8, 9, *range(12, min(first, 16))) if number != switch)
    free = [number for number in range(12, total) if number not in (switch, *rungs)]
    if len(free) > MOST_HANDLERS:
        wired = range(first, first + lines)
        others = [number for number in free if number not in wired]
        free = sorted((*(set(wired) & set(free)), *rng.sample(others, MOST_HANDLERS - lines)))
    few = tuple(number for number in range(first, first + min(lines, 12)) if number in free)
    vectored = {number for number in free if rng.random() < 0.6} | {few[0]}
    vectored.discard(few[1])
    if tower:
        vectored |= set(few)
    numbers = tuple(sorted((*free, *(number for number in rungs if number >= 12))))
    return Sources(clic.controller(config), numbers, few, frozenset(vectored), switch, rungs, tower)
