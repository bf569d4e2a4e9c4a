/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* Interrupts for a program in user mode, and its start. */
#include <errno.h>
#include <stddef.h>

#include <trapeze/clic.h>
#include <trapeze/irq_clic.h>
#include <trapeze/map.h>
#include <trapeze/user.h>

#define LEVEL_BITS 8U

/* start/uintr.S: an euret */
extern const char __uintr_return[];

/* Beside the code: entries are fetched as code. */
irq_fast_handler_t user_vectors[IRQ_COUNT]
    __attribute__((section(".vectors"), aligned(USER_TABLE_ALIGNMENT)));

int user_irq_give(unsigned int irq, uint8_t level, irq_fast_handler_t handler)
{
	if (irq >= IRQ_COUNT || level == 0U || handler == NULL) {
		return -EINVAL;
	}

	volatile uint32_t *setting =
	    (volatile uint32_t *)(TRAPEZE_CLIC_BASE + TRAPEZE_CLIC_MCLICCFG_OFFSET);
	volatile uint8_t *attribute = irq_register(irq, TRAPEZE_CLIC_IRQ_ATTR_OFFSET);
	unsigned int key = irq_lock();

	user_vectors[irq] = handler;
	__asm__ volatile("fence.i" : : : "memory"); /* the core fetches the table */
	csr_write(CSR_UTVT, (uint32_t)user_vectors);
	csr_write(CSR_UFASTIRQ, (uint32_t)__uintr_return + (UFASTIRQ_NEST | UFASTIRQ_ENABLE));
	*setting = (*setting & ~(uint32_t)TRAPEZE_CLIC_MCLICCFG_UNLBITS_MASK) |
		   (1U << TRAPEZE_CLIC_MCLICCFG_NMBITS_SHIFT) |
		   (LEVEL_BITS << TRAPEZE_CLIC_MCLICCFG_UNLBITS_SHIFT);
	/* Its mode becomes 0, user mode. */
	*attribute = (uint8_t)((*attribute & TRAPEZE_CLIC_IRQ_ATTR_TRIG_MASK) |
			       TRAPEZE_CLIC_IRQ_ATTR_SHV_MASK);
	irq_control_set(irq, level);
	irq_enable(irq);
	irq_unlock(key);
	return 0;
}

void user_enter(void (*function)(void), void *stack_end)
{
	register void (*where)(void) __asm__("a0") = function;
	register void *stack __asm__("a1") = stack_end;

	csr_clear(CSR_MSTATUS, MSTATUS_MPP);
	__asm__ volatile(
	    "csrw mepc, %0\n\t"
	    "mv sp, %1\n\t"
	    ".irp register, ra, t0, t1, t2, s0, s1, a0, a1, a2, a3, a4, a5\n\t"
	    "li \\register, 0\n\t"
	    ".endr\n\t"
#ifndef __riscv_32e
	    ".irp register, a6, a7, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11, t3, t4, t5, t6\n\t"
	    "li \\register, 0\n\t"
	    ".endr\n\t"
#endif
	    "mret"
	    :
	    : "r"(where), "r"(stack)
	    : "memory");
	__builtin_unreachable();
}
