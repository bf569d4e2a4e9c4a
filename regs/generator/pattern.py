# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The bits of an instruction, from a line such as ``imm[12|10:5] rs2 rs1 000 imm[4:1|11] 1100011``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

WIDTHS = {
    **dict.fromkeys(("rd", "rs1", "rs2", "rs3", "zimm", "shamtw"), 5),
    "csr": 12,
    "shamt": 6,
    "rm": 3,
    "order": 2,
    "fm": 4,
    "pred": 4,
    "succ": 4,
}
"""Fields by name, with their widths. An immediate is not among them: its bits are in the line."""

_TOKEN = re.compile(r"(?P<name>[a-z][a-z0-9]*(?:/[a-z0-9]+)?)(?P<short>')?(?:\[(?P<slices>[0-9:|]+)\])?")
_FIRST_SHORT, _SHORT_WIDTH = 8, 3


class PatternError(Exception):
    """A line that leaves the meaning of a bit open. One line of text, without the place."""


@dataclass
class Pattern:
    """Fixed bits, and fields: for each bit of a field where it is, as (place in the word, bit of the field)."""

    match: int = 0
    mask: int = 0
    fields: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    ignored: set[str] = field(default_factory=set)
    short: set[str] = field(default_factory=set)
    signed: bool = False

    def value(self, name: str, number: int) -> tuple[int, int]:
        """Match and mask of the field `name` with a value.

        Raises:
            PatternError: there is no such field, or it cannot have the value.
        """
        if name not in self.fields:
            raise PatternError(f"there is no field '{name}'")
        width = max(bit for _, bit in self.fields[name]) + 1
        if not -(1 << (width - 1)) <= number < 1 << width:
            raise PatternError(f"{number} does not fit into '{name}'")
        places = self.fields[name]
        match = sum(1 << place for place, bit in places if number >> bit & 1)
        # Bits that the field lacks are zero, so the number must be zero there, too.
        held = {bit for _, bit in places}
        if any(number >> bit & 1 for bit in range(width) if bit not in held):
            raise PatternError(f"{number} does not fit into '{name}'")
        return match, self.bits(name)

    def bits(self, name: str) -> int:
        """The places of a field.

        Raises:
            PatternError: there is no such field.
        """
        if name not in self.fields:
            raise PatternError(f"there is no field '{name}'")
        return sum(1 << place for place, _ in self.fields[name])

    def where(self, values: Mapping[str, int]) -> tuple[int, int]:
        """Match and mask of the word with these values of fields."""
        match, mask = self.match, self.mask
        for name, number in values.items():
            more = self.value(name, number)
            match, mask = match | more[0], mask | more[1]
        return match, mask


def _slices(text: str) -> Iterator[int]:
    """Bits of an immediate, from the left: of `12|10:5` 12, 10, 9, 8, 7, 6, 5."""
    for part in text.split("|"):
        high, _, low = part.partition(":")
        if not high or (":" in part and not low):
            raise PatternError(f"[{text}]: is not a list of bits")
        yield from range(int(high), int(low or high) - 1, -1)


def parse(text: str, width: int) -> Pattern:
    """The pattern of a word of `width` bits.

    Raises:
        PatternError: something is not a field, or the widths do not add up.
    """
    made = Pattern()
    place = width
    for token in text.split():
        if set(token) <= {"0", "1"}:
            place -= len(token)
            made.mask |= ((1 << len(token)) - 1) << max(place, 0)
            made.match |= int(token, 2) << max(place, 0)
            continue
        ignored = token.startswith("(") and token.endswith(")")
        found = _TOKEN.fullmatch(token.strip("()"))
        if found is None:
            raise PatternError(f"'{token}' is neither bits nor a field")
        names = found["name"].split("/")
        immediate = names[0] in ("imm", "uimm")
        if names[0] == "imm":
            made.signed = True
        if immediate:
            names = ["imm"]
        elif strange := [name for name in names if name not in WIDTHS]:
            raise PatternError(f"there is no field '{strange[0]}'")
        if immediate and not found["slices"]:
            raise PatternError(f"'{token}' does not say which bits")
        whole = _SHORT_WIDTH if found["short"] else WIDTHS.get(names[0], 0)
        for bit in _slices(found["slices"]) if found["slices"] else range(whole - 1, -1, -1):
            place -= 1
            for name in names:
                made.fields.setdefault(name, []).append((place, bit))
        made.ignored |= set(names) if ignored else set()
        made.short |= set(names) if found["short"] else set()
    if place != 0:
        raise PatternError(f"has {width - place} bits instead of {width}")
    for name, places in made.fields.items():
        if len({bit for _, bit in places}) != len(places):
            raise PatternError(f"a bit of '{name}' is there twice")
    return made


def moves(source: Pattern, target: Pattern, name: str) -> list[tuple[int, int, int]]:
    """How the field `name` gets from one word into another: runs of bits, as (from, width, to), lowest first.

    Raises:
        PatternError: the target lacks the field or a bit of it.
    """
    if name not in target.fields:
        raise PatternError(f"the expansion has no field '{name}'")
    places = {bit: place for place, bit in target.fields[name]}
    runs: list[tuple[int, int, int]] = []
    for place, bit in sorted(source.fields[name]):
        if bit not in places:
            raise PatternError(f"the expansion has no bit {bit} of '{name}'")
        if runs and (runs[-1][0] + runs[-1][1], runs[-1][2] + runs[-1][1]) == (place, places[bit]):
            runs[-1] = (runs[-1][0], runs[-1][1] + 1, runs[-1][2])
        else:
            runs.append((place, 1, places[bit]))
    return runs


def first_short(name: str, target: Pattern) -> int:
    """Bits to set in the target for a register field of three bits, which means registers 8 to 15."""
    return target.value(name, _FIRST_SHORT)[0]
