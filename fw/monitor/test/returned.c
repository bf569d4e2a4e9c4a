/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/*
 * A handler ends at once, before the hart has stored its frame. Then euret returns by that frame, of which only uepc is
 * written: ustatus, ucause and the level come from words of memory that may be old or new. With READS the program reads
 * them; else it goes on with interrupts, which are enabled or not.
 */
#include <stdlib.h>

#include <trapeze/irq.h>
#include <trapeze/irq_clic.h>
#include <trapeze/isa.h>

#include "attack.h"

static char stack[1024] __attribute__((aligned(16)));

void attack_interrupted(void)
{
	exit(3);
}

void attack_resumed(uint32_t mcause, uint32_t mepc, uint32_t mtval)
{
	(void)mcause, (void)mepc, (void)mtval;
	exit(4);
}

static void ends(void)
{
}

int main(void)
{
	volatile uint8_t *source = attack_source(IRQ_PLATFORM(3));

	irq_fast_connect(IRQ_PLATFORM(3), ends, false);
	irq_trigger_set(IRQ_PLATFORM(3), IRQ_TRIGGER_RISING);
	irq_enable(IRQ_PLATFORM(3));
	irq_unlock_all();
	for (int i = 0; i < 5; i++) {
		__asm__ volatile("mv s2, sp\n\t"
				 "mv sp, %0\n\t"
				 "sb %1, 0(%2)\n\t"
				 ".rept 6\n\tnop\n\t.endr\n\t"
				 "addi sp, sp, -80\n\t"
				 "la t0, 1f\n\t"
				 "sw t0, 64(sp)\n\t"
				 ".4byte 0x8c200073\n" /* euret */
				 "1:	mv sp, s2\n\t"
#ifdef READS
				 "csrr t0, %3\n\t"
				 "csrr t0, %4\n\t"
				 "csrr t0, %5"
#endif
				 :
				 : "r"(stack + sizeof(stack)), "r"(1U), "r"(source),
				   "i"(CSR_UCAUSE), "i"(CSR_USTATUS), "i"(CSR_UINTSTATUS)
				 : "memory", "s2", "ra", "t0", "t1", "t2", "t3", "t4", "t5", "t6",
				   "a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7");
	}
	return 0;
}
