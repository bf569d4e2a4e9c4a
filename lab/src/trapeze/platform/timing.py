# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""How the time of a modelled hart passes: `configs/timing/*.yaml`, checked against `timing.schema.json` there."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from trapeze.common import paths
from trapeze.common.errors import TrapezeError, choices
from trapeze.common.schema import load_yaml

FOLDER = paths.CONFIGS / "timing"

SCHEMA = FOLDER / "timing.schema.json"


def names() -> list[str]:
    """The names of all files, sorted."""
    return sorted(path.stem for path in FOLDER.glob("*.yaml"))


def load(name: str, where: str = "timing") -> dict[str, Any]:
    """The numbers of a file as the model reads them; `where` is what names it, for an error.

    Raises:
        TrapezeError: there is none of that name, or it breaks the schema.
    """
    known = names()
    if name not in known:
        raise TrapezeError(f"{where}: unknown timing '{name}'; {choices(name, known)}")
    path = FOLDER / f"{name}.yaml"
    return _load(path, path.stat().st_mtime_ns)


@cache
def _load(path: Path, changed: int) -> dict[str, Any]:
    del changed
    raw = read(path)
    return {"kind": "modelled", "name": path.stem} | {k: v for k, v in raw.items() if k not in ("schema", "summary")}


def read(path: Path) -> dict[str, Any]:
    """A file's content, checked.

    Raises:
        TrapezeError: it breaks the schema, or its values contradict each other.
    """
    raw: dict[str, Any] = load_yaml(path, SCHEMA)
    for name in ("instructions", "data"):
        if raw[name]["ways"] * raw[name]["line"] > raw[name]["size"]:
            raise TrapezeError(f"{path}: {name}.size: is less than a line for each way")
    if raw["data"]["dirty_miss"] < raw["data"]["miss"]:
        raise TrapezeError(f"{path}: data.dirty_miss: is less than data.miss")
    for name in ("most", "most_word"):
        if raw["multiply"][name] < raw["multiply"]["latency"]:
            raise TrapezeError(f"{path}: multiply.{name}: is less than multiply.latency")
    if raw["divide"]["by_zero"] < raw["divide"]["latency"]:
        raise TrapezeError(f"{path}: divide.by_zero: is less than divide.latency")
    return raw
