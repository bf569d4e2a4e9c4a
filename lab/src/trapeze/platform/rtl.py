# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The SystemVerilog package that describes a configuration's platform: `platform_pkg`, for the simulation top.

It holds the harts of the platform as `tile_cfg_t` and the memory map as `tile_map_t` (hw/soc), so harts of different
kinds and other addresses need no parameters of the top.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from trapeze.platform.configurations import Config
from trapeze.platform.hart import TILE_PARAMETERS, Hart
from trapeze.platform.platform import Region

PACKAGE = "platform_pkg"
"""Name of the package; its file is `platform_pkg.sv`."""

RANGES = {
    "Imem": "imem",
    "Dmem": "dmem",
    "Smem": "smem",
    "Clic": "clic",
    "ClicUser": "clic_user",
    "Host": "host",
    "Clint": "clint",
    "Uart": "uart",
    "Probe": "probe",
    "Shmem": "shmem",
}
"""The ranges of soc_cfg_pkg::tile_map_t, and the regions of a memory map that they are."""

OWN = ("Imem", "Dmem", "Smem", "Clic", "ClicUser")
"""Those that are a tile's own."""

SLOW = "Probe"
"""What a tile alone has a port of its own to, because it does not grant at once."""

BANKS = tuple(RANGES[name] for name in OWN if not name.startswith("Clic"))
"""The regions that are memories of a tile."""

SCHEMES = ("irq_pkg::IrqClint", "irq_pkg::IrqClic")
SAVERS = tuple(f"core_cfg_pkg::Saver{name}" for name in ("None", "Banks", "InPlace"))


def _value(name: str, value: int) -> str:
    """A parameter's value as SystemVerilog writes it."""
    if name == "IrqScheme":
        return SCHEMES[value]
    if name == "Saver":
        return SAVERS[value]
    if name in ("ResetVector", "HartId"):
        return f"32'h{value:08x}"
    return str(value)


def _arguments(values: dict[str, int]) -> str:
    return ", ".join(f".{name}({_value(name, value)})" for name, value in values.items())


def _tile(hart: Hart, rvfi: bool) -> str:
    """The tile of a hart, as an expression."""
    given = hart.parameters()
    core = {name: value for name, value in given.items() if name not in TILE_PARAMETERS} | {"Rvfi": int(rvfi)}
    own = {name: value for name, value in given.items() if name in TILE_PARAMETERS}
    words = [f".Core(core_cfg_pkg::core_cfg({_arguments(core)}))", *([_arguments(own)] if own else [])]
    return f"soc_cfg_pkg::tile_cfg({', '.join(words)})"


def _range(region: Region | None) -> str:
    """A range; a map that has no such region has one of size 0."""
    return "'0" if region is None else f"'{{32'h{region.base:08x}, {region.size}}}"


def package(config: Config, rvfi: bool = True, alone: int | None = None, sizes: Mapping[str, int] | None = None) -> str:
    """The text of the package.

    Args:
        config: The configuration.
        rvfi: Whether cores have retirement records and the signals of observe_pkg.
        alone: Number of the hart whose tile is all that there is, for a co-simulation; None: the whole SoC.
        sizes: Bytes of regions that have not their map's size, by name.
    """
    outside = alone is not None and any(
        alone in one.harts and one.name not in BANKS for one in config.platform.memories
    )
    names = (*OWN, SLOW) if outside else RANGES
    there = {name: config.platform.find(region) for name, region in RANGES.items() if name in names}
    for name, region in there.items():
        if region is not None and region.name in (sizes or {}):
            there[name] = replace(region, size=(sizes or {})[region.name])
    ranges = [f".{name}({_range(there.get(name))})" for name in RANGES]
    harts = config.harts if alone is None else (config.harts[alone],)
    tiles = [_tile(hart, rvfi) for hart in harts]
    lines = [
        "// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0",
        "//",
        f"// Platform of the configuration {config.name}. Generated; do not edit.",
        f"package {PACKAGE};",
        f"  parameter int unsigned NumHarts = {len(tiles)};",
        f"  parameter bit Alone = {int(alone is not None)};  // one tile and nothing else, that of hart `Number`",
        f"  parameter logic [3:0] Number = {alone or 0};",
        f"  parameter bit Memory = {int(outside)};  // of one tile: it sees memories that are not its own",
        f"  parameter int unsigned NumIrqLines = {max(hart.lines for hart in harts)};",
        "  parameter soc_cfg_pkg::tile_map_t Map = soc_cfg_pkg::tile_map(",
        ",\n".join(f"    {one}" for one in ranges),
        "  );",
        "  parameter soc_cfg_pkg::tile_cfg_t [NumHarts-1:0] Tiles = {",
        ",\n".join(f"    {tile}" for tile in reversed(tiles)),
        "  };",
        "endpackage",
    ]
    return "\n".join(lines) + "\n"


def with_package(sources: Sequence[Path], top: str, package_file: Path) -> list[Path]:
    """The sources of a simulation top in compile order, with the file of the package in front of the top's."""
    found = list(sources)
    place = next(index for index, path in enumerate(found) if path.stem == top)
    return [*found[:place], package_file, *found[place:]]
