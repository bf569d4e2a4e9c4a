# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""`trapeze cc --monitor emulate`: a monitor put beside the ELF of a program for machine mode, which stays as it is.

The program keeps its addresses. The monitor is a segment more, at the end of imem. As the hart begins where the program
does, the program's first two words are a jump to the monitor, which puts them back when it starts. Everything else of
the file, symbols and debugging information included, is the program's.
"""

from __future__ import annotations

import io
import struct
import tempfile
from pathlib import Path

from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import NoteSection, SymbolTableSection

from trapeze.common import processes
from trapeze.common.errors import TrapezeError
from trapeze.common.files import replacing
from trapeze.firmware import compiler, segments, toolchain_file
from trapeze.platform.configurations import Config

_T0 = 5


def is_program(path: Path) -> bool:
    """Whether a file is an ELF that can be executed."""
    try:
        with path.open("rb") as file:
            return file.read(4) == b"\x7fELF" and bool(ELFFile(file)["e_type"] == "ET_EXEC")
    except (OSError, ELFError):
        return False


def _check(elf: ELFFile, path: Path, config: Config) -> None:
    """Refuse what is no program for machine mode of the configuration.

    Raises:
        TrapezeError: it is none.
    """
    sections = list(elf.iter_sections())
    names = {one.name for part in sections if isinstance(part, SymbolTableSection) for one in part.iter_symbols()}
    for other in toolchain_file.monitors():
        if f"monitor_is_{other}" in names:
            raise TrapezeError(
                f"cc: {path}: linked for --monitor {other}; --monitor emulate takes a program for machine mode: "
                "link it without --monitor",
                exit_code=1,
            )
    notes = [part for part in sections if part.name == ".note.trapeze" and isinstance(part, NoteSection)]
    built_for = notes[0].data() if notes else b""
    if f"config={config.name} ".encode() not in built_for:
        raise TrapezeError(
            f"cc: {path}: not built by trapeze cc for configuration {config.name}; "
            f"build it with --config {config.name}",
            exit_code=1,
        )


def _word(elf: ELFFile, at: int) -> int:
    """The word of a program at an address."""
    for segment in elf.iter_segments("PT_LOAD"):
        if 0 <= at - segment["p_vaddr"] <= segment["p_filesz"] - 4:
            found: int = struct.unpack_from("<I", segment.data(), at - segment["p_vaddr"])[0]
            return found
    raise TrapezeError(
        f"cc: --monitor emulate: the program has nothing at {at:#010x}, where the hart begins", exit_code=1
    )


def _monitor(config: Config, monitor: str, program: ELFFile, scratch: Path) -> bytes:
    """The monitor for one program, as an ELF.

    Raises:
        TrapezeError: it does not link.
    """
    start = config.first.reset_vector
    symbols = {
        "_start": start,
        "guest_first_word": _word(program, start),
        "guest_second_word": _word(program, start + 4),
    }
    made = scratch / "monitor.elf"
    objects = compiler.monitor_objects(config, monitor)
    words = [f"-Wl,--defsym={name}={value:#x}" for name, value in symbols.items()]
    flags = [*compiler.compile_flags(config), "-nostdlib", "-nostartfiles", "-Wl,--no-relax"]
    command = [compiler.gcc(), *flags, *map(str, objects), *words, *compiler.monitor_link(config, monitor)]
    done = processes.run([*command, "-o", str(made)], capture_output=True, text=True)
    if done.returncode:
        raise TrapezeError(f"cc: --monitor {monitor}: does not link:\n{done.stderr.strip()}", exit_code=1)
    return made.read_bytes()


def _jump(target: int) -> bytes:
    """`lui t0; jr t0` with the lower bits in the latter: two words."""
    upper = (target + 0x800) >> 12 & 0xFFFFF
    lower = target - (upper << 12) & 0xFFF
    return struct.pack("<II", upper << 12 | _T0 << 7 | 0x37, lower << 20 | _T0 << 15 | 0x67)


def _loads(elf: ELFFile) -> list[tuple[int, int]]:
    """First address and size in memory of what is loaded."""
    return [(one["p_vaddr"], one["p_memsz"]) for one in elf.iter_segments("PT_LOAD") if one["p_memsz"]]


def combine(config: Config, monitor: str, path: Path) -> bytes:
    """The ELF of a program with the monitor beside it.

    Raises:
        TrapezeError: it is no program for machine mode of the configuration, or has something where the monitor is.
    """
    content = bytearray(path.read_bytes())
    program = ELFFile(io.BytesIO(bytes(content)))
    _check(program, path, config)
    with tempfile.TemporaryDirectory() as folder:
        linked = ELFFile(io.BytesIO(_monitor(config, monitor, program, Path(folder))))
    segment = next(linked.iter_segments("PT_LOAD"))
    base, code = segment["p_vaddr"], segment.data()
    for at, size in _loads(program):
        if at < base + segment["p_memsz"] and base < at + size:
            raise TrapezeError(
                f"cc: {path}: has {size} bytes at {at:#010x}; the monitor is at {base:#010x}: make the program smaller",
                exit_code=1,
            )
    for one in program.iter_segments("PT_LOAD"):
        if 0 <= config.first.reset_vector - one["p_vaddr"] < one["p_filesz"]:
            place = one["p_offset"] + config.first.reset_vector - one["p_vaddr"]
            content[place : place + 8] = _jump(linked["e_entry"])
    segments.add(content, base, code, segment["p_memsz"])
    return bytes(content)


def write(config: Config, monitor: str, program: Path, output: Path) -> None:
    """Combine a program and the monitor into one file, which may be the program's."""
    content = combine(config, monitor, program)
    with replacing(output) as made:
        made.write_bytes(content)
