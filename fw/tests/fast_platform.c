/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: platform lines begin at the configuration's source, and sources without a wire can be made pending
config: [mcu-fastirq, mcu-fastirq-16, mcu-fastirq-256]
engines: [rtl]
qemu: it has no fastirq
irq: ["0@20000", "1@20600", "2@21200", "3@21800", "0@22400:pulse", "1@22400:pulse", "2@22400:pulse", "3@22400:pulse"]
expect: |
  PASS
*/
#include "fast_test.h"

#define LINES 4U

static volatile uint32_t count;
static volatile uint32_t times_taken[LINES];
static volatile uint32_t others;

static void line_handler(void)
{
	uint32_t cause = TEST_CAUSE(csr_read(CSR_MCAUSE));

	CHECK((cause & MCAUSE_INTERRUPT) != 0U);
	cause &= MCAUSE_CODE;
	CHECK(cause >= IRQ_PLATFORM(0) && cause < IRQ_PLATFORM(LINES));
	if (cause >= IRQ_PLATFORM(0) && cause < IRQ_PLATFORM(LINES)) {
		times_taken[cause - IRQ_PLATFORM(0)]++;
	}
	count++;
}

static void other_handler(void)
{
	others += csr_read(CSR_MCAUSE) & MCAUSE_CODE;
}

int main(void)
{
	test_begin();
	CHECK_EQ(IRQ_PLATFORM(0), TRAPEZE_IRQ_LINE_BASE);

	for (uint32_t line = 0; line < LINES; line++) {
		(void)irq_fast_connect(IRQ_PLATFORM(line), line_handler, true);
		irq_trigger_set(IRQ_PLATFORM(line), IRQ_TRIGGER_RISING);
		irq_enable(IRQ_PLATFORM(line));
	}
	irq_unlock_all();
	while (count < 2U * LINES) {
	}
	(void)irq_lock();
	for (uint32_t line = 0; line < LINES; line++) {
		CHECK_EQ(times_taken[line], 2U);
		irq_disable(IRQ_PLATFORM(line));
	}

	/* Every source that exists, with a wire or not, and no source behind the last. */
	for (uint32_t irq = 0; irq < IRQ_COUNT; irq++) {
		CHECK_EQ(irq_fast_connect(irq, other_handler, false), 0);
		irq_trigger_set(irq, IRQ_TRIGGER_RISING);
		irq_enable(irq);
		irq_unlock_all();
		others = 0U;
		clic_raise(irq);
		CHECK_EQ(others, irq);
		(void)irq_lock();
		irq_disable(irq);
		irq_trigger_set(irq, IRQ_TRIGGER_HIGH);
	}
	irq_enable(IRQ_COUNT);
	CHECK(!irq_is_enabled(IRQ_COUNT));
	CHECK_NO_TRAP();
	return test_end();
}
