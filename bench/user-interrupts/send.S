/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * void send(unsigned int index): posts to the target of the index. Between markers 10 and 11 stands one instruction:
 * senduipi or, with SIGNALS, the call of a signal.
 */
#include <trapeze/csr.h>
#include <trapeze/marker.h>
#include <trapeze/signal.h>

	.section .text.send, "ax", @progbits
	.balign	4
	.globl	send
	.type	send, @function
send:
#ifdef SIGNALS
	li	a7, SIGNAL_CALL_SEND
#endif
	.option	push
	.option	norvc
	TRAPEZE_MARKER(10)
#ifdef SIGNALS
	ecall
#else
	.insn	r 0x73, 0, 0x47, x0, a0, x0	/* senduipi a0, TRAPEZE_SENDUIPI_MATCH */
#endif
	TRAPEZE_MARKER(11)
	.option	pop
	ret
	.size	send, . - send
