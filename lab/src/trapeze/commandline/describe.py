# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""`trapeze configs` and `trapeze show` as tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from elftools import construct
from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import NoteSection
from rich.console import Console
from rich.measure import Measurement
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from trapeze.common.console import out, table
from trapeze.common.errors import TrapezeError
from trapeze.platform import configurations, user_configurations
from trapeze.platform.configurations import Config
from trapeze.platform.hart import CTL_BITS, Hart
from trapeze.platform.platform import EXTERNAL, Region

STANDARD_LINES = (
    ("-", 3, "software interrupt, from the CLINT"),
    ("-", 7, "timer interrupt, from the CLINT"),
    ("-", 11, "external interrupt, from the {}"),
)
"""The last one comes from the UART, or from the PLIC of a hart that has one, or from both."""


def configs(console: Console | None = None) -> None:
    """Print all configurations, variants below the others."""
    console = console or out()
    listing = table("configuration", "isa", "abi", "interrupts", "summary")
    variants = table("variant", "of", "interrupts", "what differs")
    for name in configurations.every_name():
        one = configurations.load(name)
        if one.variant:
            variants.add_row(name, one.extends, _in_words(one, _interrupts), one.summary)
        else:
            isa, abi = _in_words(one, lambda hart: hart.isa), " + ".join(dict.fromkeys(hart.abi for hart in one.harts))
            listing.add_row(name, isa, abi, _in_words(one, _interrupts), one.summary)
    print_listing(console, listing)
    console.print()
    print_listing(console, variants)


LEAST = 72
"""Columns below which a table of five columns of words is no table any more."""


SPARE = 8
"""Columns that such a table needs above those of its longest words."""

LONG = 20
"""Characters of a word above which its column is as wide as it is: where there is little room rich cuts such words."""


def print_listing(console: Console, listing: Table) -> None:
    """Show a table. If it is too wide, show each row as a paragraph that begins with its name."""
    room = Measurement.get(console, console.options.update(max_width=10 * console.width), listing)
    if console.width >= LEAST and room.minimum + SPARE <= console.width:
        for column in listing.columns:
            longest = max((len(word) for cell in column.cells for word in str(cell).split()), default=0)
            column.width = longest if longest > LONG else None
        console.print(listing)
        return
    names, *others = ([*column.cells] for column in listing.columns)
    headers = [str(column.header) for column in listing.columns[1:]]
    for name, *cells in zip(names, *others, strict=True):
        console.print(Text(str(name), style="bold"))
        for header, cell in zip(headers, cells, strict=True):
            console.print(Padding(f"{header}: {cell}", (0, 0, 0, 2)))


def _in_words(config: Config, say: Callable[[Hart], str]) -> str:
    """The properties of each hart, once for harts that are alike."""
    if len(config.harts) == 1:
        return say(config.first)
    return " + ".join(f"{count} x {what}" for what, count in Counter(map(say, config.harts)).items())


def _interrupts(hart: Hart) -> str:
    """The interrupt controller in a few words."""
    said = f"{hart.scheme}, {hart.lines} lines"
    if hart.has_clic:
        said += f", {hart.sources} sources"
    if hart.ctl_bits != CTL_BITS:
        said += f", {hart.ctl_bits} bits of ctl"
    if hart.tree_pipeline:
        said += ", register stage"
    if hart.synchroniser:
        said += ", synchronised"
    if hart.scheme == "fastirq":
        said += f", {_banks(hart)}, {'shared' if hart.shared_port else 'own'} port"
    return said


def _banks(hart: Hart) -> str:
    return f"{hart.banks} bank{'s' if hart.banks > 1 else ''}" if hart.banks else "in place"


def _size(size: int) -> str:
    return f"{size // 1024} KiB" if size % 1024 == 0 else f"{size} B"


def _memory_map(config: Config) -> list[dict[str, str]]:
    several = len(config.harts) > 1
    return [
        {
            "from": f"0x{region.base:08x}",
            "to": f"0x{region.end - 1:08x}",
            "size": _size(region.size),
            "name": region.name,
            "what": region.title + (_whose(region, len(config.harts)) if several else "") + _interrupt(region, several),
        }
        for region in config.platform.regions
    ]


def _whose(region: Region, harts: int) -> str:
    """Which harts of several see a region, where not all see the same."""
    if len(region.harts) == harts:
        return ", one for each hart" if region.own else ""
    if len(region.harts) == 1:
        return f", hart {region.harts[0]} alone"
    named = ", ".join(map(str, region.harts))
    return f", one for each of the harts {named}" if region.own else f", harts {named} alone"


def _interrupt(region: Region, several: bool) -> str:
    """Destination of a device's interrupt; `several`: the platform has more than one hart."""
    of = f" of hart {region.line_hart}" if several else ""
    line = f"; platform line {region.line}{of}" if region.line is not None else ""
    return line + (f"; source {region.plic_source} of the PLIC" if region.plic_source is not None else "")


