# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Harts of the model with a program each in memories that they share, which take turns of many instructions."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from trapeze.common import processes
from trapeze.common.errors import TrapezeError
from trapeze.common.limits import FUNCTIONAL_TURN
from trapeze.platform import configurations
from trapeze.platform.isa import Cause
from trapeze.results import store
from trapeze.simulation import simulator
from trapeze.simulation.options import Options
from verify.dev.testing import Trapeze

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

ADDS = f"""
	li s0, {RING}
	addi s1, s0, 64
	li s2, 1000
	li s3, 1
1:	lr.w t0, (s0)
	addi t0, t0, 1
	sc.w t1, t0, (s0)
	bnez t1, 1b
	amoadd.w zero, s3, (s1)
	addi s2, s2, -1
	bnez s2, 1b
"""
"""Adds 1 to two words of the ring a thousand times, in two ways."""

WAITS = f"""
	li t1, 2000
2:	lw t0, (s0)
	bne t0, t1, 2b
3:	lw t0, (s1)
	bne t0, t1, 3b
	li t0, 0x5555
	li t1, {HOST}
	sw t0, (t1)
4:	j 4b
"""
"""Ends when both words are two thousand."""

FAULTS = f"""
	la t0, handler
	csrw mtvec, t0
	li t0, 0x84000000
	lw t0, (t0)
1:	j 1b
	.balign 4
handler:
	csrr t0, mcause
	slli t0, t0, 16
	li t1, 0x3333
	or t0, t0, t1
	li t1, {HOST}
	sw t0, (t1)
2:	j 2b
"""
"""Its exit code is the cause of the exception that a load of hart 1's first instruction raises."""

COUNTS = f"""
	la t0, 2f
	lw t1, (t0)
	addi t1, t1, 1
	sw t1, (t0)
	li s0, {RING}
	sw t1, 64(s0)
	lw t2, (s0)
	addi t2, t2, 1
	sw t2, (s0)
1:	wfi
	j 1b
2:	.word 0
"""
"""Counts its beginnings in the ring, and in a word of its own, which is in the ring, too."""

WAITS_FOR_THREE = f"""
	li s0, {RING}
	li t1, 3
1:	lw t0, (s0)
	bne t0, t1, 1b
	lw t0, 64(s0)
	slli t0, t0, 16
	li t1, 0x3333
	or t0, t0, t1
	li t1, {HOST}
	sw t0, (t1)
2:	j 2b
"""
"""Its exit code is what that word is at the third beginning."""

Program = Callable[..., Path]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    """A program in assembly, linked to an address."""
    folder = tmp_path_factory.mktemp("programs")

    def build(text: str, base: int, wide: bool = True) -> Path:
        elf = folder / f"{len(list(folder.iterdir()))}.elf"
        source = elf.with_suffix(".S")
        source.write_text(f"	.globl _start\n_start:{text}")
        isa = ["-march=rv64imafdc_zicsr", "-mabi=lp64d"] if wide else ["-march=rv32imac_zicsr", "-mabi=ilp32"]
        flags = [*isa, "-nostdlib", "-static", "-Wl,-n", f"-Wl,-Ttext={base:#x}"]
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


@pytest.mark.parametrize("turn", [1, 7, FUNCTIONAL_TURN])
def test_harts_of_two_widths_share_a_bank(trapeze: Trapeze, program: Program, turn: int) -> None:
    """Reservations and atomic additions of an RV64 hart and an RV32 hart at the same words: none is lost."""
    words = ["--turn", turn] if turn != FUNCTIONAL_TURN else []
    elfs = program(ADDS + WAITS, FIRST), program(ADDS + WAITS, SECOND, wide=False)
    said = trapeze("run", *elfs, "--config", "amp", "--engine", "model", "--max-cycles", 1_000_000, *words)
    assert said.code == 0, said.err


def test_banks_of_one_hart_alone(trapeze: Trapeze, program: Program) -> None:
    """Hart 0 of amp finds nothing where hart 1's program is: a load access fault."""
    elfs = program(FAULTS, FIRST), program(SLEEPS, SECOND, wide=False)
    said = trapeze("run", *elfs, "--config", "amp", "--engine", "model", "--max-cycles", 1_000_000)
    assert said.code == Cause.LOAD_FAULT, said.err


def test_a_program_of_another_width(trapeze: Trapeze, program: Program) -> None:
    said = trapeze("run", program(SPINS, FIRST), program(SPINS, SECOND), "--config", "amp", "--engine", "model")
    assert said.code == 2
    assert "is 64-bit (EI_CLASS 2) but hart 1 of configuration 'amp' has 32 bits" in said.err


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


@pytest.mark.parametrize("name", ["amp", "amp-dsp"])
def test_a_hart_that_begins_anew(program: Program, name: str) -> None:
    """Twice: its program is as it was, what it wrote elsewhere stays, and time goes on."""
    elfs = program(WAITS_FOR_THREE, FIRST), program(COUNTS, SECOND, wide=name == "amp-dsp")
    at = ((1, 5_000), (1, 40_000))
    options = Options(max_cycles=60_000, engine="model", others=elfs[1:], turn=100, restarts=at)
    done = simulator.watch(elfs[0], configurations.load(name), options)
    assert done.exit_code == 1
    assert done.run.cycles > at[-1][1]


@pytest.mark.parametrize(
    ("restarts", "says"),
    [
        (((2, 5),), "--restart: configuration 'amp' has no hart 2; use 0 to 1"),
        (((1, -5),), ".restarts.0.cycle: is no number"),
    ],
)
def test_restarts_that_cannot_be(program: Program, restarts: tuple[tuple[int, int], ...], says: str) -> None:
    elfs = program(SLEEPS, FIRST), program(SLEEPS, SECOND, wide=False)
    options = Options(max_cycles=1000, engine="model", others=elfs[1:], restarts=restarts)
    with pytest.raises(TrapezeError, match=re.escape(says)):
        simulator.watch(elfs[0], configurations.load("amp"), options)


def test_rows_have_scheme_and_abi_of_their_hart(trapeze: Trapeze, program: Program, tmp_path: Path) -> None:
    """Hart 0 does not speak for hart 1; what is counted of both has both."""
    text = f"\n\tnop\nbegun:{ADDS}{WAITS}"
    elfs = program(text, FIRST), program(text, SECOND, wide=False)
    path = tmp_path / "r.json"
    spans = [word for hart in (0, 1) for word in ("--from", f"pc:{hart}:_start", "--to", f"pc:{hart}:begun")]
    said = trapeze("run", *elfs, "--config", "amp", "--engine", "model", *spans, "--json", path)
    assert said.code == 0, said.err
    found = {row["id"]: (row["labels"]["scheme"], row["labels"]["abi"]) for row in store.load(path)["rows"]}
    assert found == {
        elfs[0].stem: ("clint + fastirq", "lp64d + ilp32"),
        "span/pc:0:_start..pc:0:begun": ("clint", "lp64d"),
        "span/pc:1:_start..pc:1:begun": ("fastirq", "ilp32"),
    }
