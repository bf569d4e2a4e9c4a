# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Instructions, as the core's ID stage and the model's decoder read them, against the tables of GNU binutils.

Core and model are held against binutils and not against each other: what both get wrong is found. A word must be legal
for all or for none, and if it is, its name, registers and immediate must be the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from trapeze.common import paths
from trapeze.platform import configurations, instructions
from trapeze.platform.hart import EXTENSIONS, Hart
from trapeze.platform.isa import EMRET
from verify.dev.encodings import binutils, core, differences, model, sample
from verify.dev.encodings.instruction import Instruction

SEED = 1
FULL = 2
"""The first harts get the full sample, the others a part of it."""

SHORT = 4
"""The first harts get instructions of 16 bits."""

WIDE = "rv64imac_zba_zbb_zbs"
FLOAT = "rv64imafdc_zba_zbb_zbs"
SHOWN = 20


def harts() -> list[Hart]:
    """RV32I and RV32E with all extensions, both without any, and RV32I without each."""
    model_hart = configurations.load("mcu-clint").first
    every = tuple(EXTENSIONS)
    bases = [replace(model_hart, base=base) for base in ("rv32i", "rv32e")]
    return [
        *(replace(hart, extensions=every) for hart in bases),
        *(replace(hart, extensions=()) for hart in bases),
        *(replace(bases[0], extensions=tuple(one for one in every if one != absent)) for absent in every),
    ]


@pytest.fixture(scope="module")
def csrs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, int]:
    """Numbers of the CSRs that the disassembler prints by name: by the assembler."""
    folder = tmp_path_factory.mktemp("csrs")
    return binutils.csr_numbers(binutils.csr_names(folder), folder)


class Table:
    """What binutils says of some words, corrected by the known differences."""

    def __init__(self, isa: str, words: Sequence[int], csrs: Mapping[str, int], folder: Path) -> None:
        self.isa, self.words = isa, words
        found = binutils.read(isa, words, csrs, folder)
        self.right = [differences.right(isa, word, found.get(number)) for number, word in enumerate(words)]
        self.used = {difference for _, difference in self.right}

    def disagreements(self, party: Mapping[int, Instruction]) -> list[str]:
        """Where a party says something else."""
        found = []
        for number, (right, difference) in enumerate(self.right):
            if (own := party.get(number)) != right:
                why = f"; {difference.reason}" if difference else ""
                found.append(f"{self.isa}: {self.words[number]:08x} is {_shown(own)} instead of {_shown(right)}{why}")
        return found


def _shown(one: Instruction | None) -> str:
    return f"{one.name} rd={one.rd} rs1={one.rs1} rs2={one.rs2} imm={one.imm}" if one else "illegal"


def without_emret(party: dict[int, Instruction], words: Sequence[int]) -> dict[int, Instruction]:
    """The core's decoder knows emret on every hart; whether it is legal says the trap unit (fw/tests/fast_absent.c)."""
    return {number: one for number, one in party.items() if words[number] != EMRET.match or one != Instruction("emret")}


def test_core_and_model_read_what_binutils_reads(csrs: dict[str, int], tmp_path: Path) -> None:
    every = harts()
    bench = core.build(every, tmp_path / "bench")
    lists = {"full": sample.full(SEED), "part": sample.part(SEED), "compressed": sample.compressed(SEED)}
    told = {name: core.read(bench, words, len(every), tmp_path) for name, words in lists.items()}
    found, used, legal = [], set(), 0
    for number, hart in enumerate(every):
        for name in ("full" if number < FULL else "part", *(["compressed"] if number < SHORT else [])):
            table = Table(hart.isa, lists[name], csrs, tmp_path)
            used |= table.used
            cores = without_emret(told[name][number], lists[name])
            legal += len(cores)
            found += [f"core: {line}" for line in table.disagreements(cores)]
            found += [f"model: {line}" for line in table.disagreements(model.read(hart.isa, lists[name], tmp_path))]
    assert not found, "\n".join([f"seed {SEED}, {len(found)} differences", *found[:SHOWN]])
    assert legal > 300_000
    assert [one.reason for one in differences.ALL if one not in used and not one.of.startswith("rv64")] == [], (
        "no difference any more"
    )


