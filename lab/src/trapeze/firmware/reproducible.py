# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The same sources make the same ELF: at each build, in each folder, from each checkout of the repository.

Debugging information names sources relative to the folder of the build, and those of the repository relative to its
root. GDB finds them from there; elsewhere its command `directory` names the two (docs/debugging.md).
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from trapeze.common import paths

_TEMPORARY = re.compile(r"cc[A-Za-z0-9]{6}(\.[a-z0-9]+)*\.o")
"""Names that gcc gives to objects between assembler and linker; the linker notes them where no source is named."""

_FIXED = "000000"
"""Stands for the random characters of such a name; it has as many, so that nothing moves."""


def _map(folder: Path, name: str) -> list[str]:
    """For the compiler, and for the assembler, to which the compiler does not pass it on."""
    return [f"-ffile-prefix-map={folder}={name}", "-Xassembler", f"--debug-prefix-map={folder}={name}"]


def of_repository() -> list[str]:
    """Options by which what is compiled names the repository's files alike wherever it is."""
    build = [] if paths.BUILD.is_relative_to(paths.ROOT) else _map(paths.BUILD, "./build")
    return [*_map(paths.ROOT, "."), *build]


def of_folder(options: Sequence[str]) -> list[str]:
    """Options with one more: what is compiled names files alike in whichever folder the compiler works.

    Of two that fit the compiler takes the later one. The folder may be one of the repository's, or hold the repository.
    """
    here = Path.cwd()
    if here == Path(here.anchor):
        return [*options]
    named = {here, Path(os.environ.get("PWD") or here)}  # the compiler's name for it, if the path contains links
    maps = [word for one in sorted(named) if one.exists() and one.samefile(here) for word in _map(one, ".")]
    return [*maps, *options] if paths.ROOT.is_relative_to(here) else [*options, *maps]


def finish(path: Path) -> None:
    """Give objects that had no name of their own a fixed one in a linked ELF; other files stay as they are."""
    try:
        with path.open("r+b") as file:
            if not path.is_file() or file.read(4) != b"\x7fELF":
                return
            elf = ELFFile(file)
            tables = [part for part in elf.iter_sections() if isinstance(part, SymbolTableSection)]
            places = [
                table.stringtable["sh_offset"] + one["st_name"]
                for table in tables
                for one in table.iter_symbols()
                if one["st_info"]["type"] == "STT_FILE" and _TEMPORARY.fullmatch(one.name)
            ]
            for place in places:
                file.seek(place + len("cc"))
                file.write(_FIXED.encode())
    except (OSError, ELFError):
        return
