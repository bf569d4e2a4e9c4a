# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""What random programs for several harts have fixed: registers, words of shared and of private memory, checks.

Each hart has its own blocks and its own copy of everything in private banks. Register x3 points at `own`, its words in
private memory, x4 at the shared bank; x9 is its number.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from functools import cache

from trapeze.platform import configurations

OWN, SHARED, NUMBER, ROUND, MEETING, SCRAMBLED = "x3", "x4", "x9", "x8", "x25", "x26"
"""Registers: the two pointers; the number of the hart; rounds to come; how often the harts have met, times their
number; a value that changes with every block, for addresses that change."""

KEPT = (2, 3, 4, 8, 9, *range(18, 28))
"""Registers that blocks do not write, but as they are meant: sp, those above, those of the work."""
WORK, WORK_TEMP = (18, 19, 20, 21, 22, 23), 24
"""Registers of a hart's own computation, whose result is known."""

FAILURE = 64
"""Added to what failed: the exit code."""


class Check(IntEnum):
    """What failed."""

    WORK = 1
    """What a hart computed by itself."""
    LOCK = 2
    """Words that a lock protects, within the lock."""
    COUNTS = 3
    """A counter in shared memory is not the sum of what the harts say they added. Counters follow, from here on."""


# --- shared memory: offsets from its base

ARENA, ARENA_WORDS, HOT_WORDS = 0, 64, 4
"""Words that all harts read and write as they like; the first few most of the time."""


WORDS = 0x200
"""From here to the places are counters, locks, meetings and mails: zeros before the first meeting."""


class Counter(IntEnum):
    """What is counted by all harts, in shared memory, and by each in its own; the two must be the same at the end."""

    AMO = 0
    """Added to by AMOs of blocks."""
    LRSC = 1
    """By LR and SC of blocks."""
    LOCKED = 2
    """By loads and stores, under a lock."""
    TICKET = 3
    """The same, under a ticket lock."""
    HANDLED = 4
    """By AMOs of interrupt handlers."""
    HANDLED_LRSC = 5
    """By LR and SC of interrupt handlers."""
    MAIL = 6
    """Shared: the sum of all mails that were sent. Own: of those that were received."""


REPORT = ("amo", "lrsc", "locked", "ticket", "handled", "handled_lrsc", "mail", "retries")
"""What the words on the console are: the sums of `Counter` over all harts, and the retries."""


def counter(which: Counter) -> int:
    """Offset of a counter in shared memory."""
    return WORDS + 4 * which


def report(console: bytes) -> dict[str, int]:
    """What a program printed."""
    words = [int.from_bytes(console[at : at + 4], "little") for at in range(0, len(console), 4)]
    return dict(zip(REPORT, words, strict=True))


LOCK, LOCKED_COPY, TICKET_NEXT, TICKET_SERVING, TICKET_COPY = 0x240, 0x244, 0x248, 0x24C, 0x250
"""Locks, and words that are equal to the counters under the locks."""
MET = 0x280
"""How often a hart has come to a meeting."""
FULL, MAIL = 0x2C0, 0x2C4
"""Mail box of hart 0, that of hart k is 8 k behind: 1 if there is a mail; the mail."""
TOTALS = MET + 0x80
"""Sums of the harts' own counters, and of how often an SC of a block had to be tried again."""
PLACES, PLACE_BYTES = 0x400, 0x100
"""Memory that only one hart uses at a time, at any alignment; that of hart k is k places further."""
CODE, SLOTS, SLOT_BYTES = 0x800, 8, 64
"""Functions that all harts call, in slots of this size."""
STEP = 0x700
"""Offset of the second of two steps to a slot: no immediate reaches it in one."""

# --- private memory: offsets from `own`; what a hart counted comes first, in the order of `Counter`

RETRIES = 4 * len(Counter)
"""How often an SC of a block had to be tried again."""
SUMS = 64
"""Address of what the next sum of the work must be."""
OWN_BYTES = 128


@dataclass(frozen=True)
class Shape:
    """What programs know of a platform with several harts.

    Attributes:
        harts: how many there are.
        shared: base address of the shared bank.
        sources: of the CLIC of each hart.
        first_line: source of platform line 0.
        lines: platform lines of each hart.
    """

    harts: int
    shared: int
    sources: int
    first_line: int
    lines: int


@cache
def shape(config: str) -> Shape:
    """That of a configuration.

    Raises:
        KeyError: it has no shared bank.
    """
    loaded = configurations.load(config)
    shared = loaded.platform.region("shmem").base
    return Shape(len(loaded.harts), shared, loaded.first.sources, loaded.first.line_base, loaded.first.lines)
