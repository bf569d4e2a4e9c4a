# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Functions in assembly end in the debugging information where they end in memory.

The assembler writes their length before the linker makes calls shorter, as a number that nothing corrects. Such a
function seemed to reach into the one behind it, and GDB named the wrong one.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from elftools.common.exceptions import DWARFError, ELFError
from elftools.dwarf.die import DIE
from elftools.dwarf.ranges import RangeEntry
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

_ASSEMBLER = b"GNU AS"
_INFO = ".debug_info"
_RANGES = ".debug_rnglists"


def _uleb128(value: int, size: int) -> bytes | None:
    """A number in a given number of bytes; None: it does not fit."""
    if value >> 7 * size:
        return None
    return bytes((value >> 7 * at & 0x7F) | (0x80 if at + 1 < size else 0) for at in range(size))


def _functions(elf: ELFFile) -> Iterator[DIE]:
    """Those whose length the assembler wrote."""
    for unit in elf.get_dwarf_info(relocate_dwarf_sections=False).iter_CUs():
        top = unit.get_top_DIE()
        producer = top.attributes.get("DW_AT_producer")
        if producer is None or not producer.value.startswith(_ASSEMBLER):
            continue
        for entry in top.iter_children():
            if entry.tag == "DW_TAG_subprogram" and {"DW_AT_low_pc", "DW_AT_high_pc"} <= set(entry.attributes):
                yield entry


def _sizes(elf: ELFFile) -> dict[tuple[str, int], int]:
    """Bytes of functions by name and address."""
    tables = [part for part in elf.iter_sections() if isinstance(part, SymbolTableSection)]
    return {(one.name, one["st_value"]): one["st_size"] for table in tables for one in table.iter_symbols()}


def _corrections(elf: ELFFile) -> dict[int, bytes]:
    """Bytes of the file that are to be others, by their place."""
    section, sizes = elf.get_section_by_name(_INFO), _sizes(elf)
    found: dict[int, bytes] = {}
    if section is None or section.compressed:
        return found
    for entry in _functions(elf):
        attributes = entry.attributes
        length = attributes["DW_AT_high_pc"]
        name = attributes["DW_AT_name"].value.decode(errors="replace")
        size = sizes.get((name, attributes["DW_AT_low_pc"].value), 0)
        if length.form == "DW_FORM_udata" and 0 < size < length.value:
            room = (max(length.raw_value.bit_length(), 1) + 6) // 7
            if made := _uleb128(size, room):
                found[section["sh_offset"] + length.offset] = made
    return found


def _ranges(elf: ELFFile) -> dict[int, bytes]:
    """The same for the ranges of files in assembly: .debug_aranges has their lengths after relaxation."""
    section, info = elf.get_section_by_name(_RANGES), elf.get_dwarf_info(relocate_dwarf_sections=False)
    lists, right = info.range_lists(), info.get_aranges()
    found: dict[int, bytes] = {}
    if section is None or section.compressed or lists is None or right is None:
        return found
    lengths = {(one.info_offset, one.begin_addr): one.length for one in right.entries}
    for unit in info.iter_CUs():
        top = unit.get_top_DIE().attributes
        if "DW_AT_ranges" not in top or not top["DW_AT_producer"].value.startswith(_ASSEMBLER):
            continue
        head = 1 + unit["address_size"]  # kind and first address
        for one in lists.get_range_list_at_offset(top["DW_AT_ranges"].value, unit):
            if not isinstance(one, RangeEntry):
                continue
            length = lengths.get((unit.cu_offset, one.begin_offset), 0)
            if not 0 < length < one.end_offset - one.begin_offset or one.entry_length <= head:
                continue
            if made := _uleb128(length, one.entry_length - head):
                found[section["sh_offset"] + one.entry_offset + head] = made
    return found


def finish(path: Path) -> None:
    """Correct a linked ELF; other files, and those without debugging information, stay as they are."""
    try:
        with path.open("r+b") as file:
            if not path.is_file() or file.read(4) != b"\x7fELF":
                return
            elf = ELFFile(file)
            for place, made in (_corrections(elf) | _ranges(elf)).items():
                file.seek(place)
                file.write(made)
    except (OSError, ELFError, DWARFError, KeyError, AttributeError):
        return
