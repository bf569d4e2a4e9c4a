# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
# A program for lockstep; lab/verify/random/README.md says how to run it.
# config: mcu-fastirq
# settings: --max-cycles 20000
# found: a table entry that cannot be fetched was asked for again and again, beside a frame that leaves
# cycles: 59
.option norelax
.option norvc
	la x5, link
	addi x5, x5, 1
	csrw 0x7c0, x5
	la x5, table
	csrw 0x307, x5
	la x2, stack_end
	li x8, 0x02801000
	li x9, 0x02800000
	li x5, 0xff030001 # 7: edge-triggered, vectored, enabled; behind 6
	sw x0, 0x1c(x8)
	li x5, 0x1f030101
	sw x5, 0x1c(x8)
	li x5, 0xff030101
	sw x5, 0x18(x8)
	nop
	nop
	nop
	nop
	csrsi mstatus, 8
1:	j 1b
handler:
	csrw 0x307, x9
	lw x18, 68(x2)
	li x18, 0x5555
	li x19, 0x100000
	sw x18, 0(x19)
	j .
	.balign 1024
table:
	.4byte 0, 0, 0, 0, 0, 0, handler, 0
	.balign 16
link:
	.skip 512
stack_end:
