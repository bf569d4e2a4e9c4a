# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Edges that the host makes: which platform line rises when, and for how long."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from trapeze.common.errors import TrapezeError

EDGE = "LINE@CYCLE, with HART: in front for a hart but 0, and :pulse, :pulse=N or :level behind"
RANGE = (
    "LINE@FROM..TO, with HART: in front for a hart but 0, and :pulse, :pulse=N or :level behind; FROM and TO are "
    "cycles, or SYMBOL[+N] or marker:N[+N]"
)

_LAST_LINE = 4095
"""The largest number of a line or a hart that can be written."""

_MOST = 2**62
"""The largest cycle that can be written: sums of cycles stay below 2^64."""

_NUMBER = r"(0[xX][0-9a-fA-F]+|\d+)"
_SHAPE = r"(?P<shape>:level|:pulse(?:=(?!0+$)\d+)?)?"
_WHERE = rf"(?:(?P<hart>{_NUMBER}):)?(?P<line>{_NUMBER})@"
_EDGE = re.compile(rf"{_WHERE}(?P<cycle>{_NUMBER}){_SHAPE}", re.ASCII)
_NAME = r"(?:marker:\d+|[A-Za-z_.$][\w.$]*)"
_AT = rf"(?:{_NUMBER}|{_NAME}(?:\+{_NUMBER})?)"
_RANGE = re.compile(rf"{_WHERE}(?P<first>{_AT}?)\.\.(?P<last>{_AT}){_SHAPE}", re.ASCII)
_FROM = re.compile(r"(?<=[:,])from=[^,]*")
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


def _in_range(number: int, last: int, what: str) -> int:
    if number > last:
        raise ValueError(f"{number} is no {what}; the largest is {last}")
    return number


def _pulse(shape: str) -> int:
    """Cycles in which an edge keeps its line high; 0: until its interrupt is claimed."""
    _, _, cycles = shape.partition("pulse=")
    return int(cycles) if cycles else int(shape == ":pulse")


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

    def to_json(self) -> dict[str, int]:
        """For the simulator."""
        return {"hart": self.hart, "line": self.line, "cycle": self.cycle, "pulse": _pulse(self.shape)}

    @staticmethod
    def parse(text: str, option: str = "--irq") -> Edge:
        """The inverse of `str`.

        Raises:
            TrapezeError: it is no such text.
        """
        found = _EDGE.fullmatch(text)
        if found is None:
            raise TrapezeError(f"{option} '{text}': is no edge; use {EDGE}")
        try:
            line, hart = (_in_range(_number(found[what]), _LAST_LINE, what) for what in ("line", "hart"))
            cycle = _in_range(_number(found["cycle"]), _MOST, "cycle")
            _in_range(_pulse(found["shape"] or ""), _MOST, "pulse")
        except ValueError as error:
            raise TrapezeError(f"{option} '{text}': {error}; use {EDGE}") from None
        return Edge(line, cycle, found["shape"] or "", hart)


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

    def to_json(self) -> dict[str, object]:
        """For the simulator."""
        where = {"text": str(self), "hart": self.hart, "line": self.line}
        return where | {"from": self.first, "to": self.last, "pulse": _pulse(self.shape)}

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
        try:
            line, _ = (_in_range(_number(found[what]), _LAST_LINE, what) for what in ("line", "hart"))
            _in_range(last, _MOST, "cycle")
            _in_range(_pulse(found["shape"] or ""), _MOST, "pulse")
        except ValueError as error:
            raise TrapezeError(f"{option} '{text}': {error}; use {RANGE}") from None
        return EdgeRange(line, first, last, found["shape"] or "", hart)


GAPS = ("every", "uniform", "exp", "file")
"""How edges of a stimulus are apart."""

MANY = (
    "[HART:]LINE: with every=N, uniform=A..B, exp=MEAN or file=PATH behind it, and n=COUNT, from=CYCLE, seed=N, "
    "burst=COUNTxGAP, pulse=N with commas between them"
)


