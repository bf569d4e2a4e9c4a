/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * Micro-kernels of loads and stores: hits and their uses, stores in front of loads, atomics; misses, streams, and code
 * larger than the instruction cache.
 */
#include "kernel.inc"

	/* A load, some additions, and the load's use; eight of each. */
	.macro LOAD_USE name, load, number
	KERNEL	\name, 32
	ROUND
	.rept	8
	\load
	.rept	\number
	addi	t2, t2, 1
	.endr
	add	t1, t0, t0
	.endr
	DONE
	.endm

	LOAD_USE load-use-0, "ld t0, 0(a1)", 0
	LOAD_USE load-use-1, "ld t0, 0(a1)", 1
	LOAD_USE load-use-2, "ld t0, 0(a1)", 2
	LOAD_USE load-use-3, "ld t0, 0(a1)", 3
	LOAD_USE load-word-use-0, "lw t0, 0(a1)", 0
	LOAD_USE load-half-use-0, "lh t0, 0(a1)", 0
	LOAD_USE load-byte-use-0, "lbu t0, 0(a1)", 0
	LOAD_USE load-byte-use-1, "lbu t0, 0(a1)", 1
	LOAD_USE load-byte-use-2, "lbu t0, 0(a1)", 2
	LOAD_USE load-byte-use-3, "lbu t0, 0(a1)", 3
	LOAD_USE load-reserved-use-0, "lr.d t0, (a1)", 0

	KERNEL	load-chain, 32
	sd	a1, 0(a1)
	ROUND
	.rept	16
	ld	a1, 0(a1)
	.endr
	DONE

	KERNEL	load-byte-chain, 32
	sd	zero, 0(a1)
	ROUND
	.rept	16
	lb	t0, 0(a1)
	add	a1, a1, t0
	.endr
	DONE

	KERNEL	load-same-destination, 32
	ROUND
	.rept	16
	ld	t0, 0(a1)
	.endr
	DONE

	.macro LOADS name, load
	KERNEL	\name, 32
	ROUND
	.irp	register, t0, t1, t2, t3, t4, t5, t6, a7
	\load	\register, 0(a1)
	.endr
	DONE
	.endm

	LOADS	load-independent, ld
	LOADS	load-byte-independent, lbu

	/* A store, some additions, and a load of the same doubleword whose result the next store needs. */
	.macro STORE_LOAD name, number
	KERNEL	\name, 32
	ROUND
	.rept	8
	sd	a1, 0(a1)
	.rept	\number
	addi	t2, t2, 1
	.endr
	ld	a1, 0(a1)
	.endr
	DONE
	.endm

	STORE_LOAD store-load-0, 0
	STORE_LOAD store-load-1, 1
	STORE_LOAD store-load-2, 2
	STORE_LOAD store-load-3, 3

	/* Two accesses in turn; eight of each. */
	.macro ACCESSES name, first, second
	KERNEL	\name, 32
	sd	zero, 0(a1)
	li	a3, 4096
	add	a3, a1, a3
	ROUND
	.rept	8
	\first
	\second
	.endr
	DONE
	.endm

	ACCESSES store-independent, "sd t0, 0(a1)", "sd t0, 64(a1)"
	ACCESSES store-load-next-doubleword, "sd t0, 0(a1)", "ld t1, 8(a1)"
	ACCESSES store-load-other-line, "sd t0, 0(a1)", "ld t1, 128(a1)"
	ACCESSES store-load-page-apart, "sd t0, 0(a1)", "ld t1, 0(a3)"
	ACCESSES store-byte-load, "sb t0, 0(a1)", "ld t1, 0(a1)"
	ACCESSES store-word-load-other, "sw t0, 0(a1)", "lw t1, 4(a1)"
	ACCESSES load-store, "ld t0, 0(a1)", "sd t0, 64(a1)"
	ACCESSES store-fence, "sd t0, 0(a1)", fence
	ACCESSES load-fence, "ld t0, 0(a1)", fence
	ACCESSES amo-chain, "amoadd.d t0, zero, (a1)", "add a1, a1, t0"
	ACCESSES amo-independent, "amoadd.d t0, zero, (a1)", nop
	ACCESSES amo-word-independent, "amoadd.w t0, zero, (a1)", nop
	ACCESSES reserved-conditional, "lr.d t0, (a1)", "sc.d t1, t0, (a1)"

	/* Rings of pointers, one in each line, in an order without a stride. */
	.macro CHASE name, kib
	KERNEL	\name, 32, ARGUMENT_CHASE, \kib
	ROUND
	.rept	16
	ld	a2, 0(a2)
	.endr
	addi	a0, a0, -1
	bnez	a0, 1b
	mv	a0, a2
	ret
	.endm

	CHASE	chase-4k, 4
	CHASE	chase-8k, 8
	CHASE	chase-16k, 16
	CHASE	chase-32k, 32
	CHASE	chase-64k, 64
	CHASE	chase-256k, 256

	/* One line for each round that was never touched, and instructions beside. */
	.macro MISS name, rounds, bytes, access, number, use
	KERNEL	\name, \rounds, ARGUMENT_FRESH, \bytes
	ROUND
	\access
	.rept	\number
	addi	t1, t1, 1
	.endr
	\use
	addi	a2, a2, \bytes
	DONE
	.endm

	MISS	miss-load-used, 128, 64, "ld t0, 0(a2)", 0, "add t2, t0, t0"
	MISS	miss-load-unused, 128, 64, "ld t0, 0(a2)", 0, nop
	MISS	miss-load-use-8, 128, 64, "ld t0, 0(a2)", 8, "add t2, t0, t0"
	MISS	miss-load-use-32, 128, 64, "ld t0, 0(a2)", 32, "add t2, t0, t0"
	MISS	miss-load-use-64, 128, 64, "ld t0, 0(a2)", 64, "add t2, t0, t0"
	MISS	miss-load-last-doubleword, 128, 64, "ld t0, 56(a2)", 0, "add t2, t0, t0"
	MISS	miss-load-second-hit, 128, 64, "ld t0, 0(a2)", 0, "ld t2, 0(a1)"
	MISS	miss-load-second-same-line, 128, 64, "ld t0, 0(a2)", 0, "ld t2, 8(a2)"
	MISS	miss-load-second-miss, 128, 128, "ld t0, 0(a2)", 0, "ld t2, 64(a2)"
	MISS	miss-store, 512, 64, "sd t0, 0(a2)", 0, nop
	MISS	miss-store-64, 512, 64, "sd t0, 0(a2)", 64, nop
	MISS	miss-dirty-victim, 512, 64, "ld t0, 0(a2)", 0, "sd t0, 8(a2)"

	KERNEL	stream-read, 128, ARGUMENT_FRESH, 64
	ROUND
	.irp	offset, 0, 8, 16, 24, 32, 40, 48, 56
	ld	t0, \offset(a2)
	add	t1, t1, t0
	.endr
	addi	a2, a2, 64
	DONE

	KERNEL	stream-write, 512, ARGUMENT_FRESH, 64
	ROUND
	.irp	offset, 0, 8, 16, 24, 32, 40, 48, 56
	sd	t0, \offset(a2)
	.endr
	addi	a2, a2, 64
	DONE

	KERNEL	stream-update, 512, ARGUMENT_FRESH, 64
	ROUND
	.irp	offset, 0, 8, 16, 24, 32, 40, 48, 56
	ld	t0, \offset(a2)
	addi	t0, t0, 1
	sd	t0, \offset(a2)
	.endr
	addi	a2, a2, 64
	DONE

	/* Code without a jump; the cache of Rocket holds 16 KiB. */
	.macro CODE name, kib, rounds
	KERNEL	\name, \rounds
	ROUND
	.rept	(\kib * 256 - 4)
	addi	t0, t0, 1
	.endr
	DONE_FAR
	.endm

	CODE	code-8k, 8, 3
	CODE	code-15k, 15, 3
	CODE	code-18k, 18, 3
	CODE	code-32k, 32, 2
