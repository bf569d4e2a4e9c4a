# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Memories on a board: how large they are there, and what they begin with."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile

from trapeze.common.errors import TrapezeError
from trapeze.fpga.boards import Board
from trapeze.platform.configurations import Config
from trapeze.platform.rtl import BANKS

SHARED = "shmem"

BLOCK = 2048
"""Bytes of a block of RAM: 16 of its 18 kbit, because a word has 32 bits."""


@dataclass(frozen=True)
class Memory:
    """A memory of a hart, or the shared one (`hart` is None), with its size on the board."""

    name: str
    hart: int | None
    base: int
    size: int

    @property
    def file(self) -> str:
        """The end of the name of the file that it begins with, as the RTL makes it up (trapeze_soc, Init)."""
        return f"{'' if self.hart is None else f'{self.hart:x}'}{self.name}.hex"


def sizes(board: Board, config: Config) -> dict[str, int]:
    """The size of each memory on the board, by name.

    Raises:
        TrapezeError: stacks would not have their memory, or the FPGA has not so many blocks.
    """
    found = {one.name: min(one.size, board.memories.get(one.name, one.size)) for one in config.platform.memories}
    smem = config.platform.region("smem")
    if found["smem"] < smem.size:
        raise TrapezeError(
            f"{board.name}: smem has {found['smem']} bytes, "
            f"but the stacks of {config.name} begin at the end of {smem.size}"
        )
    needed = sum(blocks(one.size) for one in of(config, found))
    if needed > board.block_ram:
        harts = f"the memories of its {len(config.harts)} harts" if len(config.harts) > 1 else "its memories"
        raise TrapezeError(
            f"{config.name}: {harts} need {needed} blocks of RAM, and {board.name} has {board.block_ram}; "
            "choose a configuration with less"
        )
    return found


def blocks(size: int) -> int:
    """Blocks of RAM for so many bytes."""
    return -(-size // BLOCK)


def of(config: Config, size: Mapping[str, int]) -> list[Memory]:
    """The memories of a platform, each with its size."""
    made = []
    for one in config.platform.memories:
        harts: tuple[int | None, ...] = tuple(range(len(config.harts))) if one.name in BANKS else (None,)
        made += [Memory(one.name, hart, one.base, size[one.name]) for hart in harts]
    return made


def _words(content: bytes) -> str:
    return "".join(f"{int.from_bytes(content[at : at + 4], 'little'):08x}\n" for at in range(0, len(content), 4))


def _pieces(path: Path) -> Iterator[tuple[str, int, int, bytes]]:
    """What a program needs: sections or, without them, segments; name, address, bytes and those that are not zero.

    Raises:
        TrapezeError: it is no program for these harts.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise TrapezeError(f"{path}: cannot be read: {(error.strerror or str(error)).lower()}") from None
    try:
        program = ELFFile(io.BytesIO(content))
        if program.elfclass != 32 or program["e_machine"] != "EM_RISCV" or program["e_type"] != "ET_EXEC":
            raise TrapezeError(f"{path}: not a program for RISC-V with 32 bits; link one with trapeze cc")
        found = [
            (one.name, one["sh_addr"], one["sh_size"], b"" if one["sh_type"] == "SHT_NOBITS" else one.data())
            for one in program.iter_sections()
            if one["sh_flags"] & 2 and one["sh_size"]
        ]
        yield from found or (
            (f"segment {number}", one["p_paddr"], one["p_memsz"], one.data())
            for number, one in enumerate(program.iter_segments("PT_LOAD"))
        )
    except (ELFError, ValueError, KeyError, AttributeError) as error:
        raise TrapezeError(f"{path}: not an ELF file that can be read: {error}") from None


def images(path: Path | None, memories: list[Memory], board: str) -> dict[str, str]:
    """The files that the memories begin with, by the end of their names; what no program fills is zero.

    Raises:
        TrapezeError: the program cannot be read, or does not fit.
    """
    made = {one: bytearray(one.size) for one in memories}
    for name, address, size, content in _pieces(path) if path is not None else ():
        there = [one for one in memories if one.base <= address < one.base + one.size]
        below = [one for one in memories if one.base <= address]
        if not there and not below:
            raise TrapezeError(f"{path}: {name} is at {address:#x}, where no memory is")
        for one in there or [max(below, key=lambda one: one.base)]:
            over = address + size - one.base - one.size
            if over > 0:
                raise TrapezeError(
                    f"{path}: {name} ends {over} bytes behind the end of {one.name}, which has {one.size} on {board}"
                )
            at = address - one.base
            made[one][at : at + len(content)] = content
    return {one.file: _words(bytes(content)) for one, content in made.items()}
