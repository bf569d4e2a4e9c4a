# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Edges that the host makes: which platform line rises when, and for how long."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from trapeze.common.errors import TrapezeError

EDGE = "LINE@CYCLE, with HART: in front for a hart but 0, and :pulse, :pulse=N or :level behind"
RANGE = (
    "LINE@FROM..TO, with HART: in front for a hart but 0, and :pulse, :pulse=N or :level behind; FROM and TO are "
    "cycles, or SYMBOL[+N] or marker:N[+N]"
)

_NUMBER = r"(0[xX][0-9a-fA-F]+|\d+)"
_SHAPE = r"(?P<shape>:level|:pulse(?:=(?!0+$)\d+)?)?"
_WHERE = rf"(?:(?P<hart>{_NUMBER}):)?(?P<line>{_NUMBER})@"
_EDGE = re.compile(rf"{_WHERE}(?P<cycle>{_NUMBER}){_SHAPE}", re.ASCII)
_NAME = r"(?:marker:\d+|[A-Za-z_.$][\w.$]*)"
_AT = rf"(?:{_NUMBER}|{_NAME}(?:\+{_NUMBER})?)"
_RANGE = re.compile(rf"{_WHERE}(?P<first>{_AT}?)\.\.(?P<last>{_AT}){_SHAPE}", re.ASCII)
_FROM = re.compile(r"(?<=[:,])from=([^,]*)")
_PLACE = re.compile(rf"(?P<name>{_NAME})(?:\+(?P<offset>{_NUMBER}))?", re.ASCII)


@dataclass(frozen=True)
class Place:
    """A place of a program: a symbol that is executed (`pc`), or a `marker`; `what`: the symbol, or the number."""

    kind: str
    what: str

    @staticmethod
    def of(name: str) -> Place:
        """What a user calls `SYMBOL`, or `marker:N`."""
        kind, colon, number = name.partition(":")
        return Place(kind, number) if colon else Place("pc", name)

    def __str__(self) -> str:
        return self.what if self.kind == "pc" else f"{self.kind}:{self.what}"


FirstCycle = Callable[[int, Place], int]
"""The cycle in which a hart first executes a place."""


def _number(text: str | None) -> int:
    return int(text or "0", 16 if (text or "")[:2].lower() == "0x" else 10)


def _prefix(hart: int) -> str:
    return f"{hart}:" if hart else ""


@dataclass(frozen=True)
class Edge:
    """A line rises.

    Attributes:
        line: Platform line.
        cycle: The first one in which it is high.
        shape: Empty or `:level`, high until its interrupt is claimed; `:pulse`, one cycle; `:pulse=N`, N cycles.
        hart: Whose line it is.
    """

    line: int
    cycle: int
    shape: str = ""
    hart: int = 0

    def __str__(self) -> str:
        return f"{_prefix(self.hart)}{self.line}@{self.cycle}{self.shape}"

    @staticmethod
    def parse(text: str, option: str = "--irq") -> Edge:
        """The inverse of `str`.

        Raises:
            TrapezeError: it is no such text.
        """
        found = _EDGE.fullmatch(text)
        if found is None:
            raise TrapezeError(f"{option} '{text}': is no edge; use {EDGE}")
        return Edge(_number(found["line"]), _number(found["cycle"]), found["shape"] or "", _number(found["hart"]))


@dataclass(frozen=True)
class EdgeRange:
    """A line rises in each of the cycles `first` to `last`, in a run for each; the rest is as of `Edge`."""

    line: int
    first: int
    last: int
    shape: str = ""
    hart: int = 0

    def __str__(self) -> str:
        return f"{_prefix(self.hart)}{self.line}@{self.first}..{self.last}{self.shape}"

    def raises(self, hart: int, line: int | None) -> bool:
        """Whether that is its line."""
        return (self.hart, self.line) == (hart, line)

    def at(self, cycle: int) -> Edge:
        """The edge of one of the runs."""
        return Edge(self.line, cycle, self.shape, self.hart)

    @staticmethod
    def parse(text: str, option: str = "--sweep", first_cycle: FirstCycle | None = None) -> EdgeRange:
        """The inverse of `str`; with `first_cycle` also of places, from which a plain number behind them counts.

        Raises:
            TrapezeError: it is no such text, or the range is reversed.
        """
        found = _RANGE.fullmatch(text)
        if found is None or not found["first"]:
            raise TrapezeError(f"{option} '{text}': is no range of edges; use {RANGE}")
        hart = _number(found["hart"])
        base = 0
        ends = []
        for word in (found["first"], found["last"]):
            place = _PLACE.fullmatch(word)
            if place is None:
                ends.append(base + _number(word))
                continue
            if first_cycle is None:
                raise TrapezeError(f"{option} '{text}': '{word}' is no cycle; give a number")
            base = first_cycle(hart, Place.of(place["name"]))
            ends.append(base + _number(place["offset"]))
        first, last = ends
        if last < first:
            raise TrapezeError(f"{option} '{text}': the range is reversed, from cycle {first} to {last}; use {RANGE}")
        return EdgeRange(_number(found["line"]), first, last, found["shape"] or "", hart)


@dataclass(frozen=True)
class Stimulus:
    """Many edges of a line. The simulator defines the words (sim/kernel/arrivals.h) and refuses others."""

    text: str

    def __str__(self) -> str:
        return self.text

    @property
    def file(self) -> Path | None:
        """The file that lists its cycles, if there is one."""
        found = re.search(r"[:,]file=([^,]*)", self.text)
        return None if found is None else Path(found[1])

    def from_place(self, first_cycle: FirstCycle) -> Stimulus:
        """The same with a cycle behind `from=`, where that is a place of the program; see `EdgeRange.parse`."""
        found = _FROM.search(self.text)
        place = None if found is None else _PLACE.fullmatch(found[1])
        if found is None or place is None:
            return self
        hart = re.match(rf"({_NUMBER}):{_NUMBER}:", self.text, re.ASCII)
        cycle = first_cycle(_number(hart[1]) if hart else 0, Place.of(place["name"])) + _number(place["offset"])
        return Stimulus(f"{self.text[: found.start(1)]}{cycle}{self.text[found.end(1) :]}")
