# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Reads the SystemRDL sources. They are SystemRDL 2.0 with the properties of `properties.rdl`."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from systemrdl.compiler import RDLCompiler
from systemrdl.node import AddressableNode, AddrmapNode, FieldNode, MemNode, Node, RegfileNode, RegNode

from generator.description import EnumValue, Field, Map, MapError, Part, Region, Register

_WIRING = ("line", "plic_source", "line_hart", "console", "peer")
"""Properties of a device, in the order of the last fields of `Region`."""


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
    return Register(node.inst_name, node.raw_address_offset, node.get_property("regwidth"), title, desc, mode, fields)


def _registers(node: AddrmapNode) -> Iterator[Register]:
    """Yield the registers of a block; those of a register file as `<file>_<register>`."""
    for child in node.children():
        if not isinstance(child, RegNode | RegfileNode) or len(child.array_dimensions or (1,)) != 1:
            raise MapError(f"{child.get_path()}: a block holds registers, register files and one-dimensional arrays")
        count, stride = (child.n_elements, child.array_stride or 0) if child.is_array else (1, 0)
        if isinstance(child, RegNode):
            yield replace(_register(child, None), count=count, stride=stride)
            continue
        for one in child.registers():
            plain = _register(one, None)
            name, offset = f"{child.inst_name}_{plain.name}", child.raw_address_offset + plain.offset
            yield replace(plain, name=name, offset=offset, count=count, stride=stride)


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
    """Yield the parts of a region made of address maps and memories; nothing for a region made of registers."""
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
    """Raise an error unless each range can be compared under a mask and overlaps no other."""
    ordered = sorted(ranges, key=lambda r: (r.base, r.name))
    for one in ordered:
        if one.size & (one.size - 1) or one.base % one.size:
            raise MapError(f"{one.name}: the size must be a power of two and the base a multiple of it")
    for low, high in itertools.pairwise(ordered):
        if low.base + low.size > high.base:
            raise MapError(f"{low.name} and {high.name} overlap")


def _regions(compiler: RDLCompiler, top: AddrmapNode) -> Iterator[Region]:
    """Yield what an address map places, checked one by one."""
    for node in top.children():
        if not isinstance(node, MemNode | AddrmapNode):
            raise MapError(f"{node.get_path()}: the map holds only memories and address maps")
        name, base, title, desc = node.inst_name, node.absolute_address, _text(node, "name"), _text(node, "desc")
        per_hart, hart = bool(node.get_property("per_hart", default=False)), node.get_property("hart", default=None)
        if isinstance(node, MemNode):
            coherent = bool(node.get_property("coherent", default=False))
            yield Region(name, base, node.size, "memory", title, desc, per_hart=per_hart, hart=hart, coherent=coherent)
        else:
            parts = tuple(_parts(node))
            kind = (node.orig_type_name or name).removesuffix("_region")  # of one with parts
            block = "" if kind == name else kind
            registers = () if parts or block else tuple(_registers(node)) + tuple(_overlays(compiler, name))
            _overlap(parts)
            wires = [node.get_property(key, default=None) for key in _WIRING]
            size = _window(node)
            yield Region(name, base, size, "device", title, desc, registers, parts, per_hart, block, hart, *wires)


class Sources:
    """The SystemRDL below a folder: `maps/<name>.rdl`, each with the address map `<name>`, and `blocks.rdl`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def _top(self, path: Path) -> tuple[RDLCompiler, AddrmapNode]:
        compiler = RDLCompiler()
        compiler.compile_file(str(path), incl_search_paths=[str(self._folder)])
        if path.stem not in compiler.root.comp_defs:
            raise MapError(f"{path.relative_to(self._folder)}: must define the address map '{path.stem}'")
        return compiler, compiler.elaborate(path.stem).top

    def names(self) -> list[str]:
        """The names of the memory maps, sorted."""
        return sorted(path.stem for path in (self._folder / "maps").glob("*.rdl"))

    def map(self, name: str, inside: tuple[str, ...] = ()) -> Map:
        """A memory map, with the regions of the one it extends. `inside`: the maps that extend it, outermost first.

        Raises:
            MapError: the platform cannot implement it.
        """
        compiler, top = self._top(self._folder / "maps" / f"{name}.rdl")
        regions = list(_regions(compiler, top))
        extended = None
        if under := top.get_property("extends", default=None):
            if under not in self.names():
                raise MapError(f"maps/{name}.rdl: extends '{under}', which is no map; maps: {', '.join(self.names())}")
            if under in (*inside, name):
                way = " -> ".join((*inside, name, under))
                raise MapError(f"maps/{name}.rdl: extends goes round in a circle: {way}")
            extended = self.map(under, (*inside, name))
            regions += extended.regions
        names = [region.name for region in regions]
        if twice := {name for name in names if names.count(name) > 1}:
            raise MapError(f"maps/{name}.rdl: {', '.join(sorted(twice))}: two regions of this name")
        _overlap(regions)
        in_order = tuple(sorted(regions, key=lambda region: region.base))
        return Map(name, _text(top, "name"), _text(top, "desc"), in_order, extended)

    def blocks(self) -> list[Region]:
        """The blocks that are described on their own, whether a map contains them or not."""
        path = self._folder / "blocks.rdl"
        return [replace(block, kind="block") for block in _regions(*self._top(path))]
