# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The SystemVerilog package that describes a configuration's platform: `platform_pkg`, for the simulation top.

It holds the harts of the platform as `tile_cfg_t` (hw/soc), so harts of different kinds need no parameters of the top.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from trapeze.platform.configurations import Config
from trapeze.platform.hart import TILE_PARAMETERS, Hart

PACKAGE = "platform_pkg"
"""Name of the package; its file is `platform_pkg.sv`."""

SHARED_BANK = "shmem"
"""The region of a memory map that is a bank which harts share."""

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


def package(config: Config, rvfi: bool = True) -> str:
    """The text of the package.

    Args:
        config: The configuration.
        rvfi: Whether cores have retirement records and the signals of observe_pkg.
    """
    shared = config.platform.find(SHARED_BANK)
    base, size = (shared.base, shared.size) if shared is not None else (0, 0)
    tiles = [_tile(hart, rvfi) for hart in config.harts]
    lines = [
        "// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0",
        "//",
        f"// Platform of the configuration {config.name}. Generated; do not edit.",
        f"package {PACKAGE};",
        f"  parameter int unsigned NumHarts = {len(tiles)};",
        f"  parameter int unsigned NumIrqLines = {max(hart.lines for hart in config.harts)};",
        f"  parameter logic [31:0] SharedBase = 32'h{base:08x};",
        f"  parameter int unsigned SharedSize = {size};",
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
