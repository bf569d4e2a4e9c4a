/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/*
 * Interrupt latency: a background computation runs between markers 2 and 3 while platform
 * interrupts arrive; the handlers (handler_full.S or handler_optimal.S) place marker 1 and count.
 * The computation's result shows whether an interrupt disturbed it. Ends with code 0 if the result
 * is right.
 */
#include <stdint.h>

#include <trapeze/console.h>
#include <trapeze/csr.h>
#include <trapeze/irq.h>

/** The computation, background.S: returns its checksum. */
uint32_t background(void);

/** Interrupts taken, counted by the handlers. */
extern volatile uint32_t interrupt_count;

/* Results of background() without interrupts, as QEMU computes them; they differ because RV32I has
 * more registers. */
#ifdef __riscv_32e
#define EXPECTED_CHECKSUM 0x1012f2f4U
#else
#define EXPECTED_CHECKSUM 0x00a92a3dU
#endif

int main(void)
{
	for (unsigned int line = 0; line < 16U; line++) {
		irq_enable(IRQ_PLATFORM(line));
	}
	irq_unlock_all();

	uint32_t checksum = background();

	console_puts("checksum ");
	console_put_hex(checksum);
	console_puts(" interrupts ");
	console_put_hex(interrupt_count);
	console_putc('\n');
	return checksum == EXPECTED_CHECKSUM ? 0 : 1;
}
