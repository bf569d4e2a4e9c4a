# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The list of mutations: `data/*.toml`, one file for each room of the hardware."""

from __future__ import annotations

import datetime
import hashlib
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trapeze.common import paths, processes
from trapeze.common.errors import TrapezeError

DATA = Path(__file__).resolve().parent / "data"
DEFAULT_CONFIG = "mcu-clint"
_REQUIRED = {"name", "file", "breaks", "text", "with"}
_OPTIONAL = {"config", "survives"}


@dataclass(frozen=True)
class Mutation:
    """One wrong design.

    Attributes:
        name: of the mutation, unique.
        file: source it changes, relative to the repository.
        breaks: what is wrong afterwards.
        text: what the source says, exactly once.
        replacement: what it says instead.
        config: configuration in which it shows.
        survives: why nothing can find it; None if something must.
    """

    name: str
    file: str
    breaks: str
    text: str
    replacement: str
    config: str
    survives: str | None

    def apply(self, source: str) -> str:
        """The wrong source.

        Raises:
            TrapezeError: the source does not say what it said when the mutation was written.
        """
        found = source.count(self.text)
        if found != 1:
            raise TrapezeError(
                f"mutation {self.name}: its text occurs {found} times in {self.file}, it must be there once; "
                "adapt it to the source"
            )
        return source.replace(self.text, self.replacement)


def _mutation(raw: dict[str, Any], path: Path) -> Mutation:
    missing, unknown = _REQUIRED - set(raw), set(raw) - _REQUIRED - _OPTIONAL
    if missing or unknown:
        what = f"lacks {', '.join(sorted(missing))}" if missing else f"has unknown {', '.join(sorted(unknown))}"
        raise TrapezeError(f"{path}: mutation {raw.get('name', '?')} {what}")
    if not all(isinstance(value, str) and value for key, value in raw.items() if key != "with"):
        raise TrapezeError(f"{path}: mutation {raw['name']}: everything is text and not empty")
    return Mutation(
        name=raw["name"],
        file=raw["file"],
        breaks=raw["breaks"],
        text=raw["text"],
        replacement=raw["with"],
        config=raw.get("config", DEFAULT_CONFIG),
        survives=raw.get("survives"),
    )


def load(folder: Path = DATA) -> list[Mutation]:
    """All mutations, by file and place in it.

    Raises:
        TrapezeError: a file is not as it must be, two mutations have one name, or a source does not fit.
    """
    mutations: dict[str, Mutation] = {}
    for path in sorted(folder.glob("*.toml")):
        try:
            raw = tomllib.loads(path.read_text())
        except tomllib.TOMLDecodeError as error:
            raise TrapezeError(f"{path}: {error}") from None
        for entry in raw.get("mutation", []):
            mutation = _mutation(entry, path)
            if mutation.name in mutations:
                raise TrapezeError(f"{path}: two mutations are called {mutation.name}")
            mutations[mutation.name] = mutation
    return list(mutations.values())


def check(mutations: list[Mutation], root: Path = paths.ROOT) -> None:
    """See that every mutation fits the sources and changes something.

    Raises:
        TrapezeError: one does not.
    """
    for mutation in mutations:
        path = root / mutation.file
        if not path.is_file():
            raise TrapezeError(f"mutation {mutation.name}: {mutation.file} does not exist")
        source = path.read_text()
        if mutation.apply(source) == source:
            raise TrapezeError(f"mutation {mutation.name} changes nothing")


def turn() -> str:
    """A key for choices that change: the commit, or the day where there is none."""
    done = processes.run(["git", "rev-parse", "HEAD"], cwd=paths.ROOT, capture_output=True, text=True)
    return done.stdout.strip() or datetime.date.today().isoformat()


def part(mutations: list[Mutation], key: str, count: int) -> list[Mutation]:
    """A few of the mutations that must be found, chosen by a key: another one, another choice."""

    def rank(mutation: Mutation) -> str:
        return hashlib.sha256(f"{key}/{mutation.name}".encode()).hexdigest()

    return sorted((mutation for mutation in mutations if mutation.survives is None), key=rank)[:count]
