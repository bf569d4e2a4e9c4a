# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""What the names of rows mean, for people: `fastirq-user/ilp32` is fastirq, from user mode, with 32 registers.

A name has parts between `/`, these have words between `-`. Several words may have a meaning together. The meanings are
in the experiment's file (`names`), those that many experiments use in `names.toml`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from trapeze.experiment_files import Experiment

SHARED = Path(__file__).with_name("names.toml")


@cache
def shared() -> Mapping[str, str]:
    """The names that many experiments use."""
    found: Mapping[str, str] = tomllib.loads(SHARED.read_text())
    return found


def _words(part: str, known: Mapping[str, str]) -> list[str]:
    """A part of a name in the longest stretches that have a meaning; a word without one stands alone."""
    words, found = part.split("-"), []
    while words:
        end = next((end for end in range(len(words), 0, -1) if "-".join(words[:end]) in known), 1)
        found.append("-".join(words[:end]))
        words = words[end:]
    return found


def words(experiment: Experiment, row: str) -> list[tuple[str, str]]:
    """The words of a row's name, each with its meaning; empty if the file does not explain it."""
    known = {**shared(), **experiment.names}
    return [(word, known.get(word, "")) for part in row.split("/") for word in _words(part, known)]


def meanings(experiment: Experiment, rows: Iterable[str]) -> dict[str, str]:
    """The words in the names of these rows that have a meaning, in the order in which they first stand."""
    return {word: said for row in rows for word, said in words(experiment, row) if said}


def explained(experiment: Experiment, row: str) -> str:
    """The meaning of a row's name, in one line; empty if the file does not explain it."""
    return "; ".join(f"{word}: {said}" for word, said in words(experiment, row) if said)
