# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""GDB for tests: a simulator that waits for it, and a session with that."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import NamedTuple

from trapeze.platform import configurations as config
from trapeze.simulation import simulator
from trapeze.simulation.options import Options


class Session(NamedTuple):
    """What GDB printed, and how the simulator ended."""

    text: str
    exit_code: int
    console: str
    complaints: str

    def numbers(self) -> list[int]:
        """The values that `print` showed, in order."""
        return [int(value, 0) for value in re.findall(r"^\$\d+ = (-?\w+)", self.text, re.MULTILINE)]


def start(
    elf: Path, engine: str, name: str = "mcu-clint", record: Path | None = None, **more: object
) -> tuple[subprocess.Popen[str], int]:
    """A simulator that waits for GDB, and its port. More are `Options`.

    Raises:
        AssertionError: it does not wait.
    """
    options = Options(engine=engine, gdb=0, **more)  # type: ignore[arg-type]
    with simulator.scratch() as folder:
        command = simulator.command_line(folder, elf, config.load(name), options, record)
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        line = process.stderr.readline() if process.stderr else ""
    port = re.search(r"target remote localhost:(\d+)$", line.strip())
    if port is None:
        raise AssertionError(f"the run does not wait for GDB: {line}")
    return process, int(port[1])


def debug(
    elf: Path, engine: str, *commands: str, name: str = "mcu-clint", record: Path | None = None, **more: object
) -> Session:
    """Run GDB's commands on a program; GDB kills it at the end unless it has ended. More: as of `start`."""
    process, port = start(elf, engine, name, record, **more)
    script = ["set confirm off", "set width 0", f"target remote localhost:{port}", *commands]
    words = [word for command in script for word in ("-ex", command)]
    with process:
        gdb = subprocess.run(
            ["gdb-multiarch", "-nx", "-batch", *words, str(elf)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=120,
        )
        console, complaints = process.communicate(timeout=60)
    return Session(gdb.stdout, process.returncode, console, complaints)
