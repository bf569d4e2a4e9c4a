/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * Start-up of every hart but hart 0, on platforms with several. crt0.S comes here with gp, tp, sp, mscratch and the trap
 * vector set.
 *
 * Hart 0 raises each other hart's software interrupt once shared memory is initialised. Only then is it known whether
 * this hart has memory of its own: hart 0 has set __hart_memory_ready in its own. Who finds it zero, as the loader left
 * it, has a copy of all data to initialise.
 */
#include <trapeze/csr.h>

	.section .text.start, "ax", @progbits
	.globl	__hart_secondary
	.type	__hart_secondary, @function
__hart_secondary:
	call	__hart_wait_released
	lw	t0, __hart_memory_ready
	bnez	t0, 1f
	jal	__hart_memory_init
	call	__libc_init_array
1:	csrr	t0, CSR_MHARTID
	lui	t1, %hi(__main_hart)
	addi	t1, t1, %lo(__main_hart)
	beq	t0, t1, 2f
	tail	__hart_park
2:	tail	__hart_main
	.size	__hart_secondary, . - __hart_secondary

/* An image for fewer harts than the platform has: the others sleep. */
	.globl	__hart_absent
	.type	__hart_absent, @function
__hart_absent:
	wfi
	j	__hart_absent
	.size	__hart_absent, . - __hart_absent

	.section .data.__hart_memory_ready, "aw", @progbits
	.balign	4
	.globl	__hart_memory_ready
	.type	__hart_memory_ready, @object
__hart_memory_ready:
	.4byte	0
	.size	__hart_memory_ready, 4
