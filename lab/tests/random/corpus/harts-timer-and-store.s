# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
# A random program, cut down; lab/verify/random/README.md says how to run it.
# config: duo
# settings: --max-cycles 200000 --wait-instr 200 --wait-data 60 --seed 3
# found: seed 51: a timer interrupt was not known to lockstep if another hart stored to the CLINT just behind its claim
# cycles: 27219
.option norelax
.option norvc
.set mtvt, 0x307
	.section .text.start, "ax"
	.globl _start
_start:
	csrr x9, mhartid
	li x8, 0x02000000
	bnez x9, stores
	li sp, 0x80208000
	la x5, entry
	csrw mtvec, x5
	la x5, table
	csrw mtvt, x5
	la x5, link + 1
	csrw 0x7c0, x5
	li x5, 0x02800000
	li x6, 8
	sb x6, 0(x5)
	li x5, 0x0280101c
	li x6, 0x64010100
	sw x6, 0(x5)
	li x18, 60
	csrsi mstatus, 8
again:
	li x5, 0x0200bff8
	lw x6, 0(x5)
	andi x7, x18, 31
	add x6, x6, x7
	addi x6, x6, 300
	li x5, 0x02004000
	sw x6, 0(x5)
	sw x0, 4(x5)
	mv x19, x18
1:	divu x20, x8, x18
	beq x19, x18, 1b
	bnez x18, again
	li x5, 0x00100000
	li x6, 0x5555
	sw x6, 0(x5)
	j .
stores:
	sw x0, 4(x8)
	nop
	nop
	j stores
	.balign 64
entry:
	j .
link:
	.4byte 0xbc200073
timer:
	li x5, 0x02004000
	li x6, -1
	sw x6, 4(x5)
	addi x18, x18, -1
	ret
	.data
	.balign 1024
table:
	.skip 28
	.4byte timer
