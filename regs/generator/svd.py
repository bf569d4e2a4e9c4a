# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The devices of a map as CMSIS-SVD 1.3: for debuggers that show registers by name, and for svd2rust."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from generator.description import Field, Map, Region, Register
from generator.text import NOTICE, ORIGIN

_ACCESS = {"r": "read-only", "w": "write-only", "rw": "read-write"}


def _add(parent: Element, **texts: object) -> None:
    """Add an element for each text that is not empty."""
    for name, text in texts.items():
        if text not in (None, ""):
            SubElement(parent, name).text = " ".join(str(text).split())


def _field(parent: Element, field: Field) -> None:
    made = SubElement(parent, "field")
    _add(made, name=field.name, description=field.desc, bitOffset=field.lsb, bitWidth=field.width)
    _add(made, access=_ACCESS["".join(letter for letter in "rw" if letter in field.access)])
    if "r" in field.access and field.access.strip("rw"):
        _add(made, readAction="modifyExternal")
    if field.values:
        values = SubElement(made, "enumeratedValues")
        for one in field.values:
            _add(SubElement(values, "enumeratedValue"), name=one.name, description=one.desc, value=one.value)


def _register(parent: Element, register: Register, taken: str) -> None:
    """`taken`: the register that has this offset already; empty: none."""
    made = SubElement(parent, "register")
    if register.count > 1:
        _add(made, dim=register.count, dimIncrement=f"{register.stride:#x}")
    name = f"{register.mode}_{register.name}" if register.mode else register.name
    _add(made, name=f"{name}[%s]" if register.count > 1 else name, description=register.desc or register.title)
    _add(made, alternateRegister=taken, addressOffset=f"{register.offset:#x}", size=register.width)
    _add(made, access=_ACCESS[register.access], resetValue=f"{register.reset:#x}")
    fields = SubElement(made, "fields")
    for field in register.fields:
        _field(fields, field)


def _devices(one: Map) -> Iterator[tuple[str, int, int, str, str]]:
    """Name, base, size, title and block of each device, or of its parts."""
    for region in one.regions:
        if region.kind != "device":
            continue
        for part in region.parts:
            if part.block:
                yield f"{region.name}_{part.name}", part.base, part.size, part.title, part.block
        if not region.parts:
            yield region.name, region.base, region.size, region.title, region.block or region.name


def render(one: Map, blocks: list[Region]) -> str:
    """The file of a map."""
    known = {block.name: block for block in blocks}
    device = Element("device", {"schemaVersion": "1.3"})
    device.set("xmlns:xs", "http://www.w3.org/2001/XMLSchema-instance")
    device.set("xs:noNamespaceSchemaLocation", "CMSIS-SVD.xsd")
    _add(device, vendor="Trapeze", name=f"trapeze_{one.name}", version="1", description=f"Trapeze, {one.title}")
    _add(device, addressUnitBits=8, width=32, size=32)
    peripherals = SubElement(device, "peripherals")
    first: dict[str, str] = {}
    for name, base, size, title, block in _devices(one):
        made = SubElement(peripherals, "peripheral")
        if block in first:
            made.set("derivedFrom", first[block])
        _add(made, name=name, description=title, baseAddress=f"{base:#x}")
        if block in first:
            continue
        first[block] = name
        _add(SubElement(made, "addressBlock"), offset=0, size=f"{size:#x}", usage="registers")
        registers = SubElement(made, "registers")
        places: dict[int, str] = {}
        for register in known[block].registers:
            _register(registers, register, places.get(register.offset, ""))
            places.setdefault(register.offset, register.name)
    indent(device)
    return f'<?xml version="1.0" encoding="utf-8"?>\n<!-- {NOTICE}\n     {ORIGIN} -->\n{tostring(device, "unicode")}\n'
