# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Files by their content: what is there is used, what is not is asked for, and a copy that went bad is none."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

import pytest

from trapeze.campaigns import delivery
from trapeze.campaigns.worker import Chunk, Lacks, Made, Work, work
from trapeze.common.errors import TrapezeError

CONTENT = b"a program"
SHA256 = hashlib.sha256(CONTENT).hexdigest()


@pytest.fixture(autouse=True)
def copies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine that was given nothing yet."""
    monkeypatch.setattr(delivery, "COPIES", tmp_path / "copies")
    return tmp_path / "copies"


def test_what_is_there_is_used(tmp_path: Path, copies: Path) -> None:
    path = tmp_path / "main.elf"
    path.write_bytes(CONTENT)
    assert delivery.find(path, SHA256) == path
    assert not copies.exists()


def test_another_content_is_not_used(tmp_path: Path) -> None:
    """What a worker runs has to be what the key says: it asks for that, keeps it, and leaves the other as it is."""
    path = tmp_path / "main.elf"
    path.write_bytes(b"another one")
    assert work(Chunk([], {str(path): SHA256}, "")) == Lacks([str(path)])
    delivery.keep("main.elf", SHA256, CONTENT)
    kept = delivery.find(path, SHA256)
    assert kept is not None
    assert (kept.name, kept.read_bytes()) == ("main.elf", CONTENT)
    assert path.read_bytes() == b"another one"


def test_a_copy_that_went_bad_is_asked_for_again(tmp_path: Path, copies: Path) -> None:
    path = tmp_path / "main.elf"
    with pytest.raises(TrapezeError, match="has another content on its disk"):
        delivery.keep("main.elf", SHA256, b"half of")
    assert not list(copies.rglob("main.elf"))
    delivery.keep("main.elf", SHA256, CONTENT)
    kept = delivery.find(path, SHA256)
    assert kept is not None
    kept.write_bytes(b"b program!")
    assert delivery.find(path, SHA256) is None
    delivery.keep("main.elf", SHA256, CONTENT)
    assert delivery.find(path, SHA256) == kept


def test_words_are_the_same_wherever_a_copy_is(tmp_path: Path) -> None:
    """A simulator that names its files names those of the machine that asked."""
    script = b'#!/bin/sh\necho "$0: refused" >&2\nexit 2\n'
    sha256, path = hashlib.sha256(script).hexdigest(), str(tmp_path / "simulator")
    delivery.keep("simulator", sha256, script)
    made = work(Chunk([Work(7, {"programs": []})], {path: sha256}, path))
    assert isinstance(made, Made)
    assert [(one.number, one.how, one.said) for one in made.ends] == [(7, "refused", f"{path}: refused")]


def test_a_disk_that_cannot_be_written_is_named(copies: Path) -> None:
    copies.write_text("a file in its place")
    with pytest.raises(TrapezeError, match=f"{copies}/{SHA256}/main.elf: a worker cannot write it: "):
        delivery.keep("main.elf", SHA256, CONTENT)


def test_a_worker_of_another_version() -> None:
    """It does not run what it may read in another way."""
    chunk = Chunk([], {}, "")
    with pytest.raises(TrapezeError, match="a worker has another version of trapeze"):
        work(replace(chunk, code="0" * 64))
