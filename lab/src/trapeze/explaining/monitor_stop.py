# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Where a program was when it ended with a report: function and line behind the address that the report has.

A monitor (`fw/monitor/src/report.c`) and, in machine mode, the HAL (`fw/hal/src/trap.c`) report only addresses. The
program's file has the names and, with debug information, the lines.
"""

from __future__ import annotations

import os
import re
import sys
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from elftools.common.exceptions import DWARFError, ELFError
from elftools.dwarf.dwarfinfo import DWARFInfo
from elftools.elf.constants import P_FLAGS
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from trapeze.common import processes
from trapeze.common.console import err

_REPORT = re.compile(
    rb"(?:monitor: |trapeze: (?:unexpected exception|exception inside the exception handler|"
    rb"interrupt without a handler)\b)"
    rb".*\bpc 0x([0-9a-f]{8,16})\b(?:.* 0x([0-9a-f]{8,16})\b)?"
)
"""With the address of the instruction, and the last number: sp in a monitor's report, else what was accessed."""

MARKS = "monitor_rom_start", "monitor_rom_end"
"""Symbols around the code of a linked monitor; under `emulate` the monitor is a segment without sections."""

REFUSED = 134
"""Exit code of a run that the monitor ends."""

TRAPPED = range(64, 128)
"""Exit codes of a run that the HAL ends after an exception or interrupt that nobody handled."""

_RESTART = re.compile(rb"monitor: restart 0x[0-9a-f]{8} of 0x[0-9a-f]{8}$")

STACK = "TRAPEZE_SMEM_BASE"
"""A symbol of every program: where the memory of the main stack begins."""

BELOW = 0x10000
"""A stack that overflows leaves its memory, and the access so close below it faults."""

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


def _beside(program: ELFFile) -> range:
    """The monitor that was put beside a program for machine mode: code that no section names; empty: there is none."""
    begins = {one["sh_addr"] for one in program.iter_sections() if one["sh_size"]}
    for one in program.iter_segments("PT_LOAD"):
        if one["p_flags"] & P_FLAGS.PF_X and one["p_vaddr"] not in begins:
            return range(one["p_vaddr"], one["p_vaddr"] + one["p_memsz"])
    return range(0)


class Places:
    """The functions of a program, by address."""

    def __init__(self, elf: Path) -> None:
        """Take a program's file, which is read when something is asked."""
        self._elf = elf

    @cached_property
    def functions(self) -> list[Function]:
        """In the order of their addresses; none of a file without symbols, or that is no program."""
        try:
            with self._elf.open("rb") as file:
                table = ELFFile(file).get_section_by_name(".symtab")
                if not isinstance(table, SymbolTableSection):
                    return []
                found = [
                    Function(one["st_value"], one["st_size"], one.name)
                    for one in table.iter_symbols()
                    if one["st_info"]["type"] == "STT_FUNC"
                ]
        except (OSError, ELFError):
            return []
        return sorted(found, key=lambda one: one.begin)

    @property
    def monitored(self) -> bool:
        """Whether the program runs under a monitor, which may report, start the program anew, and report again."""
        return bool(self._monitor)

    @cached_property
    def _monitor(self) -> range:
        """The code of the monitor; empty: there is none."""
        try:
            with self._elf.open("rb") as file:
                program = ELFFile(file)
                table = program.get_section_by_name(".symtab")
                if not isinstance(table, SymbolTableSection):
                    return range(0)
                begin, end = (table.get_symbol_by_name(one) for one in MARKS)
                return range(begin[0]["st_value"], end[0]["st_value"]) if begin and end else _beside(program)
        except (OSError, ELFError):
            return range(0)

    def reports(self, line: bytes, code: int, last: int) -> bool:
        """Whether a run ended with a report: its last line, its exit code, and the address of its last instruction.

        A program under a monitor may print a line like the monitor's, and end with the monitor's code by itself.
        """
        return ends_with_report(code) and line.startswith(b"monitor: ") == (last in self._monitor)

    def explain(self, line: bytes) -> None:
        """Say on standard error what a line of the console means, if it is a report."""
        found = _REPORT.match(line)
        if found is None:
            return
        for said in (self.overflow(int(found[2] or b"0", 16)), self.say(int(found[1], 16))):
            if said is not None:
                err().print(f"trapeze: {said}", markup=False, highlight=False, soft_wrap=True)

    @cached_property
    def _stack(self) -> int | None:
        """Where the memory of the main stack begins."""
        try:
            with self._elf.open("rb") as file:
                table = ELFFile(file).get_section_by_name(".symtab")
                found = table.get_symbol_by_name(STACK) if isinstance(table, SymbolTableSection) else None
                return int(found[0]["st_value"]) if found else None
        except (OSError, ELFError):
            return None

    def overflow(self, address: int) -> str | None:
        """What is to be said of an address that was accessed, or of sp, if the main stack has overflowed."""
        if self._stack is None or not self._stack - BELOW <= address < self._stack:
            return None
        return f"stack overflow: {address:#010x} is below the main stack, which begins at {self._stack:#010x}"

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
        at = bisect_right(self.functions, address, key=lambda one: one.begin) - 1
        found = self.functions[at] if at >= 0 else None
        if found is None or address - found.begin >= max(found.bytes, 1):
            return f"pc {address:#010x} is in no function of the program"
        offset = address - found.begin
        name = f"{found.name}+{offset:#x}" if offset else found.name
        where = self._where(address)
        return f"pc {address:#010x} is {name}" + (f" ({where})" if where else "")


def ends_with_report(code: int) -> bool:
    """Whether a run with this exit code may have ended with a report."""
    return code == REFUSED or code in TRAPPED


def relay(source: int, places: Places) -> bytes | None:
    """Pass a program's console on to standard output; explain each report behind which the program restarts.

    A program may print a line like a report's. So a line counts only if the monitor's own lines follow, up to a restart
    or the end.

    Args:
        source: What to read from, until it ends.
        places: Of the program.

    Returns:
        The report behind which nothing more was printed. Places.reports() says whether it is one.

    Raises:
        Ended: a signal came; what the program said before it ended is passed on.
    """
    try:
        return _pass_on(source, places)
    except processes.Ended:
        _pass_on(source, places)
        raise


def _pass_on(source: int, places: Places) -> bytes | None:
    line = b""
    reported: bytes | None = None
    while chunk := os.read(source, LONGEST):
        *ended, line = (line + chunk).split(b"\n")
        begun = 0
        for one in ended:
            # What of this line was passed on with an earlier chunk is no part of this one.
            begun = chunk.index(b"\n", begun) + 1
            if _REPORT.match(one):
                reported = one
            elif not one.startswith(b"monitor: "):
                reported = None
            elif reported is not None and _RESTART.match(one):
                _write(chunk[:begun])
                chunk, begun = chunk[begun:], 0
                places.explain(reported)
                reported = None
        line = line[-LONGEST:]
        _write(chunk)
    return None if line else reported


def _write(text: bytes) -> None:
    """To standard output, at once."""
    sys.stdout.flush()
    while text:
        text = text[os.write(sys.stdout.fileno(), text) :]
