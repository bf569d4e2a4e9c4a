# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The list of open mutations: source lines whose mutations nothing finds and no proof covers, and why."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from trapeze.common import paths
from trapeze.common.errors import TrapezeError
from verify.mutate.netlist.sampling import Drawn

LIST = Path(__file__).with_name("known_survivors.toml")
_KEYS = {"file", "text", "reason"}


@dataclass(frozen=True)
class Open:
    """A source line.

    Attributes:
        file: Relative to the repository.
        text: What the line says.
        reason: Why its mutations may survive.
    """

    file: str
    text: str
    reason: str


def load(path: Path = LIST, root: Path = paths.ROOT) -> list[Open]:
    """The list.

    Raises:
        TrapezeError: the file is not as it must be, or a line is not in its source any more.
    """
    try:
        raw = tomllib.loads(path.read_text())
    except tomllib.TOMLDecodeError as error:
        raise TrapezeError(f"{path}: {error}") from None
    entries = []
    for entry in raw.get("open", []):
        if set(entry) != _KEYS or not all(isinstance(value, str) and value.strip() for value in entry.values()):
            raise TrapezeError(f"{path}: each entry has {', '.join(sorted(_KEYS))}, and they are text: {entry}")
        one = Open(entry["file"], entry["text"].strip(), entry["reason"])
        source = root / one.file
        if not source.is_file() or one.text not in (line.strip() for line in source.read_text().splitlines()):
            raise TrapezeError(f"{path}: {one.file} has no line '{one.text}'; adapt the entry or take it out")
        entries.append(one)
    return entries


def reason(entries: list[Open], drawn: Drawn) -> str | None:
    """Why a mutation is on the list, None: it is not."""
    return next((one.reason for one in entries if (one.file, one.text) == (drawn.file, drawn.text)), None)
