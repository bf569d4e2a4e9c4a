# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""How a configuration names the time of its harts, and what the file of a platform has of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from trapeze.common import paths
from trapeze.common.errors import TrapezeError
from trapeze.platform import configurations, timing


def test_all_files_are_right() -> None:
    """Each file of configs/timing is what its schema says."""
    assert {"rocket", "saturn", "saturn-host"} <= set(timing.names())
    for name in timing.names():
        assert timing.load(name)["name"] == name


def test_platform_with_time() -> None:
    """RV64 is modelled, RV32 exact; without time the file has neither."""
    platform = configurations.load("amp").platform
    timed = [hart["timing"] for hart in platform.to_json(timed=True)["harts"]]
    assert [one["kind"] for one in timed] == ["modelled", "exact"]
    assert timed[0]["data"]["size"] == 32 * 1024
    assert not any("timing" in hart for hart in platform.to_json()["harts"])


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("timing: saturn-host", "timing: satturn", "harts.0: timing: unknown timing 'satturn'"),
        ("abi: ilp32\n", "abi: ilp32\n    timing: rocket\n", "harts.1: timing: only of rv64i"),
    ],
)
def test_bad_names(tmp_path: Path, old: str, new: str, said: str) -> None:
    """A name that there is not, or of a hart that has its RTL's time, is one error that says where."""
    text = (paths.CONFIGS / "amp.yaml").read_text()
    assert old in text
    (tmp_path / "mine.yaml").write_text(text.replace(old, new))
    with pytest.raises(TrapezeError, match=said):
        configurations.load("mine", tmp_path)


def test_bad_numbers(tmp_path: Path) -> None:
    """A number that is impossible is one error that names file and field."""
    text = (timing.FOLDER / "rocket.yaml").read_text()
    for old, new, said in (
        ("ways: 4", "ways: 3", "ways"),
        ("size: 16384", "size: 128", "instructions.size: is less than a line for each way"),
        ("  bits: 8", "  bytes: 8", "bytes"),
        ("issue: 1", "issue: 2", "pipelines"),
    ):
        path = tmp_path / "bad.yaml"
        path.write_text(text.replace(old, new, 1))
        with pytest.raises(TrapezeError, match=f"bad.yaml.*{said}"):
            timing.read(path)


def test_based_on(tmp_path: Path) -> None:
    """A file that is based on another has its values, also within a part of which it has some; one error names it."""
    host, rocket = timing.load("saturn-host"), timing.load("rocket")
    assert host["data"] == rocket["data"] | {"size": 32 * 1024, "ways": 8}
    assert (host["load"], host["level2"]["size"], "level2" in rocket) == (rocket["load"], 512 * 1024, False)
    text = (timing.FOLDER / "saturn-host.yaml").read_text()
    for old, new, said in (
        ("based_on: rocket", "based_on: rocker", "based_on: unknown timing 'rocker'"),
        ("based_on: rocket", "based_on: saturn", "based_on: 'saturn' is itself based on another"),
        ("  line: 64", "  line: 32", "level2.line: is less than that of the first level"),
    ):
        path = tmp_path / "bad.yaml"
        path.write_text(text.replace(old, new, 1))
        with pytest.raises(TrapezeError, match=f"bad.yaml: {said}"):
            timing.read(path)
