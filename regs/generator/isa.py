# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Reads the constants of the instruction set: `isa/*.yaml`, checked against `isa/schema.json`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

REGISTERS = (
    *("zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "s0", "s1"),
    *(f"a{n}" for n in range(8)),
    *(f"s{n}" for n in range(2, 12)),
    *(f"t{n}" for n in range(3, 7)),
)
"""The integer registers by number, as the ABI names them."""


class IsaError(Exception):
    """A description that breaks its schema, or that contradicts itself. One line, which names file and place."""


@dataclass(frozen=True)
class BitField:
    """Bits of a CSR or an instruction; `high` is None for bit XLEN - 1."""

    name: str
    low: int | None
    high: int | None
    title: str
    values: tuple[tuple[str, int], ...] = ()

    @property
    def wide(self) -> bool:
        """Whether only registers of 64 bits have it."""
        return self.high is not None and self.high >= 32

    def span(self, xlen: int) -> tuple[int, int]:
        """Lowest and highest bit in a register of `xlen` bits."""
        high = xlen - 1 if self.high is None else self.high
        return (high if self.low is None else self.low), high

    def mask(self, xlen: int) -> int:
        """The field's bits."""
        low, high = self.span(xlen)
        return ((1 << (high - low + 1)) - 1) << low


@dataclass(frozen=True)
class Csr:
    """A control and status register, or a run of `count`, the first of which has the index `first` in its name."""

    number: int
    name: str
    of: str
    title: str
    fields: tuple[BitField, ...] = ()
    first: int = 0
    count: int = 1

    def numbered(self) -> Iterable[tuple[str, int]]:
        """Name and number of each register."""
        for index in range(self.count):
            yield self.name.replace("{}", str(self.first + index)), self.number + index

    @property
    def narrow(self) -> tuple[BitField, ...]:
        """The fields of a register of 32 bits."""
        return tuple(field for field in self.fields if not field.wide)

    @property
    def one(self) -> str:
        """The name; of a run the name of its first register."""
        return self.name.replace("{}", str(self.first))


@dataclass(frozen=True)
class Named:
    """A cause or a marker."""

    code: int
    name: str
    of: str
    title: str


@dataclass(frozen=True)
class Instruction:
    """An encoding: (instruction & mask) == match. `operand`: bits and range of the number in it."""

    name: str
    match: int
    mask: int
    of: str
    title: str
    operand: BitField | None = None
    range: tuple[int, int] = (0, 0)


@dataclass(frozen=True)
class Frame:
    """The words of an interrupt's frame: registers, then CSRs. `bytes`: by how much sp is lowered.

    `base` is i or e, or whole_i or whole_e for frames of all registers.
    """

    base: str
    registers: tuple[str, ...]
    csrs: tuple[str, ...]
    bytes: int

    @property
    def words(self) -> tuple[str, ...]:
        """Names of all words, from sp upwards."""
        return self.registers + self.csrs


@dataclass(frozen=True)
class Fields:
    """A value with fields: a layout that is one value, or a word of a structure. `name` holds the structure's, too."""

    name: str
    title: str
    bits: int
    fields: tuple[BitField, ...]


@dataclass(frozen=True)
class Word:
    """One word of a structure in memory, or `count` words."""

    name: str
    offset: int
    count: int
    title: str


@dataclass(frozen=True)
class Layout:
    """A structure in memory, which has `words`, or one value, which has none. `values`: its parts with fields."""

    name: str
    of: str
    title: str
    bytes: int
    alignment: int
    words: tuple[Word, ...]
    values: tuple[Fields, ...]

    def numbers(self) -> tuple[tuple[str, int, str], ...]:
        """Of a structure: name, number and title of each word's offset, of the size and of the alignment."""
        if not self.words:
            return ()
        offsets = tuple((f"{word.name}_offset", word.offset, word.title) for word in self.words)
        return *offsets, ("bytes", self.bytes, "size"), ("alignment", self.alignment, "alignment")


@dataclass(frozen=True)
class Isa:
    """All constants of the instruction set."""

    privilege: tuple[tuple[str, int], ...]
    csrs: tuple[Csr, ...]
    exceptions: tuple[Named, ...]
    interrupts: tuple[Named, ...]
    instructions: tuple[Instruction, ...]
    markers: tuple[Named, ...]
    frames: tuple[Frame, ...]
    layouts: tuple[Layout, ...]


def load_file(folder: Path, name: str) -> dict[str, Any]:
    """Read a file and check it against its schema."""
    path, shown = folder / f"{name}.yaml", f"{folder.name}/{name}.yaml"
    try:
        value = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, yaml.YAMLError) as error:
        raise IsaError(f"{shown}: cannot be read: {' '.join(str(error).split())}") from None
    schema = json.loads((folder / "schema.json").read_text(encoding="utf-8"))
    rules = {"$ref": f"#/$defs/{name}", "$defs": schema["$defs"]}
    violation = best_match(Draft202012Validator(rules).iter_errors(value))
    if violation is not None:
        place: Any = value
        where = []
        for part in violation.absolute_path:
            place = place[part]
            where.append(str(place["name"]) if isinstance(place, dict) and "name" in place else str(part))
        at = f"{'.'.join(where)}: " if where else ""
        raise IsaError(f"{shown}: {at}{' '.join(violation.message.split())}")
    result: dict[str, Any] = value
    return result


