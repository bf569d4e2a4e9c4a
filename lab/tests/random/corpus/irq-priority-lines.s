# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
# A random program, cut down; lab/verify/random/README.md says how to run it.
# config: mcu-clint
# settings: --max-cycles 20588 --irq 7@4514 --irq 13@4514:pulse=20
# found: mutation irq/priority-lines: the lowest platform line wins instead of the highest
# cycles: 4897
.option norelax
.option norvc
	la x5, trap_vec + 1
	csrw mtvec, x5
	li x5, 0xffff0888
	csrw mie, x5
	la x8, frames
	csrw mstatus, x5
	j body
	.balign 128
trap_vec:
	j trap_v0
	j trap_v1
	j trap_v2
	j trap_v3
	j trap_v4
	j trap_v5
	j trap_v6
	j trap_v7
trap_v0:
	j trap_common
trap_v1:
	divu x17, x12, x17
	j trap_common
trap_v2:
	sw x17, 0(x8)
	sw x12, 4(x8)
	sw x17, 16(x8)
	csrr x12, mstatus
trap_v3:
	sw x17, 0(x8)
trap_v4:
	sw x17, 0(x8)
trap_v5:
trap_v6:
	j trap_common
trap_v7:
	mret
trap_common:
	csrr x17, mcause
	bltz x17, trap_interrupt
	addi x12, x17, -1
	bnez x12, trap_skip
trap_skip:
	csrr x12, mepc
	addi x17, x17, -3
	addi x12, x12, 2
	csrw mepc, x12
	addi x17, x17, -5
	li x17, 0x1800
	csrs mstatus, x17
	lw x12, 4(x8)
	lw x17, 0(x8)
	mret
trap_interrupt:
body:
	fence.i 
	fence.i 
	li x14, 25
.Lloop26:
	jal x1, .Lfunc27
	remu x16, x24, x23
	addi x14, x14, -1
	beq x14, x0, .Ll28
	jal x0, .Lloop26
.Ll28:
	csrw mie, x0
	li x5, 0x100000
	li x6, 0x5555
	sw x6, 0(x5)
	j .
.Lfunc27:
	lhu x0, -83(x25)
.option rvc
	c.srai x11, 31
.option norvc
	sh x11, -48(x25)
	lb x25, -59(x25)
	lw x1, 28(sp)
	addi sp, sp, 32
.option rvc
	c.jr x1
.option norvc
frames: .skip 32768
