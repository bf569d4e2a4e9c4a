# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The constants of the instruction set as a C++ header, for the simulator: one namespace for each kind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from generator.isa import REGISTERS, BitField, Csr, Frame, Isa, Layout
from generator.text import ISA_ORIGIN, NOTICE, camel

_HEAD = f"""// {NOTICE}
//
// {ISA_ORIGIN}
/**
 * @file
 * Constants of the instruction set.
 */
#ifndef TRAPEZE_ISA_HPP_
#define TRAPEZE_ISA_HPP_

#include <array>
#include <cstdint>
#include <string_view>

namespace trapeze::isa {{
"""


def _constant(name: str, value: str, title: str = "", kind: str = "unsigned") -> str:
    return f"inline constexpr {kind} k{camel(name)} = {value};{f'  ///< {title}' if title else ''}"


def _namespace(name: str, title: str, lines: Iterable[str]) -> Iterator[str]:
    yield from ("", f"/** {title} */", f"namespace {name} {{", *lines, f"}}  // namespace {name}")


def _fields(csr: Csr) -> Iterator[str]:
    for field in csr.fields:
        if field.low is None:
            yield f"constexpr unsigned {field.name}(unsigned xlen) {{ return xlen - 1; }}  ///< {field.title}"
            continue
        yield _constant(field.name, str(field.low), field.title)
        if field.high not in (field.low, None):
            yield _constant(f"{field.name}_width", str(field.span(64 if field.wide else 32)[1] - field.low + 1))
        for name, value in field.values:
            yield _constant(f"{field.name}_{name}", str(value))


def _masks(fields: Iterable[BitField]) -> Iterator[str]:
    for field in fields:
        low = field.span(32)[0]
        yield _constant(field.name, f"0x{field.mask(32):x}", field.title)
        yield _constant(f"{field.name}_shift", str(low))
        for name, value in field.values:
            yield _constant(f"{field.name}_{name}", f"0x{value << low:x}")


def _layout(layout: Layout) -> Iterator[str]:
    if layout.words:
        lines = (_constant(name, str(number), title) for name, number, title in layout.numbers())
        title = f"{layout.title}: offsets of its words, its size and its alignment, in bytes."
        yield from _namespace(layout.name, title, lines)
    for value in layout.values:
        title = f"{value.title}: masks, positions, and values in their place."
        yield from _namespace(value.name, title, _masks(value.fields))


def _csrs(isa: Isa) -> Iterator[str]:
    numbers = (_constant(csr.one, f"0x{csr.number:03x}", csr.title) for csr in isa.csrs)
    yield from _namespace("csr", "Numbers of CSRs; of a run of registers that of its first one.", numbers)
    for csr in isa.csrs:
        if csr.fields:
            title = f"{csr.one}: lowest bits of fields, widths where it is not one bit, and values."
            yield from _namespace(csr.one, title, _fields(csr))
    yield from ("", "/** A CSR, or a run of them whose names have a number in the middle, counted from `index`.")
    yield " * `of`: the extension or scheme that has it. */"
    yield "struct CsrName {"
    for member in (
        *("unsigned first", "unsigned count", "const char* name", "unsigned index", "const char* suffix"),
        "std::string_view of",
    ):
        yield f"  {member};"
    yield from ("};", "", "/** Every CSR, by ascending number. A single one has the whole of its name in `name`. */")
    yield f"inline constexpr std::array<CsrName, {len(isa.csrs)}> kCsrNames = {{{{"
    for csr in isa.csrs:
        prefix, _, suffix = csr.name.partition("{}")
        yield f'    {{0x{csr.number:03x}, {csr.count}, "{prefix}", {csr.first}, "{suffix}", "{csr.of}"}},'
    yield "}};"


def _frame(frame: Frame) -> Iterator[str]:
    numbers = ", ".join(str(REGISTERS.index(name)) for name in frame.registers)
    base = camel(frame.base)
    yield f"inline constexpr std::array<unsigned, {len(frame.registers)}> kRegisters{base} = {{{numbers}}};"
    for name in frame.csrs:
        yield _constant(f"{name}_{frame.base}", str(frame.words.index(name)), "its word")
    yield _constant(f"words_{frame.base}", str(len(frame.words)))
    yield _constant(f"bytes_{frame.base}", str(frame.bytes), "what sp is lowered by")


def _encodings(isa: Isa) -> Iterator[str]:
    yield from ("", "/** Bits that make an instruction. */", "struct Encoding {", "  std::uint32_t match;")
    yield from ("  std::uint32_t mask;", "")
    yield from ("  constexpr bool is(std::uint32_t instruction) const { return (instruction & mask) == match; }", "};")
    lines = (_constant(i.name, f"{{0x{i.match:08x}, 0x{i.mask:08x}}}", i.title, "Encoding") for i in isa.instructions)
    yield from _namespace("encoding", "Instructions.", lines)
    for one in isa.instructions:
        if one.operand is not None and one.operand.low is not None:
            bounds = (("from", one.range[0]), ("to", one.range[1]), ("bit", one.operand.low))
            what = "Least and largest number in the instruction, and its lowest bit."
            yield from _namespace(f"{one.name}_operand", what, (_constant(name, str(value)) for name, value in bounds))


def render(isa: Isa) -> str:
    """The header `trapeze/isa.hpp`."""
    body = list(_namespace("privilege", "Modes.", (_constant(name, str(value)) for name, value in isa.privilege)))
    body += _csrs(isa)
    for layout in isa.layouts:
        body += _layout(layout)
    for name, title, causes in (
        ("exception", "Exceptions, by their code in mcause.", isa.exceptions),
        ("interrupt", "Interrupts, by their code in mcause.", isa.interrupts),
    ):
        body += _namespace(name, title, (_constant(one.name, str(one.code), one.title) for one in causes))
    body += _encodings(isa)
    markers = (_constant(one.name, str(one.code), one.title) for one in isa.markers)
    body += _namespace("marker", "Numbers of markers.", markers)
    title = "Frame of an interrupt, for the bases I and E: registers from word 0 on, then CSRs. Whole: all registers."
    body += _namespace("frame", title, (line for frame in isa.frames for line in _frame(frame)))
    return "\n".join(
        [_HEAD.rstrip("\n"), *body, "", "}  // namespace trapeze::isa", "", "#endif  // TRAPEZE_ISA_HPP_", ""]
    )
