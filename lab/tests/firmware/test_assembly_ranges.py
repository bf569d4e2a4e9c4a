# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Functions in assembly do not reach into those behind them, as a debugger sees it."""

from __future__ import annotations

import subprocess
from itertools import pairwise
from pathlib import Path

import pytest
from elftools.dwarf.die import DIE
from elftools.elf.elffile import ELFFile

from trapeze.firmware import assembly_ranges
from verify.dev.testing import Trapeze

MAIN = "#include <trapeze/irq.h>\nint main(void) { irq_unlock_all(); return 0; }\n"


def _name(entry: DIE) -> str:
    """The name of a function; the compiler says that of one of its copies elsewhere."""
    while "DW_AT_name" not in entry.attributes:
        entry = entry.get_DIE_from_attribute("DW_AT_abstract_origin")
    return str(entry.attributes["DW_AT_name"].value.decode())


def _functions(elf: Path) -> list[tuple[int, int, str, bool]]:
    """First address, first address behind it, name, in assembly: of the functions of our own."""
    found = []
    with elf.open("rb") as file:
        for unit in ELFFile(file).get_dwarf_info().iter_CUs():
            top = unit.get_top_DIE()
            if b"libgcc" in top.attributes["DW_AT_name"].value:
                continue  # which has functions with several entries
            for entry in top.iter_children():
                values = {name: one.value for name, one in entry.attributes.items()}
                if entry.tag == "DW_TAG_subprogram" and values.get("DW_AT_low_pc") and "DW_AT_high_pc" in values:
                    begin = values["DW_AT_low_pc"]
                    assembly = top.attributes["DW_AT_producer"].value.startswith(b"GNU AS")
                    found.append((begin, begin + values["DW_AT_high_pc"], _name(entry), assembly))
    return sorted(found)


@pytest.mark.parametrize(
    ("name", "options"),
    [("mcu-clint", ()), ("mcu-clint-e", ("-Og",)), ("mcu-fastirq", ("--rtos", "freertos")), ("mcu-user", ("-O0",))],
)
def test_functions_end_where_the_next_one_begins(
    trapeze: Trapeze, tmp_path: Path, name: str, options: tuple[str, ...]
) -> None:
    source, elf = tmp_path / "main.c", tmp_path / "x.elf"
    source.write_text(MAIN)
    assert trapeze("cc", "--config", name, *options, source, "-o", elf).code == 0
    functions = _functions(elf)
    assert sum(assembly for *_, assembly in functions) >= 2
    for one, behind in pairwise(functions):
        assert one[1] <= behind[0] or one[2] == "numbers" or one[:1] == behind[:1], (one, behind)


def test_gdb_knows_whose_instruction_it_is(trapeze: Trapeze, tmp_path: Path) -> None:
    """main() is behind the entry of interrupts there."""
    source, elf = tmp_path / "main.c", tmp_path / "x.elf"
    source.write_text('int main(void) { __asm__ volatile(""); return 0; }\n')
    assert trapeze("cc", "--config", "mcu-clint", "-g", "-Og", source, "-o", elf).code == 0
    # First that of the entry: GDB knows its file from then on.
    name = "str(gdb.block_for_pc(int(gdb.parse_and_eval('(unsigned long)&{}'))).function)"
    ask = "python print(" + ", ".join(name.format(one) for one in ("__irq_entry", "main")) + ")"
    words = ["gdb-multiarch", "-nx", "-batch", str(elf), "-ex", ask]
    assert subprocess.run(words, capture_output=True, text=True).stdout.strip() == "__irq_entry main"


def test_other_files_stay_as_they_are(tmp_path: Path) -> None:
    for content in (b"", b"\x7fELF", b"\x7fELF" + bytes(60), b"text"):
        path = tmp_path / "x"
        path.write_bytes(content)
        assembly_ranges.finish(path)
        assert path.read_bytes() == content
    assembly_ranges.finish(tmp_path / "none")
    assembly_ranges.finish(Path("/dev/null"))