def _bits(raw: dict[str, Any], where: str) -> BitField:
    high, _, low = str(raw["bits"]).partition(":")
    top = None if high == "top" else int(high)
    bottom = int(low) if low else top
    field = BitField(raw.get("name", ""), bottom, top, raw.get("title", ""), tuple((raw.get("values") or {}).items()))
    for name, value in (("", 0), *field.values):
        xlen = 64 if field.wide else 32
        first, last = field.span(xlen)
        if not first <= last < xlen or value >> (last - first + 1):
            raise IsaError(f"{where}.{field.name}: {name or 'bits'}: does not fit into bits {raw['bits']} of {xlen}")
    return field


def _distinct(where: str, what: str, values: Sequence[object]) -> None:
    """Raise an error if a value is there twice."""
    seen: set[object] = set()
    for value in values:
        if value in seen:
            raise IsaError(f"{where}: {what} {hex(value) if isinstance(value, int) else repr(value)} is there twice")
        seen.add(value)


def _fields(raw: dict[str, Any], where: str) -> tuple[BitField, ...]:
    """The fields of a register or a word; no two have a bit in common."""
    fields = tuple(_bits(field, where) for field in raw.get("fields", ()))
    used = 0
    for field in fields:
        mask = field.mask(64 if field.wide else 32)
        if used & mask:
            raise IsaError(f"{where}.{field.name}: overlaps another field")
        used |= mask
    return fields


def _csrs(raw: list[dict[str, Any]], where: str) -> tuple[Csr, ...]:
    csrs = []
    for one in raw:
        if ("{}" in one["name"]) != ("count" in one):
            raise IsaError(f"{where}: {one['name']}: a run has {{}} in its name, and first and count")
        fields = _fields(one, f"{where}: {one['name']}")
        csr = Csr(one["number"], one["name"], one["of"], one["title"], fields, one.get("first", 0), one.get("count", 1))
        csrs.append(csr)
    each = [pair for csr in csrs for pair in csr.numbered()]
    _distinct(where, "name", [name for name, _ in each])
    _distinct(where, "number", [number for _, number in each])
    if max(number for _, number in each) > 0xFFF:
        raise IsaError(f"{where}: the number of a CSR has 12 bits")
    return tuple(sorted(csrs, key=lambda csr: csr.number))


def _named(raw: list[dict[str, Any]], where: str, key: str = "code") -> tuple[Named, ...]:
    _distinct(where, key, [one[key] for one in raw])
    _distinct(where, "name", [one["name"] for one in raw])
    named = (Named(one[key], one["name"], one.get("of", "machine"), one["title"]) for one in raw)
    return tuple(sorted(named, key=lambda one: one.code))


