# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#
# What sv39.S is made of: attempts in each mode, trap handlers, printing, page tables. Included at its end.

# --- what attempts do
load:
  ld   a1, 64(a0)
  ecall
store:
  sd   a1, 64(a0)
  ecall
amo:
  addi a2, a0, 64
  amoadd.d a1, a1, (a2)
  ecall
reserve:
  addi a2, a0, 64
  lr.d a1, (a2)
  ecall
fetch:
  jr   a0
load_unaligned:
  ld   a1, 0(a0)
  ecall
store_unaligned:
  li   a1, 0x0102030405060708
  sd   a1, 0(a0)
  ecall
with_and_without_sum:
  li   t0, SUM
  csrs sstatus, t0
  ld   a1, 64(a0)
  csrc sstatus, t0
  ld   a1, 64(a0)
  ecall
sret_here:
  sret
sfence_here:
  sfence.vma
  ecall
read_satp:
  csrr t0, satp
  ecall
write_satp:
  csrw satp, s0
  ecall
wait_here:
  wfi
  ecall
mret_here:
  mret
read_mstatus:
  csrr t0, mstatus
  ecall
read_time:
  csrr t0, time
  ecall
read_cycle:
  csrr t0, cycle
  ecall
read_quietly:
  csrr t0, cycle
  csrr t0, time
  csrr t0, instret
  ecall
illegal_here:
  .word 0xffffffff
break_here:
  ebreak
call_here:
  ecall
return_to_user:
  la   t0, call_here
  li   t1, ALIAS
  add  t0, t0, t1
  csrw sepc, t0
  li   t0, 0x122
  csrc sstatus, t0
  li   t0, 0x20
  csrs sstatus, t0
  sret
return_to_supervisor:
  la   t0, call_here
  csrw sepc, t0
  li   t0, 0x122
  csrc sstatus, t0
  li   t0, 0x100
  csrs sstatus, t0
  sret

# Goes to a3 in the mode of s10, and comes back by a trap.
trial:
  mv   s8, ra
  la   s11, 1f
  li   t0, 0x1800
  csrc mstatus, t0
  csrs mstatus, s10
  bnez s10, 2f
  li   t0, ALIAS
  add  a3, a3, t0
2:
  csrw mepc, a3
  li   s4, 0
  li   s5, 0
  mret
1:
  mv   ra, s8
  ret

# QEMU 7.2 looks at an AMO as a load before it does as a store: A may be set, and the cause that of a load. Where it fails
# this is not held against anybody.
judge_amo:
  li   t0, 13
  beq  s2, t0, 1f
  li   t0, 15
  bne  s2, t0, 2f
1:
  li   s2, 15
  la   t1, leaves + 8 * 3
  sd   x0, 0(t1)
2:
  ret

  .balign 4
machine_handler:
  csrr s2, mcause
  csrr s3, mtval
  jr   s11

# Leaves what it sees in s4, s5, a1, and calls machine mode.
  .balign 4
supervisor_handler:
  csrr s4, scause
  csrr s5, stval
  csrr a1, sepc
  csrr a2, sstatus
  xor  a1, a1, a2
  ecall
  .balign 64
supervisor_vectors:
  .rept 16
  j    supervisor_handler
  .endr

# Prints cause, value, address and some of mstatus of the last trap into M mode; cause and value that the handler of S mode
# has seen; a1.
show:
  mv   s9, ra
  mv   a0, s2
  call print
  mv   a0, s3
  call print
  csrr a0, mepc
  call print
  csrr a0, mstatus
  li   t0, 0x7e19aa
  and  a0, a0, t0
  call print
  mv   a0, s4
  call print
  mv   a0, s5
  call print
  mv   a0, a1
  call print
  jr   s9

# a0 as 16 digits and a new line.
print:
  li   t0, UART
  li   t1, 64
1:
  addi t1, t1, -4
  srl  t2, a0, t1
  andi t2, t2, 15
  sltiu t3, t2, 10
  addi t2, t2, 'a' - 10
  beqz t3, 2f
  addi t2, t2, '0' - 'a' + 10
2:
  sb   t2, 0(t0)
  bnez t1, 1b
  li   t2, '\n'
  sb   t2, 0(t0)
  ret

  .balign 4096
root:
  .zero 4096
middle:
  .zero 4096
leaves:
  .zero 4096
page_a:
  .word 0x00000073
  .zero 4092
page_b:
  .word 0x00000073
  .zero 4092
  .zero 1024
stack_top:
  .zero 1024
