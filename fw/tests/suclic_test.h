/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief For the tests of user-level interrupts: sources A to D of user mode, with levels 1 to 4, a table of handlers,
 * and handlers that record their state. The numbers of A to D are those of clic_test.h.
 *
 * Without ufastirq a handler saves the registers that it changes and ends with uret. With ufastirq it ends with euret.
 */
#ifndef SUCLIC_TEST_H_
#define SUCLIC_TEST_H_

#include <trapeze/clic_user.h>

#include "clic_test.h"
#include "pmp_test.h"

#define UNLBITS(bits) ((uint32_t)(bits) << TRAPEZE_CLIC_USER_UCLICCFG_UNLBITS_SHIFT)
#define USER_SETTING                                                                               \
	(*(volatile uint32_t *)(TRAPEZE_CLIC_USER_BASE + TRAPEZE_CLIC_USER_UCLICCFG_OFFSET))
#define SETTING (*(volatile uint32_t *)(TRAPEZE_CLIC_BASE + TRAPEZE_CLIC_MCLICCFG_OFFSET))

/** The word of a source in user mode's view. */
#define USER_SOURCE(irq)                                                                           \
	((volatile uint32_t *)(TRAPEZE_CLIC_USER_BASE + TRAPEZE_CLIC_USER_IRQ_IP_OFFSET))[irq]

/** A source's registers as a word: pending or not, enabled, vectored, edge-triggered, of a level. */
#define SOURCE_WORD(pending, level) (((uint32_t)(level) << 24) | 0x00030100U | (pending))

/** State that a handler has recorded. */
struct found {
	uint32_t ucause;
	uint32_t uepc;
	uint32_t uil;
	uint32_t ustatus;
	uint32_t sp;
};

__attribute__((used, aligned(64))) static volatile struct found found[16];
__attribute__((used)) static volatile uint32_t found_count;
__attribute__((
    used)) static volatile uint32_t raise_in_handler; /* source that A's handler raises */
static volatile uint32_t machine_count;
static volatile uint32_t machine_at; /* found_count at that time */
__attribute__((aligned(256))) static volatile uint32_t user_table[64];

void uret_handler(void);
void uret_direct(void);
void euret_place(void);

/* clang-format off */
__asm__(".text\n"
	".balign 64\n"
	"uret_direct:\n"
	"	addi sp, sp, -96\n"
	"	sw t0, 0(sp)\n"
	"	la t0, user_direct_count\n"
	"	sw t1, 4(sp)\n"
	"	lw t1, 0(t0)\n"
	"	addi t1, t1, 1\n"
	"	sw t1, 0(t0)\n"
	"	csrrci t1, 0x045, 1\n"		/* unxti claims the source */
	"	la t0, user_claimed\n"
	"	sw t1, 0(t0)\n"
	"	lw t0, 0(sp)\n"
	"	lw t1, 4(sp)\n"
	"	addi sp, sp, 96\n"
	"	" TRAPEZE_URET "\n"
	".balign 4\n"
	"uret_handler:\n"
	"	addi sp, sp, -80\n"
	"	sw ra, 0(sp)\n"
	"	sw t0, 4(sp)\n"
	"	sw t1, 8(sp)\n"
	"	sw t2, 12(sp)\n"
	"	sw a0, 16(sp)\n"
	"	sw a1, 20(sp)\n"
	"	sw a2, 24(sp)\n"
	"	sw a3, 28(sp)\n"
	"	sw a4, 32(sp)\n"
	"	sw a5, 36(sp)\n"
#ifndef __riscv_32e
	"	sw a6, 40(sp)\n"
	"	sw a7, 44(sp)\n"
	"	sw t3, 48(sp)\n"
	"	sw t4, 52(sp)\n"
	"	sw t5, 56(sp)\n"
	"	sw t6, 60(sp)\n"
#endif
	"	csrr a0, 0x041\n"
	"	csrr a1, 0x042\n"
	"	sw a0, 64(sp)\n"
	"	sw a1, 68(sp)\n"
	"	csrsi 0x000, 1\n"
	"	call user_handler\n"
	"	csrci 0x000, 1\n"
	"	lw a0, 64(sp)\n"
	"	lw a1, 68(sp)\n"
	"	csrw 0x041, a0\n"
	"	csrw 0x042, a1\n"
	"	lw ra, 0(sp)\n"
	"	lw t0, 4(sp)\n"
	"	lw t1, 8(sp)\n"
	"	lw t2, 12(sp)\n"
	"	lw a0, 16(sp)\n"
	"	lw a1, 20(sp)\n"
	"	lw a2, 24(sp)\n"
	"	lw a3, 28(sp)\n"
	"	lw a4, 32(sp)\n"
	"	lw a5, 36(sp)\n"
#ifndef __riscv_32e
	"	lw a6, 40(sp)\n"
	"	lw a7, 44(sp)\n"
	"	lw t3, 48(sp)\n"
	"	lw t4, 52(sp)\n"
	"	lw t5, 56(sp)\n"
	"	lw t6, 60(sp)\n"
#endif
	"	addi sp, sp, 80\n"
	"	" TRAPEZE_URET "\n"
	/* With ufastirq, a C function as the handler. */
	".balign 4\n"
	"euret_handler:\n"
	"	csrr a0, 0x041\n"
	"	csrr a1, 0x042\n"
	"	j user_handler\n"
	"euret_place:\n"
	"	" TRAPEZE_EURET "\n");
