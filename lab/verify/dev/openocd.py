# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""OpenOCD and GDB at the JTAG port of a simulated platform, for tests."""

from __future__ import annotations

import re
import shlex
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from trapeze.firmware import toolchain
from trapeze.platform import configurations as config
from trapeze.simulation import simulator
from trapeze.simulation.options import Options

SECONDS = 20
"""After which a session hangs."""


@dataclass(frozen=True)
class Session:
    """What OpenOCD and GDB printed, and how the simulator ended."""

    openocd: str
    gdb: str
    exit_code: int
    console: str
    complaints: str

    def said(self) -> list[str]:
        """What OpenOCD's scripts printed by `say`, in order."""
        return re.findall(r"^say (.*)$", self.openocd, re.MULTILINE)

    def numbers(self) -> list[int]:
        """The values that GDB's `print` showed, in order."""
        return [int(value, 0) for value in re.findall(r"^\$\d+ = (-?\w+)", self.gdb, re.MULTILINE)]


TCL = """
proc say {what} { echo "say $what" }
proc value {name} { return [format %#x [dict get [get_reg -force $name] $name]] }
proc word {address} { return [format %#x [read_memory $address 32 1]] }
proc words {address count} { return [read_memory $address 32 $count] }
"""


def symbol(elf: Path, name: str) -> int:
    """The address of a name of a program.

    Raises:
        AssertionError: it has no such name.
    """
    with elf.open("rb") as file:
        table = ELFFile(file).get_section_by_name(".symtab")
        found = table.get_symbol_by_name(name) if isinstance(table, SymbolTableSection) else None
        if not found:
            raise AssertionError(f"{elf} has no {name}")
        return int(found[0]["st_value"])


def tcl(elf: Path, text: str) -> str:
    """A script with addresses in the place of `[symbol NAME]`."""
    return re.sub(r"\[symbol (\w+)\]", lambda found: f"{symbol(elf, found[1]):#x}", text)


def builder(folder: Path, config_name: str) -> Callable[..., Path]:
    """What compiles a text for a configuration, once, and gives the program's path."""
    known: dict[tuple[str, str], Path] = {}

    def build(text: str, name: str = config_name, suffix: str = "c") -> Path:
        if (text, name) not in known:
            place = folder / str(len(known))
            place.mkdir()
            source = place / f"main.{suffix}"
            source.write_text(text)
            known[text, name] = toolchain.build(config.load(name), [source], place / "main.elf", ["-g"])
        return known[text, name]

    return build


def start(elf: Path, name: str, **more: object) -> tuple[subprocess.Popen[str], list[str]]:
    """A simulator that waits for OpenOCD, and OpenOCD's command line. More are `Options`.

    Raises:
        AssertionError: it does not wait.
    """
    options = Options(jtag=0, **more)  # type: ignore[arg-type]
    with simulator.scratch() as folder:
        command = simulator.command_line(folder, elf, config.load(name), options)
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        line = process.stderr.readline() if process.stderr else ""
    told = line.partition("waiting for openocd: ")[2]
    if not told:
        raise AssertionError(f"the run does not wait for OpenOCD: {line}")
    return process, shlex.split(told)


def _ports(command: Sequence[str], before: str = "") -> list[str]:
    return [command[0], "-c", f"{before}gdb_port 0; telnet_port disabled; tcl_port disabled", *command[1:]]


def _rest(process: subprocess.Popen[str], seen: str) -> tuple[str, str]:
    try:
        return process.communicate(timeout=SECONDS)
    except subprocess.TimeoutExpired:
        raise AssertionError(f"the program does not end: {seen}") from None


def script(elf: Path, name: str, tcl: str, **more: object) -> Session:
    """Run OpenOCD's commands, then its `shutdown`, and the program to its end. More: as of `start`."""
    process, command = start(elf, name, **more)
    with process:
        try:
            done = subprocess.run(
                [*_ports(command), "-c", f"init\n{TCL}\n{tcl}", "-c", "shutdown"],
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                timeout=SECONDS,
            )
            console, complaints = _rest(process, done.stdout)
        finally:
            process.kill()
    return Session(done.stdout, "", process.returncode, console, complaints)


def debug(elf: Path, name: str, *commands: str, apart: int | None = None, **more: object) -> Session:
    """Run GDB's commands on a program by way of OpenOCD, and the program to its end. More: as of `start`.

    `[port]` in a command is OpenOCD's port for GDB. With `apart` each hart has its own, and GDB takes this hart's.
    """
    process, command = start(elf, name, **more)
    command = _ports(command, "" if apart is None else "set SMP 0; ")
    with (
        process,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as openocd,
    ):
        try:
            begin, ports, wanted = "", list[str](), (apart or 0) + 1
            while len(ports) < wanted and openocd.stdout is not None and (line := openocd.stdout.readline()):
                begin += line
                ports += re.findall(r"Listening on port (\d+) for gdb", line)
            if len(ports) < wanted:
                raise AssertionError(begin)
            words = ["set osabi none", "set confirm off", "set width 0", "set remotetimeout 30"]
            words += ["target extended-remote localhost:[port]", *commands]
            words = [one.replace("[port]", ports[-1]) for one in words]
            gdb = subprocess.run(
                ["gdb-multiarch", "-nx", "-batch", *(part for one in words for part in ("-ex", one)), str(elf)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                timeout=SECONDS,
            )
            console, complaints = _rest(process, gdb.stdout)
            openocd.terminate()
            rest = openocd.communicate(timeout=SECONDS)[0]
        finally:
            openocd.kill()
            process.kill()
    return Session(begin + rest, gdb.stdout, process.returncode, console, complaints)
