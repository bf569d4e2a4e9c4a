# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""`trapeze configs`, `trapeze show` and `trapeze check` as tables."""

from __future__ import annotations

import json
from pathlib import Path

from elftools import construct
from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import NoteSection
from rich.console import Console
from rich.text import Text

from trapeze.common import output
from trapeze.common.console import out, table
from trapeze.common.errors import TrapezeError
from trapeze.platform import configurations
from trapeze.platform.configurations import Config
from trapeze.results import budget, store

STANDARD_LINES = (
    ("-", 3, "software interrupt, from the CLINT"),
    ("-", 7, "timer interrupt, from the CLINT"),
    ("-", 11, "external interrupt, from the UART"),
)


def configs(console: Console | None = None) -> None:
    """Print all configurations, variants below the others."""
    console = console or out()
    listing = table("configuration", "isa", "abi", "interrupts", "summary")
    variants = table("variant", "of", "interrupts", "what differs")
    for name in configurations.names():
        one = configurations.load(name)
        if one.variant:
            variants.add_row(name, one.extends, _interrupts(one), one.summary)
        else:
            listing.add_row(name, one.isa, one.abi, _interrupts(one), one.summary)
    console.print(listing, "")
    console.print(variants)


def _interrupts(config: Config) -> str:
    """The interrupt controller in a few words."""
    said = f"{config.scheme}, {config.lines} lines"
    if config.has_clic:
        said += f", {config.sources} sources"
    if config.tree_pipeline:
        said += ", register stage"
    if config.synchroniser:
        said += ", synchronised"
    if config.scheme == "fastirq":
        said += f", {_banks(config)}, {'shared' if config.shared_port else 'own'} port"
    return said


def _banks(config: Config) -> str:
    return f"{config.banks} bank{'s' if config.banks > 1 else ''}" if config.banks else "in place"


def _size(size: int) -> str:
    return f"{size // 1024} KiB" if size % 1024 == 0 else f"{size} B"


def _memory_map(config: Config) -> list[dict[str, str]]:
    regions = sorted(json.loads(config.memory_map.read_text())["regions"], key=lambda region: int(region["base"]))
    return [
        {
            "from": f"0x{region['base']:08x}",
            "to": f"0x{region['base'] + region['size'] - 1:08x}",
            "size": _size(region["size"]),
            "name": region["name"],
            "what": region["title"],
        }
        for region in regions
        if region["name"] != "clic" or config.has_clic
    ]


def _parameters(config: Config) -> list[tuple[str, str]]:
    shown = []
    for name, value in config.parameters().items():
        shown.append((name, f"0x{value:08x}" if name == "ResetVector" else str(value)))
    return shown


def show(name: str, console: Console | None = None) -> None:
    """Print a configuration, or what a program was built for.

    Raises:
        TrapezeError: there is none of that name, nor a program with a note in a file of it.
    """
    console = console or out()
    if Path(name).is_file():
        _show_note(Path(name), console)
        return
    config = configurations.load(name)
    console.print(f"{config.name}: {config.summary}\n")
    console.print("Platform", style="bold")
    facts = table("property", "value")
    facts.add_row("isa", f"{config.isa} with Zicsr and Zifencei")
    facts.add_row("abi", config.abi)
    facts.add_row("interrupt controller", f"{config.scheme}, {config.lines} platform lines")
    if config.has_clic:
        facts.add_row("interrupt sources", str(config.sources))
    if config.tree_pipeline:
        facts.add_row("CLIC", "a register stage in the tree")
    if config.synchroniser:
        facts.add_row("pins", f"synchronised: {config.line_delay} cycles from the pin of a line to the controller")
    if config.scheme == "fastirq":
        facts.add_row("spare registers", f"{_banks(config)}: contexts that may wait to be stored at once")
        facts.add_row("frames leave", "through the data port" if config.shared_port else "through a port of their own")
    if config.extends:
        facts.add_row("variant of", config.extends)
    console.print(facts, "")
    console.print("RTL parameters", style="bold")
    parameters = table("parameter", ">value")
    for row in _parameters(config):
        parameters.add_row(*row)
    console.print(parameters, "")
    console.print("Memory map", style="bold")
    regions = table("from", "to", ">size", "name", "what")
    for region in _memory_map(config):
        regions.add_row(*region.values())
    console.print(regions, "")
    _print_lines(console, config)


def _show_note(elf: Path, console: Console) -> None:
    """Print the note of a program; sim/kernel/built_for.h says what is in it."""
    try:
        with elf.open("rb") as file:
            section = ELFFile(file).get_section_by_name(".note.trapeze")
            notes = [note["n_descdata"] for note in section.iter_notes()] if isinstance(section, NoteSection) else []
    except (ELFError, OSError, construct.ConstructError):
        raise TrapezeError(f"{elf}: not an ELF file that can be read; `trapeze configs` lists configurations") from None
    if not notes:
        raise TrapezeError(f"{elf}: does not say what it was built for; link it with `trapeze cc`, with start-up code")
    facts = table("built for", "")
    for word in notes[0].rstrip(b"\0").decode(errors="replace").split(" "):
        key, _, value = word.partition("=")
        facts.add_row(Text(key), Text(value))
    console.print(facts)


_URGENCY = [11, 3, 7]
"""Standard interrupts in the fixed priority of the Privileged Architecture, 3.1.9."""


def _print_lines(console: Console, config: Config) -> None:
    clic = config.has_clic
    order = "urgency as configured, the highest id among equals" if clic else "most urgent first"
    trigger = "level or edge as configured" if clic else "level-sensitive"
    console.print(f"Interrupt lines, {order}", style="bold")
    lines = table(">line", ">id" if clic else ">cause", "what")
    lines.add_row(
        f"{config.lines - 1}..0",
        f"{config.line_base + config.lines - 1}..{config.line_base}",
        f"platform lines, {trigger}; `run --irq LINE@CYCLE` raises one",
    )
    for line, cause, what in sorted(STANDARD_LINES, key=lambda row: _URGENCY.index(row[1])):
        lines.add_row(line, str(cause), what)
    console.print(lines)


def check(budget_file: Path, result_file: Path, junit: Path | None = None) -> int:
    """Print each budget with what was measured.

    Args:
        budget_file: The budgets.
        result_file: The figures.
        junit: File to write the verdicts to, as JUnit XML.

    Returns:
        0 if all are kept, else 1.

    Raises:
        TrapezeError: malformed input.
    """
    output.check_writable(junit)
    output.check_distinct({"the budgets": budget_file, "the result": result_file}, {"--junit": junit})
    result = store.load(result_file)
    verdicts = budget.check(budget.load(budget_file), result, str(result_file))
    listing = table("row", "metric", "statistic", ">measured", ">budget", "unit", "verdict")
    for one in verdicts:
        limit = one.limit
        broken = "UNDERCUT" if limit.least else "EXCEEDED"
        verdict = Text("kept") if one.kept else Text(broken, style="bold red")
        budgeted = f"{limit.sign} {limit.value:g}"
        listing.add_row(limit.row, limit.metric, limit.statistic, f"{one.measured:g}", budgeted, one.unit, verdict)
    console = out()
    console.print(listing, "")
    if junit is not None:
        output.write_atomic(junit, budget.junit(verdicts, result))
    count = sum(not one.kept for one in verdicts)
    console.print(f"{len(verdicts)} budgets, {count} exceeded")
    return 1 if count else 0
