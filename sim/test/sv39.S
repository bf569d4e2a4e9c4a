# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#
# Supervisor mode and Sv39: every kind of access to a page with every set of rights, from S and U mode; faults of the page
# table itself; accesses in two pages; delegation, returns, and what mstatus lets trap; changed mappings. Prints what it
# observes. test_rv64.py runs it on the model and on QEMU's `virt` board.
#
# Addresses: 0x80000000 is itself, for S mode; the same for U mode is at ALIAS; pages of 4 KiB from PAGES on.
  .equ UART, 0x10000000
  .equ FINISHER, 0x100000
  .equ ALIAS, 0x40200000 - 0x80000000
  .equ PAGES, 0x40000000
  .equ V, 1
  .equ R, 2
  .equ W, 4
  .equ X, 8
  .equ U, 16
  .equ A, 64
  .equ D, 128
  .equ TO_U, 0
  .equ TO_S, 0x800
  .equ SUM, 1 << 18
  .equ MXR, 1 << 19
  .equ MPRV, 1 << 17

  .option norvc
  .option norelax
  .globl _start
_start:
  la   sp, stack_top
# Firmware opens all memory where there are rows of protection.
  la   t0, 1f
  csrw mtvec, t0
  li   t0, -1
  csrw pmpaddr0, t0
  li   t0, 0x1f
  csrw pmpcfg0, t0
  .balign 4
1:
  la   t0, machine_handler
  csrw mtvec, t0
  la   t0, supervisor_handler
  csrw stvec, t0

# The page table. An entry: \index of table \table leads to \place with \flags.
  .macro entry table, index, place, flags
  la   t0, \place
  srli t0, t0, 12
  slli t0, t0, 10
  ori  t0, t0, \flags
  la   t1, \table + 8 * (\index)
  sd   t0, 0(t1)
  .endm
  .macro raw table, index, value
  li   t0, \value
  la   t1, \table + 8 * (\index)
  sd   t0, 0(t1)
  .endm
  raw   root, 2, (0x80000 << 10) | V | R | W | X | A | D
  entry root, 1, middle, V
  entry middle, 0, leaves, V
  raw   middle, 1, (0x80000 << 10) | V | R | W | X | U | A | D

# satp: a mode that there is not changes nothing.
  la   t0, root
  srli t0, t0, 12
  li   t1, 8 << 60
  or   s0, t0, t1
  csrw satp, s0
  li   t1, 15 << 60
  csrw satp, t1
  csrr a0, satp
  la   t0, root
  srli t0, t0, 12
  sub  a0, a0, t0
  call print
  sfence.vma

# Runs \body in \mode with a0 = \address, and prints what show prints.
  .macro attempt mode, address, body
  li   s10, \mode
  li   a0, \address
  la   a3, \body
  call trial
  call show
  .endm
  .macro fence
  sfence.vma
  .endm

# --- every set of rights
  .macro all_rights mode, set
  li   s10, \mode
  li   s7, 0
1:
  li   s6, 0
  .irp body, load, store, amo, reserve, fetch
  la   t0, page_a
  srli t0, t0, 2
  or   t0, t0, s7
  la   t1, leaves + 8 * 3
  sd   t0, 0(t1)
  sfence.vma
  li   t0, SUM | MXR
  csrc mstatus, t0
  li   t0, \set
  csrs mstatus, t0
  li   a0, PAGES + 0x3000
  la   a3, \body
  call trial
  .ifc \body, amo
  call judge_amo
  .endif
  slli s6, s6, 5
  or   s6, s6, s2
  la   t1, leaves + 8 * 3
  ld   t0, 0(t1)
  andi t0, t0, A | D
  srli t0, t0, 6
  slli s6, s6, 2
  or   s6, s6, t0
  .endr
  mv   a0, s6
  call print
  addi s7, s7, 1
  li   t0, 256
  bne  s7, t0, 1b
  .endm
  all_rights TO_S, 0
  all_rights TO_S, SUM
  all_rights TO_S, MXR
  all_rights TO_S, SUM | MXR
  all_rights TO_U, 0
  all_rights TO_U, MXR
  li   t0, SUM | MXR
  csrc mstatus, t0

# --- the page table itself
  .macro each_access address
  attempt TO_S, \address, load
  attempt TO_S, \address, store
  attempt TO_S, \address, fetch
  .endm
  each_access 0x4000000000
  each_access 0xffffffbfffffff00
  each_access 0x8000000080000000
  each_access 0xffffffc000000000
  .equ ALL, V | R | W | X | A | D
  raw  root, 3, (0x80001 << 10) | ALL
  each_access 0xc0000000
  raw  middle, 2, (0x80001 << 10) | ALL
  fence
  each_access 0x40400000
  .irp bits, U, A, D
  entry middle, 2, leaves, V | \bits
  fence
  each_access 0x40403000
  .endr
  entry leaves, 4, page_a, V
  fence
  each_access PAGES + 0x4000
  .irp bit, 54, 55, 58, 60, 61, 62, 63
  entry leaves, 4, page_a, ALL
  li   t2, 1 << \bit
  or   t0, t0, t2
  sd   t0, 0(t1)
  fence
  each_access PAGES + 0x4000
  .endr
  .irp bit, 5, 8, 9
  entry leaves, 4, page_a, ALL
  li   t2, 1 << \bit
  or   t0, t0, t2
  sd   t0, 0(t1)
  fence
  each_access PAGES + 0x4000
  .endr
