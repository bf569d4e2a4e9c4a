# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Files by their content: a worker uses the one under a path, or a copy that it was given, if the SHA-256 is right.

Copies are in a folder of the worker's build, each in one of its SHA-256, so that workers of one machine share them.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from trapeze.common import paths
from trapeze.common.errors import TrapezeError
from trapeze.common.files import replacing
from trapeze.simulation.conditions import Content

COPIES = paths.BUILD / "campaigns"
"""Where a worker keeps what it was given; the folder may be removed when no campaign runs."""


@cache
def _digest(path: str, state: tuple[int, int, int]) -> str:
    del state
    return Content.of(Path(path)).sha256


def digest(path: Path) -> str:
    """The SHA-256 of a file, which is read once as long as it does not change.

    Raises:
        TrapezeError: it cannot be read.
    """
    try:
        status = path.stat()
    except OSError as error:
        raise TrapezeError(f"{path}: cannot be read: {(error.strerror or str(error)).lower()}") from None
    return _digest(str(path), (status.st_mtime_ns, status.st_size, status.st_ino))


def _copy(name: str, sha256: str) -> Path:
    return COPIES / sha256 / name


def find(path: Path, sha256: str) -> Path | None:
    """The file with a content on this machine, under its path or as a copy; None: there is none."""
    for one in (path, _copy(path.name, sha256)):
        try:
            if digest(one) == sha256:
                return one
        except TrapezeError:
            continue
    return None


def keep(name: str, sha256: str, content: bytes) -> None:
    """Have a copy of a file on this machine; it is there whole or not at all.

    Raises:
        TrapezeError: it cannot be written, or what was written is something else.
    """
    path = _copy(name, sha256)
    try:
        with replacing(path) as made:
            made.write_bytes(content)
            made.chmod(0o755)  # one of them is the simulator
            if digest(made) != sha256:
                raise TrapezeError(f"{path}: what a worker was given has another content on its disk")
    except OSError as error:
        raise TrapezeError(f"{path}: a worker cannot write it: {(error.strerror or str(error)).lower()}") from None
