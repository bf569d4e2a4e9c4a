# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The constants of the instruction set as a SystemVerilog package, for cores of 32 bits."""

from __future__ import annotations

from collections.abc import Iterable

from generator.description import Field, Register
from generator.isa import REGISTERS, BitField, Isa
from generator.systemverilog import sv_head, sv_hex, sv_struct
from generator.text import ISA_ORIGIN, camel

_XLEN = 32
_MEMBERS = {"interrupt": "irq"}
"""Fields that have another name in a struct, because Verilator warns of a word that is a keyword of C++."""


def _register(name: str, bits: int, bit_fields: Iterable[BitField]) -> Register:
    """A CSR or another value in the form of a block's register, which is written as a packed struct."""
    spans = ((field, *field.span(_XLEN)) for field in bit_fields)
    fields = tuple(
        Field(_MEMBERS.get(f.name, f.name), low, high - low + 1, 0, "rw", f.title, ()) for f, low, high in spans
    )
    return Register(name, 0, bits, "", "", None, fields)


def _values(name: str, fields: Iterable[BitField]) -> list[str]:
    """Parameters for the named values of fields."""
    lines = []
    for field in fields:
        low, high = field.span(_XLEN)
        for one, value in field.values:
            constant = f"{camel(name)}{camel(field.name)}{camel(one)}"
            lines += [f"  parameter logic [{high - low}:0] {constant} = {sv_hex(high - low + 1, value)};"]
    return lines


def _csrs(isa: Isa) -> list[str]:
    lines = ["", "  // Numbers of CSRs; of a run of registers that of its first one."]
    for csr in isa.csrs:
        lines += [f"  parameter logic [11:0] Csr{camel(csr.one)} = {sv_hex(12, csr.number)};  // {csr.title}"]
        if csr.count > 1:
            lines += [f"  parameter int unsigned Csr{camel(csr.one)}Count = {csr.count};"]
    for csr in isa.csrs:
        if csr.narrow:
            lines += ["", f"  /// {csr.title}.", *sv_struct(_register(f"csr_{csr.one}", _XLEN, csr.narrow))]
        lines += _values(csr.one, csr.narrow)
    return lines


def _layouts(isa: Isa) -> list[str]:
    lines = []
    for layout in isa.layouts:
        if layout.words:
            about = "offsets of its words, its size and its alignment, in bytes"
            lines += ["", f"  // {layout.title}: {about}."]
        for name, number, title in layout.numbers():
            lines += [f"  parameter int unsigned {camel(layout.name)}{camel(name)} = {number};  // {title}"]
        for value in layout.values:
            struct = sv_struct(_register(value.name, value.bits, value.fields))
            lines += ["", f"  /// {value.title}.", *struct, *_values(value.name, value.fields)]
    return lines


def _causes(isa: Isa) -> list[str]:
    lines = ["", "  /// Exceptions, by their code in mcause.", "  typedef enum logic [4:0] {"]
    last = isa.exceptions[-1]
    for one in isa.exceptions:
        lines += [f"    Exc{camel(one.name)} = 5'd{one.code}{'' if one is last else ','}  // {one.title}"]
    lines += ["  } exc_e;", "", "  // Interrupts, by their code in mcause."]
    for one in isa.interrupts:
        lines += [f"  parameter logic [4:0] Irq{camel(one.name)} = 5'd{one.code};  // {one.title}"]
    return lines


def _encodings(isa: Isa) -> list[str]:
    lines = ["", "  // Instructions: one is meant when (instruction & Mask) == Match."]
    for one in isa.instructions:
        lines += [f"  parameter logic [31:0] Insn{camel(one.name)}Match = {sv_hex(32, one.match)};  // {one.title}"]
        lines += [f"  parameter logic [31:0] Insn{camel(one.name)}Mask = {sv_hex(32, one.mask)};"]
    return lines


ORDER_COLUMNS = 16
"""Registers of a frame on a line."""


def _frames(isa: Isa) -> list[str]:
    lines = [
        "",
        "  // Frame of an interrupt, for the base I and the base E: words, bytes that sp is lowered by, and the",
        "  // register of each word, word 0 in the lowest bits; CSRs come behind the registers. Whole: all registers.",
    ]
    for frame in isa.frames:
        base, count = camel(frame.base), len(frame.registers)
        numbers = [f"5'd{REGISTERS.index(name)}" for name in reversed(frame.registers)]
        lines += [f"  parameter int unsigned Frame{base}Words = {len(frame.words)};"]
        lines += [f"  parameter int unsigned Frame{base}Bytes = {frame.bytes};"]
        lines += [f"  parameter int unsigned Frame{base}Registers = {count};"]
        for name in frame.csrs:
            lines += [f"  parameter int unsigned Frame{base}{camel(name)} = {frame.words.index(name)};  // its word"]
        rows = [", ".join(row) for row in (numbers[at : at + ORDER_COLUMNS] for at in range(0, count, ORDER_COLUMNS))]
        lines += [f"  parameter logic [{count - 1}:0][4:0] Frame{base}Order = {{"]
        lines += [f"    {row}{',' if row != rows[-1] else ''}" for row in rows] + ["  };"]
    return lines


def render(isa: Isa) -> str:
    """The package `isa_pkg`."""
    lines = [*sv_head(["Constants of the instruction set."], ISA_ORIGIN), "package isa_pkg;", ""]
    lines += ["  // Privilege levels."]
    lines += [f"  parameter logic [1:0] Priv{camel(name)} = 2'b{value:02b};" for name, value in isa.privilege]
    body = [*_csrs(isa), *_layouts(isa), *_causes(isa), *_encodings(isa), *_frames(isa)]
    return "\n".join([*lines, *body, "", "endpackage", "// verilator lint_on UNUSEDPARAM", ""])