@pytest.mark.parametrize("isa", [WIDE, FLOAT, "rv64imafc"])
def test_rv64_of_the_model_reads_what_binutils_reads(isa: str, csrs: dict[str, int], tmp_path: Path) -> None:
    found = []
    for words in (sample.full(SEED), sample.compressed(SEED)):
        found += Table(isa, words, csrs, tmp_path).disagreements(model.read(isa, words, tmp_path))
    assert not found, "\n".join([f"seed {SEED}, {len(found)} differences", *found[:SHOWN]])


@pytest.mark.parametrize("xlen", [32, 64])
def test_the_laboratory_knows_the_words_that_the_model_knows(xlen: int, tmp_path: Path) -> None:
    """Its table and the model's are generated from one description by two writers."""
    isa = f"rv{xlen}imac_zba_zbb_zbs"
    of = {*isa[4:].split("_")[0], *isa.split("_")[1:], "machine"}
    for words in (sample.part(SEED), sample.compressed(SEED)):
        told = model.read(isa, words, tmp_path)
        for number, word in enumerate(words):
            whole = word if word & 3 == 3 else instructions.expand(word & 0xFFFF, xlen)
            found = instructions.find(whole, xlen) if whole is not None else None
            known = found is not None and found.of in of
            assert known == (number in told), f"{word:08x}: {found}, {told.get(number)}"
            if found is not None and known and told[number].name != "nop":
                assert told[number].name in (found.name, found.name.replace("c.", "")), f"{word:08x}"


def test_zicbom_adds_what_binutils_reads(csrs: dict[str, int], tmp_path: Path) -> None:
    words = [
        funct12 << 20 | rs1 << 15 | 2 << 12 | rd << 7 | 0xF for funct12 in range(5) for rs1 in (0, 31) for rd in (0, 1)
    ]
    table = Table(f"{WIDE}_zicbom", words, csrs, tmp_path)
    told = model.read(table.isa, words, tmp_path)
    assert not table.disagreements(told)
    assert {one.name for one in told.values()} == {"cbo.inval", "cbo.clean", "cbo.flush"}
    assert len(told) == 6
    assert model.read(WIDE, words, tmp_path) == {}


def test_supervisor_mode_adds_what_binutils_reads(csrs: dict[str, int], tmp_path: Path) -> None:
    words = [*sample.full(SEED), 0x12000073, 0x12C58073]
    named = binutils.read(WIDE, words, csrs, tmp_path)
    right = {number: one for number, one in named.items() if one.name in ("sret", "sfence.vma")}
    plain, told = model.read(WIDE, words, tmp_path), model.read(WIDE, words, tmp_path, supervisor=True)
    assert {number: one for number, one in told.items() if number not in plain} == right
    assert {one.name for one in right.values()} == {"sret", "sfence.vma"}


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        # c.addi4spn adds another bit; the model and the core could both do that.
        ("tz_decompress.sv", "c[10:7], c[12:11], c[5], c[6], 2'b00", "c[10:7], c[12:11], c[6], c[5], 2'b00", "imm"),
    ],
)
def test_a_defect_is_seen(file: str, old: str, new: str, said: str, csrs: dict[str, int], tmp_path: Path) -> None:
    text = (paths.HARDWARE / "core" / "rtl" / file).read_text()
    assert text.count(old) == 1
    (tmp_path / file).write_text(text.replace(old, new))
    hart = harts()[0]
    bench = core.build([hart], tmp_path / "bench", {file: tmp_path / file})
    words = sample.compressed(SEED)
    (found,) = core.read(bench, words, 1, tmp_path)
    lines = Table(hart.isa, words, csrs, tmp_path).disagreements(found)
    assert lines
    assert all(said in line for line in lines)
