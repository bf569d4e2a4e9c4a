# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Benches in SystemVerilog that need nothing around them: Verilator makes each a program."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from trapeze.common import bounded_processes
from trapeze.simulation import building


def binary(top: Path, sources: Sequence[Path], folder: Path, *options: str) -> Path:
    """A bench as a program.

    Args:
        top: Its file, which has the name of its module.
        sources: What it instantiates.
        folder: To build it in.
        options: For Verilator.
    """
    command = [
        *(str(building.verilator_root() / "bin" / "verilator"), "--binary", "--top-module", top.stem),
        *("-Mdir", str(folder), "-CFLAGS", "-O1 -std=c++20", "-MAKEFLAGS", "CFG_CXXFLAGS_PCH_I=-include", "-Wno-fatal"),
        *(*options, *map(str, (*sources, top))),
    ]
    # Verilator's makefiles call `python`. What is the same in every bench, its library, ccache knows.
    environment = building.environment() | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    if shutil.which("ccache"):
        environment["OBJCACHE"] = "ccache"
    done = bounded_processes.run(command, bounded_processes.COMPILE_SECONDS, env=environment)
    if done.returncode:
        raise AssertionError(done.stdout + done.stderr)
    return folder / f"V{top.stem}"
