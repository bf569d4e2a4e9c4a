# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""A board's answer to one request, put together from its lines."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

TESTS = ("t1", "t2")

_SAMPLE = re.compile("[0-9a-f]{4}")


@dataclass(frozen=True)
class Request:
    """What is asked for: its number, which the board repeats; samples of each test; stress, in 1/256."""

    number: int
    samples: int
    stress: int

    def words(self) -> tuple[str, ...]:
        """As the board reads them."""
        return ("measure", f"number={self.number}", f"samples={self.samples}", f"stress={self.stress}")


@dataclass(frozen=True)
class Report:
    """What a board measured.

    Attributes:
        built_for: What its program was built for, `config=NAME isa=...`.
        clock_hz: Its clock; 0 if its program does not know it.
        samples: Cycles, by test.
        counts: What else it counted, by name.
        right: Whether every sample is there and all results were right, as the program says.
    """

    built_for: str
    clock_hz: int
    samples: Mapping[str, tuple[int, ...]]
    counts: Mapping[str, int]
    right: bool


def _fields(words: Sequence[str]) -> dict[str, str]:
    return dict(word.split("=", 1) for word in words if "=" in word)


def config_of(built_for: str) -> str:
    """The name of the configuration that a program was built for; empty if it does not say."""
    return _fields(built_for.split()).get("config", "")


@dataclass
class Answer:
    """An answer as far as it has come.

    Attributes:
        request: That it is the answer to.
        begun: What the board said at its beginning; None: it has not begun.
        samples: Cycles, by test.
        counts: By name.
        lines: That have come between the beginning and the end, whole.
    """

    request: Request
    begun: Mapping[str, str] | None = None
    built_for: str = ""
    samples: dict[str, list[int]] = field(default_factory=lambda: {test: [] for test in TESTS})
    counts: dict[str, int] = field(default_factory=dict)
    lines: int = 0

    @property
    def come(self) -> int:
        """How many samples have come, of all tests."""
        return sum(map(len, self.samples.values()))

    def begins(self, words: Sequence[str]) -> bool:
        """Whether this is the beginning of the answer, and not of one to an earlier request."""
        found = _fields(words)
        asked = self.request
        wanted = {"number": asked.number, "samples": asked.samples, "stress": asked.stress}
        return words[:1] == ["begin"] and all(found.get(name) == str(value) for name, value in wanted.items())

    def begin(self, words: Sequence[str]) -> None:
        """Start, or start again."""
        self.begun = _fields(words)
        self.built_for = " ".join(words[5:])
        self.samples = {test: [] for test in TESTS}
        self.counts = {}
        self.lines = 0

    def take(self, words: Sequence[str]) -> None:
        """A line between the beginning and the end. One that does not follow the one before is left out."""
        self.lines += 1
        first, *rest = words
        found = _fields(rest)
        if first == "count":
            self.counts |= {name: int(value) for name, value in found.items() if value.isdecimal()}
        elif first in self.samples and found.get("first") == str(len(self.samples[first])):
            self.samples[first] += [int(word, 16) for word in rest[1:] if _SAMPLE.fullmatch(word)]

    def ended(self, words: Sequence[str]) -> Report | None:
        """The report, at the line that ends it; None if something of it got lost."""
        found = _fields(words)
        whole = all(len(values) == self.request.samples for values in self.samples.values())
        if self.begun is None or not whole or found.get("lines") != str(self.lines):
            return None
        clock = self.begun.get("clock", "")
        return Report(
            self.built_for,
            int(clock) if clock.isdecimal() else 0,
            {test: tuple(values) for test, values in self.samples.items()},
            self.counts,
            found.get("right") == "1",
        )