@dataclass(frozen=True)
class Stimulus:
    """Many edges of a line.

    Attributes:
        text: As the user wrote it.
        line: Platform line.
        hart: Whose line it is.
        gaps: Of `GAPS`.
        least: The smallest gap in cycles; of `exp` the mean.
        most: The largest one.
        file: That lists the cycles, of `file`.
        start: Of `every` the cycle of the first edge, else that from which the first gap counts.
        place: Where that is a place of the program, and cycles behind it; see `from_place`.
        number: Of edges; None: they never end.
        seed: Of random gaps.
        burst: Edges, and cycles between them, in the place of each one.
        pulse: Cycles high; 0: until its interrupt is claimed.
    """

    text: str
    line: int
    hart: int
    gaps: str
    least: int = 0
    most: int = 0
    file: Path | None = None
    start: int = 0
    place: tuple[Place, int] | None = None
    number: int | None = None
    seed: int = 1
    burst: tuple[int, int] = (1, 0)
    pulse: int = 0

    def __str__(self) -> str:
        return self.text

    def to_json(self) -> dict[str, object]:
        """For the simulator.

        Raises:
            TrapezeError: it begins at a place whose cycle is not known, see `from_place`.
        """
        if self.place is not None:
            raise TrapezeError(
                f"--stimulus '{self.text}': '{self.place[0]}' is a place of a run in cycles; use --engine rtl"
            )
        gaps = {"file": str(self.file)} if self.file is not None else {"least": self.least, "most": self.most}
        made: dict[str, object] = {"text": self.text, "hart": self.hart, "line": self.line, "gaps": self.gaps}
        made |= {"from": self.start, "seed": self.seed, "burst": self.burst[0], "burst_gap": self.burst[1]}
        return made | gaps | {"pulse": self.pulse} | ({} if self.number is None else {"n": self.number})

    def from_place(self, first_cycle: FirstCycle) -> Stimulus:
        """The same with a cycle behind `from=`, where that is a place of the program; see `EdgeRange.parse`."""
        if self.place is None:
            return self
        place, offset = self.place
        cycle = first_cycle(self.hart, place) + offset
        return replace(self, text=_FROM.sub(f"from={cycle}", self.text), start=cycle, place=None)

    @staticmethod
    def parse(text: str) -> Stimulus:
        """What --stimulus takes, `MANY`.

        Raises:
            TrapezeError: it is no such text, or says what cannot be.
        """
        try:
            return _stimulus(text)
        except ValueError as error:
            raise TrapezeError(f"--stimulus '{text}': {error}; use {MANY}") from None


def _stimulus(text: str) -> Stimulus:
    where = re.match(rf"(?:(?P<hart>{_NUMBER}):)?(?P<line>{_NUMBER}):(?P<rest>.*)", text, re.ASCII | re.DOTALL)
    if where is None:
        raise ValueError(
            "there is no ':' behind the line" if ":" not in text else "there is no number of a line in front"
        )
    keys: dict[str, str] = {}
    for word in where["rest"].split(","):
        key, equals, value = word.partition("=")
        if not equals:
            raise ValueError(f"'{word}' is no KEY=VALUE")
        if key in keys:
            raise ValueError(f"there are two {key}=")
        keys[key] = value
    known = {"from", "n", "seed", "burst", "pulse", *GAPS}
    if strange := next((key for key in keys if key not in known), None):
        raise ValueError(f"there is no key '{strange}'")
    kinds = [key for key in keys if key in GAPS]
    if len(kinds) != 1:
        raise ValueError(
            "there are two of every=, uniform=, exp= and file=" if kinds else "it does not say how far edges are apart"
        )
    gaps = kinds[0]
    least, most = _two(keys, gaps, "..", "A..B") if gaps == "uniform" else (0, 0)
    if gaps in ("every", "exp"):
        least = most = _at_least(keys, gaps, 1)
    if most < least:
        raise ValueError(f"uniform={keys[gaps]} is reversed")
    burst = _two(keys, "burst", "x", "COUNTxGAP") if "burst" in keys else (1, 0)
    if gaps == "file" and not keys["file"]:
        raise ValueError("--stimulus file '' is none")
    if gaps == "file" and ("from" in keys or "burst" in keys):
        raise ValueError("a file says every cycle; leave out from= and burst=")
    longest = (burst[0] - 1) * burst[1]
    if longest > _MOST:
        raise ValueError("the burst is too long")
    if gaps == "every" and longest >= least:
        raise ValueError(f"a burst takes {longest} cycles, and the next one begins {least} behind it")
    place = _PLACE.fullmatch(keys.get("from", ""))
    start = least if gaps == "every" else 0
    if "from" in keys and place is None:
        start = _at_least(keys, "from", 0)
    return Stimulus(
        text,
        _in_range(_number(where["line"]), _LAST_LINE, "line"),
        _in_range(_number(where["hart"]), _LAST_LINE, "hart"),
        gaps,
        least,
        most,
        Path(keys["file"]) if gaps == "file" else None,
        start,
        None if place is None else (Place.of(place["name"]), _number(place["offset"])),
        _at_least(keys, "n", 1) if "n" in keys else None,
        _at_least(keys, "seed", 0) if "seed" in keys else 1,
        burst,
        _at_least(keys, "pulse", 1) if "pulse" in keys else 0,
    )


def _at_least(keys: Mapping[str, str], key: str, least: int) -> int:
    return _valued(key, keys[key], keys[key], least)


def _two(keys: Mapping[str, str], key: str, between: str, form: str) -> tuple[int, int]:
    first, found, second = keys[key].partition(between)
    if not found:
        raise ValueError(f"{key}={keys[key]} is not {form}")
    return _valued(key, keys[key], first, 1), _valued(key, keys[key], second, 1)


def _valued(key: str, value: str, text: str, least: int) -> int:
    if not re.fullmatch(_NUMBER, text, re.ASCII) or not least <= _number(text) <= _MOST:
        raise ValueError(f"{key}={value} is no number of at least {least}")
    return _number(text)
