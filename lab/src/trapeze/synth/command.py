# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""`trapeze synth`: what a configuration costs, as tables and as rows of a result file."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from rich.console import Console

from trapeze import config as configurations
from trapeze import output, results
from trapeze.config import Config
from trapeze.console import out, progress, table
from trapeze.report import number
from trapeze.results import Row
from trapeze.synth import designs, generic, jobs
from trapeze.synth.designs import Design
from trapeze.synth.generic import Area

GENERIC = "generic"
WHOLE = "whole"

NOTE = """\
GE: area of a two-input NAND gate, with the typical cells of synth/cells.lib; memories are flip-flops.
Whole: without hierarchy; parts: with it, each mapped by itself. By transistors: the whole in Yosys's
static CMOS gates, four transistors a GE, 16 a flip-flop. Not in it: wires, drive strengths, clock tree,
scan chains, a real process."""


def blocks(config: Config) -> dict[str, Design]:
    """What is synthesized of a configuration, by the name of the block."""
    return {"core": designs.core(config), "clic" if config.has_clic else "clint": designs.controller(config)}


def area_rows(config: Config, block: str, area: Area, prefix: str = "") -> list[Row]:
    """The rows of one block: the whole, its parts, its flip-flops, and its area by transistors."""

    def row(value: float, metric: str, unit: str, part: str | None = None) -> Row:
        name = "/".join(filter(None, (prefix or config.name, block, part)))
        labels = {"scheme": config.scheme, "abi": config.abi, "block": part or block}
        return Row.of([value], id=name, config=config.name, engine=GENERIC, metric=metric, unit=unit, labels=labels)

    whole = [
        row(round(area.ge), "area", "GE"),
        row(round(area.transistor_ge), "transistor-area", "GE"),
        row(area.flip_flops, "flip-flops", "flip-flops"),
    ]
    return [*whole, *(row(round(part), "area", "GE", name) for name, part in area.parts.items())]


def show_area(console: Console, name: str, area: Area) -> None:
    """Print one block."""
    made = table(name, ">GE", *([">share"] if area.parts else []))
    total = sum(area.parts.values())
    for part, found in area.parts.items():
        made.add_row(part, number(round(found)), f"{100 * found / total:.1f} %")
    if area.parts:
        made.add_row("sum of parts", number(round(total)))
    made.add_row(WHOLE, number(round(area.ge)))
    made.add_row("whole, by transistors", number(round(area.transistor_ge)))
    made.add_row("flip-flops", number(area.flip_flops))
    console.print(made, "")


def _generic(chosen: Sequence[Config]) -> list[Row]:
    """Measure and print."""
    asked = [(config, block, design) for config in chosen for block, design in blocks(config).items()]
    work = [partial(generic.measure, design) for _, _, design in asked]
    with progress() as display:
        task = display.add_task("synthesis", total=len(work))
        found = jobs.together(work, lambda done, total: display.update(task, completed=done, total=total))
    console, rows = out(), []
    for (config, block, design), area in zip(asked, found, strict=True):
        show_area(console, design.name, area)
        rows += area_rows(config, block, area)
    console.print(NOTE, soft_wrap=True)
    return rows


def run(config_name: str | None, target: str, json: Path | None) -> None:
    """Synthesize and print.

    Args:
        config_name: The configuration; None for all that are no variants.
        target: `generic`.
        json: Result file to write.

    Raises:
        TrapezeError: bad input, a tool that is missing or failed, or a result that cannot be written.
    """
    output.check_writable(json)
    names = [config_name] if config_name is not None else configurations.names(variants=False)
    rows = {GENERIC: _generic}[target]([configurations.load(name) for name in names])
    if json is not None:
        results.write(json, results.build("synth", rows))
