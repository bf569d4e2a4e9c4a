# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
# A random program, cut down; lab/verify/random/README.md says how to run it.
# config: mcu-clint
# settings: --max-cycles 1904 --wait-instr 200 --wait-data 0 --seed 628
# found: mutation fetch/stale-request: the answer to a request that a redirect overtook is taken for the target
# cycles: 226
.option norelax
.option norvc
	li x1, 0x28ca0995
	li x2, 0x7fbeef97
	li x3, 0xc0000000
	li x4, 0xc0c8e98d
	li x5, 0xfffffffe
	li x7, 0xfb51de41
	li x8, 0x7fff
	li x9, 0x4ec99c2c
	li x10, 0x5e96186a
	li x11, 0x80
	li x12, 0xc0000000
	li x13, 0x2
	li x14, 0x10
	li x15, 0x8dde6f13
	li x16, 0x3cc6825f
	li x17, 0xbd97717c
	li x18, 0xfb7bb655
	li x19, 0x1064445e
	li x20, 0x8c796d40
	li x21, 0xfe0a17d0
	li x22, 0x8000
	li x23, 0x8000
	j body
body:
	csrw mie, x0
	li x5, 0x100000
	li x6, 0x5555
	sw x6, 0(x5)
	j .
