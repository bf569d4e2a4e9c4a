# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
# A random program, cut down; lab/verify/random/README.md says how to run it.
# config: mcu-clint
# settings: --max-cycles 1196
# found: mutation lsu/split-restart: a load interrupted between its halves goes on at the second when it starts again
# cycles: 49
.option norelax
.option norvc
	la x5, trap_vec + 1
	csrw mtvec, x5
	li x5, 0x2004000
	li x6, 2721
	sw x6, 0(x5)
	sw x0, 4(x5)
	csrw mie, x5
	li x1, 0x259481aa
	li x2, 0xfffffff0
	li x3, 0x80000001
	li x4, 0xacd970e9
	li x5, 0x10
	li x6, 0x100
	li x7, 0x800000
	li x8, 0xffffff7f
	li x9, 0x49749d5b
	li x10, 0xffff8000
	li x11, 0x85558c2
	li x23, 0x55555555
	li x24, 0xeed9f5d9
	li x5, 0x8
	csrw mstatus, x5
	j body
trap_vec:
	csrr x30, mepc
	addi x30, x30, 2
	csrw mepc, x30
	mret
body:
	lw x6, 12(x11)
	csrw mie, x0
	li x5, 0x100000
	li x6, 0x5555
	sw x6, 0(x5)
	j .
.option norvc
frames: .skip 32768
