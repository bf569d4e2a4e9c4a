# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The instructions as C++ tables, for the simulator: decoder, disassembler, expansion of compressed instructions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from generator.instructions import BOTH, IMMEDIATES, REGISTERS, Expansion, Instructions, Row, Text
from generator.text import ISA_ORIGIN, NOTICE, camel

_T = TypeVar("_T")
_OPCODES, _FUNCTIONS = 32, 8
_QUADRANTS, _SHORT_FUNCTIONS = 4, 8

_HEAD = f"""// {NOTICE}
//
// {ISA_ORIGIN}
/**
 * @file
 * Every instruction: bits, operands, text, expansion.
 */
#ifndef TRAPEZE_INSTRUCTIONS_HPP_
#define TRAPEZE_INSTRUCTIONS_HPP_

#include <array>
#include <cstdint>

namespace trapeze::isa {{

/** Registers that an instruction has, as bits. */
enum RegisterField : std::uint8_t {{ {", ".join(f"k{camel(name)} = {1 << n}" for n, name in enumerate(REGISTERS))} }};

/** Widths that have an instruction, as bits. */
enum Width : std::uint8_t {{ {", ".join(f"k{width} = {1 << n}" for n, width in enumerate(BOTH))} }};

/** The bit of a width of 32 or 64. */
constexpr unsigned width_bit(unsigned xlen) {{
  return xlen == 64 ? k64 : k32;
}}
"""

_ROW = """
/** An instruction of 32 bits: it is meant when (word & mask) == match. `registers`: RegisterField; `widths`: Width. */
struct Instruction {
  std::uint32_t match;
  std::uint32_t mask;
  Extension of;
  std::uint8_t widths;
  std::uint8_t registers;
  Immediate immediate;
};"""

_INDEX = """
/** Where in the list of candidates those of a word begin; they end where those of the next index begin. */
constexpr unsigned instruction_index(std::uint32_t word) {
  return ((word >> 2) & 31U) * 8 + ((word >> 12) & 7U);
}"""

_TEXT = """
/** Text of an instruction; the first line that fits wins. Letters of `operands`: regs/isa/instructions.yaml.
 * `widths`: Width. `ordered`: the order of an atomic operation is appended to the name; `same`: only if rs1 is rs2. */
struct InstructionText {
  std::uint32_t match;
  std::uint32_t mask;
  const char* name;
  const char* operands;
  std::uint8_t widths;
  bool ordered;
  bool same;
};"""

_EXPANSION = """
/** A run of bits of a compressed instruction and where it stands in what that expands to. */
struct Move {
  std::uint8_t from;
  std::uint8_t width;
  std::uint8_t to;
};

/** What makes a compressed instruction: (half & mask) == match, and no mask of `nonzero` takes only zeros. */
struct ShortPattern {
  std::uint16_t match;
  std::uint16_t mask;
  std::array<std::uint16_t, 2> nonzero;

  constexpr bool is(unsigned half) const {
    return (half & mask) == match && (nonzero[0] == 0 || (half & nonzero[0]) != 0) &&
           (nonzero[1] == 0 || (half & nonzero[1]) != 0);
  }
};"""

_SHORT_INDEX = """
/** Where the compressed instructions of a half-word begin; they end where those of the next index begin. */
constexpr unsigned compressed_index(unsigned half) {
  return (half & 3U) * 8 + ((half >> 13) & 7U);
}"""

_SHORT_TEXT = """
/** Text of a compressed instruction that is not that of its expansion; its operands are. `widths`: Width. The first
 * line that fits wins. */
struct CompressedText {
  ShortPattern pattern;
  std::uint8_t widths;
  const char* name;
  const char* operands;
};"""


def _table(kind: str, name: str, title: str, lines: Iterable[str]) -> Iterator[str]:
    rows = list(lines)
    yield from ("", f"/** {title} */", f"inline constexpr std::array<{kind}, {len(rows)}> k{name} = {{{{")
    yield from (f"    {row}," for row in rows)
    yield "}};"


def _numbers(kind: str, name: str, title: str, numbers: list[int]) -> Iterator[str]:
    lines = (", ".join(map(str, numbers[first : first + 20])) for first in range(0, len(numbers), 20))
    yield from ("", f"/** {title} */", f"inline constexpr std::array<{kind}, {len(numbers)}> k{name} = {{{{")
    yield from (f"    {line}," for line in lines)
    yield "}};"


def _grouped(items: Iterable[_T], groups: int, belongs: Callable[[_T, int], bool]) -> tuple[list[_T], list[int]]:
    """The items of each group one after the other, and where each group begins and the last one ends."""
    every = list(items)
    found: list[_T] = []
    first = []
    for group in range(groups):
        first.append(len(found))
        found += [item for item in every if belongs(item, group)]
    return found, [*first, len(found)]


def _enumeration(name: str, title: str, values: Iterable[str]) -> Iterator[str]:
    names = ", ".join(f"k{camel(value)}" for value in dict.fromkeys(values))
    yield from ("", f"/** {title} */", f"enum class {name} : std::uint8_t {{ {names} }};")


def _bits(names: Iterable[str], prefix: str = "k") -> str:
    return " | ".join(f"{prefix}{camel(name)}" for name in names) or "0"


