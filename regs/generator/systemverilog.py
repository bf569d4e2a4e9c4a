# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""SystemVerilog packages."""

from __future__ import annotations

import textwrap

from generator.description import Map, MapError, Region, Register
from generator.text import NOTICE, ORIGIN, camel


def sv_hex(width: int, value: int) -> str:
    """A number with so many bits."""
    return f"{width}'h{value:0{(width + 3) // 4}x}"


def sv_head(lines: list[str], origin: str = ORIGIN) -> list[str]:
    """First lines of a package, up to where warnings of unused parameters are off."""
    lint = ["", "// A package describes everything; no design uses all of it.", "// verilator lint_off UNUSEDPARAM"]
    return [f"// {NOTICE}", "//", *(f"// {line}" for line in lines), f"// {origin}", *lint]


def _sv_range(width: int) -> str:
    return f"logic [{width - 1}:0]" if width > 1 else "logic"


def sv_struct(register: Register) -> list[str]:
    """Packed struct of a register, most significant field first, gaps named `reserved_<msb>_<lsb>`."""
    members: list[tuple[str, str, str]] = []
    top = register.width

    def gap(low: int) -> None:
        if low < top:
            members.append((_sv_range(top - low), f"reserved_{top - 1}_{low}", "reserved"))

    for f in sorted(register.fields, key=lambda f: f.lsb, reverse=True):
        gap(f.lsb + f.width)
        members.append((_sv_range(f.width), f.name, f.desc))
        top = f.lsb
    gap(0)
    pad_type = max(len(m[0]) for m in members)
    pad_name = max(len(m[1]) for m in members) + 1
    body = [f"    {t:<{pad_type}} {n + ';':<{pad_name}} // {d}" for t, n, d in members]
    return ["  typedef struct packed {", *body, f"  }} {register.name}_t;"]


def render_sv_block(region: Region) -> str:
    """Package of one block: offsets, register structs, reset values, named field values."""
    width = region.size.bit_length() - 1
    lines = sv_head([f"{region.title}: registers. {region.desc}".strip()])
    lines += [f"package {region.name}_reg_pkg;", "", "  /// Address bits the block decodes."]
    lines += [f"  parameter int unsigned AddrWidth = {width};"]
    for register in region.registers:
        pascal = camel(register.name)
        where = f" (while {register.mode.upper()})" if register.mode else ""
        lines += ["", f"  /// {register.title}{where}, {register.access}. {register.desc}".rstrip()]
        lines += [f"  parameter logic [{width - 1}:0] {pascal}Offset = {sv_hex(width, register.offset)};"]
        if register.count > 1:
            lines += [f"  parameter int unsigned {pascal}Count = {register.count};"]
            lines += [f"  parameter int unsigned {pascal}Stride = {register.stride};  // bytes"]
        lines += sv_struct(register)
        lines += [f"  parameter {register.name}_t {pascal}Reset = {sv_hex(register.width, register.reset)};"]
        for f in register.fields:
            for v in f.values:
                const = f"{pascal}{camel(f.name)}{camel(v.name)}"
                lines += [f"  parameter {_sv_range(f.width)} {const} = {sv_hex(f.width, v.value)};  // {v.desc}"]
    return "\n".join([*lines, "", "endpackage", "// verilator lint_on UNUSEDPARAM", ""])


def _wrapped(items: str) -> list[str]:
    """The items of a concatenation, broken into lines that are not too long."""
    return textwrap.wrap(items, 120, initial_indent="    ", subsequent_indent="    ")


def render_sv_map(memory_map: Map) -> str:
    """Package of a memory map: bases, sizes, and vectors for the address decoder.

    Raises:
        MapError: it has addresses that the RTL cannot have.
    """
    regions, width = memory_map.regions, 32
    if far := [region.name for region in regions if region.base + region.size > 1 << width]:
        raise MapError(f"{memory_map.name}: {', '.join(far)}: the RTL has addresses of {width} bits")
    address = _sv_range(width)
    lines = sv_head([f"Memory map `{memory_map.name}`: {memory_map.title}."])
    lines += ["package trapeze_map_pkg;", ""]
    for region in regions:
        name = camel(region.name)
        lines += [f"  /// {region.title}. {region.desc}".rstrip()]
        lines += [f"  parameter {address} {name}Base = {sv_hex(width, region.base)};"]
        lines += [f"  parameter int unsigned {name}Size = {region.size};  // bytes"]
        for part in region.parts:
            base = f"{name}{camel(part.name)}Base = {sv_hex(width, part.base)}"
            lines += [f"  parameter {address} {base};  // {part.title}"]
            lines += [f"  parameter int unsigned {name}{camel(part.name)}Size = {part.size};"]
        lines += [""]
    lines += ["  /// Index of each region in the vectors below."]
    lines += [f"  parameter int unsigned NumRegions = {len(regions)};"]
    lines += [f"  parameter int unsigned Region{camel(r.name)} = {i};" for i, r in enumerate(regions)]
    bases = ", ".join(f"{camel(r.name)}Base" for r in reversed(regions))
    masks = ", ".join(sv_hex(width, ~(r.size - 1) & ((1 << width) - 1)) for r in reversed(regions))
    lines += ["", "  /// An address is in region n when (address & RegionMask[n]) == RegionBase[n]."]
    lines += [f"  parameter logic [NumRegions-1:0][{width - 1}:0] RegionBase = {{", *_wrapped(bases), "  };"]
    lines += [f"  parameter logic [NumRegions-1:0][{width - 1}:0] RegionMask = {{", *_wrapped(masks), "  };"]
    lines += ["", "  /// The region is memory: instructions can be fetched from it."]
    memory = "".join(str(int(r.kind == "memory")) for r in reversed(regions))
    lines += [f"  parameter logic [NumRegions-1:0] RegionIsMemory = {len(regions)}'b{memory};"]
    return "\n".join([*lines, "", "endpackage", "// verilator lint_on UNUSEDPARAM", ""])
