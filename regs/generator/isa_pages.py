# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The constants of the instruction set as a Markdown page."""

from __future__ import annotations

from collections.abc import Iterator

from generator.isa import BitField, Isa, Named
from generator.pages import md_file
from generator.text import ISA_ORIGIN

_DESC = (
    "What hardware, simulator, firmware and laboratory agree on. Which of the registers a core has, and what can be\n"
    "written to them, is in the [manual of the core](../../../docs/core.md). *of* names the extension or scheme:\n"
    "`machine` is in every core."
)


def _where(field: BitField) -> str:
    if field.high == field.low:
        return "XLEN - 1" if field.high is None else str(field.high)
    return f"{'XLEN - 1' if field.high is None else field.high}:{field.low}"


def _csrs(isa: Isa) -> Iterator[str]:
    yield from ("## CSRs", "", "| number | name | of | what |", "|---|---|---|---|")
    for csr in isa.csrs:
        last = f" to 0x{csr.number + csr.count - 1:03X}" if csr.count > 1 else ""
        name = csr.name.replace("{}", f"{csr.first}..{csr.first + csr.count - 1}") if csr.count > 1 else csr.name
        yield f"| 0x{csr.number:03X}{last} | `{name}` | {csr.of} | {csr.title} |"
    yield from ("", "### Fields", "", "| register | bits | name | what |", "|---|---|---|---|")
    for csr in isa.csrs:
        for field in csr.fields:
            values = "".join(f"<br>{value} `{name}`" for name, value in field.values)
            only = " (RV64)" if field.wide else ""
            yield f"| `{csr.one}` | {_where(field)} | {field.name} | {field.title}{only}{values} |"


def _layouts(isa: Isa) -> Iterator[str]:
    yield from ("", "## Layouts", "", "What is no CSR by itself. A structure in memory is little-endian.")
    for layout in isa.layouts:
        size = f"{layout.bytes} bytes, aligned to {layout.alignment}" if layout.words else f"{8 * layout.bytes} bits"
        yield from ("", f"`{layout.name}` ({layout.of}): {layout.title}, {size}.", "")
        yield from ("| bytes | bits | name | what |", "|---|---|---|---|") if layout.words else ()
        yield from () if layout.words else ("| bits | name | what |", "|---|---|---|")
        fields = {value.name: value.fields for value in layout.values}
        for word in layout.words:
            where = f"{word.offset} to {word.offset + 4 * word.count - 1}"
            yield f"| {where} | | {word.name} | {word.title} |"
            for field in fields.get(f"{layout.name}_{word.name}", ()):
                yield f"| | {_where(field)} | {field.name} | {field.title} |"
        for field in fields.get(layout.name, ()):
            values = "".join(f"<br>{value} `{name}`" for name, value in field.values)
            yield f"| {_where(field)} | {field.name} | {field.title}{values} |"


def _causes(title: str, causes: tuple[Named, ...]) -> Iterator[str]:
    yield from ("", f"## {title}", "", "| code | name | of | what |", "|---|---|---|---|")
    for one in causes:
        yield f"| {one.code} | {one.name} | {one.of} | {one.title} |"


def _rest(isa: Isa) -> Iterator[str]:
    yield from ("", "## Instructions", "", "| name | match | mask | of | what |", "|---|---|---|---|---|")
    for one in isa.instructions:
        number = f"; N from {one.range[0]} to {one.range[1]}" if one.operand else ""
        yield f"| {one.name} | 0x{one.match:08X} | 0x{one.mask:08X} | {one.of} | {one.title}{number} |"
    yield from ("", "## Markers", "", "| number | name | what |", "|---|---|---|")
    for marker in isa.markers:
        yield f"| {marker.code} | {marker.name} | {marker.title} |"
    yield from ("", "## Frame of an interrupt", "", "Word k is at sp + 4k.", "")
    yield from ("| base | words | sp lowered by | order |", "|---|---|---|---|")
    for frame in isa.frames:
        kind = frame.base[-1].upper() + (", all registers" if frame.base.startswith("whole") else "")
        yield f"| {kind} | {len(frame.words)} | {frame.bytes} | {', '.join(frame.words)} |"


def render(isa: Isa) -> str:
    """The page as text."""
    exceptions, interrupts = _causes("Exceptions", isa.exceptions), _causes("Interrupts", isa.interrupts)
    body = [*_csrs(isa), *_layouts(isa), *exceptions, *interrupts, *_rest(isa)]
    return md_file("Constants of the instruction set", _DESC, body, ISA_ORIGIN)
