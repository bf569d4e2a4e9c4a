# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Reads `isa/instructions.yaml`: rows for the decoder, lines for the disassembler, expansions of compressed ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from generator.isa import Instruction, Isa, IsaError, load_file
from generator.pattern import Pattern, PatternError, first_short, moves, parse

REGISTERS = ("rd", "rs1", "rs2", "rs3")
BOTH = (32, 64)

IMMEDIATES = {
    "i": "imm[11:0] 00000 000 00000 0000000",
    "s": "imm[11:5] 00000 00000 000 imm[4:0] 0000000",
    "b": "imm[12|10:5] 00000 00000 000 imm[4:1|11] 0000000",
    "u": "imm[31:12] 00000 0000000",
    "j": "imm[20|10:1|11|19:12] 00000 0000000",
}
"""Positions of the immediates of the base ISA."""

_OTHERS = {"shamt": "shift", "shamtw": "shift", "csr": "csr", "rm": "rounding"}
"""Fields that the decoder returns as the immediate."""


@dataclass(frozen=True)
class Row:
    """An instruction for the decoder: a word with (word & mask) == match, on harts of these widths."""

    name: str
    match: int
    mask: int
    of: str
    widths: tuple[int, ...]
    registers: tuple[str, ...]
    immediate: str
    operation: str


@dataclass(frozen=True)
class Text:
    """A line of the disassembler, for harts of these widths.

    `ordered`: the order of an atomic operation is appended; `same`: rs1 must be rs2; `nonzero`: masks of bits that must
    not all be 0.
    """

    match: int
    mask: int
    name: str
    operands: str
    widths: tuple[int, ...]
    ordered: bool = False
    same: bool = False
    nonzero: tuple[int, ...] = ()


@dataclass(frozen=True)
class Expansion:
    """A compressed instruction: `base` with runs of bits moved into it, and with `fill` if bit `sign` is set."""

    name: str
    match: int
    mask: int
    nonzero: tuple[int, ...]
    widths: tuple[int, ...]
    base: int
    sign: int
    fill: int
    moves: tuple[tuple[int, int, int], ...]


@dataclass(frozen=True)
class Instructions:
    """All rows, lines and expansions, in the order of the description."""

    rows: tuple[Row, ...]
    texts: tuple[Text, ...]
    expansions: tuple[Expansion, ...]
    short_texts: tuple[Text, ...]


@dataclass(frozen=True)
class _Known:
    pattern: Pattern
    widths: tuple[int, ...]


def _own(instruction: Instruction) -> Pattern:
    """An instruction of our own: its register fields are those whose bits the mask leaves free."""
    made = Pattern(instruction.match, instruction.mask)
    places = {"rd": 7, "rs1": 15, "rs2": 20}
    for name, low in places.items():
        if not instruction.mask >> low & 0x1F:
            made.fields[name] = [(low + bit, bit) for bit in range(5)]
    if sum(made.bits(name) for name in made.fields) | made.mask != 0xFFFF_FFFF:
        raise PatternError(f"mask {instruction.mask:#x} leaves bits free that are no register")
    return made


def _immediate(pattern: Pattern, relative: bool) -> str:
    if "imm" in pattern.fields and "imm" not in pattern.ignored:
        places = sorted(pattern.fields["imm"])
        for kind, line in IMMEDIATES.items():
            if sorted(parse(line, 32).fields["imm"]) == places:
                return f"{kind}_relative" if relative else kind
        raise PatternError("the immediate has none of the forms of the base ISA")
    found = [kind for name, kind in _OTHERS.items() if name in pattern.fields]
    return found[0] if found else "none"


def _variants(pattern: Pattern, widths: tuple[int, ...]) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    """Match, mask and widths: on RV32 the sixth bit of a shift amount is zero."""
    sixth = sum(1 << place for place, bit in pattern.fields.get("shamt", ()) if bit == 5)
    if sixth and 32 in widths:
        yield pattern.match, pattern.mask | sixth, (32,)
        widths = tuple(width for width in widths if width != 32)
    if widths:
        yield pattern.match, pattern.mask, widths


def _alias(
    raw: dict[str, Any],
    pattern: Pattern,
    csrs: dict[str, int],
    variants: Sequence[Row | Expansion],
    nonzero: tuple[int, ...] = (),
) -> list[Text]:
    """The disassembler's lines of an alias of an instruction: one for each of the instruction's variants.

    `nonzero`: a condition of the instruction itself, beside the alias's own.
    """
    values: dict[str, int] = {}
    same = False
    for name, value in raw.get("with", {}).items():
        if (name, value) == ("rs2", "rs1"):
            same = True
        elif isinstance(value, str) and value not in csrs:
            raise PatternError(f"{raw['name']}: '{value}' is not a CSR")
        else:
            values[name] = csrs[value] if isinstance(value, str) else value
    match, mask = pattern.where(values)
    nonzero += tuple(pattern.bits(name) for name in raw.get("nonzero", ()))
    ordered = "order" in pattern.fields
    lines = []
    for one in variants:
        widths = tuple(width for width in one.widths if raw.get("xlen", width) == width)
        if widths:
            lines.append(Text(match, mask | one.mask, raw["name"], raw["text"], widths, ordered, same, nonzero))
    return lines


