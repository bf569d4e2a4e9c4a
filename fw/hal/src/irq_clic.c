/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* Levels, triggers and vectors of the CLIC. Where interrupts are a monitor's there are no vectors. */
#include <trapeze/irq_clic.h>

#define LEVEL_BITS 8U

#ifndef TRAPEZE_MONITOR_CALLS
/* start/clic_table.S, start/clic.S or start/fastirq.S */
extern irq_vector_t __irq_vectors[IRQ_COUNT];
extern const char __trapeze_entry[];
extern const char __irq_entry_xnxti[];
extern const char __irq_entry_jalxnxti[];
#ifndef TRAPEZE_IRQ_FAST
extern const char __irq_functions[];
void __irq_entry(void);

#define FUNCTION_SIZE 8U
#endif
#endif /* TRAPEZE_MONITOR_CALLS */

static volatile uint32_t *configuration(void)
{
	return (volatile uint32_t *)(TRAPEZE_XCLIC_BASE + TRAPEZE_CLIC_MCLICCFG_OFFSET);
}

void irq_level_bits_set(unsigned int bits)
{
	uint32_t rest = *configuration() & ~(uint32_t)TRAPEZE_XCLIC_NLBITS_MASK;

	*configuration() = rest | (bits << TRAPEZE_XCLIC_NLBITS_SHIFT);
}

unsigned int irq_level_bits_get(void)
{
	return (*configuration() & TRAPEZE_XCLIC_NLBITS_MASK) >> TRAPEZE_XCLIC_NLBITS_SHIFT;
}

/* The bits of ctl below the level. */
static uint8_t priority_mask(void)
{
	return (uint8_t)(UINT8_MAX >> irq_level_bits_get());
}

void irq_level_set(unsigned int irq, uint8_t level)
{
	uint8_t mask = priority_mask();

	irq_control_set(irq, (uint8_t)((level & ~mask) | (irq_control_get(irq) & mask)));
}

uint8_t irq_level_get(unsigned int irq)
{
	return irq_control_get(irq) | priority_mask();
}

void irq_priority_set(unsigned int irq, uint8_t priority)
{
	uint8_t mask = priority_mask();

	irq_control_set(irq, (uint8_t)((irq_control_get(irq) & ~mask) | (priority & mask)));
}

/* Replaces the bits of @p mask in attr. */
static void attribute_set(unsigned int irq, uint32_t mask, uint32_t value)
{
	volatile uint8_t *attribute = irq_register(irq, TRAPEZE_CLIC_IRQ_ATTR_OFFSET);

	*attribute = (uint8_t)((*attribute & ~mask) | value);
}

void irq_trigger_set(unsigned int irq, enum irq_trigger trigger)
{
	attribute_set(irq, TRAPEZE_CLIC_IRQ_ATTR_TRIG_MASK,
		      (uint32_t)trigger << TRAPEZE_CLIC_IRQ_ATTR_TRIG_SHIFT);
}

#ifndef TRAPEZE_MONITOR_CALLS
irq_vector_t irq_vector_set(unsigned int irq, irq_vector_t vector)
{
	irq_vector_t old = __irq_vectors[irq];

	__irq_vectors[irq] = vector;
	/* The core fetches entries of the table as instructions, so they need fence.i. */
	__asm__ volatile("fence.i" : : : "memory");
	return old;
}

void irq_vectored_set(unsigned int irq, bool vectored)
{
#ifndef TRAPEZE_IRQ_FAST
	/* There are two forms of the generic handler. */
	irq_vector_t function = (irq_vector_t)(uintptr_t)&__irq_functions[irq * FUNCTION_SIZE];

	if (vectored && __irq_vectors[irq] == function) {
		(void)irq_vector_set(irq, __irq_entry);
	} else if (!vectored && __irq_vectors[irq] == __irq_entry) {
		(void)irq_vector_set(irq, function);
	}
#endif
	attribute_set(irq, TRAPEZE_CLIC_IRQ_ATTR_SHV_MASK,
		      vectored ? TRAPEZE_CLIC_IRQ_ATTR_SHV_MASK : 0U);
}

void irq_entry_set(enum irq_entry entry)
{
	const char *code = __trapeze_entry;

	if (entry == IRQ_ENTRY_XNXTI) {
		code = __irq_entry_xnxti;
	}
#ifndef TRAPEZE_USER
	if (entry == IRQ_ENTRY_JALXNXTI) {
		code = __irq_entry_jalxnxti;
	}
#endif
	csr_write(CSR_XTVEC, (uint32_t)code | MTVEC_MODE_CLIC);
}
#endif /* TRAPEZE_MONITOR_CALLS */
