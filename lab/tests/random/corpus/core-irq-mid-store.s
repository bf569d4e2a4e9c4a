# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
# A random program, cut down; lab/verify/random/README.md says how to run it.
# config: mcu-clint
# settings: --max-cycles 14344 --wait-instr 30 --wait-data 128 --seed 935
# found: mutation core/irq-mid-store: an interrupt is taken between a store's request and its grant, or between its halves
# cycles: 3336
.option norelax
.option norvc
	la x5, trap_d1
	csrw mtvec, x5
	li x5, 0x2004000
	li x6, 1670
	sw x6, 0(x5)
	sw x0, 4(x5)
	li x5, 0xffff0888
	li x1, 0xff00ff00
	li x3, 0x7fff
	li x14, 0x7
	li x15, 0x800000
	li x16, 0x1
	li x17, 0x1dbc6f52
	li x18, 0x1f
	li x19, 0xaaaaaaaa
	li x21, 0xffffffe0
	li x22, 0xb182a68b
	li x23, 0x2
	li x24, 0xb4c65868
	li x25, 0xffffffff
	li x26, 0x25e9d44b
	li x27, 0xfffffff0
	li x28, 0x78413428
	li x29, 0x8e68a472
	li x30, 0xba49fbf
	li x31, 0x8
	la x20, frames
	li x5, 0x8
	csrw mstatus, x5
	j body
trap_d1:
	sw x19, 0(x20)
	sw x21, 4(x20)
	lh x19, 19(x20)
	csrr x19, mip
	.2byte 0x0001
	.2byte 0x0001
	csrr x19, mcause
	bltz x19, trap_interrupt
	addi x21, x19, -1
	bnez x21, trap_skip
	csrw mepc, x1
trap_skip:
	csrr x21, mepc
	lhu x19, 0(x21)
	andi x19, x19, 3
	addi x19, x19, -3
	addi x21, x21, 2
	addi x21, x21, 2
	csrw mepc, x21
	csrr x19, mcause
	addi x19, x19, -5
	beqz x19, trap_access
	csrr x19, mcause
	lhu x19, 0(x21)
	lhu x21, 2(x21)
	or x21, x21, x19
	slli x19, x21, 20
	srli x19, x19, 20
	srli x21, x21, 12
	li x19, 0x21800
	csrc mstatus, x19
	addi x21, x21, -2
	beqz x21, trap_leave
	li x19, 0x1800
	csrs mstatus, x19
trap_leave:
	lw x21, 4(x20)
	lw x19, 0(x20)
	mret
trap_access:
	bnez x19, trap_leave
	j trap_leave
trap_interrupt:
	li x21, 0x2004000
	sw x19, 0(x21)
body:
	rem x26, x0, x19
	rem x19, x1, x26
	.2byte 0x083f, 0x6c7d
	ecall 
	li x28, 0x8020170c
	lw x14, -239(x28)
	lw x7, -1292(x28)
	sw x14, -1524(x28)
	sw x28, -1484(x28)
	lh x13, -1120(x12)
	ecall 
	ecall 
	rem x10, x13, x7
	srl x22, x7, x7
	sext.h x13, x7
	ctz x7, x13
	beq x10, x6, .Ll3
	sext.h x22, x0
	maxu x26, x22, x26
	rev8 x27, x26
.Ll3:
	li x22, 0
	li x5, 19
.Ltight4:
	srli x8, x22, 1
	addi x22, x22, 1
	bne x22, x5, .Ltight4
	lhu x2, 0(x11)
	fence.i
	jalr x1, 0(x25)
	xor x11, x0, x27
	slti x26, x5, 0
	ori x16, x21, -338
	lui x15, 524287
	.2byte 0x9d50
	.2byte 0x3333, 0x6190
	li x3, 0xffffff7f
	li x3, 0x8020ffee
	sb x30, 616(x27)
	ebreak 
	li sp, 0x80201304
.option rvc
	c.lwsp x18, 176(sp)
	c.addi16sp sp, 112
	c.lwsp x4, 252(sp)
	c.lwsp x27, 172(sp)
.option norvc
	.2byte 0x0073, 0x1600
	lw x13, 0(x4)
	lw x13, 0(x4)
	bltu x0, x2, .Ll8
.Ll8:
	lhu x11, 3(x15)
	sw x8, 0(x15)
	lhu x14, 208(x24)
	lh x27, 186(x24)
	divu x12, x1, x27
	rem x25, x14, x12
	ecall 
	csrrsi x0, mstatus, 8
	csrrci x0, mstatus, 8
	csrrw x9, 0x300, x25
	csrrs x5, 0xb82, x0
	csrrc x11, 0x342, x12
	csrrs x21, 0xb80, x0
	li x9, 0xffffffe0
	csrrwi x2, 0x343, 18
	csrrs x25, 0xc02, x0
	li x12, 0x7fffffff
	csrrsi x24, 0x300, 20
	csrrs x23, 0x300, x0
	csrrc x13, 0x300, x2
	li x31, 0x220000
	csrc mstatus, x31
	li x31, 0xffff0888
	csrw mie, x31
	csrrsi x0, mstatus, 8
	li x2, 0x801000a0
	lhu x10, 332(x2)
	sw x2, 160(x2)
	lw x10, 160(x2)
	sw x10, 137(x10)
	li sp, 0x8020145c
.option rvc
	c.addi16sp sp, 496
	c.swsp x31, 232(sp)
	c.swsp x17, 128(sp)
.option norvc
	sb x3, 7(x10)
	lbu x28, 7(x10)
	li x10, 0x8010014a
	lbu x14, 573(x10)
	lw x1, 1016(x10)
	mulh x17, x14, x1
	sb x1, 582(x10)
	lw x1, 949(x10)
	sw x10, 176(x10)
	lw x1, 176(x10)
	csrw mie, x0
	li x5, 0x100000
	li x6, 0x5555
	sw x6, 0(x5)
	j .
.option norvc
frames: .skip 32768
