# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""What the arithmetic instructions compute, written from the specification alone.

Purpose: a third opinion beside the RTL and QEMU. All values are unsigned 32-bit integers. For instructions with an
immediate the second operand is the sign-extended immediate, or the shift amount; unary ones ignore it.

Source: RISC-V unprivileged specification, chapters RV32I, M, and B (Zba, Zbb, Zbs).
"""

from __future__ import annotations

from collections.abc import Callable

MASK = 0xFFFFFFFF
Operation = Callable[[int, int], int]


def signed(value: int) -> int:
    """The two's complement reading of a 32-bit value."""
    return value - (1 << 32) if value >> 31 else value


def _div(a: int, b: int) -> int:
    if b == 0:
        return MASK
    quotient = abs(signed(a)) // abs(signed(b))
    return (-quotient if (a ^ b) >> 31 else quotient) & MASK


def _rem(a: int, b: int) -> int:
    if b == 0:
        return a
    rest = abs(signed(a)) % abs(signed(b))
    return (-rest if a >> 31 else rest) & MASK


def _rotate(value: int, left: int) -> int:
    left &= 31
    return (value << left | value >> (32 - left)) & MASK


def _extend(value: int, bits: int) -> int:
    value &= (1 << bits) - 1
    return (value - (1 << bits) if value >> (bits - 1) else value) & MASK


def _orc(value: int) -> int:
    return int.from_bytes(bytes(255 if byte else 0 for byte in value.to_bytes(4, "big")), "big")


BINARY: dict[str, Operation] = {
    "add": lambda a, b: (a + b) & MASK,
    "sub": lambda a, b: (a - b) & MASK,
    "sll": lambda a, b: (a << (b & 31)) & MASK,
    "slt": lambda a, b: int(signed(a) < signed(b)),
    "sltu": lambda a, b: int(a < b),
    "xor": lambda a, b: a ^ b,
    "srl": lambda a, b: a >> (b & 31),
    "sra": lambda a, b: (signed(a) >> (b & 31)) & MASK,
    "or": lambda a, b: a | b,
    "and": lambda a, b: a & b,
    "mul": lambda a, b: (a * b) & MASK,
    "mulh": lambda a, b: (signed(a) * signed(b) >> 32) & MASK,
    "mulhsu": lambda a, b: (signed(a) * b >> 32) & MASK,
    "mulhu": lambda a, b: a * b >> 32,
    "div": _div,
    "divu": lambda a, b: a // b if b else MASK,
    "rem": _rem,
    "remu": lambda a, b: a % b if b else a,
    "sh1add": lambda a, b: (b + (a << 1)) & MASK,
    "sh2add": lambda a, b: (b + (a << 2)) & MASK,
    "sh3add": lambda a, b: (b + (a << 3)) & MASK,
    "andn": lambda a, b: a & ~b & MASK,
    "orn": lambda a, b: (a | ~b) & MASK,
    "xnor": lambda a, b: ~(a ^ b) & MASK,
    "max": lambda a, b: a if signed(a) > signed(b) else b,
    "maxu": lambda a, b: max(a, b),
    "min": lambda a, b: a if signed(a) < signed(b) else b,
    "minu": lambda a, b: min(a, b),
    "rol": _rotate,
    "ror": lambda a, b: _rotate(a, -b),
    "bclr": lambda a, b: a & ~(1 << (b & 31)) & MASK,
    "bext": lambda a, b: a >> (b & 31) & 1,
    "binv": lambda a, b: a ^ 1 << (b & 31),
    "bset": lambda a, b: a | 1 << (b & 31),
}
"""Mnemonic to function of rs1 and rs2."""

UNARY: dict[str, Operation] = {
    "clz": lambda a, _: 32 - a.bit_length(),
    "ctz": lambda a, _: (a & -a).bit_length() - 1 if a else 32,
    "cpop": lambda a, _: a.bit_count(),
    "sext.b": lambda a, _: _extend(a, 8),
    "sext.h": lambda a, _: _extend(a, 16),
    "zext.h": lambda a, _: a & 0xFFFF,
    "orc.b": lambda a, _: _orc(a),
    "rev8": lambda a, _: int.from_bytes(a.to_bytes(4, "big"), "little"),
}
"""Mnemonic to function of rs1."""

IMMEDIATE: dict[str, Operation] = {
    f"{name}i" if name != "sltu" else "sltiu": BINARY[name] for name in ("add", "slt", "sltu", "xor", "or", "and")
}
"""Mnemonic to function of rs1 and the sign-extended 12-bit immediate."""

SHIFT: dict[str, Operation] = {
    f"{name}i": BINARY[name] for name in ("sll", "srl", "sra", "ror", "bclr", "bext", "binv", "bset")
}
"""Mnemonic to function of rs1 and the shift amount."""
