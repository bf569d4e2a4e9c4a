# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Words that binutils reads in another way than core and model, who keep to the specification; with its sections."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from verify.dev.encodings.instruction import NOP, OTHER_MODES, RESERVED, ROUNDING, Instruction, is_float


class Difference(NamedTuple):
    """Words that binutils reads differently.

    Attributes:
        reason: What the specification says, and where: U is Unprivileged ISA 20191213, P Privileged ISA 20211203.
        of: Prefix of the ISAs that it is about.
        holds: Whether a word is one of these; it is given what binutils makes of it, None if nothing.
        right: What the word is, or what says so.
    """

    reason: str
    of: str
    holds: Callable[[int, Instruction | None], bool]
    right: Instruction | Callable[[int], Instruction] | None


_EXACT = {0x42000053: "fcvt.d.s", 0xD2000053: "fcvt.d.w", 0xD2100053: "fcvt.d.wu"}
"""Conversions without rounding, by their words without registers and funct3."""

ALL = (
    Difference(
        "shift amounts of 32 and more are reserved on RV32 (U 2.4.1, bit manipulation 1.0.0)",
        "rv32",
        lambda word, found: found is not None and word & 0x0200307F == 0x02001013,
        None,
    ),
    Difference(
        "compressed, too (U 16.5)",
        "rv32",
        lambda word, found: found is not None and (word & 0xF003 == 0x1002 or word & 0xF803 == 0x9001),
        None,
    ),
    Difference("c.addi16sp by zero is reserved (U 16.5)", "rv", lambda word, _: word & 0xFFFF == 0x6101, None),
    Difference(
        "16 zeros are illegal for ever (U 16.5)",
        "rv",
        lambda _, found: found is not None and found.name == "c.unimp",
        None,
    ),
    Difference(
        "what is reserved in a fence is to be ignored (U 2.7)",
        "rv",
        lambda word, found: found is None and word & 0x707F == 0x000F,
        NOP,
    ),
    Difference(
        "likewise in fence.i (U 3)",
        "rv",
        lambda word, found: found is None and word & 0x707F == 0x100F,
        Instruction("fence.i"),
    ),
    Difference(
        "rounding modes 5 and 6 are reserved (U 11.2)",
        "rv64imaf",
        lambda word, found: found is not None and is_float(found.name) and bool(word & 0x40) and found.imm == RESERVED,
        None,
    ),
    Difference(
        "conversions that are exact have a rounding mode all the same (U 12.5)",
        "rv64imafd",
        lambda word, found: found is None and word & 0xFFF0007F in _EXACT and word >> 12 & 7 in ROUNDING.values(),
        lambda word: Instruction(_EXACT[word & 0xFFF0007F], word >> 7 & 31, word >> 15 & 31, imm=word >> 12 & 7),
    ),
    Difference(
        "S mode, hypervisor, debug mode and user-level traps do not exist (P 3.3.2, 4.2.1; Debug 0.13.2, 4.6)",
        "rv",
        lambda _, found: found is not None and found.name in OTHER_MODES,
        None,
    ),
)


def right(isa: str, word: int, found: Instruction | None) -> tuple[Instruction | None, Difference | None]:
    """What a word is on a hart, derived from binutils' answer; and the known differences between the two."""
    for one in ALL:
        if isa.startswith(one.of) and one.holds(word, found):
            return one.right(word) if callable(one.right) else one.right, one
    return found, None
