# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
# A random program, cut down; lab/verify/random/README.md says how to run it.
# config: mcu-clint
# settings: --max-cycles 1080
# found: mutation core/late-operand-b: the late operand replaces an immediate
# cycles: 20
.option norelax
.option norvc
	li x7, 0x7fffffff
body:
	lb x29, 832(x7)
	sw x7, 176(x7)
	lw x29, 176(x7)
	sh x29, 755(x29)
	csrw mie, x0
	li x5, 0x100000
	li x6, 0x5555
	sw x6, 0(x5)
	j .
