# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
# A program for lockstep; lab/verify/random/README.md says how to run it.
# config: mcu-fastirq
# settings: --irq 0@30 --irq 0@110 --irq 0@151 --irq 0@192 --max-cycles 20000
# found: the second half of a store far from the table entry made an interrupt fetch it again
# cycles: 273
.option norelax
.option norvc
	la x5, link
	addi x5, x5, 1
	csrw 0x7c0, x5
	la x5, table
	csrw 0x307, x5
	la x2, stack_end
	la x8, data
	li x9, 0x02801000
	li x5, 0xff030100
	sw x5, 64(x9)
	.rept 30
	nop
	.endr
	csrsi mstatus, 8
	.rept 100
	sw x9, 1(x8)
	.endr
	li x18, 0x5555
	li x19, 0x100000
	sw x18, 0(x19)
	j .
handler:
	addi x20, x20, 1
	.4byte 0xbc200073 # emret
	.balign 1024
table:
	.skip 64
	.4byte handler
	.section .data
	.balign 16
link:
data:
	.skip 512
stack_end:
