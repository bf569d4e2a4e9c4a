# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Locks between processes and freshness of built things."""

from __future__ import annotations

import fcntl
import hashlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold an exclusive lock between processes; waits for it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def fingerprint(files: Iterable[Path], *extra: str) -> str:
    """Changes when a file comes, goes or is written, or when `extra` does: names, sizes and times, not contents."""
    digest = hashlib.sha256("\0".join(extra).encode())
    for path in sorted(files):
        status = path.stat()
        digest.update(f"{path}\0{status.st_size}\0{status.st_mtime_ns}\0".encode())
    return digest.hexdigest()[:16]
