# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
# A random program, cut down; lab/verify/random/README.md says how to run it.
# config: mcu-clint
# settings: --max-cycles 1132
# found: mutation fetch/second-fault: an instruction that straddles into a hole does not fault
# cycles: 33
.option norelax
.option norvc
	la x5, trap_d4
	csrw mtvec, x5
	j body
trap_d4:
	csrw mepc, x1
	li x25, 0x1800
	csrs mstatus, x25
	mret
body:
	li x18, 0x8007fffe
	li x19, 0x13
	sh x19, 0(x18)
	fence.i 
	la x1, .Lback16
	csrrw x0, mepc, x18
	mret 
.Lback16:
	csrw mie, x0
	li x5, 0x100000
	li x6, 0x5555
	sw x6, 0(x5)
	j .
