/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/*
 * Monitor, scheme `direct`: every interrupt is the program's, which handles them in user mode by registers of
 * its own, and the monitor has exceptions alone.
 */
#include <stdint.h>

#include <trapeze/clic.h>
#include <trapeze/csr.h>
#include <trapeze/map.h>

#include "scheme.h"

/* Gives the program all sources; what each is like, and their levels, is the program's to say. */
static void give_interrupts(void)
{
	volatile uint8_t *attribute =
	    (volatile uint8_t *)(TRAPEZE_CLIC_BASE + TRAPEZE_CLIC_IRQ_ATTR_OFFSET);

	for (uint32_t source = 0U; source < IRQ_COUNT; source++) {
		attribute[source * TRAPEZE_CLIC_IRQ_ATTR_STRIDE] = 0U;
	}
	*(volatile uint32_t *)(TRAPEZE_CLIC_BASE + TRAPEZE_CLIC_MCLICCFG_OFFSET) =
	    1U << TRAPEZE_CLIC_MCLICCFG_NMBITS_SHIFT;
}

/*
 * The monitor's memory is closed, and machine mode's view of the interrupt controller, by which a program
 * could make a source machine mode's. Its own view is open.
 */
static void protect(void)
{
	csr_write(CSR_PMPADDR0, TRAPEZE_CLIC_BASE >> 2);
	csr_write(CSR_PMPADDR0 + 1, (TRAPEZE_CLIC_BASE + TRAPEZE_CLIC_SIZE) >> 2);
	csr_write(CSR_PMPADDR0 + 2, (uint32_t)monitor_rom_start >> 2);
	csr_write(CSR_PMPADDR0 + 3, (uint32_t)monitor_rom_end >> 2);
	csr_write(CSR_PMPADDR0 + 4, (uint32_t)monitor_ram_start >> 2);
	csr_write(CSR_PMPADDR0 + 5, (uint32_t)monitor_ram_end >> 2);
	csr_write(CSR_PMPADDR0 + 6, UINT32_MAX);
	csr_write(CSR_PMPCFG0, ROW_OPEN | ROW_CLOSED << 8 | ROW_OPEN << 16 | ROW_CLOSED << 24);
	csr_write(CSR_PMPCFG0 + 1, ROW_OPEN | ROW_CLOSED << 8 | ROW_OPEN << 16);
}

void monitor_scheme_init(void)
{
	csr_write(CSR_MTVEC, (uint32_t)monitor_trap | MTVEC_MODE_CLIC);
	give_interrupts();
	protect();
}