def _instructions(raw: list[dict[str, Any]], where: str) -> tuple[Instruction, ...]:
    made = []
    for one in raw:
        if one["match"] & ~one["mask"]:
            raise IsaError(f"{where}: {one['name']}: match {one['match']:#x} has bits outside of mask {one['mask']:#x}")
        operand = _bits(one["operand"], f"{where}: {one['name']}") if "operand" in one else None
        span = (one["operand"]["from"], one["operand"]["to"]) if operand else (0, 0)
        made.append(Instruction(one["name"], one["match"], one["mask"], one["of"], one["title"], operand, span))
    _distinct(where, "name", [one.name for one in made])
    return tuple(made)


def _frames(raw: dict[str, Any], csrs: Iterable[Csr], where: str) -> tuple[Frame, ...]:
    """The frames; registers come first, and those of a base are in order."""
    known = {csr.name for csr in csrs}
    frames = []
    for base, words in raw["frames"].items():
        registers = tuple(word for word in words if word in REGISTERS)
        rest = tuple(word for word in words if word not in REGISTERS)
        if strange := [word for word in rest if word not in known]:
            raise IsaError(f"{where}: {base}: '{strange[0]}' is neither a register nor a CSR")
        if registers + rest != tuple(words):
            raise IsaError(f"{where}: {base}: registers come before CSRs")
        if base.endswith("e") and (high := [word for word in registers if REGISTERS.index(word) > 15]):
            raise IsaError(f"{where}: e: {high[0]} is not one of its 16 registers")
        align = raw["alignment"]
        frames.append(Frame(base, registers, rest, (4 * len(words) + align - 1) // align * align))
    return tuple(frames)


def _layout(raw: dict[str, Any], where: str) -> Layout:
    """A layout; the words of a structure follow each other and fill it."""
    name, size = raw["name"], raw["bytes"]
    words: list[Word] = []
    values = [Fields(name, raw["title"], 8 * size, _fields(raw, where))] if "fields" in raw else []
    behind = 0
    for one in raw.get("words", ()):
        if one["offset"] != behind:
            raise IsaError(f"{where}.{one['name']}: offset {one['offset']}: the word before ends at {behind}")
        words.append(Word(one["name"], one["offset"], one.get("count", 1), one["title"]))
        behind += 4 * words[-1].count
        if "fields" in one:
            values.append(
                Fields(f"{name}_{one['name']}", one["title"], 32, _fields(one, f"{where}.{one['name']}")),
            )
    if words and behind != size:
        raise IsaError(f"{where}: bytes: its words have {behind}, not {size}")
    for value in values:
        if high := [field for field in value.fields if field.span(32)[1] >= value.bits]:
            raise IsaError(f"{where}: {high[0].name}: does not fit into {value.bits} bits")
    return Layout(name, raw["of"], raw["title"], size, raw.get("alignment", size), tuple(words), tuple(values))


def load(folder: Path) -> Isa:
    """The constants described below a folder.

    Raises:
        IsaError: a file cannot be read, breaks its schema or contradicts itself.
    """
    raw = {name: load_file(folder, name) for name in ("csrs", "causes", "encodings", "frame", "layouts")}
    where = {name: f"{folder.name}/{name}.yaml" for name in raw}
    csrs = _csrs(raw["csrs"]["csrs"], where["csrs"])
    _distinct(where["layouts"], "name", [one["name"] for one in raw["layouts"]["layouts"]])
    return Isa(
        privilege=tuple(raw["csrs"]["privilege"].items()),
        csrs=csrs,
        exceptions=_named(raw["causes"]["exceptions"], f"{where['causes']}: exceptions"),
        interrupts=_named(raw["causes"]["interrupts"], f"{where['causes']}: interrupts"),
        instructions=_instructions(raw["encodings"]["instructions"], f"{where['encodings']}: instructions"),
        markers=_named(raw["encodings"]["markers"], f"{where['encodings']}: markers", "number"),
        frames=_frames(raw["frame"], csrs, where["frame"]),
        layouts=tuple(_layout(one, f"{where['layouts']}: {one['name']}") for one in raw["layouts"]["layouts"]),
    )
