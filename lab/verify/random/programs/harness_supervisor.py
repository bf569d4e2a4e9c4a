# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Additions to the harness for supervisor mode: page tables, and a trap handler of that mode.

There are two page tables. With `root_s` supervisor mode may use memory by its own address, with `root_u` user mode.
Both map memory once more from ALIAS on for supervisor mode, which is where its trap handler runs. From PAGES on there
are pages of 4 KiB and 2 MiB whose entries, `leaves` and `middle`, programs change; by default they lead to `pages`.

The handler of supervisor mode shows what it sees (scause, stval, sstatus, sepc in registers) by an `ecall`, which
appends a record, and returns as that of machine mode does.
"""

from __future__ import annotations

import random

from verify.random.instructions.addresses import Platform
from verify.random.programs.harness import FS

V, R, W, X, U, G, A, D = (1 << bit for bit in range(8))
ALL = V | R | W | X | A | D
PAGES = 0x40000000
ALIAS = 0xC0000000
ALIAS_OFFSET = 0x40000000
"""From an address of memory to the same place by ALIAS."""
COUNT = 4
"""Pages of 4 KiB with memory behind them."""
CODE = 32
"""Where in a page its code is: behind what stores across the end of the page before reach."""
SV39 = 8 << 60
_DELEGATED = (1, 2, 3, 4, 6, 12, 13, 15)
"""What may go to supervisor mode: all but calls and access faults of data, whose value machine mode rounds."""


def _entry(table: str, index: int, value: int) -> list[str]:
    return [f"la x5, {table}", f"li x6, {value:#x}", f"sd x6, {8 * index}(x5)"]


def _leads(table: str, index: int, to: str, flags: int) -> list[str]:
    return [f"la x5, {table}", f"la x6, {to}", "srli x6, x6, 2", f"ori x6, x6, {flags}", f"sd x6, {8 * index}(x5)"]


def _huge(address: int, flags: int) -> int:
    return address >> 2 | flags


def prepare(rng: random.Random, link: int) -> tuple[str, ...]:
    """Lines of the start: tables, delegation, and code in the pages, which returns through the link register."""
    lines = [f"li x5, {sum(1 << cause for cause in _DELEGATED if rng.random() < 0.5):#x}", "csrw medeleg, x5"]
    lines += ["csrw mideleg, x0", "csrw stvec, x0", "csrw sscratch, x0", "csrw sepc, x0", "csrw scause, x0"]
    lines += ["csrw stval, x0", "li x5, 7", "csrw scounteren, x5"]
    for root, user in (("root_s", 0), ("root_u", U)):
        lines += _entry(root, 0, _huge(0, ALL | user)) + _leads(root, 1, "middle", V)
        lines += _entry(root, 2, _huge(0x80000000, ALL | user)) + _entry(root, 3, _huge(0x80000000, ALL))
        lines += _entry(root, 4, rng.choice((0, _huge(0x80001000, ALL), V | A, V | U, _huge(0x80000000, V | W))))
    lines += _leads("middle", 0, "leaves", V)
    for index in range(COUNT):
        flags = rng.choice((ALL, ALL | U, V | R, V | R | W | U, V | X | A, V | R | X | U | A))
        lines += _leads("leaves", index, f"pages + {4096 * index}", flags)
        lines += [f"la x5, pages + {4096 * index + CODE}", f"li x6, {0x67 | link << 15:#x}", "sw x6, 0(x5)"]
    return (*lines, f"li x5, {FS:#x}", "csrs mstatus, x5", *(f"fmv.d.x f{n}, x{n % 5}" for n in range(32)), "fence.i")


def handler(cursor: int, link: int) -> tuple[str, ...]:
    """The trap handler of supervisor mode."""
    free = [number for number in range(16, 32) if number not in (cursor, link)][:5]
    area, cause, value, status, epc = (f"x{number}" for number in free)
    others = (cause, value, status, epc)
    lines = [".balign 4", "supervisor_trap:", f"csrrw {area}, sscratch, {area}"]
    lines += [f"sd {one}, {8 * at}({area})" for at, one in enumerate(others, start=1)]
    lines += [f"csrrw {cause}, sscratch, {area}", f"sd {cause}, 0({area})"]
    lines += [f"csrr {cause}, scause", f"csrr {value}, stval", f"csrr {status}, sstatus", f"csrr {epc}, sepc", "ecall"]
    lines += [f"addi {value}, {cause}, -1", f"beqz {value}, 2f", f"addi {value}, {cause}, -12", f"beqz {value}, 2f"]
    # The instruction, by the memory that the handler runs in.
    lines += [f"slli {value}, {epc}, 34", f"srli {value}, {value}, 34", f"csrr {status}, stvec"]
    lines += [f"srli {status}, {status}, 30", f"slli {status}, {status}, 30", f"add {value}, {value}, {status}"]
    lines += [f"lhu {value}, 0({value})", f"andi {value}, {value}, 3", f"addi {value}, {value}, -3"]
    lines += [f"addi {epc}, {epc}, 2", f"bnez {value}, 1f", f"addi {epc}, {epc}, 2", "1: j 3f"]
    lines += [f"2: mv {epc}, x{link}", f"3: csrw sepc, {epc}"]
    lines += [f"ld {one}, {8 * at}({area})" for at, one in enumerate(others, start=1)]
    return tuple(f"\t{line}" if ":" not in line else line for line in (*lines, f"ld {area}, 0({area})", "sret"))


def tables() -> tuple[str, ...]:
    """Tables, pages, and where the handler keeps registers."""
    lines = ["\t.balign 4096"]
    lines += [f"{name}: .skip 4096" for name in ("root_s", "root_u", "middle", "leaves")]
    return (*lines, f"pages: .skip {4096 * COUNT}", "pages_end: .skip 4096", "saved: .skip 64")


OBSERVED = (("leaves", "pages_end"),)
"""What of it the report has."""


def check_fits(platform: Platform) -> None:
    """Refuse a platform whose memory is not where the tables map it.

    Raises:
        ValueError: it is not.
    """
    if not 0x80000000 <= platform.imem.base <= platform.smem.end <= 0xC0000000:
        raise ValueError("the page tables of random programs map memory from 0x80000000 on")
