/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
 *
 * LiteX's interrupts on Trapeze. Every line is level-triggered, as LiteX's event managers are.
 */
#ifndef __IRQ_H
#define __IRQ_H

#ifdef __cplusplus
extern "C" {
#endif

#include <system.h>
#include <generated/csr.h>
#include <generated/mem.h>

static inline unsigned int irq_getie(void)
{
	return (csrr(mstatus) & CSR_MSTATUS_MIE) != 0;
}

static inline void irq_setie(unsigned int ie)
{
	if (ie) {
		csrs(mstatus, CSR_MSTATUS_MIE);
	} else {
		csrc(mstatus, CSR_MSTATUS_MIE);
	}
}

#ifdef TRAPEZE_LITEX_CLIC

/* The lines enabled in the CLIC, which begins with none: crt0.S sees to that. Kept here because LiteX's UART changes the
 * mask twice for each character, and a register of the CLIC holds one line.
 */
extern volatile unsigned int trapeze_irq_mask;

static inline volatile unsigned char *trapeze_clic(unsigned int line)
{
	return (volatile unsigned char *)CLIC_BASE + TRAPEZE_CLIC_SOURCE(TRAPEZE_FIRST_LINE + line);
}

static inline unsigned int irq_getmask(void)
{
	return trapeze_irq_mask;
}

static inline void irq_setmask(unsigned int mask)
{
	unsigned int changed = trapeze_irq_mask ^ mask;

	trapeze_irq_mask = mask;
	while (changed) {
		unsigned int line = __builtin_ctz(changed);

		trapeze_clic(line)[TRAPEZE_CLIC_IE] = (mask >> line) & 1;
		changed &= changed - 1;
	}
}

static inline unsigned int irq_pending(void)
{
	unsigned int pending = 0;

	for (unsigned int line = 0; line < TRAPEZE_CLIC_LINES; line++) {
		pending |= (unsigned int)trapeze_clic(line)[TRAPEZE_CLIC_IP] << line;
	}
	return pending;
}

#else

static inline unsigned int irq_getmask(void)
{
	return csrr(mie) >> TRAPEZE_FIRST_LINE;
}

static inline void irq_setmask(unsigned int mask)
{
	csrw(mie, mask << TRAPEZE_FIRST_LINE);
}

static inline unsigned int irq_pending(void)
{
	return csrr(mip) >> TRAPEZE_FIRST_LINE;
}

#endif

#ifdef __cplusplus
}
#endif

#endif
