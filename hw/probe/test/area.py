# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Area of the latency probe on Xilinx 7-series, by Yosys: `python hw/probe/test/area.py NAME=VALUE ...`.

A LUT of these devices holds one function of six inputs or two functions that together have no more than five. Yosys
writes one cell for each function and leaves the pairing to the tools behind it; `Area.luts` is after pairing, as the
vendor's reports count, `Area.functions` before. Inverters count as functions.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from trapeze.platform.cores import Library
from trapeze.synth import tools

CORE = "trapeze:hw:probe"
TOP = "tz_latency_probe_axi"
WRAPPER = Path(__file__).resolve().parents[1] / "rtl" / f"{TOP}.v"
SINGLE, PAIRED = 6, 5
"""Inputs of a LUT with one function, and with two."""
TRIES = 100


@dataclass(frozen=True)
class Area:
    """Cells of a design.

    Attributes:
        flip_flops: All kinds.
        luts: After two functions were put into one LUT wherever that is possible.
        functions: One cell each, as Yosys leaves them.
        half_brams: RAMB18; a RAMB36 counts as two.
        carries: CARRY4.
    """

    flip_flops: int
    luts: int
    functions: int
    half_brams: int
    carries: int


def synthesize(folder: Path, parameters: Mapping[str, int]) -> dict[str, dict[str, object]]:
    """Map the probe with Yosys; the cells by name."""
    sources = [*Library().resolve(CORE).of_type("systemVerilogSource"), WRAPPER]
    for source in sources:
        (folder / source.name).write_bytes(source.read_bytes())
    overrides = " ".join(f"-G {name}={value}" for name, value in parameters.items())
    script = [
        f"read_slang --threads 1 --top {TOP} {overrides} {' '.join(source.name for source in sources)}",
        f"synth_xilinx -family xc7 -top {TOP} -flatten -noiopad -noclkbuf",
        "write_json out.json",
    ]
    tools.yosys(folder, script)
    cells: dict[str, dict[str, object]] = json.loads((folder / "out.json").read_text())["modules"][TOP]["cells"]
    return cells


def pairs(functions: Iterable[frozenset[int]]) -> int:
    """How many pairs of functions fit into one LUT: the best of some greedy choices, those with few partners first."""
    inputs = [one for one in functions if len(one) <= PAIRED]
    partners = [{j for j, b in enumerate(inputs) if i != j and len(a | b) <= PAIRED} for i, a in enumerate(inputs)]
    best = 0
    for seed in range(TRIES):
        rng = random.Random(seed)
        left = {i for i, found in enumerate(partners) if found}
        count = 0
        while left:
            one = min(left, key=lambda i: (len(partners[i] & left), rng.random()))
            left.remove(one)
            if fitting := partners[one] & left:
                left.remove(min(fitting, key=lambda j: (len(partners[j] & left), rng.random())))
                count += 1
        best = max(best, count)
    return best


def measure(parameters: Mapping[str, int]) -> Area:
    """Area of the probe with these parameters of its wrapper."""
    with tempfile.TemporaryDirectory() as folder:
        cells = synthesize(Path(folder), parameters)
    kinds = Counter(str(cell["type"]) for cell in cells.values())
    functions = []
    for cell in cells.values():
        if str(cell["type"]).startswith("LUT") or cell["type"] == "INV":
            pins: dict[str, list[int | str]] = cell["connections"]  # type: ignore[assignment]
            functions.append(
                frozenset(bit for pin, bits in pins.items() if pin != "O" for bit in bits if isinstance(bit, int))
            )
    assert all(len(one) <= SINGLE for one in functions)
    strange = {kind for kind in kinds if kind.startswith(("RAM3", "RAM6", "SRL"))}
    assert not strange, f"LUTs that are memory: {strange}"
    return Area(
        flip_flops=sum(count for kind, count in kinds.items() if kind.startswith("FD")),
        luts=len(functions) - pairs(functions),
        functions=len(functions),
        half_brams=kinds["RAMB18E1"] + 2 * kinds["RAMB36E1"],
        carries=kinds["CARRY4"],
    )


if __name__ == "__main__":
    print(measure({name: int(value) for name, value in (argument.split("=") for argument in sys.argv[1:])}))
