# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The packages of `lab/packages.txt`: what the distribution at hand calls them; groups installed when first wanted."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from trapeze.common import paths, processes
from trapeze.common.console import err
from trapeze.common.errors import TrapezeError
from trapeze.common.files import locked

ON_DEMAND = ("rtos", "linux", "litex")
"""The groups that are installed when a command or test first wants them; the others are installed by `./trapeze`."""

_PATIENCE = 300
"""Seconds to wait for another apt-get to end."""

RELEASE = Path("/etc/os-release")
"""Says which distribution this is."""


@dataclass(frozen=True)
class Distribution:
    """How a distribution installs packages, and which of them it calls otherwise than Debian does."""

    name: str
    install: str | None
    names: dict[str, str] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)

    def called(self, package: str) -> str | None:
        """The name of a package that Debian calls `package`; None if there is none."""
        name = self.names.get(package, package)
        return None if name == "-" else name

    def command(self, packages: Iterable[str]) -> str:
        """What installs packages that Debian calls so; empty if there are none of them."""
        names = [name for package in packages if (name := self.called(package))]
        return f"{self.install or 'install Debian package'} {' '.join(names)}" if names else ""

    def remedy(self, package: str) -> str:
        """How to get a package that Debian calls `package`."""
        note = self.notes.get(package, "")
        if self.called(package) is None:
            return f"{self.name} has no package; {note}"
        return "; then ".join(filter(None, (self.command([package]), note)))


def _release() -> dict[str, str]:
    try:
        lines = RELEASE.read_text().splitlines()
    except OSError:
        return {}
    pairs = (line.partition("=") for line in lines if "=" in line and not line.startswith("#"))
    return {key: " ".join(shlex.split(value)) for key, _, value in pairs}


def distribution() -> Distribution:
    """The distribution at hand: the first of `lab/distributions.txt` that os-release names as this one or like it."""
    release = _release()
    lines = (paths.ROOT / "lab" / "distributions.txt").read_text().splitlines()
    rows = [line.split(None, 3) for line in lines if line.strip() and not line.startswith("#")]
    name = release.get("NAME", "this system")
    for one in f"{release.get('ID', '')} {release.get('ID_LIKE', '')}".split():
        names = {row[1]: row[2] for row in rows if row[0] == one}
        notes = {row[1]: row[3] for row in rows if row[0] == one and len(row) > 3}
        if names:
            return Distribution(name, notes["*"], names, notes)
    return Distribution(name, None)


def listed(*names: str) -> list[tuple[str, str]]:
    """Each package, named by itself or by its group: the name, and the command or file that shows that it is there."""
    lines = map(str.split, (paths.LAB / "packages.txt").read_text().splitlines())
    rows = [words for words in lines if words and not words[0].startswith("#")]
    if unknown := set(names) - {word for words in rows for word in words[:2]}:
        raise ValueError(f"lab/packages.txt has no group or package {', '.join(sorted(unknown))}")
    return [(words[1], words[2]) for words in rows if not set(words[:2]).isdisjoint(names)]


def place(probe: str) -> str | None:
    """Where a command or file that shows a package is; a file's name may have wildcards."""
    if probe.startswith("/"):
        return next(map(str, sorted(Path("/").glob(probe[1:]))), None)
    return shutil.which(probe)


def missing(*names: str) -> list[str]:
    """The packages, named by themselves or by their group, whose command or file is missing."""
    return [package for package, probe in listed(*names) if place(probe) is None]


def need(names: Collection[str], who: str, why: str) -> None:
    """Install those of some packages that are missing; processes that need the same take turns.

    Args:
        names: Debian's names of packages, or groups.
        who: The option or command that needs them, for messages.
        why: What they are for.

    Raises:
        TrapezeError: the distribution lacks one, there is no apt-get, this is not the superuser's process, or apt-get
            fails; says what to install.
    """
    if missing(*names):
        with locked(paths.BUILD / "packages.lock"):
            if packages := missing(*names):
                _install(packages, who, why)


def _install(packages: Sequence[str], who: str, why: str) -> None:
    here = distribution()
    lacking = [f"{package}: {here.remedy(package)}" for package in packages if here.called(package) is None]
    if lacking:
        raise TrapezeError(f"{who}: {'; '.join(lacking)} ({why})")
    wanted = " ".join(filter(None, map(here.called, packages)))
    if os.geteuid() or shutil.which("apt-get") is None:
        raise TrapezeError(f"{who}: {wanted} not found ({why}); as root run: {here.command(packages)}")
    err().print(f"trapeze: installing package{'s' if len(packages) > 1 else ''} {wanted}: {why}")
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    for step in (["update"], ["install", "-y", "--no-install-recommends", *wanted.split()]):
        done = subprocess.run(
            ["apt-get", "-qq", "-o", f"DPkg::Lock::Timeout={_PATIENCE}", *step],
            env=environment,
            capture_output=True,
            text=True,
        )
        if done.returncode:
            why = processes.reason(done.returncode, done.stderr, 5)
            raise TrapezeError(f"{who}: apt-get {step[0]} failed; install {wanted} by hand: {why}", exit_code=1)
