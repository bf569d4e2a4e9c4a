# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The header of a platform with a map of its own, and the option by which `<trapeze/map.h>` includes it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from trapeze.common import paths
from trapeze.common.files import replacing
from trapeze.platform.configurations import Config
from trapeze.platform.platform import Platform, Region, of_map

_DIGITS = 16
"""Digits of the hash in a header's name."""


def _values(region: Region) -> Iterator[tuple[str, str]]:
    """The macros of a region, as the generated headers have them."""
    name = f"TRAPEZE_{region.name.upper()}"
    yield f"{name}_BASE", f"0x{region.base:08x}"
    yield f"{name}_SIZE", f"0x{region.size:x}"
    for what, number in (("LINE", region.line), ("PLIC_SOURCE", region.plic_source)):
        if number is not None:
            yield f"{name}_{what}", str(number)
    for part in region.parts:
        yield f"{name}_{part.name.upper()}_BASE", f"0x{part.base:08x}"
        yield f"{name}_{part.name.upper()}_SIZE", f"0x{part.size:x}"


def _consoles(platform: Platform) -> Iterator[str]:
    """Which UART is the console of a program for one hart beside Linux, which says its number by TRAPEZE_HART."""
    yield "#ifdef TRAPEZE_HART"
    for number in range(len(platform.harts)):
        if (uart := platform.uart_of(number)) is not None:
            yield f"#if TRAPEZE_HART == {number}"
            yield f"#define TRAPEZE_CONSOLE_BASE TRAPEZE_{uart.name.upper()}_BASE"
            yield "#endif"
    yield "#endif"


def text(config: Config) -> str:
    """The header of a configuration with a map of its own: the map that it begins with, and what differs."""
    platform = config.platform
    under = {one.name: one for one in of_map(config.map, len(platform.harts))}
    lines = ["#ifndef TRAPEZE_MAP_OWN_H_", "#define TRAPEZE_MAP_OWN_H_", f"#include <trapeze/map_{config.map}.h>"]
    for change in config.regions:
        lines += [f"#undef {macro}" for macro, _ in _values(under[change.name])] if change.name in under else []
        if (region := platform.find(change.name)) is not None:
            lines += [f"#define {macro} {value}" for macro, value in _values(region)]
    return "\n".join([*lines, *_consoles(platform), "#endif", ""])


def flags(config: Config) -> list[str]:
    """The options for a configuration with a map of its own, whose header is written if need be; else none."""
    if not config.regions:
        return []
    said = text(config)
    header = paths.BUILD / "maps" / f"map_{digest(said)}.h"
    if not header.exists():
        with replacing(header) as made:
            made.write_text(said)
    return [f'-DTRAPEZE_MAP_FILE="{header}"']


def digest(said: str) -> str:
    """Identifies a header."""
    return hashlib.sha256(said.encode()).hexdigest()[:_DIGITS]


def noted(config: Config) -> str:
    """The word for the note of a program for a map of the user's own; empty for others."""
    return f" map={digest(text(config))}" if config.regions else ""
