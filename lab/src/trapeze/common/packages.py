# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Debian packages that are installed when something first wants them: groups of `lab/packages.txt`."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from trapeze.common import paths
from trapeze.common.console import err
from trapeze.common.errors import TrapezeError

ON_DEMAND = ("rtos", "linux")
"""The groups that are installed when a command first wants them; the others are installed by `./trapeze`."""


def group(name: str) -> list[tuple[str, str]]:
    """The packages of a group, each with the command or file that shows that it is there."""
    lines = map(str.split, (paths.LAB / "packages.txt").read_text().splitlines())
    return [(words[1], words[2]) for words in lines if words[:1] == [name]]


def place(probe: str) -> str | None:
    """Where a command or file that shows a package is; a file's name may have wildcards."""
    if probe.startswith("/"):
        return next(map(str, sorted(Path("/").glob(probe[1:]))), None)
    return shutil.which(probe)


def missing(name: str) -> list[str]:
    """The packages of a group whose command or file is missing."""
    return [package for package, probe in group(name) if place(probe) is None]


def install(packages: Sequence[str], who: str, why: str) -> None:
    """Install packages.

    Args:
        packages: Their names.
        who: The option or command that needs them, for messages.
        why: What they are for.

    Raises:
        TrapezeError: this is no Debian system, not the superuser's process, or apt-get fails; says what to install.
    """
    listed = " ".join(packages)
    if os.geteuid() or shutil.which("apt-get") is None:
        raise TrapezeError(f"{who}: {listed} not found ({why}); as root run: apt-get install {listed}")
    err().print(f"trapeze: installing Debian package{'s' if len(packages) > 1 else ''} {listed}: {why}")
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    for step in (["update"], ["install", "-y", "--no-install-recommends", *packages]):
        done = subprocess.run(["apt-get", "-qq", *step], env=environment, capture_output=True, text=True)
        if done.returncode:
            tail = "\n".join(done.stderr.strip().splitlines()[-5:])
            raise TrapezeError(f"{who}: apt-get {step[0]} failed; install {listed} by hand:\n{tail}", exit_code=1)
