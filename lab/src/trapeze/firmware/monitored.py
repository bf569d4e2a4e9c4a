# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""What `trapeze cc` may ask of a monitor: layout of memory protection, watchdog, starting again.

Each option is a symbol that the monitor reads, so a monitor is compiled once for all options. For a program that may
start again the build stores a copy of its initial values behind its code, where no row of memory protection is open.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from trapeze.common.errors import TrapezeError, choices
from trapeze.common.files import replacing
from trapeze.firmware import segments
from trapeze.platform.configurations import Config

ROWS = ("tight", "paper")
"""Layouts of memory protection; the first is the default."""

REGIONS = 16
"""That the tight layout takes."""

LEAST = 1024
"""Shortest period of the watchdog in cycles: MONITOR_WATCHDOG_LEAST in fw/monitor/src/scheme.h."""

OPTIONS = ("--monitor-rows", "--monitor-watchdog", "--monitor-restarts")


def _number(given: Mapping[str, str], name: str, least: int, most: int) -> int:
    """The number of an option; 0 without it."""
    text = given.get(name)
    if text is None:
        return 0
    if not text.isdecimal() or not least <= int(text) <= most:
        raise TrapezeError(f"cc: {name} {text}: takes a number from {least:,} to {most:,}")
    return int(text)


def words(config: Config, monitor: str | None, emulates: bool, given: Mapping[str, str]) -> list[str]:
    """What the linker is told.

    Raises:
        TrapezeError: without a monitor, or of one that has no such thing; no such layout; a number that is none.
    """
    asked = [name for name in OPTIONS if name in given]
    if monitor is None or emulates:
        if asked and monitor is None:
            raise TrapezeError(f"cc: {asked[0]}: a program without a monitor has none; add --monitor NAME")
        if asked:
            raise TrapezeError(f"cc: {asked[0]}: not for --monitor {monitor}; choose paper, soft or direct")
        return []
    rows = given.get("--monitor-rows", ROWS[0])
    if rows not in ROWS:
        raise TrapezeError(f"cc: --monitor-rows: no layout '{rows}'; {choices(rows, list(ROWS))}")
    watchdog = _number(given, "--monitor-watchdog", LEAST, 2**32 - 1)
    restarts = _number(given, "--monitor-restarts", 1, 2**31 - 1)
    if rows == "paper" and restarts:
        raise TrapezeError(
            "cc: --monitor-restarts: with --monitor-rows paper a program can change its own code and constants, "
            "which a restart does not restore; leave one of the two out"
        )
    if rows != "paper" and config.harts[0].regions < REGIONS:
        raise TrapezeError(
            f"cc: --monitor {monitor}: the tight layout takes {REGIONS} regions of memory protection, and "
            f"configuration {config.name} has {config.harts[0].regions}; add --monitor-rows paper"
        )
    values = {"rows_paper": int(rows == "paper"), "watchdog": watchdog, "restarts": restarts}
    return [f"-Wl,--defsym=monitor_{name}={value:#x}" for name, value in values.items() if value]


def _symbols(elf: ELFFile) -> dict[str, int]:
    tables = [part for part in elf.iter_sections() if isinstance(part, SymbolTableSection)]
    return {one.name: one["st_value"] for part in tables for one in part.iter_symbols()}


def _memory(elf: ELFFile, start: int, end: int) -> bytes:
    """What the loader puts at addresses; zeros where it puts nothing."""
    found = bytearray(end - start)
    for segment in elf.iter_segments("PT_LOAD"):
        data, base = segment.data(), segment["p_vaddr"]
        first, last = max(start, base), min(end, base + len(data))
        if first < last:
            found[first - start : last - start] = data[first - base : last - base]
    return bytes(found)


def finish(path: Path) -> int:
    """Add the initial values of a linked program once more, if it may start again.

    Returns:
        Their bytes.
    """
    with path.open("rb") as file:
        elf = ELFFile(file)
        at = _symbols(elf)
        if not at.get("monitor_restarts"):
            return 0
        bounds = [(at[f"program_{name}_start"], at[f"program_{name}_end"]) for name in ("vectors", "data")]
        values = b"".join(_memory(elf, start, end) for start, end in bounds)
    if values:
        content = bytearray(path.read_bytes())
        segments.add(content, at["monitor_pristine"], values)
        mode = path.stat().st_mode
        with replacing(path) as made:
            made.write_bytes(content)
            made.chmod(mode)
    return len(values)
