# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
# A random program, cut down; lab/verify/random/README.md says how to run it.
# config: mcu-clint
# settings: --max-cycles 1172
# found: mutation core/fence-i: fence.i does not fetch anew
# cycles: 43
.option norelax
.option norvc
	la x5, trap_d2
	csrw mtvec, x5
	j body
trap_d2:
	.2byte 0x0001
	.2byte 0x0001
	csrr x31, mepc
	addi x31, x31, 2
	csrw mepc, x31
	mret
body:
.option rvc
	c.add x21, x21
.option norvc
	.2byte 0x8481
	jal x1, .Lfunc8
	csrw mie, x0
	li x5, 0x100000
	li x6, 0x5555
	sw x6, 0(x5)
	j .
.option rvc
	c.jr x1
.Lfunc8:
.option norvc
	la x13, .Lpatch9
	sw x11, 0(x13)
	fence.i 
.Lpatch9:
	.2byte 0x0073, 0x0010
.option rvc
	c.jr x1
