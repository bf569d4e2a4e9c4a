# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Where a program's kernel keeps what is to be known of its tasks, for timelines.

FreeRTOS: `pxCurrentTCB` points to the running task's control block, `xSchedulerRunning` says whether tasks run at all,
and the debug information of `tskTaskControlBlock` says where its name is.
"""

from __future__ import annotations

from dataclasses import astuple, dataclass
from pathlib import Path

from elftools.common.exceptions import ELFError
from elftools.dwarf.compileunit import CompileUnit
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

CURRENT = "pxCurrentTCB"
STARTED = "xSchedulerRunning"
BLOCK = b"tskTaskControlBlock"
NAME = b"pcTaskName"


@dataclass(frozen=True)
class Tasks:
    """As the simulator takes it.

    Attributes:
        current: Address of the pointer to the running task's control block.
        name: Offset of the name in a control block.
        started: Address of the word that is not zero once tasks run.
    """

    current: int
    name: int
    started: int

    def arguments(self, hart: int) -> list[str]:
        """Of the simulator's command line, for a hart that executes the program."""
        return ["--tasks", str(hart), *map(str, astuple(self))]


def _offset(unit: CompileUnit) -> int | None:
    """Of the name in a control block, if this unit declares one."""
    for entry in unit.get_top_DIE().iter_children():
        found = entry.attributes.get("DW_AT_name")
        if entry.tag != "DW_TAG_structure_type" or found is None or found.value != BLOCK:
            continue
        for member in entry.iter_children():
            if member.attributes["DW_AT_name"].value == NAME:
                return int(member.attributes["DW_AT_data_member_location"].value)
    return None


def find(elf: Path) -> Tasks | None:
    """The tasks of a program; None: it has none, or its debug information does not say.

    Args:
        elf: The program. A file that is none has no tasks: the simulator says what is wrong with it.
    """
    try:
        with elf.open("rb") as file:
            program = ELFFile(file)
            table = program.get_section_by_name(".symtab")
            if not isinstance(table, SymbolTableSection):
                return None
            at = {
                name: found[0]["st_value"] for name in (CURRENT, STARTED) if (found := table.get_symbol_by_name(name))
            }
            if len(at) != 2 or not program.has_dwarf_info():
                return None
            offsets = (_offset(unit) for unit in program.get_dwarf_info().iter_CUs())
            offset = next((one for one in offsets if one is not None), None)
            return None if offset is None else Tasks(at[CURRENT], offset, at[STARTED])
    except (OSError, ELFError):
        return None
