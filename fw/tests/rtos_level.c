/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: an interrupt above the maximum level that calls FreeRTOS ends the run, one at the maximum level does not
rtos: freertos
config: [mcu-clic, mcu-clic-e, mcu-fastirq, mcu-fastirq-e]
engines: [rtl]
qemu: it has no CLIC
args: [-DconfigTRAPEZE_CHECKS=1]
exit: 134
expect_regex: "first\n\nFreeRTOS: assertion failed: irq_level_current.* in task .player.\n"
*/
#include <FreeRTOS.h>
#include <task.h>
#include <trapeze/console.h>
#include <trapeze/irq.h>
#include <trapeze/irq_clic.h>

static TaskHandle_t task;

static void notify(void *arg)
{
	BaseType_t woken = pdFALSE;

	(void)arg;
	vTaskNotifyGiveFromISR(task, &woken);
	portYIELD_FROM_ISR(woken);
}

static void player(void *arg)
{
	(void)arg;
	irq_pending_set(IRQ_PLATFORM(0), true);
	(void)ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
	console_puts("first\n");
	irq_level_set(IRQ_PLATFORM(0), 0x8f);
	irq_pending_set(IRQ_PLATFORM(0), true);
	console_puts("it goes on\n");
}

int main(void)
{
	(void)irq_connect(IRQ_PLATFORM(0), notify, NULL);
	irq_trigger_set(IRQ_PLATFORM(0), IRQ_TRIGGER_RISING);
	irq_level_set(IRQ_PLATFORM(0), configMAX_SYSCALL_INTERRUPT_PRIORITY);
	irq_enable(IRQ_PLATFORM(0));
	(void)xTaskCreate(player, "player", configMINIMAL_STACK_SIZE, NULL, 1, &task);
	vTaskStartScheduler();
	return 1;
}
