# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Where in its program a monitor stopped it: function and line behind the report that the monitor prints.

The monitor reports only addresses (`fw/monitor/src/report.c`). The program's file has the names and, with debug
information, the lines.
"""

from __future__ import annotations

import os
import re
import sys
from bisect import bisect_right
from dataclasses import dataclass
from pathlib import Path

from elftools.common.exceptions import DWARFError, ELFError
from elftools.dwarf.dwarfinfo import DWARFInfo
from elftools.elf.constants import P_FLAGS
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from trapeze.common.console import err

MARK = "monitor_rom_end"
"""A symbol of every program that is linked for a monitor; under `emulate` the monitor is a segment without sections."""

REFUSED = 134
"""Exit code of a run that the monitor ends."""

_RESTART = re.compile(rb"monitor: restart 0x[0-9a-f]{8} of 0x[0-9a-f]{8}$")
_REPORT = re.compile(rb"monitor: .*\bpc 0x([0-9a-f]{8})")

LONGEST = 4096
"""Bytes of a line of the console that are looked at."""


@dataclass(frozen=True)
class Function:
    """A function of a program: its first byte, how many it has (0: unknown), and its name."""

    begin: int
    bytes: int
    name: str


def _line(info: DWARFInfo, address: int) -> str | None:
    """File and line of an instruction, if the debug information knows them."""
    for unit in info.iter_CUs():
        program = info.line_program_for_CU(unit)
        if program is None:
            continue
        last = None
        for entry in program.get_entries():
            state = entry.state
            if state is None:
                continue
            if last is not None and last.address <= address < state.address:
                files = program["file_entry"]
                index = last.file - (program["version"] < 5)
                return f"{Path(files[index].name.decode(errors='replace')).name}:{last.line}"
            last = None if state.end_sequence else state
    return None


def _is_beside(program: ELFFile) -> bool:
    """Whether a monitor was put beside a program for machine mode: code that no section names."""
    begins = {one["sh_addr"] for one in program.iter_sections() if one["sh_size"]}
    return any(
        one["p_flags"] & P_FLAGS.PF_X and one["p_vaddr"] not in begins for one in program.iter_segments("PT_LOAD")
    )


class Places:
    """The functions of a program under a monitor, by address."""

    def __init__(self, elf: Path, functions: list[Function]) -> None:
        """Of a file, and its functions."""
        self._elf = elf
        self._functions = sorted(functions, key=lambda one: one.begin)
        self._begins = [one.begin for one in self._functions]

    @classmethod
    def of(cls, elf: Path) -> Places | None:
        """Of a program; None: it runs under no monitor, or the file is none."""
        try:
            with elf.open("rb") as file:
                program = ELFFile(file)
                table = program.get_section_by_name(".symtab")
                if not isinstance(table, SymbolTableSection):
                    return None
                if not table.get_symbol_by_name(MARK) and not _is_beside(program):
                    return None
                return cls(
                    elf,
                    [
                        Function(one["st_value"], one["st_size"], one.name)
                        for one in table.iter_symbols()
                        if one["st_info"]["type"] == "STT_FUNC"
                    ],
                )
        except (OSError, ELFError):
            return None

    def _where(self, address: int) -> str | None:
        """File and line of an instruction."""
        try:
            with self._elf.open("rb") as file:
                program = ELFFile(file)
                return _line(program.get_dwarf_info(), address) if program.has_dwarf_info() else None
        except (OSError, ELFError, DWARFError, IndexError):
            return None

    def say(self, address: int) -> str:
        """Function, offset and line of an instruction, as text."""
        at = bisect_right(self._begins, address) - 1
        found = self._functions[at] if at >= 0 else None
        if found is None or address - found.begin >= max(found.bytes, 1):
            return f"pc {address:#010x} is in no function of the program"
        offset = address - found.begin
        name = f"{found.name}+{offset:#x}" if offset else found.name
        where = self._where(address)
        return f"pc {address:#010x} is {name}" + (f" ({where})" if where else "")


def name(address: int, places: Places) -> None:
    """Say on standard error where a monitor's report was."""
    err().print(f"trapeze: {places.say(address)}", markup=False, highlight=False, soft_wrap=True)


def relay(source: int, places: Places) -> int | None:
    """Pass a program's console on to standard output; name the place of each report behind which the program restarts.

    A program may print a line like a report's. So a line counts only if the monitor's own lines follow, up to a restart
    or the end.

    Args:
        source: What to read from, until it ends.
        places: Of the program.

    Returns:
        The address in the report behind which nothing more was printed: the monitor's, if the run ended with REFUSED.
    """
    line = b""
    reported: int | None = None
    while chunk := os.read(source, LONGEST):
        *ended, line = (line + chunk).split(b"\n")
        begun = 0
        for one in ended:
            # What of this line was passed on with an earlier chunk is no part of this one.
            begun = chunk.index(b"\n", begun) + 1
            if found := _REPORT.match(one):
                reported = int(found[1], 16)
            elif not one.startswith(b"monitor: "):
                reported = None
            elif reported is not None and _RESTART.match(one):
                _write(chunk[:begun])
                chunk, begun = chunk[begun:], 0
                name(reported, places)
                reported = None
        line = line[-LONGEST:]
        _write(chunk)
    return None if line else reported


def _write(text: bytes) -> None:
    """To standard output, at once."""
    sys.stdout.flush()
    while text:
        text = text[os.write(sys.stdout.fileno(), text) :]
