# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Harts of the model with a program each in memories that they share, which take turns of many instructions."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from trapeze.common import processes
from trapeze.common.limits import FUNCTIONAL_TURN
from trapeze.dev.testing import Trapeze

CLINT, RING, HOST = 0x200_0000, 0x8430_0000, 0x10_0000

ANSWERS = f"""
	csrwi mie, 8
1:	wfi
	li t0, {CLINT}
	sw zero, 4(t0)
	li t1, {RING}
2:	lr.w t2, (t1)
	addi t2, t2, 1
	sc.w t3, t2, (t1)
	bnez t3, 2b
	j 1b
"""
"""Adds 1 to the first word of the ring for each doorbell."""

RINGS = """
	li s0, %(CLINT)d
	li s1, %(RING)d
	li s2, 0
	li s3, 100
	li s4, %(ROUNDS)d
	li t0, 1000
1:	addi t0, t0, -1
	bnez t0, 1b
2:	li t0, 1
	sw t0, 4(s0)
	addi s2, s2, 1
	li t2, 0
3:	addi t2, t2, 1
	sd t2, 64(s1)
	lw t1, (s1)
	bne t1, s2, 3b
	li a0, 3
	bgt t2, s4, 4f
	bne s2, s3, 2b
	li a0, 0
4:	li t1, %(HOST)d
	li t0, 0x5555
	beqz a0, 5f
	slli a0, a0, 16
	li t0, 0x3333
	or t0, t0, a0
5:	sw t0, (t1)
6:	wfi
	j 6b
"""
"""Rings a hundred times and counts the rounds until the answer: its exit code is 3 if they are over ROUNDS."""

SLEEPS = "1:	wfi\n	j 1b\n"
SPINS = "1:	j 1b\n"

Program = Callable[[str, int], Path]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    """A program in assembly, linked to an address."""
    folder = tmp_path_factory.mktemp("programs")

    def build(text: str, base: int) -> Path:
        elf = folder / f"{len(list(folder.iterdir()))}.elf"
        source = elf.with_suffix(".S")
        source.write_text(f"	.globl _start\n_start:{text}")
        flags = ["-march=rv64imafdc_zicsr", "-mabi=lp64d", "-nostdlib", "-static", "-Wl,-n", f"-Wl,-Ttext={base:#x}"]
        processes.run(["riscv64-unknown-elf-gcc", *flags, str(source), "-o", str(elf)], check=True)
        return elf

    return build


FIRST, SECOND = 0x8000_0000, 0x8400_0000


@pytest.mark.parametrize("turn", [1, 50, FUNCTIONAL_TURN])
def test_a_doorbell_is_heard_at_once(trapeze: Trapeze, program: Program, turn: int) -> None:
    """Within two turns, since the access to the CLINT ends one. LRs end what the other hart keeps for stores."""
    words = ["--turn", turn] if turn != FUNCTIONAL_TURN else []
    rings = RINGS % {"CLINT": CLINT, "RING": RING, "HOST": HOST, "ROUNDS": 10 + 2 * turn // 4}
    elfs = program(rings, FIRST), program(ANSWERS, SECOND)
    said = trapeze("run", *elfs, "--config", "amp-dsp", "--engine", "model", "--max-cycles", 1_000_000, *words)
    # Hart 1 never ends: what counts is how hart 0 does.
    assert said.code == 122, said.err
    assert re.search(r"hart 0 exited in instruction \d+", said.err), said.err


def test_a_hart_without_a_program_sleeps(trapeze: Trapeze, program: Program) -> None:
    said = trapeze("run", program(SLEEPS, FIRST), "--config", "amp-dsp", "--engine", "model")
    assert said.code == 122, said.err
    assert re.search(r"hart 0 is in wfi at 0x80000000 .*, hart 1 is in wfi at 0x84000000 since", said.err), said.err


def test_a_program_at_another_harts_address(trapeze: Trapeze, program: Program) -> None:
    said = trapeze("run", program(SPINS, FIRST), program(SPINS, FIRST), "--config", "amp-dsp", "--engine", "model")
    assert said.code == 2
    assert "starts at 0x80000000 (e_entry) but hart 1 of configuration 'amp-dsp' resets to 0x84000000" in said.err


def test_turns_are_the_models(trapeze: Trapeze, program: Program) -> None:
    said = trapeze("run", program(SPINS, FIRST), "--config", "duo", "--turn", 9)
    assert said.code == 2
    assert "--turn is for the model, whose harts execute one after the other; use --engine model" in said.err
