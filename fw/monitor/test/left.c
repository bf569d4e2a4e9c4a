/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/*
 * A handler leaves its frame before the hart has stored it, so that memory may hold the old or the new words. Then euret
 * finds uepc and ucause there, and goes on to an interrupt, whose handler reads both. WORD is the word of the frame that
 * euret takes for uepc.
 */
#include <stdint.h>
#include <stdlib.h>

#include "attack.h"

#define SOURCE 61U
#define OLD    0x80000f00U
#define NEW    0x3a343220U
#define UEPC   (TRAPEZE_SMEM_BASE + 0x30U)
#define FRAME  80U

__attribute__((noreturn, used)) static void read_both(uint32_t uepc, uint32_t ucause)
{
	exit(uepc == OLD || uepc == NEW ? (ucause & 0xfffU) != SOURCE : 2);
}

void attack_interrupted(void)
{
	exit(3);
}

void attack_resumed(uint32_t mcause, uint32_t mepc, uint32_t mtval)
{
	(void)mcause, (void)mepc, (void)mtval;
	exit(0); /* the words were none that euret can go on with */
}

__asm__(".section .text.left, \"ax\", @progbits\n"
	".balign 64\n"
	"leaves: sb zero, 0(s4)\n"
	"	.4byte 0x8c200073\n" /* euret */
	".balign 64\n"
	"reads:	csrr a0, 0x041\n"
	"	csrr a1, 0x042\n"
	"	la sp, __stack_top\n"
	"	j read_both\n"
	".previous");
extern const char leaves[], reads[];

int main(void)
{
	volatile uint32_t *stack = (volatile uint32_t *)TRAPEZE_SMEM_BASE;
	volatile uint8_t *bytes = attack_source(SOURCE);
	register volatile uint8_t *s4_ __asm__("s4") = bytes;

	csr_write(CSR_USTATUS, 0U);
	csr_write(CSR_UTVEC, (uint32_t)leaves);
	csr_write(CSR_UFASTIRQ, 1U);
	bytes[2] = TRAPEZE_CLIC_IRQ_ATTR_TRIG_RISING << TRAPEZE_CLIC_IRQ_ATTR_TRIG_SHIFT;
	bytes[3] = UINT8_MAX;
	bytes[1] = 1U;
	for (uint32_t word = 0U; word < 36U; word++) {
		stack[word] = 0U;
	}
	*(volatile uint32_t *)UEPC = OLD;
	__asm__ volatile(".irp r, ra, t0, t1, a0, a5, a7, t6\n\tmv \\r, %4\n\t.endr\n\t"
			 "mv sp, %1\n\t"
			 ".rept 32\n\tnop\n\t.endr\n\t"
			 "csrsi 0x000, 1\n\t"
			 "sb %5, 0(s4)\n\t"
			 "nop\n\tnop\n\tnop\n\t"
			 "csrw 0x000, zero\n\t"
			 "csrw 0x005, %3\n\t"
			 "mv sp, %2\n\t"
			 "sb %5, 0(s4)\n\t"
			 ".4byte 0x8c200073"
			 :
			 : "r"(s4_), "r"(UEPC + FRAME - 4U * WORD), "r"(UEPC - 64U), "r"(reads),
			   "r"(NEW), "r"(1U)
			 : "memory", "ra", "t0", "t1", "a0", "a5", "a7", "t6");
	return 4;
}
