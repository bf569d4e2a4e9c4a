# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""What several threads and processes make and read at the same time: locks, whole files, answers found out once."""

from __future__ import annotations

import fcntl
import hashlib
import tempfile
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from threading import Lock
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold an exclusive lock between processes, and between the threads of one; waits for it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """For a tool that writes a file: another path of the same name, whose file takes the place of `path` at the end.

    Whoever reads `path` meanwhile finds it whole, as it was or as it is made. After an error it is as it was.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{path.name}.", dir=path.parent) as folder:
        made = Path(folder) / path.name
        yield made
        made.replace(path)


def once(function: Callable[P, T]) -> Callable[P, T]:
    """Like `functools.cache`, but threads that ask the same at the same time wait for one answer.

    An exception goes to all that wait for it, and is not kept.
    """
    guard = Lock()
    known: dict[object, Future[T]] = {}

    @wraps(function)
    def ask(*args: P.args, **kwargs: P.kwargs) -> T:
        key = (args, tuple(sorted(kwargs.items())))
        with guard:
            first = key not in known
            answer = known.setdefault(key, Future())
        if first:
            try:
                answer.set_result(function(*args, **kwargs))
            except BaseException as error:
                with guard:
                    del known[key]
                answer.set_exception(error)
        return answer.result()

    return ask


def fingerprint(files: Iterable[Path], *extra: str) -> str:
    """Changes when a file comes, goes or is written, or when `extra` does: names, sizes and times, not contents."""
    digest = hashlib.sha256("\0".join(extra).encode())
    for path in sorted(files):
        status = path.stat()
        digest.update(f"{path}\0{status.st_size}\0{status.st_mtime_ns}\0".encode())
    return digest.hexdigest()[:16]
