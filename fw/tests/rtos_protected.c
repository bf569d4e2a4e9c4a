/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: protected tasks of FreeRTOS - a task that accesses the memory of another one ends, and the others run on
config: [mcu-user]
rtos: freertos-protected
args: [-DconfigTICK_RATE_HZ=10000, -DconfigUSE_TIME_SLICING=1]
engines: [rtl]
qemu: it has no CLIC
expect: |
  PASS
*/
#include <stdlib.h>

#include <FreeRTOS.h>
#include <port_context.h>
#include <port_rows.h>
#include <task.h>
#include <trapeze/map.h>

#include "test.h"

#define TASKS 3U
#define STACK 512U
#define TICKS 10U

/* Memory of a task: the only part, besides code, that it may access. */
struct area {
	uint32_t rounds;
	volatile uint32_t *other;
	uint8_t stack[STACK] __attribute__((aligned(16)));
};

static struct area areas[TASKS];
static struct port_rows rows[TASKS];
static TaskHandle_t tasks[TASKS];

/* What the kernel has recorded of the task that accesses foreign memory. */
static uint32_t faults;
static uint32_t fault_address;
static uint32_t ended;

/* Runs in user mode. */
static void count(void *arg)
{
	volatile struct area *mine = arg;

	for (;;) {
		mine->rounds++;
	}
}

/* Runs in user mode: counts a little, then writes to the memory of another task. */
static void reach_too_far(void *arg)
{
	struct area *mine = arg;

	for (; mine->rounds < 1000U; mine->rounds++) {
		__asm__ volatile("" : : : "memory");
	}
	*mine->other = 0xdeadbeefU;
	for (;;) {
		mine->rounds++;
	}
}

/* The task's end, in machine mode. */
static void end(void *arg)
{
	(void)arg;
	ended++;
	vTaskDelete(NULL);
}

void port_user_exception(struct port_context *context)
{
	faults++;
	fault_address = context->frame.mtval;
	CHECK_EQ(port_cause(context), MCAUSE_STORE_FAULT);
	CHECK_EQ((uint32_t)xTaskGetCurrentTaskHandle(), (uint32_t)tasks[TASKS - 1U]);
	port_leave_user(context, end, NULL);
}

/* A task in machine mode with the highest priority. It checks the others. */
static void watch(void *arg)
{
	uint32_t before[TASKS];

	(void)arg;
	vTaskDelay(TICKS);
	CHECK_EQ(faults, 1U);
	CHECK_EQ(fault_address, (uint32_t)&areas[0].rounds);
	CHECK_EQ(ended, 1U);
	for (uint32_t i = 0U; i < TASKS; i++) {
		before[i] = areas[i].rounds;
	}
	vTaskDelay(TICKS);
	for (uint32_t i = 0U; i < TASKS - 1U; i++) {
		CHECK(areas[i].rounds - before[i] - 1U < 0x1000000U);
	}
	CHECK_EQ(areas[TASKS - 1U].rounds, before[TASKS - 1U]);
	CHECK_EQ(faults, 1U);
	exit(test_end());
}

static void create(uint32_t i, TaskFunction_t function)
{
	(void)xTaskCreate(function, "task", configMINIMAL_STACK_SIZE * 2, NULL, 1, &tasks[i]);

	unsigned int row = port_rows_add(&rows[i], 0U, TRAPEZE_IMEM_BASE, TRAPEZE_IMEM_SIZE,
					 PMP_READ | PMP_EXECUTE);

	(void)port_rows_add(&rows[i], row, (uintptr_t)&areas[i], sizeof(areas[i]),
			    PMP_READ | PMP_WRITE);
	areas[i].other = &areas[0].rounds;
	port_enter_user(tasks[i], (uintptr_t)function, (uintptr_t)(&areas[i] + 1), 0U, &rows[i])
	    ->frame.x[10] = (uintptr_t)&areas[i];
}

int main(void)
{
	test_begin();
	for (uint32_t i = 0U; i < TASKS - 1U; i++) {
		create(i, count);
	}
	create(TASKS - 1U, reach_too_far);
	(void)xTaskCreate(watch, "watch", configMINIMAL_STACK_SIZE * 2, NULL, 2, NULL);
	vTaskStartScheduler();
	return 1;
}
