# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Generate RTL packages, C headers, Markdown and JSON from the SystemRDL sources of this folder.

Usage: ``python regs/generate.py`` writes ``regs/gen``; with ``--check`` it writes nothing and exits 1 where a
generated file is missing, stale or left over. Errors in the sources exit 1 with the compiler's message.
Format of the sources: SystemRDL 2.0, plus the properties in ``properties.rdl``. The memory map is ``soc.rdl``; blocks
that need no place in it are in ``blocks.rdl``.
"""

from __future__ import annotations

import argparse
import itertools
import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from systemrdl.compiler import RDLCompiler
from systemrdl.messages import RDLCompileError
from systemrdl.node import AddressableNode, AddrmapNode, FieldNode, MemNode, Node, RegfileNode, RegNode

ROOT = Path(__file__).resolve().parent
TOP = "soc"
BLOCKS = "blocks"
NOTICE = "Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0"
ORIGIN = "Generated from the SystemRDL in regs by regs/generate.py; do not edit."


class MapError(Exception):
    """A description that compiles but that the platform cannot implement."""


@dataclass(frozen=True)
class EnumValue:
    """One named value of a field."""

    name: str
    value: int
    desc: str


@dataclass(frozen=True)
class Field:
    """A bit field; `access` is r, w or rw, with a suffix for side effects of a read."""

    name: str
    lsb: int
    width: int
    reset: int
    access: str
    desc: str
    values: tuple[EnumValue, ...]

    @property
    def mask(self) -> int:
        """Mask of the field inside its register."""
        return ((1 << self.width) - 1) << self.lsb


@dataclass(frozen=True)
class Register:
    """A register, or `count` of them, `stride` bytes apart.

    `mode` names the overlay it is visible in, None for the plain map.
    """

    name: str
    offset: int
    width: int
    title: str
    desc: str
    mode: str | None
    fields: tuple[Field, ...]
    count: int = 1
    stride: int = 0

    @property
    def reset(self) -> int:
        """Value after reset."""
        return sum(f.reset << f.lsb for f in self.fields)

    @property
    def access(self) -> str:
        """r, w or rw."""
        letters = {letter for f in self.fields for letter in f.access}
        return "".join(letter for letter in "rw" if letter in letters)


@dataclass(frozen=True)
class Part:
    """A block, or a memory if `block` is empty, inside a region that holds several."""

    name: str
    block: str
    base: int
    size: int
    title: str


@dataclass(frozen=True)
class Region:
    """An address range: a memory bank or a device, or a device of several parts."""

    name: str
    base: int
    size: int
    kind: str
    title: str
    desc: str
    registers: tuple[Register, ...] = field(default=())
    parts: tuple[Part, ...] = field(default=())


def _text(node: Node, key: str) -> str:
    return " ".join(str(node.get_property(key, default="") or "").split())


def _field(node: FieldNode) -> Field:
    encode = node.get_property("encode")
    values = tuple(EnumValue(m.name, m.value, m.rdl_desc or "") for m in encode) if encode is not None else ()
    access = str(node.get_property("sw").name)
    if node.get_property("onread") is not None:
        access += " (read clears)"
    reset = node.get_property("reset")
    if not isinstance(reset, int):
        raise MapError(f"{node.get_path()}: give the field a constant reset value")
    return Field(node.inst_name, node.low, node.width, reset, access, _text(node, "desc"), values)


def _register(node: RegNode, mode: str | None) -> Register:
    fields = tuple(_field(f) for f in node.fields())
    title, desc = _text(node, "name"), _text(node, "desc")
    return Register(node.inst_name, node.address_offset, node.get_property("regwidth"), title, desc, mode, fields)


def _registers(node: AddrmapNode) -> Iterator[Register]:
    """Yield the registers of a block; those of an array of register files as `<file>_<register>`."""
    for child in node.children():
        if isinstance(child, RegNode) and not child.is_array:
            yield _register(child, None)
        elif isinstance(child, RegfileNode) and child.is_array and len(child.array_dimensions or ()) == 1:
            for one in child.registers():
                plain = _register(one, None)
                yield replace(
                    plain,
                    name=f"{child.inst_name}_{plain.name}",
                    offset=child.raw_address_offset + plain.offset,
                    count=child.n_elements,
                    stride=child.array_stride or 0,
                )
        else:
            raise MapError(f"{child.get_path()}: a block holds registers and one-dimensional arrays of register files")


def _overlays(compiler: RDLCompiler, block: str) -> Iterator[Register]:
    """Yield the registers of every address map that says it replaces `block` in some mode."""
    for name in compiler.root.comp_defs:
        if name.startswith(block + "_"):
            top = compiler.elaborate(name).top
            if top.get_property("overlay_of", default=None) == block:
                yield from (_register(r, name.removeprefix(block + "_")) for r in top.registers())


def _window(node: AddrmapNode) -> int:
    size = node.get_property("window", default=None)
    if size is None or size < node.size:
        raise MapError(f"{node.inst_name}: `window` must be given and hold every register")
    return int(size)


def _parts(node: AddrmapNode) -> Iterator[Part]:
    """Yield what a region holds that is made of address maps and memories; nothing for one made of registers."""
    children = list(node.children())
    if any(isinstance(child, RegNode | RegfileNode) for child in children):
        return
    for child in children:
        if not isinstance(child, AddressableNode):
            continue
        block = child.type_name or "" if isinstance(child, AddrmapNode) else ""
        size = _window(child) if isinstance(child, AddrmapNode) else child.size
        yield Part(child.inst_name, block, child.absolute_address, size, _text(child, "name"))


def _overlap(ranges: Iterable[Region | Part]) -> None:
    """Raise unless each range can be compared under a mask, and is for itself."""
    ordered = sorted(ranges, key=lambda r: r.base)
    for one in ordered:
        if one.size & (one.size - 1) or one.base % one.size:
            raise MapError(f"{one.name}: the size must be a power of two and the base a multiple of it")
    for low, high in itertools.pairwise(ordered):
        if low.base + low.size > high.base:
            raise MapError(f"{low.name} and {high.name} overlap")


def load(name: str = TOP) -> list[Region]:
    """Compile the sources of a map into regions in address order and check what the bus needs of them."""
    compiler = RDLCompiler()
    compiler.compile_file(str(ROOT / f"{name}.rdl"), incl_search_paths=[str(ROOT)])
    regions: list[Region] = []
    for node in compiler.elaborate(name).top.children():
        if not isinstance(node, MemNode | AddrmapNode):
            raise MapError(f"{node.inst_name}: the map holds only memories and address maps")
        name, base, title, desc = node.inst_name, node.absolute_address, _text(node, "name"), _text(node, "desc")
        if isinstance(node, MemNode):
            regions.append(Region(name, base, node.size, "memory", title, desc))
        else:
            parts = tuple(_parts(node))
            registers = () if parts else tuple(_registers(node)) + tuple(_overlays(compiler, name))
            regions.append(Region(name, base, _window(node), "device", title, desc, registers, parts))
            _overlap(parts)
    _overlap(regions)
    return sorted(regions, key=lambda r: r.base)


def _camel(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))


def _sv_hex(width: int, value: int) -> str:
    return f"{width}'h{value:0{(width + 3) // 4}x}"


def _sv_head(lines: list[str]) -> list[str]:
    lint = ["", "// A package describes everything; no design uses all of it.", "// verilator lint_off UNUSEDPARAM"]
    return [f"// {NOTICE}", "//", *(f"// {line}" for line in lines), f"// {ORIGIN}", *lint]


def _sv_range(width: int) -> str:
    return f"logic [{width - 1}:0]" if width > 1 else "logic"


def _sv_struct(register: Register) -> list[str]:
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
    lines = _sv_head([f"{region.title}: registers. {region.desc}".strip()])
    lines += [f"package {region.name}_reg_pkg;", "", "  /// Address bits the block decodes."]
    lines += [f"  parameter int unsigned AddrWidth = {width};"]
    for register in region.registers:
        pascal = _camel(register.name)
        where = f" (while {register.mode.upper()})" if register.mode else ""
        lines += ["", f"  /// {register.title}{where}, {register.access}. {register.desc}".rstrip()]
        lines += [f"  parameter logic [{width - 1}:0] {pascal}Offset = {_sv_hex(width, register.offset)};"]
        if register.count > 1:
            lines += [f"  parameter int unsigned {pascal}Count = {register.count};"]
            lines += [f"  parameter int unsigned {pascal}Stride = {register.stride};  // bytes"]
        lines += _sv_struct(register)
        lines += [f"  parameter {register.name}_t {pascal}Reset = {_sv_hex(register.width, register.reset)};"]
        for f in register.fields:
            for v in f.values:
                const = f"{pascal}{_camel(f.name)}{_camel(v.name)}"
                lines += [f"  parameter {_sv_range(f.width)} {const} = {_sv_hex(f.width, v.value)};  // {v.desc}"]
    return "\n".join([*lines, "", "endpackage", "// verilator lint_on UNUSEDPARAM", ""])


def render_sv_map(regions: list[Region]) -> str:
    """Package of the memory map: bases, sizes, and vectors for the address decoder."""
    lines = _sv_head(["Memory map of the SoC."])
    lines += ["package trapeze_map_pkg;", ""]
    for region in regions:
        name = _camel(region.name)
        lines += [f"  /// {region.title}. {region.desc}".rstrip()]
        lines += [f"  parameter logic [31:0] {name}Base = {_sv_hex(32, region.base)};"]
        lines += [f"  parameter int unsigned {name}Size = {region.size};  // bytes"]
        for part in region.parts:
            lines += [
                f"  parameter logic [31:0] {name}{_camel(part.name)}Base = {_sv_hex(32, part.base)};  // {part.title}"
            ]
            lines += [f"  parameter int unsigned {name}{_camel(part.name)}Size = {part.size};"]
        lines += [""]
    lines += ["  /// Index of each region in the vectors below."]
    lines += [f"  parameter int unsigned NumRegions = {len(regions)};"]
    lines += [f"  parameter int unsigned Region{_camel(r.name)} = {i};" for i, r in enumerate(regions)]
    bases = ", ".join(f"{_camel(r.name)}Base" for r in reversed(regions))
    masks = ", ".join(_sv_hex(32, 0xFFFFFFFF & ~(r.size - 1)) for r in reversed(regions))
    kinds = "".join("1" if r.kind == "memory" else "0" for r in reversed(regions))
    lines += ["", "  /// An address is in region n when (address & RegionMask[n]) == RegionBase[n]."]
    lines += ["  parameter logic [NumRegions-1:0][31:0] RegionBase = {", f"    {bases}", "  };"]
    lines += ["  parameter logic [NumRegions-1:0][31:0] RegionMask = {", f"    {masks}", "  };"]
    lines += ["", "  /// The region is memory: instructions can be fetched from it."]
    lines += [f"  parameter logic [NumRegions-1:0] RegionIsMemory = {len(regions)}'b{kinds};"]
    return "\n".join([*lines, "", "endpackage", "// verilator lint_on UNUSEDPARAM", ""])


def _c_file(name: str, brief: str, body: list[str]) -> str:
    guard = f"TRAPEZE_{name.upper()}_H_"
    head = ["/*", f" * {NOTICE}", " *", f" * {ORIGIN}", " */", "", "/**", " * @file", f" * @brief {brief}"]
    head += [" *", " * Only macros, usable from C, C++ and assembly.", " */", ""]
    head += [f"#ifndef {guard}", f"#define {guard}"]
    return "\n".join([*head, *body, "", f"#endif /* {guard} */", ""])


def _c_define(name: str, value: str, desc: str = "") -> list[str]:
    return [*([f"/** {desc} */"] if desc else []), f"#define TRAPEZE_{name} {value}"]


def render_c_map(regions: list[Region]) -> str:
    """C header of the memory map."""
    body: list[str] = []
    for region in regions:
        name = region.name.upper()
        desc = f"{region.title}: first address. {region.desc}".rstrip()
        body += ["", *_c_define(f"{name}_BASE", f"0x{region.base:08x}", desc)]
        body += _c_define(f"{name}_SIZE", f"0x{region.size:x}", f"{region.title}: size in bytes.")
        for part in region.parts:
            what = f"{name}_{part.name.upper()}"
            body += ["", *_c_define(f"{what}_BASE", f"0x{part.base:08x}", f"{part.title}: first address.")]
            body += _c_define(f"{what}_SIZE", f"0x{part.size:x}", f"{part.title}: size in bytes.")
    return _c_file("map", "Memory map of the Trapeze SoC.", body)


def _of_the_soc(region: Region) -> str:
    return "" if region.kind == "block" else " of the Trapeze SoC"


def render_c_block(region: Region) -> str:
    """C header of one block: offsets, reset values, masks, shifts and named field values."""
    body: list[str] = []
    for register in region.registers:
        prefix = f"{region.name}_{register.name}".upper()
        where = f", while {register.mode.upper()} is set" if register.mode else ""
        desc = f"{register.title} ({register.access}{where}), {register.width} bits: offset. {register.desc}".rstrip()
        body += ["", *_c_define(f"{prefix}_OFFSET", f"0x{register.offset:02x}", desc)]
        if register.count > 1:
            body += _c_define(f"{prefix}_COUNT", str(register.count), f"{register.title}: how many there can be.")
            body += _c_define(
                f"{prefix}_STRIDE", str(register.stride), f"{register.title}: bytes from each to the next."
            )
        body += _c_define(f"{prefix}_RESET", f"0x{register.reset:x}", f"{register.title}: value after reset.")
        for f in register.fields:
            name = f"{prefix}_{f.name.upper()}"
            body += _c_define(f"{name}_MASK", f"0x{f.mask:x}", f"Field ({f.access}): {f.desc}.")
            body += _c_define(f"{name}_SHIFT", str(f.lsb))
            for v in f.values:
                body += _c_define(f"{name}_{v.name.upper()}", f"0x{v.value:x}", f"Field value: {v.desc}.")
    return _c_file(region.name, f"{region.title}: registers{_of_the_soc(region)}. {region.desc}", body)


def _md_file(title: str, desc: str, body: list[str]) -> str:
    head = [f"<!-- {NOTICE} -->", f"<!-- {ORIGIN} -->", "", f"# {title}", ""]
    return "\n".join([*head, *([desc, ""] if desc else []), *body, ""])


def _md_size(size: int) -> str:
    return f"{size // 1024} KiB" if size >= 1024 else f"{size} B"


def render_md_map(regions: list[Region]) -> str:
    """Markdown page of the memory map."""
    body = ["| base | size | name | kind | what |", "|---|---|---|---|---|"]
    for r in regions:
        name = f"[{r.name}]({r.name}.md)" if r.registers else r.name
        body += [f"| 0x{r.base:08x} | {_md_size(r.size)} | {name} | {r.kind} | {r.title}. {r.desc} |"]
        for part in r.parts:
            block = f"[{part.name}]({part.block}.md)" if part.block else part.name
            body += [f"| 0x{part.base:08x} | {_md_size(part.size)} | {r.name}: {block} | part | {part.title} |"]
    return _md_file("Memory map", "An address in no region is an access fault; so is a fetch from a device.", body)


def render_md_block(region: Region) -> str:
    """Markdown page of one block."""
    where = "A block without a fixed address" if region.kind == "block" else f"Base address 0x{region.base:08x}"
    body = [f"{where}.", ""]
    body += ["| offset | name | access | reset | what |", "|---|---|---|---|---|"]
    for r in region.registers:
        where = f" (while {r.mode.upper()})" if r.mode else ""
        offset = f"0x{r.offset:02x}" + (f" + {r.stride} i, i < {r.count}" if r.count > 1 else "")
        body += [
            f"| {offset} | {r.name.upper()}{where} | {r.access} | 0x{r.reset:x} | {r.title}. {r.desc}".rstrip() + " |"
        ]
    for r in region.registers:
        body += ["", f"## {r.name.upper()}: {r.title}", ""]
        body += ["| bits | name | access | reset | what |", "|---|---|---|---|---|"]
        for f in sorted(r.fields, key=lambda f: f.lsb, reverse=True):
            bits = str(f.lsb) if f.width == 1 else f"{f.lsb + f.width - 1}:{f.lsb}"
            values = "".join(f"<br>0x{v.value:x} `{v.name}`: {v.desc}" for v in f.values)
            body += [f"| {bits} | {f.name} | {f.access} | 0x{f.reset:x} | {f.desc}{values} |"]
    return _md_file(f"{region.title} registers", region.desc, body)


def _json_register(r: Register) -> dict[str, object]:
    fields = [
        {
            "name": f.name,
            "lsb": f.lsb,
            "width": f.width,
            "reset": f.reset,
            "access": f.access,
            "description": f.desc,
            "values": {v.name: v.value for v in f.values},
        }
        for f in r.fields
    ]
    plain = {"name": r.name, "offset": r.offset, "width": r.width, "reset": r.reset, "access": r.access}
    if r.count > 1:
        plain |= {"count": r.count, "stride": r.stride}
    return {**plain, "mode": r.mode, "title": r.title, "description": r.desc, "fields": fields}


def _json_region(r: Region) -> dict[str, object]:
    plain = {"name": r.name, "base": r.base, "size": r.size, "kind": r.kind, "title": r.title, "description": r.desc}
    if not r.parts:
        return plain
    parts = [{"name": p.name, "block": p.block or None, "base": p.base, "size": p.size} for p in r.parts]
    return {**plain, "parts": parts}


def render_json(regions: list[Region], blocks: list[Region]) -> str:
    """Map and registers for tools, schema "trapeze.map/1"; addresses and sizes in bytes, as numbers."""
    data = {
        "schema": "trapeze.map/1",
        "regions": [_json_region(r) for r in regions],
        "blocks": {r.name: {"registers": [_json_register(x) for x in r.registers]} for r in blocks},
    }
    return json.dumps(data, indent=1) + "\n"


def render(regions: list[Region], alone: list[Region]) -> dict[str, str]:
    """Every generated file, of the map and of the blocks that stand alone: path below the output folder, contents."""
    blocks = [r for r in regions if r.registers] + [replace(r, kind="block") for r in alone]
    names = [block.name for block in blocks]
    if twice := {name for name in names if names.count(name) > 1}:
        raise MapError(f"{', '.join(sorted(twice))}: two blocks of this name")
    if strange := {part.block for r in regions for part in r.parts if part.block} - set(names):
        raise MapError(f"{', '.join(sorted(strange))}: what is part of a region must also be in {BLOCKS}.rdl")
    files = {
        "map.json": render_json(regions, blocks),
        "rtl/trapeze_map_pkg.sv": render_sv_map(regions),
        "c/trapeze/map.h": render_c_map(regions),
        "doc/map.md": render_md_map(regions),
    }
    for region in blocks:
        files[f"rtl/{region.name}_reg_pkg.sv"] = render_sv_block(region)
        files[f"c/trapeze/{region.name}.h"] = render_c_block(region)
        files[f"doc/{region.name}.md"] = render_md_block(region)
    return files


def check(files: dict[str, str], out: Path) -> list[str]:
    """Differences between `files` and the folder `out`, one line each."""
    present = {str(p.relative_to(out)) for p in out.rglob("*") if p.is_file()}
    problems = [f"{name}: no source generates it" for name in sorted(present - files.keys())]
    for name, text in files.items():
        if name not in present:
            problems.append(f"{name}: missing")
        elif (out / name).read_text(encoding="utf-8") != text:
            problems.append(f"{name}: stale")
    return problems


def main(argv: list[str] | None = None) -> int:
    """Command line; returns the exit status."""
    parser = argparse.ArgumentParser(description="Generate register files from SystemRDL.")
    parser.add_argument("--check", action="store_true", help="compare instead of writing; exit 1 on a difference")
    parser.add_argument("--out", type=Path, default=ROOT / "gen", help="output folder (default: regs/gen)")
    args = parser.parse_args(argv)
    out: Path = args.out
    try:
        files = render(load(), load(BLOCKS))
    except (RDLCompileError, MapError) as error:
        print(f"generate.py: error: {error}", file=sys.stderr)
        return 1
    if args.check:
        problems = check(files, out)
        for problem in problems:
            print(f"generate.py: {problem}; run python regs/generate.py", file=sys.stderr)
        return 1 if problems else 0
    for name, text in files.items():
        path = out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