/* clang-format on */
void euret_handler(void);

__attribute__((used)) static volatile uint32_t user_direct_count;
__attribute__((used)) static volatile uint32_t user_claimed;

/** Records the state. A's handler also raises another source. */
__attribute__((used)) static void user_handler(uint32_t uepc, uint32_t ucause)
{
	uint32_t n = found_count;

	found[n].ucause = ucause;
	found[n].uepc = uepc;
	found[n].uil = csr_read(CSR_UINTSTATUS);
	found[n].ustatus = csr_read(CSR_USTATUS);
	found[n].sp = (uint32_t)__builtin_frame_address(0);
	found_count = n + 1U;
	if (raise_in_handler != 0U && (ucause & UCAUSE_CODE) == A) {
		irq_pending_set(raise_in_handler, true);
		settle();
	}
}

/** Raises a source through user mode's view, and waits for it. */
__attribute__((unused)) static void user_raise(unsigned int irq)
{
	USER_SOURCE(irq) = USER_SOURCE(irq) | 1U;
	settle();
}

static void machine_handler(void *arg)
{
	(void)arg;
	machine_count++;
	machine_at = found_count;
}

/** Gives sources A to D to user mode, at levels 1 to 4. D + 1 stays machine mode's. */
__attribute__((unused)) static void suclic_begin(bool fast)
{
	test_begin();
	(void)irq_lock();
	open_all(true);
	irq_level_bits_set(2U);
	for (unsigned int irq = A; irq <= D; irq++) {
		*irq_register(irq, TRAPEZE_CLIC_IRQ_ATTR_OFFSET) =
		    0x03U; /* user mode, rising edge, vectored */
		irq_pending_set(irq, false);
		irq_control_set(irq, (uint8_t)((irq - A) * 64U + 63U));
		irq_enable(irq);
		user_table[irq] = (uint32_t)(fast ? euret_handler : uret_handler);
	}
	SETTING = SETTING | (1U << TRAPEZE_CLIC_MCLICCFG_NMBITS_SHIFT) | UNLBITS(2U);
	(void)irq_connect(D + 1U, machine_handler, NULL);
	irq_trigger_set(D + 1U, IRQ_TRIGGER_RISING);
	irq_pending_set(D + 1U, false);
	irq_control_set(D + 1U, 63U);
	irq_enable(D + 1U);
	csr_write(CSR_UTVT, (uint32_t)user_table);
	csr_write(CSR_UTVEC, (uint32_t)uret_direct);
	csr_write(CSR_UFASTIRQ,
		  fast ? (uint32_t)euret_place + (UFASTIRQ_ENABLE | UFASTIRQ_NEST) : 0U);
	csr_write(CSR_USTATUS, 0U);
	found_count = 0U;
	raise_in_handler = 0U;
	machine_count = 0U;
}

#endif /* SUCLIC_TEST_H_ */
