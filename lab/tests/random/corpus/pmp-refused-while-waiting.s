# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
# A random program, cut down; lab/verify/random/README.md says how to run it.
# config: mcu-user
# settings: --max-cycles 20000 --irq 0@573 --irq 1@577:pulse=300 --irq 2@578:pulse --irq 3@579:pulse=300 --irq 4@585:pulse --irq 5@586:pulse=300 --irq 6@588:pulse=300 --irq 7@591:pulse=4 --irq 8@599:pulse --irq 9@603:pulse --irq 10@611:pulse --irq 11@612:pulse --irq 0@661 --irq 10@668:pulse --irq 10@744:pulse --irq 3@749:pulse --irq 43@757:pulse=300 --irq 44@761:pulse=19 --irq 42@762 --irq 10@766:pulse=40 --irq 21@770:pulse=300 --irq 0@776:pulse=300 --irq 10@777 --irq 11@778:pulse=35 --irq 12@782:pulse --irq 5@785:pulse=300 --irq 9@803:pulse=25 --irq 0@921 --irq 9@1036:pulse --irq 3@1038:pulse --irq 4@1042:pulse --irq 23@1045:pulse=300 --irq 41@1049:pulse --irq 43@1055:pulse --irq 44@1062:pulse --irq 17@1068:pulse=300 --irq 23@1073:pulse=300 --irq 8@1075:pulse=16 --irq 9@1080:pulse=27 --irq 30@1087:pulse
# found: a load that a row refuses, waiting for a word of its frame, was granted in each cycle: fetches behind it starved a table entry
# cycles: 1135
.option norelax
.option norvc
.set mtvt, 0x307
.set mnxti, 0x345
.set mintthresh, 0x347
.set mscratchcsw, 0x348
.set mscratchcswl, 0x349
.set mintstatus, 0xfb1
.set jalmnxti, 0x7ed
	.section .text.start, "ax"
	.globl _start
_start:
	la x3, own
	la x5, entry
	csrw mtvec, x5
	la x5, fast_table
	csrw mtvt, x5
	li x6, 0x2800000
	li x5, 8
	sb x5, 0(x6)
	li x6, 0x2801030
	li x5, 0xa0030100
	sw x5, 0(x6)
	li x6, 0x2801034
	li x5, 0xb9030100
	sw x5, 0(x6)
	li x6, 0x2801038
	li x5, 0xc2030100
	sw x5, 0(x6)
	li x6, 0x280103c
	li x5, 0x49030100
	sw x5, 0(x6)
	li x6, 0x2801040
	li x5, 0x1c030100
	sw x5, 0(x6)
	li x6, 0x2801044
	li x5, 0xf6030100
	sw x5, 0(x6)
	li x6, 0x2801048
	li x5, 0x13030100
	sw x5, 0(x6)
	li x6, 0x280104c
	li x5, 0xb030100
	sw x5, 0(x6)
	li x6, 0x2801050
	li x5, 0x5030100
	sw x5, 0(x6)
	li x6, 0x2801054
	li x5, 0x76020100
	sw x5, 0(x6)
	li x6, 0x2801058
	li x5, 0x8b030100
	sw x5, 0(x6)
	li x6, 0x280105c
	li x5, 0xfa030100
	sw x5, 0(x6)
	li x6, 0x2801060
	li x5, 0x41030100
	sw x5, 0(x6)
	li x6, 0x2801064
	li x5, 0xf1030100
	sw x5, 0(x6)
	li x6, 0x2801068
	li x5, 0x11030100
	sw x5, 0(x6)
	li x6, 0x280106c
	li x5, 0x16020100
	sw x5, 0(x6)
	li x6, 0x2801070
	li x5, 0xfa030100
	sw x5, 0(x6)
	li x6, 0x2801074
	li x5, 0xfa030100
	sw x5, 0(x6)
	li x6, 0x2801078
	li x5, 0x3c030100
	sw x5, 0(x6)
	li x6, 0x280107c
	li x5, 0x3c030100
	sw x5, 0(x6)
	li x6, 0x2801080
	li x5, 0x1030100
	sw x5, 0(x6)
	li x6, 0x2801084
	li x5, 0x1020100
	sw x5, 0(x6)
	li x6, 0x2801088
	li x5, 0x3c030100
	sw x5, 0(x6)
	li x6, 0x280108c
	li x5, 0x1030100
	sw x5, 0(x6)
	li x6, 0x2801090
	li x5, 0x3c030100
	sw x5, 0(x6)
	li x6, 0x2801094
	li x5, 0xfa030100
	sw x5, 0(x6)
	li x6, 0x2801098
	li x5, 0xfa030100
	sw x5, 0(x6)
	li x6, 0x280109c
	li x5, 0x3c030100
	sw x5, 0(x6)
	li x6, 0x28010a0
	li x5, 0x1030100
	sw x5, 0(x6)
	li x6, 0x28010a4
	li x5, 0x1030100
	sw x5, 0(x6)
	li x6, 0x28010a8
	li x5, 0x3c020100
	sw x5, 0(x6)
	li x6, 0x28010ac
	li x5, 0xfa020100
	sw x5, 0(x6)
	li x6, 0x28010b0
	li x5, 0x1030100
	sw x5, 0(x6)
	li x6, 0x28010b4
	li x5, 0x1030100
	sw x5, 0(x6)
	li x6, 0x28010b8
	li x5, 0x3c030100
	sw x5, 0(x6)
	li x6, 0x28010bc
	li x5, 0xfa030100
	sw x5, 0(x6)
	li x6, 0x28010c0
	li x5, 0xfa030100
	sw x5, 0(x6)
	li x6, 0x28010c4
	li x5, 0x1030100
	sw x5, 0(x6)
	li x6, 0x28010c8
	li x5, 0xfa030100
	sw x5, 0(x6)
	li x6, 0x28010cc
	li x5, 0x3c030100
	sw x5, 0(x6)
	li x6, 0x28010d0
	li x5, 0xfa030100
	sw x5, 0(x6)
	li x6, 0x28010d4
	li x5, 0x1020100
	sw x5, 0(x6)
	li x6, 0x28010d8
	li x5, 0x1030100
	sw x5, 0(x6)
	li x6, 0x28010dc
	li x5, 0x1030100
	sw x5, 0(x6)
	li x6, 0x28010e0
	li x5, 0xfa030100
	sw x5, 0(x6)
	li x6, 0x28010e4
	li x5, 0xfa030100
	sw x5, 0(x6)
	li x6, 0x28010e8
	li x5, 0x1030100
	sw x5, 0(x6)
	li x6, 0x28010ec
	li x5, 0xfa030100
	sw x5, 0(x6)
	li x6, 0x28010f0
	li x5, 0x3c030100
	sw x5, 0(x6)
	li x6, 0x28010f4
	li x5, 0x3c030100
	sw x5, 0(x6)
	li x6, 0x28010f8
	li x5, 0x3c030100
	sw x5, 0(x6)
	li x6, 0x28010fc
	li x5, 0x3c030100
	sw x5, 0(x6)
	li x5, 4
	csrw 0x747, x5
	li x5, 0x20007fff
	csrw 0x3b0, x5
	li x5, 0x200403ff
	csrw 0x3b1, x5
	li x5, 0xfffffff
	csrw 0x3b2, x5
	li x5, 0x9b9b9d
	csrw 0x3a0, x5
	li x5, 5
	csrw 0x747, x5
	j body
	.text
	.balign 64, 0
