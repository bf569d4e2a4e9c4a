# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""`trapeze doctor`: which tools were found, which are missing and how to get them.

What is needed is read from the files that the set-up installs from: `lab/packages.txt`, in the words of the
distribution at hand by `lab/distributions.txt`, and `lab/requirements.lock`.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

from rich.text import Text

from trapeze.common import packages, paths
from trapeze.common.console import out, table

_VERSION = re.compile(r"\d+\.\d+[\w.+~-]*")
_WAYS = {"perl": ("-e", "print substr($^V, 1)")}
"""Options that print the version, for tools whose `--version` prints too much."""


@dataclass(frozen=True)
class Finding:
    """One tool: where it was found, if it was, and how to get it."""

    name: str
    group: str
    version: str | None
    place: str | None
    purpose: str
    remedy: str


_DATABASES = (
    ("dpkg-query", "-W", "-f", "${db:Status-Status} ${Version}"),
    ("rpm", "-q", "--queryformat", "installed %{VERSION}"),
)
"""Commands that say whether a package is installed; a machine has one of them."""


def _package_version(package: str | None) -> str | None:
    """The version of a package that is installed, by the distribution's name of it."""
    command = next((one for one in _DATABASES if shutil.which(one[0])), None)
    if command is None or package is None:
        return None
    done = subprocess.run([*command, package], capture_output=True, text=True)
    status, _, number = done.stdout.partition(" ")
    return number if status == "installed" else None


def _tool_version(place: str, name: str) -> str | None:
    try:
        done = subprocess.run([place, *_WAYS.get(name, ("--version",))], capture_output=True, text=True, timeout=20)
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = _VERSION.search(done.stdout + done.stderr)
    return found[0] if found else None


def _probe(here: packages.Distribution, group: str, package: str, probe: str, purpose: str) -> Finding:
    remedy = here.remedy(package)
    if probe == "-":
        number = _package_version(here.called(package))
        return Finding(package, group, number, "package" if number else None, purpose, remedy)
    place = packages.place(probe)
    if probe.startswith("/"):
        return Finding(package, group, _package_version(here.called(package)), place, purpose, remedy)
    return Finding(probe, group, _tool_version(place, probe) if place else None, place, purpose, remedy)


def system(listing: Path | None = None) -> list[Finding]:
    """The system tools of `lab/packages.txt`."""
    lines = (listing or paths.LAB / "packages.txt").read_text().splitlines()
    rows = [line.split(None, 3) for line in lines if line.strip() and not line.startswith("#")]
    here = packages.distribution()
    return [_probe(here, *row) for row in rows]


def python(lock: Path | None = None) -> list[Finding]:
    """The Python packages that are missing or of another version than pinned.

    Args:
        lock: A file of pins; by default `lab/requirements.lock`, or what the installed package asks for.
    """
    wrong = []
    if lock is None and paths.INSTALLED:
        pins = requires("trapeze") or []
    else:
        pins = (lock or paths.LAB / "requirements.lock").read_text().splitlines()
    for line in pins:
        name, _, pinned = line.partition("==")
        if not pinned or line.startswith("#"):
            continue
        try:
            found: str | None = version(name)
        except PackageNotFoundError:
            found = None
        if found != pinned:
            remedy = f"pip install {name}=={pinned}" if paths.INSTALLED else "rm -r build/setup, then ./trapeze"
            wrong.append(Finding(name, "run", found, None, f"Python package, {pinned}", remedy))
    return wrong


def report() -> int:
    """Print what was found.

    Returns:
        0, or 1 if something is missing.
    """
    findings = system() + python()
    listing = table("tool", "group", "version", "for", "where, or how to get it")
    for one in findings:
        state = Text(one.place) if one.place else Text.assemble(("missing", "bold red"), f": {one.remedy}")
        listing.add_row(one.name, one.group, one.version or "-", one.purpose, state)
    console = out()
    console.print(listing, "")
    absent = [one for one in findings if one.place is None]
    missing = [one for one in absent if one.group not in packages.ON_DEMAND]
    later = [one for one in absent if one.group in packages.ON_DEMAND]
    if missing:
        console.print(f"{len(missing)} missing: {', '.join(one.name for one in missing)}")
    if later:
        # Only apt-get is called without being asked; elsewhere the command that wants a tool says how to get it.
        verb = "installed" if shutil.which("apt-get") else "needed"
        console.print(f"missing, {verb} on first use: {', '.join(one.name for one in later)}")
    if not absent:
        console.print("nothing is missing")
    return 1 if missing else 0
