/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: FreeRTOS with nested interrupts - those up to the maximum level wait for critical sections and wake tasks,
  those above it never wait
rtos: freertos
config: [mcu-clic, mcu-clic-e, mcu-fastirq, mcu-fastirq-e]
engines: [rtl]
qemu: it has no CLIC
args: [-DconfigTRAPEZE_CHECKS=1, -DconfigTICK_RATE_HZ=20000]
expect: |
  PASS
*/
#include <stdbool.h>
#include <stdlib.h>

#include <FreeRTOS.h>
#include <queue.h>
#include <task.h>
#include <trapeze/irq.h>
#include <trapeze/irq_clic.h>
#include <trapeze/map.h>

#include "test.h"

/* Sources whose wires have no edges: software makes them pending. */
#define LOWER  IRQ_PLATFORM(0)
#define UPPER  IRQ_PLATFORM(1)
#define ABOVE  IRQ_PLATFORM(2)
#define LEVELS 200U

static QueueHandle_t queue;
static volatile uint32_t lower;
static volatile uint32_t upper;
static volatile uint32_t above;
static volatile uint32_t upper_seen; /* seen by the lower handler, which it preempts */
static volatile uint32_t received;
static volatile uint32_t last;
static volatile uint32_t worst_depth;

extern volatile uint32_t freertos_interrupt_depth;

static bool on_interrupt_stack(void)
{
	uint32_t here = (uint32_t)__builtin_frame_address(0);

	return here > TRAPEZE_SMEM_BASE && here <= TRAPEZE_SMEM_BASE + TRAPEZE_SMEM_SIZE;
}

static void note_depth(void)
{
	if (freertos_interrupt_depth > worst_depth) {
		worst_depth = freertos_interrupt_depth;
	}
}

static void on_above(void *arg)
{
	(void)arg;
	above++;
	note_depth();
	CHECK_EQ(irq_level_current(), 0xefU);
}

static void on_upper(void *arg)
{
	(void)arg;
	BaseType_t woken = pdFALSE;
	uint32_t value = ++upper;

	note_depth();
	CHECK(on_interrupt_stack());
	uint32_t before = above;
	UBaseType_t saved = taskENTER_CRITICAL_FROM_ISR();
	irq_pending_set(ABOVE, true);
	CHECK_EQ(above, before + 1U);
	taskEXIT_CRITICAL_FROM_ISR(saved);
	CHECK_EQ(xQueueSendFromISR(queue, &value, &woken), pdPASS);
	portYIELD_FROM_ISR(woken);
}

static void on_lower(void *arg)
{
	(void)arg;
	uint32_t got = received;

	lower++;
	note_depth();
	CHECK(on_interrupt_stack());
	uint32_t before = upper;
	irq_pending_set(UPPER, true);
	upper_seen = upper - before;
	/* The task that the upper handler woke runs only after all handlers have ended. */
	CHECK_EQ(received, got);
	CHECK_EQ(irq_level_current(), 0x3fU);
}

static void receiver(void *arg)
{
	uint32_t value;

	(void)arg;
	for (;;) {
		CHECK_EQ(xQueueReceive(queue, &value, portMAX_DELAY), pdPASS);
		CHECK_EQ(value, last + 1U);
		CHECK(!on_interrupt_stack());
		CHECK_EQ(irq_level_current(), 0U);
		last = value;
		received++;
	}
}

static void sections(void)
{
	uint32_t before = received;
	uint32_t high = above;

	taskENTER_CRITICAL();
	taskENTER_CRITICAL();
	irq_pending_set(LOWER, true);
	irq_pending_set(ABOVE, true);
	CHECK_EQ(above, high + 1U);
	CHECK(irq_is_pending(LOWER));
	taskEXIT_CRITICAL();
	CHECK(irq_is_pending(LOWER));
	CHECK_EQ(received, before);
	taskEXIT_CRITICAL();
	/* order: lower, upper preempts it, above preempts that, then the receiver */
	CHECK_EQ(received, before + 1U);
	CHECK_EQ(upper_seen, 1U);
	CHECK_EQ(above, high + 2U);

	/* A yield inside of a critical section takes effect at its end. */
	taskENTER_CRITICAL();
	taskYIELD();
	CHECK_EQ(received, before + 1U);
	taskEXIT_CRITICAL();
}

static void player(void *arg)
{
	(void)arg;
	for (uint32_t round = 0; round < LEVELS; round++) {
		uint32_t before = received;

		sections();
		irq_pending_set(LOWER, true);
		CHECK_EQ(received, before + 2U);
		vTaskSuspendAll();
		irq_pending_set(UPPER, true);
		CHECK_EQ(received, before + 2U);
		(void)xTaskResumeAll();
		CHECK_EQ(received, before + 3U);
	}
	CHECK_EQ(lower, 2U * LEVELS);
	CHECK_EQ(upper, 3U * LEVELS);
	CHECK_EQ(above, 4U * LEVELS);
	CHECK_EQ(worst_depth, 3U);
	CHECK(xTaskGetTickCount() > 5U);
	CHECK_NO_TRAP();
	exit(test_end());
}

static void setup(unsigned int irq, irq_handler_t handler, uint8_t level)
{
	CHECK_EQ(irq_connect(irq, handler, NULL), 0U);
	irq_trigger_set(irq, IRQ_TRIGGER_RISING);
	irq_level_set(irq, level);
	irq_enable(irq);
}

int main(void)
{
	test_begin();
	queue = xQueueCreate(4, sizeof(uint32_t));
	setup(LOWER, on_lower, 0x3f);
	setup(UPPER, on_upper, 0x7f);
	setup(ABOVE, on_above, 0xef);
	CHECK_EQ(xTaskCreate(player, "player", configMINIMAL_STACK_SIZE, NULL, 1, NULL), pdPASS);
	CHECK_EQ(xTaskCreate(receiver, "receiver", configMINIMAL_STACK_SIZE, NULL, 2, NULL),
		 pdPASS);
	vTaskStartScheduler();
	return 1;
}
