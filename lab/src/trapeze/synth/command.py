# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""`trapeze synth`: what a configuration costs, as tables and as rows of a result file."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from statistics import median

from rich.console import Console
from rich.progress import Progress

from trapeze.common import jobs, output
from trapeze.common.console import err, out, progress, table
from trapeze.common.errors import TrapezeError
from trapeze.platform import configurations, user_configurations
from trapeze.platform.configurations import Config
from trapeze.reports.tables import number
from trapeze.results import store
from trapeze.results.rows import Row
from trapeze.synth import designs, ecp5, generic
from trapeze.synth.designs import Design
from trapeze.synth.ecp5 import Cells
from trapeze.synth.generic import Whole

GENERIC, ECP5 = "generic", "ecp5"
ECP5_CELLS = ("lut4", "carry", "lut_ram", "flip_flops", "block_ram", "multipliers")
ECP5_COLUMNS = ("LUT4", "carry", "LUT RAM", "flip-flops", "block RAM", "18x18", "MHz best", "median", "worst")

NOTE = """\
GE: area of a two-input NAND gate, with the typical cells of synth/cells.lib; memories are flip-flops.
Whole: without hierarchy; parts: with it, each mapped by itself. By transistors: the whole in Yosys's
static CMOS gates, four transistors a GE, 16 a flip-flop, the operator * a plain array, no clock gates. Not in it:
wires, drive strengths, clock tree, scan chains, a real process."""


ECP5_NOTE = """\
LFE5U-25F, speed grade 6; Yosys and nextpnr, {seeds} seed(s). The core by itself, a flip-flop at each pin
(synth/rtl/core_pins.sv), which are not counted; no memories and no interrupt controller in the timed paths.
LUT4: without those of carries (two each) and LUT RAM (six each)."""


def blocks(config: Config) -> dict[str, Design]:
    """What is synthesized of a configuration, by the name of the block."""
    return {"core": designs.core(config), "clic" if config.first.has_clic else "clint": designs.controller(config)}


def area_rows(config: Config, block: str, whole: Whole, transistor_ge: float, parts: Mapping[str, float]) -> list[Row]:
    """The rows of one block: the whole, its parts, its flip-flops, and its area by transistors."""

    def row(value: float, metric: str, unit: str, part: str | None = None) -> Row:
        name = "/".join(filter(None, (config.name, block, part)))
        labels = {"scheme": config.first.scheme, "abi": config.first.abi, "block": part or block}
        return Row.of([value], id=name, config=config.name, engine=GENERIC, metric=metric, unit=unit, labels=labels)

    return [
        row(round(whole.ge), "area", "GE"),
        row(round(transistor_ge), "transistor-area", "GE"),
        row(whole.flip_flops, "flip-flops", "flip-flops"),
        *(row(round(part), "area", "GE", name) for name, part in parts.items()),
    ]


def show_area(console: Console, name: str, whole: Whole, transistor_ge: float, parts: Mapping[str, float]) -> None:
    """Print one block."""
    made = table(name, ">GE", *([">share"] if parts else []))
    total = sum(parts.values())
    for part, found in parts.items():
        made.add_row(part, number(round(found)), f"{100 * found / total:.1f} %")
    if parts:
        made.add_row("sum of parts", number(round(total)))
    made.add_row("whole", number(round(whole.ge)))
    made.add_row("whole, by transistors", number(round(transistor_ge)))
    made.add_row("flip-flops", number(whole.flip_flops))
    console.print(made, "")


def _steps(display: Progress, name: str) -> Callable[[int, int], None]:
    """What shows how far a part of the work is: a bar at a terminal, elsewhere a line for each step."""
    task = display.add_task(name)

    def show(done: int, total: int) -> None:
        display.update(task, completed=done, total=total)
        if display.disable:
            err().print(f"trapeze: {name}: {done} of {total}")

    return show


def _generic(chosen: Sequence[Config]) -> list[Row]:
    """Measure and print."""
    asked = [(config, block, design) for config in chosen for block, design in blocks(config).items()]
    work = [partial(one, design) for _, _, design in asked for one in (generic.whole, generic.transistor_ge)]
    split = [partial(generic.parts, design) for _, _, design in asked if design.parts]
    with progress() as display:
        jobs.together([*work, *split], _steps(display, "synthesis"))
    console, rows = out(), []
    for config, block, design in asked:
        whole, parts = generic.whole(design), generic.parts(design) if design.parts else {}
        transistor_ge = generic.transistor_ge(design)
        show_area(console, design.name, whole, transistor_ge, parts)
        rows += area_rows(config, block, whole, transistor_ge, parts)
    console.print(NOTE, soft_wrap=True)
    return rows


def ecp5_rows(config: Config, cells: Cells, frequencies: Sequence[float]) -> list[Row]:
    """The rows of a core: what it takes, and its frequency over the seeds."""

    def row(values: Sequence[float], metric: str, unit: str) -> Row:
        labels = {"scheme": config.first.scheme, "abi": config.first.abi, "block": "core"}
        name = f"{config.name}/core"
        return Row.of(values, id=name, config=config.name, engine=ECP5, metric=metric, unit=unit, labels=labels)

    taken = [row([count], name.replace("_", "-"), "cells") for name, count in asdict(cells).items()]
    return [*taken, row(frequencies, "fmax", "MHz")]


def _ecp5(chosen: Sequence[Config], seeds: Sequence[int]) -> list[Row]:
    """Measure and print."""
    asked = [(config, ecp5.in_pins(designs.core(config))) for config in chosen]
    mapped = [partial(ecp5.cells, design) for _, design in asked]
    placed = [partial(ecp5.frequency, design, seed) for _, design in asked for seed in seeds]
    with progress() as display:
        jobs.together(mapped, _steps(display, "synthesis"))
        jobs.together(placed, _steps(display, "place and route"))
    made, rows = table("core", *(f">{name}" for name in ECP5_COLUMNS)), []
    for config, design in asked:
        cells, found = ecp5.cells(design), [ecp5.frequency(design, seed) for seed in seeds]
        taken = [number(getattr(cells, name)) for name in ECP5_CELLS]
        made.add_row(config.name, *taken, f"{max(found):.1f}", f"{median(found):.1f}", f"{min(found):.1f}")
        rows += ecp5_rows(config, cells, found)
    console = out()
    console.print(made, "")
    console.print(ECP5_NOTE.format(seeds=len(seeds)), soft_wrap=True)
    return rows


def run(config_name: str | None, target: str, seeds: int | None, json: Path | None) -> None:
    """Synthesize and print.

    Args:
        config_name: The configuration, or its file; None for all that are no variants.
        target: `generic` or `ecp5`.
        seeds: Of place and route, for `ecp5`; None for the usual number.
        json: Result file to write.

    Raises:
        TrapezeError: bad input, a tool that is missing or failed, or a result that cannot be written.
    """
    if seeds is not None and target != ECP5:
        raise TrapezeError(f"--seeds: nothing is placed for target {target}; use --target {ECP5}")
    output.check_writable(json)
    names = [config_name] if config_name is not None else configurations.names(variants=False)
    chosen = [user_configurations.choose(name) for name in names]
    for one in chosen:
        one.design()
    rows = _generic(chosen) if target == GENERIC else _ecp5(chosen, range(1, (seeds or ecp5.SEEDS) + 1))
    if json is not None:
        command = ["trapeze", "synth", *(chosen[0].words if config_name else []), "--target", target]
        command += ["--seeds", str(seeds)] if seeds is not None else []
        store.write(json, store.build("synth", rows, command=command, configs=chosen))
