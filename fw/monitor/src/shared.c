/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* Monitor, schemes `paper` and `soft`: the state that their calls and interrupts work with, and their protection. */
#include <stdbool.h>
#include <stdint.h>

#include <trapeze/monitor.h>

#include "rows.h"
#include "scheme.h"
#include "state.h"
#include "watchdog.h"

extern const char monitor_table[]; /* defined in table.S */
extern struct monitor_state monitor_state;

__attribute__((section(".bss.monitor_state"))) struct monitor_state monitor_state;

/* The value of mscratch while the program runs, for serve.S. */
extern struct monitor_state monitor_scratch __attribute__((alias("monitor_state")));

/* In the program's memory, at the place that the linker script gives to this section. */
__attribute__((section(".monitor_page"))) struct monitor_page monitor_page;

/* Both views are open: a user-level interrupt that the program sets up leads only to user mode. */
const struct rows_controller monitor_controller = {
    .open_base = TRAPEZE_CLIC_BASE,
    .open_size = 0x10000U,
    .closed_size = 0U,
    .watchdog = TRAPEZE_CLIC_IRQ_ATTR_SHV_MASK,
};
_Static_assert(TRAPEZE_CLIC_USER_BASE + TRAPEZE_CLIC_USER_SIZE == TRAPEZE_CLIC_BASE + 0x10000U,
	       "the region is both views");

void monitor_disable(void)
{
	monitor_state.enabled = 0U;
	monitor_page.enabled = 0U;
}

/* A source in the list would be enabled as the page says, and so by the program. */
bool watchdog_free(void)
{
	return monitor_state.next[MONITOR_WATCHDOG_SOURCE] == 0U;
}

void monitor_scheme_init(void)
{
	/* Volatile, so that the compiler does not turn the loop into a call of memset(). */
	volatile uint32_t *words = (volatile uint32_t *)&monitor_page;

	for (uint32_t word = 0U; word < sizeof(monitor_page) / sizeof(uint32_t); word++) {
		words[word] = 0U;
	}
	words = (volatile uint32_t *)&monitor_state;
	for (uint32_t word = 0U; word < sizeof(monitor_state) / sizeof(uint32_t); word++) {
		words[word] = 0U;
	}
	monitor_state.masked = (uint32_t)&monitor_state;
	monitor_page.mhartid = csr_read(CSR_MHARTID);
	csr_write(CSR_MTVEC, (uint32_t)monitor_trap | MTVEC_MODE_CLIC);
	csr_write(CSR_MTVT, (uint32_t)monitor_table);
	csr_write(CSR_MSCRATCH, (uint32_t)&monitor_state);
	watchdog_init();
}
