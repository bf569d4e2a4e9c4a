/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: all sources at once are taken in the order platform 15 to 0, external, software, timer
config: [mcu-clint, mcu-clint-e]
engines: [rtl]
qemu: it has no platform lines
irq: ["0@1000", "1@1000", "2@1000", "3@1000", "4@1000", "5@1000", "6@1000", "7@1000",
      "8@1000", "9@1000", "10@1000", "11@1000", "12@1000", "13@1000", "14@1000", "15@1000"]
expect: |
  PASS
*/
#include <trapeze/irq.h>
#include <trapeze/map.h>
#include <trapeze/timer.h>
#include <trapeze/uart.h>

#include "test.h"

#define IER (*(volatile uint8_t *)(TRAPEZE_UART_BASE + TRAPEZE_UART_IER_OFFSET))

static volatile uint32_t count;
static volatile uint32_t order[32];

static void handler(void *arg)
{
	order[count & 31U] = (uint32_t)arg;
	count++;
	switch ((uint32_t)arg) {
	case IRQ_SOFTWARE:
		irq_software_set(false);
		break;
	case IRQ_TIMER:
		timer_cancel_alarm();
		break;
	case IRQ_EXTERNAL:
		IER = 0;
		break;
	default:
		break;
	}
}

int main(void)
{
	test_begin();
	for (uint32_t irq = 1; irq < IRQ_COUNT; irq++) {
		(void)irq_connect(irq, handler, (void *)irq);
	}
	irq_software_set(true);
	timer_set_alarm(0U);
	IER = TRAPEZE_UART_IER_ETBEI_MASK; /* the transmitter is empty */
	while (csr_read(CSR_MIP) != 0xffff0888U) {
	}
	csr_write(CSR_MIE, UINT32_MAX);
	irq_unlock_all();
	irq_lock();
	CHECK_EQ(count, 19U);
	for (uint32_t i = 0; i < 16U; i++) {
		CHECK_EQ(order[i], 31U - i);
	}
	CHECK_EQ(order[16], IRQ_EXTERNAL);
	CHECK_EQ(order[17], IRQ_SOFTWARE);
	CHECK_EQ(order[18], IRQ_TIMER);
	CHECK_EQ(csr_read(CSR_MIP), 0U);
	return test_end();
}
