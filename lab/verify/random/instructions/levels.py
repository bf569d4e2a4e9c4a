# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""What software can do to interrupts at a level that handles them: one table, for machine and for user mode.

What a CSR of machine mode can do, that of user mode with the same role can do, too (docs/user-level-interrupts.md). So
programs draw from the table by role, and `MACHINE` and `USER` say which registers these are.
"""

from __future__ import annotations

import random
from collections.abc import Collection
from dataclasses import dataclass

from trapeze.platform import isa
from trapeze.platform.isa import Csr
from verify.random.instructions.isa import CORNERS, CSR_OPS


@dataclass(frozen=True)
class Level:
    """Mode that handles interrupts.

    Attributes:
        letter: names of its CSRs begin with it.
        enable: its bit of the status register, in xnxti and where it is written alone.
        bits: those that csrrsi of xnxti may name.
    """

    letter: str
    enable: int
    bits: tuple[int, ...]

    def csr(self, role: str) -> int:
        """Number of the CSR with a role."""
        return Csr[f"{self.letter}{role}".upper()]

    def name(self, role: str) -> str:
        """The same for the assembler, which knows those of machine mode by name."""
        return f"m{role}" if self.letter == "m" else f"{self.csr(role):#x}"


MACHINE = Level("m", 8, (1, 3))
USER = Level("u", 1, (0,))


@dataclass(frozen=True)
class Row:
    """A CSR.

    Attributes:
        role: its name behind the level's letter.
        ops: CSR instructions that it knows.
        opens: how it could let interrupts through: by the `enable` bit, or as the `threshold`.
        fixed: bits that stay zero.
    """

    role: str
    ops: tuple[str, ...] = CSR_OPS
    opens: str = ""
    fixed: int = 0

    @property
    def readable(self) -> bool:
        """Whether csrr reads it."""
        return not self.role.startswith("scratchcsw")


_MPRV_TW = isa.Mstatus.MPRV | isa.Mstatus.TW
ENABLE, THRESHOLD = "enable", "threshold"
ROWS = (
    *(Row("ie"), Row("ip"), Row("epc"), Row("cause"), Row("tval"), Row("scratch"), Row("tvt")),
    *(Row("tvec"), Row("fastirq"), Row("frame"), Row("scratchcswl", ("csrrw",))),
    *(Row("status", opens=ENABLE, fixed=_MPRV_TW), Row("nxti", ("csrrs", "csrrsi", "csrrci"), opens=ENABLE)),
    *(Row("intthresh", opens=THRESHOLD), Row("intstatus", ())),
)
"""All of them. Without operations: read alone."""


def value(rng: random.Random) -> int:
    """Any value; all classes of them."""
    return rng.choice((rng.getrandbits(32), rng.getrandbits(32), 0xFFFFFFFF, 0, rng.choice(CORNERS), rng.randrange(32)))


def access(level: Level, row: Row, rng: random.Random, a: str, b: str, fixed: int = 0) -> list[str]:
    """One of the instructions of a CSR, with any value but for `fixed`; its result is in `a`, `b` is used."""
    csr, op = f"{level.csr(row.role):#x}", rng.choice((*row.ops, "csrr"))
    if op == "csrr":
        return [f"csrr {a}, {csr}"] if row.readable else []
    if op.endswith("i"):
        known = sum(1 << bit for bit in level.bits) if (op, row.role) == ("csrrsi", "nxti") else 31
        return [f"{op} {a}, {csr}, {rng.randrange(32) & known & ~fixed}"]
    return [f"li {b}, {value(rng) & ~row.fixed & ~fixed:#x}", f"{op} {a}, {csr}, {b}"]


def any_value(
    level: Level, rng: random.Random, a: str, b: str, shut: str, without: Collection[str] = (), most: int = 5
) -> list[str]:
    """Any value into some of the CSRs, which are read back, and what mirrors them.

    Args:
        level: whose CSRs.
        rng: draws.
        a: register that is written; `b` another one.
        b: see above.
        shut: what keeps interrupts of the level away meanwhile, and is left alone.
        without: roles of others that are.
        most: accesses.
    """
    rows = [row for row in ROWS if row.role not in without and (shut, row.opens) != (THRESHOLD, THRESHOLD)]
    lines = []
    for row in rng.choices(rows, k=rng.randint(1, most)):
        lines += access(level, row, rng, a, b, level.enable if row.opens == shut else 0)
        shown = (*((row.role,) if row.readable else ()), "status", "cause")  # both show xPIE
        lines += [f"csrr {a}, {level.csr(role):#x}" for role in shown]
    return lines


def user_stretch(rng: random.Random, a: str, b: str, handled: list[str]) -> list[str]:
    """Any value into CSRs in user mode, interrupts kept away in one of two ways; then `handled`, and level 0."""
    off, shut = f"csrci {Csr.USTATUS:#x}, {USER.enable}", rng.choice((ENABLE, THRESHOLD))
    lines = [off] if shut == ENABLE else [f"li {a}, 255", f"csrw {Csr.UINTTHRESH:#x}, {a}"]
    return [*lines, *any_value(USER, rng, a, b, shut, most=12), off, *handled, *restored(a)]


def asks(level: Level, rng: random.Random, a: str, b: str) -> str:
    """Xnxti without effect; the five lowest bits of `b` are zero."""
    csr = level.name("nxti")
    return rng.choice((f"csrr {a}, {csr}", f"csrrsi {a}, {csr}, 0", f"csrrci {a}, {csr}, 0", f"csrrs {a}, {csr}, {b}"))


def claims(level: Level, rng: random.Random, a: str, b: str) -> str:
    """Xnxti with effect, by an immediate or by a register with any level."""
    csr, legal = level.name("nxti"), level.bits[0]
    register = rng.choice((0, rng.randrange(256))) << 16 | rng.choice((2, 7, 0x17, 0x10))
    is_seen = rng.random() < 0.75
    ways = (
        f"csrrci {a if is_seen else 'x0'}, {csr}, {rng.choice((8, 1, 2, 16, 31))}",
        f"csrrsi {a}, {csr}, {1 << legal}",
        f"li {b}, {register:#x}\n\tcsrrs {a}, {csr}, {b}",
    )
    return rng.choice(ways)


def reserved(level: Level) -> tuple[str, ...]:
    """Instructions that are illegal.

    Xnxti by csrrw, csrrwi, csrrc, and csrrsi with bits that it does not know; swaps by other than csrrw of two.
    """
    nxti, swap = level.name("nxti"), level.name("scratchcswl")
    wrong = [bits for bits in (1, 4, 16, 9, 31, 2, 8) if bits & ~sum(1 << bit for bit in level.bits)]
    return (
        *(f"{op} {nxti}, x5" for op in ("csrrw x6,", "csrrc x6,")),
        *(f"csrrwi x6, {nxti}, 8", f"csrrwi x0, {nxti}, 0", f"csrrc x6, {nxti}, x0"),
        *(f"csrrsi x6, {nxti}, {bits}" for bits in wrong),
        *(f"csrrw x0, {swap}, x5", f"csrrw x6, {swap}, x0", f"csrrc x6, {swap}, x5"),
        *(f"csrrsi x6, {swap}, 0", f"csrrci x6, {swap}, 3"),
        *(f"csrrw x6, {level.name('intstatus')}, x5", f"csrrsi x6, {level.name('intstatus')}, 1"),
    )


BY_LEVEL = 1
"""Rest, modulo 4, of the numbers of user mode's sources that may be triggered by level: their handlers mask them."""


