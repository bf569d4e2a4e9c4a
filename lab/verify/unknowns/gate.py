# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""A program on the netlist, in Icarus Verilog: whether anything unknown comes out, and from which register it came."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from elftools.elf.elffile import ELFFile

from trapeze.common import processes
from trapeze.common.errors import TrapezeError
from trapeze.platform.configurations import Config
from verify.random.lockstep.shrink import reduced
from verify.unknowns import bench, netlist
from verify.unknowns.netlist import Netlist

TOP = "trapeze_sim_top"
MOST = 100_000
"""Cycles in which a program has to come to its end."""
NO_END = f"no end after {MOST} cycles, nothing unknown until then"
_SECONDS = 1200
_UNKNOWN = re.compile(r"^unknown (.*) in cycle (\d+)$", re.MULTILINE)
_EXIT = re.compile(r"^exit (\d+)$", re.MULTILINE)


@dataclass(frozen=True)
class Seen:
    """What a run showed.

    Attributes:
        unknown: What was X first; None: nothing.
        cycle: When.
        registers: Those without which it would not have been: with a value in each of them it is not.
        code: The exit code, of a run that came to its end.
    """

    unknown: str | None
    cycle: int
    registers: tuple[str, ...]
    code: int | None

    def complaint(self, expected: int) -> str | None:
        """What is wrong, None if nothing is; `expected`: the exit code."""
        if self.unknown is not None:
            return f"{self.unknown} is X in cycle {self.cycle}, because of {', '.join(self.registers) or '?'}"
        if self.code is None:
            return NO_END
        return None if self.code % 256 == expected else f"exit code {self.code}, expected {expected}"


class Simulation:
    """A design in a folder, ready to run programs."""

    def __init__(self, config: Config, folder: Path, edits: tuple[tuple[str, str], ...] = ()) -> None:
        """Translate it.

        Args:
            config: The configuration.
            folder: For the simulation's files.
            edits: As for `netlist.build`.

        Raises:
            TrapezeError: a tool is missing or failed.
        """
        self._config, self._folder = config, folder
        self._netlist: Netlist = netlist.build(config, edits)
        text = folder / "bench.v"
        text.write_text(bench.text(config, self._netlist, TOP))
        self._run(["iverilog", "-g2005-sv", "-o", "bench.vvp", str(text), str(self._netlist.path)])

    def _run(self, command: Sequence[str]) -> str:
        if shutil.which(command[0]) is None:
            raise TrapezeError(f"{command[0]} not found; install the Debian package iverilog")
        done = processes.run(command, cwd=self._folder, capture_output=True, text=True, timeout=_SECONDS)
        if done.returncode:
            why = processes.reason(done.returncode, done.stdout + done.stderr, 20)
            raise TrapezeError(f"{command[0]} failed: {why}", exit_code=1)
        said: str = done.stdout
        return said

    def _load(self, elf: Path) -> None:
        with elf.open("rb") as file:
            segments = [one for one in ELFFile(file).iter_segments() if one["p_type"] == "PT_LOAD" and one["p_filesz"]]
            pieces = [(one["p_paddr"], one.data()) for one in segments]
        for memory in self._config.platform.memories:
            content = bytearray()
            for address, data in pieces:
                at = address - memory.base
                if 0 <= at < memory.size:
                    content.extend(bytes(max(0, at + len(data) - len(content))))
                    content[at : at + len(data)] = data
            content.extend(bytes(-len(content) % 4 or (4 if not content else 0)))
            words = (int.from_bytes(content[at : at + 4], "little") for at in range(0, len(content), 4))
            (self._folder / f"{memory.name}.hex").write_text("".join(f"{word:08x}\n" for word in words))

    def _simulate(self, picked: frozenset[str], until: int) -> str:
        bits = "".join(f"{int(name in picked)}\n" for name in self._netlist.registers)
        (self._folder / bench.PICKED).write_text(bits)
        return self._run(["vvp", "-n", "bench.vvp", f"+until={until}"])

    def run(self, elf: Path) -> Seen:
        """Run a program, the same one on every hart.

        Raises:
            TrapezeError: the simulator failed.
        """
        self._load(elf)
        said = self._simulate(frozenset(), MOST)
        found, end = _UNKNOWN.search(said), _EXIT.search(said)
        if found is None:
            return Seen(None, 0, (), int(end[1]) if end else None)
        cycle = int(found[2])

        def gone(some: Sequence[str]) -> bool:
            return _UNKNOWN.search(self._simulate(frozenset(some), cycle)) is None

        names = reduced(self._netlist.registers, gone) if gone(self._netlist.registers) else ()
        return Seen(found[1], cycle, tuple(name.lstrip("\\") for name in names), None)


def check(config: Config, elf: Path, edits: tuple[tuple[str, str], ...] = ()) -> Seen:
    """Run a program on a configuration.

    Raises:
        TrapezeError: a tool is missing or failed.
    """
    with tempfile.TemporaryDirectory(prefix="trapeze-unknowns-") as name:
        return Simulation(config, Path(name), edits).run(elf)