entry:
	csrr x4, mcause
	bltz x4, interrupt
	slli x4, x4, 1
	bltz x4, resume
	csrr x4, mcause
	andi x4, x4, 31
	sw x5, 8(x3)
	li x5, 24
	beq x4, x5, resume
	li x5, 1
	beq x4, x5, resume
	li x5, 8
	beq x4, x5, resume
	li x5, 11
	beq x4, x5, resume
	li x5, 25
	beq x4, x5, resume
	lw x4, 4(x3)
	addi x4, x4, -1
	sw x4, 4(x3)
	bltz x4, resume
	csrr x4, mepc
	addi x4, x4, 4
	csrw mepc, x4
again:
	csrr x5, mtval
	lw x5, 8(x3)
	mret
resume:
	li x4, 0x20000
	csrc mstatus, x4
	li x4, 0x30000000
	csrw mcause, x4
	lw x4, 0(x3)
	csrw mepc, x4
	mret
interrupt:
	csrr x4, 0x7c0
	andi x4, x4, 1
	bnez x4, 1f
	sw x5, 12(x3)
	1:
	csrr x4, mcause
	slli x4, x4, 20
	srli x4, x4, 18
	li x5, 0x2801000
	add x4, x4, x5
	sb x0, 0(x4)
	csrr x4, 0x7c0
	andi x4, x4, 1
	bnez x4, 2f
	lw x5, 12(x3)
	mret
	2: .4byte 0xbc200073
	.balign 4, 0
fast_handler0:
	.4byte 0xbc200073
	.balign 4, 0
slow_handler0:
	mret
	.balign 4, 0
fast_handler1:
	li x6, 1
	lw x5, 4(sp)
	sw x5, 4(sp)
	lw x5, 2(sp)
	.4byte 0xbc200073
	.balign 4, 0
slow_handler1:
	nop
	mret
	.balign 4, 0
fast_handler2:
	li x5, 15
	1: addi x5, x5, -1
	bnez x5, 1b
	.4byte 0xbc200073
	.balign 4, 0
slow_handler2:
	nop
	nop
	mret
	.balign 4, 0
fast_handler3:
	li x5, 0x2004080b
	csrrw x6, 0x3b8, x5
	lw x6, 0(sp)
	.4byte 0xbc200073
	.balign 4, 0
slow_handler3:
	nop
	nop
	nop
	mret
	.balign 4, 0
fast_handler4:
	nop
	nop
	nop
	nop
	nop
	nop
	li x5, 0x8000000
	csrrs x6, 0x3a1, x5
	nop
	csrsi mstatus, 8
	.4byte 0xbc200073
	.balign 4, 0
slow_handler4:
	nop
	nop
	nop
	nop
	mret
	.balign 4, 0
fast_handler5:
	csrsi mstatus, 8
	nop
	nop
	nop
	nop
	nop
	nop
	nop
	nop
	nop
	nop
	nop
	nop
	nop
	nop
	nop
	nop
	nop
	nop
	nop
	nop
	nop
	nop
	.4byte 0xbc200073
	.balign 4, 0
slow_handler5:
	nop
	nop
	nop
	nop
	nop
	mret
	.balign 256, 0
	.balign 256, 0
fast_table:
	.4byte fast_handler3
	.4byte fast_handler3
	.4byte fast_handler5
	.4byte fast_handler2
	.4byte fast_handler3
	.4byte fast_handler3
	.4byte fast_handler3
	.4byte fast_handler4
	.4byte fast_handler2
	.4byte fast_handler4
	.4byte fast_handler5
	.4byte fast_handler4
	.4byte fast_handler0
	.4byte fast_handler0
	.4byte fast_handler0
	.4byte fast_handler3
	.4byte fast_handler0
	.4byte fast_handler1
	.4byte fast_handler4
	.4byte fast_handler2
	.4byte fast_handler1
	.4byte fast_handler3
	.4byte fast_handler1
	.4byte fast_handler1
	.4byte fast_handler2
	.4byte fast_handler1
	.4byte fast_handler1
	.4byte fast_handler0
	.4byte fast_handler2
	.4byte fast_handler5
	.4byte fast_handler3
	.4byte fast_handler4
	.4byte fast_handler3
	.4byte fast_handler0
	.4byte fast_handler4
	.4byte fast_handler3
	.4byte fast_handler2
	.4byte fast_handler0
	.4byte fast_handler1
	.4byte fast_handler2
	.4byte fast_handler1
	.4byte fast_handler0
	.4byte fast_handler1
	.4byte fast_handler2
	.4byte fast_handler1
	.4byte fast_handler5
	.4byte fast_handler4
	.4byte fast_handler4
	.4byte fast_handler3
	.4byte fast_handler1
	.4byte fast_handler3
	.4byte fast_handler1
	.4byte fast_handler0
	.4byte fast_handler3
	.4byte fast_handler1
	.4byte fast_handler4
	.4byte fast_handler5
	.4byte fast_handler0
	.4byte fast_handler0
	.4byte fast_handler3
	.4byte fast_handler2
	.4byte fast_handler3
	.4byte fast_handler2
	.4byte fast_handler4
	.balign 256, 0
slow_table:
	.4byte slow_handler3
	.4byte slow_handler3
	.4byte slow_handler2
	.4byte slow_handler0
	.4byte slow_handler3
	.4byte slow_handler0
	.4byte slow_handler0
	.4byte slow_handler4
	.4byte slow_handler5
	.4byte slow_handler5
	.4byte slow_handler5
	.4byte slow_handler0
	.4byte slow_handler5
	.4byte slow_handler4
	.4byte slow_handler5
	.4byte slow_handler3
	.4byte slow_handler4
	.4byte slow_handler2
	.4byte slow_handler4
	.4byte slow_handler4
	.4byte slow_handler0
	.4byte slow_handler0
	.4byte slow_handler0
	.4byte slow_handler5
	.4byte slow_handler3
	.4byte slow_handler3
	.4byte slow_handler5
	.4byte slow_handler1
	.4byte slow_handler4
	.4byte slow_handler0
	.4byte slow_handler0
	.4byte slow_handler5
	.4byte slow_handler2
	.4byte slow_handler1
	.4byte slow_handler2
	.4byte slow_handler3
	.4byte slow_handler2
	.4byte slow_handler3
	.4byte slow_handler1
	.4byte slow_handler5
	.4byte slow_handler4
	.4byte slow_handler1
	.4byte slow_handler0
	.4byte slow_handler2
	.4byte slow_handler1
	.4byte slow_handler2
	.4byte slow_handler5
	.4byte slow_handler2
	.4byte slow_handler1
	.4byte slow_handler0
	.4byte slow_handler4
	.4byte slow_handler5
	.4byte slow_handler5
	.4byte slow_handler3
	.4byte slow_handler4
	.4byte slow_handler3
	.4byte slow_handler0
	.4byte slow_handler5
	.4byte slow_handler3
	.4byte slow_handler0
	.4byte slow_handler1
	.4byte slow_handler3
	.4byte slow_handler5
	.4byte slow_handler5
