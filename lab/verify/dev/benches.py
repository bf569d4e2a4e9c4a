# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Designs that Verilator makes programs of: benches in SystemVerilog that need nothing around them, and others."""

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
    return program(top.stem, [*sources, top], folder, "--binary", *options)


def program(top: str, sources: Sequence[Path], folder: Path, *options: str) -> Path:
    """A design as a program.

    Args:
        top: Its module.
        sources: Its files; with `--cc --exe --build` among the options one in C++, too, that has main().
        folder: To build it in.
        options: For Verilator.
    """
    command = [
        *(str(building.verilator_root() / "bin" / "verilator"), "--top-module", top),
        *("-Mdir", str(folder), "-CFLAGS", "-O1 -std=c++20", "-MAKEFLAGS", "CFG_CXXFLAGS_PCH_I=-include", "-Wno-fatal"),
        *(*options, *map(str, sources)),
    ]
    # Verilator's makefiles call `python`. What is the same in every bench, its library, ccache knows.
    environment = building.environment() | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    if shutil.which("ccache"):
        environment["OBJCACHE"] = "ccache"
    done = bounded_processes.run(command, bounded_processes.COMPILE_SECONDS, env=environment)
    if done.returncode:
        raise AssertionError(done.stdout + done.stderr)
    return folder / f"V{top}"
