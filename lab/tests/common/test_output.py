# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Files are whole or not there."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from trapeze.common.errors import TrapezeError
from trapeze.common.output import check_writable, make_folder, write_atomic


@contextmanager
def largest_file(size: int) -> Iterator[None]:
    """As on a disk with little room: no file may grow past `size` bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_write(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    write_atomic(path, "one")
    write_atomic(path, "two")
    assert path.read_text() == "two"
    assert [path.name for path in tmp_path.iterdir()] == ["x.json"]


def test_no_room_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    write_atomic(path, "old")
    with largest_file(1000), pytest.raises(TrapezeError, match=r"x\.json: cannot be written: .*nothing was kept"):
        write_atomic(path, "y" * 5000)
    assert path.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["x.json"]


def test_full_device() -> None:
    with pytest.raises(TrapezeError, match="/dev/full: cannot be written: no space left on device"):
        write_atomic(Path("/dev/full"), "text")


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("old")
    link.symlink_to(target)
    write_atomic(link, "new")
    assert link.is_symlink()
    assert target.read_text() == "new"


def test_checks_before_a_long_run(tmp_path: Path) -> None:
    check_writable(None)
    check_writable(tmp_path / "new.json")
    with pytest.raises(TrapezeError, match="is a folder"):
        check_writable(tmp_path)
    with pytest.raises(TrapezeError, match="does not exist; create it"):
        check_writable(tmp_path / "no" / "x.json")


def test_folder(tmp_path: Path) -> None:
    make_folder(None)
    make_folder(tmp_path / "new")
    make_folder(tmp_path / "new")
    assert (tmp_path / "new").is_dir()
    (tmp_path / "file").touch()
    for path, says in (
        (tmp_path / "file", r"file: is not a folder; name one"),
        (tmp_path / "a" / "b", r"b: the folder .*a does not exist"),
        (tmp_path / "file" / "b", r"b: cannot be created: not a directory"),
    ):
        with pytest.raises(TrapezeError, match=says):
            make_folder(path)
