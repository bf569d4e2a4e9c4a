# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
# A random program, cut down; lab/verify/random/README.md says how to run it.
# config: mcu-clint
# settings: --max-cycles 1040
# found: mutation csr/instret-written: an instruction that writes minstret counts itself
# cycles: 10
.option norelax
.option norvc
body:
	csrrwi x0, 0xb02, 10
	csrrs x6, 0xb02, x0
	csrw mie, x0
	li x5, 0x100000
	li x6, 0x5555
	sw x6, 0(x5)
	j .
