# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
# A random program, cut down; lab/verify/random/README.md says how to run it.
# config: mcu-clint
# settings: --max-cycles 1036
# found: mutation alu/ctz-zero: clz and ctz of zero are 31
# cycles: 9
.option norelax
.option norvc
body:
	ctz x24, x11
	csrw mie, x0
	li x5, 0x100000
	li x6, 0x5555
	sw x6, 0(x5)
	j .
