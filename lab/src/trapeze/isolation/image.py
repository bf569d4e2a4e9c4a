# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""A program as a file, as far as attempts need it: what is loaded where, its symbols, and what it was built for."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import NoteSection, SymbolTableSection

from trapeze.common.errors import TrapezeError

_BUILT_FOR = re.compile(rb"config=(\S+) ")
"""Of the note that start-up code carries (`trapeze.firmware.compiler.note`)."""


@dataclass(frozen=True)
class Segment:
    """Bytes of the file that the loader puts at an address, and zeros behind them."""

    address: int
    offset: int
    filled: int
    size: int

    @property
    def end(self) -> int:
        """The address behind it."""
        return self.address + self.size


@dataclass(frozen=True)
class Image:
    """An ELF that can be executed.

    Attributes:
        path: The file.
        content: What is in it.
        width: Bits of its class: 32 or 64.
        entry: The address of its first instruction.
        segments: What is loaded.
        symbols: Addresses by name; an image without a symbol table has none.
        built_for: The configuration that `trapeze cc` built it for; empty: it does not say.
    """

    path: Path
    content: bytes
    width: int
    entry: int
    segments: tuple[Segment, ...]
    symbols: Mapping[str, int]
    built_for: str

    def bytes_at(self, address: int, count: int) -> bytes | None:
        """What the file has for an address; None where it has less."""
        at = self.offset(address, count)
        return None if at is None else self.content[at : at + count]

    def offset(self, address: int, count: int) -> int | None:
        """The place in the file of bytes at an address."""
        for one in self.segments:
            if one.address <= address and address + count <= one.address + one.filled:
                return one.offset + address - one.address
        return None

    def with_bytes(self, address: int, code: bytes) -> bytes:
        """The file with other bytes at an address.

        Raises:
            TrapezeError: it has fewer there.
        """
        at = self.offset(address, len(code))
        if at is None:
            raise TrapezeError(
                f"{self.path}: has fewer than {len(code)} bytes of code behind {address:#x}, where an attempt is put; "
                "such a small program cannot be tried",
                1,
            )
        return self.content[:at] + code + self.content[at + len(code) :]


def load(path: Path) -> Image:
    """Read a program.

    Raises:
        TrapezeError: it is no RISC-V ELF that can be executed.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise TrapezeError(f"{path}: cannot be read: {(error.strerror or str(error)).lower()}") from None
    try:
        elf = ELFFile(io.BytesIO(content))
        sections = list(elf.iter_sections())
        tables = [part for part in sections if isinstance(part, SymbolTableSection)]
        notes = [part.data() for part in sections if part.name == ".note.trapeze" and isinstance(part, NoteSection)]
        found = _BUILT_FOR.search(b"".join(notes))
        segments = [
            Segment(one["p_vaddr"], one["p_offset"], one["p_filesz"], one["p_memsz"])
            for one in elf.iter_segments("PT_LOAD")
            if one["p_memsz"]
        ]
        machine, kind = elf["e_machine"], elf["e_type"]
        symbols = {one.name: one["st_value"] for part in tables for one in part.iter_symbols()}
        image = Image(
            path,
            content,
            elf.elfclass,
            elf["e_entry"],
            tuple(segments),
            symbols,
            found[1].decode() if found else "",
        )
    except (ELFError, ValueError, KeyError, IndexError, UnicodeDecodeError):
        raise TrapezeError(f"{path}: is no ELF; give a program that `trapeze cc` has linked") from None
    if machine != "EM_RISCV":
        raise TrapezeError(f"{path}: is not for RISC-V; give a program that `trapeze cc` has linked")
    if kind != "ET_EXEC":
        raise TrapezeError(f"{path}: is not linked; give a program that `trapeze cc` has linked")
    return image
