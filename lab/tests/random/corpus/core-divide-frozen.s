# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
# A program for lockstep; lab/verify/random/README.md says how to run it.
# config: mcu-fastirq
# settings: --wait-data 200 --seed 1 --irq 2@70:pulse=20 --max-cycles 20000
# found: a division that was done while an interrupt waited for a bank began again as the interrupt went away
# cycles: 169
.option norelax
.option norvc
	la x5, link
	addi x5, x5, 3
	csrw 0x7c0, x5
	la x5, table
	csrw 0x307, x5
	la x2, stack_end
	li x8, 0x02800000
	li x5, 3
	sw x5, 0(x8)
	li x8, 0x02801000
	li x5, 0x1f030100
	sw x5, 64(x8)
	li x5, 0x5f030100
	sw x5, 68(x8)
	li x5, 0xff010100
	sw x5, 72(x8)
	li x18, 1000000
	li x19, 7
	li x21, 1
	csrsi mstatus, 8
	sb x21, 64(x8)
1:	j 1b
handler:
	sb x21, 68(x8)
1:	j 1b
handler2:
	.rept 5
	div x20, x18, x19
	.endr
	li x18, 0x5555
	li x19, 0x100000
	sw x18, 0(x19)
	j .
handler3:
	.4byte 0xbc200073 # emret
	.balign 1024
table:
	.skip 64
	.4byte handler, handler2, handler3
	.section .data
	.balign 16
link:
	.skip 512
stack_end:
