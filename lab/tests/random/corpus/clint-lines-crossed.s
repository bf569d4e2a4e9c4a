# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
# A random program, cut down; lab/verify/random/README.md says how to run it.
# config: mcu-clint
# settings: --max-cycles 4944 --irq 5@842:pulse=20
# found: mutation clint/lines-crossed: platform lines are shown one too high
# cycles: 986
.option norelax
.option norvc
	la x5, trap_vec + 1
	csrw mtvec, x5
	sw x0, 4(x5)
	li x5, 0xffff0888
	csrw mie, x5
	li x14, 0x5a976949
	li x15, 0xaa24be9a
	li x18, 0xcb4f4da0
	li x21, 0x3
	li x22, 0x7f
	li x23, 0xbebcc7b2
	li x24, 0xbaf3f539
	li x25, 0x64a1a675
	li x26, 0xa9a5b76a
	li x27, 0x10
	li x28, 0xff
	li x29, 0xed40f4bf
	li x30, 0x8
	li x31, 0xf
	la x8, frames
	li x5, 0x8
	csrw mstatus, x5
trap_vec:
	j trap_v2
	j trap_v31
	sw x12, 4(x8)
	fence
	j trap_common
	sw x17, 0(x8)
	sw x12, 4(x8)
	divu x17, x12, x17
	j trap_common
trap_v2:
	sw x17, 0(x8)
	sw x12, 4(x8)
	sw x17, 16(x8)
	csrr x12, mstatus
	j trap_common
	sw x17, 0(x8)
	sw x12, 4(x8)
	rem x12, x17, x12
	lw x12, 4(x8)
	.2byte 0x0001
	.2byte 0x0001
trap_v31:
trap_common:
	csrr x17, mcause
	csrr x12, mepc
	lhu x17, 0(x12)
	addi x12, x12, 2
	csrw mepc, x12
	li x17, 0x1800
	csrs mstatus, x17
	lw x17, 0(x8)
	mret
body:
	csrw mie, x0
	li x5, 0x100000
	li x6, 0x5555
	sw x6, 0(x5)
	j .
.option norvc
frames: .skip 32768
