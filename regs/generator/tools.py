# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""JSON for tools."""

from __future__ import annotations

import json

from generator.description import Map, Region, Register


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
    plain = {"name": r.name, "base": r.base, "size": r.size, "kind": r.kind, "per_hart": r.per_hart}
    placed = {"block": (r.block or r.name) if r.kind == "device" else None, "hart": r.hart}
    placed |= {"line": r.line, "line_hart": r.line_hart, "plic_source": r.plic_source}
    placed |= {"console": r.console, "peer": r.peer}
    plain |= {key: value for key, value in placed.items() if value is not None}
    plain |= {"coherent": True} if r.coherent else {}
    plain |= {"title": r.title, "description": r.desc}
    if not r.parts:
        return plain
    parts = [
        {"name": p.name, "block": p.block or None, "base": p.base, "size": p.size, "title": p.title} for p in r.parts
    ]
    return {**plain, "parts": parts}


def render_json_map(memory_map: Map) -> str:
    """A map for tools, schema "trapeze.map/2"; addresses and sizes in bytes, as numbers of up to 64 bits."""
    data = {
        "schema": "trapeze.map/2",
        "name": memory_map.name,
        "title": memory_map.title,
        "regions": [_json_region(r) for r in memory_map.regions],
    }
    return json.dumps(data, indent=1) + "\n"


def render_json_registers(blocks: list[Region]) -> str:
    """The registers of every block for tools, schema "trapeze.registers/1"; offsets in bytes."""
    data = {
        "schema": "trapeze.registers/1",
        "blocks": {r.name: {"registers": [_json_register(x) for x in r.registers]} for r in blocks},
    }
    return json.dumps(data, indent=1) + "\n"
