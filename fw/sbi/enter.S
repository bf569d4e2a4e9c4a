/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * The way from the firmware to supervisor mode, when a hart begins there.
 */
#include <trapeze/isa.h>

#include "frame.h"

	/* mstatus, mepc and delegation are prepared (main.c). Linux expects the hart's number in a0 and the device tree
	 * in a1.
	 */
	.section .text.start, "ax", @progbits
	.globl	sbi_enter
	.type	sbi_enter, @function
sbi_enter:
	stack_top sp, a0
	csrw	CSR_MSCRATCH, sp		/* a call that stopped the hart has left supervisor mode's sp there */
	mret
	.size	sbi_enter, . - sbi_enter
