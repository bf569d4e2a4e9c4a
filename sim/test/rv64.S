# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#
# Every instruction that RV64 adds to RV32 or changes, on operands at the edges, and A on words and double words. Prints a
# checksum of each instruction's results, and each result of an atomic one. test_rv64.py runs it on the model and on QEMU's
# `virt` board, whose UART and finisher are where ours are.
  .equ UART, 0x10000000
  .equ FINISHER, 0x100000

  .option norvc
  .option norelax
  .globl _start
_start:
  la   sp, stack_top
  la   s0, operands
  la   s1, operands_end

# Runs `insns` with a1, a2 over all pairs of operands; sums the results in s2.
  .macro pairs insns
  li   s2, 0
  mv   s3, s0
1:
  mv   s4, s0
2:
  ld   a1, 0(s3)
  ld   a2, 0(s4)
  \insns
  slli t0, s2, 13
  srli t1, s2, 51
  or   s2, t0, t1
  xor  s2, s2, a0
  add  s2, s2, a0
  addi s4, s4, 8
  bne  s4, s1, 2b
  addi s3, s3, 8
  bne  s3, s1, 1b
  mv   a0, s2
  call print
  .endm

  .macro each_of group:vararg
  .irp op, \group
  pairs "\op a0, a1, a2"
  .endr
  .endm
  each_of add, sub, sll, slt, sltu, xor, srl, sra, or, and
  each_of addw, subw, sllw, srlw, sraw
  each_of mul, mulh, mulhsu, mulhu, div, divu, rem, remu
  each_of mulw, divw, divuw, remw, remuw
  each_of sh1add, sh2add, sh3add, add.uw, sh1add.uw, sh2add.uw, sh3add.uw
  each_of andn, orn, xnor, max, maxu, min, minu, rol, ror, rolw, rorw
  each_of bclr, bext, binv, bset
  .irp op, clz, ctz, cpop, clzw, cpopw, sext.b, sext.h, zext.h, orc.b, rev8
  pairs "\op a0, a1"
  .endr
  # QEMU 7.2 counts on in the upper half where the lower one is zero.
  pairs "ori a0, a1, 64; ctzw a0, a0"
  .irp op, slli, srli, srai, rori, slli.uw, bclri, bexti, binvi, bseti
  .irp amount, 0, 1, 31, 32, 33, 63
  pairs "\op a0, a1, \amount"
  .endr
  .endr
  .irp op, slliw, srliw, sraiw, roriw
  .irp amount, 0, 1, 31
  pairs "\op a0, a1, \amount"
  .endr
  .endr
  .irp imm, -2048, -1, 0, 1, 2047
  pairs "addi a0, a1, \imm"
  pairs "addiw a0, a1, \imm"
  pairs "slti a0, a1, \imm"
  pairs "sltiu a0, a1, \imm"
  pairs "xori a0, a1, \imm"
  .endr
  pairs "lui a0, 0x80000"
  pairs "lui a0, 0x7ffff"

# Loads and stores of each width, and double words in every position.
  la   s5, scratch
  .macro stored op, offset
  pairs "sd a1, 0(s5); sd a2, 8(s5); \op a2, \offset(s5); ld a0, \offset(s5)"
  .endm
  .irp offset, 0, 1, 2, 3, 4, 5, 6, 7, 8
  stored sb, \offset
  stored sh, \offset
  stored sw, \offset
  stored sd, \offset
  .irp op, lb, lbu, lh, lhu, lw, lwu, ld
  pairs "sd a1, 0(s5); sd a2, 8(s5); \op a0, \offset(s5)"
  .endr
  .endr

# Compressed instructions that only RV64 has.
  .option rvc
  pairs "mv a0, a1; c.addiw a0, -7"
  pairs "mv a0, a1; c.addiw a0, 31"
  pairs "mv a0, a1; c.addw a0, a2"
  pairs "mv a0, a1; c.subw a0, a2"
  pairs "mv a0, a1; c.slli a0, 37"
  pairs "mv a0, a1; c.srli a0, 37"
  pairs "mv a0, a1; c.srai a0, 37"
  pairs "mv a3, s5; c.sd a1, 0(a3); c.sd a2, 0xf8(a3); c.ld a0, 0xf8(a3); xor a0, a0, a1"
  pairs "c.sdsp a1, 0x38(sp); c.sdsp a2, 0x1f8(sp); c.ldsp a0, 0x38(sp); c.ldsp a2, 0x1f8(sp); sub a0, a0, a2"
  .option norvc

# Atomics: the old value and the new one.
  .macro amo op, width, load
  pairs "sd a1, 0(s5); \op\()\width a0, a2, (s5); ld a3, 0(s5); rol a3, a3, a1; xor a0, a0, a3"
  pairs "sd a1, 0(s5); addi a4, s5, 4; \op\().w a0, a2, (a4); ld a3, 0(s5); rol a3, a3, a1; xor a0, a0, a3"
  .endm
  .irp width, .w, .d
  .irp op, amoswap, amoadd, amoxor, amoand, amoor, amomin, amomax, amominu, amomaxu
  amo \op, \width
  .endr
  pairs "sd a1, 0(s5); lr\width a0, (s5); sc\width a3, a2, (s5); ld a4, 0(s5); add a0, a0, a4; sub a0, a0, a3"
  pairs "sd a1, 0(s5); lr\width a0, (s5); addi a4, s5, 8; sc\width a3, a2, (a4); ld a4, 0(s5); add a0, a0, a4; sub a0, a0, a3"
  pairs "sd a1, 0(s5); lr\width a0, (s5); sc\width a3, a2, (s5); sc\width a3, a1, (s5); ld a4, 0(s5); add a0, a0, a4; sub a0, a0, a3"
  .endr

# CSRs: width of the base, and exceptions with their values. (QEMU has other causes for SC and AMO than the specification.)
  csrr a0, misa
  srli a0, a0, 62
  call print
  la   t0, handler
  csrw mtvec, t0
  .macro trapping insn:vararg
  li   a0, 0
  \insn
  call print
  csrr a0, mcause
  call print
  csrr a0, mtval
  call print
  .endm
  li   a1, 0x180000000
  trapping ld a0, 0(a1)
  trapping sd a0, 0(a1)
  trapping lr.d a0, (a1)
  la   a1, scratch + 4
  trapping lr.d a0, (a1)
  trapping ecall
  li   a0, -2
  csrw mepc, a0
  csrr a0, mepc
  call print
  li   a0, -1
  csrw mscratch, a0
  csrr a0, mscratch
  call print

  li   t0, FINISHER
  li   t1, 0x5555
  sw   t1, 0(t0)
  j    .

  .option rvc
  .balign 4
  .option norvc
handler:
  csrr t0, mepc
  addi t0, t0, 4
  csrw mepc, t0
  mret

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

  .balign 8
operands:
  .dword 0, 1, -1, 2, 0x7fffffff, 0x80000000, 0xffffffff, 0x100000000
  .dword 0x7fffffffffffffff, 0x8000000000000000, 0xffffffff80000000, 0x0123456789abcdef, 33
operands_end:
  .balign 16
scratch:
  .zero 512
  .zero 1024
stack_top:
  .zero 1024
