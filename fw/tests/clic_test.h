/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief For the CLIC's directed tests. Sources A to D have constant wires: they are edge-triggered, and software makes
 * them pending.
 */
#ifndef CLIC_TEST_H_
#define CLIC_TEST_H_

#include <trapeze/irq_clic.h>

#include "test.h"

/** Sources whose wires do not change. */
enum {
	A = IRQ_COUNT > 47 ? 40 : 8,
	B,
	C,
	D,
	SOURCES = 8
};

/** Levels that exist with two level bits. */
enum {
	LEVEL_1 = 63,
	LEVEL_2 = 127,
	LEVEL_3 = 191,
	LEVEL_4 = 255
};

/* mnxti and jalmnxti write mstatus, mcause and mintstatus: "memory" keeps the compiler from moving accesses to those.
 */

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

/** Waits a few cycles, in which a pending interrupt is taken if it can be taken. */
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

/**
 * Disables interrupts. Gives every source, also those with a wire, a rising-edge trigger and the highest level, and
 * clears its pending bit. Enabled sources stay enabled.
 */
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

/** Changes the hart's level, by mret to the next instruction. Interrupts are disabled afterwards. */
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
