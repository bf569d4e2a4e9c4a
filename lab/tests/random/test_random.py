# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Random programs: RTL and model of both configurations must end like QEMU, whatever the wait states and interrupts."""

from __future__ import annotations

from pathlib import Path

import pytest

from verify.random.__main__ import variations
from verify.random.instructions import isa
from verify.random.instructions.addresses import platform
from verify.random.instructions.asm import Asm
from verify.random.lockstep import engines
from verify.random.programs import corner, generator, harness
from verify.random.qemu import execute, report, suite
from verify.random.qemu.execute import Variation

CONFIGS = pytest.mark.parametrize("config", ["mcu-clint", "mcu-clint-e"])
SEEDS = range(1, 13)
ASYNC_SEEDS = range(101, 107)
ATOMIC_SEEDS = range(201, 204)
WIDE_SEEDS = range(301, 305)
WIDE_BLOCKS = 200
WIDE_MINIMUM = 200_000
"""Instructions of an application hart that are held against QEMU. Ten million: `python -m verify.random --config app
--engine model --blocks 200 --seeds 1..130`, half a minute."""
MINIMUM = 60_000
"""Retired instructions that each program must reach without wait states, and again with them."""

pytestmark = pytest.mark.slow


def large(passed: suite.Passed) -> None:
    """A program did as much as promised."""
    assert min(passed.instructions[kind] for kind in ("zero", "wait")) >= MINIMUM


@CONFIGS
def test_corner_values(config: str, tmp_path: Path) -> None:
    """All arithmetic on corner values, held against the Python model."""
    base = engines.base_of(config)
    elf = execute.build(corner.generate(2, base), tmp_path, verbose=True)
    for variation in (Variation(), Variation(90, 90)):
        outcome = execute.run_rtl(elf, config, variation)
        assert corner.results(report.records(outcome.console)) == corner.expected(2), variation


def _upper_register_words() -> list[int]:
    """Instructions that name x16 or above in each of their fields."""
    words = []
    for upper in (16, 17, 31):
        rd, rs1, rs2 = upper << 7, upper << 15, upper << 20
        words += [0x33 | rd, 0x33 | rs1, 0x33 | rs2, 0x02004033 | rd, 0x20002033 | rs1]  # add, div, sh1add
        words += [0x13 | rd, 0x13 | rs1, 0x60001013 | rd, 0x60001013 | rs1]  # addi, clz
        words += [0x2003 | rd, 0x2003 | rs1, 0x2023 | rs1, 0x2023 | rs2]  # lw, sw
        words += [0x63 | rs1, 0x63 | rs2, 0x6F | rd, 0x67 | rd, 0x67 | rs1, 0x37 | rd, 0x17 | rd]  # beq, jal, jalr, lui
        words += [0x34001073 | rd, 0x34001073 | rs1, 0x34005073 | rd]  # csrrw, csrrwi
        words += [0x0001 | rd | 4, 0x4001 | rd, 0x6001 | rd | 4, 0x0002 | rd | 4, 0x4002 | rd]  # c.addi, li, lui, slli
        words += [0x8006 | rd, 0x8082 | upper << 2, 0x9006 | rd, 0x9082 | upper << 2]  # c.mv, c.add
        words += [0x8002 | rd, 0x9002 | rd, 0xC002 | upper << 2]  # c.jr, c.jalr, c.swsp
    return words


def test_e_has_no_upper_registers(tmp_path: Path) -> None:
    """On RV32E, x16 to x31 do not exist: the RTL traps, which the specification recommends and QEMU 7.2 does not."""
    words = _upper_register_words()
    asm = Asm()
    for word in words:
        asm.word(word) if word & 3 == 3 else asm.half(word)
    asm.text("j finish")
    setup = harness.Setup(isa.RV32E, 3, 1, 1, vectored=False, mstatus=0, mie=0, registers=(0,) * 15)
    text = harness.render(setup, platform(), asm.lines, [])
    program = generator.Program(1, isa.RV32E, generator.Options(), text, asm.counts)
    elf = execute.build(program, tmp_path, verbose=True)
    rows = report.records(execute.run_rtl(elf, "mcu-clint-e", Variation()).console)
    assert [(row[31], row[33]) for row in rows] == [(2, word) for word in words]


@CONFIGS
@pytest.mark.parametrize("seed", SEEDS)
def test_program(seed: int, config: str) -> None:
    """A program that observes its own traps and interrupts."""
    large(suite.check(seed, config, generator.Options(), variations(seed, 0)))


@CONFIGS
@pytest.mark.parametrize("seed", ASYNC_SEEDS)
def test_interrupted_program(seed: int, config: str) -> None:
    """A program interrupted by platform lines at random cycles."""
    large(suite.check(seed, config, generator.Options(is_async=True), variations(seed, 300)))


@CONFIGS
@pytest.mark.parametrize("seed", [*SEEDS, *ASYNC_SEEDS])
def test_model(seed: int, config: str) -> None:
    """The model ends every program as QEMU does, too."""
    options = generator.Options(is_async=seed in ASYNC_SEEDS)
    suite.check(seed, config, options, [Variation()], suite.model(config))


@pytest.mark.parametrize("seed", ATOMIC_SEEDS)
def test_atomic_program(seed: int) -> None:
    """With the A extension: RTL and model end as QEMU does; every other program is interrupted at random cycles."""
    config, is_async = "mcu-clint-a", seed % 2 == 0
    options = generator.Options(is_async=is_async)
    suite.check(seed, config, options, variations(seed, 300 if is_async else 0))
    suite.check(seed, config, options, [Variation()], suite.model(config))


def test_application_hart() -> None:
    """RV64GC with supervisor mode, Sv39 and floating point: the model ends as QEMU does."""
    options = generator.Options(WIDE_BLOCKS)
    passed = [suite.check(seed, "app", options, [Variation()], suite.model("app")) for seed in WIDE_SEEDS]
    assert sum(one.instructions["zero"] for one in passed) >= WIDE_MINIMUM


@CONFIGS
def test_every_instruction_is_in_a_program(config: str) -> None:
    base = engines.base_of(config)
    kinds = [*((seed, False) for seed in SEEDS), *((seed, True) for seed in ASYNC_SEEDS)]
    programs = [generator.generate(seed, base, generator.Options(is_async=is_async)) for seed, is_async in kinds]
    assert set(isa.ALL_MNEMONICS) - {name for one in programs for name in one.counts} == set()
