/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/*
 * The scenarios on the CLINT, with the software interrupt and the timer interrupt. Software has the higher fixed
 * priority. Where the CLIC has a setting, these scenarios try to have the same effect.
 */
#include <trapeze/clic.h>
#include <trapeze/csr.h>
#include <trapeze/irq.h>
#include <trapeze/map.h>
#include <trapeze/timer.h>

#include "scenarios.h"

extern const char __trap_vector[];

/* Action of the next handler, which runs with interrupts enabled. */
static void (*inside)(void);

/* Handlers clear their source, then enable all interrupts that the controller lets preempt. */
static void body(uint32_t irq)
{
	void (*run)(void) = inside;

	inside = NULL;
	log_event(irq);
	if (run != NULL) {
		uint32_t mepc = csr_read(CSR_MEPC);
		uint32_t mstatus = csr_read(CSR_MSTATUS);

		irq_unlock_all();
		run();
		settle();
		(void)irq_lock();
		csr_write(CSR_MSTATUS, mstatus);
		csr_write(CSR_MEPC, mepc);
		log_event(irq | LOG_END);
	}
}

static void software_handler(void *arg)
{
	(void)arg;
	irq_software_set(false);
	body(IRQ_SOFTWARE);
}

static void timer_handler(void *arg)
{
	(void)arg;
	timer_cancel_alarm();
	body(IRQ_TIMER);
}

static void raise_software(void)
{
	irq_software_set(true);
	settle();
}

static void raise_timer(void)
{
	timer_set_alarm(0U);
	settle();
}

static void setup(void)
{
	inside = NULL;
	timer_cancel_alarm();
	(void)irq_connect(IRQ_SOFTWARE, software_handler, NULL);
	(void)irq_connect(IRQ_TIMER, timer_handler, NULL);
	irq_enable(IRQ_SOFTWARE);
	irq_enable(IRQ_TIMER);
}

/* Makes both pending together. */
static void raise_both(void)
{
	(void)irq_lock();
	raise_software();
	raise_timer();
	irq_unlock_all();
	settle();
}

static bool vertical(void)
{
	setup();
	user_call(raise_software);
	return LOG_IS(IRQ_SOFTWARE);
}

/* The less important interrupt must wait, the more important one must not. */
static bool horizontal(void)
{
	setup();
	irq_unlock_all();
	inside = raise_software;
	raise_timer();
	if (!LOG_IS(IRQ_TIMER, IRQ_SOFTWARE, IRQ_TIMER | LOG_END)) {
		return false;
	}
	log_clear();
	inside = raise_timer;
	raise_software();
	return LOG_IS(IRQ_SOFTWARE, IRQ_SOFTWARE | LOG_END, IRQ_TIMER);
}

/* All interrupts are equal, because there are no levels: none may preempt another. */
static bool equal_level(void)
{
	setup();
	irq_unlock_all();
	inside = raise_software;
	raise_timer();
	return LOG_IS(IRQ_TIMER, IRQ_TIMER | LOG_END, IRQ_SOFTWARE);
}

static bool threshold(void)
{
	setup();
	irq_unlock_all();
	__asm__ volatile("csrw " TRAPEZE_STRINGIFY(CSR_MINTTHRESH) ", %0" : : "r"(UINT8_MAX));
	raise_software();
	return log_count == 0U;
}

/* Tries to give the timer priority, for which the CLIC has settings. */
static bool by_setting(void)
{
	volatile uint8_t *ctl =
	    (volatile uint8_t *)(TRAPEZE_CLIC_BASE + TRAPEZE_CLIC_IRQ_CTL_OFFSET +
				 (IRQ_TIMER * TRAPEZE_CLIC_IRQ_CTL_STRIDE));

	setup();
	*ctl = UINT8_MAX;
	raise_both();
	return LOG_IS(IRQ_TIMER, IRQ_SOFTWARE);
}

static bool highest_id(void)
{
	setup();
	raise_both();
	return LOG_IS(IRQ_TIMER, IRQ_SOFTWARE);
}

/* Any interrupt that is enabled fires; there is no level 0. */
static bool level_0(void)
{
	setup();
	irq_unlock_all();
	raise_software();
	return log_count == 0U;
}

/* Software arrives when the timer's handler has been entered but has done nothing yet. */
static void late_handler(void *arg)
{
	raise_software();
	timer_handler(arg);
}

static bool late_arrival(void)
{
	setup();
	(void)irq_connect(IRQ_TIMER, late_handler, NULL);
	irq_unlock_all();
	raise_timer();
	return LOG_IS(IRQ_SOFTWARE, IRQ_TIMER);
}

static bool vectored(void)
{
	setup();
	raise_both();
	return LOG_IS(IRQ_SOFTWARE, IRQ_TIMER) && entry_count == 2U;
}

static bool non_vectored(void)
{
	uint32_t table = csr_swap(CSR_MTVEC, (uint32_t)__trap_vector | MTVEC_MODE_DIRECT);

	setup();
	raise_both();
	csr_write(CSR_MTVEC, table);
	return LOG_IS(IRQ_SOFTWARE, IRQ_TIMER) && entry_count == 0U;
}

/* Tries whether, in either mode, one interrupt goes through its vector and the other does not. */
static bool selective(void)
{
	(void)vectored();
	uint32_t by_vector = entry_count;

	log_clear();
	(void)non_vectored();
	return by_vector == 1U || entry_count == 1U;
}

static bool chained(void)
{
	setup();
	raise_both();
	return LOG_IS(IRQ_SOFTWARE, IRQ_TIMER) && entry_count == 1U;
}

const struct scenario scenarios[] = {
    {"vertical", vertical},         {"horizontal", horizontal},
    {"equal-level", equal_level},   {"threshold", threshold},
    {"by-level", by_setting},       {"by-priority", by_setting},
    {"highest-id", highest_id},     {"level-0", level_0},
    {"late-arrival", late_arrival}, {"vectored", vectored},
    {"non-vectored", non_vectored}, {"selective", selective},
    {"chained", chained},           {NULL, NULL},
};
