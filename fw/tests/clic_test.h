/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief What the CLIC's directed tests share. Sources A to D have no wire that moves: they are
 * edge-triggered and software makes them pending.
 */
#ifndef CLIC_TEST_H_
#define CLIC_TEST_H_

#include <trapeze/irq_clic.h>

#include "test.h"

/** Sources without a moving wire. */
enum {
	A = IRQ_COUNT > 47 ? 40 : 8,
	B,
	C,
	D,
	SOURCES = 8
};

/** The levels of two level bits. */
enum {
	LEVEL_1 = 63,
	LEVEL_2 = 127,
	LEVEL_3 = 191,
	LEVEL_4 = 255
};

/* mnxti and jalmnxti write mstatus, mcause and mintstatus: keep the compiler from moving those. */

/** csrr rd, mnxti */
#define NXTI_READ()      csr_read(CSR_MNXTI)
/** csrrsi rd, mnxti, bits */
#define NXTI_SET(bits)   csr_read_set(CSR_MNXTI, bits)
/** csrrci rd, mnxti, bits */
#define NXTI_CLEAR(bits) csr_read_clear(CSR_MNXTI, bits)

/** csrrs rd, mnxti, rs1: never the immediate form, never x0. */
static inline uint32_t nxti_set_register(uint32_t value)
{
	uint32_t old;

	__asm__ volatile("csrrs %0, " TRAPEZE_STRINGIFY(CSR_MNXTI) ", %1"
			 : "=r"(old)
			 : "r"(value)
			 : "memory");
	return old;
}

/** Address of a source's entry in the vector table. */
static inline uint32_t table_entry(unsigned int irq)
{
	return csr_read(CSR_MTVT) + (4U * irq);
}

/** A few cycles, in which a pending interrupt is taken if it is at all. */
static inline void settle(void)
{
	__asm__ volatile("nop\n\tnop\n\tnop\n\tnop\n\tnop\n\tnop\n\tnop\n\tnop" : : : "memory");
}

/** Makes a source pending. */
static inline void clic_raise(unsigned int irq)
{
	irq_pending_set(irq, true);
	settle();
}

/** Locks interrupts and makes every source, also those with a wire, one that looks for a rising edge, pends for none, and
 * has the highest level. All that has been enabled stays enabled. */
__attribute__((noinline, unused)) static void quiet_sources(void)
{
	(void)irq_lock();
	(void)irq_threshold_set(0U);
	irq_level_bits_set(8U);
	for (unsigned int irq = 0U; irq < IRQ_COUNT; irq++) {
		irq_vectored_set(irq, false);
		irq_trigger_set(irq, IRQ_TRIGGER_RISING);
		irq_pending_set(irq, false);
		irq_control_set(irq, 255U);
	}
}

/** Brings the hart to a level by mret to the next instruction; interrupts locked behind it. */
__attribute__((noinline, unused)) static void level_become(uint32_t level)
{
	uint32_t scratch;

	csr_write(CSR_MCAUSE, MCAUSE_MPP | (level << MCAUSE_MPIL_SHIFT));
	__asm__ volatile("la %0, 1f\n\tcsrw mepc, %0\n\tmret\n1:" : "=&r"(scratch) : : "memory");
}

/** Two level bits; sources A to A + 7 edge-triggered, enabled, at level 2, vectored or not. */
__attribute__((unused)) static void clic_setup(bool vectored)
{
	(void)irq_lock();
	(void)irq_threshold_set(0U);
	irq_level_bits_set(2U);
	for (unsigned int irq = A; irq < A + SOURCES; irq++) {
		irq_vectored_set(irq, vectored);
		irq_trigger_set(irq, IRQ_TRIGGER_RISING);
		irq_pending_set(irq, false);
		irq_control_set(irq, 0U);
		irq_level_set(irq, LEVEL_2);
		irq_enable(irq);
	}
}

#endif /* CLIC_TEST_H_ */
