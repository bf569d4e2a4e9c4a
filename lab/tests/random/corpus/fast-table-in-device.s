# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
# A random program, cut down; lab/verify/random/README.md says how to run it.
# config: mcu-fastirq
# settings: --max-cycles 66928
# found: a table entry fetched ahead came from a device, where none can be fetched
# cycles: 297
.option norelax
.option norvc
	la x3, variables
	la x5, fast_entry0
	csrw mtvec, x5
	la x5, fast_link0 + 1
	csrw 0x7c0, x5
	li x5, 3
	sw x5, 24(x3)
	la x5, sums
	sw x5, 20(x3)
	li x5, 0xf114245b
	li x6, 0xca56bf7d
	li x7, 0xffff8000
	li x10, 0xff00ff00
	li x11, 0x3444274d
	li x13, 0xbe2fe690
	li x15, 0x3990127c
	li x16, 0x2efb6df1
	li x28, 0xffffff80
	li x30, 0xdc218db9
	li x1, 0xbb2ce974
	j body
fast_link0:
	.balign 64, 0
fast_entry0:
	.4byte 0xbc200073
fail:
body:
	fence.i
	fence.i
	la x14, work
	lhu x29, 16(x14)
	rev8 x18, x16
	li x14, 0x2800000
	csrw 0x307, x14
	li x12, 0x2801018
	li x14, 0xff070101
	sw x14, 0(x12)
	nop
	nop
	nop
	csrsi mstatus, 8
	sll x17, x18, x7
	mv x14, x0
	rori x14, x14, 7
	add x14, x14, x5
	rori x14, x14, 7
	add x14, x14, x6
	rori x14, x14, 7
	add x14, x14, x7
	rori x14, x14, 7
	add x14, x14, x10
	rori x14, x14, 7
	add x14, x14, x11
	rori x14, x14, 7
	add x14, x14, x13
	rori x14, x14, 7
	add x14, x14, x15
	rori x14, x14, 7
	add x14, x14, x16
	rori x14, x14, 7
	add x14, x14, x17
	rori x14, x14, 7
	add x14, x14, x28
	rori x14, x14, 7
	add x14, x14, x29
	rori x14, x14, 7
	add x14, x14, x30
	rori x14, x14, 7
	add x14, x14, x18
	lw x12, 20(x3)
	lw x31, 0(x12)
	beq x14, x31, .Lgood484
	li x4, 1
	j fail
.Lgood484:
	addi x12, x12, 4
	sw x12, 20(x3)
.Lmail485:
	lw x14, 388(x3)
	mv x12, x1
	lw x31, 388(x3)
	bne x14, x31, .Lmail485
	beq x14, x12, .Lgood486
	li x4, 4
	j fail
.Lgood486:
	lw x12, 24(x3)
	addi x12, x12, -1
	sw x12, 24(x3)
	beqz x12, .Llast483
	j body
.Llast483:
	csrci mstatus, 8
	li x12, 0x10000000
	lw x14, 44(x3)
	sb x14, 0(x12)
	lw x14, 36(x3)
	sb x14, 0(x12)
	lw x14, 40(x3)
	sb x14, 0(x12)
	li x12, 0x5555
	li x14, 0x100000
	sw x12, 0(x14)
	j .
variables:
	.skip 368
	.4byte 0, 0, 0, variables + 448, 0, 3140282740, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
work:
	.4byte 0x30b7c26e, 0xc630daa, 0xc4216b1b, 0x27c69021, 0x35d238e3, 0xbaaf4315, 0x69fc302, 0xe692bffd
sums:
	.4byte 0x9618fcff, 0x9618fcff, 0x9618fcff
