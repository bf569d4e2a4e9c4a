# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Rows of memory protection for random programs: where they lie, what they allow, and the CSR writes that make them."""

from __future__ import annotations

import random
from dataclasses import dataclass
from enum import Enum

from trapeze.platform.isa import Csr, Mseccfg, Pmpcfg

READ, WRITE, EXECUTE, LOCK = Pmpcfg.R, Pmpcfg.W, Pmpcfg.X, Pmpcfg.L
TOR, NA4, NAPOT = Pmpcfg.A_TOR, Pmpcfg.A_NA4, Pmpcfg.A_NAPOT
MML, MMWP, RLB = Mseccfg.MML, Mseccfg.MMWP, Mseccfg.RLB
SAFE = 3
"""The first rows belong to the program's own code and data: nothing changes them."""
EVERYWHERE = 0xFFFFFFFF
"""pmpaddr of all memory, as NAPOT."""


class Kind(Enum):
    """What a program does to machine mode."""

    USER = "no row is locked, so rows bind user mode alone"
    LOCKS = "rows may be locked, and mseccfg.RLB opens them again"
    LOCKDOWN = "the same with mseccfg.MML"


def napot(base: int, size: int) -> int:
    """Pmpaddr of a region of 8 bytes or more."""
    return base >> 2 | ((size >> 3) - 1)


def csr_cfg(index: int) -> int:
    """Number of a pmpcfg."""
    return Csr.PMPCFG0 + index


def csr_addr(row: int) -> int:
    """Number of a pmpaddr."""
    return Csr.PMPADDR0 + row


@dataclass(frozen=True)
class Row:
    """A row: its byte of pmpcfg, and its pmpaddr."""

    cfg: int
    addr: int


def edges(row: Row, below: int) -> tuple[int, ...]:
    """The first byte of a row and the one behind its last one; `below`: pmpaddr of the row before."""
    mode = row.cfg & Pmpcfg.A
    if mode == TOR:
        return below << 2 & 0xFFFFFFFF, row.addr << 2 & 0xFFFFFFFF
    if mode == NA4:
        return row.addr << 2 & 0xFFFFFFFF, (row.addr << 2) + 4 & 0xFFFFFFFF
    if mode == NAPOT:
        ones = row.addr ^ (row.addr + 1)
        return (row.addr & ~ones) << 2 & 0xFFFFFFFF, ((row.addr | ones) + 1) << 2 & 0xFFFFFFFF
    return ()


def rights(rng: random.Random, kind: Kind) -> int:
    """Permissions, and perhaps a lock."""
    lock = LOCK if kind is not Kind.USER and rng.random() < (0.5 if kind is Kind.LOCKDOWN else 0.25) else 0
    return lock | rng.choice((rng.randrange(8), 1, 3, 5, 7, 0, 2, 6))


def draw(rng: random.Random, kind: Kind, places: list[int], below: int) -> Row:
    """A row that begins or ends somewhere about one of some places."""
    mode = rng.choice((0, TOR, TOR, NA4, NAPOT, NAPOT, NAPOT))
    place = rng.choice(places) + 4 * rng.choice((0, 0, 0, 1, -1, rng.randint(-16, 16)))
    if mode == TOR:
        addr = rng.choice((place >> 2, place >> 2, below, below + rng.randint(-2, 8), rng.getrandbits(32)))
    elif mode == NAPOT:
        size = 1 << rng.choice((3, 3, 4, 5, 6, 8, 10, 12, 16, 20, 31, 32, 33))
        addr = napot(place & ~(size - 1), size)
    else:
        addr = place >> 2
    if rng.random() < 0.04:
        addr |= 1 << rng.choice((30, 31))  # above all memory
    return Row(rights(rng, kind) | mode, addr & EVERYWHERE)


def open_rows(rng: random.Random, kind: Kind, code: tuple[int, int], data: tuple[int, int]) -> tuple[Row, Row]:
    """The last two rows so that most of the program goes on: code, and data. Each has `base, size`."""
    if kind is Kind.LOCKDOWN and rng.random() < 0.6:
        # Shared, machine mode's, or user mode's.
        first = rng.choice((LOCK | WRITE, LOCK | WRITE | EXECUTE, LOCK | READ | EXECUTE, READ | EXECUTE))
        second = rng.choice((WRITE, WRITE | EXECUTE, LOCK | READ | WRITE, READ | WRITE))
    else:
        first, second = rng.choice(((EXECUTE, READ | WRITE), (READ | EXECUTE, READ | WRITE), (7, 7)))
    return Row(first | NAPOT, napot(*code)), Row(second | NAPOT, napot(*data))


def safe_rows(kind: Kind, code: tuple[int, int], data: tuple[int, int], devices: tuple[int, int]) -> tuple[Row, ...]:
    """The first rows: machine mode's code, data and devices."""
    if kind is Kind.USER:
        # Closed to user mode: what is there no program can do without.
        return tuple(Row(NAPOT, napot(*where)) for where in (code, data, devices))
    both = LOCK | READ | WRITE | NAPOT
    return Row(LOCK | READ | EXECUTE | NAPOT, napot(*code)), Row(both, napot(*data)), Row(both, napot(*devices))
