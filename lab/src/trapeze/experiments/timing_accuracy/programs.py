# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The programs: built once, for Rocket's harness and for our platforms, and what they print."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from trapeze.common import paths, processes
from trapeze.common.errors import TrapezeError
from trapeze.experiment_files import Case
from trapeze.experiments.timing_accuracy import linux_boot
from trapeze.firmware import compiler
from trapeze.synth import peers

FOLDER = paths.BENCH / "timing-accuracy"

PLATFORM = ("start.S", "platform.c")
"""What every program is linked with."""

MAINS = {"whole": "whole.c", "micro": "micro/main.c", "tlb": "tlb/main.c"}
"""The main() of each kind of program."""

LINUX = "linux"
"""The kind that boots Linux; it has no main()."""

WHOLE = "whole"
"""The line of all of a program; others of Linux are phases."""

RESULTS = "results\n"
"""Behind this line are the results of a program that prints something else before."""

OF_KERNELS = ("micro", "tlb")
"""Kinds whose lines are kernels."""

FLAGS = (
    *("-misa-spec=2.2", "-march=rv64imafdc", "-mabi=lp64d", "-mcmodel=medany", "-O2", "-g", "-ffreestanding"),
    *("-fno-tree-loop-distribute-patterns", "-nostdlib", "-nostartfiles", "-DTRAPEZE_MAP_APP=1"),
    *("-Wl,--defsym=TRAPEZE_DRAM_BASE=0x80000000", "-Wl,--no-warn-rwx-segments", "-Wl,--build-id=none"),
)
"""RV64GC without what Rocket does not have; loops that copy stay loops, since platform.c has no better ones."""


class Result(NamedTuple):
    """A line of a program: of kernels rounds, cycles, instructions; of others cycles, instructions, checksum."""

    name: str
    first: int
    second: int
    third: int


@dataclass(frozen=True)
class Package:
    """Sources in the package of a core of others."""

    peer: str
    folder: str
    sources: tuple[str, ...]

    def words(self) -> list[str]:
        """Sources and include path, the package installed if need be.

        Raises:
            TrapezeError: it cannot be had.
        """
        root = peers.install(peers.find(self.peer)) / self.folder
        return [f"-I{root}", *(str(root / name) for name in self.sources)]


def kind(case: Case) -> str:
    """`whole`, `micro`, `tlb` or `linux`."""
    return str(case.own.get("program", "whole"))


def name(case: Case) -> str:
    """A row's program: its id behind the peer's name."""
    return case.id.partition("/")[2]


def build(case: Case, experiment: str) -> Path:
    """The program of a row.

    Raises:
        TrapezeError: it does not build.
    """
    elf = case.elf(experiment)
    elf.parent.mkdir(parents=True, exist_ok=True)
    package = case.part("package", Package)
    includes = dict.fromkeys((paths.ROOT / "regs" / "gen" / "c", FOLDER, *(one.parent for one in case.sources)))
    words = [compiler.gcc(), *FLAGS, *(f"-I{one}" for one in includes), *case.options]
    if kind(case) == LINUX:
        words += linux_boot.words(case, elf)
    else:
        words += [str(FOLDER / one) for one in (*PLATFORM, MAINS[kind(case)])]
        words += [*map(str, case.sources), *(package.words() if package else ())]
        words += [f"-T{FOLDER / 'program.ld'}"]
    words += ["-lgcc", "-o", str(elf)]
    done = processes.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        raise TrapezeError(f"{case.id} does not build:\n{done.stderr.strip()}", 1)
    return elf


def results(console: str) -> tuple[Result, ...]:
    """What a program printed.

    Raises:
        TrapezeError: something else is among it.
    """
    found = []
    for line in console.rpartition(RESULTS)[2].splitlines():
        match line.split():
            case [first, *numbers] if len(numbers) == 3 and all(one.isdecimal() for one in numbers):
                found.append(Result(first, *map(int, numbers)))
            case _:
                raise TrapezeError(f"the program printed '{line}', which is not a name and three numbers", 1)
    if not found:
        raise TrapezeError("the program printed nothing", 1)
    return tuple(found)
