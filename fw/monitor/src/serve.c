/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/*
 * Monitor, all schemes but `emulate`: calls of the watchdog, forbidden accesses, and a watchdog that has expired. An
 * error is reported, and ends the run or starts the program again.
 */
#include <stdint.h>

#include <trapeze/clic.h>
#include <trapeze/clint.h>
#include <trapeze/csr.h>
#include <trapeze/map.h>
#include <trapeze/monitor.h>
#include <trapeze/probe.h>
#include <trapeze/random.h>
#include <trapeze/stress.h>
#include <trapeze/timers.h>

#include "scheme.h"
#include "watchdog.h"

/* misa: the hart has user-level interrupts. */
#define MISA_N (1U << ('N' - 'A'))

/* monitor_serve() is called by assembly; the others are assembly. */
uint32_t monitor_serve(const struct monitor_place *place, uint32_t argument);
__attribute__((noreturn)) void monitor_again(void);
__attribute__((noreturn)) void monitor_level_again(void);
__attribute__((noreturn)) void monitor_resume_at(uint32_t pc, uint32_t mcause, uint32_t mepc,
						 uint32_t mtval);

/*
 * For tests: a checksum of the monitor: its code and constants, the CSRs that keep the program out, and the watchdog's
 * source. It stays the same as long as the program has not changed the monitor.
 */
static uint32_t monitor_checksum(void)
{
	uint32_t sum = 0U;

#define ADD(value)       (sum = (sum << 5 | sum >> 27) + (value))
#define ADD_CSR(number)  ADD(csr_read(number));
#define ADD_ROW(n)       ADD_CSR(CSR_PMPADDR0 + n)
#define ADD_FOUR_ROWS(n) ADD_ROW(n) ADD_ROW(n + 1) ADD_ROW(n + 2) ADD_ROW(n + 3)
	for (const uint32_t *word = (const uint32_t *)monitor_rom_start;
	     word < (const uint32_t *)monitor_rom_end; word++) {
		ADD(*word);
	}
	ADD_FOUR_ROWS(0)
	ADD_FOUR_ROWS(4)
	ADD_FOUR_ROWS(8)
	ADD_FOUR_ROWS(12)
	ADD_CSR(CSR_PMPCFG0)
	ADD_CSR(CSR_PMPCFG0 + 1)
	ADD_CSR(CSR_PMPCFG0 + 2)
	ADD_CSR(CSR_PMPCFG0 + 3)
	ADD_CSR(CSR_MTVEC)
	ADD_CSR(CSR_MTVT)
	ADD_CSR(CSR_MCOUNTEREN)
	ADD_CSR(CSR_MINTTHRESH)
	ADD(csr_read(CSR_MSTATUS) & MSTATUS_MIE);
	ADD(monitor_again_count);
	ADD(*(volatile uint32_t *)MONITOR_WATCHDOG_WORD & ~1U);
	return sum;
}

static void copy(const char *start, const char *end, const volatile uint32_t **from)
{
	for (volatile uint32_t *to = (volatile uint32_t *)start; to < (volatile uint32_t *)end;
	     to++) {
		*to = *(*from)++;
	}
}

/* Stops the latency measurement, whose timers, generators and probes a program can start, and sets it back. */
static void restore_measurement(void)
{
	static const uint32_t probes[] = {TRAPEZE_PROBE_REGS0_BASE, TRAPEZE_PROBE_REGS1_BASE};
	const uint32_t random = TRAPEZE_PROBE_RANDOM_BASE, stress = TRAPEZE_PROBE_STRESS_BASE;

	for (uint32_t n = 0U; n < TRAPEZE_TIMERS_CHANNEL_CONTROL_COUNT; n++) {
		const uint32_t timer =
		    TRAPEZE_PROBE_TIMER_BASE + n * TRAPEZE_TIMERS_CHANNEL_CONTROL_STRIDE;

		monitor_store(timer + TRAPEZE_TIMERS_CHANNEL_CONTROL_OFFSET, 0U);
		monitor_store(timer + TRAPEZE_TIMERS_CHANNEL_PERIOD_OFFSET, 0U);
		monitor_store(timer + TRAPEZE_TIMERS_CHANNEL_STATUS_OFFSET,
			      TRAPEZE_TIMERS_CHANNEL_STATUS_EXPIRED_MASK);
	}
	for (uint32_t n = 0U; n < 2U; n++) {
		monitor_store(probes[n] + TRAPEZE_PROBE_CONTROL_OFFSET,
			      TRAPEZE_PROBE_CONTROL_CLEAR_MASK);
		monitor_store(probes[n] + TRAPEZE_PROBE_HISTOGRAM_SCALE_OFFSET, 0U);
		monitor_store(probes[n] + TRAPEZE_PROBE_ALARM_LAT_OFFSET,
			      UINT32_MAX); /* 0 is a limit */
	}
	monitor_store(random + TRAPEZE_RANDOM_CONTROL_OFFSET, TRAPEZE_RANDOM_CONTROL_ACK_MASK);
	monitor_store(random + TRAPEZE_RANDOM_SEED_OFFSET, TRAPEZE_RANDOM_SEED_RESET);
	monitor_store(stress + TRAPEZE_STRESS_RATE_OFFSET, TRAPEZE_STRESS_RATE_RESET);
	monitor_store(stress + TRAPEZE_STRESS_SEED_OFFSET, TRAPEZE_STRESS_SEED_RESET);
	monitor_store(stress + TRAPEZE_STRESS_BANKS_OFFSET, TRAPEZE_STRESS_BANKS_RESET);
}

