# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Memory maps, regions and registers, as the sources describe them. Addresses and sizes are in bytes, up to 64 bits."""

from __future__ import annotations

from dataclasses import dataclass, field


class MapError(Exception):
    """A description that is well-formed but that the platform cannot implement."""


@dataclass(frozen=True)
class EnumValue:
    """One named value of a field."""

    name: str
    value: int
    desc: str


@dataclass(frozen=True)
class Field:
    """A bit field; `access` is r, w or rw, with a suffix for side effects of a read."""

    name: str
    lsb: int
    width: int
    reset: int
    access: str
    desc: str
    values: tuple[EnumValue, ...]

    @property
    def mask(self) -> int:
        """Mask of the field inside its register."""
        return ((1 << self.width) - 1) << self.lsb


@dataclass(frozen=True)
class Register:
    """A register, or `count` of them, `stride` bytes apart.

    `mode` names the overlay it is visible in, None for the plain map.
    """

    name: str
    offset: int
    width: int
    title: str
    desc: str
    mode: str | None
    fields: tuple[Field, ...]
    count: int = 1
    stride: int = 0

    @property
    def reset(self) -> int:
        """Value after reset."""
        return sum(f.reset << f.lsb for f in self.fields)

    @property
    def access(self) -> str:
        """The access: r, w or rw."""
        letters = {letter for f in self.fields for letter in f.access}
        return "".join(letter for letter in "rw" if letter in letters)


@dataclass(frozen=True)
class Part:
    """A block, or a memory if `block` is empty, inside a region that holds several."""

    name: str
    block: str
    base: int
    size: int
    title: str


@dataclass(frozen=True)
class Region:
    """An address range: a memory bank or a device, or a device of several parts.

    `per_hart`: each hart has a range of its own at this address; otherwise all harts share one. `block`: name of the
    block whose registers it has; empty: it has registers of its own. `hart`: number of the one hart that sees it; None:
    all do. `line`, `plic_source`: its interrupt as a platform line of the hart `line_hart`, and as a source of the
    PLIC; None: there is none. `console`: number of the hart whose console it is. `peer`: the region that is its other
    side. `coherent`: of a memory: no cache hides what a hart writes there.
    """

    name: str
    base: int
    size: int
    kind: str
    title: str
    desc: str
    registers: tuple[Register, ...] = field(default=())
    parts: tuple[Part, ...] = field(default=())
    per_hart: bool = False
    block: str = ""
    hart: int | None = None
    line: int | None = None
    plic_source: int | None = None
    line_hart: int | None = None
    console: int | None = None
    peer: str | None = None
    coherent: bool = field(default=False, kw_only=True)


@dataclass(frozen=True)
class Map:
    """The memory map of a kind of platform: its regions in address order, those of the map it extends among them."""

    name: str
    title: str
    desc: str
    regions: tuple[Region, ...]
    extends: Map | None = None

    @property
    def own(self) -> tuple[Region, ...]:
        """The regions that are not in the map that it extends."""
        under = self.extends.regions if self.extends else ()
        return tuple(region for region in self.regions if region not in under)
