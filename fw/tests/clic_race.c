/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: an interrupt of a higher level at every distance after a lower one; each is served once
config: [mcu-clic, mcu-clic-e, mcu-fastirq, mcu-fastirq-e]
engines: [rtl]
qemu: it has no CLIC
irq:
  - {edge: "24@40000:pulse", times: 138, every: 1500}
  - {edge: "25@40000:pulse", times: 46, every: 1501}
  - {edge: "25@109000:pulse", times: 46, every: 1501}
  - {edge: "25@178000:pulse", times: 46, every: 1501}
expect: |
  PASS
*/
#include "clic_test.h"

/* Pairs of interrupts for each kind of entry. */
#define PAIRS 46U

enum {
	LOW = IRQ_PLATFORM(24),
	HIGH
};

static volatile uint32_t served[2];

static void handler(void *arg)
{
	uint32_t irq = (uint32_t)arg;

	CHECK_EQ(irq_level_current(), irq == HIGH ? LEVEL_3 : LEVEL_2);
	served[irq - LOW]++;
}

static void play(bool vectored, enum irq_entry entry)
{
	uint32_t before = served[0];

	irq_entry_set(entry);
	irq_vectored_set(LOW, vectored);
	irq_vectored_set(HIGH, vectored);
	irq_unlock_all();
	while (served[0] < before + PAIRS || served[1] < before + PAIRS) {
	}
	(void)irq_lock();
	CHECK_EQ(served[0], before + PAIRS);
	CHECK_EQ(served[1], before + PAIRS);
	CHECK_EQ(irq_level_current(), 0U);
}

int main(void)
{
	test_begin();
	irq_level_bits_set(2U);
	for (unsigned int irq = LOW; irq <= HIGH; irq++) {
		irq_trigger_set(irq, IRQ_TRIGGER_RISING);
		irq_level_set(irq, irq == HIGH ? LEVEL_3 : LEVEL_2);
		(void)irq_connect(irq, handler, (void *)irq);
		irq_enable(irq);
	}
	play(true, IRQ_ENTRY_CAREFUL);
	play(false, IRQ_ENTRY_XNXTI);
	play(false, IRQ_ENTRY_JALXNXTI);
	CHECK_NO_TRAP();
	return test_end();
}
