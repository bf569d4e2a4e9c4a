# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
# A random program, cut down; lab/verify/random/README.md says how to run it.
# config: mcu-clint
# settings: --max-cycles 1128
# found: mutation core/irq-mepc: mepc of an interrupt names the instruction behind the one that has to start again
# cycles: 32
.option norelax
.option norvc
	la x5, trap_vec + 1
	csrw mtvec, x5
	li x5, 0x2004000
	sw x0, 4(x5)
	li x5, 0xffff0888
	csrw mie, x5
	csrw mstatus, x5
trap_vec:
body:
	li x5, 0x200bff8
	li x5, 0x2004000
	sw x24, 0(x5)
	li x12, 0xffff0080
	csrw mie, x0
	li x5, 0x100000
	li x6, 0x5555
	sw x6, 0(x5)
	j .
