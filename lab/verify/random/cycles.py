# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Cycles of random programs: the RTL takes as many as it took when they were counted.

`python -m verify.random.cycles` counts them again, after a change of the programs, or of the RTL if it is meant to
change cycles. The programs are short and always the same; interrupts and wait states come at random cycles.
"""

from __future__ import annotations

import hashlib
import json
import sys
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

from trapeze.common import paths
from trapeze.common.errors import TrapezeError
from trapeze.common.output import write_atomic
from verify.random import seeds
from verify.random.lockstep import engines
from verify.random.lockstep.engines import Engines, Settings

FILE = paths.LAB / "tests" / "random" / "cycles.json"
CONFIGS = ("duo", "mcu-clic", "mcu-clint", "mcu-fastirq", "mcu-fastirq-inplace", "mcu-fastirq-shared")
SEEDS = range(1, 65)
BLOCKS = 20
_COUNT = "python -m verify.random.cycles"


@dataclass(frozen=True)
class Counted:
    """A program and the cycles that it takes.

    Attributes:
        seed: Of the program.
        elf: It.
        settings: Circumstances of the run.
        cycles: Of the RTL to the program's end; None: not counted yet.
    """

    seed: int
    elf: Path
    settings: Settings
    cycles: int | None


def _made(config: str, folder: Path) -> tuple[str, list[tuple[int, Path, Settings]]]:
    """The programs of a configuration, and a digest that changes with them."""
    digest, made = hashlib.sha256(), []
    for seed in SEEDS:
        program, settings = seeds.make(seed, config, BLOCKS)
        settings = replace(settings, reset_seed=0)  # a program may count what it finds in memory
        digest.update(f"{program.text}\0{settings}\0".encode())
        made.append((seed, engines.assemble(program.text, program.base, folder, f"cycles{seed}"), settings))
    return digest.hexdigest()[:16], made


def collect(config: str, folder: Path, file: Path = FILE) -> list[Counted]:
    """The programs of a configuration; none for one whose cycles are not counted.

    Args:
        config: Name of the configuration.
        folder: For the programs.
        file: With the cycles.

    Raises:
        TrapezeError: the programs are others than those that were counted.
    """
    if config not in CONFIGS:
        return []
    digest, made = _made(config, folder)
    known = json.loads(file.read_text()).get(config, {})
    if known.get("programs") != digest or len(known.get("cycles", ())) != len(made):
        raise TrapezeError(f"{file}: the random programs of {config} have changed since; '{_COUNT}' counts them anew")
    return [Counted(*one, cycles) for one, cycles in zip(made, known["cycles"], strict=True)]


def count(on: Engines, folder: Path) -> dict[str, object]:
    """Run the programs of a configuration, and return its new entry of the file.

    Raises:
        TrapezeError: one fails.
    """
    digest, made = _made(on.config, folder)
    found = []
    for seed, elf, settings in made:
        verdict = on.run(elf, settings)
        if not verdict.passed:
            raise TrapezeError(f"seed {seed} on {on.config}: {verdict.kind}: {verdict.report}", exit_code=1)
        found.append(verdict.cycles)
    return {"programs": digest, "cycles": found}


def main() -> int:
    """Count and write; 0 if all went well, else 1 or 2."""
    try:
        with tempfile.TemporaryDirectory(prefix="trapeze-cycles-") as folder:
            counted = {config: count(Engines.of(config), Path(folder) / config) for config in CONFIGS}
    except TrapezeError as error:
        print(f"trapeze: error: {error}", file=sys.stderr)
        return error.exit_code
    write_atomic(FILE, json.dumps(counted, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
