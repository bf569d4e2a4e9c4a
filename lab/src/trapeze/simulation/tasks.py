# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Where a program's kernel keeps what is to be known of its tasks, for timelines and for GDB.

FreeRTOS: `pxCurrentTCB` points to the running task's control block, `xSchedulerRunning` says whether tasks run at all,
and the debug information of `tskTaskControlBlock` says where its name is.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from elftools.common.exceptions import ELFError
from elftools.dwarf.compileunit import CompileUnit
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

CURRENT = "pxCurrentTCB"
STARTED = "xSchedulerRunning"
BLOCK = b"tskTaskControlBlock"
NAME = b"pcTaskName"


LISTS = {
    "pxReadyTasksLists": "ready",
    "xPendingReadyList": "ready",
    "xDelayedTaskList1": "blocked",
    "xDelayedTaskList2": "blocked",
    "xSuspendedTaskList": "suspended",
    "xTasksWaitingTermination": "deleted",
}
"""The kernel's lists, and the state of the tasks in them; the first is an array, one list for each priority."""

ONE_LIST = "xPendingReadyList"

OWN_PORT = "freertos_yield_bare"
"""A function of the port whose frames GDB's server knows (fw/freertos/src/port.S)."""


@dataclass(frozen=True)
class Tasks:
    """As the simulator takes it.

    Attributes:
        current: Address of the pointer to the running task's control block.
        name: Offset of the name in a control block.
        started: Address of the word that is not zero once tasks run.
        lists: State and address of each list that tasks are in; none of a port whose frames are not known.
    """

    current: int
    name: int
    started: int
    lists: tuple[tuple[str, int], ...] = ()

    def arguments(self, hart: int) -> list[str]:
        """Of the simulator's command line, for a hart that executes the program."""
        return ["--tasks", str(hart), *map(str, (self.current, self.name, self.started))]

    def list_arguments(self, hart: int) -> list[str]:
        """The same, of the lists."""
        return [word for state, at in self.lists for word in ("--task-list", str(hart), state, str(at))]


def _lists(table: SymbolTableSection) -> tuple[tuple[str, int], ...]:
    """The kernel's lists."""
    found = {name: one[0] for name in (*LISTS, OWN_PORT) if (one := table.get_symbol_by_name(name))}
    if OWN_PORT not in found or ONE_LIST not in found:
        return ()
    size = found[ONE_LIST]["st_size"]
    lists = []
    for name, state in LISTS.items():
        if name in found:
            begin = found[name]["st_value"]
            lists += [(state, begin + offset) for offset in range(0, found[name]["st_size"], size)]
    return tuple(lists)


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
            return None if offset is None else Tasks(at[CURRENT], offset, at[STARTED], _lists(table))
    except (OSError, ELFError):
        return None