def masked(a: str) -> list[str]:
    """No further interrupt of user mode behind the return, whether ucause comes from a frame or not."""
    return [f"li {a}, 255", f"csrw {Csr.UINTTHRESH:#x}, {a}", f"csrci {Csr.USTATUS:#x}, {isa.Ustatus.UPIE}"]


def entered(rng: random.Random, a: str, b: str) -> list[str]:
    """The beginning of user mode's handler of what is not vectored: an edge is claimed, a level masked.

    Interrupts stay off, because uepc may not have been saved.
    """
    register = rng.choice((0, rng.randrange(256))) << 16 | rng.choice((0, 2, 16))
    lines = [f"csrr {a}, {Csr.USTATUS:#x}", f"li {b}, {register:#x}", f"csrrs {a}, {Csr.UNXTI:#x}, {b}"]
    lines += [f"csrrci {a}, {Csr.UNXTI:#x}, 1"]
    lines += [f"csrr {b}, {Csr.UCAUSE:#x}", f"andi {b}, {b}, 3", f"addi {b}, {b}, -{BY_LEVEL}", f"bnez {b}, 2f"]
    return [*lines, *masked(a), "2:"]


def uret(a: str) -> list[str]:
    """A return that no interrupt entered for, to the next instruction; interrupts of user mode are off."""
    return [f"la {a}, 1f", f"csrw {Csr.UEPC:#x}, {a}", f".4byte {isa.URET.match:#x}", "1:"]


def restored(a: str) -> list[str]:
    """User mode is at level 0 with interrupts on and without a threshold."""
    lines = [f"csrw {Csr.UINTTHRESH:#x}, x0", f"li {a}, {isa.Ucause.UPIE:#x}", f"csrw {Csr.UCAUSE:#x}, {a}"]
    return [*lines, *uret(a)]
