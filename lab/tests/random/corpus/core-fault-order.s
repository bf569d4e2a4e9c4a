# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
# A random program, cut down; lab/verify/random/README.md says how to run it.
# config: mcu-clint
# settings: --max-cycles 1164
# found: mutation core/fault-order: an exception in EX does not wait for the access ahead of it
# cycles: 41
.option norelax
.option norvc
	la x5, trap_d1
	csrw mtvec, x5
	j body
trap_d1:
	csrr x21, mepc
	addi x21, x21, 2
	csrw mepc, x21
	mret
body:
	lh x13, -1120(x12)
	ecall 
	csrw mie, x0
	li x5, 0x100000
	li x6, 0x5555
	sw x6, 0(x5)
	j .
