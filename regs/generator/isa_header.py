# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The constants of the instruction set as a C header: macros only, for C, C++ and assembly, for both XLEN."""

from __future__ import annotations

from collections.abc import Iterator

from generator.header import c_file
from generator.isa import Frame, Instruction, Isa, Layout
from generator.text import ISA_ORIGIN


def _define(name: str, value: str, title: str = "") -> str:
    return f"#define {name} {value}{f' /* {title} */' if title else ''}"


def _by_xlen(name: str, narrow: str, wide: str, title: str) -> Iterator[str]:
    """A value, or one value for each XLEN if they differ."""
    if narrow == wide:
        yield _define(name, narrow, title)
        return
    yield from ("#if __riscv_xlen == 64", _define(name, wide, title), "#else", _define(name, narrow, title), "#endif")


def _csrs(isa: Isa) -> Iterator[str]:
    yield from ("", "/* Numbers of CSRs; of a run of registers that of its first one. */")
    for csr in isa.csrs:
        yield _define(f"CSR_{csr.one.upper()}", f"0x{csr.number:03X}", csr.title)
    for csr in isa.csrs:
        if csr.fields:
            yield from ("", f"/* {csr.one}: masks, positions, and values in their place. */")
        for field in csr.fields:
            name = f"{csr.one}_{field.name}".upper()
            if field.wide:
                low = field.span(64)[0]
                yield from ("#if __riscv_xlen == 64", _define(name, f"0x{field.mask(64):016x}", field.title))
                yield _define(f"{name}_SHIFT", str(low))
                yield from (_define(f"{name}_{value.upper()}", f"0x{n << low:016x}") for value, n in field.values)
                yield "#endif"
                continue
            yield from _by_xlen(name, f"0x{field.mask(32):08x}", f"0x{field.mask(64):08x}", field.title)
            yield from _by_xlen(f"{name}_SHIFT", str(field.span(32)[0]), str(field.span(64)[0]), "")
            for value_name, value in field.values:
                yield _define(f"{name}_{value_name.upper()}", f"0x{value << field.span(32)[0]:08x}")


def _layout(layout: Layout) -> Iterator[str]:
    yield from ("", f"/* {layout.title}. */")
    for name, number, title in layout.numbers():
        yield _define(f"{layout.name}_{name}".upper(), str(number), title)
    for value in layout.values:
        digits = value.bits // 4
        for field in value.fields:
            name, low = f"{value.name}_{field.name}".upper(), field.span(32)[0]
            yield _define(name, f"0x{field.mask(32):0{digits}x}", field.title)
            yield _define(f"{name}_SHIFT", str(low))
            yield from (_define(f"{name}_{one.upper()}", f"0x{n << low:0{digits}x}") for one, n in field.values)


def _causes(isa: Isa) -> Iterator[str]:
    yield from ("", "/* Exceptions, by their code in mcause. */")
    for one in isa.exceptions:
        yield _define(f"MCAUSE_{one.name.upper()}", str(one.code), one.title)
    yield from ("", "/* Interrupts, by their code in mcause. */")
    for one in isa.interrupts:
        name = "TRAPEZE_IRQ_PLATFORM_0" if one.name == "platform" else f"IRQ_{one.name.upper()}"
        yield _define(name, str(one.code), one.title)


def _statement(one: Instruction) -> str:
    """An instruction of I format in assembly, by its fields."""
    word = one.match
    immediate = word >> 20 if word < 1 << 31 else (word >> 20) - (1 << 12)
    return f".insn i 0x{word & 0x7F:x}, {word >> 12 & 7}, x{word >> 7 & 31}, x{word >> 15 & 31}, {immediate}"


def _encodings(isa: Isa) -> Iterator[str]:
    yield from ("", "/* Instructions: one is meant when (instruction & MASK) == MATCH. */")
    for one in isa.instructions:
        yield _define(f"TRAPEZE_{one.name.upper()}_MATCH", f"0x{one.match:08x}", one.title)
        yield _define(f"TRAPEZE_{one.name.upper()}_MASK", f"0x{one.mask:08x}")
    for one in isa.instructions:
        if one.mask == 0xFFFFFFFF:
            name, text = f"TRAPEZE_{one.name.upper()}", _statement(one)
            yield from ("", f"/* {one.name}: in assembly sources a statement, in C its text for asm. */")
            yield from ("#ifdef __ASSEMBLER__", _define(name, text), "#else", _define(name, f'"{text}"'), "#endif")
    yield from ("", "/* Numbers of markers. From the first free one on they belong to programs. */")
    for marker in isa.markers:
        yield _define(f"TRAPEZE_MARKER_{marker.name.upper()}", str(marker.code), marker.title)
    yield _define("TRAPEZE_MARKER_FREE", str(isa.markers[-1].code + 1))


def _frame(frame: Frame, name: str) -> Iterator[str]:
    yield _define(name, str(frame.bytes), "what sp is lowered by")
    yield _define(f"{name}_REGISTERS", str(len(frame.registers)), "how many registers")
    for index, word in enumerate(frame.words):
        yield _define(f"{name}_{word.upper()}", str(4 * index))


def _frames(isa: Isa) -> Iterator[str]:
    frames = {frame.base: frame for frame in isa.frames}
    kinds = (
        ("", "TRAPEZE_IRQ_FRAME", "Frame of an interrupt: offset of each word from sp, in bytes."),
        ("whole_", "TRAPEZE_IRQ_WHOLE_FRAME", "The same where it holds all registers, which mframe tells."),
    )
    for kind, name, title in kinds:
        yield from ("", f"/* {title} */", "#ifdef __riscv_32e", *_frame(frames[f"{kind}e"], name))
        yield from ("#else", *_frame(frames[f"{kind}i"], name), "#endif")


def render(isa: Isa) -> str:
    """The header `trapeze/isa.h`."""
    layouts = [line for layout in isa.layouts for line in _layout(layout)]
    body = [*_csrs(isa), *layouts, *_causes(isa), *_encodings(isa), *_frames(isa)]
    return c_file("isa", "Constants of the instruction set.", body, ISA_ORIGIN)