# A page where there is nothing.
  raw  leaves, 4, (0x7000000 << 10) | ALL
  fence
  attempt TO_S, PAGES + 0x4000, load
  attempt TO_S, PAGES + 0x4000, store
  attempt TO_S, PAGES + 0x4000, fetch

# --- accesses in two pages, of which both are there, the first or the second is not
  .macro two first, second
  entry leaves, 5, page_a, \first
  entry leaves, 6, page_b, \second
  fence
  .irp body, load_unaligned, store_unaligned
  attempt TO_S, PAGES + 0x5ffc, \body
  attempt TO_S, PAGES + 0x5ff9, \body
  attempt TO_S, PAGES + 0x5fff, \body
  .endr
  la   t0, page_a + 0xff8
  ld   a0, 0(t0)
  call print
  la   t0, page_b
  ld   a0, 0(t0)
  call print
  la   t0, leaves
  ld   a0, 0x28(t0)
  andi a0, a0, 0xff
  call print
  la   t0, leaves
  ld   a0, 0x30(t0)
  andi a0, a0, 0xff
  call print
  .endm
  two  V | R | W, V | R | W
  two  V | R | W | A, V | R | A
  two  V | R | W, 0
  two  0, V | R | W
# An instruction of which one half is in each page: addi a1, a1, 7, and ecall behind it.
  .macro straddling first, second
  la   t0, page_a + 0xffe
  li   t1, 0x8593
  sh   t1, 0(t0)
  la   t0, page_b
  li   t1, 0x0075
  sh   t1, 0(t0)
  li   t1, 0x0073
  sw   t1, 2(t0)
  fence.i
  entry leaves, 5, page_a, \first
  entry leaves, 6, page_b, \second
  fence
  li   a1, 0
  attempt TO_S, PAGES + 0x5ffe, fetch
  .endm
  straddling V | R | X, V | R | X
  straddling V | R | X, V | R
  straddling V | R | X, 0
  straddling 0, V | R | X
  straddling V | R | X, V | X | U

# --- a changed mapping: data, then code; with sfence.vma of one address and of all
  .macro changed fences
  entry leaves, 7, page_a, ALL
  fence
  la   t0, page_a
  li   t1, 0x111
  sd   t1, 64(t0)
  la   t0, page_b
  li   t1, 0x222
  sd   t1, 64(t0)
  attempt TO_S, PAGES + 0x7000, load
  entry leaves, 7, page_b, ALL
  li   a0, PAGES + 0x7000
  \fences
  attempt TO_S, PAGES + 0x7000, load
  la   t0, page_a
  li   t1, 0x00158593
  sw   t1, 0(t0)
  li   t1, 0x00000073
  sw   t1, 4(t0)
  la   t0, page_b
  li   t1, 0x00258593
  sw   t1, 0(t0)
  li   t1, 0x00000073
  sw   t1, 4(t0)
  fence.i
  li   a1, 0
  attempt TO_S, PAGES + 0x7000, fetch
  entry leaves, 7, page_a, ALL
  li   a0, PAGES + 0x7000
  \fences
  li   a1, 0
  attempt TO_S, PAGES + 0x7000, fetch
  la   t0, page_a
  li   t1, 0x00358593
  sw   t1, 0(t0)
  fence.i
  li   a1, 0
  attempt TO_S, PAGES + 0x7000, fetch
  .endm
  changed "sfence.vma"
  changed "sfence.vma a0, x0"
  changed "csrw satp, x0; csrw satp, s0; sfence.vma x0, x0"

# --- MPRV: loads and stores of machine mode with another one's privilege
  entry leaves, 8, page_a, V | R | W | A | D
  entry leaves, 9, page_a, V | R | W | U | A | D
  entry leaves, 10, page_a, V | X | A | D
  fence
  .macro with_mprv mode, set, address
  li   t0, 0x1800 | SUM | MXR
  csrc mstatus, t0
  li   t0, \mode | \set | MPRV
  li   a0, \address
  li   a1, 0x77
  la   s11, 1f
  csrs mstatus, t0
  ld   a1, 64(a0)
  sd   a1, 72(a0)
  li   t0, MPRV
  csrc mstatus, t0
  li   s2, 0x3e
