/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/*
 * Monitor, scheme `direct`: every interrupt belongs to the program, which handles it in user mode with the registers of
 * that mode. The monitor handles only exceptions.
 */
#include <stdbool.h>
#include <stdint.h>

#include <trapeze/clic.h>
#include <trapeze/csr.h>
#include <trapeze/map.h>

#include "rows.h"
#include "scheme.h"
#include "watchdog.h"

/* Gives the program all sources. The program itself sets their triggers and levels. */
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
 * Machine mode's view of the interrupt controller is closed: through it a program could give a source to machine mode.
 * User mode's own view is open.
 */
const struct rows_controller monitor_controller = {
    .open_base = TRAPEZE_CLIC_USER_BASE,
    .open_size = TRAPEZE_CLIC_USER_SIZE,
    .closed_base = TRAPEZE_CLIC_BASE,
    .closed_size = TRAPEZE_CLIC_SIZE,
    .watchdog = 0U,
};

/* monitor_enter (direct.S) disables interrupts. */
void monitor_disable(void)
{
}

/* The watchdog's source belongs to machine mode once the watchdog is on, so what the program did to it before has no
 * effect.
 */
bool watchdog_free(void)
{
	return true;
}

void monitor_scheme_init(void)
{
	csr_write(CSR_MTVEC, (uint32_t)monitor_trap | MTVEC_MODE_CLIC);
	csr_write(CSR_USTATUS, 0U);
	csr_write(CSR_UFASTIRQ, 0U);
	csr_write(CSR_UINTTHRESH, 0U);
	give_interrupts();
	watchdog_init();
}
