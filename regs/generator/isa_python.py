# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The constants of the instruction set as a Python module, for the laboratory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from generator.isa import REGISTERS, BitField, Isa, Layout
from generator.text import ISA_ORIGIN, NOTICE, camel

_HEAD = f'''# {NOTICE}
"""Constants of the instruction set.

{ISA_ORIGIN}
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple
'''


def _class(name: str, title: str, members: Iterable[tuple[str, str]], base: str = "(IntEnum)") -> Iterator[str]:
    yield from ("", "", f"class {name}{base}:", f'    """{title}"""', "")
    for member, value in members:
        yield f"    {member.upper()} = {value}"


def _tuple(name: str, words: Iterable[str], title: str) -> Iterator[str]:
    yield from (f"{name} = (", *(f'    "{word}",' for word in words), ")", f'"""{title}"""')


def _fields(fields: Iterable[BitField], digits: int = 8, shifts: bool = False) -> Iterator[tuple[str, str]]:
    for field in fields:
        yield field.name, f"0x{field.mask(32):0{digits}X}"
        if shifts and field.low != field.high:
            yield f"{field.name}_shift", str(field.low)
        for name, value in field.values:
            yield f"{field.name}_{name}", f"0x{value << field.span(32)[0]:0{digits}X}"


def _layout(layout: Layout) -> Iterator[str]:
    if layout.words:
        title = f"{layout.title}: offsets of its words, its size and its alignment, in bytes."
        yield from _class(camel(layout.name), title, ((name, str(n)) for name, n, _ in layout.numbers()), "")
    for value in layout.values:
        title = f"{value.title}: masks of fields, positions, and values in their place."
        yield from _class(camel(value.name), title, _fields(value.fields, value.bits // 4, shifts=True), "")


def render(isa: Isa) -> str:
    """The module as text."""
    each = [pair for csr in isa.csrs for pair in csr.numbered()]
    body = list(_class("Privilege", "Modes.", ((name, str(value)) for name, value in isa.privilege)))
    body += _class("Csr", "Numbers of CSRs.", ((name, f"0x{number:03X}") for name, number in each))
    for csr in isa.csrs:
        if csr.narrow:
            title = f"{csr.one} of 32 bits: masks of fields, and values in their place."
            body += _class(camel(csr.one), title, _fields(csr.narrow), "")
    for layout in isa.layouts:
        body += _layout(layout)
    body += _class("Cause", "Exceptions, by their code in mcause.", ((e.name, str(e.code)) for e in isa.exceptions))
    body += _class("Interrupt", "Interrupts, by their code in mcause.", ((i.name, str(i.code)) for i in isa.interrupts))
    body += _class("Marker", "Numbers of markers.", ((one.name, str(one.code)) for one in isa.markers))
    body += ["", "", "class Encoding(NamedTuple):", '    """One is meant when (instruction & mask) == match."""', ""]
    body += ["    match: int", "    mask: int", "", ""]
    body += [f"{i.name.upper()} = Encoding(0x{i.match:08X}, 0x{i.mask:08X})" for i in isa.instructions]
    body += ["", *_tuple("REGISTERS", REGISTERS, "Names of the integer registers, by number.")]
    for frame in isa.frames:
        base = frame.base.upper()
        whole = ", where it holds all registers" if frame.base.startswith("whole") else ""
        title = f"Words of the frame of an interrupt, from sp upwards, of the base {frame.base[-1].upper()}{whole}."
        body += ["", *_tuple(f"FRAME_{base}", frame.words, title), "", f"FRAME_{base}_BYTES = {frame.bytes}"]
        body += ['"""What sp is lowered by."""']
    return "\n".join([_HEAD.rstrip("\n"), *body, ""])