body:
	la x5, .Lafter1
	sw x5, 0(x3)
	li x5, 3
	sw x5, 4(x3)
	li x5, 0xff000000
	csrrc x6, 0x3a0, x5
	li x5, 0xffffffff
	csrrc x6, 0x3a1, x5
	li x5, 0xffffffff
	csrrc x6, 0x3a2, x5
	li x5, 0xffffffff
	csrrc x6, 0x3a3, x5
	li x5, 0x20017fff
	csrrw x6, 0x3be, x5
	li x5, 0xff0000
	csrrc x6, 0x3a3, x5
	li x5, 0x1d0000
	csrrs x6, 0x3a3, x5
	li x5, 0x2007ffff
	csrrw x6, 0x3bf, x5
	li x5, 0xff000000
	csrrc x6, 0x3a3, x5
	li x5, 0x9b000000
	csrrs x6, 0x3a3, x5
	li x5, 0x2001007a
	csrrw x6, 0x3bf, x5
	li x5, 0xff000000
	csrrc x6, 0x3a3, x5
	li x5, 0x9f000000
	csrrs x6, 0x3a3, x5
	li x5, 0xff000000
	csrrc x6, 0x3a1, x5
	li x5, 0x91000000
	csrrs x6, 0x3a1, x5
	li x5, 0x20010094
	csrrw x6, 0x3b7, x5
	li x5, 0xff000000
	csrrc x6, 0x3a0, x5
	li x5, 0x1e000000
	csrrs x6, 0x3a0, x5
	li x5, 0x3fffffff
	csrrw x6, 0x3b3, x5
	li x5, 0xff0000
	csrrc x6, 0x3a3, x5
	li x5, 0x80000
	csrrs x6, 0x3a3, x5
	li x5, 0x20080808
	csrrw x6, 0x3be, x5
	la x5, fast_table
	csrw mtvt, x5
	la x5, link + 3
	csrw 0x7c0, x5
	li x5, 0x80201ffc
	csrw mscratch, x5
	li sp, 0x80102f3d
	li x5, 0x8000000
	csrw mcause, x5
	la x5, piece1
	csrw mepc, x5
	mret
.Lafter1:
	csrci mstatus, 8
	csrw mintthresh, x0
	la x5, .Lafter2
	sw x5, 0(x3)
	li x5, 3
	sw x5, 4(x3)
	li x5, 0xff000000
	csrrc x6, 0x3a0, x5
	li x5, 0xffffffff
	csrrc x6, 0x3a1, x5
	li x5, 0xffffffff
	csrrc x6, 0x3a2, x5
	li x5, 0xffffffff
	csrrc x6, 0x3a3, x5
	li x5, 0x20017fff
	csrrw x6, 0x3be, x5
	li x5, 0xff0000
	csrrc x6, 0x3a3, x5
	li x5, 0x9e0000
	csrrs x6, 0x3a3, x5
	li x5, 0x2005ffff
	csrrw x6, 0x3bf, x5
	li x5, 0xff000000
	csrrc x6, 0x3a3, x5
	li x5, 0x9b000000
	csrrs x6, 0x3a3, x5
	li x5, 0x2001007a
	csrrw x6, 0x3b8, x5
	li x5, 0xff
	csrrc x6, 0x3a2, x5
	li x5, 0x98
	csrrs x6, 0x3a2, x5
	li x5, 0xff0000
	csrrc x6, 0x3a1, x5
	li x5, 0x890000
	csrrs x6, 0x3a1, x5
	li x5, 0x0
	csrrw x6, 0x3b6, x5
	li x5, 0x20010045
	csrrw x6, 0x3bd, x5
	li x5, 0xff00
	csrrc x6, 0x3a3, x5
	li x5, 0x8800
	csrrs x6, 0x3a3, x5
	li x5, 0x2007fff0
	csrrw x6, 0x3bf, x5
	li x5, 0xff000000
	csrrc x6, 0x3a3, x5
	li x5, 0xf000000
	csrrs x6, 0x3a3, x5
	la x5, slow_table
	csrw mtvt, x5
	la x5, link + 0
	csrw 0x7c0, x5
	li x5, 0x80201fd0
	csrw mscratch, x5
	li sp, 0x80102846
	li x5, 0x8000000
	csrw mcause, x5
	la x5, piece3
	csrw mepc, x5
	mret
.Lafter2:
	csrci mstatus, 8
	csrw mintthresh, x0
	la x5, .Lafter3
	sw x5, 0(x3)
	li x5, 3
	sw x5, 4(x3)
	li x5, 0xff000000
	csrrc x6, 0x3a0, x5
	li x5, 0xffffffff
	csrrc x6, 0x3a1, x5
	li x5, 0xffffffff
	csrrc x6, 0x3a2, x5
	li x5, 0xffffffff
	csrrc x6, 0x3a3, x5
	li x5, 0x20017fff
	csrrw x6, 0x3be, x5
	li x5, 0xff0000
	csrrc x6, 0x3a3, x5
	li x5, 0x9a0000
	csrrs x6, 0x3a3, x5
	li x5, 0x2005ffff
	csrrw x6, 0x3bf, x5
	li x5, 0xff000000
	csrrc x6, 0x3a3, x5
	li x5, 0x1a000000
	csrrs x6, 0x3a3, x5
	li x5, 0x1ade2ec2
	csrrw x6, 0x3bf, x5
	li x5, 0xff000000
	csrrc x6, 0x3a3, x5
	li x5, 0xa000000
	csrrs x6, 0x3a3, x5
	li x5, 0xff0000
	csrrc x6, 0x3a2, x5
	li x5, 0x880000
	csrrs x6, 0x3a2, x5
	li x5, 0x0
	csrrw x6, 0x3ba, x5
	li x5, 0xff00
	csrrc x6, 0x3a3, x5
	li x5, 0x8a00
	csrrs x6, 0x3a3, x5
	li x5, 0x200807f6
	csrrw x6, 0x3bd, x5
	li x5, 0x7
	csrrw x6, 0x3bc, x5
	li x5, 0xff
	csrrc x6, 0x3a3, x5
	li x5, 0x8a
	csrrs x6, 0x3a3, x5
	li x5, 7
	csrrw x6, 0x747, x5
	csrr x6, 0x747
	la x5, slow_table
	csrw mtvt, x5
	la x5, link + 0
	csrw 0x7c0, x5
	li x6, 0x2801050
	li x5, 1
	sb x5, 0(x6)
	li x5, 0x80201fc4
	csrw mscratch, x5
	li sp, 0x90000100
	li x5, 0x8000000
	csrw mcause, x5
	la x5, piece4
	csrw mepc, x5
	mret
.Lafter3:
	csrci mstatus, 8
	csrw mintthresh, x0
	la x5, .Lafter4
	sw x5, 0(x3)
	li x5, 200
	sw x5, 4(x3)
	li x5, 0xff
	csrrc x6, 0x3a3, x5
	li x5, 0x1a
	csrrs x6, 0x3a3, x5
	li x5, 0x2001007f
	csrrw x6, 0x3bc, x5
	la x5, fast_table
	csrw mtvt, x5
	la x5, link + 1
	csrw 0x7c0, x5
	li x6, 0x2801060
	li x5, 1
	sb x5, 0(x6)
	li x5, 0x90000100
	csrw mscratch, x5
	li sp, 0x80201fb8
	li x5, 0x8000000
	csrw mcause, x5
	la x5, piece7
	csrw mepc, x5
	mret
.Lafter4:
	csrci mstatus, 8
	csrw mintthresh, x0
	li x5, 0x100000
	li x6, 0x5555
	sw x6, 0(x5)
	j .
	.balign 4, 0