def _row(row: Row) -> str:
    widths = _bits(map(str, row.widths))
    facts = f"Extension::k{camel(row.of)}, {widths}, {_bits(row.registers)}, Immediate::k{camel(row.immediate)}"
    return f"{{0x{row.match:08x}, 0x{row.mask:08x}, {facts}}}"


def _starts(row: Row, index: int) -> bool:
    """Whether a word with the index could be this instruction."""
    opcode, function = divmod(index, _FUNCTIONS)
    word = opcode << 2 | 3 | function << 12
    return not (word ^ row.match) & row.mask & 0x707F


def _decoder(rows: tuple[Row, ...]) -> Iterator[str]:
    yield from _enumeration("Extension", "What a hart has or has not.", (row.of for row in rows))
    others = ["none", "shift", "csr", "rounding"]
    kinds = [*IMMEDIATES, *(row.immediate for row in rows if row.immediate not in others), *others]
    yield from _enumeration("Immediate", "Where the immediate is; rounding: the mode in funct3.", kinds)
    yield from _ROW.split("\n")
    yield from ("", "/** Every instruction. */")
    yield f"inline constexpr std::array<Instruction, {len(rows)}> kInstructions = {{{{"
    yield from (f"    {_row(row)},  // {row.name}" for row in rows)
    yield "}};"
    yield from ("", "/** What each does, in an enumeration with these names. */", "template <typename Operation>")
    yield f"inline constexpr std::array<Operation, {len(rows)}> kOperations = {{{{"
    yield from (f"    Operation::{row.operation}," for row in rows)
    yield "}};"
    yield from _INDEX.split("\n")
    numbered = list(enumerate(rows))
    found, first = _grouped(numbered, _OPCODES * _FUNCTIONS, lambda pair, index: _starts(pair[1], index))
    title = "Numbers of instructions, by opcode and funct3."
    yield from _numbers("std::uint16_t", "Candidates", title, [number for number, _ in found])
    yield from _numbers("std::uint16_t", "FirstCandidate", "By instruction_index().", first)


def _text(text: Text) -> str:
    flags = f"{str(text.ordered).lower()}, {str(text.same).lower()}"
    widths = _bits(map(str, text.widths))
    return f'{{0x{text.match:08x}, 0x{text.mask:08x}, "{text.name}", "{text.operands}", {widths}, {flags}}}'


def _pattern(one: Text | Expansion) -> str:
    nonzero = ", ".join(f"0x{mask:04x}" for mask in (*one.nonzero, 0, 0)[:2])
    return f"{{0x{one.match:04x}, 0x{one.mask:04x}, {{{nonzero}}}}}"


def _expansions(expansions: tuple[Expansion, ...]) -> Iterator[str]:
    yield from _EXPANSION.split("\n")
    most = max(len(one.moves) for one in expansions)
    yield from (
        "",
        "/** A compressed instruction: `base` with the moved bits, and `fill` if bit `sign` is set. */",
    )
    yield from ("struct Compressed {", "  ShortPattern pattern;", "  std::uint8_t widths;", "  std::uint32_t base;")
    yield from ("  std::uint16_t sign;", "  std::uint32_t fill;", f"  std::array<Move, {most}> moves;", "};")
    count = _QUADRANTS * _SHORT_FUNCTIONS
    found, first = _grouped(expansions, count, lambda one, index: _short_index(one) == index)
    yield from ("", "/** Every compressed instruction, by quadrant and function; the first that fits wins. */")
    yield f"inline constexpr std::array<Compressed, {len(found)}> kCompressed = {{{{"
    for one in found:
        runs = ", ".join(f"{{{start}, {width}, {to}}}" for start, width, to in one.moves)
        facts = f"{_bits(map(str, one.widths))}, 0x{one.base:08x}, 0x{one.sign:04x}, 0x{one.fill:08x}"
        yield f"    {{{_pattern(one)}, {facts}, {{{{{runs}}}}}}},  // {one.name}"
    yield "}};"
    yield from _SHORT_INDEX.split("\n")
    yield from _numbers("std::uint16_t", "FirstCompressed", "By compressed_index().", first)


def _short_index(one: Expansion) -> int:
    return (one.match & 3) * _SHORT_FUNCTIONS + (one.match >> 13)


def render(instructions: Instructions) -> str:
    """The header `trapeze/instructions.hpp`."""
    body = list(_decoder(instructions.rows))
    body += _TEXT.split("\n")
    texts, first = _grouped(instructions.texts, _OPCODES, lambda text, opcode: text.match >> 2 & 31 == opcode)
    body += _table("InstructionText", "InstructionTexts", "Lines of the disassembler, by opcode.", map(_text, texts))
    body += _numbers("std::uint16_t", "FirstText", "Where those begin whose word has this in bits 6:2.", first)
    body += _expansions(instructions.expansions)
    body += _SHORT_TEXT.split("\n")
    lines = (
        f'{{{_pattern(one)}, {_bits(map(str, one.widths))}, "{one.name}", "{one.operands}"}}'
        for one in instructions.short_texts
    )
    body += _table("CompressedText", "CompressedTexts", "Lines of the disassembler for compressed instructions.", lines)
    end = ["", "}  // namespace trapeze::isa", "", "#endif  // TRAPEZE_INSTRUCTIONS_HPP_", ""]
    return "\n".join([_HEAD.rstrip("\n"), *body, *end])
