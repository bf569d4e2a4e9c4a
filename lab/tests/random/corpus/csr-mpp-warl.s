# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
# A random program, cut down; lab/verify/random/README.md says how to run it.
# config: mcu-clint
# settings: --max-cycles 18100
# found: mutation csr/mpp-warl: MPP takes values that name no mode
# cycles: 4275
.option norelax
.option norvc
	la x5, trap_vec + 1
	csrw mtvec, x5
	li x5, 0x2004000
	li x6, 4267
	sw x6, 0(x5)
	sw x0, 4(x5)
	li x5, 0xffff0888
	csrw mie, x5
	li x1, 0xc7cbc42d
	li x2, 0x3ece6cd2
	li x3, 0x9a86281
	li x4, 0x7fffff
	li x5, 0x9b112374
	li x6, 0xffffffff
	li x7, 0x7fffffff
	li x11, 0x45c0f6f7
	li x12, 0xfffff800
	li x13, 0x5cf76cad
	li x14, 0x5a976949
	li x15, 0xaa24be9a
trap_vec:
body:
	csrrw x27, mstatus, x14
	la x14, .Lret25 + 0
	csrw mepc, x14
	mret 
.Lret25:
	csrw mie, x0
	li x5, 0x100000
	li x6, 0x5555
	sw x6, 0(x5)
	j .
