/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: exceptions and interrupts in direct and in vectored mode; a second vector table
config: [mcu-clint, mcu-clint-e]
expect: |
  PASS
*/
#include <trapeze/irq.h>
#include <trapeze/map.h>

#include "test.h"

/* clang-format off */
/* A second table, and an entry that stores mcause, clears the software interrupt, and skips the (32-bit) instruction of
 * an exception.
 */
__asm__(".section .text.second_table, \"ax\", @progbits\n"
	".option push\n"
	".option norvc\n"
	".balign 128\n"
	".globl second_table\n"
	"second_table:\n"
	"	.rept 32\n"
	"	j second_entry\n"
	"	.endr\n"
	".option pop\n"
	".balign 4\n"
	".globl second_entry\n"
	"second_entry:\n"
	"	addi sp, sp, -16\n"
	"	sw t0, 0(sp)\n"
	"	sw t1, 4(sp)\n"
	"	la t0, second_cause\n"
	"	csrr t1, mcause\n"
	"	sw t1, 0(t0)\n"
	"	li t0, " TRAPEZE_STRINGIFY(TRAPEZE_CLINT_BASE) "\n"
	"	sw zero, 0(t0)\n"
	"	lw t0, 0(t0)\n"
	"	bltz t1, 1f\n"
	"	csrr t1, mepc\n"
	"	addi t1, t1, 4\n"
	"	csrw mepc, t1\n"
	"1:	lw t0, 0(sp)\n"
	"	lw t1, 4(sp)\n"
	"	addi sp, sp, 16\n"
	"	mret\n"
	".text");
/* clang-format on */

extern char second_table[];
extern char second_entry[];
extern char __trap_vector[];

__attribute__((used)) volatile uint32_t second_cause;
static volatile uint32_t handled;

static void software_handler(void *arg)
{
	handled += (uint32_t)arg;
	irq_software_set(false);
}

static void raise_software(void)
{
	irq_software_set(true);
	irq_unlock_all();
	irq_lock();
}

int main(void)
{
	uint32_t table = csr_read(CSR_MTVEC);

	test_begin();
	CHECK_EQ(irq_connect(IRQ_SOFTWARE, software_handler, (void *)1), 0);
	CHECK(irq_connect(0, software_handler, NULL) != 0);
	CHECK(irq_connect(32, software_handler, NULL) != 0);
	irq_enable(IRQ_SOFTWARE);

	/* The HAL's vectored table. */
	raise_software();
	CHECK_EQ(handled, 1U);
	__asm__ volatile("ecall" : : : "memory");
	CHECK_EQ(trap_last.count, 1U);

	/* Direct mode: everything goes to one entry, which tells interrupts by mcause. */
	csr_write(CSR_MTVEC, (uint32_t)__trap_vector);
	raise_software();
	CHECK_EQ(handled, 2U);
	__asm__ volatile("ecall" : : : "memory");
	CHECK_EQ(trap_last.count, 2U);

	/* Another table, vectored: exceptions go to its base. */
	csr_write(CSR_MTVEC, (uint32_t)second_table | MTVEC_MODE_VECTORED);
	raise_software();
	CHECK_EQ(second_cause, MCAUSE_INTERRUPT | IRQ_SOFTWARE);
	__asm__ volatile("ecall" : : : "memory");
	CHECK_EQ(second_cause, MCAUSE_ECALL_M);

	/* The same entry in direct mode, at a base that is only 4-byte aligned. */
	csr_write(CSR_MTVEC, (uint32_t)second_entry);
	CHECK_EQ(csr_read(CSR_MTVEC), (uint32_t)second_entry);
	second_cause = 0U;
	raise_software();
	CHECK_EQ(second_cause, MCAUSE_INTERRUPT | IRQ_SOFTWARE);
	__asm__ volatile("ecall" : : : "memory");
	CHECK_EQ(second_cause, MCAUSE_ECALL_M);

	csr_write(CSR_MTVEC, table);
	CHECK_EQ(handled, 2U);
	return test_end();
}