link:
	.4byte 0xbc200073
	.balign 0x20000, 0
piece0:
.option rvc
	c.nop 
.option norvc
	li x6, 0x80202022
	sh x6, 0(x6)
	li x13, 0x80202022
	sw x9, 0(x13)
	li x5, 0xff
	csrrc x6, 0x3a1, x5
	li x5, 0x5
	csrrs x6, 0x3a1, x5
	li x5, 0x20010026
	csrrw x6, 0x3b4, x5
	lw x15, 0(sp)
	li x11, 0x80202023
	lh x6, 1(x11)
	divu x11, x13, x7
	csrsi mstatus, 8
	li x5, 0x1
	lh x9, 0(x5)
	li x7, 0x80202022
	sb x7, 0(x7)
	li x12, 0x200bffa
	lbu x11, 4(x12)
	lw x5, -33(sp)
	sw x3, -33(sp)
	li x10, 0x8020201c
	sh x8, 0(x10)
	li x15, 0x801029b5
	sb x6, 0(x15)
	li x15, 0x8020201f
	sb x15, 0(x15)
	li sp, 0x80201fd0
	la x10, piece2
	jr x10
	li x11, 0x80201fc6
	lw x14, 1(x11)
	li x5, 0x2008077f
	csrrw x6, 0x3be, x5
	li x5, 0xff0000
	csrrc x6, 0x3a3, x5
	li x5, 0x9f0000
	csrrs x6, 0x3a3, x5
	li x12, 0x80201fff
	sw x12, 0(x12)
	li x5, 0x3fffffff
	csrrw x6, 0x3b4, x5
	li x5, 0xff
	csrrc x6, 0x3a1, x5
	li x5, 0x9d
	csrrs x6, 0x3a1, x5
	li x9, 0x0
	lbu x12, 0(x9)
	li x13, 0xfffffffe
	lb x11, 1(x13)
	ecall
piece1:
	csrr x14, 0x747
	li x12, 0x80202000
	sw x12, 0(x12)
	li x6, 0x80201fb5
	lhu x14, -2(x6)
	li x10, 0x80100001
	lw x6, 4(x10)
	li x10, 0x80102e7a
	lw x12, 0(x10)
	li x10, 0x90000000
	sb x7, 0(x10)
	li x14, 0x80201bff
	lb x7, 1(x14)
	li x10, 0x80202004
	sb x10, 0(x10)
	fence.i
	li x9, 0x7ffffffc
.option rvc
	c.lw x8, 0(x9)
	c.nop 
.option norvc
	csrr x10, 0x747
	li x5, 0xff0000
	csrrc x6, 0x3a2, x5
	li x5, 0x100000
	csrrs x6, 0x3a2, x5
	li x5, 0x20080800
	csrrw x6, 0x3ba, x5
	lw x5, 0(sp)
	li x10, 0x80101ffc
	lbu x8, 4(x10)
	li x12, 0x20000
	csrs mstatus, x12
	li x11, 0x80202004
	sw x11, 0(x11)
	li x11, 0x80202005
	sw x11, 0(x11)
	li x11, 0x800401e9
	lw x11, 0(x11)
	csrc mstatus, x12
	li sp, 0x8020203c
	lh x10, -22(sp)
	sh x3, -22(sp)
	ecall
piece2:
.option rvc
	c.nop 
.option norvc
	li x9, 0x801fffc1
	sw x8, 0(x9)
	li x11, 0x801fffc0
	sw x10, 0(x11)
	li x15, 0x801fffc0
	sb x15, 0(x15)
	li x14, 0x801fffc4
	lb x15, 4(x14)
	li x11, 0x80040003
	lh x6, 0(x11)
	li x9, 0xfffffffd
	lbu x14, 1(x9)
	li x11, 0x801fffbc
	sh x5, 0(x11)
	li x14, 0x7ffffffc
	lh x10, 1(x14)
	li x5, 0xff000000
	csrrc x6, 0x3a1, x5
	li x5, 0xd000000
	csrrs x6, 0x3a1, x5
	li x5, 0x2f8f2ac6
	csrrw x6, 0x3b7, x5
	li x8, 0x90000003
	lw x10, 0(x8)
	csrr x13, 0x3b7
	csrsi mstatus, 8
	.4byte 0
	li x15, 0x801fffbe
	sw x10, 0(x15)
	li x9, 0xfffffffd
	lw x14, -2(x9)
	li x12, 0x80201fd5
	sh x12, 0(x12)
	lw x14, -32(sp)
	sw x3, -32(sp)
	li x9, 0x801fffc7
	sb x9, 0(x9)
	csrr x14, 0x3b7
	csrr x14, 0x3a0
	li sp, 0x80202060
	ecall
piece3:
	li x5, 0x7ffffffe
	lhu x14, 1(x5)
	li x14, 0xfffffffc
	lbu x6, 1(x14)
	li x9, 0x801fffbd
	sh x9, 0(x9)
	li x5, 0x7fffffff
	lbu x14, 1(x5)
	li x6, 0x80060000
	lh x8, 1(x6)
	li x11, 0x801fffc0
	sb x10, 0(x11)
	li x5, 0x801fffbd
	sw x15, 0(x5)
	li x13, 0x1
	lw x7, -2(x13)
	csrr x10, 0x747
	lw x9, 38(sp)
	sw x3, 38(sp)
	ecall
piece4:
.option rvc
	c.nop 
.option norvc
	li x12, 0x10000000
	jr x12
	li x7, 0x80201fd9
	sw x7, 0(x7)
	li x5, 0xff0000
	csrrc x6, 0x3a2, x5
	li x5, 0x980000
	csrrs x6, 0x3a2, x5
	li x5, 0x2004087f
	csrrw x6, 0x3ba, x5
	lw x13, 0(sp)
	li x5, 0xff00
	csrrc x6, 0x3a3, x5
	li x5, 0xf00
	csrrs x6, 0x3a3, x5
	li x5, 0x73533fed
	csrrw x6, 0x3bd, x5
	li x9, 0x801023fd
	sb x9, 0(x9)
	li x10, 0x80102401
	sh x10, 0(x10)
	la x12, piece7
	jr x12
	li x5, 0xff0000
	csrrc x6, 0x3a3, x5
	li x5, 0x180000
	csrrs x6, 0x3a3, x5
	li x5, 0x2005ffff
	csrrw x6, 0x3be, x5
	li x5, 0x3
	lbu x9, -2(x5)
	li x7, 0x8017fff9
	sh x14, 0(x7)
	li x12, 0x8017fffb
	sb x12, 0(x12)
	lh x7, -26(sp)
	sh x3, -26(sp)
	li x5, 0xaeb0b64c
	csrrw x6, 0x3bc, x5
	li x5, 0xff
	csrrc x6, 0x3a3, x5
	li x5, 0x8
	csrrs x6, 0x3a3, x5
	lw x9, 0(sp)
	li x13, 0x80101ffc
	lh x14, 0(x13)
	ecall
piece5:
	li x9, 0x80102400
.option rvc
	c.lw x8, 0(x9)
	c.nop 
