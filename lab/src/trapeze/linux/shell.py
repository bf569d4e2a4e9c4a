# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The shell of the initial file system: Debian's busybox for RISC-V, of `linux/shell.toml`.

apt fetches the package, which it checks by its signature, into `build/linux` once; it is never part of this
repository, and nothing of it is installed on this machine.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from trapeze.common import processes
from trapeze.common.errors import TrapezeError
from trapeze.common.files import locked
from trapeze.linux import kernel

PLACE = "bin/busybox"
"""File of the initial file system."""

LINK = "bin/sh"
"""The name by which programs and scripts look for it."""

_MIRROR = re.compile(r"^(?:URIs:|deb(?: \[[^]]*\])?) *(\S+/debian)/? *(?:\S+ .*)?$", re.MULTILINE)


@cache
def settings() -> dict[str, Any]:
    """`linux/shell.toml`."""
    return tomllib.loads((kernel.SOURCES / "shell.toml").read_text())


def mirror() -> str:
    """Where apt gets Debian's packages from.

    Raises:
        TrapezeError: its settings do not say so.
    """
    folder = Path("/etc/apt/sources.list.d")
    files = [Path("/etc/apt/sources.list"), *sorted(folder.glob("*.list")), *sorted(folder.glob("*.sources"))]
    for file in files:
        if file.is_file() and (found := _MIRROR.search(file.read_text())):
            return found[1]
    raise TrapezeError(
        "linux: apt's sources name no mirror of Debian, which has the shell; use --run with the commands"
    )


def _step(command: list[str], folder: Path) -> None:
    name = settings()["package"]
    try:
        done = processes.run(command, capture_output=True, text=True, cwd=folder)
    except FileNotFoundError:
        raise TrapezeError(f"linux: {command[0]} not found, which fetches Debian's package {name}") from None
    if done.returncode:
        if os.strerror(errno.ENOSPC) in done.stderr:
            raise kernel.disk_full("fetching the shell")
        why = processes.reason(done.returncode, done.stderr, 3)
        raise TrapezeError(f"linux: {command[0]} cannot fetch Debian's package {name}: {why}", exit_code=1)


def _fetch(folder: Path) -> Path:
    own = settings()
    for part in ("lists/partial", "cache/archives/partial"):
        (folder / part).mkdir(parents=True)
    (folder / "status").touch()
    where = f"[arch={own['architecture']} signed-by={own['keyring']}] {mirror()} {own['release']} main"
    (folder / "sources.list").write_text(f"deb {where}\n")
    options = {
        "Dir::Etc::sourcelist": folder / "sources.list",
        "Dir::Etc::sourceparts": "-",
        "Dir::State::lists": folder / "lists",
        "Dir::State::status": folder / "status",
        "Dir::Cache": folder / "cache",
        "APT::Architecture": own["architecture"],
        "APT::Architectures::": own["architecture"],
        "APT::Sandbox::User": "root",
    }
    words = [word for name, value in options.items() for word in ("-o", f"{name}={value}")]
    _step(["apt-get", "-qq", *words, "update"], folder)
    _step(["apt-get", "-qq", *words, "download", own["package"]], folder)
    (package,) = folder.glob("*.deb")
    _step(["dpkg-deb", "-x", str(package), "root"], folder)
    return folder / "root" / str(own["place"])


def build() -> Path:
    """The shell, fetched if need be.

    Raises:
        TrapezeError: it cannot be had; says why.
    """
    own = settings()
    made = kernel.BUILD / f"{own['package']}-{own['release']}-{own['architecture']}" / "busybox"
    with locked(kernel.BUILD.with_suffix(".lock")):
        if not made.exists():
            scratch = made.parent / "fetched"
            shutil.rmtree(scratch, ignore_errors=True)
            try:
                with kernel.writing("fetching the shell"):
                    made.parent.mkdir(parents=True, exist_ok=True)
                    _fetch(scratch).rename(made)
            finally:
                shutil.rmtree(scratch, ignore_errors=True)
    return made
