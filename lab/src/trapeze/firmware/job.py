# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""`trapeze cc --job`: a job of docs/remote-jobs.md, a flat binary that runs wherever it is put.

What it takes is data: section `job` of `fw/toolchain.yaml`.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from elftools.dwarf.die import DIE
from elftools.elf.constants import SH_FLAGS
from elftools.elf.elffile import ELFFile
from elftools.elf.relocation import RelocationSection
from elftools.elf.sections import SymbolTableSection

from trapeze.common import paths, processes
from trapeze.common.errors import TrapezeError
from trapeze.common.files import replacing
from trapeze.firmware import compiler, gcc_options, reproducible, toolchain_file
from trapeze.platform.configurations import Config

ABSOLUTE = {1: "R_RISCV_32", 2: "R_RISCV_64", 20: "R_RISCV_GOT_HI20", 26: "R_RISCV_HI20"}
"""Relocations whose value depends on where the job is. Source: RISC-V ELF psABI, Relocations."""

RESULT_BYTES = 8
"""Bytes of a job's result. On a hart of 32 bits it is in two registers, of which a main() of a smaller type sets
one."""

_NO_MAIN = re.compile(r"undefined reference to [`']main'")


def _absolute(elf: ELFFile) -> Iterator[tuple[str, str]]:
    """Section and symbol of each place in memory that holds an address."""
    for section in elf.iter_sections():
        if not isinstance(section, RelocationSection):
            continue
        target = elf.get_section(section["sh_info"])
        if not target["sh_flags"] & SH_FLAGS.SHF_ALLOC:
            continue  # of debuggers
        symbols = elf.get_section(section["sh_link"])
        if not isinstance(symbols, SymbolTableSection):
            continue
        for relocation in section.iter_relocations():
            if relocation["r_info_type"] in ABSOLUTE:
                symbol = symbols.get_symbol(relocation["r_info_sym"])
                where = elf.get_section(symbol["st_shndx"]).name if isinstance(symbol["st_shndx"], int) else "nothing"
                yield target.name, symbol.name or where


def _check(path: Path) -> None:
    """Refuse a job that cannot run at any address.

    Raises:
        TrapezeError: something in it depends on its address.
    """
    with path.open("rb") as file:
        for section, symbol in _absolute(ELFFile(file)):
            raise TrapezeError(
                f"cc: --job: {section} holds the address of '{symbol}', which is not known before the job runs; "
                "let main() store such pointers instead of initialising variables with them",
                exit_code=1,
            )


def _main(elf: ELFFile) -> DIE | None:
    """What the compiler says of main(); None without debugging information."""
    if not elf.has_dwarf_info():
        return None
    for unit in elf.get_dwarf_info(relocate_dwarf_sections=False).iter_CUs():
        for entry in unit.get_top_DIE().iter_children():
            name = entry.attributes.get("DW_AT_name")
            if (
                entry.tag == "DW_TAG_subprogram"
                and name
                and name.value == b"main"
                and "DW_AT_low_pc" in entry.attributes
            ):
                return entry
    return None


def _result_bytes(path: Path) -> int:
    """Bytes of what main() returns, 0 for nothing.

    Raises:
        TrapezeError: the compiler has not said.
    """
    with path.open("rb") as file:
        found = _main(ELFFile(file))
        if found is None:
            raise TrapezeError(
                "cc: --job: nothing says whether main() returns 32 or 64 bits; leave -g0 and -s out", exit_code=1
            )
        while "DW_AT_type" in found.attributes:
            found = found.get_DIE_from_attribute("DW_AT_type")
            if "DW_AT_byte_size" in found.attributes:
                return int(found.attributes["DW_AT_byte_size"].value)
    return 0


def _link(words: Sequence[str]) -> int:
    """Compile and link.

    Returns:
        The compiler's exit code; it has said what is wrong then.

    Raises:
        TrapezeError: there is no main().
    """
    done = processes.run(words, capture_output=True, text=True)
    if done.returncode and _NO_MAIN.search(done.stderr):
        raise TrapezeError("cc: --job: there is no main(), which is what a job runs; define it", exit_code=1)
    sys.stderr.write(done.stderr)
    return done.returncode


def _output(options: Sequence[str]) -> int:
    """The place of the output's name among the options.

    Raises:
        TrapezeError: there is none.
    """
    if "-o" not in options[:-1]:
        raise TrapezeError("cc: --job: names no output; add -o OUT.bin")
    return list(options).index("-o") + 1


def command(config: Config, options: Sequence[str]) -> int:
    """Compile, link and flatten a job.

    Args:
        config: The platform.
        options: The user's, with sources and `-o OUT.bin`.

    Returns:
        The compiler's exit code; it has said what is wrong then.

    Raises:
        TrapezeError: the configuration has no jobs, there is no main(), or the job cannot run anywhere.
    """
    job = toolchain_file.data()["job"]
    if not compiler.has_region(config, job["region"]):
        raise TrapezeError(
            f"cc: --job: configuration {config.name} has no hart that runs jobs; amp, amp-2 and amp-dsp have one"
        )
    config = compiler.of_hart(config, compiler.firmware_hart(config))
    include = [f"-I{paths.ROOT / folder}" for folder in job["include"]]
    flags = reproducible.of_folder(compiler.compile_flags(config))
    words = [compiler.gcc(), *flags, *include, *job["flags"], *options]
    if not gcc_options.links(options):
        return processes.run(words).returncode
    place = _output(options)
    link = [str(paths.ROOT / job["source"]), f"-T{paths.ROOT / job['linker_script']}", *job["link"]]
    with tempfile.TemporaryDirectory() as folder:
        elf = Path(folder) / "job.elf"
        words[len(words) - len(options) + place] = str(elf)
        code = _link([*words, *link])
        if code == 0 and config.first.base.startswith("rv32") and _result_bytes(elf) <= RESULT_BYTES // 2:
            code = _link([*words, "-w", *job["narrow"], *link])  # it has warned already
        if code:
            return code
        _check(elf)
        with replacing(Path(options[place])) as made:
            # .bss is in the file, too, so that the loader need not know its size.
            processes.run(
                [toolchain_file.data()["objcopy"], *job["flatten"], str(elf), str(made)],
                check=True,
                capture_output=True,
            )
    return 0
