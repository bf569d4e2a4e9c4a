# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
# A random program, cut down; lab/verify/random/README.md says how to run it.
# config: mcu-clint
# settings: --max-cycles 1080
# found: mutation rvc/srai-reserved: shift amounts above 31 are accepted for c.srli and c.srai
# cycles: 20
.option norelax
.option norvc
	la x5, trap_d0
	csrw mtvec, x5
	j body
trap_d0:
	csrr x26, mepc
	addi x26, x26, 2
	csrw mepc, x26
	mret
body:
	.2byte 0x97a5
	csrw mie, x0
	li x5, 0x100000
	li x6, 0x5555
	sw x6, 0(x5)
	j .
