# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Markdown pages of the register reference."""

from __future__ import annotations

from generator.description import Map, Region
from generator.text import NOTICE, ORIGIN


def md_file(title: str, desc: str, body: list[str], origin: str = ORIGIN) -> str:
    """A page."""
    head = [f"<!-- {NOTICE} -->", f"<!-- {origin} -->", "", f"# {title}", ""]
    return "\n".join([*head, *([desc, ""] if desc else []), *body, ""])


def _md_size(size: int) -> str:
    return f"{size // 1024} KiB" if size >= 1024 else f"{size} B"


def _md_map(memory_map: Map) -> list[str]:
    body = [f"## {memory_map.name}: {memory_map.title}", "", *([memory_map.desc, ""] if memory_map.desc else [])]
    body += ["| base | size | name | kind | harts | what |", "|---|---|---|---|---|---|"]
    for r in memory_map.regions:
        name = f"[{r.name}]({r.block or r.name}.md)" if r.registers or (r.block and not r.parts) else r.name
        harts = "one each" if r.per_hart else "shared"
        if r.hart is not None:
            harts = f"{r.hart} alone"
        body += [f"| 0x{r.base:08x} | {_md_size(r.size)} | {name} | {r.kind} | {harts} | {r.title}. {r.desc} |"]
        for part in r.parts:
            block = f"[{part.name}]({part.block}.md)" if part.block else part.name
            what = f"{r.name}: {block} | part | {harts} | {part.title}"
            body += [f"| 0x{part.base:08x} | {_md_size(part.size)} | {what} |"]
    return body


def render_md_maps(maps: list[Map]) -> str:
    """Markdown page of the memory maps."""
    desc = (
        "A configuration names its map by the key `map`. An address in no region is an access fault; so is a fetch\n"
        "from a device. Of a region with *one each* every hart has its own at this address, and sees no other\n"
        "hart's; one with *1 alone* hart 1 sees and no other."
    )
    parts = [_md_map(one) for one in maps]
    return md_file("Memory maps", desc, [line for part in parts for line in (*part, "")][:-1])


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
    return md_file(f"{region.title} registers", region.desc, body)
