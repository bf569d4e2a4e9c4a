# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""A segment more in the ELF of a linked program, which stays as it is otherwise."""

from __future__ import annotations

import io
import struct

from elftools.elf.elffile import ELFFile

_HEADER = struct.Struct("<8I")
"""Program header of 32 bits: type, offset, virtual and physical address, sizes in file and memory, flags, alignment."""

_PT_LOAD = 1
_TABLE_AT = 28
"""Place of e_phoff in the file; e_phentsize and e_phnum are at 42."""

_READ_EXECUTE = 5


def add(content: bytearray, base: int, code: bytes, size: int = 0) -> None:
    """Append a segment to a 32-bit ELF file: bytes that are loaded at an address, and zeros up to a size."""
    program = ELFFile(io.BytesIO(bytes(content)))
    headers = [
        content[at : at + _HEADER.size]
        for at in range(program["e_phoff"], program["e_phoff"] + program["e_phnum"] * 32, 32)
    ]
    content += bytes(-len(content) % 16)
    headers.append(
        bytearray(_HEADER.pack(_PT_LOAD, len(content), base, base, len(code), max(size, len(code)), _READ_EXECUTE, 16))
    )
    content += code
    content += bytes(-len(content) % 16)
    struct.pack_into("<I", content, _TABLE_AT, len(content))
    struct.pack_into("<HH", content, 42, _HEADER.size, len(headers))
    for header in headers:
        content += header