/* Sets memory and devices back to their state at the program's first start. What the program's start-up code clears
 * itself is left to it.
 */
static void restore(void)
{
	const volatile uint32_t *from = (const volatile uint32_t *)MONITOR_OPTION(monitor_pristine);
	volatile uint32_t *source =
	    (volatile uint32_t *)(TRAPEZE_CLIC_BASE + TRAPEZE_CLIC_IRQ_IP_OFFSET);
	volatile uint32_t *clint = (volatile uint32_t *)TRAPEZE_CLINT_BASE;

	copy(program_vectors_start, program_vectors_end, &from);
	copy(program_data_start, program_data_end, &from);
	__asm__ volatile("fence.i" : : : "memory");
	restore_measurement(); /* before the CLIC forgets what it has asked for */
	monitor_store(TRAPEZE_CLIC_BASE + TRAPEZE_CLIC_MCLICCFG_OFFSET, 0U);
	for (uint32_t irq = 0U; irq < IRQ_COUNT; irq++) {
		/* A pending bit of a level-triggered source cannot be cleared, so the trigger is an edge first. */
		volatile uint8_t *bytes = (volatile uint8_t *)&source[irq];

		bytes[1] = 0U;
		bytes[2] = TRAPEZE_CLIC_IRQ_ATTR_MODE_MASK |
			   (TRAPEZE_CLIC_IRQ_ATTR_TRIG_RISING << TRAPEZE_CLIC_IRQ_ATTR_TRIG_SHIFT);
		bytes[0] = 0U;
		bytes[2] = TRAPEZE_CLIC_IRQ_ATTR_RESET;
		bytes[3] = TRAPEZE_CLIC_IRQ_CTL_RESET;
	}
	clint[TRAPEZE_CLINT_MSIP_OFFSET / 4] = 0U;
	clint[TRAPEZE_CLINT_MTIMECMP_HI_OFFSET / 4] = UINT32_MAX;
	clint[TRAPEZE_CLINT_MTIMECMP_LO_OFFSET / 4] = UINT32_MAX;
	monitor_restore_uart();
}

/* Sets user mode's registers for interrupts of its own to 0 if the hart has them: a program may write them under any
 * scheme. Starts the program again.
 */
__attribute__((noreturn)) static void again(void)
{
	if ((csr_read(CSR_MISA) & MISA_N) == 0U) {
		monitor_again();
	}
	csr_write(CSR_UTVEC, 0U);
	csr_write(CSR_UTVT, 0U);
	csr_write(CSR_USCRATCH, 0U);
	csr_write(CSR_UTVAL, 0U);
	csr_write(CSR_UINTTHRESH, 0U);
#ifdef TRAPEZE_IRQ_FAST
	csr_write(CSR_UFASTIRQ, 0U);
#endif
	monitor_level_again();
}

uint32_t monitor_serve(const struct monitor_place *place, uint32_t argument)
{
	uint32_t restarts = MONITOR_OPTION(monitor_restarts);
	uint32_t resume = MONITOR_OPTION(monitor_resume);

	if ((place->mcause & ((uint32_t)MCAUSE_INTERRUPT | MCAUSE_CODE)) ==
	    MCAUSE_ILLEGAL_INSTRUCTION) {
		if (place->mtval == MONITOR_WATCHDOG_KICK) {
			watchdog_kick();
			return 0U;
		}
		if (place->mtval == MONITOR_WATCHDOG_START) {
			return watchdog_start(argument);
		}
		if (place->mtval == MONITOR_CHECKSUM && resume != 0U) {
			return monitor_checksum();
		}
	}
	if (resume != 0U) {
		monitor_disable();
		if ((place->mcause & (uint32_t)MCAUSE_INTERRUPT) != 0U) {
			watchdog_again();
		}
		monitor_resume_at(resume, place->mcause, place->mepc, place->mtval);
	}
	monitor_report(place, 0);
	if (monitor_again_count >= restarts) {
		monitor_end();
	}
	monitor_again_count++;
	monitor_put_hex("monitor: restart 0x", monitor_again_count);
	monitor_put_hex(" of 0x", restarts);
	monitor_put("\n");
	restore();
	again();
}
