# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The firmware below Linux on a platform of two harts, with a program of supervisor mode in the place of the kernel."""

from __future__ import annotations

from pathlib import Path

import pytest

from trapeze.common import processes
from trapeze.linux import image
from trapeze.platform import configurations
from trapeze.simulation import simulator
from trapeze.simulation.simulator import Options

CONFIG = configurations.load("amp-dsp")

SUPERVISOR = """
	.macro	ipi mask, first, error, pending
	li	a7, 0x735049
	li	a6, 0
	li	a0, \\mask
	li	a1, \\first
	ecall
	addi	s0, s0, 1		/* number of the call: the exit code of its failure is 1, s0 says which */
	li	t0, \\error
	bne	a0, t0, fail
	li	t1, 4000
1:	csrr	t0, sip
	andi	t0, t0, 2
	bnez	t0, 2f
	addi	t1, t1, -1
	bnez	t1, 1b
2:	li	t1, \\pending
	bne	t0, t1, fail
	csrci	sip, 2
	.endm
	.globl	_start
_start:
	li	s0, 0
	li	t1, 20000		/* meanwhile hart 1 rings, and nobody listens */
1:	addi	t1, t1, -1
	bnez	t1, 1b
	csrr	t0, sip
	andi	t0, t0, 2
	bnez	t0, fail
	ipi	1, 0, 0, 2
	ipi	1, -1, 0, 2
	ipi	0, 0, 0, 0
	ipi	4, 0, -3, 0
	ipi	2, 1, -3, 0
	ipi	1, 2, -3, 0
	ipi	1, 1 << 40, -3, 0
	ipi	0, 7, 0, 0
	ipi	2, 0, 0, 2		/* hart 1 rings back */
	ipi	1, 1, 0, 2
	ipi	3, 0, 0, 2
	li	a1, 0
	j	end
fail:
	li	a1, 1
end:	li	a7, 0x53525354
	li	a6, 0
	li	a0, 0
	ecall
"""

BESIDE = """
	.globl _start
_start:
	li	s0, 0x2000000
	csrwi	mie, 8
	li	s1, 1
1:	li	t0, 1
	sw	t0, (s0)
2:	wfi
	csrr	t0, mip
	andi	t0, t0, 8
	beqz	t0, 2b
	sw	zero, 4(s0)
	j	1b
"""


def assembled(text: str, base: int, to: Path) -> Path:
    """A program in assembly, linked to an address."""
    source = to.with_suffix(".S")
    source.write_text(text)
    flags = ["-march=rv64imac_zicsr", "-mabi=lp64", "-nostdlib", "-static", "-Wl,-n", f"-Wl,-Ttext={base:#x}"]
    processes.run(["riscv64-unknown-elf-gcc", *flags, str(source), "-o", str(to)], check=True)
    return to


@pytest.mark.parametrize("turn", [1, 50])
def test_doorbells_in_both_directions(tmp_path: Path, turn: int) -> None:
    payload = assembled(SUPERVISOR, 0x8020_0000, tmp_path / "supervisor.elf")
    binary, nothing, elf = tmp_path / "supervisor.bin", tmp_path / "nothing", tmp_path / "image.elf"
    processes.run(["riscv64-unknown-elf-objcopy", "-O", "binary", str(payload), str(binary)], check=True)
    nothing.write_bytes(bytes(8))
    image.link(elf, CONFIG, {"SBI_KERNEL": binary, "SBI_DEVICE_TREE": nothing, "SBI_INITRD": nothing})
    beside = assembled(BESIDE, 0x8400_0000, tmp_path / "beside.elf")
    options = Options(max_cycles=1_000_000, engine="model", others=(beside,), last_hart=0, turn=turn)
    assert simulator.watch(elf, CONFIG, options).exit_code == 0