def _parameters(hart: Hart) -> list[tuple[str, str]]:
    shown = []
    for name, value in hart.parameters().items():
        shown.append((name, f"0x{value:08x}" if name == "ResetVector" else str(value)))
    return shown


def _facts(hart: Hart) -> dict[str, str]:
    """What a hart is, by property."""
    facts = {"isa": f"{hart.isa} with Zicsr and Zifencei", "abi": hart.abi}
    facts["interrupt controller"] = f"{hart.scheme}, {hart.lines} platform lines"
    if hart.has_clic:
        facts["interrupt sources"] = f"{hart.sources}, each with {hart.ctl_bits} bits for level and priority"
    if hart.tree_pipeline:
        facts["CLIC"] = "a register stage in the tree"
    if hart.synchroniser:
        facts["pins"] = f"synchronised: {hart.line_delay} cycles from the pin of a line to the controller"
    if hart.supervisor:
        facts["modes"] = "machine, supervisor, user; virtual memory by Sv39"
    if hart.scheme == "fastirq":
        facts["spare registers"] = f"{_banks(hart)}: contexts that may wait to be stored at once"
        facts["frames leave"] = "through the data port" if hart.shared_port else "through a port of their own"
    return facts


def _columns(first: str, of_harts: Sequence[Mapping[str, str]], right: str = "") -> Table:
    """Names and values: one column for harts in which all is the same, else one for each hart."""
    same = all(one == of_harts[0] for one in of_harts)
    shown = of_harts[:1] if same else of_harts
    made = table(first, *([f"{right}value"] if same else [f"{right}hart {number}" for number in range(len(shown))]))
    for name in dict.fromkeys(name for one in shown for name in one):
        made.add_row(name, *(one.get(name, "-") for one in shown))
    return made


def show(name: str, console: Console | None = None, settings: Sequence[str] = ()) -> None:
    """Print a configuration, with parameters set, or what a program was built for.

    Raises:
        TrapezeError: there is no configuration of that name, and no program with a note in a file of that name.
    """
    console = console or out()
    if Path(name).is_file() and not name.endswith(user_configurations.SUFFIXES):
        if settings:
            raise TrapezeError(f"--set {settings[0]}: {name} is a program; name a configuration")
        _show_note(Path(name), console)
        return
    config = user_configurations.choose(name, settings)
    harts = config.harts
    console.print(f"{config.name}: {config.summary}\n")
    console.print("Platform" if len(harts) == 1 else f"Platform of {len(harts)} harts", style="bold")
    facts = _columns("property", [_facts(hart) for hart in harts])
    if len(harts) > 1:
        ids = [str(hart.hart_id) for hart in harts]
        facts.add_row("mhartid", *([", ".join(ids)] if len(facts.columns) == 2 else ids))
    if config.extends:
        facts.add_row("variant of", config.extends)
    console.print(facts, "")
    if config.has_rtl:
        console.print("RTL parameters", style="bold")
        console.print(_columns("parameter", [dict(_parameters(hart)) for hart in harts], right=">"), "")
    console.print("Memory map", style="bold")
    regions = table("from", "to", ">size", "name", "what")
    for region in _memory_map(config):
        regions.add_row(*region.values())
    console.print(regions, "")
    _print_lines(console, config)


def _show_note(elf: Path, console: Console) -> None:
    """Print the note of a program; sim/kernel/built_for.h describes its contents."""
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


def _external(config: Config, number: int) -> str:
    """Where a hart's external interrupt comes from."""
    platform = config.platform
    blocks = {
        platform.region(wire.device).block.upper()
        for wire in platform.wires
        if (wire.hart, wire.interrupt) == (number, EXTERNAL)
    }
    return " and the ".join(sorted(blocks)) or "UART"


def _print_lines(console: Console, config: Config) -> None:
    """Print the interrupt lines, once for all harts that have the same."""
    alike: dict[tuple[bool, int, int, str], list[int]] = {}
    for number, hart in enumerate(config.harts):
        key = (hart.has_clic, hart.lines, hart.line_base, _external(config, number))
        alike.setdefault(key, []).append(number)
    for (clic, count, base, external), harts in alike.items():
        order = "urgency as configured, the highest id among equals" if clic else "most urgent first"
        trigger = "level or edge as configured" if clic else "level-sensitive"
        whose, raised = "", "LINE@CYCLE"
        if len(config.harts) > 1:
            whose = f" of hart{'s' if len(harts) > 1 else ''} {', '.join(map(str, harts))}"
            raised = f"HART:{raised}"
        console.print(f"Interrupt lines{whose}, {order}", style="bold")
        lines = table(">line", ">id" if clic else ">cause", "what")
        lines.add_row(
            f"{count - 1}..0",
            f"{base + count - 1}..{base}",
            f"platform lines, {trigger}; `run --irq {raised}` raises one",
        )
        for line, cause, what in sorted(STANDARD_LINES, key=lambda row: _URGENCY.index(row[1])):
            lines.add_row(line, str(cause), what.format(external))
        console.print(lines, *([""] if len(alike) > 1 else []))
