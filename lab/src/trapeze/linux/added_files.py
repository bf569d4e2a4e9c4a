# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""`trapeze linux --add`: files that could not run are refused before Linux boots and says only "not found"."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from pathlib import Path

from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile

from trapeze.common.errors import TrapezeError

_MIB = 1 << 20


def _of_program(elf: ELFFile) -> str | None:
    """What is wrong with an ELF file, and the remedy. Object files and modules are data here."""
    if elf["e_type"] not in ("ET_EXEC", "ET_DYN"):
        return None
    if elf["e_machine"] != "EM_RISCV" or elf.elfclass != 64:
        isa = f"{elf.get_machine_arch()}, {elf.elfclass} bits"
        return f"is a program for {isa}, and Linux runs on RISC-V, 64 bits; compile it by trapeze cc --linux"
    if any(one["p_type"] == "PT_INTERP" for one in elf.iter_segments()):
        return "is dynamically linked, and the image has no libraries; link it with -static, as trapeze cc --linux does"
    return None


def _of_script(first: bytes, places: Collection[str]) -> str | None:
    """What is wrong with the first line of a script, and the remedy."""
    if first.endswith(b"\r\n"):
        return "is a script whose lines end in CR LF; Linux wants LF alone"
    words = first[2:].decode(errors="replace").split()
    if not words or words[0].removeprefix("/") not in places:
        named = words[0] if words else "nothing"
        has = "has /bin/sh" if "bin/sh" in places else "of --uart-in has no shell; use --run"
        return f"is a script for the interpreter {named}, which is not in the image; the image {has}"
    return None


def _wrong(file: Path, places: Collection[str]) -> str | None:
    with file.open("rb") as stream:
        first = stream.readline(256)
        if first.startswith(b"#!"):
            found = _of_script(first, places)
        elif first.startswith(b"\x7fELF"):
            stream.seek(0)
            try:
                elf = ELFFile(stream)
                found = _of_program(elf)
            except ELFError as error:
                return f"is a broken ELF file ({error}); compile it by trapeze cc --linux"
            if elf["e_type"] not in ("ET_EXEC", "ET_DYN"):
                return None
        else:
            return None  # data
    if found is None and not file.stat().st_mode & 0o111:
        return f"is not executable; chmod +x {file}"
    return found


def check(files: Sequence[Path], places: Collection[str], room: int) -> None:
    """Refuse what cannot run.

    Args:
        files: Of the user.
        places: All files of the image, by their paths without the first slash.
        room: Bytes that there are for `files`.

    Raises:
        TrapezeError: one of them is for another hart, dynamically linked, not executable or for a missing interpreter;
            or all together are too large.
    """
    for file in files:
        try:
            wrong = _wrong(file, places)
        except OSError as error:
            raise TrapezeError(f"linux: --add: {file}: {os.strerror(error.errno or 0)}") from None
        if wrong is not None:
            raise TrapezeError(f"linux: --add: {file} {wrong}")
    sizes = {file: file.stat().st_size for file in files}
    if sum(sizes.values()) > room:
        largest = max(sizes, key=lambda one: sizes[one])
        raise TrapezeError(
            f"linux: --add: {largest} has {sizes[largest] / _MIB:.1f} MiB, all files {sum(sizes.values()) / _MIB:.1f} "
            f"MiB, and Linux' memory has room for {room / _MIB:.1f} MiB of files; strip the program or add less"
        )