1:
  li   t0, MPRV
  csrc mstatus, t0
  call show
  .endm
  .irp page, 0x8000, 0x9000, 0xa000, 0xb000
  with_mprv TO_S, 0, PAGES + \page
  with_mprv TO_S, SUM, PAGES + \page
  with_mprv TO_S, MXR, PAGES + \page
  with_mprv TO_U, 0, PAGES + \page
  with_mprv TO_U, MXR, PAGES + \page
  .endr
  with_mprv 0x1800, 0, 0x80020000
  li   t0, 0x1800 | SUM | MXR
  csrc mstatus, t0

# --- SUM, changed by S mode itself
  attempt TO_S, PAGES + 0x9000, with_and_without_sum

# --- what is illegal, and what mstatus makes so
  .macro privileged
  .irp body, sret_here, sfence_here, read_satp, write_satp, wait_here, mret_here, read_mstatus, read_time, read_cycle
  attempt TO_S, 0, \body
  attempt TO_U, 0, \body
  .endr
  .endm
  csrw mcounteren, x0
  csrw scounteren, x0
  csrwi mie, 2
  csrwi mip, 2
  privileged
  li   t0, 7 << 20
  csrs mstatus, t0
  privileged
  li   t0, 7 << 20
  csrc mstatus, t0
  csrwi mcounteren, 7
  attempt TO_S, 0, read_quietly
  attempt TO_U, 0, read_quietly
  csrwi scounteren, 7
  attempt TO_U, 0, read_quietly
  csrwi mie, 0
  csrwi mip, 0

# --- delegation of exceptions, and sret
  li   t0, (1 << 8) | (1 << 12) | (1 << 13) | (1 << 15) | (1 << 2) | (1 << 3)
  csrw medeleg, t0
  .irp body, load, store, fetch, illegal_here, break_here, call_here
  attempt TO_S, PAGES + 0xb000, \body
  attempt TO_U, PAGES + 0xb000, \body
  .endr
  csrr a0, medeleg
  call print
  csrw medeleg, x0
  attempt TO_S, 0, return_to_user
  attempt TO_S, 0, return_to_supervisor

# --- interrupts (of several QEMU 7.2 takes the one with the lowest number): pending in each of the ways, delegated or not, enabled or not
  .macro interrupts mode, status, delegated, enabled, pending
  csrw mip, x0
  li   t0, \delegated
  csrw mideleg, t0
  li   t0, \enabled
  csrw mie, t0
  li   t0, 0x18a
  csrc mstatus, t0
  li   t0, \status
  csrs mstatus, t0
  li   t0, \pending
  csrw mip, t0
  attempt \mode, 0, call_here
  csrr a0, sip
  call print
  csrr a0, sie
  call print
  csrr a0, mip
  andi a0, a0, 0x222
  call print
  .endm
  .irp mode, TO_S, TO_U
  .irp delegated, 0, 2, 0x222
  .irp status, 0, 2
  .irp pending, 2, 0x20, 0x200, 0x22
  interrupts \mode, \status, \delegated, 0x222, \pending
  .endr
  .endr
  interrupts \mode, 2, \delegated, 0x20, 0x222
  interrupts \mode, 2, \delegated, 0, 0x222
  .endr
  .endr
  la   t0, supervisor_vectors + 1
  csrw stvec, t0
  interrupts TO_S, 2, 0x222, 0x222, 2
  interrupts TO_S, 2, 0x222, 0x222, 0x20
  interrupts TO_S, 2, 0x222, 0x222, 0x22
  csrw mie, x0
  csrw mip, x0

# --- registers and their views
  li   t0, -1
  csrw mideleg, x0
  csrw sie, t0
  csrr a0, sie
  call print
  csrr a0, mie
  call print
  li   t0, 0x222
  csrw mideleg, t0
  csrw sie, t0
  csrr a0, mie
  call print
  csrw sip, t0
  csrr a0, mip
  andi a0, a0, 0x222
  call print
  csrwi mip, 0
  csrw mie, x0
  li   t0, -1
  li   t1, 0x7e79aa
  csrc mstatus, t1
  li   t1, 0xc0122
  csrs sstatus, t1
  csrr a0, mstatus
  call print
  csrr a0, sstatus
  call print
  csrc sstatus, t1
  csrr a0, sstatus
  call print
  li   t1, 0x700000
  csrs mstatus, t1
  csrr a0, sstatus
  call print
  csrr a0, mstatus
  call print
  csrc mstatus, t1
  li   t0, -2
  csrw sepc, t0
  csrr a0, sepc
  call print
  csrw stval, t0
  csrr a0, stval
  call print
  csrw sscratch, t0
  csrr a0, sscratch
  call print
  csrr a0, misa
  srli a0, a0, 18
  andi a0, a0, 1
  call print

  li   t0, FINISHER
  li   t1, 0x5555
  sw   t1, 0(t0)
  j    .
#include "sv39_kit.S"