def _full(
    raw: dict[str, Any], own: dict[str, Instruction], csrs: dict[str, int]
) -> tuple[list[Row], list[Text], _Known]:
    """Rows, lines and pattern of an instruction of 32 bits."""
    name = raw["name"]
    if "bits" not in raw and name not in own:
        raise PatternError("has neither bits nor an entry in encodings.yaml")
    if "bits" in raw and "of" not in raw:
        raise PatternError("does not say which extension has it")
    pattern = parse(raw["bits"], 32) if "bits" in raw else _own(own[name])
    widths = (raw["xlen"],) if "xlen" in raw else BOTH
    registers = tuple(one for one in REGISTERS if one in pattern.fields and one not in pattern.ignored)
    immediate = _immediate(pattern, raw.get("relative", False))
    operation = raw.get("operation", name.replace(".", "_"))
    of = raw["of"] if "of" in raw else own[name].of
    rows = [
        Row(name, match, mask, of, some, registers, immediate, operation)
        for match, mask, some in _variants(pattern, widths)
    ]
    texts = [line for alias in raw.get("aliases", ()) for line in _alias(alias, pattern, csrs, rows)]
    if "text" in raw:
        ordered = "order" in pattern.fields
        texts += [Text(row.match, row.mask, name, raw["text"], row.widths, ordered) for row in rows]
    return rows, texts, _Known(pattern, widths)


def _compressed(raw: dict[str, Any], known: dict[str, _Known]) -> tuple[list[Expansion], list[Text]]:
    """Expansions and lines of a compressed instruction."""
    if raw["to"] not in known:
        raise PatternError(f"'{raw['to']}' is no instruction that it could expand to")
    target = known[raw["to"]]
    pattern = parse(raw["bits"], 16)
    base, _ = target.pattern.where(raw.get("with", {}))
    runs: list[tuple[int, int, int]] = []
    for name in pattern.fields:
        runs += moves(pattern, target.pattern, name)
        if name in pattern.short:
            base |= first_short(name, target.pattern)
    given = set(pattern.fields) | set(raw.get("with", {}))
    if missing := set(target.pattern.fields) - given:
        raise PatternError(f"does not say what '{min(missing)}' of {raw['to']} is")
    sign = fill = 0
    if pattern.signed:
        place, top = max(pattern.fields["imm"], key=lambda pair: pair[1])
        sign = 1 << place
        fill = sum(1 << place for place, bit in target.pattern.fields["imm"] if bit > top)
    nonzero = tuple(pattern.bits(name) for name in raw.get("nonzero", ()))
    widths = (raw["xlen"],) if "xlen" in raw else target.widths
    expansions = [
        Expansion(raw["name"], match, mask, nonzero, some, base, sign, fill, tuple(runs))
        for match, mask, some in _variants(pattern, widths)
    ]
    aliases = raw.get("aliases", ())
    return expansions, [line for alias in aliases for line in _alias(alias, pattern, {}, expansions, nonzero)]


def _unambiguous(rows: list[Row]) -> None:
    for index, row in enumerate(rows):
        for other in rows[:index]:
            if set(row.widths) & set(other.widths) and not (row.match ^ other.match) & row.mask & other.mask:
                raise PatternError(f"{row.name}: has words in common with {other.name}")


def load(folder: Path, isa: Isa) -> Instructions:
    """The instructions described in a folder, with the CSRs and the instructions of our own of `isa`.

    Raises:
        IsaError: the file cannot be read, breaks its schema or contradicts itself.
    """
    raw = load_file(folder, "instructions")
    where = f"{folder.name}/instructions.yaml"
    csrs = {name: number for csr in isa.csrs for name, number in csr.numbered()}
    own = {one.name: one for one in isa.instructions}
    rows: list[Row] = []
    texts: list[Text] = []
    expansions: list[Expansion] = []
    short_texts: list[Text] = []
    known: dict[str, _Known] = {}
    for one in raw["instructions"]:
        try:
            more, lines, pattern = _full(one, own, csrs)
        except PatternError as error:
            raise IsaError(f"{where}: {one['name']}: {error}") from None
        rows, texts = rows + more, texts + lines
        known.setdefault(one["name"], pattern)
    for one in raw["compressed"]:
        try:
            found, lines = _compressed(one, known)
        except PatternError as error:
            raise IsaError(f"{where}: {one['name']}: {error}") from None
        expansions, short_texts = expansions + found, short_texts + lines
    try:
        _unambiguous(rows)
    except PatternError as error:
        raise IsaError(f"{where}: {error}") from None
    return Instructions(tuple(rows), tuple(texts), tuple(expansions), tuple(short_texts))
