# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""How the time of a modelled hart passes: `configs/timing/*.yaml`, checked against `timing.schema.json` there.

A file that is `based_on` another one holds what differs from it.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from trapeze.common import paths
from trapeze.common.errors import TrapezeError, choices
from trapeze.common.schema import read_yaml, validate

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
    return _load(FOLDER / f"{name}.yaml", tuple(path.stat().st_mtime_ns for path in sorted(FOLDER.glob("*.yaml"))))


@cache
def _load(path: Path, changed: tuple[int, ...]) -> dict[str, Any]:
    del changed
    raw = read(path)
    return {"kind": "modelled", "name": path.stem} | {k: v for k, v in raw.items() if k not in ("schema", "summary")}


def _map(path: Path) -> dict[str, Any]:
    """A file as it is.

    Raises:
        TrapezeError: it is no map.
    """

    def check(value: object) -> None:
        if not isinstance(value, dict):
            raise TrapezeError(f"{path}: not a map of names to values")

    content: dict[str, Any] = read_yaml(path, check)
    return content


def _merged(base: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    """`base` with the values of `own` in their places."""
    both = base | own
    for name, value in base.items():
        if isinstance(value, dict) and isinstance(own.get(name), dict):
            both[name] = _merged(value, own[name])
    return both


def _whole(path: Path) -> dict[str, Any]:
    """A file with the values of the one that it is based on.

    Raises:
        TrapezeError: there is none of that name, or it is itself based on another.
    """
    own = _map(path)
    if "based_on" not in own:
        return own
    base = own.pop("based_on")
    known = names()
    if base not in known:
        raise TrapezeError(f"{path}: based_on: unknown timing '{base}'; {choices(str(base), known)}")
    values = _map(FOLDER / f"{base}.yaml")
    if "based_on" in values:
        raise TrapezeError(f"{path}: based_on: '{base}' is itself based on another; name one that is not")
    return _merged(values, own)


def read(path: Path) -> dict[str, Any]:
    """A file's content, checked.

    Raises:
        TrapezeError: it breaks the schema, or its values contradict each other.
    """
    raw = _whole(path)
    validate(raw, SCHEMA, str(path))
    caches: list[str] = [name for name in ("instructions", "data", "level2") if name in raw]
    if "level2" in raw and raw["level2"]["line"] < max(raw["instructions"]["line"], raw["data"]["line"]):
        raise TrapezeError(f"{path}: level2.line: is less than that of the first level")
    if "pipelines" in raw:
        for kind in ("integer", "multiply", "memory", "floating", "branch"):
            if not any(kind in kinds for kinds in raw["pipelines"].values()):
                raise TrapezeError(f"{path}: pipelines: neither takes '{kind}'")
    for name in caches:
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
