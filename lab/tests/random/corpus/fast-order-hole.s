# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
# A program for lockstep; lab/verify/random/README.md says how to run it.
# config: mcu-fastirq
# settings: --max-cycles 20000
# found: a bank stayed valid beside a frame at a higher address, which reached over the end of the memory
# cycles: 197
.option norelax
.option norvc
	la x5, link
	addi x5, x5, 3
	csrw 0x7c0, x5
	la x5, table
	csrw 0x307, x5
	la x5, exception
	csrw mtvec, x5
	la x2, stack_end
	li x8, 0x02800000
	li x5, 3
	sw x5, 0(x8)
	li x8, 0x02801000
	li x9, 0x8017fff8 # in the last words of dmem
	li x5, 0x1f030100
	sw x5, 64(x8)
	li x5, 0xff030100
	sw x5, 68(x8)
	li x21, 1
	li x22, 0
	csrsi mstatus, 8
	sb x21, 64(x8)
1:	beqz x22, 1b
	li x18, 0x5555
	li x19, 0x100000
	sw x18, 0(x19)
	j .
handler:
	mv x20, x2
	addi x2, x9, 64
	sb x21, 68(x8)
	.rept 80
	nop
	.endr
	csrci mstatus, 8
	mv x2, x20
	li x22, 1
	.4byte 0xbc200073 # emret
handler2:
	.rept 60
	nop
	.endr
	.4byte 0xbc200073
	.balign 64
exception:
	mret
	.balign 1024
table:
	.skip 64
	.4byte handler, handler2
	.section .data
	.balign 16
link:
	.skip 512
stack_end:
