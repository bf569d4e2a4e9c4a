/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: handlers in assembly, by the macros of irq_fast.h and by those of irq_nest.h
config: [mcu-clic, mcu-clic-e, mcu-fastirq, mcu-fastirq-e]
engines: [rtl]
qemu: it has no CLIC
exit: 21
*/
#include "raise.h"
#include <trapeze/csr.h>
#include <trapeze/irq_fast.h>
#include <trapeze/irq_nest.h>

	.text
	.globl	main
	.type	main, @function
main:
	addi	sp, sp, -16
	sw	ra, 0(sp)
	sw	s0, 4(sp)
	li	s0, 0
	li	a0, 1
#ifdef TRAPEZE_IRQ_FAST
	la	t0, __irq_fast_return
	ori	t0, t0, MFASTIRQ_NEST | MFASTIRQ_ENABLE
	csrw	CSR_MFASTIRQ, t0
#endif
	csrsi	CSR_MSTATUS, MSTATUS_MIE
	raise	40
	raise	41
	raise	40
#ifdef TRAPEZE_IRQ_FAST
	raise	42
	raise	43
#else
	addi	s0, s0, 12
#endif
	csrci	CSR_MSTATUS, MSTATUS_MIE
	add	a0, a0, s0		/* a0 is still 1 */
	lw	ra, 0(sp)
	lw	s0, 4(sp)
	addi	sp, sp, 16
	ret
	.size	main, . - main

/* s0 sums up what the handlers add. */
	.globl	__irq_vector_40
__irq_vector_40:
	TRAPEZE_IRQ_ENTER
	li	a0, 2
	call	add_to_s0
	TRAPEZE_IRQ_LEAVE

	.globl	__irq_vector_41
__irq_vector_41:
	TRAPEZE_IRQ_ENTER
	li	a0, 4
	call	add_to_s0
	TRAPEZE_IRQ_LEAVE

add_to_s0:
	add	s0, s0, a0
	li	t2, -1
	li	a5, -1
	ret

#ifdef TRAPEZE_IRQ_FAST
	TRAPEZE_IRQ_FAST_HANDLER __irq_vector_42
	li	a0, 4
	add	s0, s0, a0
	TRAPEZE_IRQ_FAST_HANDLER_END

	TRAPEZE_IRQ_FAST_HANDLER __irq_vector_43
	addi	s0, s0, 8
	li	a0, -1
	ret				/* ra is the link address */
	TRAPEZE_IRQ_FAST_HANDLER_END
#endif
