# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
# A random program, cut down; lab/verify/random/README.md says how to run it.
# config: mcu-clint
# settings: --max-cycles 19664 --wait-instr 0 --wait-data 60 --seed 628
# found: mutation core/load-passed: an instruction passes an empty EX while the load in WB that it needs is not yet answered
# cycles: 4666
.option norelax
.option norvc
	la x5, trap_d4
	csrw mtvec, x5
	li x11, 0x80
	la x6, frames
	j body
trap_d4:
	sw x11, 4(x6)
	csrr x11, mepc
	addi x11, x11, 2
	csrw mepc, x11
	lhu x25, 0(x11)
	lhu x11, 2(x11)
	slli x25, x11, 20
	lw x11, 4(x6)
	mret
body:
.Lloop11:
	ecall 
.option rvc
	c.addi x11, -1
	c.beqz x11, .Ll15
.option norvc
	jal x0, .Lloop11
.Ll15:
	csrw mie, x0
	li x5, 0x100000
	li x6, 0x5555
	sw x6, 0(x5)
	j .
.option norvc
frames: .skip 32768
