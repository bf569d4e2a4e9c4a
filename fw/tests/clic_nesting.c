/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: handlers nest to depth 8 and unwind in order, by vectors, xnxti and jalxnxti
config: [mcu-clic, mcu-clic-e, mcu-fastirq, mcu-fastirq-e]
engines: [rtl]
qemu: it has no CLIC
expect: |
  PASS
*/
#include "clic_test.h"

#define DEPTH 8U

static volatile uint32_t depth;
static volatile uint32_t deepest;
static volatile uint32_t log_irq[2U * DEPTH + 8U];
static volatile uint32_t log_count;
static volatile uint32_t stack[DEPTH];

static uint8_t level_of(uint32_t irq)
{
	return (uint8_t)((32U * (irq - A)) + 31U);
}

/* Makes the next more important source pending, and a less important one, which has to wait. */
static void handler(void *arg)
{
	uint32_t irq = (uint32_t)arg;
	uint32_t above = irq + 1U;
	uint32_t cause = csr_read(CSR_MCAUSE);

	log_irq[log_count++] = irq;
	stack[depth] = (uint32_t)__builtin_frame_address(0);
	CHECK(depth == 0U || stack[depth] < stack[depth - 1U]);
	depth++;
	deepest = depth > deepest ? depth : deepest;
	CHECK_EQ(irq_level_current(), level_of(irq));
	CHECK_EQ(cause & MCAUSE_CODE, irq);
	CHECK_EQ((cause & MCAUSE_MPIL) >> MCAUSE_MPIL_SHIFT, depth == 1U ? 0U : level_of(irq - 1U));
	CHECK_EQ(cause & (MCAUSE_MPP | MCAUSE_INTERRUPT), MCAUSE_MPP | MCAUSE_INTERRUPT);
	CHECK((csr_read(CSR_MSTATUS) & MSTATUS_MIE) != 0U);
	if (above < A + DEPTH) {
		clic_raise(above);
	}
	CHECK_EQ(irq_level_current(), level_of(irq));
	depth--;
	log_irq[log_count++] = irq;
}

static void play(bool vectored, enum irq_entry entry)
{
	clic_setup(vectored);
	irq_entry_set(entry);
	irq_level_bits_set(3U);
	for (unsigned int irq = A; irq < A + DEPTH; irq++) {
		irq_level_set(irq, level_of(irq));
		(void)irq_connect(irq, handler, (void *)irq);
	}
	deepest = 0U;
	log_count = 0U;
	irq_unlock_all();
	clic_raise(A);
	CHECK_EQ(deepest, DEPTH);
	CHECK_EQ(log_count, 2U * DEPTH);
	for (uint32_t i = 0; i < DEPTH; i++) {
		CHECK_EQ(log_irq[i], A + i);
		CHECK_EQ(log_irq[(2U * DEPTH) - 1U - i], A + i);
	}
	CHECK_EQ(irq_level_current(), 0U);
	CHECK((csr_read(CSR_MSTATUS) & MSTATUS_MIE) != 0U);
	(void)irq_lock();
}

int main(void)
{
	test_begin();
	play(true, IRQ_ENTRY_CAREFUL);
	play(false, IRQ_ENTRY_CAREFUL);
	play(false, IRQ_ENTRY_XNXTI);
	play(false, IRQ_ENTRY_JALXNXTI);
	CHECK_NO_TRAP();
	return test_end();
}
