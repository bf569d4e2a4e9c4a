/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/**
 * @file
 * @brief Sources of the PLIC, in machine mode of an application hart, or in a cell of the hypervisor.
 *
 * All sources share the external interrupt. Its handler asks which one it is, and says when it has served it:
 * @code
 * static void external(void *arg)
 * {
 *         uint32_t source = irq_plic_claim(PLIC_OWN_CONTEXT);
 *
 *         if (source == TRAPEZE_UART_PLIC_SOURCE) {
 *                 receive();
 *         }
 *         irq_plic_complete(PLIC_OWN_CONTEXT, source);
 * }
 *
 *         irq_connect(IRQ_EXTERNAL, external, NULL);
 *         irq_plic_enable(PLIC_OWN_CONTEXT, TRAPEZE_UART_PLIC_SOURCE);
 *         irq_enable(IRQ_EXTERNAL);
 * @endcode
 *
 * A context is 0 for machine mode of the first hart with supervisor mode, 2 for that of the second one, and one more for
 * their supervisor mode. PLIC_OWN_CONTEXT is the program's own, if it runs on the first hart or is a cell. On a platform
 * whose UART has no source
 * (`app`) the UART is a cause of the external interrupt, too, and irq_plic_claim() returns 0 then.
 *
 * Source: RISC-V Platform-Level Interrupt Controller Specification 1.0.0.
 */
#ifndef TRAPEZE_IRQ_PLIC_H_
#define TRAPEZE_IRQ_PLIC_H_

#include <stdint.h>

#include <trapeze/map.h>
#include <trapeze/plic.h>

#ifndef TRAPEZE_PLIC_BASE
#error "for the PLIC, which the memory map of this configuration has not: app and amp have one"
#endif

#ifdef __cplusplus
extern "C" {
#endif

#ifdef TRAPEZE_SUPERVISOR
/** The context of a program: a cell has the second hart. */
#define PLIC_OWN_CONTEXT 3U
#else
#define PLIC_OWN_CONTEXT 0U
#endif

/** A register of the PLIC. */
static inline volatile uint32_t *irq_plic_register(uintptr_t offset)
{
	return (volatile uint32_t *)(TRAPEZE_PLIC_BASE + offset);
}

/** Gives a source the lowest priority that interrupts, and enables it for a context. */
static inline void irq_plic_enable(unsigned int context, unsigned int source)
{
	*irq_plic_register(TRAPEZE_PLIC_PRIORITY_OFFSET + source * TRAPEZE_PLIC_PRIORITY_STRIDE) =
	    1U;
	*irq_plic_register(TRAPEZE_PLIC_ENABLE_LOW_OFFSET +
			   context * TRAPEZE_PLIC_ENABLE_LOW_STRIDE + source / 32U * 4U) |=
	    UINT32_C(1) << source % 32U;
}

/** Takes the most urgent request of a context; returns its source, or 0 if there is none. */
static inline uint32_t irq_plic_claim(unsigned int context)
{
	return *irq_plic_register(TRAPEZE_PLIC_CONTEXT_CLAIM_OFFSET +
				  context * TRAPEZE_PLIC_CONTEXT_CLAIM_STRIDE);
}

/** The source that a context has claimed was served, and may interrupt again. */
static inline void irq_plic_complete(unsigned int context, uint32_t source)
{
	*irq_plic_register(TRAPEZE_PLIC_CONTEXT_CLAIM_OFFSET +
			   context * TRAPEZE_PLIC_CONTEXT_CLAIM_STRIDE) = source;
}

#ifdef __cplusplus
}
#endif

#endif /* TRAPEZE_IRQ_PLIC_H_ */
