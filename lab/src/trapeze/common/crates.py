# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Sources of others that a crate of crates.io holds: fetched by Cargo, which checks them against a lock file."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from functools import cache
from pathlib import Path
from typing import Any

from trapeze.common import packages, paths, processes
from trapeze.common.errors import TrapezeError
from trapeze.common.files import locked
from trapeze.common.output import write_atomic

ON_DEMAND = "rtos"
"""The group of `lab/packages.txt` that has Cargo."""


def cargo(who: str) -> str:
    """Cargo; installed where that may be done.

    Args:
        who: Option or command that needs it, for messages.

    Raises:
        TrapezeError: Cargo is missing and cannot be installed.
    """
    home = Path(os.environ.get("CARGO_HOME", Path.home() / ".cargo"))
    found = shutil.which("cargo") or shutil.which("cargo", path=str(home / "bin"))
    if found is not None:
        return found
    packages.install([name for name, _ in packages.group(ON_DEMAND)], who, "fetches sources")
    return shutil.which("cargo") or "cargo"


def _metadata(manifest: Path, who: str) -> list[dict[str, Any]]:
    command = [cargo(who), "metadata", "--locked", "--format-version", "1", "--manifest-path", str(manifest)]
    done = processes.run(command, capture_output=True, text=True)
    if done.returncode:
        why = processes.reason(done.returncode, done.stderr, 5)
        raise TrapezeError(
            f"{who}: cargo cannot fetch what {manifest.relative_to(paths.ROOT)} names "
            f"(it takes Cargo 1.70 or newer and a registry that can be reached, once): {why}",
            exit_code=1,
        )
    crates: list[dict[str, Any]] = json.loads(done.stdout)["packages"]
    return crates


def _noted(note: Path) -> Path | None:
    """The folder that a note names, if it still exists."""
    text = note.read_text() if note.exists() else ""
    return Path(text) if text and Path(text).is_dir() else None


@cache
def sources(manifest: Path, package: str, folder: str, who: str) -> Path:
    """The folder of sources, fetched if need be.

    Args:
        manifest: `Cargo.toml` of the stub package; its lock file stands beside it.
        package: The crate that holds the sources.
        folder: The folder inside of the crate.
        who: Option or command that needs them, for messages.

    Raises:
        TrapezeError: no Cargo, no registry, or the crate is not what it should be.
    """
    lock = manifest.with_name("Cargo.lock")
    key = hashlib.sha256(manifest.read_bytes() + lock.read_bytes()).hexdigest()[:16]
    note = paths.BUILD / "crates" / f"{package}-{key}.path"
    if known := _noted(note):
        return known
    with locked(paths.BUILD / "crates.lock"):
        if known := _noted(note):
            return known
        crates = [one for one in _metadata(manifest, who) if one["name"] == package]
        if not crates or not (found := Path(crates[0]["manifest_path"]).parent / folder).is_dir():
            raise TrapezeError(f"{lock.relative_to(paths.ROOT)}: crate {package} has no folder {folder}", exit_code=1)
        note.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(note, str(found))
    return found
