# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Where things are: in the repository, or in the package that `pip install .` makes of it."""

from __future__ import annotations

import os
from pathlib import Path

from platformdirs import user_cache_path

_PACKAGE = Path(__file__).resolve().parents[1]
_REPOSITORY = _PACKAGE / "repository"
"""The repository's folders in an installed package (pyproject.toml, force-include)."""

INSTALLED = _REPOSITORY.is_dir()
"""Whether this is an installed package, not a repository."""


def _build() -> Path:
    """Where everything is built: in the repository, or for an installed package in the user's cache."""
    if named := os.environ.get("TRAPEZE_BUILD"):
        return Path(named).resolve()
    return user_cache_path("trapeze") if INSTALLED else ROOT / "build"


COMMAND = "trapeze" if INSTALLED else "./trapeze"
"""How the user calls the command."""


def to_install(package: str) -> str:
    """What brings a Python package that is missing."""
    return f"pip install {package}" if INSTALLED else "run ./trapeze, which installs it"


ROOT = _REPOSITORY if INSTALLED else _PACKAGE.parents[2]
"""The root of the repository, or of its folders in the package."""

BUILD = _build()
CONFIGS = ROOT / "configs"
BENCH = ROOT / "bench"
HARDWARE = ROOT / "hw"
FIRMWARE = ROOT / "fw"
SIMULATOR = ROOT / "sim"
LAB = ROOT / "lab"
REGISTERS = ROOT / "regs" / "gen" / "registers.json"
"""The registers of every block: schema `trapeze.registers/1`."""
MAPS = ROOT / "regs" / "gen" / "maps"
"""The memory maps, `<name>.json`: schema `trapeze.map/2`."""


def git(*arguments: str) -> list[str]:
    """A git command about this repository, which may be another user's: git would refuse to look at it."""
    return ["git", "-c", f"safe.directory={ROOT}", *arguments]