.option norvc
	li x15, 0x8010240b
	sw x15, 0(x15)
	li x13, 0xbac2d92e
	lbu x15, 0(x13)
	li x11, 0x80200000
	sw x9, 0(x11)
	li x5, 0x80180000
	sh x5, 0(x5)
	lw x5, -28(sp)
	sw x3, -28(sp)
	lh x9, 10(sp)
	sw x3, 10(sp)
	li x8, 0x20000
	csrs mstatus, x8
	li x5, 0x800ffffe
	lw x5, 0(x5)
	li x5, 0xfffffffc
	sw x5, 0(x5)
	csrc mstatus, x8
	li x10, 0x80102404
	sh x10, 0(x10)
	csrr x7, 0x747
	li x13, 0x8017fffb
	sb x13, 0(x13)
	la x7, piece6
	jr x7
	li x9, 0x8017fffb
	sb x9, 0(x9)
	li sp, 0x8020200c
	lh x10, 0(sp)
	sh x3, 0(sp)
	ecall
piece6:
	csrr x11, 0x3a1
	li x13, 0x80100004
	lh x12, 1(x13)
	csrr x15, 0x3a0
	csrr x10, 0x3b2
	li x14, 0x90000001
	sb x10, 0(x14)
	li x11, 0x20000
	csrs mstatus, x11
	li x10, 0x801023ff
	lw x10, 0(x10)
	li x10, 0x800ffffe
	lw x10, 0(x10)
	li x10, 0x6b78bb0a
	lw x10, 0(x10)
	csrc mstatus, x11
	li x5, 0x20040a42
	csrrw x6, 0x3be, x5
	li x5, 0xff0000
	csrrc x6, 0x3a3, x5
	li x5, 0xb0000
	csrrs x6, 0x3a3, x5
	lw x13, -26(sp)
	sh x3, -26(sp)
	li x5, 0x8010290c
	sw x5, 0(x5)
	li sp, 0x8020204c
	li x5, 0x80102908
	sh x9, 0(x5)
	ecall
piece7:
.option rvc
	c.nop 
.option norvc
	divu x11, x8, x10
	li x6, 0x80102904
	sw x6, 0(x6)
	li x7, 0x90000003
	sw x11, 0(x7)
	li x5, 0x80000003
	lw x11, 0(x5)
	li x8, 0xcd4cffb0
	lbu x14, -2(x8)
	li x14, 0x80102906
	sb x15, 0(x14)
	li x8, 0x80202003
	sw x11, 0(x8)
	li x14, 0x8003fffd
	lb x8, 1(x14)
	csrr x8, 0x747
	li x11, 0x801027e0
	lh x10, -2(x11)
	li x9, 0xcd4cffb0
.option rvc
	c.lw x8, 0(x9)
	c.nop 
.option norvc
	lh x5, 1(sp)
	sw x3, 1(sp)
	li x10, 0x20000
	csrs mstatus, x10
	li x14, 0x800401f9
	lw x14, 0(x14)
	li x14, 0x80102404
	sw x14, 0(x14)
	csrc mstatus, x10
	li x9, 0x80000000
.option rvc
	c.lw x8, 0(x9)
	c.nop 
.option norvc
	lw x5, -33(sp)
	sw x3, -33(sp)
	li x12, 0x80102904
	sw x9, 0(x12)
	li x13, 0x80102909
	sb x12, 0(x13)
	li x5, 0xff
	csrrc x6, 0x3a2, x5
	li x5, 0x6
	csrrs x6, 0x3a2, x5
	li x5, 0x20010001
	csrrw x6, 0x3b8, x5
	li x11, 0x7ffffffe
	lbu x14, 1(x11)
	li x7, 0xfffffffc
	lw x6, 4(x7)
	li x5, 0x20000
	csrs mstatus, x5
	li x9, 0x90000001
	lw x9, 0(x9)
	li x9, 0x80102907
	sw x9, 0(x9)
	li x9, 0x80102400
	sw x9, 0(x9)
	csrc mstatus, x5
	lw x10, -7(sp)
	sw x3, -7(sp)
	ecall
	.data
