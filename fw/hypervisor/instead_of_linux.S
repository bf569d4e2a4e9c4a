/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * A guest in Linux' place, for `trapeze isolate`: it has its interrupt sources enabled, sleeps until a time, stops the cell
 * and ends the run. STOPPED is the exit code if the cell is stopped then, GOES_ON if it is not. It is position-independent,
 * and begins where the kernel does.
 */
#include <trapeze/cell.h>
#include <trapeze/map.h>
#include <trapeze/plic.h>
#include <trapeze/uart.h>

#define SET_TIMER 0x0 /* calls of version 0.1 of the SBI, and its extension SRST */
#define SRST      0x53525354
#define STIE      0x20
#define CONTEXT	  1 /* of supervisor mode of hart 0 */
#define ENABLES	  (TRAPEZE_PLIC_BASE + TRAPEZE_PLIC_ENABLE_LOW_OFFSET + CONTEXT * TRAPEZE_PLIC_ENABLE_LOW_STRIDE)
#define THRESHOLD (TRAPEZE_PLIC_BASE + TRAPEZE_PLIC_CONTEXT_THRESHOLD_OFFSET + CONTEXT * TRAPEZE_PLIC_CONTEXT_THRESHOLD_STRIDE)

	.text
	.globl	_start
_start:
	j	1f
	.balign	8
	.dword	-1				/* the time; the build and the command know where it is */

	/* Interrupts as a kernel has them; none is above the threshold, since nothing here handles one. */
1:	li	t0, THRESHOLD
	li	t1, 7
	sw	t1, 0(t0)
	li	t0, TRAPEZE_PLIC_BASE
	li	t2, TRAPEZE_PLIC_PRIORITY_COUNT - 1
2:	addi	t0, t0, TRAPEZE_PLIC_PRIORITY_STRIDE
	sw	t1, 0(t0)
	addi	t2, t2, -1
	bnez	t2, 2b
	li	t0, ENABLES
	li	t1, -1
	sw	t1, 0(t0)
	sw	t1, 4(t0)
	sw	t1, 8(t0)
	li	t0, TRAPEZE_UART_BASE		/* a request that is pending */
	li	t1, TRAPEZE_UART_IER_ETBEI_MASK
	sb	t1, TRAPEZE_UART_IER_OFFSET(t0)

	la	s0, _start
	ld	s0, 8(s0)
	li	t0, STIE
	csrs	sie, t0
	mv	a0, s0
	li	a7, SET_TIMER
	ecall
3:	rdtime	t0
	bgeu	t0, s0, 4f
	wfi
	j	3b

4:	li	a7, TRAPEZE_CELL_EXTENSION
	li	a6, TRAPEZE_CELL_STOP
	li	a0, CELL_HART
	ecall
	li	a7, TRAPEZE_CELL_EXTENSION
	li	a6, TRAPEZE_CELL_STATUS
	li	a0, CELL_HART
	ecall
	li	t0, GOES_ON
	beqz	a1, 5f
	li	t0, STOPPED
5:	li	a7, SRST
	li	a6, 0
	li	a0, 0
	li	a1, TRAPEZE_CELL_REASON_CODE
	or	a1, a1, t0
	ecall
	j	5b
