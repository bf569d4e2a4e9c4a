# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The firmware below Linux on platforms of several harts, with a program of supervisor mode in the kernel's place."""

from __future__ import annotations

from pathlib import Path

import pytest

from trapeze.platform import configurations
from trapeze.simulation import simulator
from trapeze.simulation.options import Options
from verify.dev.supervisor import assembled, below

CONFIG = configurations.load("amp-dsp")

SEVERAL = configurations.load("amp-2")

HARTS = """
	.equ	HSM, 0x48534d
	.equ	RFENCE, 0x52464e43
	.macro	call extension, function, error, first, second
	li	a7, \\extension
	li	a6, \\function
	li	a0, \\first
	li	a1, \\second
	ecall
	addi	s0, s0, 1		/* number of the call, for a debugger */
	li	t0, \\error
	bne	a0, t0, fail
	.endm
	.macro	status is
1:	call	HSM, 2, 0, 2, 0
	li	t0, \\is
	bne	a1, t0, 1b
	.endm
	.macro	start argument, error
	la	a3, second
	li	a7, HSM
	li	a6, 0
	li	a0, 2
	mv	a1, a3
	li	a2, \\argument
	ecall
	li	t0, \\error
	bne	a0, t0, fail
	.endm
	.macro	wait is			/* for what hart 2 says */
	li	t1, \\is
1:	ld	t0, (s1)
	bne	t0, t1, 1b
	.endm
	.globl	_start
_start:
	la	s1, word
	li	s0, 0
	bnez	a0, fail
	status	1
	call	HSM, 2, -3, 1, 0	/* has no supervisor mode */
	call	HSM, 2, -3, 3, 0	/* is not there */
	call	HSM, 2, -3, -1, 0
	call	HSM, 0, -3, 1, 0
	call	HSM, 0, -6, 0, 0x80200000
	call	HSM, 0, -5, 2, 0x80000000	/* the firmware */
	call	HSM, 0, -5, 2, 0x8007fffc
	call	HSM, 0, -5, 2, 0x2000000	/* the CLINT */
	call	HSM, 0, -5, 2, 0x84300000	/* the ring, which is no code */
	call	HSM, 0, -5, 2, 0x84000000	/* behind main memory */
	call	HSM, 0, -5, 2, -1
	call	HSM, 2, 0, 2, 0
	call	0x53525354, 0, -3, 3, 0		/* SRST: reserved types and reasons */
	call	0x53525354, 0, -3, 0, 2
	call	0x53525354, 0, -3, 1 << 32, 0
	call	0x53525354, 0, -3, 0, 1 << 32
	call	0x53525354, 1, -2, 0, 0
	call	0x53525354 + (1 << 32), 0, -2, 0, 0
	call	0x48534d, 0x100000000, -2, 2, 0x80200000
	call	HSM, 7, -2, 0, 0
	call	RFENCE, 1, 0, 5, 0	/* of one that is stopped, too */
	start	0x123, 0
	wait	0x125
	status	0
	start	0x123, -6
	call	0x735049, 0, 0, 1, 2
	wait	1
	call	RFENCE, 0, 0, 5, 0
	call	RFENCE, 1, 0, 4, 0
	call	RFENCE, 2, 0, 0, -1
	call	RFENCE, 1, -3, 2, 0
	call	RFENCE, 1, -3, 8, 0
	call	RFENCE, 3, -2, 1, 0
	li	t0, 2
	sd	t0, (s1)		/* stop */
	status	1
	start	0x455, 0
	wait	0x457
	li	t0, 3
	sd	t0, (s1)		/* end the run, which hart 0 waits for in supervisor mode */
	j	.
second:
	la	s1, word
	csrr	t1, satp
	bnez	t1, fail
	add	a1, a1, a0
	sd	a1, (s1)
	li	t1, 0x457
	beq	a1, t1, 2f
1:	csrr	t0, sip			/* the interrupt */
	andi	t0, t0, 2
	beqz	t0, 1b
	csrci	sip, 2
	li	t0, 1
	sd	t0, (s1)
2:	ld	t0, (s1)
	li	t1, 2
	beq	t0, t1, 3f
	li	t1, 3
	bne	t0, t1, 2b
	li	a1, 0
	j	end
3:	li	a7, HSM
	li	a6, 1
	ecall
fail:
	li	a1, 1
end:	li	a7, 0x53525354
	li	a6, 0
	li	a0, 0
	ecall
	.balign	8
word:	.dword	0
"""

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
	ipi	0, 1, 0, 0
	ipi	0, 7, -3, 0
	ipi	0, 2, -3, 0
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


@pytest.mark.parametrize("turn", [1, 50])
def test_doorbells_in_both_directions(tmp_path: Path, turn: int) -> None:
    elf = below(CONFIG, SUPERVISOR, tmp_path)
    beside = assembled(BESIDE, 0x8400_0000, tmp_path / "beside.elf")
    options = Options(max_cycles=1_000_000, engine="model", others=(beside,), last_hart=0, turn=turn)
    assert simulator.watch(elf, CONFIG, options).exit_code == 0


@pytest.mark.parametrize("turn", [1, 50, 1000])
def test_harts_start_interrupt_fence_and_stop(tmp_path: Path, turn: int) -> None:
    """Calls of HSM, IPI and RFENCE between two harts; the run ends by a call of the second one."""
    options = Options(max_cycles=1_000_000, engine="model", last_hart=0, turn=turn)
    assert simulator.watch(below(SEVERAL, HARTS, tmp_path), SEVERAL, options).exit_code == 0
