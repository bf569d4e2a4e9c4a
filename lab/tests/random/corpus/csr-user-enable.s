# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
# A random program, cut down; lab/verify/random/README.md says how to run it.
# config: mcu-clint
# settings: --max-cycles 1100
# found: mutation csr/user-enable: in user mode interrupts are taken only if MIE is set
# cycles: 25
.option norelax
.option norvc
	la x5, trap_d3
	csrw mtvec, x5
	li x5, 0x2004000
	sw x6, 0(x5)
	sw x0, 4(x5)
	li x5, 0xffff0888
	csrw mie, x5
trap_d3:
	csrr x7, mcause
	bltz x7, trap_interrupt
	mret
trap_interrupt:
body:
	csrw mie, x0
	li x5, 0x100000
	li x6, 0x5555
	sw x6, 0(x5)
	j .
