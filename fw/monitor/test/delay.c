/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/*
 * How late the watchdog can be: cycles from the end of the period to the program's first instruction after the monitor.
 * Prints one line for each way to delay it: its name, and the most cycles over PHASES periods of different lengths.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "attack.h"

#define PERIOD 4000U

static uint32_t attack;
static uint32_t phase;
static uint32_t begun;
static uint32_t most;
static uint32_t strays;

static void loop(void)
{
	for (;;) {
	}
}

static void locked(void)
{
	attack_disable();
	for (;;) {
		__asm__ volatile("div a0, a0, a1\n\tdivu a2, a0, a1" : : : "a0", "a2");
	}
}

/* Every source is pending, and the program enables each again as fast as it can. */
static void storm(void)
{
	attack_connect();
	attack_enable();
	for (;;) {
		for (uint32_t source = 16U; source < IRQ_COUNT; source++) {
			if (source != TRAPEZE_IRQ_LINE_BASE + 15U) {
				attack_raise(source);
			}
		}
	}
}

/* All sources become pending while interrupts are disabled; then the program enables interrupts. */
static void burst(void)
{
	attack_connect();
	for (;;) {
		attack_disable();
		for (uint32_t source = 16U; source < IRQ_COUNT; source++) {
			if (source != TRAPEZE_IRQ_LINE_BASE + 15U) {
				attack_raise(source);
			}
		}
		attack_enable();
	}
}

/* The monitor holds back every source; then the program enables them all by one call, near the period's end: the
 * watchdog waits for the end of the call, and for the sources with a higher number.
 */
static void noted(void)
{
	uint32_t enabled_at = PERIOD - 8U * (PHASES - phase) + 100U;

	attack_connect();
	attack_disable();
	for (uint32_t source = 1U; source < IRQ_COUNT; source++) {
		if (source != TRAPEZE_IRQ_LINE_BASE + 15U) {
			attack_raise(source);
			monitor_watchdog_kick();
		}
	}
	/* Those with a lower number would come between the watchdog and this program's way back, which is measured. */
	for (uint32_t source = 1U; source < TRAPEZE_IRQ_LINE_BASE + 15U; source++) {
		attack_source(source)[0] = 0U;
	}
	monitor_watchdog_kick();
	begun = csr_read(CSR_CYCLE);
	while (csr_read(CSR_CYCLE) - begun < enabled_at) {
	}
	attack_enable();
	loop();
}

static void sp_in_the_monitor(void)
{
	attack_connect();
	attack_raise(IRQ_COUNT - 1U);
	attack_raise(17U);
	__asm__ volatile("la sp, monitor_stack_place\n1: j 1b");
	__builtin_unreachable();
}
__asm__(".set monitor_stack_place, 0x80100100");

static void calls(void)
{
	for (;;) {
		attack_disable();
		attack_enable();
		__asm__ volatile("li t0, 0\n\tecall" : : : "t0", "t1", "t2", "a0", "memory");
	}
}

static void waiting(void)
{
	for (;;) {
		__asm__ volatile("wfi");
	}
}

static const struct {
	const char *name;
	void (*run)(void);
} attacks[] = {
    {"loop", loop},       {"locked", locked},        {"storm", storm},
    {"burst", burst},     {"sp", sp_in_the_monitor}, {"calls", calls},
    {"waiting", waiting}, {"noted", noted},
};

__attribute__((noreturn)) static void next(void)
{
	attack_quiet();
	if (phase == PHASES) {
		printf("%s %lu\n", attacks[attack].name, (unsigned long)most);
		most = 0U;
		phase = 0U;
		attack++;
	}
	if (attack == sizeof(attacks) / sizeof(attacks[0])) {
		exit(0);
	}
	if (monitor_watchdog_start(PERIOD)) {
		puts("the program has changed the period");
		exit(1);
	}
	/* The phase shifts the point in the program at which the period ends. */
	monitor_watchdog_kick();
	begun = csr_read(CSR_CYCLE);
	for (uint32_t cycle = 0U; cycle < phase; cycle++) {
		__asm__ volatile("nop");
	}
	strays = 0U;
	attacks[attack].run();
	exit(2);
}

void attack_resumed(uint32_t mcause, uint32_t mepc, uint32_t mtval)
{
	uint32_t late = csr_read(CSR_CYCLE) - begun - PERIOD;

	if ((mcause & ATTACK_EXPIRED) == 0U) {
		/* The attempt was refused before the period ended (a frame into the monitor's memory): try again. */
		if (++strays < 10000U) {
			attacks[attack].run();
		}
		printf("%s: %lx at %lx, %lx\n", attacks[attack].name, (unsigned long)mcause,
		       (unsigned long)mepc, (unsigned long)mtval);
		exit(3);
	}
	most = (int32_t)late > (int32_t)most ? late : most;
	phase++;
	next();
}

void attack_interrupted(void)
{
	attacks[attack].run();
	exit(4);
}

int main(void)
{
	if (!monitor_watchdog_start(PERIOD)) {
		return 5;
	}
	next();
}
