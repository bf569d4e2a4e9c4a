/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: with interrupts of its own a program in user mode has critical sections, nested handlers, waits and direct
  handlers as in machine mode
config: [mcu-user, mcu-user-e]
monitor: direct
engines: [rtl]
qemu: it has no CLIC
expect: |
  PASS
*/
#include <trapeze/irq.h>
#include <trapeze/irq_clic.h>
#include <trapeze/timer.h>

#include "test.h"

/* Platform lines without a signal, edge-triggered: software makes them pending. C's vector is a direct handler of its
 * own.
 */
#define A IRQ_PLATFORM(4) /* 20 */
#define B IRQ_PLATFORM(5)
#define C 22

#define LEVEL_A 0x3fU
#define LEVEL_B 0x7fU
#define LEVEL_C 0xbfU

/* The order of handlers: a letter for the beginning of each handler, '.' for its end. */
static char order[16];
static volatile uint32_t order_count;
static volatile uint32_t level_seen;
static volatile uint32_t raised_in_a;

static void note(char what)
{
	uint32_t at = order_count;

	if (at < sizeof(order)) {
		order[at] = what;
	}
	order_count = at + 1U;
}

static bool order_is(const char *expected)
{
	uint32_t length = order_count;

	order_count = 0U;
	for (uint32_t at = 0U; at < length; at++) {
		if (expected[at] != order[at]) {
			return false;
		}
	}
	return expected[length] == '\0';
}

static void on_a(void *arg)
{
	note('a');
	level_seen = irq_level_current();
	CHECK_EQ((uint32_t)arg, 0x1234U);
	if (raised_in_a != 0U) {
		irq_pending_set(raised_in_a, true);
	}
	note('.');
}

static void on_b(void *arg)
{
	(void)arg;
	note('b');
	note('.');
}

static void fast_b(void)
{
	note('B');
	CHECK_EQ(csr_read(CSR_USTATUS) & USTATUS_UIE, 0U);
	irq_pending_set(C, true);
	note('.');
}

TRAPEZE_IRQ_DIRECT(22)
{
	note('c');
	level_seen = irq_level_current();
	note('.');
}

static void on_timer(void *arg)
{
	(void)arg;
	timer_cancel_alarm();
	note('t');
}

static void on_software(void *arg)
{
	(void)arg;
	irq_software_set(false);
	note('s');
}

static void setup(unsigned int irq, uint8_t level)
{
	irq_trigger_set(irq, IRQ_TRIGGER_RISING);
	irq_level_set(irq, level);
	irq_enable(irq);
}

static void check_locks(void)
{
	irq_pending_set(A, true);
	CHECK(order_is("a."));
	CHECK_EQ(level_seen, LEVEL_A);
	CHECK_EQ(irq_level_current(), 0U);

	unsigned int key = irq_lock();
	unsigned int inner = irq_lock();

	irq_pending_set(A, true);
	irq_pending_set(C, true);
	CHECK(irq_is_pending(A));
	irq_unlock(inner);
	CHECK(order_is(""));
	irq_unlock(key);
	CHECK(order_is("c.a."));

	irq_disable(A);
	irq_pending_set(A, true);
	CHECK(order_is(""));
	irq_enable(A);
	(void)irq_is_enabled(A);
	CHECK(order_is("a."));

	CHECK_EQ(irq_threshold_set(LEVEL_B), 0U);
	irq_pending_set(B, true);
	irq_pending_set(C, true);
	CHECK(order_is("c."));
	CHECK_EQ(irq_threshold_set(0U), LEVEL_B);
	(void)irq_is_enabled(A);
	CHECK(order_is("b."));
}

static void check_nesting(void)
{
	/* A handler of a higher level runs inside of this one, one of an equal level after it. */
	raised_in_a = C;
	irq_pending_set(A, true);
	CHECK(order_is("ac.."));
	raised_in_a = B;
	irq_pending_set(A, true);
	CHECK(order_is("ab.."));
	irq_level_set(B, LEVEL_A);
	irq_pending_set(A, true);
	CHECK(order_is("a.b."));
	irq_level_set(B, LEVEL_B);
	raised_in_a = 0U;

	/* A handler with interrupts disabled is not preempted, and its euret chains to the next interrupt. */
	CHECK_EQ(irq_fast_connect(B, fast_b, false), 0);
	irq_pending_set(B, true);
	CHECK(order_is("B.c."));
	CHECK_EQ(irq_fast_connect(B, NULL, true), 0);
}

/* Not vectored: the loops at utvec call the functions of the table. */
static void check_not_vectored(enum irq_entry entry)
{
	irq_entry_set(entry);
	irq_vectored_set(A, false);
	irq_vectored_set(B, false);
	raised_in_a = C;
	irq_pending_set(A, true);
	CHECK(order_is("ac.."));
	raised_in_a = 0U;

	unsigned int key = irq_lock();

	irq_pending_set(A, true);
	irq_pending_set(B, true);
	irq_unlock(key);
	CHECK(order_is("b.a."));
	irq_vectored_set(A, true);
	irq_vectored_set(B, true);
}

static void check_devices(void)
{
	timer_set_alarm(timer_now() + 200U);

	unsigned int key = irq_lock();

	while (order_count == 0U) {
		irq_wait();
		irq_unlock(key);
		key = irq_lock();
	}
	irq_unlock(key);
	CHECK(order_is("t"));
	irq_software_set(true);
	CHECK(order_is("s"));
}

int main(void)
{
	test_begin();
	irq_level_bits_set(2U);
	CHECK_EQ(irq_level_bits_get(), 2U);
	(void)irq_connect(A, on_a, (void *)0x1234U);
	(void)irq_connect(B, on_b, NULL);
	(void)irq_connect(IRQ_TIMER, on_timer, NULL);
	(void)irq_connect(IRQ_SOFTWARE, on_software, NULL);
	setup(A, LEVEL_A);
	setup(B, LEVEL_B);
	setup(C, LEVEL_C);
	irq_enable(IRQ_TIMER);
	irq_enable(IRQ_SOFTWARE);
	irq_unlock_all();
	CHECK(csr_read(CSR_INSTRET) != csr_read(CSR_INSTRET));
	check_locks();
	check_nesting();
	check_not_vectored(IRQ_ENTRY_CAREFUL);
	check_not_vectored(IRQ_ENTRY_XNXTI);
	check_devices();
	return test_end();
}
