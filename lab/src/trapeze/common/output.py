# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Files are written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

from trapeze.common.errors import TrapezeError


def write_atomic(path: Path, text: str) -> None:
    """Write a file so that it is complete or, after an error, as it was before.

    A target that is not a regular file (a device, a pipe) is written directly.

    Raises:
        TrapezeError: names the file and the reason, such as a full disk.
    """
    try:
        if path.exists() and not path.is_file():
            path.write_text(text)
            return
        _replace(path.resolve(), text)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise TrapezeError(f"{path}: cannot be written: {reason}; nothing was kept, name another file") from None


def check_writable(path: Path | None) -> None:
    """Fail before a long run, not after it, if a file could never be written.

    Raises:
        TrapezeError: the folder does not exist or may not be written, or the path is a folder.
    """
    if path is None:
        return
    if path.is_dir():
        raise TrapezeError(f"{path}: is a folder; name a file")
    if not path.parent.is_dir():
        raise TrapezeError(f"{path}: the folder {path.parent} does not exist; create it first")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise TrapezeError(f"{path}: no permission to write; name another file")


def check_distinct(inputs: Mapping[str, Path | None], outputs: Mapping[str, Path | None]) -> None:
    """Refuse to write a file over what is read, or two outputs into one file; both by the names of their options.

    Raises:
        TrapezeError: names both.
    """
    known: list[tuple[str, Path]] = [(name, path) for name, path in inputs.items() if path is not None]
    for name, path in outputs.items():
        if path is None:
            continue
        for other, one in known:
            if _same(path, one):
                verb = "would overwrite" if other in inputs else "is written by"
                raise TrapezeError(f"{name} {path}: {verb} {other}, the same file; name another one")
        known.append((name, path))


def _same(one: Path, other: Path) -> bool:
    """Whether two names are of one file, which exists or will; a device or a pipe can be written twice."""
    if one.exists() and not one.is_file():
        return False
    if one.exists() and other.exists():
        return one.samefile(other)
    return one.resolve() == other.resolve()


def make_folder(path: Path | None) -> None:
    """Create a folder for results unless it is there, before a long run.

    Raises:
        TrapezeError: it cannot be created, is something else, or may not be written.
    """
    if path is None:
        return
    try:
        path.mkdir(exist_ok=True)
    except FileExistsError:
        raise TrapezeError(f"{path}: is not a folder; name one, it is created if need be") from None
    except FileNotFoundError:
        raise TrapezeError(f"{path}: the folder {path.parent} does not exist; create it first") from None
    except OSError as error:
        raise TrapezeError(f"{path}: cannot be created: {(error.strerror or str(error)).lower()}") from None
    if not os.access(path, os.W_OK):
        raise TrapezeError(f"{path}: no permission to write; name another folder")


def _replace(path: Path, text: str) -> None:
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(descriptor, "w") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        mask = os.umask(0)
        os.umask(mask)
        Path(name).chmod(0o666 & ~mask)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
