# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The words that are instructions of RV64GC with Zba, Zbb and Zbs, so that illegal ones can be drawn.

Words of the opcode SYSTEM count as legal: drawing them has its own place. Source: as `isa`.
"""

from __future__ import annotations

from verify.random.instructions.isa import OP_FUNCT7

_LEGAL_FUNCT3: dict[int, tuple[int, ...]] = {
    0x67: (0,),
    0x63: (0, 1, 4, 5, 6, 7),
    0x03: (0, 1, 2, 3, 4, 5, 6),
    0x23: (0, 1, 2, 3),
    0x07: (2, 3),
    0x27: (2, 3),
}
_OP_32: dict[int, tuple[int, ...]] = {
    0x00: (0, 1, 5),
    0x20: (0, 5),
    0x01: (0, 4, 5, 6, 7),
    0x10: (2, 4, 6),
    0x30: (1, 5),
}
_AMO_FUNCT5 = (0x00, 0x01, 0x02, 0x03, 0x04, 0x08, 0x0C, 0x10, 0x14, 0x18, 0x1C)
_LR_FUNCT5 = 0x02


def _op_imm(word: int) -> bool:
    funct3, upper, amount = word >> 12 & 7, word >> 26, word >> 20 & 63
    if funct3 == 1:
        return upper in (0x00, 0x0A, 0x12, 0x1A) or (upper == 0x18 and amount in (0, 1, 2, 4, 5))
    if funct3 == 5:
        return upper in (0x00, 0x10, 0x12, 0x18) or word >> 20 in (0x287, 0x6B8)
    return True


def _op_imm_32(word: int) -> bool:
    funct3, funct7, low = word >> 12 & 7, word >> 25, word >> 20 & 31
    if funct3 == 1:
        return funct7 == 0 or funct7 >> 1 == 2 or (funct7 == 0x30 and low in (0, 1, 2))
    return funct3 == 0 or (funct3 == 5 and funct7 in (0x00, 0x20, 0x30))


def _floating(word: int) -> bool:
    """An instruction of the opcode OP-FP; any rounding mode counts as legal."""
    funct7, funct3, second = word >> 25, word >> 12 & 7, word >> 20 & 31
    funct5, form = funct7 >> 2, funct7 & 3
    if form > 1:
        return False
    if funct5 in (0x00, 0x01, 0x02, 0x03):
        return True
    exact = {0x04: 3, 0x05: 2, 0x14: 3}
    if funct5 in exact:
        return funct3 < exact[funct5]
    if funct5 == 0x08:
        return second == 1 - form
    if funct5 == 0x1C:
        return second == 0 and funct3 < 2
    return {0x0B: second == 0, 0x18: second < 4, 0x1A: second < 4, 0x1E: second == 0 and funct3 == 0}.get(funct5, False)


def is_legal32_64(word: int) -> bool:
    """True if the 32-bit word may encode an instruction."""
    opcode, funct3, funct7 = word & 0x7F, word >> 12 & 7, word >> 25
    if opcode in (0x37, 0x17, 0x6F, 0x73, 0x0F):
        return True
    if opcode in _LEGAL_FUNCT3:
        return funct3 in _LEGAL_FUNCT3[opcode]
    if opcode == 0x2F:
        funct5 = funct7 >> 2
        return funct3 in (2, 3) and funct5 in _AMO_FUNCT5 and (funct5 != _LR_FUNCT5 or word >> 20 & 31 == 0)
    if opcode in (0x43, 0x47, 0x4B, 0x4F):
        return funct7 & 3 < 2
    if opcode == 0x3B and funct7 == 0x04:  # add.uw, zext.h
        return funct3 == 0 or (funct3 == 4 and word >> 20 & 31 == 0)
    by_funct7 = {0x33: OP_FUNCT7, 0x3B: _OP_32}
    if opcode in by_funct7:
        return funct3 in by_funct7[opcode].get(funct7, ())
    others = {0x13: _op_imm, 0x1B: _op_imm_32, 0x53: _floating}
    return opcode in others and others[opcode](word)


def is_legal16_64(half: int) -> bool:
    """True if the 16-bit value encodes a compressed instruction or HINT, or is the half of a longer one."""
    quadrant, funct3, bit12 = half & 3, half >> 13, half >> 12 & 1
    rd, rs2 = half >> 7 & 31, half >> 2 & 31
    if quadrant == 0:
        return funct3 != 4 and (funct3 != 0 or half >> 5 & 0xFF != 0)
    if quadrant == 1:
        if funct3 == 1:
            return rd != 0
        if funct3 == 3:
            return bit12 != 0 or rs2 != 0
        return not (funct3 == 4 and bit12 and half >> 10 & 3 == 3 and half >> 5 & 3 > 1)
    if quadrant == 2:
        if funct3 in (2, 3):
            return rd != 0
        return funct3 != 4 or bit12 != 0 or rs2 != 0 or rd != 0
    return True
