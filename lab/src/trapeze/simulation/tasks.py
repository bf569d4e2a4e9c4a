# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Where a program's kernel keeps what is to be known of its tasks, for timelines and for GDB.

FreeRTOS: `pxCurrentTCB` points to the running task's control block, `xSchedulerRunning` says whether tasks run at all,
and the debug information of `tskTaskControlBlock` says where its name is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from elftools.common.exceptions import ELFError
from elftools.dwarf.compileunit import CompileUnit
from elftools.dwarf.die import DIE
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

CURRENT = "pxCurrentTCB"
STARTED = "xSchedulerRunning"
BLOCK = b"tskTaskControlBlock"
NAME = b"pcTaskName"
STACK = b"pxStack"
STATE = b"xStateListItem"
EVENT = b"xEventListItem"
QUEUE = b"QueueDefinition"
CONTAINERS = (b"pxContainer", b"pvContainer")
"""The member of a list's item that points to the list, in newer kernels and in older ones."""

READY = "pxReadyTasksLists"


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

WAITS = ("event", "send", "receive", "holder", "item")
"""Names of the offsets of `Tasks.waits`."""

OWN_PORT = "freertos_yield_bare"
"""A function of the port whose frames GDB's server knows (fw/freertos/src/port.S)."""

WHOLE_FRAMES = "freertos_whole_frames"
"""The word of that port that is not zero if the core's frames hold all registers."""


@dataclass(frozen=True)
class Tasks:
    """As the simulator takes it.

    Attributes:
        current: Address of the pointer to the running task's control block.
        name: Offset of the name in a control block.
        started: Address of the word that is not zero once tasks run.
        lists: State and address of each list that tasks are in; none of a port whose frames are not known.
        stack: Offset in a control block of the pointer to the lowest word of the stack; None: not known.
        ready: Offset in a control block of the pointer to the list that the task is in, and where the lists of ready
            tasks begin and end; None: not known.
        waits: Offset in a control block of the pointer to the list of what the task waits for; and offsets in a queue,
            of which semaphores and mutexes are kinds: of the lists of tasks that wait to send and to receive, of a
            mutex's holder, of the size of an item. None: not known.
        whole: Address of the word that is not zero if the core's frames hold all registers; None: there is none.
    """

    current: int
    name: int
    started: int
    lists: tuple[tuple[str, int], ...] = ()
    stack: int | None = None
    ready: tuple[int, int, int] | None = None
    waits: tuple[int, ...] | None = None
    whole: int | None = None

    def to_json(self, *, lists: bool, stack: bool, ready: bool, waits: bool) -> dict[str, object]:
        """For the simulator, with what is wanted of the rest, as far as it is known."""
        made: dict[str, object] = {"current": self.current, "name": self.name, "started": self.started}
        if lists:
            made["lists"] = [{"state": state, "address": address} for state, address in self.lists]
            if self.whole is not None:
                made["whole"] = self.whole
        if stack and self.stack is not None:
            made["stack"] = self.stack
        if ready and self.ready is not None:
            made["ready"] = {"list": self.ready[0], "lists": list(self.ready[1:])}
        if waits and self.waits is not None:
            made["waits"] = dict(zip(WAITS, self.waits, strict=True))
        return made


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


def _members(block: DIE) -> dict[bytes, DIE]:
    """The named members of a structure."""
    return {one.attributes["DW_AT_name"].value: one for one in block.iter_children() if "DW_AT_name" in one.attributes}


def _place(member: DIE) -> int:
    """The offset of a member in its structure."""
    return int(member.attributes["DW_AT_data_member_location"].value)


def _structure(units: Iterable[CompileUnit], name: bytes, member: bytes) -> dict[bytes, DIE] | None:
    """The members of a structure that has this one; None: no unit declares it."""
    for unit in units:
        for entry in unit.get_top_DIE().iter_children():
            found = entry.attributes.get("DW_AT_name")
            if entry.tag == "DW_TAG_structure_type" and found is not None and found.value == name:
                members = _members(entry)
                if member in members:
                    return members
    return None


def _inside(member: DIE) -> dict[bytes, DIE]:
    """The members of a member that is a structure or a union."""
    kind = member.get_DIE_from_attribute("DW_AT_type")
    while kind.tag not in ("DW_TAG_structure_type", "DW_TAG_union_type"):
        kind = kind.get_DIE_from_attribute("DW_AT_type")
    return _members(kind)


def _list_of(item: DIE | None) -> int | None:
    """The offset in a control block of the pointer to the list that an item of it is in."""
    members = {} if item is None else _inside(item)
    container = next((members[name] for name in CONTAINERS if name in members), None)
    return None if item is None or container is None else _place(item) + _place(container)


def _ready(block: Mapping[bytes, DIE], table: SymbolTableSection) -> tuple[int, int, int] | None:
    """How the kernel keeps tasks that are ready, see `Tasks`."""
    place, lists = _list_of(block.get(STATE)), table.get_symbol_by_name(READY)
    if place is None or not lists:
        return None
    begin = lists[0]["st_value"]
    return place, begin, begin + lists[0]["st_size"]


def _waits(block: Mapping[bytes, DIE], queue: Mapping[bytes, DIE] | None) -> tuple[int, ...] | None:
    """What tasks wait for, see `Tasks`."""
    place = _list_of(block.get(EVENT))
    if place is None or queue is None:
        return None
    try:
        own = _inside(_inside(queue[b"u"])[b"xSemaphore"])  # of a union, whose members begin where it does
        holder = _place(queue[b"u"]) + _place(own[b"xMutexHolder"])
        rest = (_place(queue[name]) for name in (b"xTasksWaitingToSend", b"xTasksWaitingToReceive"))
        return (place, *rest, holder, _place(queue[b"uxItemSize"]))
    except KeyError:
        return None  # an older kernel, which has no place of its own for the holder


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
            units = list(program.get_dwarf_info().iter_CUs())
            block = _structure(units, BLOCK, NAME)
            if block is None:
                return None
            waits = _waits(block, _structure(units, QUEUE, b"u"))
            stack = _place(block[STACK]) if STACK in block else None
            ready = _ready(block, table)
            frames = table.get_symbol_by_name(WHOLE_FRAMES)
            whole = frames[0]["st_value"] if frames else None
            return Tasks(at[CURRENT], _place(block[NAME]), at[STARTED], _lists(table), stack, ready, waits, whole)
    except (OSError, ELFError):
        return None
