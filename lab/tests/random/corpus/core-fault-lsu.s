# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
# A random program, cut down; lab/verify/random/README.md says how to run it.
# config: mcu-clint
# settings: --max-cycles 1192
# found: mutation core/fault-lsu: a store goes out while the access ahead of it faults
# cycles: 48
.option norelax
.option norvc
	la x5, trap_d4
	csrw mtvec, x5
	li x23, 0x5
	j body
trap_d4:
	csrr x30, mepc
	addi x30, x30, 2
	csrw mepc, x30
	csrr x29, mcause
	addi x29, x29, -5
	andi x29, x29, -3
	beqz x29, trap_access
trap_leave:
	mret
trap_access:
	addi x30, x30, 4
	csrw mepc, x30
	j trap_leave
body:
	li x14, 0x8007fffc
	sw x6, 3(x14)
	sw x23, 0(x14)
	li x19, 0x8007ff8f
	lh x1, 109(x19)
	csrw mie, x0
	li x5, 0x100000
	li x6, 0x5555
	sw x6, 0(x5)
	j .
