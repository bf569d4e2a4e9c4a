# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""C headers: macros only, for C, C++ and assembly."""

from __future__ import annotations

from generator.description import Map, Region
from generator.text import NOTICE, ORIGIN


def c_file(name: str, brief: str, body: list[str], origin: str = ORIGIN) -> str:
    """A header `trapeze/<name>.h` of macros."""
    guard = f"TRAPEZE_{name.upper()}_H_"
    head = ["/*", f" * {NOTICE}", " *", f" * {origin}", " */", "", "/**", " * @file", f" * @brief {brief}"]
    head += [" *", " * Only macros, usable from C, C++ and assembly.", " */", ""]
    head += [f"#ifndef {guard}", f"#define {guard}"]
    return "\n".join([*head, *body, "", f"#endif /* {guard} */", ""])


def _c_define(name: str, value: str, desc: str = "") -> list[str]:
    return [*([f"/** {desc} */"] if desc else []), f"#define TRAPEZE_{name} {value}"]


def render_c_map(memory_map: Map) -> str:
    """C header of one memory map: its own regions behind the header of the map it extends."""
    under = memory_map.extends
    body = ["", f"#include <trapeze/map_{under.name}.h>"] if under else []
    for region in memory_map.own:
        name = region.name.upper()
        desc = f"{region.title}: first address. {region.desc}".rstrip()
        body += ["", *_c_define(f"{name}_BASE", f"0x{region.base:08x}", desc)]
        body += _c_define(f"{name}_SIZE", f"0x{region.size:x}", f"{region.title}: size in bytes.")
        if region.line is not None:
            body += _c_define(f"{name}_LINE", str(region.line), f"{region.title}: platform line of its interrupt.")
        if region.plic_source is not None:
            body += _c_define(f"{name}_PLIC_SOURCE", str(region.plic_source), f"{region.title}: source of the PLIC.")
        for part in region.parts:
            what = f"{name}_{part.name.upper()}"
            body += ["", *_c_define(f"{what}_BASE", f"0x{part.base:08x}", f"{part.title}: first address.")]
            body += _c_define(f"{what}_SIZE", f"0x{part.size:x}", f"{part.title}: size in bytes.")
    return c_file(f"map_{memory_map.name}", f"Memory map `{memory_map.name}`: {memory_map.title}.", body)


def render_c_maps(names: list[str], default: str) -> str:
    """C header that includes the map the build names by a macro, or the default one."""
    body = [
        "",
        f"/* A build for another map than `{default}` defines TRAPEZE_MAP_<NAME>; for one of no name here it defines",
    ]
    body += [" * TRAPEZE_MAP_FILE, a header that includes one of these and says what differs. */"]
    body += ["#if defined(TRAPEZE_MAP_FILE)", "#include TRAPEZE_MAP_FILE"]
    for name in names:
        if name != default:
            body += [f"#elif defined(TRAPEZE_MAP_{name.upper()})", f"#include <trapeze/map_{name}.h>"]
    body += ["#else", f"#include <trapeze/map_{default}.h>", "#endif"]
    return c_file("map", "Memory map of the platform.", body)


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
    return c_file(region.name, f"{region.title}: registers{_of_the_soc(region)}. {region.desc}", body)
