/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/*
 * On a board: the interrupted program of the experiment irq-latency, again and again, until button 1 was pressed PRESSES
 * times. Then it prints two numbers for each press: mcycle at the first instruction of the handler, and how many cycles
 * before the interrupted program began; and then how often that program had a wrong result.
 */
#include <stdint.h>

#include <trapeze/console.h>
#include <trapeze/csr.h>
#include <trapeze/irq.h>
#include <trapeze/irq_clic.h>

#include "../../../bench/irq-latency/background.h"
#include "stamps.h"

/* defined in press.S */
void press(void);
extern volatile uint32_t press_count;
extern volatile uint32_t program_began;
extern uint32_t press_stamps[PRESSES][2];

int main(void)
{
	uint32_t wrong = 0;

	irq_trigger_set(IRQ_PLATFORM(1), IRQ_TRIGGER_RISING);
	(void)irq_fast_connect(IRQ_PLATFORM(1), press, true);
	irq_enable(IRQ_PLATFORM(1));
	irq_unlock_all();
	while (press_count < PRESSES) {
		program_began = csr_read(CSR_MCYCLE);
		if (background() != BACKGROUND_CHECKSUM) {
			wrong++;
		}
	}
	for (uint32_t number = 0; number < PRESSES; number++) {
		console_put_hex(press_stamps[number][0]);
		console_putc(' ');
		console_put_hex(press_stamps[number][1]);
		console_putc('\n');
	}
	console_puts("wrong ");
	console_put_hex(wrong);
	console_putc('\n');
	return wrong == 0U ? 0 : 1;
}
