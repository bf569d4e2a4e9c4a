# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The generator, the model and the report by themselves, with QEMU as the only machine."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trapeze.firmware import toolchain
from verify.random.instructions import arithmetic, isa
from verify.random.programs import corner, generator
from verify.random.qemu import execute, report, suite

BASES = pytest.mark.parametrize("base", [isa.RV32I, isa.RV32E], ids=["rv32i", "rv32e"])
WORD = st.one_of(st.sampled_from(isa.CORNERS), st.integers(0, arithmetic.MASK))


@BASES
def test_same_seed_gives_same_text(base: isa.Base) -> None:
    """A seed names one program, and another seed another one."""
    first = generator.generate(5, base)
    assert first.text == generator.generate(5, base).text
    assert first.text != generator.generate(6, base).text


def test_e_programs_stay_below_x16() -> None:
    """RV32E programs name no register above x15."""
    text = generator.generate(3, isa.RV32E).text
    assert not [number for number in range(16, 32) if f"x{number}," in text or f"(x{number})" in text]


def test_suite_generates_every_instruction() -> None:
    """A handful of seeds holds every mnemonic in a place that every run reaches."""
    counts: Counter[str] = Counter()
    for seed in range(8):
        counts += generator.generate(seed, isa.RV32I).counts
    assert not set(isa.ALL_MNEMONICS) - set(counts)


@pytest.mark.parametrize("lockstep", [False, True])
def test_programs_with_a_have_every_atomic_instruction(lockstep: bool) -> None:
    """All AMOs, LR and SC, with every order; without A none."""
    counts: Counter[str] = Counter()
    for seed in range(8):
        options = generator.Options(lockstep=lockstep)
        counts += generator.generate(seed, isa.RV32IA, options).counts
        assert not [name for name in generator.generate(seed, isa.RV32I, options).counts if name.startswith("amo")]
    orders = ("", ".aq", ".rl", ".aqrl")
    assert {f"{name}.w{order}" for name in (*isa.AMOS, "lr", "sc") for order in orders} <= set(counts)


def test_atomic_words_are_illegal_without_a() -> None:
    """What is drawn as an illegal word is none."""
    for word in (0x1005252F, 0x18A5252F, 0x00A5252F, 0xE0A5252F):  # lr, sc, amoadd, amomaxu of words
        assert isa.is_legal32(word, atomic=True)
        assert not isa.is_legal32(word)
    for word in (0x1015252F, 0x00A5352F, 0x28A5252F):  # lr with rs2, amoadd.d, a reserved function
        assert not isa.is_legal32(word, atomic=True)


@given(WORD, WORD)
def test_division_identity(a: int, b: int) -> None:
    """Dividend = quotient * divisor + remainder, signed and unsigned, as chapter M demands even for b = 0."""
    for divide, remainder in (("div", "rem"), ("divu", "remu")):
        quotient, rest = arithmetic.BINARY[divide](a, b), arithmetic.BINARY[remainder](a, b)
        assert (quotient * b + rest) & arithmetic.MASK == a
    if b:
        assert abs(arithmetic.signed(arithmetic.BINARY["rem"](a, b))) < abs(arithmetic.signed(b))


@given(WORD, WORD)
def test_products_agree(a: int, b: int) -> None:
    """The three high words differ by the sign corrections of Hacker's Delight 8-3."""
    unsigned = a * b
    high = arithmetic.BINARY["mulhu"](a, b)
    mixed = (high - (b if a >> 31 else 0)) & arithmetic.MASK
    assert arithmetic.BINARY["mul"](a, b) == unsigned & arithmetic.MASK
    assert arithmetic.BINARY["mulhsu"](a, b) == mixed
    assert arithmetic.BINARY["mulh"](a, b) == (mixed - (a if b >> 31 else 0)) & arithmetic.MASK


@given(WORD, st.integers(0, 31))
def test_bit_identities(a: int, n: int) -> None:
    """Rotations undo each other; single-bit instructions agree; counting agrees with the written-out bits."""
    binary, unary = arithmetic.BINARY, arithmetic.UNARY
    bits = f"{a:032b}"
    assert binary["ror"](binary["rol"](a, n), n) == a
    assert binary["rol"](a, n) == int(bits[n:] + bits[:n], 2)
    assert binary["bset"](binary["bclr"](a, n), n) == binary["bset"](a, n)
    assert binary["binv"](a, n) == a ^ (1 << n)
    assert binary["bext"](a, n) == int(bits[31 - n])
    assert unary["cpop"](a, 0) == bits.count("1")
    assert unary["clz"](a, 0) == (bits + "1").index("1")
    assert unary["ctz"](a, 0) == (bits[::-1] + "1").index("1")
    assert unary["rev8"](unary["rev8"](a, 0), 0) == a


@BASES
def test_qemu_agrees_with_the_model(base: isa.Base, tmp_path: Path) -> None:
    """Arithmetic on corner values: QEMU and the Python model compute the same."""
    elf = execute.build(corner.generate(1, base), tmp_path, verbose=True)
    assert corner.results(report.records(execute.run_qemu(elf).console)) == corner.expected(1)


def test_drawn_illegal_words_are_illegal(tmp_path: Path) -> None:
    """Every encoding that is drawn as illegal traps as such, with the encoding in mtval."""
    weights = tuple((name, 200 if name == "illegal" else 0) for name in generator.WEIGHTS)
    elf = execute.build(
        generator.generate(9, isa.RV32I, generator.Options(900, weights=weights)), tmp_path, verbose=True
    )
    rows = report.records(execute.run_qemu(elf).console)
    traps = [row[31:34] for row in rows if row[31] not in (8, 11)]
    assert len(traps) > 900
    for cause, _, value in traps:
        assert cause == 2
        assert not (isa.is_legal32(value) and value & 0x7F != 0x73 if value & 3 == 3 else isa.is_legal16(value))


@BASES
@pytest.mark.parametrize("is_async", [False, True], ids=["sync", "async"])
def test_outcome_does_not_depend_on_translation(base: isa.Base, is_async: bool, tmp_path: Path) -> None:
    """QEMU against itself, one instruction a block: a program observes nothing that is up to the machine."""
    for seed in (1, 2):
        elf = execute.build(generator.generate(seed, base, generator.Options(is_async=is_async)), tmp_path)
        first = execute.run_qemu(elf)
        assert first.code is not None
        assert b"\nE " in first.console
        one_each = ("-accel", "tcg,one-insn-per-tb=on") if toolchain.is_later_qemu() else ("-singlestep",)
        assert first.same(execute.run_qemu(elf, extra=one_each))


def test_mismatch_is_reported(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A machine that multiplies wrongly is caught; the report names record, registers and the command."""

    def wrong(elf: Path, _variation: execute.Variation, _cycles: int) -> execute.Outcome:
        source = (elf.parent / "program.s").read_text()
        assert "\tmulhu x" in source
        folder = elf.parent / "wrong"
        program = generator.Program(
            1, isa.RV32I, generator.Options(), source.replace("\tmulhu x", "\tmulh x"), Counter()
        )
        return execute.run_qemu(execute.build(program, folder, verbose=elf.name == "verbose.elf"))

    monkeypatch.setattr(suite, "FAILURES", tmp_path)
    with pytest.raises(suite.MismatchError) as caught:
        suite.check(1, "mcu-clint", generator.Options(), [execute.Variation()], wrong)
    message = str(caught.value)
    assert "record" in message
    assert "QEMU" in message
    assert "python -m verify.random --seed 1 --config mcu-clint --blocks 600 --wait-instr 0" in message
    assert (tmp_path / "mcu-clint-1" / "program.s").exists()
