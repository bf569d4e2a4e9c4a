# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
# A random program, cut down; lab/verify/random/README.md says how to run it.
# config: mcu-clint
# settings: --max-cycles 1276 --wait-instr 0 --wait-data 200 --seed 793
# found: mutation core/divide-early: a division starts before its late operand is there
# cycles: 69
.option norelax
.option norvc
	li x27, 0x7
body:
	li x2, 0x80100050
	lw x7, 494(x2)
	divu x15, x7, x27
	csrw mie, x0
	li x5, 0x100000
	li x6, 0x5555
	sw x6, 0(x5)
	j .
