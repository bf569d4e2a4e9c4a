# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
# A random program, cut down; lab/verify/random/README.md says how to run it.
# config: mcu-clint
# settings: --max-cycles 1420
# found: mutation core/divide-abandon: a trap does not abandon a division: the next one takes its result
# cycles: 105
.option norelax
.option norvc
	la x5, trap_vec + 1
	csrw mtvec, x5
	li x5, 0x2004000
	sw x0, 4(x5)
	li x5, 0xffff0888
	csrw mie, x5
	csrw mstatus, x5
	.balign 128
trap_vec:
	fence
	j trap_common
	sw x17, 0(x8)
	csrr x12, mstatus
	j trap_common
trap_common:
	csrr x17, mcause
	bltz x17, trap_interrupt
trap_interrupt:
	divu x17, x12, x17
body:
	li x5, 0x2004000
	sw x24, 0(x5)
	remu x6, x22, x13
	csrw mie, x0
	li x5, 0x100000
	li x6, 0x5555
	sw x6, 0(x5)
	j .
.option norvc
frames: .skip 32768
