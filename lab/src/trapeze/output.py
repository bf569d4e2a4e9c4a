# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Files are written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from trapeze.errors import TrapezeError


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
