# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""A memory map of the user's own: what the key `regions` of a configuration changes in the map that it begins with."""

from __future__ import annotations

import itertools
import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from trapeze.common import paths
from trapeze.common.errors import choices
from trapeze.platform.hart import Hart
from trapeze.platform.platform import Platform, Region, complete, of_map, shared_line

SEVERAL = ("uart", "mailbox_side")
"""Devices of which a platform can have more than one."""

NEEDED = ("host", "clint")
"""Devices that every platform has."""

FIXED = (*NEEDED, "clic", "clic_user", "plic")
"""Devices that those harts see that can have them, whatever a file says."""

ONLY = {"size": "a memory", "own": "a memory", "console": "a UART", "peer": "a mailbox's side"}
"""Keys that only some regions have."""

_OF_HART = ("line_hart", "console")

_ADDRESSES = {"rv32i": 32, "rv32e": 32, "rv64i": 56}
"""Bits of a physical address."""


class MapError(Exception):
    """A map that cannot be; its text begins with the key, `regions.uart2.base: ...`."""


@dataclass(frozen=True)
class Change:
    """What a file says of a region.

    Attributes:
        name: Of the region.
        values: Keys and values; None: the platform does not have the region.
    """

    name: str
    values: tuple[tuple[str, Any], ...] | None

    def to_json(self) -> dict[str, Any] | None:
        """As in the file."""
        return None if self.values is None else {key: _plain(value) for key, value in self.values}


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def changes(raw: Mapping[str, Mapping[str, Any] | None]) -> tuple[Change, ...]:
    """What a file's key `regions` holds, checked against the schema."""

    def values(said: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
        for key, value in sorted(said.items()):
            yield key, tuple(sorted(value)) if isinstance(value, list) else value

    return tuple(Change(name, None if said is None else tuple(values(said))) for name, said in sorted(raw.items()))


@cache
def regions(memory_map: str, harts: tuple[Hart, ...], own: tuple[Change, ...]) -> tuple[Region, ...]:
    """The regions of a platform with a map of its own, whatever its harts can have of them.

    Raises:
        MapError: it cannot be.
    """
    placed = {one.name: one for one in of_map(memory_map, len(harts))}
    known = dict(placed)
    for change in own:
        if change.values is None:
            _remove(placed, change.name, memory_map)
        else:
            placed[change.name] = _region(change.name, dict(change.values), known, memory_map, len(harts))
    made = complete("", memory_map, harts, placed.values())
    if own:
        _places(made)
        _sides(made)
        _interrupts(made, [one.name for one in own])
    return made.regions


def require_design(own: Collection[Change]) -> None:
    """Refuse what an RTL design does not follow: it has what its map has, with other first addresses at most.

    The CLIC stays where it is, because lockstep knows the CLIC of an RTL engine by the map's addresses.

    Raises:
        MapError: of a key or a region that only the model can have.
    """
    alone = "leave it out, or write `top: null` for a platform of the model alone"
    for change in own:
        if change.values is None:
            raise MapError(f"regions.{change.name}: the RTL design has a {change.name}; {alone}")
        if change.name in ("clic", "clic_user"):
            raise MapError(f"regions.{change.name}: an RTL design has it at the map's address; {alone}")
        for key, _ in change.values:
            if key != "base":
                raise MapError(
                    f"regions.{change.name}.{key}: of a region of an RTL design only `base` can change; {alone}"
                )


def _remove(placed: dict[str, Region], name: str, memory_map: str) -> None:
    if name not in placed:
        raise MapError(f"regions.{name}: the map {memory_map} has no such region to remove; {choices(name, placed)}")
    if placed[name].block in NEEDED:
        raise MapError(f"regions.{name}: every platform has a {name}; leave it in")
    del placed[name]


def _region(name: str, said: dict[str, Any], known: Mapping[str, Region], memory_map: str, harts: int) -> Region:
    """A region that is changed or added."""
    like = said.pop("like", None)
    if name in known:
        if like is not None:
            raise MapError(f"regions.{name}.like: {name} is a region of the map {memory_map}; leave `like` out")
        under = known[name]
    else:
        if like is None:
            raise MapError(
                f"regions.{name}: the map {memory_map} has no such region; a new one says by `like` which one of the "
                f"map's it is like; {choices(name, known)}"
            )
        if like not in known:
            raise MapError(
                f"regions.{name}.like: the map {memory_map} has no region '{like}'; {choices(str(like), known)}"
            )
        if "base" not in said:
            raise MapError(f"regions.{name}.base: missing; a new region needs an address")
        alone: dict[str, Any] = dict.fromkeys(("line", "line_hart", "plic_source", "console", "peer"))
        under = replace(known[like], name=name, **alone)
        if not under.is_memory and under.block not in SEVERAL:
            raise MapError(
                f"regions.{name}.like: a platform has one {like} at most; memories, UARTs and mailboxes can be more"
            )
    _require_keys(name, said, under, harts)
    moved = said.get("base", under.base) - under.base
    parts = tuple(replace(one, base=one.base + moved) for one in under.parts)
    made = replace(under, parts=parts, **said)
    return _with_line_hart(made)


def _with_line_hart(one: Region) -> Region:
    """A platform line is that of the only hart that sees the device, unless the file says whose."""
    if one.line is None or one.line_hart is not None:
        return one
    if len(one.harts) != 1:
        raise MapError(f"regions.{one.name}.line_hart: missing; say which hart's line {one.line} is")
    return replace(one, line_hart=one.harts[0])


def _require_keys(name: str, said: Mapping[str, Any], under: Region, harts: int) -> None:
    """Refuse keys that the kind of region does not have, and harts that there are not."""
    has = {"size": under.is_memory, "own": under.is_memory}
    has |= {"console": under.block == "uart", "peer": under.block == "mailbox_side"}
    what = "a memory" if under.is_memory else f"the block {under.block}"
    for key in said:
        if not has.get(key, True):
            raise MapError(f"regions.{name}.{key}: only {ONLY[key]} has this key, and {name} is {what}; leave it out")
        if under.is_memory and key in ("line", "line_hart", "plic_source"):
            raise MapError(f"regions.{name}.{key}: a memory has no interrupt; leave it out")
    if under.block == "probe" and (said.get("plic_source", under.plic_source) is None) != (under.plic_source is None):
        of = "through the PLIC" if under.measures_behind_plic else "by a platform line of each hart"
        raise MapError(f"regions.{name}.plic_source: {name} interrupts {of}; leave it out")
    if "harts" in said and (under.block in FIXED or under.measures_behind_plic):
        able = "plic" if under.measures_behind_plic else under.block
        raise MapError(f"regions.{name}.harts: the harts that can have {able} see it; leave it out")
    named = [("harts", number) for number in said.get("harts", ())]
    named += [(key, said[key]) for key in _OF_HART if said.get(key) is not None]
    for key, number in named:
        if number >= harts:
            raise MapError(f"regions.{name}.{key}: there is no hart {number}; harts are 0 to {harts - 1}")


def _places(made: Platform) -> None:
    """Refuse addresses that a region cannot have."""
    for one in made.regions:
        if one.size & (one.size - 1):
            raise MapError(f"regions.{one.name}.size: {one.size:#x} is not a power of two; choose one")
        if one.base % one.size:
            raise MapError(
                f"regions.{one.name}.base: {one.base:#x} is not a multiple of the size, {one.size:#x}; "
                f"{one.base - one.base % one.size:#x} is one"
            )
        for number in one.harts:
            bits = _ADDRESSES[made.harts[number].base]
            if one.end > 1 << bits:
                raise MapError(
                    f"regions.{one.name}.base: hart {number} has addresses of {bits} bits, and the region would end "
                    f"at {one.end - 1:#x}; choose a lower one"
                )
    for low, high in itertools.pairwise(made.regions):
        if low.end > high.base:
            raise MapError(
                f"regions.{high.name}.base: {high.name} from {high.base:#x} overlaps {low.name}, "
                f"{low.base:#x} to {low.end - 1:#x}; move or shrink one"
            )


def _sides(made: Platform) -> None:
    """Refuse a mailbox's side without another one, and two consoles of a hart."""
    for one in made.of_block("mailbox_side"):
        other = made.find(one.peer) if one.peer is not None else None
        if other is None or other.block != "mailbox_side" or other.peer != one.name or other is one:
            raise MapError(
                f"regions.{one.name}.peer: {one.peer or 'missing'}: the two sides of a mailbox name each other"
            )
    owners: dict[int, str] = {}
    for one in made.of_block("uart"):
        if one.console is not None and (first := owners.setdefault(one.console, one.name)) != one.name:
            raise MapError(
                f"regions.{one.name}.console: hart {one.console} has {first} as console already; give it one"
            )


def _interrupts(made: Platform, changed: Collection[str]) -> None:
    """Refuse platform lines and sources of the PLIC that there are not, or that another device has.

    Without supervisor mode there is no PLIC; what the map says of its sources has no meaning then.
    """
    lines: dict[tuple[int, int], str] = {}
    sources: dict[int, str] = {}
    for one in (region for region in made.of_block("probe") if not region.measures_behind_plic):
        lines |= {(number, shared_line(made.harts[number])): one.name for number in one.harts}
    for one in made.regions:
        if one.line is not None and one.line_hart is not None:
            there = made.harts[one.line_hart].lines
            if one.line >= there:
                raise MapError(
                    f"regions.{one.name}.line: hart {one.line_hart} has lines 0 to {there - 1}, not {one.line}"
                )
            if (first := lines.setdefault((one.line_hart, one.line), one.name)) != one.name:
                raise MapError(
                    f"regions.{one.name}.line: line {one.line} of hart {one.line_hart} is that of {first}; "
                    "choose another one"
                )
        if one.plic_source is not None and (one.name in changed or made.of_block("plic")):
            if not made.of_block("plic"):
                raise MapError(f"regions.{one.name}.plic_source: the platform has no PLIC; leave it out")
            if not 1 <= one.plic_source < plic_sources():
                raise MapError(
                    f"regions.{one.name}.plic_source: the PLIC has sources 1 to {plic_sources() - 1}, "
                    f"not {one.plic_source}"
                )
            if (first := sources.setdefault(one.plic_source, one.name)) != one.name:
                raise MapError(
                    f"regions.{one.name}.plic_source: source {one.plic_source} is that of {first}; choose another one"
                )


@cache
def plic_sources() -> int:
    """How many the PLIC has, source 0 among them, which does not exist."""
    registers = json.loads(paths.REGISTERS.read_text())["blocks"]["plic"]["registers"]
    return int(next(one["count"] for one in registers if one["name"] == "priority"))
