# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Benches and proofs of a room as gates: what is wrong in hw/X has to pass hw/X/test and hw/X/formal, too.

These tests read the sources of the repository that contains them, so they run in a copy of it with the wrong source.
With the proofs of fastirq this takes minutes, so they only run for mutations that all programs have passed. Tests that
make a source wrong themselves are left out, because they would fail on the changed source.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from trapeze.common import paths, processes
from trapeze.common.errors import TrapezeError
from verify.mutate.gates import BENCHES, PROOFS, Found
from verify.mutate.mutations import Mutation

FOLDERS = {BENCHES: "test", PROOFS: "formal"}
"""Folders of a room, by gate, in the order in which they are tried."""
_COPIED = ("hw", "regs", "lab/src")
_LINKED = ("configs", "fw", "sim", "bench")
_SEEDED = "not is_found and not are_found"
"""By the name of its test function: no test that makes a source wrong itself."""
_FAILED = re.compile(r"^(?:FAILED|ERROR) (\S+)(?: - (.*))?$", re.MULTILINE)
_NONE_THERE = 5
_SECONDS = 3600


def room(file: str) -> Path:
    """The room of a source, relative to the repository: hw/irq/clic of hw/irq/clic/rtl/tz_clic.sv."""
    return Path(file).parent.parent


def folder_of(file: str, gate: str, root: Path = paths.ROOT) -> Path | None:
    """The folder of a room's benches or proofs, None if it has none."""
    folder = root / room(file) / FOLDERS[gate]
    return folder if any(folder.glob("test_*.py")) else None


def copy(mutation: Mutation, tree: Path) -> None:
    """Make a copy of the repository, as far as benches and proofs read it, with the wrong source."""
    shutil.rmtree(tree, ignore_errors=True)
    tree.mkdir(parents=True)
    for name in _COPIED:
        shutil.copytree(paths.ROOT / name, tree / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in _LINKED:
        (tree / name).symlink_to(paths.ROOT / name)
    shutil.copyfile(paths.ROOT / "pyproject.toml", tree / "pyproject.toml")
    wrong = tree / mutation.file
    wrong.write_text(mutation.apply(wrong.read_text()))


def _pytest(root: Path, what: str) -> subprocess.CompletedProcess[str]:
    """Run tests of a copy, or of the repository itself, until one fails."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "--tb=line", "-p", "no:cacheprovider", "-k", _SEEDED, what]
    environment = os.environ | {"PYTHONPATH": f"{root}/lab/src:{root}/lab", "TRAPEZE_BUILD": str(paths.BUILD)}
    run = processes.run(
        command,
        cwd=root,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=_SECONDS,
    )
    if run.returncode not in (0, 1, _NONE_THERE):
        raise TrapezeError(f"tests of {what} do not run:\n{run.stdout[-2000:]}", exit_code=1)
    return run


def run(root: Path, gate: str, folder: Path) -> Found | None:
    """Run the tests of a folder in a copy; what failed first, None if nothing did.

    Raises:
        TrapezeError: they do not run, or the test that failed does so in the repository as well.
    """
    run = _pytest(root, str(folder.relative_to(root)))
    if run.returncode != 1:
        return None
    failed = _FAILED.search(run.stdout)
    if failed is None:
        raise TrapezeError(f"tests of {folder} failed, and do not say which:\n{run.stdout[-2000:]}", exit_code=1)
    if _pytest(paths.ROOT, failed[1]).returncode == 1:
        raise TrapezeError(f"{failed[1]} fails without a mutation", exit_code=1)
    return Found(gate, failed[1].rpartition("/")[2], (failed[2] or "fails").strip())


def try_room(mutation: Mutation, tree: Path) -> Found | None:
    """Run benches, then proofs of a mutation's room, in a copy at `tree`.

    Raises:
        TrapezeError: they do not run, or fail without the mutation.
    """
    if not any(folder_of(mutation.file, gate) for gate in FOLDERS):
        return None
    copy(mutation, tree)
    try:
        for gate in FOLDERS:
            folder = folder_of(mutation.file, gate, tree)
            if folder is not None and (found := run(tree, gate, folder)):
                return found
    finally:
        shutil.rmtree(tree, ignore_errors=True)
    return None
