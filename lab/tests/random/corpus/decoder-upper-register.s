# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
# A random program, cut down; lab/verify/random/README.md says how to run it.
# config: mcu-clint-e
# settings: --max-cycles 1080
# found: mutation decoder/upper-register: RV32E accepts x16 and above as rs2
# cycles: 20
.option norelax
.option norvc
	la x5, trap_d4
	csrw mtvec, x5
	j body
trap_d4:
	csrr x6, mepc
	addi x6, x6, 2
	csrw mepc, x6
	mret
body:
	.2byte 0xf733, 0x03e4
	csrw mie, x0
	li x5, 0x100000
	li x6, 0x5555
	sw x6, 0(x5)
	j .
