/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * Start-up of every hart but hart 0, on platforms with several. crt0.S has set gp, tp, sp, mscratch and the trap
 * vector, and jumps here.
 *
 * First the hart waits for its software interrupt. Hart 0 raises it after it has initialised its data, set
 * __hart_memory_ready to 1, and cleared shared memory. Then this hart reads __hart_memory_ready. If it is 1, both harts
 * use the same data. If it is 0, as the loader left it, this hart has data of its own and initialises them.
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

/* The image is for fewer harts than the platform has: this hart sleeps. */
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
