# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""What the rows that run Linux execute: a boot, with a program or without, on the model and on QEMU.

The program's sources are in the package of a core of others, which is installed when it is first wanted: they are no
part of this repository.
"""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trapeze.common import processes
from trapeze.common.errors import TrapezeError
from trapeze.experiment_files import Case
from trapeze.linux import image, kernel, program
from trapeze.platform.configurations import Config
from trapeze.simulation import simulator
from trapeze.simulation.options import Options
from trapeze.synth import peers

MAX_INSTRUCTIONS = 20_000_000_000
QEMU_SECONDS = 120
QEMU = ["qemu-system-riscv64", "-M", "virt", "-m", "64M", "-nographic", "-no-reboot"]


@dataclass(frozen=True)
class Boot:
    """What Linux runs.

    Attributes:
        script: Of the first program.
        says: Text that the console has to show.
        program: A program in /bin: its name, and where its sources are.
    """

    script: str
    says: str = ""
    program: Mapping[str, Any] | None = None

    def image(self, config: Config, folder: Path) -> Path:
        """The image that boots, built if need be; the program goes to `folder`.

        Raises:
            TrapezeError: there is no kernel and none can be built, or the program cannot be had or compiled.
        """
        kernel.build()  # first: its packages have the compiler of programs, too
        return image.build(config, self.script, self.compiled(folder))

    def compiled(self, folder: Path) -> list[Path]:
        """The program in `folder`, if there is one.

        Raises:
            TrapezeError: its sources cannot be had, or do not compile.
        """
        if self.program is None:
            return []
        of, made = self.program, folder / str(self.program["name"])
        root = peers.install(peers.find(of["peer"])) / of["folder"]
        made.parent.mkdir(parents=True, exist_ok=True)
        words = [*of.get("options", ()), *(f"-I{root / one}" for one in of.get("includes", ()))]
        words += [*(str(root / one) for one in of["sources"]), "-o", str(made)]
        done = processes.run(program.command_line(words), capture_output=True, text=True, check=False)
        if done.returncode:
            raise TrapezeError(f"{made.name} does not build:\n{done.stderr.strip()}", 1)
        return [made]

    def require(self, what: str, code: int, console: bytes) -> None:
        """Refuse a run that did not do its work.

        Raises:
            TrapezeError: it ended with another code than 0, or did not print the text.
        """
        text = console.decode(errors="replace").replace("\r", "")
        if code or self.says not in text:
            why = f"ended with {code}" if code else f"did not say '{self.says}'"
            raise TrapezeError(f"{what} {why}: {' / '.join(text.splitlines()[-3:])}", 1)


def on_model(elf: Path, case: Case, boot: Boot) -> int:
    """Boot on the model, run, power off; the instructions that it took.

    Raises:
        TrapezeError: it did not do its work.
    """
    outcome = simulator.measure(elf, case.config, Options(max_cycles=MAX_INSTRUCTIONS, engine="model"))
    boot.require(f"{case.id}: the run", outcome.exit_code, outcome.console)
    return outcome.run.instructions


def on_qemu(elf: Path, case: Case, boot: Boot, instructions: int) -> int:
    """The same image on QEMU's `virt` machine, as fast as it goes.

    QEMU's clock is the host's, so it executes slightly more or fewer instructions than the model, and does not report
    their number. The figure uses the model's number for the same work.

    Raises:
        TrapezeError: there is no QEMU, or it did not do its work.
    """
    command = [*QEMU, "-bios", str(elf)]
    try:
        done = processes.run(command, given=b"", capture_output=True, timeout=QEMU_SECONDS, check=False)
    except FileNotFoundError:
        raise TrapezeError(f"{command[0]} not found; `trapeze doctor` says how to get it") from None
    except subprocess.TimeoutExpired:
        raise TrapezeError(f"{case.id}: QEMU did not end within {QEMU_SECONDS} s", 1) from None
    boot.require(f"{case.id}: QEMU", done.returncode, done.stdout)
    return instructions