own:
	.skip 32
	.balign 0x2000
	.4byte 0x5f7b3f11, 0x89d188c5, 0xdd872b33, 0xbd2973f7, 0x24466271, 0x7719196f, 0xcb9fade8, 0xb467be72
	.4byte 0x3b796f3c, 0xb3e1453b, 0xf71b637f, 0xd2074a8f, 0x594d73d2, 0x9cdabc71, 0x42a3902b, 0x40157ae1
	.4byte 0x83819c42, 0xefb0c79f, 0x5c7c3dbd, 0xb42c9cf6, 0x77929099, 0x6f81fd36, 0x372395d4, 0x68a0e855
	.4byte 0x3ef646a7, 0xcfc8121d, 0xa59b0cc8, 0x711605c8, 0x5328542, 0x27df8984, 0xbf7313e7, 0x31407601
	.4byte 0xcc5971f2, 0x83a8e83f, 0xc8f024b8, 0xfd2181c6, 0x942224e0, 0x13805baf, 0x38365674, 0x7c4c19fd
	.4byte 0xe84590b1, 0x5b467d55, 0xbcb17f51, 0x3200d4e4, 0xd6aef88b, 0xb870399, 0x41cdd6c2, 0xd1fc72ae
	.4byte 0xb7e4c3e4, 0x5df544f0, 0x31e8ab92, 0x8783429d, 0xf1d6e442, 0x1d733403, 0xbd2051ec, 0xf6d67987
	.4byte 0x7eeacc20, 0x44ab30fe, 0xd5e3e2b4, 0x5e270fd8, 0x5339947, 0x2f62cf15, 0x66b17660, 0xf33c22c3
	.4byte 0x636a0f5d, 0xde765911, 0xac1bc409, 0x33ca6b9e, 0x3871d6c4, 0x1f59c2d2, 0x72a0e53b, 0x418313a9
	.4byte 0x8e80ca3d, 0xae4ad2d1, 0x926213e7, 0x95d33a06, 0xa62e82b3, 0xe5942919, 0x8c5dec8f, 0xec987709
	.4byte 0x2494aad7, 0x1732a697, 0x849cf46b, 0x9f659bf8, 0x66b6ca21, 0x2c37d969, 0x54c8f2c3, 0x829ad326
	.4byte 0x24f3e2c0, 0x7e8a48e2, 0x9543e494, 0x5575a4ec, 0x1c7d0236, 0x6a0e9f2a, 0x4fe2577a, 0x44fb6ab5
	.4byte 0xb5da5a4b, 0xbb24176d, 0x49509060, 0xe5bce752, 0x497f5802, 0x920077c4, 0x2fe9f9b3, 0xf715a616
	.4byte 0x4af533c1, 0x67b76955, 0x61d64b31, 0xa468a966, 0xb8cf5502, 0xf63ea1a1, 0x85eca384, 0xc9e4ea10
	.4byte 0x9a003037, 0xf539f1c0, 0xeb84bb95, 0x156ef9c6, 0x9f094711, 0xe219da31, 0x7c2b0dd4, 0xcc442e34
	.4byte 0x4aea66c9, 0xd5f83706, 0x9d287fc8, 0x60701c5f, 0x5ea31dda, 0xdba26d42, 0xabc511f3, 0x2d01c917
	.4byte 0xfec2f6b3, 0x4c5da9af, 0x2f3106ba, 0x59ee98ac, 0x21afe046, 0xb68280e3, 0x8e8adadd, 0x85a46ce5
	.4byte 0x2618d6bb, 0x4c26950f, 0xa010ce3a, 0xa7ec098e, 0xf5813d27, 0x98eb9aab, 0xbb048e6a, 0x430622f0
	.4byte 0x8c5a4c3e, 0x586b5c3e, 0x84b6b960, 0x475fff78, 0x7bb245fb, 0xc86a4a1b, 0x95baf3dd, 0x2bf417ff
	.4byte 0x762b86ae, 0x2d20e7ac, 0xda34b3fd, 0x96306ffb, 0x260bd13d, 0x69b266c7, 0x3bdf013, 0x767de82f
	.4byte 0x1844933e, 0x6e126339, 0x3a86449, 0x6c8dbd2a, 0x2dc9f19, 0xf9899ff3, 0xdac4c285, 0xa36677e7
	.4byte 0x95ca6d6a, 0xc55384fe, 0x9dbd3a1c, 0xef718ac3, 0xbf983feb, 0xc61aa0fe, 0x19d2d241, 0x2c1bf218
	.4byte 0x25149e7c, 0x3e6aa5db, 0x1513ce78, 0xa03c91c8, 0xaba42fbd, 0xfd837aaf, 0x849278e2, 0x560586f7
	.4byte 0x875fbbe7, 0x8e5628d4, 0xf600bee0, 0xcda0ac58, 0xe12a9dd5, 0x12551300, 0x3cbf37c2, 0x178db26e
	.4byte 0x7b6b3261, 0x5c12d88d, 0x1dca3d58, 0x323cd72f, 0x1eff5e43, 0x4a2b74be, 0x5c4d1bda, 0xab4e5fa0
	.4byte 0xf54d6dc5, 0x95eef38, 0xb15c04cf, 0xe3833cc3, 0x34ecceed, 0x1a9faf92, 0x1073863c, 0x80d32d38
	.4byte 0xb080ea20, 0xa89c8651, 0xe3e255f9, 0x354b1e14, 0xd4614ce6, 0xe2bd18c9, 0xe60169c9, 0x118c1441
	.4byte 0xd2f0afe3, 0x3031092e, 0x8f45a85d, 0x8dfcaa74, 0x61c35ebb, 0xf17fb5f8, 0xbeb4d2eb, 0x83973f71
	.4byte 0x65b34e4d, 0x7857e3c4, 0x40c1ef51, 0x5643edb6, 0xb7c385c8, 0x643b5094, 0xa0466683, 0x288c3e58
	.4byte 0x54998ea3, 0xc4189b8e, 0x5575e1ac, 0xc5fa15be, 0xe5e38ade, 0xd2921d7c, 0x8b69ee62, 0x269cb7e4
	.4byte 0x3b3570a9, 0x6fc0b289, 0x23c40f3b, 0xb779877, 0xd7de79c3, 0xca8e13e6, 0xbaf7d3a, 0x561c655e
	.4byte 0x67d7fa02, 0xae7aa2fa, 0x8a883e6e, 0x21a8c2f7, 0x10c7cfb6, 0x17647dc5, 0x936e381c, 0x8d6444f7
	.4byte 0x186086e, 0xd90f7fad, 0xe603f18e, 0xae15d84e, 0xb210b33a, 0xe8ff9a06, 0xe853dd9a, 0x447472f7
	.4byte 0xe5bae907, 0xbffff972, 0x175cf8d2, 0x103d6c31, 0x52f6d3ee, 0xadeb47bd, 0x6571b40e, 0xc2b0e6a
	.4byte 0x7907ef2e, 0x7738f935, 0x8338b023, 0x6258e9c0, 0xd7fb5e47, 0x335b2ebd, 0xcc253df7, 0xf1ebc839
	.4byte 0x5b0309aa, 0x92c2f2e7, 0x42bae226, 0xbd0255e7, 0xe64ccea5, 0x3d4daf48, 0x7638968b, 0xeca89314
	.4byte 0x859d80e9, 0x294f86ad, 0x6d26ef9d, 0x9b197641, 0x7ca0a787, 0xe7ffd2c, 0xd46087a2, 0xa55614f4
	.4byte 0x7d8d5462, 0x416343b6, 0xc001c09d, 0x9378fc40, 0xcad126f3, 0xf5a19339, 0xad3ff1ee, 0x461254cd
	.4byte 0x36e86e6a, 0x8d2f3013, 0x12cb000f, 0x52e2fec9, 0x467d98cb, 0x325d44a4, 0x328e6d90, 0xcbef839f
	.4byte 0x34863707, 0x2820588c, 0x1a1e0454, 0x3105386f, 0xa0265eb1, 0x8c4a95b0, 0xb8ac0b68, 0xf140e2c2
	.4byte 0x2fea166c, 0x133012d3, 0xd2c0a8aa, 0xa74f1bc7, 0x613e139f, 0xd6a3dba3, 0x53971cf6, 0x94e32097
	.4byte 0x74ca6245, 0xed4d3b85, 0xb15ef1fc, 0x366380c3, 0xbafc4864, 0xb01b4d72, 0x5d497a29, 0x8ed45c21
	.4byte 0x553e6d53, 0xeb85daf5, 0x8bd927f6, 0x5e6e85c, 0xf8b54245, 0x158a1807, 0xd880e680, 0x42029f82
	.4byte 0xe0173f8e, 0x9a313d46, 0x8c858b10, 0x6778eea8, 0xc58edea4, 0xd042d632, 0x121d247e, 0xc71b8acf
	.4byte 0x3201e040, 0x1176427a, 0xb890b90b, 0xca6bffe9, 0xf045ae16, 0x4e04cf6c, 0xc06a5e92, 0x7712d14a
	.4byte 0xe9f63ac7, 0xdcf4d735, 0x657223, 0x57bc5d74, 0xce8cd79e, 0x4d8f811b, 0x73dfab68, 0xfe866690
	.4byte 0xa96322d5, 0x30d5266a, 0x8f461f0e, 0x2e9b585, 0x838a388d, 0xb0ab539d, 0x55446732, 0x470aaf01
	.4byte 0x2069124b, 0xfb99059b, 0xfcf0abd, 0x5ad4c641, 0xd7a4e0bd, 0xe5a2b9c7, 0x7dab79c5, 0xc6cf29d4
	.4byte 0x75c01d68, 0xa4cda91d, 0x9ea33bad, 0x2ea2ff61, 0x7cf666b9, 0x9b64233a, 0x39435a78, 0x3118271d
	.4byte 0xbce4b6c1, 0xb6f69abf, 0x3101225e, 0x3da7f494, 0x31ec4ef0, 0x83f4994a, 0xb4c09319, 0x8373f38b
	.4byte 0xfcd33f26, 0x39aa9e7d, 0x68a4b948, 0x6b37058d, 0x44dab4a2, 0xdeae8414, 0xa3e704d8, 0x2506fb3d
	.4byte 0x9896405a, 0xb187dd66, 0xdcf7b195, 0x19d5ede9, 0x3582ecf, 0xd8ec9d18, 0x32ada0c8, 0x96def68b
	.4byte 0x65a628d1, 0xbafc2b94, 0x6cb0754a, 0xc5ba80b2, 0xbcaf5dae, 0x822638d1, 0x2c290f84, 0xa55ebd26
	.4byte 0xa879f5f8, 0xfaf52cda, 0x8f12676, 0x4f489f32, 0x615365d9, 0xfa4c4a8a, 0x2433ea81, 0x2477ed7c
	.4byte 0xf05ffa47, 0xb156580c, 0xb76f1471, 0xdb0677ce, 0xd8174196, 0x2b358821, 0xe86cf039, 0x653d18e5
	.4byte 0xe1885865, 0xe3ca6d4, 0xcc43a6b5, 0x77dd73c9, 0x52e31635, 0x1ff82689, 0x8c5f5f9e, 0xd4c0e67f
	.4byte 0x800a5e33, 0xd84a6ff2, 0xa63fb082, 0x81de51a2, 0xeef0c41b, 0x8584e9d, 0xdc9d8bdb, 0x580509dc
	.4byte 0x1814bb2, 0xd86205d0, 0xea0b8854, 0x67b95bf2, 0xab6cfc11, 0x5d455559, 0x2ee6863b, 0x29741ca3
	.4byte 0x37acbce3, 0x10d7e335, 0xfac97d27, 0x4e95ccf8, 0x669806a, 0x36377e18, 0x7947c2f4, 0x4b2c0852
	.4byte 0x4182aa3f, 0x365b52b7, 0xcae3c74e, 0x14afeb80, 0x875db43f, 0xe2302e66, 0x3ddc5c77, 0xab065a96
	.4byte 0xd39dcad6, 0xffb4746, 0x99162b4d, 0x3e5df8de, 0xff641ead, 0x1d1939cd, 0xd8055de0, 0x82770fad
	.4byte 0xdc1b7d8, 0x7e0704c5, 0xa0c06ed4, 0x87fa5cc8, 0xcaf5d73f, 0x4040dae5, 0xf782e45c, 0x55b60596
	.4byte 0xc5479c4c, 0xf16a5f77, 0x6c8e4d32, 0x8c48c3f, 0x786fac34, 0x5f59a0d2, 0xf217140e, 0x48a51ecd
	.4byte 0xe8a57f95, 0x4a06ef02, 0xcd5bf97a, 0xdd617919, 0x970e0be, 0x10cd26df, 0x668bda19, 0xe43da9b0
	.4byte 0xee520f06, 0x8cd580b1, 0xf0e174b3, 0x21ca77d3, 0x98d39746, 0x11d6562b, 0x67b87c74, 0xb62bfcb7
	.4byte 0x6a5197ff, 0x7611df8f, 0x90c3a540, 0x47940072, 0xae15c97d, 0xcb024d09, 0xa9e2c036, 0xe6b43ed4
	.4byte 0xda85446, 0x95ae996e, 0x35ee7310, 0xb1425989, 0x36948b61, 0x17ad63b5, 0xe45852b2, 0x93b1a4f9
	.4byte 0x4f2376aa, 0x328be8fb, 0x6b214e16, 0x3d9ad6a9, 0xa300b119, 0xc3c1c2b3, 0xa566d746, 0x3c466af9
	.4byte 0x90f97e58, 0xf8b2e295, 0x6383b0bd, 0xe949e677, 0xd565af09, 0xf78ab3b4, 0x7db53ebf, 0xb5ca262e
	.4byte 0x5fea7f4b, 0x8cce6a2b, 0x6cc5696f, 0xa8275da1, 0xac509f8e, 0xdbb47b66, 0xfad75e1b, 0xa89f7d49
	.4byte 0x51124198, 0xa794cf54, 0x83981bc1, 0xee25d5b2, 0x6d547272, 0x93866bdc, 0x5b5dac91, 0x17cdc66
	.4byte 0x89e103e0, 0x9866fbd, 0xd103365d, 0x56f670c8, 0x816f6a43, 0xf657381a, 0xcd9e9d20, 0x79416278
	.4byte 0xc3510b59, 0xc916974e, 0xc9a95982, 0xecfa6c01, 0x3b803af5, 0xc07bad6a, 0x8448ca8c, 0xab5c9fc7
	.4byte 0x9e1ddf24, 0x4882d722, 0x8e7f7529, 0x2f5a5611, 0xd20adc44, 0xd32ebdb9, 0x863501f3, 0x6867d5cc
	.4byte 0xbfd4c6f7, 0x53c59694, 0x9c3721fe, 0x91498b, 0xab2d44ae, 0xf2eb40ef, 0x5b3d8174, 0x49a828c
	.4byte 0x7db23487, 0x3b75e05b, 0x4094922d, 0x714d61a2, 0xa6fc9ef7, 0x13050cb0, 0xc66702b1, 0xd650c50f
	.4byte 0x17e83a11, 0x6035f8e3, 0xa70e8bea, 0x76b67420, 0x88de01f0, 0x83a94c8b, 0x7ef6752c, 0x90eb35cf
	.4byte 0x94b69b34, 0xdec62472, 0xa0cb329a, 0xcc37bfb0, 0x8967a926, 0x9e7032f, 0xc0ca8555, 0xdcbaf002
	.4byte 0xca12522b, 0x2c52fadd, 0x2747acd1, 0x486a7fb8, 0x57060fc2, 0x2c980600, 0x8df48d48, 0xad0e46a6
	.4byte 0x322c5b15, 0xe24b62e6, 0xe949a3e0, 0xf5977cd3, 0x788e060e, 0xad666d70, 0xfbfc5911, 0x1fc2df38
	.4byte 0xbc52c6ce, 0xea767e66, 0x7ccdc9b1, 0x76d017f2, 0xf5ee2bf2, 0x49116065, 0x985006ff, 0x840a338a
	.4byte 0x3e3c8ba9, 0x7d8a35f2, 0x10e10886, 0x6b0186a1, 0xf6eed325, 0x73095f1c, 0xa8717add, 0x9b5ec328
	.4byte 0x810d27e, 0x427ad951, 0xbc1a89, 0xff615435, 0x6dd2b89, 0x74f234ea, 0xad5950ae, 0x58b049a6
	.4byte 0x4a2024f, 0xd3aebefe, 0xdf999637, 0xc4f2aae2, 0x6373613b, 0x85268ebd, 0x7880927f, 0x78a19ba2
	.4byte 0x3da413d1, 0x31b35b11, 0xdc1bfdfe, 0x4091fa87, 0xa3269d46, 0xf18cb33c, 0xc1f6ba78, 0xe241ca7a
	.4byte 0xa02f5423, 0x49e53463, 0x3f80a855, 0xc5e2966f, 0x68d58f92, 0x79786a6e, 0x65bb803d, 0x44af58ab
	.4byte 0x9542a457, 0xc6082a47, 0xaf9782e4, 0x890d9e6e, 0x43dd813c, 0xd0589ac3, 0x97f42b04, 0xd5a1505f
	.4byte 0xfe6f9526, 0x47abab30, 0x3a0bc722, 0xc3ac4661, 0xca9478ba, 0x835c83a4, 0x72a8fdd6, 0x5ad47b6d
	.4byte 0x74c2fbfe, 0x43ab784c, 0x21153ca, 0xfcd01c8a, 0x59b49c, 0xfff1c805, 0xa90f1183, 0x230d7400
	.4byte 0x9acc6398, 0xae2dd188, 0x7d5e71b6, 0xf3e76285, 0xbf803e30, 0x53d950d3, 0x5975966e, 0x3d95bc39
	.4byte 0x21e9b75d, 0xf9987e89, 0x36475f34, 0x52e0fc82, 0x827b3b11, 0xfa52a1e1, 0x7197de0b, 0xd78f9f3b
	.4byte 0xd8b1c03d, 0x53f2919c, 0x3b238a5b, 0xe6db789b, 0x8c654c44, 0xfb777d07, 0xa26cdf5, 0x961dc1fe
	.4byte 0x2c1aee2d, 0x7a64c098, 0x3515e6f4, 0x61aa8851, 0xb78c72fc, 0x6b963bc8, 0xcd6cfe61, 0x3d62b8d3
	.4byte 0x9ab9bc85, 0x2c46624a, 0x1e43e44c, 0xf259fd0d, 0x3b2a8994, 0x7f6b43ab, 0x75e60d4c, 0x4e012070
	.4byte 0x5ea54c75, 0xa9a2ce54, 0x68c5471, 0x40d49a4f, 0x2f1591a1, 0x824c5f87, 0xd2b306b3, 0xd5b7b177
	.4byte 0xb45709c8, 0xa92d3f70, 0xd75a98b9, 0x72d0003, 0x7178220f, 0xace32773, 0xe91a0398, 0xc9b7d420
	.4byte 0xee6f65ca, 0xa886a958, 0x2329bf3, 0x58ef0416, 0xab9a3f56, 0x6d8ad4a6, 0xcaf9a09a, 0xb34ce758
	.4byte 0xe611f8a0, 0x7983210a, 0xe3952b42, 0x36af51cc, 0xe72a958, 0xd389568b, 0xae15caf5, 0xd403a2cd
	.4byte 0xd89d9ffb, 0xf37366e3, 0xee7e4afc, 0x9b8a4ac, 0xe7544bec, 0x9b58bfa2, 0xdc49bb36, 0xa72760e2
	.4byte 0x98ffdb57, 0xbddd6748, 0xbb1639a, 0x6da3c6ff, 0x432769a9, 0x5f475296, 0x84932817, 0x8f4e9b5e
	.4byte 0x44fb4b5, 0x493fc1df, 0x638bbca0, 0x798e7244, 0x5e2641a5, 0xa0031e8b, 0xe89df923, 0x2c89fe2f
	.4byte 0x41552d88, 0x5560e776, 0xd03557cc, 0x534dfb7f, 0x5a12c845, 0x791c188e, 0x989de166, 0x25597b0d
	.4byte 0x672a6275, 0x1212316f, 0x977befdb, 0xf39bd153, 0x6c45276e, 0x7d3b8f99, 0xf0fa33e8, 0x6e6e217
	.4byte 0xa9308c27, 0xf0324eb2, 0xd1cff75, 0xde810820, 0xdc8d607f, 0x209a9677, 0xc5af8b1c, 0x2e8cdfeb
	.4byte 0xffb3a96f, 0xa4839981, 0xaa3ff59, 0x75203695, 0x54227c55, 0xf591d260, 0x7d387652, 0x2746c730
	.4byte 0x3df1a90c, 0xa6d032aa, 0x1ff8e707, 0x330d839, 0x86b2bf7c, 0xb775cd1f, 0xbd4b4925, 0x31a9918c
	.4byte 0x4552baaa, 0xfb17d91b, 0x3e683d25, 0xc9558ae6, 0xfea90e2e, 0xdf1d4447, 0x62ef86ad, 0x76d65e7d
	.4byte 0x50866c43, 0x8ec5bef5, 0x89436dd5, 0x280cedce, 0xf9bc04f7, 0x406496be, 0xa6a307ff, 0xb9069b2
	.4byte 0xd4278e95, 0x86663512, 0xa13cc01b, 0x912ae68a, 0x9637d5dd, 0x213be02d, 0xdfe21192, 0xc9475daa
	.4byte 0xa38f4770, 0x412f0fc6, 0xee569c5a, 0x2842084, 0x7f270c57, 0x11b51770, 0x53dad2c0, 0xf3f6f7a4
	.4byte 0x726d8232, 0xf11c5c48, 0x6a04565b, 0xe74fcbf6, 0xe8b90fbd, 0x8d5cabb6, 0xab330854, 0x1537aa4e
	.4byte 0x810336d9, 0xf04b8d61, 0x71662f05, 0x863d3581, 0x12a8291c, 0x5a473569, 0x51f2845b, 0xd58e18ba
	.4byte 0xbdeeee32, 0x261dd4ee, 0xd56748b1, 0x28e7ef1d, 0x39cef0fb, 0xa77e59d8, 0x388c2e61, 0x9cf290cf
	.4byte 0xf008edb6, 0x17b403e5, 0xba411d9, 0x80e3bf42, 0x4b37c01a, 0x27af8a9c, 0x834e0b12, 0x6ed5ea1c
	.4byte 0x5c9f4da1, 0x283a097e, 0x4d5af355, 0xcdc632a8, 0x5de9ff26, 0xcef3ef60, 0xb304c67c, 0x4f1947cd
	.4byte 0xcd084de0, 0x3ee9fc4d, 0x70cde582, 0x4156010b, 0xfa4d6721, 0x1099fddf, 0xe7b2c8cb, 0x21cc0784
	.4byte 0x2f4f750c, 0x82ff9b94, 0xcc94c2cc, 0x2fdb7c92, 0x665c2ca1, 0x9a0dfcdd, 0x90195343, 0xa8465f41
	.4byte 0xd35f1e25, 0xbde40110, 0x73cef3a7, 0x3ae48987, 0xe6d0b066, 0x7cc7c6f8, 0xe496f9d9, 0x3515a297
	.4byte 0x6583a6c3, 0x2073c2a2, 0x4f20e9d7, 0xadc8e5bd, 0x4e2b84a0, 0x5952e438, 0x5eff71f, 0xe74eb56e
	.4byte 0x41893afc, 0x5ae2f2c3, 0x8cd7eec9, 0x2b240e3c, 0x3d626782, 0xd5e98f0, 0xa301e66e, 0x3f283e6
	.4byte 0xd18082b0, 0x8755f960, 0x4d22dd6, 0x7fc589a7, 0xdb3a9f3d, 0xa3c25658, 0x5bd65486, 0xf767a1c3
	.4byte 0x98f4fa75, 0xc31805a4, 0x503c50f6, 0xa432404d, 0x3408c881, 0x81614fb8, 0xf96e4204, 0x232049f6
	.4byte 0xb4197ba4, 0xb640cabb, 0x3a457251, 0xf1fe8f60, 0xf92c7808, 0x8284b77e, 0x3b9ec35a, 0xdf1a817f
	.4byte 0x1a99dcff, 0x26425b5b, 0x858050be, 0xb7a38322, 0x434ed0d4, 0x7ee7f990, 0x4ae053a8, 0x2162b30f
	.4byte 0xd9414fbd, 0xab5e18a6, 0x35be5c7d, 0x617973f8, 0xa7b38dc7, 0x69d080fa, 0x103f8cca, 0x5a276f18
	.4byte 0x3051232e, 0x72d55bb6, 0x852bbfbb, 0x34f6f3b3, 0x189b70db, 0x14b1ac1c, 0x718420bc, 0xdd094cc3
	.4byte 0xab195471, 0xa6df6785, 0x44c2ecd9, 0x66d238e3, 0x2f36de8a, 0x4dd0154a, 0x7562daf7, 0x2caf9ca7
	.4byte 0x855c766b, 0x3419c6e4, 0x24f435e1, 0x28e6039d, 0x96607cbc, 0x3774ceb6, 0x84ff60c3, 0x55153de5
