# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
# A random program, cut down; lab/verify/random/README.md says how to run it.
# config: mcu-clint
# settings: --max-cycles 1116
# found: mutation core/late-operand-lost: an instruction that stays in EX forgets the operand that the load brought
# cycles: 30
.option norelax
.option norvc
body:
	li x10, 0x801000d8
	lb x9, 132(x10)
	div x2, x9, x9
	csrw mie, x0
	li x5, 0x100000
	li x6, 0x5555
	sw x6, 0(x5)
	j .
